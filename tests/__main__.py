"""`python -m tests`: everything a change has to pass, in the order of what fails fastest.

`pytest` alone runs the tests alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent

WHOLE = (
    "tabnet/games/*",
    "tabnet/protocol/*",
    "tabnet/errors.py",
    *(
        f"tabnet/client/{name}.py"
        for name in (
            *("contradiction", "course", "events", "reading", "replay", "telling", "times"),
            "verify",
        )
    ),
    *(
        f"tabnet/server/{name}.py"
        for name in (
            *("accounts", "answers", "clock", "effects", "hall", "history", "limits", "lobby"),
            *("match", "orders", "ranking", "records", "request", "revival", "schema", "service"),
            *("sessions", "terms", "updates"),
        )
    ),
    *(
        f"tabnet/tournament/{name}.py"
        for name in (
            *("bradley", "caveats", "duel", "knockout", "likelihood", "links", "mirrored"),
            *("plan", "results", "schedule", "sprt", "stats", "swiss"),
        )
    ),
)
"""The pure modules: every branch of them is tested."""

STEPS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("flake8", "tabnet", "bots", "tests"),
    ("mypy",),
    ("lint-imports", "--no-logo"),
    ("coverage", "erase"),
    ("coverage", "run", "-m", "pytest", "-q"),
    ("coverage", "combine", "-q"),
    ("coverage", "report", "--fail-under=90"),
    ("coverage", "report", "--fail-under=100", f"--include={','.join(WHOLE)}"),
)


def main() -> int:
    """Run the steps; stop at the first that fails."""
    start = time.monotonic()
    for step in STEPS:
        print(f"--- {' '.join(step)}", flush=True)
        ended = subprocess.run(
            [BIN / step[0], *step[1:]],
            cwd=ROOT,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"},
        )
        if ended.returncode:
            print(f"--- failed: {' '.join(step)}")
            return 1
    print(f"--- everything passed in {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
