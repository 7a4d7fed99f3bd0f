"""The option `--json`: a command prints JSON objects, one a line, instead of text for people.

Each object begins with `"version":1`. A field that is added keeps the version.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

VERSION = 1


def add_json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json", action="store_true", help="print JSON objects, one a line, for programs"
    )


def format_json(**fields: Any) -> str:
    """Return a line. It is ASCII, which has no characters that control a terminal."""
    return json.dumps({"version": VERSION} | fields, separators=(",", ":"))


def print_json(**fields: Any) -> None:
    print(format_json(**fields), flush=True)
