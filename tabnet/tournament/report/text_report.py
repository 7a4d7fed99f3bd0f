"""The report of a tournament as text for a terminal. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tabnet.games import DEFAULT_KIND, GAMES
from tabnet.tournament.records.entrants_and_results import CAUSES, NORMAL, Result, ThinkingTime
from tabnet.tournament.records.journal_lines import LOGS
from tabnet.tournament.report.elimination_report import describe_elimination
from tabnet.tournament.report.tournament_summary import TournamentSummary
from tabnet.tournament.stats.crosstable import Crosstable
from tabnet.tournament.stats.entrants_table import FirstFault, RatingRow, RatingTable
from tabnet.tournament.stats.head_to_head import HeadToHead
from tabnet.tournament.stats.hosts_table import HostRow
from tabnet.tournament.stats.intervals import Estimate

COLUMNS = ("#", "bot", "rating", "95 %", "games", "score")
STANDING_COLUMNS = ("#", "bot", "result", "games", "places")
"""The columns for games that are not rated."""
OF_MANY = ("place", "places")
"""The columns for games of more than two."""
BY_SEAT = ("as 1st", "as 2nd", "as 3rd", "as 4th")
METHOD = (
    "Intervals are 95 %: Bradley-Terry ratings with the variance between {groups}, and Student's t "
    "distribution."
)
"""How ratings and intervals are computed."""
LAST_COLUMNS = ("faults", "mean", "CPU", "longest")

HOST_COLUMNS = ("host", "games", "decisions/s", "time losses", "CPU")
"""The columns of the hosts of a cluster; CPU is the CPU time of a decision."""


def format_title(summary: TournamentSummary) -> str:
    """Return what was played: the kind, its options, and `4 bots, 120 games`."""
    kind = summary.settings.get("kind", DEFAULT_KIND)
    options = summary.settings.get("options") or {}
    name = GAMES[kind].title if kind in GAMES else kind
    played = ", ".join([name, *(f"{option} {value}" for option, value in options.items())])
    bots, games = (
        format_count(len(summary.entrants), "bot"),
        format_count(len(summary.results), "game"),
    )
    return f"{played}: {bots}, {games}"


def format_count(number: int, what: str) -> str:
    """Return a number with its noun: `1 game`, `2 games`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def format_report(summary: TournamentSummary, folder: str = "") -> str:
    """Return the final table, the crosstable, the causes, and the remarks.

    The logs are named as files in the `folder` of the tournament.
    """
    parts = [format_title(summary)]
    if summary.elimination is not None:
        parts.append(describe_elimination(summary.elimination, summary.results))
    parts.append(format_table(summary.table, folder))
    if len(summary.entrants) > 1 and summary.table.is_rated:
        parts.append(format_crosstable(summary.crosstable, summary.names))
    parts.append(format_hosts(summary.host_rows))
    parts += [format_causes(summary.results), "\n".join(collect_notes(summary, folder))]
    return "\n\n".join(part for part in parts if part)


def format_table(table: RatingTable, folder: str = "") -> str:
    many = OF_MANY if table.seats > 2 else ()
    rated = (*COLUMNS, *many, *BY_SEAT[: table.seats])
    head = [*(rated if table.is_rated else STANDING_COLUMNS), *LAST_COLUMNS]
    rows = [head, *map(_format_row, range(1, 1 + len(table.rows)), table.rows)]
    lines = align_columns(rows, texts=1 if table.is_rated else 2).split("\n")
    faults = ["", *(_format_fault(row.first_fault, folder) for row in table.rows)]
    return "\n".join(f"{line}{fault}" for line, fault in zip(lines, faults, strict=True))


def _format_fault(fault: FirstFault | None, folder: str) -> str:
    """Return what follows the row of a bot that has lost a game by a fault."""
    if fault is None:
        return ""
    return f"  {fault.detail} ({find_log(fault, folder)})"


def find_log(fault: FirstFault, folder: str = "") -> str:
    """Return the path of the log of a game that went wrong, in the folder of the tournament."""
    return _join_path(folder, f"{LOGS}/{fault.game}.log")


