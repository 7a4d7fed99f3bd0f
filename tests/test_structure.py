"""The package as a whole: what its modules say of themselves is true."""

from __future__ import annotations

import ast
from pathlib import Path

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
