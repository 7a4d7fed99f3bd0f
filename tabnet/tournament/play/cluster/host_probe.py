"""The facts about a host that decide whether it can play games of a tournament.

A Dask worker returns its facts as a plain dict, which every version of tabnet and Python can read.
"""

from __future__ import annotations

import platform
import shutil
import socket
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import import_module, resources
from pathlib import Path
from typing import Any

from tabnet.errors import StartError
from tabnet.tournament.play.sandbox.host import choose_sandbox
from tabnet.tournament.play.sandbox.policy import AUTO

HostFacts = Mapping[str, Any]


def describe_host(
    kind: str, programs: Sequence[str], sandbox: str = AUTO, has_commands: bool = False
) -> dict[str, Any]:
    """Return the facts about this host: its name, versions and sandbox, and the programs it lacks.

    If this host does not have the sandbox, a sentence about that replaces its description.
    """
    try:
        described = choose_sandbox(sandbox).describe(has_commands=has_commands)
    except StartError as error:
        described = {"missing": error.text}
    return {
        "sandbox": described,
        "host": socket.gethostname(),
        "tabnet": import_module("tabnet").__version__,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "rules": compute_rules_digest(kind),
        "missing": [program for program in programs if shutil.which(program) is None],
    }


def compute_rules_digest(kind: str) -> str:
    """Return the version of a kind: the digest of its modules; empty if there is no such kind."""
    package = Path(str(resources.files("tabnet.games"))) / kind
    whole = sha256()
    for path in sorted(package.glob("*.py")):
        whole.update(path.name.encode() + b"\0" + sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:16] if package.is_dir() else ""


def find_mismatch(here: HostFacts, there: HostFacts, kind: str) -> str | None:
    """Return in one sentence why results of a host could differ from those here, or None."""
    for field, name in (("tabnet", "tabnet"), ("python", "Python"), ("rules", f"rules of {kind}")):
        if here[field] != there.get(field):
            return f"it has {name} {there.get(field) or '(none)'}, and here is {here[field]}"
    return None
