"""The files of the page: all that it asks for is there, and nothing that it does not ask for."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath

from tabnet.dialects.web.page_files import BOARDS, INDEX, build_boards_module, load_page_files
from tabnet.games import GAMES
from tests.web.people import LANGUAGES

ROOT = Path(__file__).parents[3]
REFERENCE = re.compile(
    r"""(?:src|href)="([\w./-]+)"|from "(\.[^"]+)"|url\("(?!data:|\$)([^"]+)"\)"""
)


def references(path, text):
    """The paths that a file asks for."""
    found = ["".join(groups) for groups in REFERENCE.findall(text)]
    return {normpath(join(dirname(path), name)) for name in found}


def test_every_file_is_requested_and_every_requested_file_exists():
    files = load_page_files()
    asked = {"/", INDEX}
    for code in LANGUAGES:
        asked |= {f"/languages/{code}.js", *(f"/boards/{kind}/{code}.js" for kind in GAMES)}
    for path, file in files.items():
        asked |= references(path, file.body.decode())
    assert asked == set(files)


def test_the_page_contains_nothing_that_its_policy_forbids():
    index = load_page_files()[INDEX].body.decode()
    assert not re.search(r"<style|style=|\son\w+=|<script(?! type=\"module\" src=)", index)
    assert not re.search(
        r"https?://(?!www\.w3\.org/)",
        " ".join(file.body.decode() for file in load_page_files().values()),
    )


def test_a_wheel_has_the_page():
    assert 'packages = ["tabnet"]' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    web = ROOT / "tabnet" / "web"
    assert {f"/{path.relative_to(web)}" for path in web.rglob("*.*")} == set(load_page_files()) - {
        "/",
        BOARDS,
    }


def test_the_page_imports_the_board_of_each_kind():
    text = load_page_files()[BOARDS].body.decode()
    for number, kind in enumerate(GAMES):
        assert f'import {{ createBoard as createBoard{number} }} from "./{kind}/board.js";' in text
        assert f'  "{kind}": createBoard{number},' in text


def test_a_kind_that_is_added_is_imported_too():
    text = build_boards_module([*GAMES, "heap"])
    name = f"createBoard{len(GAMES)}"
    assert f'import {{ createBoard as {name} }} from "./heap/board.js";' in text
    assert f'  "heap": {name},\n}};' in text
