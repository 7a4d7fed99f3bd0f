"""The files of the page: all that it asks for is there, and nothing that it does not ask for."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath

from tabnet.dialects.web.page_files import INDEX, page

ROOT = Path(__file__).parents[3]
REFERENCE = re.compile(r"""(?:src|href)="([\w./-]+)"|from "(\.[^"]+)"|url\("([^"]+)"\)""")


def references(path, text):
    """The paths that a file asks for."""
    found = ["".join(groups) for groups in REFERENCE.findall(text)]
    return {normpath(join(dirname(path), name)) for name in found}


def test_every_file_is_asked_for_and_every_one_that_is_asked_for_is_there():
    files = page()
    asked = {"/", INDEX}
    for path, file in files.items():
        asked |= references(path, file.body.decode())
    assert asked == set(files)


def test_nothing_stands_in_the_page_that_its_policy_forbids():
    index = page()[INDEX].body.decode()
    assert not re.search(r"<style|style=|\son\w+=|<script(?! type=\"module\" src=)", index)
    assert not re.search(
        r"https?://(?!www\.w3\.org/)", " ".join(file.body.decode() for file in page().values())
    )


def test_a_wheel_has_the_page():
    assert 'packages = ["tabnet"]' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    web = ROOT / "tabnet" / "web"
    assert {f"/{path.relative_to(web)}" for path in web.rglob("*.*")} == set(page()) - {"/"}
