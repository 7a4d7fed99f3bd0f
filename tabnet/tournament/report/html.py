"""`report.html`: a tournament on one page that needs no other file. Pure.

The page's own files are in `page/`. It draws boards with the files of the web page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from string import Template
from typing import Any

from tabnet.tournament.plan.elimination import Elimination
from tabnet.tournament.records.results import CAUSES, Result
from tabnet.tournament.report.charts import even_edges, growing_edges, histogram, intervals
from tabnet.tournament.report.elimination_report import (
    describe_absent,
    describe_ending,
    describe_rounds,
)
from tabnet.tournament.report.embedded_scripts import script
from tabnet.tournament.report.replay_data import SharedLists, as_text
from tabnet.tournament.report.summary import TournamentSummary
from tabnet.tournament.report.text_report import by_seat, count_of, rating_cells, remarks, title
from tabnet.tournament.stats.rating_table import RatingRow

NAMED = ("figure", "name")
IN_THE_TITLE = ("kind", "options")
FIXED = ("pairs", "seats")
"""The settings that an elimination does not let the user choose."""
CROSSTABLE = "<p>What each bot scored against each other, and of how many games.</p>\n"
NOTHING = "<p>No game has been played.</p>"
ROUND_HEAD = ("players, the best first", "result", "game")
STANDING_HEAD = ("bot", "result", "games")
LAST_HEAD = ("faults", "steps a game", "ms a decision", "longest ms")
BY_PLACE = "<p>In each seat: how often it came first, second, and so on.</p>"


def report_page(
    summary: TournamentSummary,
    games: Sequence[Mapping[str, Any]],
    shared: SharedLists,
    files: Mapping[str, str],
) -> str:
    """Return the page that replays these games; `files` are texts by name (`report.page_files`)."""
    empty = not summary.results
    parts = {
        "title": escape(title(summary)),
        "summary": escape(_summary(summary)),
        "css": files["boards.css"] + files["page.css"],
        "script": script({each["kind"] for each in games if "kind" in each}, files),
        "standings": _standings(summary),
        "table": _table(summary),
        "crosstable": _crosstable(summary) if summary.table.is_rated else "",
        "causes": NOTHING if empty else _causes(summary),
        "lengths": NOTHING if empty else _lengths(summary),
        "thinking": NOTHING if empty else _thinking(summary),
        "replay_note": _replay_note(len(games), len(summary.results)),
        "footer": "Made by tabnet; <code>tabnet report DIR</code> makes it again.",
        "data": _data(summary, games, shared),
    }
    return Template(files["page.html"]).substitute(parts)


def _summary(summary: TournamentSummary) -> str:
    hidden = IN_THE_TITLE if summary.elimination is None else (*IN_THE_TITLE, *FIXED)
    return "; ".join(
        f"{name} {_value(value)}"
        for name, value in summary.settings.items()
        if name not in hidden and value is not None
    )


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    return str(value)


def _replay_note(shown: int, played: int) -> str:
    if shown == played:
        return "Every game can be replayed."
    return (
        f"{shown} of {count_of(played, 'game')} can be replayed here, those with faults first, so "
        "that the page stays small: games.csv lists all of them."
    )


def _data(
    summary: TournamentSummary, games: Sequence[Mapping[str, Any]], shared: SharedLists
) -> str:
    """Return the data of the script; no name of a bot can end the element that contains it."""
    lists = f'"paths":[{",".join(shared.paths)}],"values":[{",".join(shared.values)}]'
    text = f'{{"names":{as_text(summary.names)},{lists},"games":{as_text(games)}}}'
    return text.replace("<", "\\u003c")


# Sections


def _section(name: str, heading: str, content: str) -> str:
    return f'<section id="{name}">\n<h2>{heading}</h2>\n{content}\n</section>'


def _standings(summary: TournamentSummary) -> str:
    """Return the first section: the rounds of an elimination, or the ratings."""
    notes = _notes(remarks(summary))
    if summary.elimination is not None:
        rounds = _rounds(summary.elimination, summary.results)
        return _section("rounds", "Rounds", f"{rounds}\n{notes}")
    ratings = _ratings(summary) if summary.results else NOTHING
    return _section("ratings", "Ratings", f"{ratings}\n{notes}")


def _rounds(course: Elimination, results: Sequence[Result]) -> str:
    """Return the entrants that did not connect, a table for each round, and the winners."""
    parts = [_paragraph(line) for line in describe_absent(course)]
    for each in describe_rounds(course, results):
        games = (
            _tr(game.players, [f'<td class="name">{escape(game.decision)}</td>', _link(game.id)])
            for game in each.games
        )
        parts += [f"<h3>{escape(each.title)}</h3>", _rows(ROUND_HEAD, games, len(ROUND_HEAD))]
    return "\n".join([*parts, *map(_paragraph, describe_ending(course))])


def _link(game: str) -> str:
    """Return a cell with a link to the replay of a game."""
    return f'<td class="name"><a href="#{game}">replay</a></td>'


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _ratings(summary: TournamentSummary) -> str:
    rated = {row.name: row.rating for row in summary.table.rows if row.rating is not None}
    return intervals(rated, "Elo")


def _notes(notes: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return f'<ul class="notes">{items}</ul>' if items else ""


def _rows(head: Sequence[str], rows: Iterable[str], named: int) -> str:
    """Return a table with its head; the first columns hold names."""
    titles = "".join(
        f'<th scope="col" class="{NAMED[place < named]}">{escape(text)}</th>'
        for place, text in enumerate(head)
    )
    return (
        f'<div class="scroll"><table><thead><tr>{titles}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _tr(name: str, cells: Iterable[str]) -> str:
    return f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>'


def _td(text: object, more: str = "") -> str:
    return f"<td{more}>{escape(str(text))}</td>"


def _table(summary: TournamentSummary) -> str:
    seats, is_rated = summary.table.seats, summary.table.is_rated
    head = ["bot", "rating", "95 %", "games", "score", *(["mean place"] if seats > 2 else [])]
    head += [f"in seat {seat}" for seat in range(1, seats + 1)]
    head = [*(head if is_rated else STANDING_HEAD), *LAST_HEAD]
    rows = _rows(
        head, (_tr(row.name, _cells(row)) for row in summary.table.rows), 1 if is_rated else 2
    )
    return f"{BY_PLACE if seats > 2 and is_rated else ''}{rows}"


def _cells(row: RatingRow) -> list[str]:
    if row.rating is None:
        cells = [_td(row.standing, ' class="name"'), _td(row.games)]
    else:
        values = [*rating_cells(row.rating), row.games, f"{round(row.score, 2):g}"]
        values += [f"{row.place:.2f}"] if len(row.seats) > 2 else []
        cells = [*map(_td, [*values, *by_seat(row)])]
    return [
        *cells,
        _td(row.faults, ' class="fault"' if row.faults else ""),
        _td(f"{row.moves:.0f}"),
        _td(f"{row.pace.mean_ms:.1f}"),
        _td(row.pace.longest_ms),
    ]


def _crosstable(summary: TournamentSummary) -> str:
    """Return the section with the points of each bot against each other."""
    names = summary.names
    rows = (
        _tr(name, [_meeting(summary, place, column) for column in range(len(names))])
        for place, name in enumerate(names)
    )
    return _section("crosstable", "Crosstable", CROSSTABLE + _rows(["", *names], rows, 1))


def _meeting(summary: TournamentSummary, place: int, column: int) -> str:
    """Return the cell of two bots: points of games, with a stronger colour farther from a half."""
    if place == column:
        return '<td class="self">–</td>'
    meeting = summary.crosstable[summary.names[place], summary.names[column]]
    stronger = 100 * summary.table.superiority[place][column]
    title = f"{meeting.wins} won, {meeting.draws} drawn, {meeting.losses} lost"
    title += f"; the stronger one with {stronger:.1f} %"
    colour = "good" if meeting.share > 0.5 else "bad"
    depth = abs(meeting.share - 0.5)
    style = f"background:rgb(var(--{colour}) / {depth:.2f})"
    return _td(meeting, f' title="{title}" style="{style}"')


def _causes(summary: TournamentSummary) -> str:
    """Return the table of causes: the number of games, and the bots that lost them."""
    ended = Counter(
        cause
        for result in summary.results
        for cause in {result.cause, *(each.cause for each in result.removed)}
    )
    causes = [cause for cause in CAUSES if ended[cause]]
    head = ["", "games", "", *(f"lost by {name}" for name in summary.names)]
    rows = (
        _tr(
            cause.replace("_", " "),
            [
                _td(ended[cause]),
                _td(CAUSES[cause], ' class="name"'),
                *(_td(row.causes.get(cause) or "") for row in summary.table.rows),
            ],
        )
        for cause in causes
    )
    return _rows(head, rows, 1)


def _lengths(summary: TournamentSummary) -> str:
    lengths = [result.moves for result in summary.results]
    caption = "Games by their steps: throws, moves and passes of all seats"
    return histogram(lengths, even_edges(lengths), "steps", caption)


def _thinking(summary: TournamentSummary) -> str:
    """Return a histogram for each bot, all with the same edges."""
    paces: dict[str, list[float]] = defaultdict(list)
    for result in summary.results:
        for name, seat in zip(result.game.seats, result.thinking, strict=True):
            if seat.decisions:
                paces[name].append(seat.total_ms / seat.decisions)
    edges = growing_edges([pace for of_one in paces.values() for pace in of_one])
    charts = [
        histogram(paces[name], edges, "ms", f"{name}: milliseconds a decision")
        for name in summary.names
        if name in paces
    ]
    return f'<div class="histograms">{"".join(charts)}</div>'