def _join_path(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path


def _format_row(place: int, row: RatingRow) -> list[str]:
    cpu = format_cpu_time(row.pace)
    pace = (f"{row.pace.mean_ms:.1f} ms", f"{cpu} ms" if cpu else "", f"{row.pace.longest_ms} ms")
    return [str(place), row.name, *list_cells(row, has_places=True), str(row.faults), *pace]


def format_cpu_time(pace: ThinkingTime) -> str:
    """Return the CPU time of a decision in ms; empty if it is unknown."""
    return "" if pace.mean_cpu_ms is None else f"{pace.mean_cpu_ms:.2f}"


def list_cells(row: RatingRow, *, has_places: bool) -> list[str]:
    """Return the cells of the rating, or of the standing, and of the games."""
    places = [join_counts(map(sum, zip(*row.places, strict=True)))] if has_places else []
    if row.rating is None:
        return [row.standing, str(row.games), *places]
    rating = f"{row.rating.value:.0f}", f"{row.rating.low:.0f} to {row.rating.high:.0f}"
    cells = [*rating, str(row.games), f"{round(row.score, 2):g}"]
    cells += [f"{row.place:.2f}", *places] if len(row.seats) > 2 else []
    return cells + format_seats(row)


def format_seats(row: RatingRow) -> list[str]:
    """Return the results in each seat: won, drawn and lost, or with more seats each place."""
    if len(row.seats) > 2:
        return [join_counts(places) for places in row.places]
    return [join_counts((seat.wins, seat.draws, seat.losses)) for seat in row.seats]


def join_counts(counts: Iterable[int]) -> str:
    """Return numbers with dashes: `3-0-1`."""
    return "-".join(map(str, counts))


def format_crosstable(meetings: Crosstable, names: Sequence[str]) -> str:
    """Return a line for each bot in this order, with its points against each other bot."""
    rows = [["", "", *map(str, range(1, len(names) + 1))]]
    for number, name in enumerate(names, 1):
        cells = ["-" if other == name else str(meetings[name, other]) for other in names]
        rows.append([str(number), name, *cells])
    return align_columns(rows)


def format_hosts(rows: Sequence[HostRow]) -> str:
    """Return a line for each host of a cluster, and the warnings about hosts that differ."""
    if not rows:
        return ""
    table = align_columns([HOST_COLUMNS, *map(list_host_cells, rows)], texts=0)
    return "\n".join([table, *(f"{row.name}: {row.warning}." for row in rows if row.warning)])


def list_host_cells(row: HostRow) -> list[str]:
    """Return the cells of `HOST_COLUMNS`."""
    speed = "" if row.decisions_per_s is None else f"{row.decisions_per_s:.0f}"
    cpu = "" if row.mean_cpu_ms is None else f"{row.mean_cpu_ms:.2f} ms"
    return [row.name, str(row.games), speed, str(row.time_losses), cpu]


def align_columns(rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """Return rows with aligned columns; the `texts` columns after the first one are flush left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            text.ljust(width) if 1 <= place <= texts else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def format_causes(results: Sequence[Result]) -> str:
    """Return the numbers of games that did not end by the rules, and the bots at fault."""
    counts = Counter(ending for result in results for ending in _list_causes(result))
    return "\n".join(
        f"{format_count(number, 'game')}: {CAUSES[cause]}{f' ({name})' if name else ''}"
        for (cause, name), number in sorted(counts.items())
        if cause != NORMAL
    )


def _list_causes(result: Result) -> Iterable[tuple[str, str]]:
    """Yield the causes of the end: for all, and for each player that could not play on."""
    own = {(each.cause, result.game.seats[each.seat]) for each in result.blamed}
    return own if result.culprit is not None else {(result.cause, ""), *own}


def collect_notes(summary: TournamentSummary, folder: str = "") -> list[str]:
    """Return sentences on the two bots, a test, mirroring, limits of the numbers, and output."""
    said = list(describe_comparison(summary.duel)) if summary.duel else []
    if summary.verdict:
        said.append(summary.verdict.text)
    ratio = summary.table.variance_ratio
    if ratio is not None:
        mirrored = "Mirrored pairs" if summary.table.seats == 2 else "Groups in all orders"
        said.append(f"{mirrored} left {ratio:.2f} of the variance of unmirrored games.")
    said += summary.table.notes
    if summary.table.is_rated and summary.results:
        said.append(METHOD.format(groups="pairs" if summary.table.seats == 2 else "groups"))
    said += describe_sandboxes(summary.hosts)
    if summary.output_logs:
        logs = (_join_path(folder, path) for path in summary.output_logs.values())
        said.append(f"Output of bots: {', '.join(logs)}")
    return list(dict.fromkeys(said))


def describe_sandboxes(hosts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a sentence about the sandbox of bots on each machine."""
    return [_describe_sandbox(name, sandbox) for name, sandbox in hosts.items()]


def _describe_sandbox(host: str, sandbox: Mapping[str, Any]) -> str:
    used, abi = sandbox["used"], sandbox["abi"]
    if used == "none":
        return f"Bots on {host} had no sandbox. They ran with the rights of the user."
    parts = [*(["bubblewrap"] if used == "bwrap" else []), *([f"Landlock {abi}"] if abi else [])]
    sentence = (
        f"Bots on {host} had a sandbox: {' and '.join(parts)}. "
        f"Restricted: {', '.join(sandbox['enforced'])}."
    )
    return sentence + (f" Not restricted: {', '.join(sandbox['not'])}." if sandbox["not"] else "")


def describe_comparison(duel: HeadToHead) -> list[str]:
    one, other = duel.names
    pairs = ", ".join(map(str, duel.pentanomial))
    return [
        f"{one} against {other}: Elo {_format_estimate(duel.elo)}.",
        f"Normalised Elo: {_format_estimate(duel.normalised)}.",
        f"{one} is the stronger one with a probability of {100 * duel.superiority:.1f} %.",
        f"Pairs in which it took 0, 1/2, 1, 3/2 and 2 points: {pairs}.",
        *duel.notes,
    ]


def _format_estimate(estimate: Estimate) -> str:
    return f"{estimate.value:+.0f} ({estimate.low:+.0f} to {estimate.high:+.0f})"
