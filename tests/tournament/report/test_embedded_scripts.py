"""Modules of the web page as a report embeds them."""

from __future__ import annotations

import pytest

from tabnet.games import GAMES
from tabnet.tournament.report.embedded_scripts import embed_scripts, wrap_module
from tabnet.tournament.report.report_files import read_page_files


def test_a_module_becomes_an_expression_that_has_its_exports():
    source = "const a = 1;\nexport const b = a;\nexport async function c() {}\n// export const d\n"
    assert wrap_module(source) == (
        '(() => { "use strict";\n'
        "const a = 1;\nconst b = a;\nasync function c() {}\n// export const d\n"
        "\nreturn { b, c };\n})()"
    )


def test_a_module_cannot_end_the_element_that_it_is_in():
    assert "</script" not in wrap_module('export const a = "</script>";')


def test_a_module_that_imports_another_is_refused():
    with pytest.raises(ValueError, match="imports nothing"):
        wrap_module('import { a } from "./a.js";\n')


@pytest.mark.parametrize("kinds", [(), ("fish",), ("tab", "plakoto")])
def test_a_report_has_the_boards_of_its_kinds_only(kinds):
    files = read_page_files()
    text = embed_scripts(kinds, files)
    for kind, game in GAMES.items():
        title = f'"title": "{game.title}"'
        assert title in files[f"boards/{kind}/en.js"]
        assert (title in text, f'"{kind}": createKind(' in text) == (kind in kinds, kind in kinds)
