"""The texts of the page: each that a module names exists, and each that exists is named."""

from __future__ import annotations

import re

from tests.__main__ import ROOT

WEB = ROOT / "tabnet" / "web"
NAMED = re.compile(r'"([a-z][\w.]*)"|`([a-z][\w.]*\.)\$\{|\$\{key\}(\.\w+)')
"""A key as a whole, the beginning of a key whose end a module fills in, or such an end."""


def test_the_modules_name_exactly_the_texts_that_exist():
    texts = (WEB / "texts.js").read_text()
    keys = set(re.findall(r'^  "([\w.]+)":', texts, re.MULTILINE))
    modules = "".join(path.read_text() for path in WEB.glob("*.js") if path.name != "texts.js")
    found = [match.groups() for match in NAMED.finditer(modules)]
    whole = {key for key, _, _ in found}
    beginnings = tuple(start for _, start, _ in found if start)
    ends = tuple(end for _, _, end in found if end)
    unnamed = {
        key
        for key in keys - whole
        if not key.startswith(beginnings) and not key.endswith((*ends, ".you"))
    }
    assert unnamed == set()
    used = set(re.findall(r'getText\(\s*"([\w.]+)"', modules))
    assert len(used) > 40
    assert used - keys == set()
