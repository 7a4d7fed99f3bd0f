"""The package as a whole: the claims of its modules about themselves are true."""

from __future__ import annotations

import ast
import pkgutil
import re
from pathlib import Path

import pytest

from tabnet.games import GAMES
from tests.__main__ import ROOT, WITH_PROCESSES, find_tests, pure_modules

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


def test_a_package_a_module_and_a_path_name_their_tests():
    of_core = ["tests/server/core"]
    assert find_tests("server/core") == find_tests("tabnet.server.core") == of_core
    assert find_tests("tests/server/core/") == ["tests/server/core/"]
    assert "tests/server/core/test_service_refusals.py" in find_tests(
        "tabnet/server/core/service.py"
    )
    assert find_tests("tests/test_structure.py::it") == ["tests/test_structure.py::it"]
    with pytest.raises(LookupError, match="no_such_package: there is no such test"):
        find_tests("no_such_package")


def test_paths_that_the_quick_gate_leaves_out_exist():
    assert all((ROOT / path).exists() for path in WITH_PROCESSES)


def test_every_module_has_at_most_400_lines():
    for name, path in modules().items():
        assert len(path.read_text().splitlines()) <= MAX_LINES, name


def test_servers_and_referees_use_the_clock_that_excludes_pauses():
    starts = "trio.run("
    elsewhere = {
        "tabnet.server.admin.request_client",
        "tabnet.cli.options.server_options",
        "tabnet.bench",
    }
    for name, path in modules().items():
        if not any(name.startswith(each) for each in elsewhere):
            text = path.read_text()
            assert text.count(starts) == text.count("clock=ServerClock())"), name


def kind_names():
    """Return a pattern: the names of the kinds, as words and as parts of identifiers."""
    kinds = "|".join(GAMES)
    return re.compile(
        rf"(?<![a-z])({kinds})(?![a-z])|(?-i:(?:{kinds.title()})(?=[A-Z]))", re.IGNORECASE
    )


KIND_NAMES = kind_names()
MAY_NAME_KINDS = (
    "games/__init__.py",  # GAMES and the default
    "games/pdn.py",  # a former path
    "bench/",
    "dialects/web/tab_api.py",  # the original API serves a single kind
    "dialects/web/routes.py",  # its paths
    "dialects/web/http_server.py",  # a dialect of a single kind is part of the web port
    "dialects/draughts_text/",  # dialects of source documents serve a single kind each
    "dialects/fish_actions/",
    "dialects/plakoto_rest/",
    "cli/options/dialect_options.py",  # their options
)
TAB_KEY = re.compile(r"\bTAB\b|\bTab key\b")
"""The key of a keyboard, in the modules of the terminal and in the help of `play`."""
READ_KEYS = ("client/terminal/", "cli/play.py")


def test_nothing_outside_the_package_and_the_board_of_a_kind_names_the_kind():
    package = ROOT / "tabnet"
    own = tuple(path for kind in GAMES for path in (f"games/{kind}/", f"web/boards/{kind}/"))
    for path in sorted(package.rglob("*")):
        name = path.relative_to(package).as_posix()
        if path.suffix not in (".py", ".js", ".html", ".css") or name.startswith(
            (*own, *MAY_NAME_KINDS)
        ):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            text = TAB_KEY.sub("", line) if name.startswith(READ_KEYS) else line
            assert not KIND_NAMES.search(text), f"{name}:{number} names a kind: {line.strip()}"


def test_the_packages_of_the_kinds_have_the_same_modules():
    common = {"check_positions", "drawing", "fields", "game", "load", "refusals", "sentences"}
    common |= {"state", "typed_moves"}
    for kind in GAMES:
        assert common <= {path.stem for path in (ROOT / "tabnet/games" / kind).glob("*.py")}, kind


def test_the_bots_import_from_the_packages_of_kinds_only():
    allowed = {"tabnet", *(f"tabnet.games.{kind}" for kind in GAMES)}
    for path in (ROOT / "bots").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert not name.startswith("tabnet") or name in allowed, f"{path}: {name}"


IMPORTED_SINCE_0_1_0 = (
    *("tabnet.GAMES", "tabnet.Move", "tabnet.State", "tabnet.run_bot", "tabnet.connect"),
    *("tabnet.client.blocking.connect", "tabnet.client.verify.verify", "tabnet.games.api.Game"),
    *("tabnet.games.pdn.import_game", "tabnet.games.pdn.export_game"),
)
"""The names that the README of version 0.1.0 gives to programs."""


def test_documented_import_names_exist():
    pages = [ROOT / "README.md", *(ROOT / "tabnet").rglob("*.md")]
    pages.remove(ROOT / "tabnet" / "CHANGELOG.md")  # it names what has moved
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    for name in {*IMPORTED_SINCE_0_1_0, *re.findall(r"`(tabnet(?:\.[a-zA-Z_]+)+)", text)}:
        if not name.endswith((".db", ".toml", "KIND")):
            pkgutil.resolve_name(name)
