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
ABSENT = re.compile(r"^(?=.*(?:No such file or directory|ENOENT)).*'(/[^']+)'.*$", re.MULTILINE)
"""Lines about an absent file; in bubblewrap, a file that may not be read is absent."""
ADVICE = " (sandbox: --sandbox-read PATH lets bots read more; they write only in HOME and TMPDIR)"


def explain_denied_files(text: str) -> str:
    """Return a text that a bot wrote, with advice behind each line about a file that is denied."""
    text = ABSENT.sub(lambda found: found[0] + (ADVICE if _exists(found[1]) else ""), text)
    return DENIED.sub(lambda found: found[0] + ADVICE, text)


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a path that cannot be one, like a very long one
        return False
