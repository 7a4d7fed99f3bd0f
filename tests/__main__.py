"""`python -m tests`: everything a change has to pass, in the order of what fails fastest.

`pytest` alone runs the tests alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent

PURE = "Pure: no I/O, no clock, no randomness"
"""The import contract in pyproject.toml that lists the pure modules."""


def pure_modules() -> list[str]:
    """The modules and packages that the contract lists."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    (modules,) = [each["source_modules"] for each in contracts if each["name"] == PURE]
    return list(modules)


def pure_files() -> list[str]:
    """The files of the pure modules, for coverage: every branch of them is tested."""
    paths = [module.replace(".", "/") for module in pure_modules()]
    return [f"{path}/*" if (ROOT / path).is_dir() else f"{path}.py" for path in paths]


TRIO_TRAPS = (
    "--isolated",
    "--select=ASYNC1,ASYNC2,ASYNC3,ASYNC4",
    "--startable-in-context-manager=_keep,_receive,live",
)
"""What flake8 is for: the rules about trio that ruff does not have."""

STEPS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("flake8", *TRIO_TRAPS, "tabnet", "bots", "tests"),
    ("mypy",),
    ("lint-imports", "--no-logo"),
    ("coverage", "erase"),
    ("coverage", "run", "-m", "pytest", "-q"),
    ("coverage", "combine", "-q"),
    ("coverage", "report", "--fail-under=90"),
    ("coverage", "report", "--fail-under=100", f"--include={','.join(pure_files())}"),
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
            env=environment(),
        )
        if ended.returncode:
            print(f"--- failed: {' '.join(step)}")
            return 1
    print(f"--- everything passed in {time.monotonic() - start:.0f} s")
    return 0


def environment() -> dict[str, str]:
    """This one, with the tools found first.

    Modules are compiled once, not by each of the hundreds of processes that tests start.
    """
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**ours, "PATH": f"{BIN}{os.pathsep}{ours.get('PATH', '')}"}


if __name__ == "__main__":
    sys.exit(main())
