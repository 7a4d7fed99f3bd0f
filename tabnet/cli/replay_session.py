"""A replay on this terminal, one step for each key."""

from __future__ import annotations

from collections.abc import AsyncIterator

import trio

from tabnet.cli.game_session import ENDING, STOPPING, TICK_S
from tabnet.client.terminal.canvas import Canvas
from tabnet.client.terminal.line_editor import REDRAW
from tabnet.client.terminal.replay_screen import Replay


class ReplaySession:
    """One replay on one canvas."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._canvas = Canvas()
        self._scope = trio.CancelScope()
        self._code = 0

    async def run(self) -> int:
        with trio.open_signal_receiver(*ENDING, *STOPPING) as signals:
            self._canvas.open()
            try:
                with self._scope:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._handle_signals, signals)
                        nursery.start_soon(self._redraw_regularly)
                        await self._handle_keys()
                        self._scope.cancel()
            finally:
                screen = self._replay.make_screen_at_step(self._replay.at)
                self._canvas.close(screen.draw_board_rows(self._canvas.columns, 0))
        return self._code

    async def _handle_keys(self) -> None:
        while self._replay.handle_key(key := await self._canvas.next_key()):
            if key == REDRAW:
                self._canvas.redraw_all_next_time()
            self._draw_step()

    async def _redraw_regularly(self) -> None:
        """Redraw regularly: the signal of a new window size can come before the size changes."""
        while True:
            self._draw_step()
            await trio.sleep(TICK_S)

    async def _handle_signals(self, signals: AsyncIterator[int]) -> None:
        async for number in signals:
            if number in STOPPING:
                self._canvas.suspend()
            else:
                self._code = 128 + number
                self._scope.cancel()

    def _draw_step(self) -> None:
        replay = self._replay
        rows = replay.draw_screen_rows(*self._canvas.fit_to_terminal())
        self._canvas.draw_rows(rows, len(replay.prompt) + len(replay.typed) + 1)
