"""Processes in a sandbox, as this user and as one without privileges."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SYSTEM_PYTHON = "/usr/bin/python3"
"""A program that every user can execute, unlike one below the home of root."""
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs")


def find_missing_user(user):
    """Return why a user cannot be tested; empty if it can."""
    if user == "this user":
        return ""
    if os.geteuid() != 0:
        return "only root can become another user"
    if shutil.which("setpriv") is None:
        return "the program setpriv is not installed"
    return "" if Path(SYSTEM_PYTHON).exists() else f"there is no {SYSTEM_PYTHON}"


def run_as(user, command):
    """Run a command; return its exit code and what it printed."""
    prefix = NOBODY if user == "nobody" else ()
    ended = subprocess.run(
        [*prefix, *command], capture_output=True, text=True, timeout=60, cwd="/", check=False
    )
    return ended.returncode, ended.stdout, ended.stderr


def python_of(user):
    return SYSTEM_PYTHON if user == "nobody" else sys.executable
