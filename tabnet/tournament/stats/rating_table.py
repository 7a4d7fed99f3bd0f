"""The table of a tournament: ratings with intervals, scores, causes, times. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import factorial
from typing import Final

from attrs import frozen

from tabnet.tournament.records.results import CAUSES, Result, ThinkingTime, counted_results
from tabnet.tournament.stats.head_to_head import Z95, normal_cdf
from tabnet.tournament.stats.pair_scores import scores_by_group, variance_ratio
from tabnet.tournament.stats.rating_notes import notes_on_failed_games, rating_notes
from tabnet.tournament.stats.ratings import ratings

SEATS: Final = 2
"""The number of seats if no game has been played."""


@frozen
class SeatRecord:
    """Games won, drawn and lost: the first place alone, the first place shared, and the others."""

    wins: int
    draws: int
    losses: int


@frozen
class DecisionTime:
    """The thinking time of a bot; all 0 without a decision."""

    decisions: int
    mean_ms: float
    """The mean of one decision."""
    longest_ms: int


@frozen
class RatingRow:
    """The row of a bot."""

    name: str
    rating: float
    """The rating in Elo; the mean of all bots is 0."""
    low: float
    high: float
    """The limits of the rating's 95 % interval."""
    games: int
    score: float
    """The points: 1 for a victory, 1/2 for a draw. With more than two seats, the share of the
    others behind it in each game."""
    place: float
    """The mean place, 0 without a game; players that share places have their mean."""
    seats: tuple[SeatRecord, ...]
    """The games won, drawn and lost in each seat."""
    places: tuple[tuple[int, ...], ...]
    """The numbers of first, second, ... places in each seat; players that share a place have the
    better one."""
    causes: Mapping[str, int]
    """The number of lost games by cause, with `normal`."""
    faults: int
    """The games that ended by a fault of its program (`results.CRASHES`)."""
    pace: DecisionTime
    moves: float
    """The mean number of actions of all seats in a game; 0 without a game."""


@frozen
class RatingTable:
    """The ratings of all bots, and the quality of these numbers."""

    rows: tuple[RatingRow, ...]
    """The rows, the best first."""
    superiority: tuple[tuple[float, ...], ...]
    """The probability that the bot of a row is stronger than the bot of a column, in the order of
    `rows`; 1/2 on the diagonal."""
    variance_ratio: float | None
    """The variance of mirrored games as a share of that of unmirrored ones: with 0.5, half as many
    games give the same certainty. None with too few pairs."""
    notes: tuple[str, ...]
    """Sentences about the limits of the numbers: too few games, groups that never met, ..."""

    @property
    def seats(self) -> int:
        """The number of players of a game."""
        return len(self.rows[0].seats)


def rating_table(results: Sequence[Result], names: Sequence[str]) -> RatingTable:
    """Return the table of games with equal numbers of seats, in any order.

    Every number is finite, even with few results. All entrants have a row, with or without games.
    Games that do not count are only part of the faults. The computation takes some milliseconds for
    a thousand games: do not repeat it after each game.
    """
    pairs, counted = scores_by_group(results), counted_results(results)
    faults = Counter(name for result in results for name in result.crashed_bots)
    seats = max((len(result.game.seats) for result in results), default=SEATS)
    rated = ratings(names, pairs)
    order = sorted(range(len(names)), key=lambda one: (-rated.elo[one], names[one]))
    return RatingTable(
        rows=tuple(
            _row(names[one], rated.elo[one], Z95 * rated.deviation(one), counted, seats, faults)
            for one in order
        ),
        superiority=tuple(
            tuple(
                normal_cdf(rated.difference(one, other)) if one != other else 0.5 for other in order
            )
            for one in order
        ),
        variance_ratio=variance_ratio(pairs.values(), factorial(seats)),
        notes=(*notes_on_failed_games(results), *rating_notes(names, pairs, seats)),
    )


def _row(
    name: str,
    rating: float,
    reach: float,
    results: Iterable[Result],
    seats: int,
    faults: Mapping[str, int],
) -> RatingRow:
    own = [
        (result, result.game.seats.index(name)) for result in results if name in result.game.seats
    ]
    score = sum(result.score(seat) for result, seat in own)
    lost = Counter(result.cause_of(seat) for result, seat in own if result.places[seat] > 1)
    by_seat = [[result for result, seat in own if seat == wanted] for wanted in range(seats)]
    return RatingRow(
        name=name,
        rating=rating,
        low=rating - reach,
        high=rating + reach,
        games=len(own),
        score=score,
        place=seats - (seats - 1) * score / len(own) if own else 0,
        seats=tuple(_record(played, seat) for seat, played in enumerate(by_seat)),
        places=tuple(_places(played, seat, seats) for seat, played in enumerate(by_seat)),
        causes={cause: lost[cause] for cause in CAUSES if lost[cause]},
        faults=faults[name],
        pace=_pace([result.thinking[seat] for result, seat in own]),
        moves=sum(result.moves for result, _ in own) / max(len(own), 1),
    )


def _record(results: Sequence[Result], seat: int) -> SeatRecord:
    firsts = [result.places.count(1) for result in results if result.places[seat] == 1]
    return SeatRecord(firsts.count(1), len(firsts) - firsts.count(1), len(results) - len(firsts))


def _places(results: Sequence[Result], seat: int, seats: int) -> tuple[int, ...]:
    places = Counter(result.places[seat] for result in results)
    return tuple(places[place] for place in range(1, 1 + seats))


def _pace(thinking: Sequence[ThinkingTime]) -> DecisionTime:
    decisions = sum(each.decisions for each in thinking)
    return DecisionTime(
        decisions=decisions,
        mean_ms=sum(each.total_ms for each in thinking) / max(decisions, 1),
        longest_ms=max((each.longest_ms for each in thinking), default=0),
    )
