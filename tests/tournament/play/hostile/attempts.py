"""A bot that tries what it must not do, and ends with the names of what it could do."""

from __future__ import annotations

import os

from tabnet.client.bot_file import PACKAGE
from tabnet.errors import StartError
from tabnet.tournament.play.sandbox.host import choose_sandbox

PROGRAM = """
import glob, os, socket, sys

FOLDER, TABNET, PORT, TEST = PLACES

def read(path):
    with open(path, "rb") as file:
        return file.read()

def write(path, data=b""):
    with open(path, "ab") as file:
        file.write(data)

def connect(kind):
    with socket.socket(socket.AF_INET, kind) as connection:
        connection.settimeout(2)
        connection.connect(("127.0.0.1", PORT))
        connection.send(b"the seed")

def find_token():
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            if b"TOKEN_OF_TEST" in read(path):
                return
        except OSError:
            pass
    raise LookupError

ATTEMPTS = {
    "read journal": lambda: read(f"{FOLDER}/it/journal.jsonl"),
    "read beside": lambda: read(f"{FOLDER}/beside.txt"),
    "list folder": lambda: os.listdir(FOLDER),
    "write folder": lambda: write(f"{FOLDER}/written"),
    "write journal": lambda: write(f"{FOLDER}/it/journal.jsonl"),
    "write tabnet": lambda: write(f"{TABNET}/__init__.py"),
    "edit itself": lambda: write(__file__, b"edited"),
    "environments": find_token,
    "signal guard": lambda: os.kill(os.getppid(), 0),
    "signal test": lambda: os.kill(TEST, 0),
    "TCP": lambda: connect(socket.SOCK_STREAM),
    "listen": lambda: socket.create_server(("127.0.0.1", 0)).close(),
    "UDP": lambda: connect(socket.SOCK_DGRAM),
    "TMPDIR": lambda: write(os.environ["TMPDIR"] + "/mine"),
    "HOME": lambda: write(os.environ["HOME"] + "/.mine"),
    "import": lambda: __import__("sqlite3") and __import__("ssl"),
    "random": lambda: open("/dev/urandom", "rb", 0).read(1),
    "null": lambda: write(os.devnull),
}

def try_all():
    done = []
    for name, attempt in ATTEMPTS.items():
        try:
            attempt()
        except (OSError, LookupError, ImportError):
            pass
        else:
            done.append(name)
    return "could: " + ", ".join(done)

def choose(state, moves, left):
    sys.exit(try_all())

if __name__ == "__main__":
    sys.exit(try_all())
"""
ALLOWED = ["TMPDIR", "HOME", "import", "random", "null"]
"""The attempts that no sandbox forbids."""


def make_program(folder, port):
    """Return the program of a bot in a folder; `port` is the test's own."""
    return PROGRAM.replace("PLACES", repr((str(folder), str(PACKAGE), port, os.getpid())))


def find_missing(sandbox):
    """Return why a sandbox cannot be tested here; empty if it can."""
    try:
        choose_sandbox(sandbox)
    except StartError as error:
        return error.text
    return ""
