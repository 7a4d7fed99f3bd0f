"""Results -> the table of a tournament: ratings with intervals, scores, causes, times. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import factorial
from typing import Final

from attrs import frozen

from tabnet.tournament.records.results import CAUSES, Result, ThinkingTime, counting
from tabnet.tournament.stats.head_to_head import Z95, normal
from tabnet.tournament.stats.pair_scores import grouped, variance_ratio
from tabnet.tournament.stats.rating_notes import left_out, notes
from tabnet.tournament.stats.ratings import ratings

SEATS: Final = 2
"""How many seats a game has, as long as none has been played."""


@frozen
class SeatRecord:
    """Games won, drawn and lost: alone on the first place, sharing it, and behind."""

    wins: int
    draws: int
    losses: int


@frozen
class DecisionTime:
    """How long a bot has thought; all 0 if it never had to decide."""

    decisions: int
    mean_ms: float
    """For one decision."""
    longest_ms: int


@frozen
class RatingRow:
    """One bot's line of the table."""

    name: str
    rating: float
    """Elo; the mean of all bots is 0."""
    low: float
    high: float
    """The limits of the rating's 95 % interval."""
    games: int
    score: float
    """Points: 1 for a victory, 1/2 for a draw; among more than two, in each game the share of the
    others that it left behind."""
    place: float
    """The mean place, 0 without a game; who shares places has the mean of them."""
    seats: tuple[SeatRecord, ...]
    """Won, drawn and lost, in each seat."""
    places: tuple[tuple[int, ...], ...]
    """In each seat, how often it came first, second, ...; who shares a place has the better one."""
    causes: Mapping[str, int]
    """Why the games that it lost ended: how many by each cause, `normal` among them."""
    faults: int
    """Games that ended by a fault of its program (`results.CRASHES`)."""
    pace: DecisionTime
    moves: float
    """Actions of all seats in a game, on average; 0 without a game."""


@frozen
class RatingTable:
    """What a tournament has shown."""

    rows: tuple[RatingRow, ...]
    """The best first."""
    superiority: tuple[tuple[float, ...], ...]
    """The probability that the bot of this row is stronger than the bot of that column, both in
    the order of `rows`; 1/2 on the diagonal."""
    variance_ratio: float | None
    """How much of the variance of unmirrored games is left in mirrored ones: 0.5 means that half
    as many games say as much. None where too few pairs have been played to tell."""
    notes: tuple[str, ...]
    """Sentences about what the numbers cannot say: too few games, groups that never met, ..."""

    @property
    def seats(self) -> int:
        """How many play a game."""
        return len(self.rows[0].seats)


def table(results: Sequence[Result], names: Sequence[str]) -> RatingTable:
    """The table of games of as many bots each, whatever the order of the results.

    Every number is finite, however few the results are. All entrants have a row, with or without
    games. Games that count for nobody are in no number but that of the faults. It costs some
    milliseconds for a thousand games: draw it now and then, not after each.
    """
    pairs, counted = grouped(results), counting(results)
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
            tuple(normal(rated.difference(one, other)) if one != other else 0.5 for other in order)
            for one in order
        ),
        variance_ratio=variance_ratio(pairs.values(), factorial(seats)),
        notes=(*left_out(results), *notes(names, pairs, seats)),
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
