"""Whole tournaments of a few games, with real processes."""

from __future__ import annotations

import os
import sys
import uuid
from contextlib import contextmanager
from pathlib import Path

import trio

from tabnet.tournament import journal
from tabnet.tournament.docket import Docket
from tabnet.tournament.entrants import contenders
from tabnet.tournament.folder import GAMES, LOGS
from tabnet.tournament.plan import Plan
from tabnet.tournament.pool import Patience
from tabnet.tournament.process import Fence
from tabnet.tournament.reception import Reception
from tabnet.tournament.runner import House, Runner

CLOCK_S = 0.5
FAULTY = Path(__file__).with_name("faulty.py")
PATIENCE = Patience(start_s=3, next_s=3)
TEST_S = 60
"""No tournament here takes a quarter of it."""
MARK = "TEST_MARK"
"""A variable in the environment of every process that a test starts."""


def faulty(way):
    """A bot that errs in that way."""
    return f"cmd:{sys.executable} {FAULTY} {way}"


async def play(folder, sources, *, pairs=1, most=2000, concurrency=2, fence=Fence(), **plan):
    """A tournament of Tab from its start to its end; its runner comes back."""
    (folder / GAMES).mkdir()
    (folder / LOGS).mkdir()
    entered = list(contenders(sources))
    names = tuple(contender.name for contender in entered)
    terms = {"kind": "tab", "options": {"size": 7}, "clock": {"move": CLOCK_S}} | plan
    house = House(folder, concurrency, fence, Reception(lambda: None, print), PATIENCE)
    docket = Docket(Plan(seed="a seed", names=names, pairs=pairs, **terms), {})
    with journal.writing(folder) as writer, trio.fail_after(TEST_S):
        runner = Runner(docket, entered, house, writer, most)
        await runner.run()
    return runner


@contextmanager
def nobody_left(monkeypatch):
    """No process that is started in the block is alive after it."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)
    monkeypatch.setenv("TEST_CLOCK", str(CLOCK_S))
    yield
    assert living(mark) == []


def living(mark):
    """The processes that have this mark."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                environment = (folder / "environ").read_bytes()
                line = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if f"{MARK}={mark}".encode() in environment:
                found.append(line.replace(b"\0", b" ").decode())
    return found
