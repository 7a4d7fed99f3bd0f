"""The bot of README."""

from __future__ import annotations

import re

from tests.__main__ import ROOT


def readme_bot() -> str:
    """Return the program of README that is a bot."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    (bot,) = [program for program in programs if "run_bot" in program]
    return bot
