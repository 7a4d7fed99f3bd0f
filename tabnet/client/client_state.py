"""What a client has asked and what has come, without the socket: the part both clients share."""

from __future__ import annotations

from collections import deque
from typing import Any

import attrs
from attrs import define, field

from tabnet.errors import Disconnected, Refused
from tabnet.games import GAMES
from tabnet.games.api import State
from tabnet.protocol import codec
from tabnet.protocol import messages as m
from tabnet.protocol.dice import salt_hash
from tabnet.protocol.frames import (
    Bye,
    Failed,
    Frame,
    Hello,
    Joined,
    Presence,
    Reply,
    Snapshot,
    Standing,
)

SEATS_IN_VIEWS = ("turn", "mustPass")
"""Fields of a position that hold a nick in an update, and a seat in the rules."""


@define
class ClientState:
    """Numbers commands, sorts what comes in, and knows how to go on after a lost connection."""

    nick: str | None = None
    password: str | None = None
    updates: dict[str, deque[Snapshot]] = field(factory=dict)
    """Game -> updates that nobody has taken yet, for the games that are followed."""
    gone: dict[str, Refused] = field(factory=dict)
    """Games that could not be followed again after a lost connection, and why."""
    online: dict[str, dict[str, bool]] = field(factory=dict)
    """Game -> which of its players are connected, as it was told last."""
    _seen: dict[str, int] = field(factory=dict)
    _resumed: dict[int, str] = field(factory=dict)
    _over: set[str] = field(factory=set)
    _tokens: dict[str, str] = field(factory=dict)
    _salts: dict[str, str] = field(factory=dict)
    """Hash -> salt, of the salts that were promised with a join."""
    _owed: dict[str, m.Salt] = field(factory=dict)
    """Game -> the salt that its update has not told yet."""
    _asked: int = 0

    def promise(self, salt: bytes) -> str:
        """The hash to send with a join; the salt follows by itself when the game has begun."""
        promised = salt_hash(salt)
        self._salts[promised] = salt.hex()
        return promised

    def ask(self, command: m.Command) -> tuple[int, bytes]:
        """The command's number and the line to send. A seat's token comes with it by itself."""
        self._asked += 1
        if isinstance(command, m.Seated) and command.token is None and command.nick is None:
            game = command.game or self._only_seat()
            if game in self._tokens:
                command = attrs.evolve(command, game=game, token=self._tokens[game])
        if isinstance(command, m.Update) and command.game is not None:
            self.follow(command.game)
        return self._asked, codec.encode_command(attrs.evolve(command, id=self._asked))

    def _only_seat(self) -> str | None:
        open_seats = [game for game in self._tokens if game not in self._over]
        return open_seats[0] if len(open_seats) == 1 else None

    def follow(self, game: str) -> None:
        """Updates of this game are kept until they are taken."""
        self.updates.setdefault(game, deque())
        self._seen.setdefault(game, 0)

    def hear(self, frame: Frame) -> bytes:
        """Take note of a frame; updates that were seen before are dropped.

        What comes back is to be sent: a salt that is due.
        """
        if isinstance(frame, Failed) and frame.id in self._resumed:
            self.gone[self._resumed[frame.id]] = refused(frame)
        elif isinstance(frame, Joined):
            self._tokens[frame.game] = frame.token
            self.follow(frame.game)
        elif isinstance(frame, Standing | Presence):
            self.online[frame.game] = frame.online or {}
        elif isinstance(frame, Snapshot) and frame.seq > self._seen.get(frame.game, 0):
            self.follow(frame.game)
            self._seen[frame.game] = frame.seq
            self.updates[frame.game].append(frame)
            if frame.over:
                self._over.add(frame.game)
            return self._salt_due(frame)
        return b""

    def _salt_due(self, update: Snapshot) -> bytes:
        hashes = update.position.get("dice_salt_hashes", {})
        event = update.position.get("event", {})
        for promised in hashes.values():
            if promised in self._salts:
                salt = m.Salt(game=update.game, salt=self._salts.pop(promised))
                self._owed[update.game] = salt
                return self.ask(salt)[1]
        owed = self._owed.get(update.game)
        if update.over or (owed is not None and event.get("salt") == owed.salt):
            self._owed.pop(update.game, None)
        return b""

    def is_over(self, game: str) -> bool:
        """Whether the game's last update has come."""
        return game in self._over

    def logged_in(self, nick: str, password: str) -> None:
        """Who to be again after a lost connection."""
        self.nick, self.password = nick, password

    def resume(self) -> bytes:
        """What to say on a new connection: who this is, and from where each game is wanted."""
        said = b""
        if self.nick is not None and self.password is not None:
            said += self.ask(m.Register(nick=self.nick, password=self.password))[1]
        for game, seen in self._seen.items():
            if game not in self._over:
                token = self._tokens.get(game) if self.nick is None else None
                number, line = self.ask(m.Update(game=game, since=seen, token=token))
                self._resumed[number] = game
                said += line
        for salt in self._owed.values():
            said += self.ask(salt)[1]
        return said


def require_greeting(address: object, frame: Frame | None) -> None:
    """Raise `Disconnected` unless this first frame is a server's welcome."""
    if isinstance(frame, Bye):
        raise Disconnected(f"{address} lets nobody in now: {frame.reason}")
    if not isinstance(frame, Hello):
        raise Disconnected(f"{address} hung up, or is no server of this protocol")


def given(**fields: Any) -> dict[str, Any]:
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def unless_refused(reply: Reply) -> Reply:
    """The reply; a refusal is raised."""
    if isinstance(reply, Failed):
        raise refused(reply)
    return reply


def refused(reply: Failed) -> Refused:
    """A refusal as an error."""
    return Refused(
        reply.code,
        reply.error,
        field=reply.field,
        hint=reply.hint,
        retry_after=reply.retry_after,
    )


def state_of(update: Snapshot) -> State:
    """The position of an update of a running game, as the rules have it: bots search from it."""
    return state_in(update.position)


def state_in(position: dict[str, Any]) -> State:
    """Likewise, from the JSON object of an update."""
    game = GAMES[position["kind"]]
    nicks = list(position["players"])
    view: dict[str, Any] = {}
    for name in game.view_fields:
        view[name] = position[name]
        if name in SEATS_IN_VIEWS and view[name] is not None:
            view[name] = nicks.index(view[name])
    return game.load(view)
