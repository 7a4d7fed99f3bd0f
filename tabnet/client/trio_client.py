"""The client on trio, which reconnects by itself after a lost connection.

async with connect("127.0.0.1:45678") as client:
    seat = await client.join(group=1, size=9)
    async for update in client.updates(seat.game):
        if update.turn == seat.nick and update.expects == "notify":
            choices = await client.moves(seat.game)
            ...
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from tabnet.client.address import DEFAULT, Address, Trust
from tabnet.client.client_state import ClientState, raise_if_refused, without_none
from tabnet.client.connection import TrioConnection, open_connection
from tabnet.errors import Disconnected
from tabnet.protocol import messages as m
from tabnet.protocol.codec import build_command
from tabnet.protocol.frames import Choices, Joined, RankedPlayer, Reply, Snapshot, StateReply

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
"""The pauses between attempts to reconnect; each is twice the previous one."""
SALT_BYTES = 32


@asynccontextmanager
async def connect(
    server: str = DEFAULT,
    *,
    ca: Path | str | None = None,
    fingerprint: str | None = None,
    data: Path | str | None = None,
    retry_for: float = 60,
) -> AsyncIterator[Client]:
    """Connect for the length of a block; raises `Disconnected` if no connection is possible.

    TLS is verified by `ca`, by `fingerprint`, or with neither for a server on this machine by the
    certificate in its data folder. `tcp://host:port` uses no TLS. After a lost connection the
    client tries to reconnect for `retry_for` seconds, logs in again and misses no update. Then it
    gives up, and every pending call raises `Disconnected`.
    """
    client = Client(Address.parse(server), Trust(ca, fingerprint, data), retry_for)
    client._wire = await open_connection(client.address, client._trust)
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client._stay_connected, client._wire)
        try:
            yield client
        except Exception as error:  # noqa: BLE001 - raised below, where no group is made of it
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure


class Client:
    """A connection to a server; made by `connect`. Refusals raise `Refused`."""

    def __init__(self, address: Address, trust: Trust, retry_for: float) -> None:
        self.address = address
        self.client_state = ClientState()
        self._trust = trust
        self._retry_for = retry_for
        self._wire: TrioConnection | None = None
        self._replies: dict[int, Reply | None] = {}
        self._change = trio.lowlevel.ParkingLot()
        self._failure: Disconnected | None = None

    async def register(self, nick: str, password: str) -> None:
        """Log in, now and after a lost connection."""
        await self.ask(m.Register(nick=nick, password=password))
        self.client_state.note_login(nick, password)

    async def join(self, *, salted: bool = False, **fields: Any) -> Joined:
        """Ask for a game; `fields` are those of the command.

        With `salted`, the client adds a random salt to the dice, and sends it when the game begins.
        """
        if salted:
            fields["salt_hash"] = self.client_state.add_salt(secrets.token_bytes(SALT_BYTES))
        joined: Joined = await self.ask(build_command({"cmd": "join", **fields}))
        return joined

    async def roll(self, game: str | None = None) -> None:
        """Throw the dice."""
        await self.ask(m.RollCommand(game=game))

    async def notify(self, game: str | None = None, **move: Any) -> None:
        """Play a move; its fields are those of the kind of game."""
        await self.ask(build_command(without_none(cmd="notify", game=game, **move)))

    async def pass_turn(self, game: str | None = None) -> None:
        """Pass."""
        await self.ask(m.PassCommand(game=game))

    async def draw(self, game: str | None = None, *, offer: bool = True) -> None:
        """Offer a draw, or withdraw the offer."""
        await self.ask(m.Draw(game=game, offer=offer))

    async def leave(self, game: str | None = None) -> None:
        """Stop waiting, or resign."""
        await self.ask(m.Leave(game=game))

    async def follow(self, game: str, since: int | None = None) -> None:
        """Follow a game as a spectator; `updates` returns its updates."""
        await self.ask(m.Update(game=game, since=since))

    async def moves(self, game: str | None = None, *, player: str | None = None) -> Choices:
        """Return the legal moves; with `player`, only if it is that player's turn."""
        choices: Choices = await self.ask(m.Moves(game=game, player=player))
        return choices

    async def state(self, game: str | None = None, *, text: bool = False) -> StateReply:
        """Return the current state of a game."""
        standing: StateReply = await self.ask(m.StateCommand(game=game, text=text))
        return standing

    async def ranking(self, **fields: Any) -> tuple[RankedPlayer, ...]:
        """Return the best players of a group; `fields` are those of the command."""
        reply = await self.ask(build_command({"cmd": "ranking", **fields}))
        scores: tuple[RankedPlayer, ...] = reply.ranking
        return scores

    async def ask(self, command: m.Command) -> Any:
        """Send any command of `tabnet.protocol.messages`, and return its reply.

        While the connection is lost, the command waits for the next one. If the connection is lost
        before the reply, `Disconnected` is raised; the updates show whether the server executed the
        command.
        """
        await self._wait_until(lambda: self._wire is not None)
        wire = self._wire
        number, line = self.client_state.number_command(command)
        self._replies[number] = None
        try:
            if wire is not None:
                await wire.send(line)
            await self._wait_until(lambda: self._replies[number] or self._wire is not wire)
            reply = self._replies[number]
        finally:
            del self._replies[number]
        if reply is None:
            raise Disconnected(f"the connection was lost before {command.cmd} was answered")
        return raise_if_refused(reply)

    def updates(self, game: str) -> Updates:
        """Return the updates of a followed game, each once, until its last one."""
        self.client_state.keep_updates(game)
        return Updates(self, game)

    @property
    def connected(self) -> bool:
        """Return whether there is a connection now; if not, the client tries to reconnect."""
        return self._wire is not None

    async def changed(self) -> None:
        """Wait for a frame, or for a change of the connection; raises like `ask`."""
        if self._failure is None:
            await self._change.park()
        if self._failure is not None:
            raise self._failure

    async def _wait_until(self, true: Callable[[], Any]) -> None:
        """Wait until a condition holds; raises if the client gave up."""
        while not true():
            if self._failure is not None:
                raise self._failure
            await self._change.park()

    async def _stay_connected(self, wire: TrioConnection) -> None:
        try:
            while True:
                await self._receive_frames(wire)
                self._wire = None
                self._change.unpark_all()
                await wire.close()
                wire = await self._reconnect()
        except Disconnected as error:
            self._failure = error
            self._change.unpark_all()
        finally:
            await wire.close()  # noqa: ASYNC102 - it is shielded, and ends by itself

    async def _receive_frames(self, wire: TrioConnection) -> None:
        while (frame := await wire.receive()) is not None:
            answer = self.client_state.on_frame(frame)
            if isinstance(frame, Reply) and frame.id in self._replies:
                self._replies[frame.id] = frame
            self._change.unpark_all()
            if answer:
                await wire.send(answer)

    async def _reconnect(self) -> TrioConnection:
        """Reconnect and resume everything; raises `Disconnected` after `retry_for` seconds."""
        pause = FIRST_PAUSE_S
        give_up_at = trio.current_time() + self._retry_for
        while True:
            try:
                wire = await self._resume()
            except Disconnected as error:
                if trio.current_time() + pause > give_up_at:
                    raise Disconnected(f"{error.text}; gave up") from None
            else:
                self._wire = wire
                self._change.unpark_all()
                return wire
            await trio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _resume(self) -> TrioConnection:
        wire = await open_connection(self.address, self._trust)
        try:
            await wire.send(self.client_state.make_resume_lines())
        except BaseException:
            await wire.close()  # noqa: ASYNC102 - it is shielded, and ends by itself
            raise
        return wire


class Updates:
    """The updates of one game, for `async for`; the loop may be left and continued at any time."""

    def __init__(self, client: Client, game: str) -> None:
        self._client = client
        self._game = game

    def __aiter__(self) -> Updates:
        return self

    async def __anext__(self) -> Snapshot:
        client_state, game = self._client.client_state, self._game
        waiting = client_state.updates[game]
        if client_state.is_over(game) and not waiting:
            raise StopAsyncIteration
        await self._client._wait_until(lambda: waiting or game in client_state.lost_games)
        if not waiting:
            raise client_state.lost_games[game]
        return waiting.popleft()
