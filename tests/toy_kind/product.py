"""A copy of the product to which the toy kind is added, as a developer adds a kind."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.__main__ import ROOT

KIND = "nim"
HERE = Path(__file__).parent
COVERAGE = ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")
"""The variables by which processes of the tests are measured; a copy is not measured."""


FOLDERS = ("tabnet", "bots", "tests/games")


def copy_product(folder: Path) -> None:
    """Copy the packages, with their compiled modules, and the tests that find every kind."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name)
    files = [ROOT / name for name in ("protocol.md", "pyproject.toml")]
    for path in (*files, *(ROOT / "tests").glob("*.py")):
        shutil.copy2(path, folder / path.relative_to(ROOT))


def add_kind(folder: Path) -> list[Path]:
    """Add the toy kind to a copy; return the paths of the code that this adds or changes."""
    package, board = Path("tabnet/games") / KIND, Path("tabnet/web/boards") / KIND
    tests = Path("tests/games") / KIND
    shutil.copytree(HERE / KIND, folder / package)
    shutil.copytree(HERE / f"{KIND}_board", folder / board)
    shutil.copytree(HERE / f"{KIND}_tests", folder / tests)
    games = Path("tabnet/games/__init__.py")
    (folder / games).write_text(with_kind((folder / games).read_text()))
    protocol = folder / "protocol.md"
    section = (HERE / f"{KIND}_protocol.md").read_text()
    protocol.write_text(protocol.read_text().replace("\n## Clocks\n", f"\n{section}## Clocks\n", 1))
    return [package, board, tests, games]


def with_kind(text: str) -> str:
    """Return `tabnet/games/__init__.py` with the import of the kind and its place in GAMES."""
    text = text.replace(
        "\nGAMES:", f"\nfrom tabnet.games.{KIND} import {KIND.upper()}\n\nGAMES:", 1
    )
    return re.sub(r"(for game in \(.*?)\)", rf"\1, {KIND.upper()})", text, count=1)
