"""The texts of the page: all languages have the same ones, and the page names exactly these."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from tabnet import errors
from tabnet.games import GAMES
from tests.__main__ import ROOT
from tests.web.people import LANGUAGES

WEB = ROOT / "tabnet" / "web"
INDEX = (WEB / "index.html").read_text(encoding="utf-8")
FOLDERS = [WEB / "languages", *(WEB / "boards" / kind for kind in GAMES)]
NAMED = re.compile(r'"([a-z][\w.]*)"|`([a-z][\w.]*\.)\$\{|\$\{key\}(\.\w+)')
"""A key as a whole, the beginning of a key whose end a module fills in, or such an end."""
OF_EVERY_KIND = {"title", "rules", "legend"}
BEGINNINGS_OF_EVERY_KIND = ("color.", "reason.", "code.")
NOTICES = {"crash"}
"""The codes of notices, which are no refusals."""


def read_keys(path):
    """Return the keys of a file of texts."""
    keys = re.findall(r'^  "([\w.]+)":', path.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(keys) == len(set(keys)), path
    return set(keys)


def find_unnamed(keys, source):
    """Return the keys that no string of the source names."""
    found = [match.groups() for match in NAMED.finditer(source)]
    whole = {key for key, _, _ in found}
    beginnings = tuple(start for _, start, _ in found if start)
    ends = tuple(end for _, _, end in found if end)
    return {
        key
        for key in keys - whole
        if not key.startswith(beginnings) and not key.endswith((*ends, ".you"))
    }


def find_required(source):
    """Return the keys without which a call of getText fails."""
    return set(re.findall(r'getText\(\s*"([\w.]+)"', source))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_all_languages_have_the_same_texts(folder):
    assert set(LANGUAGES) >= {"en", "pt", "el", "pl"}
    files = {path.stem for path in folder.glob("*.js")} - {"board"}
    assert files == set(LANGUAGES)
    keys = read_keys(folder / "en.js")
    assert len(keys) > 10
    for code in LANGUAGES:
        assert read_keys(folder / f"{code}.js") == keys, code


def test_the_modules_name_exactly_the_texts_that_exist():
    keys = read_keys(WEB / "languages" / "en.js")
    modules = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("*.js"))
    assert find_unnamed(keys, modules + INDEX) == set()
    of_the_page = set(re.findall(r'data-(?:text|name)="([\w.]+)"', INDEX))
    assert len(of_the_page) > 60
    assert of_the_page - keys == set()
    used = find_required(modules) - OF_EVERY_KIND
    assert len(used) > 40
    assert used - keys == set()


@pytest.mark.parametrize("kind", list(GAMES))
def test_the_board_of_a_kind_names_exactly_the_texts_that_exist(kind):
    folder = WEB / "boards" / kind
    board = (folder / "board.js").read_text(encoding="utf-8")
    keys = read_keys(folder / "en.js")
    unnamed = find_unnamed(keys, board) - OF_EVERY_KIND
    assert {key for key in unnamed if not key.startswith(BEGINNINGS_OF_EVERY_KIND)} == set()
    assert (find_required(board) | OF_EVERY_KIND) - keys == set()
    assert {f"color.{colour}" for colour in GAMES[kind].colours} <= keys
    own_reasons = {key[len("reason.") :] for key in keys if key.startswith("reason.")}
    assert own_reasons <= set(GAMES[kind].terminal.endings)


def codes_of(folder):
    return {key[len("code.") :] for key in read_keys(folder / "en.js") if key.startswith("code.")}


def test_every_code_of_the_server_has_one_text():
    assert codes_of(WEB / "languages") - NOTICES == set(errors.CODES)
    for kind, game in GAMES.items():
        assert codes_of(WEB / "boards" / kind) == set(game.codes) - set(errors.CODES), kind
    counts = Counter(code for folder in FOLDERS for code in codes_of(folder))
    assert counts.most_common(1)[0][1] == 1


class TextFinder(HTMLParser):
    """Finds the texts of a page, and the attributes that people read."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the attributes that people read."""
        values = dict(attrs)
        read = ["alt", "title", "placeholder", "aria-label"]
        read += ["content"] if values.get("name") == "description" else []
        self.texts += [text for name in read if (text := values.get(name))]

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.texts += [data.strip()] if data.strip() else []


def test_the_page_itself_has_no_texts():
    finder = TextFinder()
    finder.feed(INDEX)
    assert finder.texts == ["tabnet", "tabnet", "«", "‹", "›", "»"]
