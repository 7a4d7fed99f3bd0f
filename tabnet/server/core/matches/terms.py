"""The terms of a match, by which players are paired. Pure."""

from __future__ import annotations

from functools import cached_property
from string import hexdigits
from typing import Any

import attrs
from attrs import frozen

from tabnet.errors import Refused, quote
from tabnet.games import DEFAULT_KIND, GAMES
from tabnet.games.api import Game
from tabnet.protocol.fields import Clock, list_wire_fields
from tabnet.protocol.messages import Join, Ranking
from tabnet.server.core.players.ranking import LeaderboardKey

BESIDE_EVERY_GAME = ("id", "nick", "password", "auto", "salt_hash", "feed")
BESIDE_AN_INVITE = (*BESIDE_EVERY_GAME, "invite", "seat")
BESIDE_A_FINISHED_GAME = (*BESIDE_EVERY_GAME, "again", "token")


@frozen(cache_hash=True, slots=False)
class Terms:
    """Only players who ask for equal terms are paired.

    It has a `__dict__`, because cached properties make every attribute of a class with slots slow.
    """

    kind: str
    options: Any
    seats: int
    clock: Clock
    group: int | None
    strict: bool = False
    """A player who makes an illegal move is out."""

    @property
    def game(self) -> Game:
        """The rules of the kind."""
        return GAMES[self.kind]

    @property
    def board(self) -> LeaderboardKey:
        """The leaderboard that a match on these terms counts for."""
        option = self.game.leaderboard_option
        return (self.kind, getattr(self.options, option) if option else None, self.group)

    @property
    def seats_json(self) -> int | None:
        """The number of seats as the field of a join; None in kinds that have no choice."""
        return self.seats if len(self.game.seats) > 1 else None

    @cached_property
    def options_json(self) -> dict[str, Any]:
        """The options as the fields of a join."""
        return self.game.dump_options(self.options)

    @cached_property
    def clock_json(self) -> dict[str, float]:
        """The clock as the field of a join."""
        return {
            name: value for name, value in attrs.asdict(self.clock).items() if value is not None
        }


def require_kind(kind: str | None) -> Game:
    """Return the game of that kind, or of the default kind; refuse an unknown kind."""
    game = GAMES.get(kind or DEFAULT_KIND)
    if game is None:
        hint = f"one of: {' '.join(GAMES)}"
        raise Refused("unknown_kind", f"unknown kind {quote(kind)}", field="kind", hint=hint)
    return game


def read_terms(join: Join) -> Terms:
    """Return the terms of a join; raise a refusal that names the field."""
    game = require_kind(join.kind)
    option = game.leaderboard_option
    if option is not None:
        _require_value(join.group, "group", "undefined group")
        _require_value(join.options.get(option), option, f"undefined {option}")
    options = game.make_options(join.options)
    seats = game.seats[0] if join.seats is None else join.seats
    game.require(options, seats)
    return Terms(
        kind=game.kind,
        options=options,
        seats=seats,
        clock=_normalize_clock(join.clock) if join.clock else Clock(**game.clock),
        group=join.group,
        strict=bool(join.strict),
    )


def require_no_terms(join: Join) -> None:
    """Refuse terms beside an invite or a finished game, which determine them."""
    if join.again is not None:
        _require_only(join, BESIDE_A_FINISHED_GAME, "the finished game")
    elif join.invite is not None:
        _require_only(join, BESIDE_AN_INVITE, "the invite")
    elif join.token is not None:
        text = "a token belongs to a finished game: send again, too, or leave token out"
        raise Refused("bad_value", text, field="token")


def _require_only(join: Join, allowed: tuple[str, ...], source: str) -> None:
    given = {**join.options, **{name: getattr(join, name) for name in attrs.fields_dict(Join)}}
    for name in list_wire_fields(Join):
        if name not in allowed and given.get(name) is not None:
            text = f"{source} determines what is played: leave {name} out"
            raise Refused("bad_value", text, field=name)


def require_public(join: Join) -> None:
    """Refuse a private game with a house bot: it waits for nobody."""
    if join.private:
        text = f"the game against {join.opponent} begins at once: leave private out"
        raise Refused("bad_value", text, field="private")


def read_wish(join: Join, terms: Terms) -> int | None:
    """Return the seat that a join asks for; refuse a seat that the match does not have."""
    if join.seat is not None and join.seat >= terms.seats:
        text, hint = f"there is no seat {join.seat}", f"0 to {terms.seats - 1}"
        raise Refused("bad_value", text, field="seat", hint=hint)
    return join.seat


def read_salt_hash(join: Join, terms: Terms) -> str | None:
    """Return the hash of the salt that a player mixes into the dice; refuse it without dice."""
    if join.salt_hash is None:
        return None
    if not terms.game.has_dice:
        raise Refused("bad_value", f"{terms.kind} has no dice to salt", field="salt_hash")
    return parse_hex(join.salt_hash, "salt_hash").hex()


def parse_hex(text: str, field: str) -> bytes:
    """Return the bytes of a field in hexadecimal; refuse other text."""
    if set(text) <= set(hexdigits) and len(text) % 2 == 0:
        return bytes.fromhex(text)
    raise Refused("bad_value", f"{quote(text)} is not hex", field=field, hint="like 00ff3a")


def _normalize_clock(clock: Clock) -> Clock:
    """Return the clock in a form in which equal clocks are equal values."""
    return clock if clock.increment else Clock(clock.move, clock.total)


def read_leaderboard_key(ranking: Ranking) -> LeaderboardKey:
    """Return the leaderboard that is asked for; its size may be one that cannot be played."""
    game = require_kind(ranking.kind)
    option = game.leaderboard_option
    if option is None:
        game.make_options(ranking.options)
        return (game.kind, None, ranking.group)
    _require_value(ranking.group, "group", "Undefined group")
    value = ranking.options.get(option)
    _require_value(value, option, f"Invalid {option} 'undefined'")
    return (game.kind, value, ranking.group)


def _require_value(value: int | None, field: str, text: str) -> None:
    if value is None:
        raise Refused("undefined_field", text, field=field)
