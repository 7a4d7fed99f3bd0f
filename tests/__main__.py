"""Run everything that a change must pass.

    python -m tests                  all checks and all tests, with coverage
    python -m tests --quick          all checks and the fast tests, in less than a minute
    python -m tests server/core ...  all checks, and the tests of a package, a module or a path

`pytest` alone runs only the tests.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent

PURE = "Pure: no I/O, no clock, no randomness"
"""The import contract in pyproject.toml that lists the pure modules."""

WITH_PROCESSES = (
    "tests/bench",
    "tests/cli",
    "tests/client/test_blocking.py",
    "tests/client/test_bot.py",
    "tests/cluster",
    "tests/dialect_fuzz",
    "tests/dialects/draughts_text/test_mixed_tables.py",
    "tests/dialects/draughts_text/test_serve.py",
    "tests/dialects/fish_actions/test_kill.py",
    "tests/dialects/fish_actions/test_mixed_tables.py",
    "tests/dialects/fish_actions/test_serve.py",
    "tests/dialects/plakoto_rest/test_serve.py",
    "tests/dialects/web/test_browser.py",
    "tests/dialects/web/test_foreign_pages.py",
    "tests/hoarding",
    "tests/server/storage/test_store_trouble.py",
    "tests/tournament/check",
    "tests/tournament/play",
)
"""Tests that start many processes. `--quick` leaves them out, and the tests marked as slow."""

Command = tuple[str, ...]
Completed = subprocess.CompletedProcess[bytes]

TRIO_RULES = (
    "--isolated",
    "--select=ASYNC1,ASYNC2,ASYNC4",
    "--disable=ASYNC100,ASYNC3,ASYNC9",
    "--startable-in-context-manager=_run_player,_admit_remote_player",
)
"""The rules about trio that ruff does not have. A disabled rule is not computed at all."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks side by side, then the tests; stop after the first that fail."""
    parser = argparse.ArgumentParser("python -m tests", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "targets",
        nargs="*",
        metavar="PATH",
        help="a package or module of tabnet (server/core), or a path of tests",
    )
    parser.add_argument("--quick", action="store_true", help="leave out slow tests and coverage")
    options = parser.parse_args(arguments)
    try:
        paths = [path for target in options.targets for path in find_tests(target)]
    except LookupError as error:
        parser.error(error.args[0])
    start = time.monotonic()
    passed = run_checks() and all(map(run, test_steps(paths, is_quick=options.quick)))
    print(f"--- {'passed' if passed else 'failed'} in {time.monotonic() - start:.0f} s")
    return 0 if passed else 1


def find_tests(target: str) -> list[str]:
    """Return the paths of the tests that `target` names.

    `server/core`, `tabnet/server/core` and `tabnet.server.core` name the tests of a package.
    `server/core/service.py` names the tests of a module: its own, or else those of its package.
    Anything below tests/ names itself.
    """
    path, _, test = target.partition("::")
    if (ROOT / path).exists() and Path(path).parts[:1] == ("tests",):
        return [target]
    package = path.removesuffix("/").replace(".", "/") if "/" not in path else path
    mirror = ROOT / "tests" / package.removeprefix("tabnet/")
    module = mirror.with_suffix("")
    named = [mirror] if mirror.is_dir() else sorted(module.parent.glob(f"test_{module.name}*.py"))
    if not named and module.parent != ROOT / "tests" and module.parent.is_dir():
        named = [module.parent]
    if test or not named:
        raise LookupError(f"{target}: there is no such test, and no tests of such a package")
    return [str(each.relative_to(ROOT)) for each in named]


def check_commands() -> tuple[Command, ...]:
    """Return the commands of all checks, the longest first."""
    return (
        ("flake8", *TRIO_RULES, *files_with_trio()),
        ("mypy",),
        ("lint-imports", "--no-logo"),
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
    )


def run_checks() -> bool:
    """Run all checks at the same time; print the output of those that fail."""
    commands = check_commands()
    is_passed = True
    with ThreadPoolExecutor(len(commands)) as pool:
        for command, ended in zip(commands, pool.map(run_captured, commands), strict=True):
            print(f"--- {'failed: ' if ended.returncode else ''}{describe(command)}", flush=True)
            if ended.returncode:
                print(ended.stdout.decode(errors="replace"), flush=True)
                is_passed = False
    return is_passed


def test_steps(paths: Sequence[str], *, is_quick: bool) -> Iterable[Command]:
    """Return the commands that run the tests, in their order."""
    if is_quick:
        left_out = [f"--ignore={path}" for path in WITH_PROCESSES]
        return [("pytest", "-q", "-m", "not slow and not driver", *left_out, *paths)]
    if paths:
        return [("pytest", "-q", *paths)]
    return [
        ("coverage", "erase"),
        ("coverage", "run", "-m", "pytest", "-q"),
        ("coverage", "combine", "-q"),
        ("coverage", "report", "--fail-under=90"),
        ("coverage", "report", "--fail-under=100", f"--include={','.join(pure_files())}"),
    ]


def run(command: Command) -> bool:
    """Run a command; return whether it succeeded."""
    print(f"--- {describe(command)}", flush=True)
    ended = run_process(command)
    if ended.returncode:
        print(f"--- failed: {describe(command)}")
    return ended.returncode == 0


def run_captured(command: Command) -> Completed:
    """Run a command; keep what it prints."""
    return run_process(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def run_process(command: Command, **outputs: int) -> Completed:
    """Run a command of this environment in the project's folder."""
    return subprocess.run(
        [BIN / command[0], *command[1:]],
        cwd=ROOT,
        check=False,
        stdin=subprocess.DEVNULL,
        env=environment(),
        **outputs,
    )


def describe(command: Command) -> str:
    """Return a command line of readable length."""
    line = " ".join(command)
    return line if len(line) < 200 else f"{line[:200]} ..."


def environment() -> dict[str, str]:
    """Return this environment, with its tools found first.

    Modules are compiled once, not by each of the hundreds of processes that tests start.
    """
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**ours, "PATH": f"{BIN}{os.pathsep}{ours.get('PATH', '')}"}


def files_with_trio() -> list[str]:
    """Return the files that the rules about trio can apply to."""
    files = (
        path for folder in ("tabnet", "bots", "tests") for path in (ROOT / folder).rglob("*.py")
    )
    return sorted(
        str(path.relative_to(ROOT))
        for path in files
        if any(word in path.read_text(encoding="utf-8") for word in ("async ", "trio"))
    )


def pure_modules() -> list[str]:
    """Return the modules and packages that the contract lists."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    (modules,) = [each["source_modules"] for each in contracts if each["name"] == PURE]
    return list(modules)


def pure_files() -> list[str]:
    """Return the files of the pure modules; coverage demands every branch of them."""
    paths = [module.replace(".", "/") for module in pure_modules()]
    return [f"{path}/*" if (ROOT / path).is_dir() else f"{path}.py" for path in paths]


if __name__ == "__main__":
    sys.exit(main())
