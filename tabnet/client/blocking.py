"""The client without trio, for bots and scripts, on one blocking socket.

with connect("tcp://127.0.0.1:45679") as client:
    seat = client.join(group=1, size=9, auto=True)
    for update in client.updates(seat.game):
        if update.turn == seat.nick and update.expects == "notify":
            client.notify(seat.game, **choose(client.moves(seat.game).moves))
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabnet.client.address import DEFAULT, Address, Trust
from tabnet.client.blocking_connection import BlockingConnection, reconnect
from tabnet.client.client_state import ClientState, raise_if_refused, without_none
from tabnet.errors import Disconnected
from tabnet.protocol import messages as m
from tabnet.protocol.codec import build_command, decode_frame
from tabnet.protocol.frames import Choices, Frame, Joined, RankedPlayer, Reply, Snapshot, StateReply

SALT_BYTES = 32


def connect(
    server: str = DEFAULT,
    *,
    ca: Path | str | None = None,
    fingerprint: str | None = None,
    data: Path | str | None = None,
    retry_for: float = 60,
) -> BlockingClient:
    """Return a client, to be used in a `with`. The arguments are those of `tabnet.connect`."""
    return BlockingClient(Address.parse(server), Trust(ca, fingerprint, data), retry_for)


class BlockingClient:
    """A connection to a server. The methods are those of `tabnet.Client`, without `await`.

    Refusals raise `Refused`, a lost connection raises `Disconnected`.
    """

    def __init__(self, address: Address, trust: Trust, retry_for: float) -> None:
        self.address = address
        self.client_state = ClientState()
        self._trust = trust
        self._retry_for = retry_for
        self._wire = BlockingConnection(address, trust)

    def __enter__(self) -> BlockingClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._wire.close()

    def register(self, nick: str, password: str) -> None:
        self.ask(m.Register(nick=nick, password=password))
        self.client_state.note_login(nick, password)

    def join(self, *, salted: bool = False, **fields: Any) -> Joined:
        if salted:
            fields["salt_hash"] = self.client_state.add_salt(secrets.token_bytes(SALT_BYTES))
        joined: Joined = self.ask(build_command({"cmd": "join", **fields}))
        return joined

    def roll(self, game: str | None = None) -> None:
        self.ask(m.RollCommand(game=game))

    def notify(self, game: str | None = None, **move: Any) -> None:
        self.ask(build_command(without_none(cmd="notify", game=game, **move)))

    def pass_turn(self, game: str | None = None) -> None:
        self.ask(m.PassCommand(game=game))

    def draw(self, game: str | None = None, *, offer: bool = True) -> None:
        self.ask(m.Draw(game=game, offer=offer))

    def leave(self, game: str | None = None) -> None:
        self.ask(m.Leave(game=game))

    def follow(self, game: str, since: int | None = None) -> None:
        self.ask(m.Update(game=game, since=since))

    def moves(self, game: str | None = None, *, player: str | None = None) -> Choices:
        choices: Choices = self.ask(m.Moves(game=game, player=player))
        return choices

    def state(self, game: str | None = None, *, text: bool = False) -> StateReply:
        standing: StateReply = self.ask(m.StateCommand(game=game, text=text))
        return standing

    def ranking(self, **fields: Any) -> tuple[RankedPlayer, ...]:
        scores: tuple[RankedPlayer, ...] = self.ask(
            build_command({"cmd": "ranking", **fields})
        ).ranking
        return scores

    def ask(self, command: m.Command) -> Any:
        """Send any command of `tabnet.protocol.messages`, and return its reply.

        If the connection is lost before the reply, the client reconnects and raises `Disconnected`;
        the updates show whether the server executed the command.
        """
        number, line = self.client_state.number_command(command)
        try:
            self._wire.send(line)
            while True:
                frame = self._receive_frame()
                if isinstance(frame, Reply) and frame.id == number:
                    return raise_if_refused(frame)
        except OSError:
            self._reconnect()
            raise Disconnected(
                f"the connection was lost before {command.cmd} was answered"
            ) from None

    def updates(self, game: str) -> Iterator[Snapshot]:
        """Yield each update of a followed game once, until its last one."""
        self.client_state.keep_updates(game)
        waiting = self.client_state.updates[game]
        while True:
            while not waiting:
                if game in self.client_state.lost_games:
                    raise self.client_state.lost_games[game]
                try:
                    self._receive_frame()
                except OSError:
                    self._reconnect()
            update = waiting.popleft()
            yield update
            if update.over:
                return

    def _receive_frame(self) -> Frame:
        frame = decode_frame(self._wire.receive())
        answer = self.client_state.on_frame(frame)
        if answer:
            self._wire.send(answer)
        return frame

    def _reconnect(self) -> None:
        """Reconnect and resume everything; raises `Disconnected` after `retry_for` seconds."""
        self.close()
        self._wire = reconnect(self.address, self._trust, self._retry_for)
        self._wire.send(self.client_state.make_resume_lines())
