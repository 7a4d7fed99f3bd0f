"""Advice for a bot that needs a file which the sandbox denies."""

from __future__ import annotations

import re
from pathlib import Path

DENIED = re.compile(
    r"^.*(?:PermissionError|Permission denied|EACCES|Operation not permitted|EPERM|EROFS"
    r"|Read-only file system).*$",
    re.MULTILINE,
)
"""Lines about a denied file, in the words of Python, of C, and of Node.js."""
ABSENT = re.compile(r"^.*(?:No such file or directory|ENOENT).*$", re.MULTILINE)
"""Lines about an absent file; in bubblewrap, a file that may not be read is absent."""
PATH = re.compile(r"'(/[^']+)'|(/[^\s:'\"]+)")
ADVICE = " (sandbox: --sandbox-read PATH lets bots read more; they write only in HOME and TMPDIR)"


def explain_denied_files(text: str) -> str:
    """Return a text that a bot wrote, with advice behind each line about a file that is denied."""
    text = ABSENT.sub(lambda line: line[0] + (ADVICE if _names_file(line[0]) else ""), text)
    return DENIED.sub(lambda line: line[0] + ADVICE, text)


def _names_file(line: str) -> bool:
    """Return True if the last path in a line exists; before it is the program that complains."""
    paths = [quoted or plain for quoted, plain in PATH.findall(line)]
    try:
        return bool(paths) and Path(paths[-1]).exists()
    except (OSError, ValueError):  # a path that cannot be one, like a very long one
        return False
