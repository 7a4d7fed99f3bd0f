"""A game on this terminal: what comes is shown, what is typed is played, until the end."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator

import trio

from tabnet.client.client_state import without_none
from tabnet.client.connection import Client
from tabnet.client.terminal.canvas import say
from tabnet.client.terminal.game_screen import GameScreen
from tabnet.client.terminal.input_parser import WORDS, TypedCommand, understand
from tabnet.client.terminal.windows import window_on
from tabnet.errors import Disconnected, Refused, StartError, TabnetError
from tabnet.protocol.codec import command_from

TICK_S = 0.2
"""How often running clocks are looked at."""
LAST_S = 1
"""How long leaving a queue may take at the end."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SIGNALS = (*ENDING, signal.SIGWINCH, signal.SIGTSTP)

GAME_CLOSED = "the server closed this game after an error: nobody has won"
NOT_CONNECTED = "the connection is lost; trying to come back"


class Session:
    """One game at one terminal.

    `seats` are the nicks that play here, each with its seat's token, or None where the login will
    do; without any, one watches. `back` tells how to come back to the game, if one can.
    """

    def __init__(
        self, client: Client, game: str, seats: dict[str, str | None], about: str, back: str
    ) -> None:
        self.client = client
        self.game = game
        self.seats = seats
        self.back = back
        self.screen = GameScreen(tuple(seats), note=about)
        self.window = window_on(self.screen)
        self._scope = trio.CancelScope()
        self._news = trio.lowlevel.ParkingLot()
        self._code = 0

    async def run(self) -> int:
        """Play or watch to the end; the exit code comes back."""
        with trio.open_signal_receiver(*SIGNALS) as signals:
            try:
                self.window.open()
                with self._scope:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._obey, signals)
                        nursery.start_soon(self._listen)
                        nursery.start_soon(self._keep_in_touch)
                        nursery.start_soon(self._tick)
                        await self._follow()
                        self._scope.cancel()
            except* Disconnected as lost:
                raise Disconnected(str(lost.exceptions[0]), hint=self.back or None) from None
            finally:
                self.window.close()
        say(self.screen.result if self.screen.over else await self._farewell())
        return self._code

    def _end(self, code: int) -> None:
        self._code = code
        self._scope.cancel()

    async def _farewell(self) -> str:
        """What becomes of the seat of who stops before the end."""
        if not self._waits:
            return self.back or "The game ends here."
        with trio.move_on_after(LAST_S):
            for nick in self.seats:
                await self._send(TypedCommand("leave"), nick)
        return "Nobody had come, and you have left the queue."

    @property
    def _waits(self) -> bool:
        """Whether there is a seat, and no game yet."""
        began = self.screen.update is not None
        return bool(self.seats) and self.screen.waiting and not began and self.client.connected

    # What comes

    async def _follow(self) -> None:
        """Take the updates until the last one."""
        try:
            async for update in self.client.updates(self.game):
                if "event" not in update.position:
                    began = self.screen.update is not None
                    raise StartError(
                        GAME_CLOSED if began else "the wait is over: nobody came to play"
                    )
                self.screen.note = ""
                self.screen.take(update, trio.current_time())
                self.window.show()
                self._news.unpark_all()
        except Refused as error:
            raise StartError(f"the server no longer has this game: {error.text}") from None

    async def _keep_in_touch(self) -> None:
        """Tell of a lost connection and of who is there; ask for both anew on a new one."""
        connected = None
        while True:
            while connected != self.client.connected:  # it may change again while one looks
                if connected is not None:
                    self.screen.note = NOT_CONNECTED if connected else "the connection is back"
                connected = self.client.connected
                if connected:
                    await self._look()
            self.screen.online = self.client.client_state.online.get(self.game, {})
            self.window.show()
            await self.client.changed()

    async def _look(self) -> None:
        try:
            standing = await self.client.state(self.game)
        except TabnetError:
            return  # lost again, or without this game: others will tell
        self.screen.take_state(standing, trio.current_time())

    async def _tick(self) -> None:
        """Let the clocks be seen running."""
        while True:
            await trio.sleep(TICK_S)
            self.window.show()

    async def _obey(self, signals: AsyncIterator[int]) -> None:
        async for number in signals:
            if number == signal.SIGTSTP:
                self.window.suspend()
            elif number in ENDING:
                self._end(128 + number)
            else:
                self.window.show()

    # What is typed

    async def _listen(self) -> None:
        """Answer every line."""
        while True:
            if self.window.waits_for_turn:
                await self._until_asked()
            line = await self.window.line()
            if line is None:
                self._end(0)
                return
            self.screen.note = ""
            try:
                await self._answer(understand(line, self.screen.my_turn))
            except ValueError as error:
                self.screen.note = str(error)
            except TabnetError as error:
                self.screen.note = f"{error.text} ({error.hint})" if error.hint else error.text
            self.window.show()

    async def _until_asked(self) -> None:
        """Wait for the turn of who plays here; who watches has nothing to say."""
        while self.screen.my_turn is None:
            await self._news.park()

    async def _answer(self, said: TypedCommand) -> None:
        if said.word == "quit" or (said.word == "leave" and self._waits):
            self._end(0)
        elif said.word == "board":
            self.window.show_board()
        elif said.word == "help":
            words = "; ".join(f"{word}: {meaning}" for word, meaning in WORDS.items())
            self.screen.note = f"a cell, or a word: {words}"
        elif said.word == "moves":
            turn = self.screen.turn
            self.screen.note = (turn and (", ".join(turn.lines) or turn.demand)) or "nothing yet"
        else:
            await self._play(said)

    async def _play(self, said: TypedCommand) -> None:
        """Send it, and wait for the update that it causes: the next line may be about that one."""
        if not self.seats:
            raise ValueError("you are watching; you can type board, moves, help or quit")
        if not self.client.connected:
            raise Disconnected(NOT_CONNECTED)
        seq = self._seq
        await self._send(said, self._player)
        while self._seq == seq:
            await self._news.park()

    @property
    def _seq(self) -> int:
        return self.screen.update.seq if self.screen.update is not None else 0

    @property
    def _player(self) -> str:
        """Whom a line comes from: of several players here, the one who is to act."""
        turn = self.screen.update.turn if self.screen.update is not None else None
        return turn if turn is not None and turn in self.seats else next(iter(self.seats))

    async def _send(self, said: TypedCommand, nick: str) -> None:
        fields = without_none(cmd=said.word, game=self.game, token=self.seats[nick], **said.move)
        await self.client.ask(command_from(fields))
