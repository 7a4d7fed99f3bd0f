"""Whole tournaments of a few games, with real processes."""

from __future__ import annotations

import os
import sys
import uuid
from contextlib import contextmanager
from pathlib import Path

import trio

from tabnet.tournament.play.bots.bot_process import ProcessLimits
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_interface import USUAL, PlayerTimeouts
from tabnet.tournament.play.referee_slots import RunSettings
from tabnet.tournament.play.runner import Runner
from tabnet.tournament.play.sandbox.policy import NONE
from tabnet.tournament.play.tournament_folder import create_tournament

CLOCK_S = 20
"""For a move: nobody is late but who means to be, however busy the machine."""
HASTY_S = 0.5
"""The same where somebody is late."""
LATE = {
    "never_connects",
    "connects_and_says_nothing",
    "greets_with_garbage",
    "is_too_slow_by_10_ms",
    "ignores_sigterm",
}
"""The faulty bots that are waited for in vain."""
FAULTY = Path(__file__).with_name("faulty.py")
HASTY = PlayerTimeouts(start_s=2, next_s=2)
TEST_S = 60
"""No tournament here takes a quarter of it."""
NO_LIMITS = ProcessLimits()
MARK = "TEST_MARK"
"""A variable in the environment of every process that a test starts."""
TEST_VARIABLES = (MARK, "TEST_CLOCK", "TEST_FILE")
"""The variables that bots of tests receive."""
PASS_VARIABLES = ("--env", MARK, "--env", "TEST_CLOCK")
"""The options that pass them."""


def faulty(way):
    """A bot that errs in that way."""
    return f"cmd:{sys.executable} {FAULTY} {way}"


def settings(*, pairs=1, most=2000, **terms):
    """Those of a small tournament."""
    usual = {"kind": "tab", "options": {"size": 7}, "clock": {"move": CLOCK_S}}
    usual |= {"format": "round-robin", "seed": "a seed"}
    return {"pairs": pairs, "max_moves": most, **usual, **terms}


def run_settings_in(
    folder, concurrency=2, limits=NO_LIMITS, say=print, timeouts=USUAL, sandbox=NONE, readable=()
):
    """Where it is played; nobody comes from elsewhere."""
    processes = ProcessSettings(limits, TEST_VARIABLES, sandbox, readable)
    return RunSettings(folder, concurrency, processes, RemotePorts(lambda: None, say), timeouts)


async def play(
    folder,
    sources,
    *,
    concurrency=2,
    limits=NO_LIMITS,
    late=False,
    sandbox=NONE,
    readable=(),
    **terms,
):
    """A tournament from its start to its end; its runner comes back.

    `late`: some of its bots are waited for in vain, and that is to be short.
    """
    if late:
        terms["clock"] = {"move": HASTY_S}
    with create_tournament(folder, settings(**terms), sources) as tournament:
        timeouts = HASTY if late else USUAL
        return await go_on(
            tournament,
            run_settings_in(
                *(folder, concurrency, limits),
                timeouts=timeouts,
                sandbox=sandbox,
                readable=readable,
            ),
        )


async def go_on(tournament, run_settings):
    """Play what is missing; the runner comes back."""
    runner = Runner(tournament, run_settings)
    with trio.fail_after(TEST_S):
        await runner.run()
    return runner


@contextmanager
def nobody_left(monkeypatch):
    """No process that is started in the block is alive after it."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)
    monkeypatch.setenv("TEST_CLOCK", str(HASTY_S))
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
