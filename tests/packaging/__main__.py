"""`python -m tests.packaging`: build the wheel and use it in a clean environment.

The driver builds the wheel, installs it into a new environment, and runs there: `tabnet --version`,
`tabnet help` with every topic, and a tournament of README's bot. mypy checks this bot, the
annotated bot of the manual, and a misspelt name.
It needs an index of packages, because the wheel's dependencies are installed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from zipfile import ZipFile

from tests.__main__ import ROOT
from tests.packaging.readme_bot import readme_bot

IN_WHEEL = (
    "tabnet/py.typed",
    "tabnet/LICENSE",
    "tabnet/CHANGELOG.md",
    "tabnet/docs/bots.md",
    "tabnet/docs/protocol.md",
    "tabnet/bots/greedy.py",
    "tabnet/web/index.html",
)


def main() -> int:
    """Run every step in a temporary folder; stop at the first that fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build_wheel(folder)
        check_files(wheel)
        use_wheel(wheel, folder)
    print("--- the wheel works in a clean environment")
    return 0


def annotated_bot() -> str:
    """Return the bot of the chapter on bots that has annotations."""
    text = (ROOT / "tabnet" / "docs" / "bots.md").read_text(encoding="utf-8")
    (bot,) = re.findall(r"## Type annotations.*?```python\n(.*?)```", text, re.DOTALL)
    return str(bot)


def run(*command: object, cwd: Path) -> str:
    """Run a command, print its first output line, and return its output."""
    line = " ".join(map(str, command))
    ended = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        sys.exit(f"--- failed: {line}\n{ended.stdout}{ended.stderr}")
    shown = ended.stdout.strip().splitlines()
    print(f"--- {line}\n{shown[0] if shown else ''}", flush=True)
    return ended.stdout


def build_wheel(folder: Path) -> Path:
    """Build the wheel of this checkout."""
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT, cwd=folder)
    (wheel,) = folder.glob("tabnet_arena-*.whl")
    return wheel


def check_files(wheel: Path) -> None:
    """Exit unless the wheel contains the files that installed commands need."""
    with ZipFile(wheel) as archive:
        missing = set(IN_WHEEL) - set(archive.namelist())
    if missing:
        sys.exit(f"--- failed: {wheel.name} has no {', '.join(sorted(missing))}")


def use_wheel(wheel: Path, folder: Path) -> None:
    """Install the wheel into a new environment, and use it there like a newcomer."""
    home = folder / "venv"
    venv.create(home, with_pip=True)
    programs = home / ("Scripts" if sys.platform == "win32" else "bin")
    run(programs / "python", "-m", "pip", "install", "-q", wheel, "mypy", cwd=folder)
    (folder / "mine.py").write_text(readme_bot())
    (folder / "typed.py").write_text(annotated_bot())
    (folder / "typo.py").write_text("import tabnet\n\ntabnet.GAME\n")
    tabnet = programs / "tabnet"
    run(tabnet, "--version", cwd=folder)
    for topic in re.findall(r"^  (\w+) ", run(tabnet, "help", cwd=folder), re.MULTILINE):
        run(tabnet, "help", topic, cwd=folder)
    run(tabnet, "tournament", "mine.py", "greedy", "--pairs", "1", "--out", "trial", cwd=folder)
    run(programs / "mypy", "mine.py", cwd=folder)
    run(programs / "mypy", "--strict", "typed.py", cwd=folder)
    typo = [programs / "mypy", "typo.py"]
    ended = subprocess.run(typo, cwd=folder, capture_output=True, text=True, check=False)
    if "has no attribute" not in ended.stdout:
        sys.exit(f"--- failed: mypy accepts a misspelt name\n{ended.stdout}")


if __name__ == "__main__":
    sys.exit(main())
