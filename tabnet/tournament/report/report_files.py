"""Writes the reports in a tournament's folder from its journal and its game records."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from attrs import evolve

from tabnet.errors import StartError
from tabnet.games import GAMES as KINDS
from tabnet.tournament.records.journal_lines import (
    GAMES,
    JOURNAL,
    Journal,
    name_output_log,
    read_journal,
)
from tabnet.tournament.report.csv_files import format_crosstable_csv, format_games_csv
from tabnet.tournament.report.embedded_scripts import LANGUAGE
from tabnet.tournament.report.html_report import render_page
from tabnet.tournament.report.replay_data import (
    SharedLists,
    make_replay,
    select_fitting,
    sort_by_interest,
)
from tabnet.tournament.report.results_json import format_results
from tabnet.tournament.report.tournament_summary import TournamentSummary, summarize

PAGE_FILES = ("page.html", "page.css", "page.js")
WEB_FILES = ("boards.css", "board_drawing.js", "localize.js", "throw_canvas.js")
"""The files of the web page that a report embeds, beside the boards."""
REPLAYS_MB = 4
"""The default limit for the replays of a page, in megabytes."""


def write_report(folder: Path, replays_mb: float = REPLAYS_MB) -> TournamentSummary:
    """Write all reports of a folder, and return the summary.

    Each file is replaced atomically; raises `StartError` if a file cannot be read or written.
    """
    with _without_garbage_collection():
        return _write_report(folder, replays_mb)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Look for no garbage: a report has many objects without cycles, and it would take long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # the summary stays: the next collection does not look at it either
        if was_enabled:
            gc.enable()


def _write_report(folder: Path, replays_mb: float) -> TournamentSummary:
    summary = summarize(load_journal(folder))
    summary = evolve(summary, output_logs=_find_output_logs(folder, summary.names))
    try:
        shared = SharedLists()
        games = _make_replays(summary, folder, shared)
        fitting = select_fitting(games, shared, round(replays_mb * 1_000_000))
        for name, text in (
            ("results.json", format_results(summary)),
            ("games.csv", format_games_csv(summary)),
            ("crosstable.csv", format_crosstable_csv(summary)),
            ("report.html", render_page(summary, fitting, shared, read_page_files())),
        ):
            replace_file(folder / name, text)
    except OSError as error:
        raise StartError(f"{error.filename or folder}: {error.strerror}") from None
    return summary


def _find_output_logs(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the logs of output that exist, by the names of the bots."""
    paths = {name: name_output_log(name) for name in names}
    return {name: path for name, path in paths.items() if (folder / path).exists()}


def load_journal(folder: Path) -> Journal:
    """Return the journal of a tournament's folder; raises `StartError`."""
    path = folder / JOURNAL
    try:
        return read_journal(path.read_bytes())
    except OSError as error:
        hint = "a folder that `tabnet tournament` has written"
        raise StartError(f"cannot read {path}: {error.strerror}", hint=hint) from None


def _make_replays(
    summary: TournamentSummary, folder: Path, shared: SharedLists
) -> Iterator[dict[str, Any]]:
    """Yield the games for the page, in the order for its readers."""
    for result in sort_by_interest(summary.results):
        path = folder / GAMES / f"{result.game.id}.json"
        line = path.read_bytes() if path.exists() else None
        yield make_replay(result, line, summary.names, shared)


def read_page_files() -> dict[str, str]:
    """Return the files that the page is made from, by name; a board is `boards/KIND/board.js`."""
    page_folder = resources.files("tabnet.tournament.report") / "page"
    web_folder = resources.files("tabnet") / "web"
    boards = [f"boards/{kind}/{name}.js" for kind in KINDS for name in ("board", LANGUAGE)]
    paths = {name: page_folder / name for name in PAGE_FILES}
    paths |= {name: web_folder / name for name in (*WEB_FILES, *boards)}
    return {name: path.read_text(encoding="utf-8") for name, path in paths.items()}


def replace_file(path: Path, text: str) -> None:
    new = path.with_name(f".{path.name}.new")
    new.write_text(text, encoding="utf-8", newline="\n")
    new.replace(path)
