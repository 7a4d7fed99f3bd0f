"""The table of a tournament: ratings with intervals, scores, causes, times. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import factorial
from typing import Final

from attrs import evolve, frozen

from tabnet.tournament.records.entrants_and_results import (
    CAUSES,
    CRASHES,
    TO_BE_TOLD,
    Group,
    Result,
    ThinkingTime,
    select_counted_results,
    sum_thinking_times,
)
from tabnet.tournament.stats.crosstable import WinDrawLoss
from tabnet.tournament.stats.elo_ratings import fit_ratings
from tabnet.tournament.stats.intervals import Estimate
from tabnet.tournament.stats.pair_scores import compute_variance_ratio, group_scores
from tabnet.tournament.stats.rating_notes import NO_RATINGS, write_failure_notes, write_rating_notes

SEATS: Final = 2
"""The number of seats if no game has been played."""

_Played = tuple[Result, int]
"""A game of a bot, and its seat."""


@frozen
class FirstFault:
    """The first game that a bot has lost by a fault, and what went wrong."""

    game: str
    detail: str


@frozen
class RatingRow:
    name: str
    games: int
    score: float
    """The points: 1 for a victory, 1/2 for a draw. With more than two seats, the share of the
    others behind it in each game."""
    place: float
    """The mean place, 0 without a game; players that share places have their mean."""
    seats: tuple[WinDrawLoss, ...]
    """The games won, drawn and lost in each seat."""
    places: tuple[tuple[int, ...], ...]
    """The numbers of first, second, ... places in each seat; players that share a place have the
    better one."""
    causes: Mapping[str, int]
    """The number of lost games by cause, with `normal`."""
    faults: int
    """The games that ended by a fault of its program (`results.CRASHES`)."""
    pace: ThinkingTime
    moves: float
    """The mean number of actions of all seats in a game; 0 without a game."""
    rating: Estimate | None = None
    """The rating in Elo; the mean of all bots is 0. None in a format with standings."""
    first_fault: FirstFault | None = None
    """The first game of which there is a log because of the bot; None without one."""
    standing: str = ""
    """How far the bot has come, in a format with standings, like `out in round 1`; else empty."""


@frozen
class RatingTable:
    """The ratings of all bots, and the quality of these numbers."""

    rows: tuple[RatingRow, ...]
    """The rows, the best first."""
    superiority: tuple[tuple[float, ...], ...]
    """The probability that the bot of a row is stronger than the bot of a column, in the order of
    `rows`; 1/2 on the diagonal. Empty in a format with standings."""
    variance_ratio: float | None
    """The variance of mirrored games as a share of that of unmirrored ones: with 0.5, half as many
    games give the same certainty. None with too few pairs."""
    notes: tuple[str, ...]
    """Sentences about the limits of the numbers: too few games, groups that never met, ..."""

    @property
    def seats(self) -> int:
        """The number of players of a game."""
        return len(self.rows[0].seats)

    @property
    def is_rated(self) -> bool:
        """True if the bots have ratings; otherwise they have standings."""
        return self.rows[0].rating is not None


def make_standings_table(results: Sequence[Result], standings: Mapping[str, str]) -> RatingTable:
    """Return the table of a format with standings, the best first; its games are not rated."""
    rows = _count_games(results, tuple(standings))
    rows = tuple(evolve(row, standing=standings[row.name]) for row in rows)
    return RatingTable(rows, (), None, (NO_RATINGS, *write_failure_notes(results)))


def make_rating_table(
    results: Sequence[Result],
    names: Sequence[str],
    has_own_throws: Callable[[Sequence[str]], bool] = lambda _names: False,
) -> RatingTable:
    """Return the table of games with equal numbers of seats, in any order.

    `has_own_throws` says for which bots the games of a pair are not mirrored. Their pairs are
    units of the ratings like all others.

    Every number is finite, even with few results. All entrants have a row, with or without games.
    Games that do not count are only part of the faults. The computation takes some milliseconds for
    a thousand games: do not repeat it after each game.
    """
    pairs = group_scores(results)
    rated = fit_ratings(names, pairs)
    order = sorted(range(len(names)), key=lambda one: (-rated.elo[one], names[one]))
    rows = _count_games(results, [names[one] for one in order])
    seats = len(rows[0].seats)
    return RatingTable(
        rows=tuple(
            evolve(row, rating=rated.estimate(one)) for row, one in zip(rows, order, strict=True)
        ),
        superiority=tuple(
            tuple(rated.compute_superiority(one, other) if one != other else 0.5 for other in order)
            for one in order
        ),
        variance_ratio=compute_variance_ratio(
            (_select_mirrored(groups, has_own_throws) for groups in pairs.values()),
            factorial(seats),
        ),
        notes=(*write_failure_notes(results), *write_rating_notes(names, pairs, seats)),
    )


def _select_mirrored(
    groups: Mapping[Group, Sequence[float]], has_own_throws: Callable[[Sequence[str]], bool]
) -> dict[Group, Sequence[float]]:
    return {group: scores for group, scores in groups.items() if not has_own_throws(group[0])}


def _count_games(results: Sequence[Result], names: Sequence[str]) -> tuple[RatingRow, ...]:
    """Return a row for each bot in this order, without ratings and standings."""
    own: defaultdict[str, list[_Played]] = defaultdict(list)
    for result in select_counted_results(results):
        for seat, name in enumerate(result.game.seats):
            own[name].append((result, seat))
    faults = Counter(name for result in results for name in result.crashed_bots)
    seats = max((len(result.game.seats) for result in results), default=SEATS)
    firsts = _find_first_faults(results)
    rows = (_make_row(name, own[name], seats, faults[name]) for name in names)
    return tuple(evolve(row, first_fault=firsts.get(row.name)) for row in rows)


def _find_first_faults(results: Sequence[Result]) -> dict[str, FirstFault]:
    """Return the first fault of each bot that has one; crashes come before other faults."""
    found: dict[str, FirstFault] = {}
    for causes in (CRASHES, TO_BE_TOLD):
        for result in results:
            for blame in result.blamed:
                name = result.game.seats[blame.seat]
                if blame.cause in causes and name not in found:
                    found[name] = FirstFault(result.game.id, blame.detail)
    return found


def _make_row(name: str, own: Sequence[_Played], seats: int, faults: int) -> RatingRow:
    lost = Counter(result.get_cause(seat) for result, seat in own if result.places[seat] > 1)
    by_seat = [[result for result, seat in own if seat == wanted] for wanted in range(seats)]
    scores = [result.compute_score(seat) for result, seat in own]
    thinking = [result.thinking[seat] for result, seat in own]
    return RatingRow(
        name=name,
        games=len(own),
        score=sum(scores),
        place=sum(map(_average_place, scores, own)) / max(len(own), 1),
        seats=tuple(_count_wins(played, seat) for seat, played in enumerate(by_seat)),
        places=tuple(_count_places(played, seat, seats) for seat, played in enumerate(by_seat)),
        causes={cause: lost[cause] for cause in CAUSES if lost[cause]},
        faults=faults,
        pace=sum_thinking_times(thinking),
        moves=sum(result.moves for result, _ in own) / max(len(own), 1),
    )


def _average_place(score: float, played: _Played) -> float:
    """Return the mean of the places that a player with this score shares."""
    count = len(played[0].game.seats)
    return count - (count - 1) * score


def _count_wins(results: Sequence[Result], seat: int) -> WinDrawLoss:
    """Count the first places alone, the shared first places, and the others."""
    firsts = [result.places.count(1) for result in results if result.places[seat] == 1]
    return WinDrawLoss(firsts.count(1), len(firsts) - firsts.count(1), len(results) - len(firsts))


def _count_places(results: Sequence[Result], seat: int, seats: int) -> tuple[int, ...]:
    places = Counter(result.places[seat] for result in results)
    return tuple(places[place] for place in range(1, 1 + seats))
