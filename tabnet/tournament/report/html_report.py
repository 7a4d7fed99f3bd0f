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
from tabnet.tournament.records.entrants_and_results import CAUSES, Result
from tabnet.tournament.report.charts import (
    choose_ticks,
    draw_histogram,
    draw_intervals,
    make_growing_edges,
)
from tabnet.tournament.report.elimination_report import (
    describe_absent,
    describe_ending,
    describe_rounds,
)
from tabnet.tournament.report.embedded_scripts import embed_scripts
from tabnet.tournament.report.replay_data import SharedLists, encode_json
from tabnet.tournament.report.text_report import (
    HOST_COLUMNS,
    collect_notes,
    find_log,
    format_count,
    format_cpu_time,
    format_title,
    list_cells,
    list_host_cells,
)
from tabnet.tournament.report.tournament_summary import TournamentSummary
from tabnet.tournament.stats.entrants_table import FirstFault, RatingRow

BARS = 24
"""The approximate number of bars of a histogram."""
NAMED = ("figure", "name")
IN_THE_TITLE = ("kind", "options")
FIXED = ("pairs", "seats")
"""The settings that an elimination does not let the user choose."""
CROSSTABLE = "<p>What each bot scored against each other, and of how many games.</p>\n"
NOTHING = "<p>No game has been played.</p>"
ROUND_HEAD = ("players, the best first", "result", "game")
STANDING_HEAD = ("bot", "result", "games")
LAST_HEAD = ("faults", "steps a game", "ms a decision", "CPU ms a decision", "longest ms")
WARNING = ' class="name fault"'
BY_PLACE = "<p>In each seat: how often it came first, second, and so on.</p>"


def render_page(
    summary: TournamentSummary,
    games: Sequence[Mapping[str, Any]],
    shared: SharedLists,
    files: Mapping[str, str],
) -> str:
    """Return the page that replays these games; `files` are those of `report_files`, by name."""
    empty = not summary.results
    parts = {
        "title": escape(format_title(summary)),
        "summary": escape(_format_settings(summary)),
        "css": files["boards.css"] + files["page.css"],
        "script": embed_scripts({each["kind"] for each in games if "kind" in each}, files),
        "standings": _render_standings(summary),
        "table": _render_bots(summary),
        "crosstable": _render_crosstable(summary) if summary.table.is_rated else "",
        "hosts": _render_hosts(summary),
        "causes": NOTHING if empty else _render_causes(summary),
        "lengths": NOTHING if empty else _draw_lengths(summary),
        "thinking": NOTHING if empty else _draw_thinking_times(summary),
        "replay_note": _describe_replays(len(games), len(summary.results)),
        "footer": "Made by tabnet; <code>tabnet report DIR</code> makes it again.",
        "data": _encode_data(summary, games, shared),
    }
    return Template(files["page.html"]).substitute(parts)


def _format_settings(summary: TournamentSummary) -> str:
    hidden = IN_THE_TITLE if summary.elimination is None else (*IN_THE_TITLE, *FIXED)
    return "; ".join(
        f"{name} {_format_value(value)}"
        for name, value in summary.settings.items()
        if name not in hidden and value is not None
    )


def _format_value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    return str(value)


def _describe_replays(shown: int, played: int) -> str:
    if shown == played:
        return "Every game can be replayed."
    return (
        f"{shown} of {format_count(played, 'game')} can be replayed here, those with faults first, "
        "so that the page stays small: games.csv lists all of them."
    )


def _encode_data(
    summary: TournamentSummary, games: Sequence[Mapping[str, Any]], shared: SharedLists
) -> str:
    """Return the data of the script; no name of a bot can end the element that contains it."""
    lists = f'"paths":[{",".join(shared.paths)}],"values":[{",".join(shared.values)}]'
    text = f'{{"names":{encode_json(summary.names)},{lists},"games":{encode_json(games)}}}'
    return text.replace("<", "\\u003c")


# Sections


def _render_section(name: str, heading: str, content: str) -> str:
    return f'<section id="{name}">\n<h2>{heading}</h2>\n{content}\n</section>'


def _render_standings(summary: TournamentSummary) -> str:
    """Return the first section: the rounds of an elimination, or the ratings."""
    notes = _render_notes(collect_notes(summary))
    if summary.elimination is not None:
        rounds = _render_rounds(summary.elimination, summary.results)
        return _render_section("rounds", "Rounds", f"{rounds}\n{notes}")
    rated = {row.name: row.rating for row in summary.table.rows if row.rating is not None}
    ratings = draw_intervals(rated, "Elo") if summary.results else NOTHING
    return _render_section("ratings", "Ratings", f"{ratings}\n{notes}")


def _render_rounds(elimination: Elimination, results: Sequence[Result]) -> str:
    """Return the entrants that did not connect, a table for each round, and the winners."""
    parts = [_render_paragraph(line) for line in describe_absent(elimination)]
    for each in describe_rounds(elimination, results):
        games = (
            _render_row(
                game.players,
                [f'<td class="name">{escape(game.decision)}</td>', _render_link(game.id)],
            )
            for game in each.games
        )
        parts += [
            f"<h3>{escape(each.title)}</h3>",
            _render_table(ROUND_HEAD, games, len(ROUND_HEAD)),
        ]
    return "\n".join([*parts, *map(_render_paragraph, describe_ending(elimination))])


