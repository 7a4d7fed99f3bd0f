"""Writes what a tournament's folder shows from what it keeps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from tabnet.errors import StartError
from tabnet.tournament.figures import results_json
from tabnet.tournament.folder import GAMES, JOURNAL, Journal, read_journal
from tabnet.tournament.html import page
from tabnet.tournament.reels import by_interest, reel
from tabnet.tournament.results import Result
from tabnet.tournament.sheets import crosstable_csv, games_csv
from tabnet.tournament.standing import Standing, standing

FILES = ("page.html", "page.css", "boards.js", "page.js")
REPLAYS_MB = 4
"""How many megabytes of replays a page has, unless told otherwise: more than 1,000 of Tab."""


def report(folder: Path, replays_mb: float = REPLAYS_MB) -> Standing:
    """Make everything in the folder that can be made from its journal and its games.

    Each file is replaced at once; raises `StartError` if something cannot be read or written.
    """
    stands = standing(journal_in(folder))
    try:
        reels = list(within(reels_of(stands, folder), round(replays_mb * 1_000_000)))
        for name, text in (
            ("results.json", results_json(stands)),
            ("games.csv", games_csv(stands)),
            ("crosstable.csv", crosstable_csv(stands)),
            ("report.html", page(stands, reels, page_files())),
        ):
            replace(folder / name, text)
    except OSError as error:
        raise StartError(f"{error.filename or folder}: {error.strerror}") from None
    return stands


def journal_in(folder: Path) -> Journal:
    """The journal of a tournament's folder; raises `StartError`."""
    path = folder / JOURNAL
    try:
        return read_journal(path.read_bytes())
    except OSError as error:
        hint = "a folder that `tabnet tournament` has written"
        raise StartError(f"cannot read {path}: {error.strerror}", hint=hint) from None


def reels_of(stands: Standing, folder: Path) -> Iterator[dict[str, Any]]:
    """The games for the page, those that are asked for first at the front."""
    for result in by_interest(stands.results):
        yield reel(result, _kept(folder, result), stands.names)


def _kept(folder: Path, result: Result) -> bytes | None:
    try:
        return (folder / GAMES / f"{result.game.id}.json").read_bytes()
    except FileNotFoundError:
        return None


def within(reels: Iterable[dict[str, Any]], most: int) -> Iterator[dict[str, Any]]:
    """As many as have room in so many bytes."""
    for shown in reels:
        most -= len(json.dumps(shown))
        if most < 0:
            return
        yield shown


def page_files() -> dict[str, str]:
    """The files that the page is put together from."""
    folder = resources.files("tabnet.tournament") / "page"
    return {name: (folder / name).read_text(encoding="utf-8") for name in FILES}


def replace(path: Path, text: str) -> None:
    """Write a file so that it is the old one or the new one at any moment."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text, encoding="utf-8", newline="\n")
    new.replace(path)
