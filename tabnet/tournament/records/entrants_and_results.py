"""The values of a tournament: entrants, games and results. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Final

from attrs import Factory, evolve, field

from tabnet.protocol.frozen_values import frozen
from tabnet.tournament.records.throw_secrets import Throws

NORMAL: Final = "normal"
"""The cause of a game that ended by the rules."""
OUT: Final = "out"
"""The cause of a game that was not played because a bot had crashed too often."""
ERROR: Final = "error"
"""The cause of a game whose referee failed each time. The game counts for nobody."""
MAX_FAILURES: Final = 3
"""The number of failures of its referee after which a game ends with `ERROR`."""

CAUSES: dict[str, str] = {
    NORMAL: "ended by the rules",
    "draw": "drawn by the rules, or agreed",
    "max_moves": "stopped as a draw after as many moves as may be",
    "timeout_move": "a bot took too long for one move",
    "timeout_total": "a bot's time for the whole game ran out",
    "illegal_move": "a bot played what the rules forbid",
    "malformed": "a bot sent what is no command",
    "crash": "a bot's process ended in the middle of the game",
    "start_failed": "a bot did not start, or did not come to its game",
    "disconnect": "a bot hung up and did not come back",
    OUT: "not played: a bot was out after three crashes in a row",
    ERROR: "the referee failed three times; the game counts for nobody",
}
"""The causes of the ends of games. After max_moves, a player is to blame, except for `ERROR`."""

CRASHES: Final = ("crash", "start_failed", "disconnect", "malformed")
"""The causes that count as faults of a bot's program."""

TO_BE_TOLD: Final = frozenset(CAUSES) - {NORMAL, "draw", "max_moves", OUT}
"""The causes for which the log of a game is kept."""


REMOTE: Final = "remote:"
"""The first letters of the source of a bot that connects from elsewhere; then comes its nick."""

Group = tuple[tuple[str, ...], int]
"""The games of a pair or group: the entrants in alphabetical order, and a number."""


@frozen
class Entrant:
    """A bot that takes part."""

    name: str
    source: str
    """The argument of the command line: a file, `cmd:...` or `remote:NICK`, with options."""
    digest: str = ""
    """The digest of its files and options, by which a changed bot is recognised."""

    @property
    def is_remote(self) -> bool:
        """True for a bot that connects from elsewhere. It plays one game at a time."""
        return self.source.startswith(REMOTE)


@frozen
class ScheduledGame:
    """A game of the schedule."""

    id: str
    """The id; it follows from the seed or the secret of the tournament, the entrants and the number
    of the pair."""
    pair: int
    """The number of the pair: its games have swapped seats and, without remote entrants, the same
    throws. With more than two seats it is a group of games, one for each order of its bots."""
    seats: tuple[str, ...]
    """The names of the entrants, in seat order."""
    round: int = 0
    throws: Throws | None = field(default=None, eq=False, repr=False)
    """The source of its throws, only while a referee plays it."""

    @property
    def group(self) -> Group:
        """The pair or group that the game belongs to."""
        return tuple(sorted(self.seats)), self.pair


@frozen
class ThinkingTime:
    """The thinking time of a seat, or of a bot in all games."""

    decisions: int
    total_ms: int
    longest_ms: int
    cpu_ms: float | None = None
    """CPU time of the bot's process in all decisions; None for bots that run elsewhere."""

    @property
    def mean_ms(self) -> float:
        """The mean of one decision; 0 without a decision."""
        return self.total_ms / max(self.decisions, 1)

    @property
    def mean_cpu_ms(self) -> float | None:
        """The mean CPU time of one decision; None if it is unknown."""
        return None if self.cpu_ms is None else self.cpu_ms / max(self.decisions, 1)


def sum_thinking_times(times: Sequence[ThinkingTime]) -> ThinkingTime:
    """Return the thinking time in all these games; its CPU time needs that of each game."""
    cpu = [each.cpu_ms for each in times if each.decisions]
    known = [each for each in cpu if each is not None]
    return ThinkingTime(
        decisions=sum(each.decisions for each in times),
        total_ms=sum(each.total_ms for each in times),
        longest_ms=max((each.longest_ms for each in times), default=0),
        cpu_ms=sum(known) if known and len(known) == len(cpu) else None,
    )


@frozen
class Blame:
    """The reason why a player could not play on."""

    seat: int
    cause: str
    """One of `CAUSES`; `normal` for a player that resigned."""
    detail: str


