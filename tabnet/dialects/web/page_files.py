"""The files of the page: all of `tabnet/web`, served from memory, and one that is made here.

The latter is the module that names the board of each kind of `GAMES`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable

from tabnet.dialects.web.responses import Response
from tabnet.games import GAMES

INDEX = "/index.html"
BOARDS = "/boards/index.js"
"""The module that exports the board of each kind."""
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "txt": "text/plain; charset=utf-8",
    "woff2": "font/woff2",
}
"""The types of files that are served."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The page loads nothing from elsewhere and runs nothing inline, and no page may frame it."""


def load_page_files() -> dict[str, Response]:
    """Return the files by path; the front page is also at /."""
    found = dict(_find_files(files("tabnet") / "web", ""))
    found[BOARDS] = _make_response(TYPES["js"], build_boards_module(GAMES).encode())
    return found | {"/": found[INDEX]}


def build_boards_module(kinds: Iterable[str]) -> str:
    """Return the JavaScript that exports BOARDS: `createBoard` of each kind, by its name."""
    imports = "".join(
        f'import {{ createBoard as createBoard{number} }} from "./{kind}/board.js";\n'
        for number, kind in enumerate(kinds)
    )
    entries = "".join(
        f"  {json.dumps(kind)}: createBoard{number},\n" for number, kind in enumerate(kinds)
    )
    return f"{imports}\nexport const BOARDS = {{\n{entries}}};\n"


def _find_files(folder: Traversable, path: str) -> list[tuple[str, Response]]:
    found: list[tuple[str, Response]] = []
    for entry in folder.iterdir():
        below = f"{path}/{entry.name}"
        if entry.is_dir():
            found += _find_files(entry, below)
        elif (kind := TYPES.get(entry.name.rpartition(".")[2])) is not None:
            found.append((below, _make_response(kind, entry.read_bytes())))
    return found


def _make_response(kind: str, body: bytes) -> Response:
    headers = (
        ("Content-Type", kind),
        ("ETag", f'"{hashlib.sha256(body).hexdigest()[:32]}"'),
        ("Cache-Control", "no-cache"),  # a browser asks each time for a newer version
        ("Content-Security-Policy", POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    )
    return Response(200, headers, body)
