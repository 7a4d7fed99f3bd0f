"""Every error of tabnet, and the codes of refusals.

    TabnetError                 code, text, and where they help: field, hint, retry_after
    ├── RulesError
    │   ├── IllegalMove         a well-formed move that the rules forbid here
    │   ├── InvalidMove         fields that are not a move of this kind of game
    │   ├── InvalidOptions      options that this kind of game does not have
    │   └── InvalidPosition     text or JSON that describes no position
    ├── WireError               a line that is not a valid command
    ├── Refused                 a valid command that cannot be served now
    ├── Disconnected            a client has no connection to its server
    ├── NotVerified             an update that the rules, the dice or other updates contradict
    ├── StoreError              the database can no longer be read or written
    ├── BrokenHistory           a stored match that is impossible
    └── StartError              the program cannot do what its options ask

`code` is a stable word for programs: one of `CODES`, or a code of one kind of game. `text` is a
sentence for people, `field` the wrong field, `hint` a right value. The request may be repeated
after `retry_after` seconds.
"""

from __future__ import annotations

import json
from typing import Any

CODES: dict[str, str] = {
    # moves, from the rules
    "must_roll": "a throw is due before anything else can be played",
    "must_move": "there are legal moves: play one before passing or throwing again",
    "must_roll_again": "no legal move, but the throw gives another one: roll, do not pass",
    "must_pass": "no legal move and no further throw: only pass is accepted",
    "no_roll": "this kind of game has no dice",
    "no_pass": "this kind of game has no passing",
    "no_piece": "there is no piece of the player's own to move there",
    "own_piece": "the destination holds a piece of the player's own",
    "wrong_distance": "the move does not go where the throw leads",
    "wrong_direction": "the piece does not move that way",
    "occupied": "the destination is not empty",
    "game_over": "the game is over",
    # what was sent
    "invalid_move": "the fields are not a move of this kind of game",
    "invalid_position": "the text or JSON describes no position",
    "invalid_option": "an option has a value that this kind of game does not take",
    "unknown_option": "this kind of game has no such option",
    "not_json": "the line is not JSON, or not UTF-8",
    "not_object": "the line is JSON, but not an object",
    "too_deep": "the JSON is nested too deeply",
    "duplicate_key": "a key occurs twice in one object",
    "line_too_long": "the line is too long; the connection is closed",
    "web_request": "this port takes lines, not HTTP or TLS: web pages have a port of their own",
    "unknown_command": "there is no such command",
    "needs_connection": "the command needs a connection that stays open; HTTP has none",
    "unknown_field": "the command has no such field",
    "undefined_field": "a field that the command needs is absent",
    "wrong_type": "a field has a value of the wrong type",
    "bad_value": "a field has the right type and a value that is not allowed",
    # players, games and seats
    "wrong_password": "the nick is registered with another password",
    "not_registered": "the nick is not registered",
    "registration_closed": "the server registers no new nicks; guests can play",
    "banned": "the operator does not let the nick, or the address, in",
    "reserved_nick": "the nick is reserved for guests or house bots",
    "who_are_you": "the command needs a login, a nick and password, or a seat token",
    "bad_token": "the token belongs to no seat, or not to this game's",
    "unknown_kind": "there is no such kind of game",
    "unknown_opponent": "the server offers no such opponent",
    "unknown_game": "there is no game with that id",
    "set_aside": "the server cannot read what it has stored of the game; its operator can end it",
    "which_game": "game was omitted, and the player has no seat or several",
    "no_seat": "the player has no seat in that game, or is out of it",
    "waiting": "the game has not begun: an opponent is still missing",
    "not_your_turn": "it is another player's turn",
    "unknown_invite": "no private game waits for this invite",
    "own_invite": "the invite is to a game in which the player waits already",
    "already_offered": "the player's draw offer stands already",
    "no_offer": "the player has offered no draw",
    "too_many_offers": "the player has to roll, move or pass before the next draw offer",
    "too_many_releases": "the player has released pieces too often: the selected one has to move",
    "salts_due": "salts of players are still missing",
    "no_salt": "no salt is expected from the player",
    "wrong_salt": "the salt does not have the hash that came with join",
    # connections and the program
    "too_many_connections": "the server, or the client's address, has too many connections",
    "too_many_commands": "more commands than the server accepts; the connection is closed",
    "too_many_games": "the player has the maximum number of games and waits",
    "too_many_waits": "the connection or its address holds the maximum number of waits",
    "too_many_house_games": "the connection or its address already has its share of the games",
    "too_many_registrations": "the connection or its address has registered too many new nicks",
    "busy": "the opponent plays the maximum number of games",
    "too_many_logins": "too many wrong passwords; the connection is closed",
    "busy_logins": "too many passwords wait to be checked; the connection is closed",
    "password_changed": "the operator has given the nick another password",
    "idle": "the connection was silent for too long, with no seat and no game followed",
    "stopping": "the server is stopping",
    "server_error": "the server failed; other games go on",
}


def get_meanings(*codes: str) -> dict[str, str]:
    return {code: CODES[code] for code in codes}


LONGEST_QUOTE = 100
"""The number of characters that an error quotes."""


class TabnetError(Exception):
    """The base of all refusals, with a text for the person who caused it."""

    def __init__(
        self,
        code: str,
        text: str,
        *,
        field: str | None = None,
        hint: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.field = field
        self.hint = hint
        self.retry_after = retry_after


class RulesError(TabnetError):
    """A refusal by the rules of a game."""


class IllegalMove(RulesError):
    """A well-formed move that the rules forbid in this position."""


class InvalidMove(RulesError):
    """Fields that are not a move of this kind of game in any position."""

    def __init__(self, text: str, *, field: str | None = None, hint: str | None = None) -> None:
        super().__init__("invalid_move", text, field=field, hint=hint)


class InvalidOptions(RulesError):
    """Options that this kind of game does not have."""


class InvalidPosition(RulesError):
    """Text or JSON that describes no position of this kind of game."""


def quote(value: Any) -> str:
    """Return a JSON value as error texts quote it: `'large'`, `'3.1416'`, `'true'`."""
    return f"'{shorten(value if isinstance(value, str) else json.dumps(value))}'"


def shorten(text: str) -> str:
    """Return the text, shortened to the length that an error may quote."""
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


class WireError(TabnetError):
    """A line that is not a valid command."""


class Refused(TabnetError):
    """A valid command that cannot be served now."""


class Disconnected(TabnetError):
    """A client has no connection to its server, and will not reconnect."""

    def __init__(self, text: str, *, hint: str | None = None) -> None:
        super().__init__("disconnected", text, hint=hint)


class NotVerified(TabnetError):
    """The update numbered `seq` is wrong, or does not end the match."""

    def __init__(self, seq: int, text: str, *, field: str | None = None) -> None:
        super().__init__("not_verified", f"update {seq}: {text}", field=field)
        self.seq = seq


class StoreError(TabnetError):
    """The database can no longer be read or written; pending changes are lost."""

    def __init__(self, text: str, *, hint: str | None = None) -> None:
        super().__init__("store_failed", text, hint=hint)


class BrokenHistory(TabnetError):
    """A stored match that is impossible by the rules."""

    def __init__(self, game: str, seq: int, text: str) -> None:
        super().__init__("broken_history", f"game {game}, event {seq}: {text}")


class StartError(TabnetError):
    """The program cannot do what its options ask, on the command line or in Python."""

    def __init__(self, text: str, *, hint: str | None = None) -> None:
        super().__init__("start_failed", text, hint=hint)
