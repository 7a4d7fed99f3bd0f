"""A replay on this terminal: every key a step."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator

import trio

from tabnet.cli.session import ENDING, TICK_S
from tabnet.client.terminal.canvas import Canvas
from tabnet.client.terminal.keys import REDRAW
from tabnet.client.terminal.replay import Replay


class Stepping:
    """One replay on one canvas."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._canvas = Canvas()
        self._scope = trio.CancelScope()
        self._code = 0

    async def run(self) -> int:
        """Show one step after the other until somebody has seen enough; the exit code is given."""
        with trio.open_signal_receiver(*ENDING, signal.SIGTSTP) as signals:
            self._canvas.open()
            try:
                with self._scope:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._obey, signals)
                        nursery.start_soon(self._tick)
                        await self._listen()
                        self._scope.cancel()
            finally:
                screen = self._replay.screen(self._replay.at)
                self._canvas.close(screen.board(self._canvas.columns, 0))
        return self._code

    async def _listen(self) -> None:
        while self._replay.press(key := await self._canvas.key()):
            if key == REDRAW:
                self._canvas.forget()
            self._show()

    async def _tick(self) -> None:
        """Follow the size of the window: its signal can come before the new size is there."""
        while True:
            self._show()
            await trio.sleep(TICK_S)

    async def _obey(self, signals: AsyncIterator[int]) -> None:
        async for number in signals:
            if number == signal.SIGTSTP:
                self._canvas.suspend()
            else:
                self._code = 128 + number
                self._scope.cancel()

    def _show(self) -> None:
        replay = self._replay
        rows = replay.rows(*self._canvas.fit())
        self._canvas.draw(rows, len(replay.prompt) + len(replay.typed) + 1)
