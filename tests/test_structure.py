"""The package as a whole: what its modules say of themselves is true."""

from __future__ import annotations

import ast
from pathlib import Path

from tabnet.games import GAMES
from tests.__main__ import ROOT, pure_modules

MAX_LINES = 400


def modules() -> dict[str, Path]:
    """Every module of the package, by its dotted name."""
    paths = sorted((ROOT / "tabnet").rglob("*.py"))
    names = (".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths)
    return dict(zip((name.removesuffix(".__init__") for name in names), paths, strict=True))


def test_a_module_that_calls_itself_pure_is_checked_by_the_contract():
    checked = pure_modules()
    for name, path in modules().items():
        docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
        is_checked = any(name == each or name.startswith(f"{each}.") for each in checked)
        assert "Pure" not in docstring or is_checked, f"{name} calls itself pure"


def test_every_pure_module_of_the_contract_exists():
    assert set(pure_modules()) <= set(modules())


def test_no_module_is_too_long():
    for name, path in modules().items():
        assert len(path.read_text().splitlines()) <= MAX_LINES, name


def test_servers_and_referees_run_on_the_clock_that_leaves_out_pauses():
    starts = "trio.run("
    elsewhere = {"tabnet.server.admin.tasks", "tabnet.cli.server_options", "tabnet.bench"}
    for name, path in modules().items():
        if not any(name.startswith(each) for each in elsewhere):
            text = path.read_text()
            assert text.count(starts) == text.count("clock=ServerClock())"), name


MAY_NAME_KINDS = ("tabnet.bench", "tabnet.dialects.web.tab_api", "tabnet.games", "tabnet.games.pdn")


def test_no_module_outside_the_package_of_a_kind_names_the_kind():
    packages = tuple(f"tabnet.games.{kind}" for kind in GAMES)
    for name, path in modules().items():
        if name in MAY_NAME_KINDS or name.startswith((*packages, "tabnet.bench.")):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            named = isinstance(node, ast.Constant) and node.value in GAMES
            imported = isinstance(node, ast.ImportFrom) and str(node.module).startswith(packages)
            assert not named, f"{name} names {node.value}"
            assert not imported, f"{name} imports {node.module}"
