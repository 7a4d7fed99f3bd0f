"""The requests, replies and updates of a client, without a socket; both clients share it."""

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
from tabnet.protocol.dice import hash_salt
from tabnet.protocol.frames import (
    Bye,
    Failed,
    Frame,
    Hello,
    Joined,
    Presence,
    Reply,
    Snapshot,
    StateReply,
)

LONGEST_FRAME = 16 * 1024 * 1024
FINAL_BYES = ("banned", "password_changed")
"""The codes of a `bye` after which the server accepts the login no more."""
SEATS_IN_VIEWS = ("turn", "mustPass")
"""Fields of a position that hold a nick in an update and a seat in the rules."""


@define
class ClientState:
    """Numbers commands, sorts frames, and resumes games after a lost connection."""

    nick: str | None = None
    password: str | None = None
    updates: dict[str, deque[Snapshot]] = field(factory=dict)
    """Game -> unread updates, for the followed games."""
    lost_games: dict[str, Refused] = field(factory=dict)
    """Game -> the refusal, for games that could not be resumed after a lost connection."""
    online: dict[str, dict[str, bool]] = field(factory=dict)
    """Game -> nick -> whether the player is connected, from the latest frame that says so."""
    _last_seq: dict[str, int] = field(factory=dict)
    _resume_requests: dict[int, str] = field(factory=dict)
    _finished_games: set[str] = field(factory=set)
    _tokens: dict[str, str] = field(factory=dict)
    _salts: dict[str, str] = field(factory=dict)
    """Hash -> salt, for the salts whose hashes were sent with a join."""
    _unsent_salts: dict[str, m.Salt] = field(factory=dict)
    """Game -> the salt that no update has shown yet."""
    _last_id: int = 0

    def add_salt(self, salt: bytes) -> str:
        """Return the hash of a salt, for a join; the salt is sent when the game begins."""
        hash_hex = hash_salt(salt)
        self._salts[hash_hex] = salt.hex()
        return hash_hex

    def number_command(self, command: m.Command) -> tuple[int, bytes]:
        """Return the number and the line of a command; the token of its seat is added."""
        self._last_id += 1
        if isinstance(command, m.Seated) and command.token is None and command.nick is None:
            game = command.game or self._find_only_seat()
            if game in self._tokens:
                command = attrs.evolve(command, game=game, token=self._tokens[game])
        if isinstance(command, m.Update) and command.game is not None:
            self.keep_updates(command.game)
        return self._last_id, codec.encode_command(attrs.evolve(command, id=self._last_id))

    def _find_only_seat(self) -> str | None:
        open_seats = [game for game in self._tokens if game not in self._finished_games]
        return open_seats[0] if len(open_seats) == 1 else None

    def keep_updates(self, game: str) -> None:
        self.updates.setdefault(game, deque())
        self._last_seq.setdefault(game, 0)

    def on_frame(self, frame: Frame) -> bytes:
        """Process a frame, and return the lines to send: a salt that is due.

        Old updates are dropped. Raises `Disconnected` if the server accepts the login no more.
        """
        if isinstance(frame, Bye):
            require_login(frame.code, frame.reason)
        if isinstance(frame, Failed) and frame.id in self._resume_requests:
            self.lost_games[self._resume_requests[frame.id]] = make_refused_error(frame)
        elif isinstance(frame, Joined):
            self._tokens[frame.game] = frame.token
            self.keep_updates(frame.game)
        elif isinstance(frame, StateReply | Presence):
            self.online[frame.game] = frame.online or {}
        elif isinstance(frame, Snapshot) and frame.seq > self._last_seq.get(frame.game, 0):
            self.keep_updates(frame.game)
            self._last_seq[frame.game] = frame.seq
            self.updates[frame.game].append(frame)
            if frame.over:
                self._finished_games.add(frame.game)
            return self._take_due_salt(frame)
        return b""

    def _take_due_salt(self, update: Snapshot) -> bytes:
        hashes = update.position.get("dice_salt_hashes", {})
        event = update.position.get("event", {})
        for hash_hex in hashes.values():
            if hash_hex in self._salts:
                salt = m.Salt(game=update.game, salt=self._salts.pop(hash_hex))
                self._unsent_salts[update.game] = salt
                return self.number_command(salt)[1]
        unsent = self._unsent_salts.get(update.game)
        if update.over or (unsent is not None and event.get("salt") == unsent.salt):
            self._unsent_salts.pop(update.game, None)
        return b""

    def is_over(self, game: str) -> bool:
        return game in self._finished_games

    def note_login(self, nick: str, password: str) -> None:
        self.nick, self.password = nick, password

    def make_resume_lines(self) -> bytes:
        """Return the first lines on a new connection: the login, and a request for each game."""
        lines = b""
        if self.nick is not None and self.password is not None:
            lines += self.number_command(m.Register(nick=self.nick, password=self.password))[1]
        for game, seen in self._last_seq.items():
            if not self.is_over(game):
                token = self._tokens.get(game) if self.nick is None else None
                number, line = self.number_command(m.Update(game=game, since=seen, token=token))
                self._resume_requests[number] = game
                lines += line
        for salt in self._unsent_salts.values():
            lines += self.number_command(salt)[1]
        return lines


def require_greeting(address: object, frame: Frame | None) -> None:
    """Raise `Disconnected` unless `frame`, the first on a connection, is a server's greeting."""
    if isinstance(frame, Bye):
        raise Disconnected(f"{address} refuses connections: {frame.reason}")
    if not isinstance(frame, Hello):
        raise Disconnected(f"{address} closed the connection, or is not a tabnet server")


def require_login(code: str, reason: str) -> None:
    """Raise `Disconnected` if a `bye` with this code means that a reconnection is in vain."""
    if code in FINAL_BYES:
        raise Disconnected(f"the server closed the connection: {reason}")


def without_none(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def raise_if_refused(reply: Reply) -> Reply:
    if isinstance(reply, Failed):
        raise make_refused_error(reply)
    return reply


def make_refused_error(reply: Failed) -> Refused:
    return Refused(
        reply.code, reply.error, field=reply.field, hint=reply.hint, retry_after=reply.retry_after
    )


def state_of(update: Snapshot) -> State:
    """Return the position of an update as a state of the rules, for bots that search."""
    return load_state(update.position)


def load_state(position: dict[str, Any]) -> State:
    game = GAMES[position["kind"]]
    nicks = list(position["players"])
    view: dict[str, Any] = {}
    for name in game.view_fields:
        view[name] = position[name]
        if name in SEATS_IN_VIEWS and view[name] is not None:
            view[name] = nicks.index(view[name])
    return game.load(view)
