"""Results -> the table of a tournament: ratings with intervals, scores, causes, times. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from tabnet.tournament.results import Result


@frozen
class Record:
    """Games won, drawn and lost."""

    wins: int
    draws: int
    losses: int


@frozen
class Pace:
    """How long a bot has thought; all 0 if it never had to decide."""

    decisions: int
    mean_ms: float
    """For one decision."""
    longest_ms: int


@frozen
class Row:
    """One bot's line of the table."""

    name: str
    rating: float
    """Elo; the mean of all bots is 0."""
    low: float
    high: float
    """The limits of the rating's 95 % interval."""
    games: int
    score: float
    """Points: 1 for a victory, 1/2 for a draw."""
    seats: tuple[Record, ...]
    """Won, drawn and lost, in each seat."""
    causes: Mapping[str, int]
    """Why the games that it lost ended: how many by each cause, `normal` among them."""
    faults: int
    """Games that ended by a fault of its program (`results.CRASHES`)."""
    pace: Pace
    moves: float
    """Actions of all seats in a game, on average; 0 without a game."""


@frozen
class Table:
    """What a tournament has shown."""

    rows: tuple[Row, ...]
    """The best first."""
    superiority: tuple[tuple[float, ...], ...]
    """The probability that the bot of this row is stronger than the bot of that column, both in
    the order of `rows`; 1/2 on the diagonal."""
    variance_ratio: float | None
    """How much of the variance of unmirrored games is left in mirrored ones: 0.5 means that half
    as many games say as much. None where too few pairs have been played to tell."""
    notes: tuple[str, ...]
    """Sentences about what the numbers cannot say: too few games, groups that never met, ..."""


def table(results: Sequence[Result], names: Sequence[str]) -> Table:
    """The table of the entrants, whatever the order of the results.

    Every number is finite, however few the results are.
    """
    raise NotImplementedError
