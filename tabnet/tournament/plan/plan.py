"""The plan of a tournament, and the ids and throws of its games. Pure.

Ids and throws depend on the seed or the secret of the tournament, on the players of a game, and on
the number of the pair among these players. They do not depend on other entrants or on the format. A
tournament that is extended or restarted therefore recognises its games by their ids.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, Final

import attrs
from attrs import frozen

from tabnet.errors import StartError
from tabnet.games import GAMES
from tabnet.tournament.records.entrants_and_results import ScheduledGame
from tabnet.tournament.records.journal_lines import Journal
from tabnet.tournament.records.throw_secrets import (
    TournamentSecret,
    derive_game_secret,
    derive_id,
    derive_pair_secret,
)
from tabnet.tournament.stats.sprt import Hypotheses

FORMATS: Final = ("round-robin", "gauntlet", "swiss", "knockout", "sprt", "elimination")
OF_THE_JOURNAL: Final = ("names", "absent", "secrets", "remote")
"""The fields that have lines of their own in the journal."""
FOR_TWO: Final = ("swiss", "knockout", "sprt")
"""The formats for games of two."""
ELIMINATION: Final = "elimination"
"""The format for kinds with games of more than two, which has groups of different sizes."""


@frozen
class Plan:
    """The settings of a tournament and its entrants; raises `StartError` if they make no sense.

    The bots, these settings and the secrets alone decide the results.
    """

    seed: str | None
    """The seed that the user has named: a bot that knows it can predict the throws. None without
    one: then ids and throws follow from the secrets."""
    kind: str
    options: Mapping[str, Any]
    """The options of the kind, as JSON values."""
    clock: Mapping[str, Any]
    """The clock, like the field of `join`."""
    format: str
    """One of `FORMATS`."""
    pairs: int
    """The number of pairs of games when two entrants meet; the maximum in an sprt. With more seats,
    the number of groups of games in all seat orders."""
    names: tuple[str, ...]
    """The entrants: in a gauntlet the first plays all others; in a knockout the best are first."""
    rounds: int | None = None
    """The rounds of a Swiss tournament; None for as many as determine one winner."""
    max_moves: int | None = None
    """The number of actions of all seats after which a game is drawn."""
    sprt: Hypotheses | None = None
    seats: int = 2
    """The number of players of a game; in an elimination the largest number."""
    absent: Mapping[str, str] | None = None
    """The entrants that did not connect before the first round of an elimination, with the reasons:
    they are out. None before that is known, and in other formats."""
    secrets: tuple[TournamentSecret, ...] = ()
    """The sources of the throws. Journals of older versions have none: their throws follow from
    the seed in another way."""
    remote: frozenset[str] = frozenset()
    """The entrants that connect from elsewhere."""

    def export_settings(self) -> dict[str, Any]:
        """Return the settings line of the journal, without values that are the default."""
        usual = {field.name: field.default for field in attrs.fields(Plan)}
        return {
            name: value
            for name, value in attrs.asdict(self).items()
            if name not in OF_THE_JOURNAL and value != usual[name]
        }

    def find_secret(self, names: Sequence[str]) -> bytes | None:
        """Return the tournament's secret for games of these entrants; None for an old journal."""
        for secret in reversed(self.secrets):
            if secret.first == 0 or not set(names).isdisjoint(self.names[secret.first :]):
                return secret.value
        return None

    def hide_throws(self) -> Plan:
        """Return the plan for a referee, which receives the throws of a game with the game."""
        return attrs.evolve(self, seed="", secrets=())

    def has_own_throws(self, names: Sequence[str]) -> bool:
        """Return True if each game of these entrants has throws of its own.

        A remote entrant plays all its games on one connection, and would know the throws of the
        second game of a pair.
        """
        return not self.remote.isdisjoint(names) and self.find_secret(names) is not None

    @property
    def game_sizes(self) -> range:
        """The numbers of players that the games can have."""
        if self.format == ELIMINATION:
            return range(2, 1 + min(self.seats, len(self.names)))
        return range(self.seats, self.seats + 1)

    def __attrs_post_init__(self) -> None:
        count = len(self.names)
        if self.format not in FORMATS:
            raise StartError(f"there is no format '{self.format}'", hint=", ".join(FORMATS))
        if len(set(self.names)) < count:
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise StartError(f"two entrants have the name '{twice}'")
        if count < 2:
            raise StartError("a tournament needs at least two entrants")
        self._require_seats(count)
        if self.format == "sprt" and count > 2:
            raise StartError(f"sprt compares two entrants, and here are {count}")
        if self.seed is None and not self.secrets:
            raise StartError("the journal has neither a seed nor a secret of the throws")
        if self.pairs < 1:
            raise StartError(f"{self.pairs} pairs are too few: at least 1")
        if self.rounds is not None and not 1 <= self.rounds < count:
            raise StartError(
                f"{self.rounds} rounds are not possible: {count} entrants play 1 to {count - 1}"
            )

    def _require_seats(self, count: int) -> None:
        """Raise `StartError` if so many entrants cannot play games of these seats."""
        if self.seats < 2:
            raise StartError(f"a game of {self.seats} seats is none: at least 2")
        if self.format == ELIMINATION and self.seats < 3:
            kinds = " or ".join(
                f"--kind {kind}" for kind, game in GAMES.items() if game.seats[-1] > 2
            )
            raise StartError("elimination is for games of more than two players", hint=kinds)
        if count < self.seats and self.format != ELIMINATION:
            raise StartError(f"a game has {self.seats} seats, and here are {count} entrants")
        if self.seats > 2 and self.format in FOR_TWO:
            others = ", ".join(name for name in FORMATS if name not in (*FOR_TWO, ELIMINATION))
            raise StartError(f"{self.format} is for games of two seats", hint=others)


