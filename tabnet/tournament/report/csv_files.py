"""The files for spreadsheets: `games.csv` and `crosstable.csv`. Pure.

Games with more than two seats have columns for the places and for removed players.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from tabnet.tournament.records.entrants_and_results import Result
from tabnet.tournament.report.tournament_summary import TournamentSummary

FORMULA = ("=", "+", "-", "@", "\t", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The beginnings of cells that spreadsheets take for formulas, also in full width."""


def format_games_csv(summary: TournamentSummary) -> str:
    """Return a line for each game, in the order of their ids; times in seconds since 1970."""
    seats = range(1, 1 + max((len(result.game.seats) for result in summary.results), default=2))
    head = ["game", "round", "pair", *(f"bot_{seat}" for seat in seats), "winner"]
    head += ["cause", "culprit", "detail", "reason", "moves", "began", "ended"]
    thought = ("decisions", "total_ms", "longest_ms")
    head += [f"{name}_{seat}" for seat in seats for name in thought]
    if len(seats) > 2:
        head += [*(f"place_{seat}" for seat in seats), "removed"]
    lines = (
        [
            *_list_cells(result, summary, len(seats)),
            "yes" if result.game.id in summary.counted else "no",
        ]
        for result in summary.results
    )
    return _format_rows([[*head, "counts"], *lines])


def _list_cells(result: Result, summary: TournamentSummary, seats: int) -> list[object]:
    """Return the cells of a game, in the columns for games of so many seats."""
    free = [""] * (seats - len(result.game.seats))
    game, timing = result.game, summary.timings[result.game.id]
    winners = " and ".join(game.seats[seat] for seat in result.winners)
    culprit = "" if result.culprit is None else game.seats[result.culprit]
    line = [game.id, game.round, game.pair, *game.seats, *free, winners, result.cause, culprit]
    line += [result.detail, result.reason, result.moves, timing.began, timing.ended]
    for seat in result.thinking:
        line += [seat.decisions, seat.total_ms, seat.longest_ms]
    line += 3 * free
    if seats > 2:
        removed = (f"{game.seats[each.seat]}: {each.cause}" for each in result.removed)
        line += [*result.places, *free, "; ".join(removed)]
    return line


def format_crosstable_csv(summary: TournamentSummary) -> str:
    """Return a line for each bot, the best first, with its shares of the points."""
    names = summary.names
    lines = [
        [
            row.name,
            round(row.rating.value, 1) if row.rating else "",
            row.games,
            round(row.score, 4),
            *([round(row.place, 4)] if summary.table.seats > 2 else []),
            *(_compute_share(summary, row.name, other) for other in names),
        ]
        for row in summary.table.rows
    ]
    place = ["place"] if summary.table.seats > 2 else []
    return _format_rows([["bot", "rating", "games", "score", *place, *names], *lines])


def _compute_share(summary: TournamentSummary, name: str, other: str) -> object:
    meeting = None if name == other else summary.crosstable[name, other]
    return round(meeting.share, 4) if meeting and meeting.games else ""


def _format_rows(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [_escape_formula(cell) if type(cell) is str else cell for cell in row] for row in rows
    )
    return text.getvalue()


def _escape_formula(value: str) -> str:
    """Return the text; one that a spreadsheet would run as a formula follows an apostrophe.

    Each line break is a newline: a lone carriage return is not quoted, and would end the row.
    """
    text = value.replace("\r\n", "\n").replace("\r", "\n") if "\r" in value else value
    return f"'{text}" if text.startswith(FORMULA) else text
