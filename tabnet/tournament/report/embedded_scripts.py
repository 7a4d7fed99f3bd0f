"""Embeds the scripts of the web page in a report, which needs nothing beside itself. Pure.

The scripts are ES modules without imports. Each becomes a function that runs at once and returns
the exports, since a page of one file has no address from which a module could be imported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping

EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
IMPORT = re.compile(r"^import\b", re.MULTILINE)
LANGUAGE = "en"
"""The language of reports."""


def embed_scripts(kinds: Collection[str], files: Mapping[str, str]) -> str:
    """Return the script of a report: the boards of these kinds, and the page's own code."""
    boards = ",\n".join(f"{json.dumps(kind)}: {_wrap_kind(kind, files)}" for kind in sorted(kinds))
    return (
        f"const {{ BoardDrawing, adoptStyles }} = {wrap_module(files['board_drawing.js'])};\n"
        f"const {{ ThrowCanvas }} = {wrap_module(files['throw_canvas.js'])};\n"
        f"const {{ createKind }} = {wrap_module(files['localize.js'])};\n"
        f"const BOARDS = {{{boards}}};\n{files['page.js']}"
    )


def _wrap_kind(kind: str, files: Mapping[str, str]) -> str:
    """Return an expression with the board of a kind in the language of reports."""
    board = wrap_module(files[f"boards/{kind}/board.js"])
    texts = wrap_module(files[f"boards/{kind}/{LANGUAGE}.js"])
    return f"createKind({board}.createBoard, {texts}.TEXTS, {json.dumps(LANGUAGE)})"


def wrap_module(source: str) -> str:
    """Return an expression with the exports of a JavaScript module; `ValueError` if it imports."""
    if IMPORT.search(source):
        raise ValueError("a module that a report embeds imports nothing")
    names = ", ".join(EXPORT.findall(source))
    body = EXPORT.sub("", source).replace("</script", r"<\/script")
    return f'(() => {{ "use strict";\n{body}\nreturn {{ {names} }};\n}})()'
