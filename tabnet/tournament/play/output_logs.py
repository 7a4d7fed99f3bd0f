"""The logs of the bots' output: one file for each bot, with what it printed in each game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tabnet.tournament.records.entrants_and_results import ScheduledGame
from tabnet.tournament.records.journal_lines import name_output_log

MAX_BYTES = 1024 * 1024
"""The size of a log; the output of later games is left out."""
FULL = "--- This log is full. It leaves out all further output.\n"


def append_output(folder: Path, game: ScheduledGame, outputs: Mapping[str, str]) -> None:
    """Append the output of a game's bots to their logs, up to the limit; may raise `OSError`."""
    for bot, output in outputs.items():
        path = folder / name_output_log(bot)
        size = path.stat().st_size if path.exists() else 0
        if size >= MAX_BYTES:
            continue
        end = "" if output.endswith("\n") else "\n"
        entry = f"--- game {game.id}: {' - '.join(game.seats)}\n{output}{end}".encode()
        if size + len(entry) > MAX_BYTES:
            cut = entry[: MAX_BYTES - size].decode(errors="ignore")
            entry = f"{cut}\n{FULL}".encode()
        with path.open("ab") as file:
            file.write(entry)
