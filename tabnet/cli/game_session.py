"""A game on this terminal, from the first update to the last."""

from __future__ import annotations

from collections.abc import AsyncIterator

import trio

from tabnet.client.client_state import without_none
from tabnet.client.terminal.canvas import list_signals, print_lines
from tabnet.client.terminal.game_screen import GameScreen
from tabnet.client.terminal.game_windows import choose_window
from tabnet.client.terminal.input_parser import WORDS, TypedCommand, parse_line
from tabnet.client.trio_client import Client
from tabnet.errors import Disconnected, Refused, StartError, TabnetError
from tabnet.protocol.codec import build_command

TICK_S = 0.2
"""The interval at which running clocks are redrawn."""
LAST_S = 1
"""The time limit for leaving a queue at the end."""
ENDING = list_signals("SIGINT", "SIGTERM", "SIGHUP")
STOPPING = list_signals("SIGTSTP")
SIGNALS = (*ENDING, *STOPPING, *list_signals("SIGWINCH"))

GAME_CLOSED = "the server closed this game after an error: nobody won"
NOT_CONNECTED = "the connection is lost; reconnecting"


class GameSession:
    """One game at one terminal.

    `seats` maps the nicks that play here to the tokens of their seats, or to None with a login. It
    is empty for a spectator. `back` is a hint how to return to the game.
    """

    def __init__(
        self, client: Client, game: str, seats: dict[str, str | None], about: str, back: str
    ) -> None:
        self.client = client
        self.game = game
        self.seats = seats
        self.back = back
        self.screen = GameScreen(tuple(seats), note=about)
        self.window = choose_window(self.screen)
        self._scope = trio.CancelScope()
        self._new_update = trio.lowlevel.ParkingLot()
        self._code = 0

    async def run(self) -> int:
        with trio.open_signal_receiver(*SIGNALS) as signals:
            try:
                self.window.open()
                with self._scope:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._handle_signals, signals)
                        nursery.start_soon(self._execute_typed_lines)
                        nursery.start_soon(self._show_connection)
                        nursery.start_soon(self._redraw_clocks)
                        await self._show_updates()
                        self._scope.cancel()
            except* Disconnected as lost:
                raise Disconnected(str(lost.exceptions[0]), hint=self.back or None) from None
            finally:
                self.window.close()
        print_lines(
            self.screen.result_sentence
            if self.screen.over
            else await self._leave_queue_and_return_last_line()
        )
        return self._code

    def _stop_with_code(self, code: int) -> None:
        self._code = code
        self._scope.cancel()

    async def _leave_queue_and_return_last_line(self) -> str:
        """Return the last line after an early stop; leave the queue if the game has not begun."""
        if not self._is_waiting:
            return self.back or "The game ends here."
        with trio.move_on_after(LAST_S):
            for nick in self.seats:
                await self._send_command(TypedCommand("leave"), nick)
        return "You left the queue before an opponent came."

    @property
    def _is_waiting(self) -> bool:
        began = self.screen.update is not None
        return bool(self.seats) and self.screen.waiting and not began and self.client.connected

    async def _show_updates(self) -> None:
        try:
            async for update in self.client.updates(self.game):
                if "event" not in update.position:
                    began = self.screen.update is not None
                    raise StartError(GAME_CLOSED if began else "the wait is over: no opponent came")
                self.screen.note = ""
                self.screen.show_update(update, trio.current_time())
                self.window.show()
                self._new_update.unpark_all()
        except Refused as error:
            raise StartError(f"the server no longer has this game: {error.text}") from None

    async def _show_connection(self) -> None:
        """Show lost connections and the presence of players; request the state after a
        reconnection.
        """
        connected = None
        while True:
            while connected != self.client.connected:  # it may change again meanwhile
                if connected is not None:
                    self.screen.note = NOT_CONNECTED if connected else "the connection is back"
                connected = self.client.connected
                if connected:
                    await self._refresh_state()
            self.screen.online = self.client.client_state.online.get(self.game, {})
            self.window.show()
            await self.client.changed()

    async def _refresh_state(self) -> None:
        try:
            standing = await self.client.state(self.game)
        except TabnetError:
            return  # other tasks report a lost connection or game
        self.screen.show_clocks(standing, trio.current_time())

    async def _redraw_clocks(self) -> None:
        while True:
            await trio.sleep(TICK_S)
            self.window.show()

    async def _handle_signals(self, signals: AsyncIterator[int]) -> None:
        async for number in signals:
            if number in STOPPING:
                self.window.suspend()
            elif number in ENDING:
                self._stop_with_code(128 + number)
            else:
                self.window.show()

    async def _execute_typed_lines(self) -> None:
        """Execute every line; lines that were written in advance wait for a turn."""
        while True:
            while self.window.waits_for_turn and self.screen.my_turn is None:
                await self._new_update.park()
            line = await self.window.read_line()
            if line is None:
                self._stop_with_code(0)
                return
            self.screen.note = ""
            try:
                await self._execute_typed_word(parse_line(line, self.screen.my_turn))
            except ValueError as error:
                self.screen.note = str(error)
            except TabnetError as error:
                self.screen.note = f"{error.text} ({error.hint})" if error.hint else error.text
            self.window.show()

    async def _execute_typed_word(self, command: TypedCommand) -> None:
        if command.word == "quit" or (command.word == "leave" and self._is_waiting):
            self._stop_with_code(0)
        elif command.word == "board":
            self.window.show_board()
        elif command.word == "help":
            words = "; ".join(f"{word}: {meaning}" for word, meaning in WORDS.items())
            self.screen.note = f"type a cell, or a word: {words}"
        elif command.word == "moves":
            turn = self.screen.turn
            self.screen.note = (
                turn and (", ".join(turn.typed_lines) or turn.demand)
            ) or "nothing yet"
        else:
            await self._send_and_await_update(command)

    async def _send_and_await_update(self, command: TypedCommand) -> None:
        """Send a command, and wait for its update, because the next line may refer to it."""
        if not self.seats:
            raise ValueError("you are watching; you can type board, moves, help or quit")
        if not self.client.connected:
            raise Disconnected(NOT_CONNECTED)
        seq = self._latest_seq
        await self._send_command(command, self._player_at_keyboard)
        while self._latest_seq == seq:
            await self._new_update.park()

    @property
    def _latest_seq(self) -> int:
        return self.screen.update.seq if self.screen.update is not None else 0

    @property
    def _player_at_keyboard(self) -> str:
        """Return the player who types: of several players here, the one to act."""
        turn = self.screen.update.turn if self.screen.update is not None else None
        return turn if turn is not None and turn in self.seats else next(iter(self.seats))

    async def _send_command(self, command: TypedCommand, nick: str) -> None:
        fields = without_none(
            cmd=command.word, game=self.game, token=self.seats[nick], **command.move
        )
        await self.client.ask(build_command(fields))