def make_plan(
    settings: Mapping[str, Any], names: tuple[str, ...], absent: Mapping[str, str] | None = None
) -> Plan:
    """Return the plan of these settings for these entrants; raises `StartError`."""
    return _make_plan(settings, names=names, absent=absent)


def make_plan_of_journal(journal: Journal) -> Plan:
    """Return the plan of a tournament; raises `StartError`."""
    return _make_plan(
        journal.settings,
        names=journal.names,
        absent=journal.absent,
        secrets=tuple(journal.secrets),
        remote=frozenset(each.name for each in journal.entrants.values() if each.is_remote),
    )


def _make_plan(settings: Mapping[str, Any], **of_the_journal: Any) -> Plan:
    known = attrs.fields_dict(Plan)
    fields = {name: value for name, value in settings.items() if name in known}
    try:
        if "sprt" in fields:
            fields["sprt"] = Hypotheses(**fields["sprt"])
        return Plan(**fields, **of_the_journal)
    except TypeError as error:
        raise StartError(f"the settings in the journal cannot be used: {error}") from None


def make_game_id(plan: Plan, names: Sequence[str], pair: int, number: int) -> str:
    """Return the id of game `number` of a pair: 16 hex digits."""
    if plan.seed is None:
        return derive_id(plan.secrets[0].value, names, pair, number)
    return _hash_game(plan, names, pair, number).hex()[:16]


def derive_secret(plan: Plan, seats: Sequence[str], pair: int, nonce: str = "") -> bytes:
    """Return the secret of the throws of a game: 32 bytes.

    The games of a pair have the same one, unless they have throws of their own. The secret of such
    a game depends on its `nonce`.
    """
    secret = plan.find_secret(seats)
    if secret is None:
        return _hash_game(plan, seats, pair)
    if plan.has_own_throws(seats):
        return derive_game_secret(secret, seats, pair, nonce)
    return derive_pair_secret(secret, seats, pair)


def make_games_of_pair(
    plan: Plan, names: Sequence[str], pair: int, in_round: int = 0
) -> Iterator[ScheduledGame]:
    """Yield the games of one pair: every order of the seats."""
    for number, seats in enumerate(permutations(sorted(names))):
        yield ScheduledGame(
            id=make_game_id(plan, names, pair, number), pair=pair, seats=seats, round=in_round
        )


def _hash_game(plan: Plan, names: Sequence[str], *numbers: int) -> bytes:
    basis = [plan.seed, plan.kind, plan.options, plan.clock, sorted(names), *numbers]
    text = json.dumps(basis, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()