def _rank_by_victory(result: Result) -> tuple[int, ...]:
    """Return the places of winners and of all others."""
    behind = 1 + len(result.winners)
    seats = range(len(result.game.seats))
    return tuple(1 if not result.winners or s in result.winners else behind for s in seats)


@frozen
class Result:
    """The end of a game."""

    game: ScheduledGame
    winners: tuple[int, ...]
    """The seats that have won; none for a draw."""
    points: tuple[int, ...]
    cause: str
    """One of `CAUSES`."""
    culprit: int | None
    """The seat to blame, if the cause is a player's fault."""
    detail: str
    """The details for people: an exit code, a signal, a refused line."""
    reason: str
    """The reason of the rules or of the referee, like all_captured or timeout."""
    moves: int
    """The number of rolls, moves and passes of all seats."""
    thinking: tuple[ThinkingTime, ...]
    places: tuple[int, ...] = Factory(_rank_by_victory, takes_self=True)
    """The place of each seat, from 1; players that share a place have the better one."""
    removed: tuple[Blame, ...] = ()
    """The players that were removed while the others played on, in that order."""
    nonce: str = ""
    """A random part of the source of the throws, in a game with throws of its own: if the game is
    played again, it has other throws. Empty in other games."""

    @property
    def blamed(self) -> tuple[Blame, ...]:
        """All players that could not play on; the one that ended the game is the last."""
        if self.culprit is None:
            return self.removed
        return (*self.removed, Blame(self.culprit, self.cause, self.detail))

    @property
    def went_wrong(self) -> bool:
        """True if the log of the game is kept."""
        causes = {self.cause, *(each.cause for each in self.removed)}
        return not causes.isdisjoint(TO_BE_TOLD)

    def get_cause(self, seat: int) -> str:
        for each in self.blamed:
            if each.seat == seat:
                return each.cause
        return self.cause

    def has_crashed(self, seat: int) -> bool:
        """Return True if a fault of the seat's program was to blame."""
        return any(each.seat == seat and each.cause in CRASHES for each in self.blamed)

    @property
    def crashed_bots(self) -> tuple[str, ...]:
        """The entrants with a fault of their program."""
        crashed = {each.seat for each in self.blamed if each.cause in CRASHES}
        return tuple(name for seat, name in enumerate(self.game.seats) if seat in crashed)

    def score_against(self, seat: int, other: int) -> float | None:
        """Return the score of a seat against another: 1 for a better place, 1/2 for the same one.

        Return None if they did not play: in a game that never began, only players to blame have
        scores.
        """
        if self.places[seat] != self.places[other]:
            return float(self.places[seat] < self.places[other])
        guilty = {each.seat for each in self.blamed}
        return 0.5 if self.moves or guilty.intersection((seat, other)) or not guilty else None

    def compute_score(self, seat: int) -> float:
        """Return the share of the other seats with a worse place; the same place counts half."""
        return _compute_score(self.places, seat)


@lru_cache
def _compute_score(places: tuple[int, ...], seat: int) -> float:
    own, others = places[seat], len(places) - 1
    worse, same = (sum(place > own for place in places), places.count(own) - 1)
    return (worse + same / 2) / others


def is_different(one: Result, other: Result) -> bool:
    """Return True if two results of a game differ in more than times.

    A game that was not played because an entrant was out has no result to compare.
    """
    if OUT in (one.cause, other.cause):
        return False
    return _remove_times(one) != _remove_times(other)


def _remove_times(result: Result) -> Result:
    times = tuple(evolve(seat, total_ms=0, longest_ms=0, cpu_ms=None) for seat in result.thinking)
    return evolve(result, thinking=times)


def select_counted_results(results: Iterable[Result]) -> list[Result]:
    """Return the results that count for scores, ratings and tests.

    A game that ended with `ERROR` does not count, and neither do the other games of its pair or
    group: their seats or throws would favour one side.
    """
    every = list(results)
    left_out = {
        (seats, result.game.pair)
        for result in every
        if result.cause == ERROR
        for seats in permutations(result.game.seats)
    }
    if not left_out:
        return every
    return [result for result in every if (result.game.seats, result.game.pair) not in left_out]


def sum_scores(results: Iterable[Result]) -> defaultdict[str, float]:
    sums: defaultdict[str, float] = defaultdict(float)
    for result in results:
        for seat, name in enumerate(result.game.seats):
            sums[name] += result.compute_score(seat)
    return sums