def _render_link(game: str) -> str:
    return f'<td class="name"><a href="#{game}">replay</a></td>'


def _render_paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _render_notes(notes: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return f'<ul class="notes">{items}</ul>' if items else ""


def _render_table(head: Sequence[str], rows: Iterable[str], named: int) -> str:
    """Return a table with its head; the first columns hold names."""
    titles = "".join(
        f'<th scope="col" class="{NAMED[place < named]}">{escape(text)}</th>'
        for place, text in enumerate(head)
    )
    return (
        f'<div class="scroll"><table><thead><tr>{titles}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _render_row(name: str, cells: Iterable[str]) -> str:
    return f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>'


def _render_cell(text: object, more: str = "") -> str:
    return f"<td{more}>{escape(str(text))}</td>"


def _render_bots(summary: TournamentSummary) -> str:
    seats, is_rated = summary.table.seats, summary.table.is_rated
    head = ["bot", "rating", "95 %", "games", "score"]
    head += ["mean place"] if seats > 2 else []
    head += [f"in seat {seat}" for seat in range(1, seats + 1)]
    head = [*(head if is_rated else STANDING_HEAD), *LAST_HEAD]
    if any(row.first_fault for row in summary.table.rows):
        head.append("first fault")
    rows = _render_table(
        head,
        (_render_row(row.name, _render_cells(row)) for row in summary.table.rows),
        1 if is_rated else 2,
    )
    return f"{BY_PLACE if seats > 2 and is_rated else ''}{rows}"


def _render_cells(row: RatingRow) -> list[str]:
    first, *others = list_cells(row, has_places=False)
    return [
        _render_cell(first, ' class="name"' if row.rating is None else ""),
        *map(_render_cell, others),
        _render_cell(row.faults, ' class="fault"' if row.faults else ""),
        _render_cell(f"{row.moves:.0f}"),
        _render_cell(f"{row.pace.mean_ms:.1f}"),
        _render_cell(format_cpu_time(row.pace)),
        _render_cell(row.pace.longest_ms),
        *([_render_fault(row.first_fault)] if row.first_fault else []),
    ]


def _render_fault(fault: FirstFault) -> str:
    link = f'<a href="{escape(find_log(fault))}">log</a>'
    return f"<td{WARNING}>{escape(fault.detail)} ({link})</td>"


def _render_crosstable(summary: TournamentSummary) -> str:
    """Return the section with the points of each bot against each other."""
    names = summary.names
    rows = (
        _render_row(name, [_render_meeting(summary, place, column) for column in range(len(names))])
        for place, name in enumerate(names)
    )
    return _render_section(
        "crosstable", "Crosstable", CROSSTABLE + _render_table(["", *names], rows, 1)
    )


def _render_meeting(summary: TournamentSummary, place: int, column: int) -> str:
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
    return _render_cell(meeting, f' title="{title}" style="{style}"')


def _render_hosts(summary: TournamentSummary) -> str:
    """Return the section with the hosts of a cluster; nothing for a single machine."""
    if not summary.host_rows:
        return ""
    rows = (
        _render_row(cells[0], [*map(_render_cell, cells[1:]), _render_cell(row.warning, WARNING)])
        for row in summary.host_rows
        for cells in (list_host_cells(row),)
    )
    return _render_section("hosts", "Hosts", _render_table([*HOST_COLUMNS, ""], rows, 1))


def _render_causes(summary: TournamentSummary) -> str:
    """Return the table of causes: the number of games, and the bots that lost them."""
    ended = Counter(
        cause
        for result in summary.results
        for cause in {result.cause, *(each.cause for each in result.removed)}
    )
    causes = [cause for cause in CAUSES if ended[cause]]
    head = ["", "games", "", *(f"lost by {name}" for name in summary.names)]
    rows = (
        _render_row(
            cause.replace("_", " "),
            [
                _render_cell(ended[cause]),
                _render_cell(CAUSES[cause], ' class="name"'),
                *(_render_cell(row.causes.get(cause) or "") for row in summary.table.rows),
            ],
        )
        for cause in causes
    )
    return _render_table(head, rows, 1)


def _draw_lengths(summary: TournamentSummary) -> str:
    lengths = [result.moves for result in summary.results]
    caption = "Games by their steps: throws, moves and passes of all seats"
    return draw_histogram(lengths, choose_ticks(min(lengths), max(lengths), BARS), "steps", caption)


def _draw_thinking_times(summary: TournamentSummary) -> str:
    """Return a histogram for each bot, all with the same edges."""
    paces: dict[str, list[float]] = defaultdict(list)
    for result in summary.results:
        for name, seat in zip(result.game.seats, result.thinking, strict=True):
            if seat.decisions:
                paces[name].append(seat.total_ms / seat.decisions)
    edges = make_growing_edges([pace for of_one in paces.values() for pace in of_one])
    charts = [
        draw_histogram(paces[name], edges, "ms", f"{name}: milliseconds a decision")
        for name in summary.names
        if name in paces
    ]
    return f'<div class="histograms">{"".join(charts)}</div>'
