"""What players agree on before a match: the key they are paired by."""

from __future__ import annotations

from functools import cached_property
from string import hexdigits
from typing import Any

import attrs
from attrs import frozen

from tabnet.errors import Refused, shown
from tabnet.games import DEFAULT_KIND, GAMES
from tabnet.games.api import Game
from tabnet.protocol.fields import Clock, wire_fields
from tabnet.protocol.messages import Join, Ranking
from tabnet.server.core.players.ranking import LeaderboardKey

BESIDE_AN_INVITE = ("id", "nick", "password", "invite", "seat", "auto", "salt_hash")


@frozen(cache_hash=True)
class Terms:
    """Only players who ask for equal terms are paired."""

    kind: str
    options: Any
    seats: int
    clock: Clock
    group: int | None
    strict: bool = False
    """Who plays what the rules forbid is out."""

    @property
    def game(self) -> Game:
        """The rules played by."""
        return GAMES[self.kind]

    @property
    def board(self) -> LeaderboardKey:
        """The scoreboard that a match on these terms counts for."""
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


def game_named(kind: str | None) -> Game:
    """Return the game of that kind, or of the default kind; raises `Refused`."""
    game = GAMES.get(kind or DEFAULT_KIND)
    if game is None:
        raise Refused(
            "unknown_kind",
            f"unknown kind {shown(kind)}",
            field="kind",
            hint=f"one of: {' '.join(GAMES)}",
        )
    return game


def terms_of(join: Join) -> Terms:
    """What a join asks for; raises a refusal that names the field."""
    game = game_named(join.kind)
    option = game.leaderboard_option
    if option is not None:
        _require(join.group, "group", "undefined group")
        _require(join.options.get(option), option, f"undefined {option}")
    options = game.make_options(join.options)
    seats = game.seats[0] if join.seats is None else join.seats
    game.require(options, seats)
    return Terms(
        kind=game.kind,
        options=options,
        seats=seats,
        clock=_usual(join.clock) if join.clock else Clock(**game.clock),
        group=join.group,
        strict=bool(join.strict),
    )


def require_bare(join: Join) -> None:
    """An invite stands for terms: none may come with it."""
    given = {**join.options, **{name: getattr(join, name) for name in attrs.fields_dict(Join)}}
    for name in wire_fields(Join):
        if name not in BESIDE_AN_INVITE and given.get(name) is not None:
            text = f"the invite says already what is played: leave {name} out"
            raise Refused("bad_value", text, field=name)


def require_public(join: Join) -> None:
    """Against a bot of the house there is nobody to wait for."""
    if join.private:
        text = f"the game against {join.opponent} begins at once: leave private out"
        raise Refused("bad_value", text, field="private")


def wish_of(join: Join, terms: Terms) -> int | None:
    """The seat that a join asks for."""
    if join.seat is not None and join.seat >= terms.seats:
        raise Refused(
            "bad_value",
            f"there is no seat {join.seat}",
            field="seat",
            hint=f"0 to {terms.seats - 1}",
        )
    return join.seat


def salt_hash_of(join: Join, terms: Terms) -> str | None:
    """The hash of the salt that a player wants to mix into the dice."""
    if join.salt_hash is None:
        return None
    if not terms.game.has_dice:
        raise Refused("bad_value", f"{terms.kind} has no dice to salt", field="salt_hash")
    return from_hex(join.salt_hash, "salt_hash").hex()


def from_hex(text: str, field: str) -> bytes:
    """The bytes that a field has in hex."""
    if set(text) <= set(hexdigits) and len(text) % 2 == 0:
        return bytes.fromhex(text)
    raise Refused("bad_value", f"{shown(text)} is not hex", field=field, hint="like 00ff3a")


def _usual(clock: Clock) -> Clock:
    """Equal clocks are written alike, or who asks for them would not be paired."""
    return clock if clock.increment else Clock(clock.move, clock.total)


def board_of(ranking: Ranking) -> LeaderboardKey:
    """Which scoreboard is asked for; any positive size will do, also one that nobody can play."""
    game = game_named(ranking.kind)
    option = game.leaderboard_option
    if option is None:
        game.make_options(ranking.options)
        return (game.kind, None, ranking.group)
    _require(ranking.group, "group", "Undefined group")
    value = ranking.options.get(option)
    _require(value, option, f"Invalid {option} 'undefined'")
    return (game.kind, value, ranking.group)


def _require(value: int | None, field: str, text: str) -> None:
    if value is None:
        raise Refused("undefined_field", text, field=field)
