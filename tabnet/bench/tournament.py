"""`tabnet bench tournament`: tournaments of two bots beside the same processes without a game.

The bots are the bot `random`, and a bot that keeps no position. The costs of a short tournament are
subtracted, so that starting processes does not count.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import sys
import tempfile
import time
from operator import sub
from pathlib import Path
from resource import RUSAGE_CHILDREN
from typing import Any

import trio
from attrs import astuple, frozen

from tabnet.bench import bare_tournament, scripted_bot
from tabnet.bench.load_client import measure_cpu_seconds
from tabnet.bench.output import Output
from tabnet.errors import StartError
from tabnet.protocol.codec import encode
from tabnet.protocol.frames import Reply
from tabnet.protocol.messages import Join, Notify
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import read_terms
from tabnet.server.core.turn_feed import list_due_seats, make_turn, make_turn_change
from tabnet.server.net.certificate import Identity
from tabnet.server.net.server_clock import ServerClock
from tabnet.tournament.play.bots.process_settings import USUAL
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_process.parent import divide_processors
from tabnet.tournament.play.referee_slots import RunSettings
from tabnet.tournament.play.runner import Runner
from tabnet.tournament.play.tournament_folder import create_tournament

CORES = 2
WARM_UP = 10
"""The pairs of the short tournament, which is enough to start all processes."""
FLOOR_S = 0.8
"""The seconds of each of three rounds without a game; the median counts."""

BOTS = {
    "random": "random",
    "scripted": "cmd:" + shlex.join((sys.executable, scripted_bot.__file__)),
}
KINDS: dict[str, dict[str, Any]] = {"draughts": {}, "tab": {"size": 9}}
"""The kinds to measure, with their options."""

HEADS = ("kind", "bots", "decisions/s", "of floor", "CPU us", "of floor", "referee", "bots")
LINE = "{:9} {:9} {:>11} {:>9} {:>7} {:>9} {:>8} {:>6}"


@frozen
class Cost:
    """The cost of games, in decisions and seconds."""

    decisions: int
    elapsed: float
    referee: float
    bots: float

    def __sub__(self, other: Cost) -> Cost:
        return Cost(*map(sub, astuple(self), astuple(other)))

    @property
    def rate(self) -> float:
        """The decisions a second."""
        return self.decisions / self.elapsed

    @property
    def cpu_us(self) -> float:
        """The microseconds of CPU time for a decision, of the referees and of the bots."""
        return (self.referee + self.bots) / self.decisions * 1e6


def bench(pairs: int, concurrency: int, out: Output) -> None:
    """Print the rate and the CPU time of each pairing, and their ratios to those of the floor."""
    out(LINE.format(*HEADS))
    for kind in KINDS:
        costs, lines = {}, lines_of_game(kind)
        floors = [measure_floor(*lines, FLOOR_S)]
        for name, bot in BOTS.items():
            start = measure_tournament(kind, bot, WARM_UP, concurrency)
            costs[name] = measure_tournament(kind, bot, WARM_UP + pairs, concurrency) - start
            if min(costs[name].elapsed, costs[name].referee, costs[name].bots) <= 0:
                problem = f"{pairs} pairs take no longer than starting does"
                raise StartError(problem, hint="more --pairs")
            floors.append(measure_floor(*lines, FLOOR_S))
        floor = sorted(floors, key=lambda cost: cost.cpu_us)[len(floors) // 2]
        for name, cost in {"floor": floor, **costs}.items():
            print_cost(kind, name, cost, floor, out)


def print_cost(kind: str, name: str, cost: Cost, floor: Cost, out: Output) -> None:
    """Print a line of the table."""
    each = 1e6 / cost.decisions
    figures = {
        "decisions_per_s": cost.rate,
        "decisions_ratio": cost.rate / floor.rate,
        "cpu_us_per_decision": cost.cpu_us,
        "cpu_ratio": cost.cpu_us / floor.cpu_us,
        "referee_cpu_us_per_decision": cost.referee * each,
        "bots_cpu_us_per_decision": cost.bots * each,
    }
    formats = (".0f", ".2f", ".1f", ".2f", ".1f", ".1f")
    cells = [f"{value:{form}}" for value, form in zip(figures.values(), formats, strict=True)]
    out(LINE.format(kind, name, *cells), measured="cost", kind=kind, bots=name, **figures)


def lines_of_game(kind: str) -> tuple[list[int], int]:
    """Return the length of each turn of a random game, and the mean length of a command."""
    luck = random.Random(1)
    join = Join(kind=kind, group=1, options=KINDS[kind])
    seats = tuple(Seat(nick, auto=True) for nick in ("random#1", "random#2"))
    match = Match.start("0" * 16, read_terms(join), seats, bytes(32), 0)
    reply = len(encode(Reply(cmd=Notify.cmd)))
    turns, commands, since = [], [], 1
    while match.turn is not None:
        (legal,) = list_due_seats(match).values()
        events = tuple(make_turn_change(match, since).events)
        turn = make_turn(match, legal, events, match.moments[-1].left, names_game=False)
        turns.append(reply + len(encode(turn)))
        move = luck.choice(legal.moves)
        commands.append(len(json.dumps({**move, "game": match.id})) + 1)
        since, seat = match.seq, match.turn
        fields = {name: move[name] for name in move if name != "cmd"}
        match = match.play(seat, Notify.cmd, fields, 0)
    return turns, round(sum(commands) / len(commands))


def measure_floor(lines: list[int], answer: int, seconds: float) -> Cost:
    """Let three processes on each of two processors exchange lines at the same time."""
    processors = sorted(os.sched_getaffinity(0))[:CORES]
    running = [bare_tournament.start(each, lines, answer, seconds) for each in processors]
    costs = [Cost(*json.loads(process.communicate()[0])) for process in running]
    return Cost(
        sum(cost.decisions for cost in costs),
        max(cost.elapsed for cost in costs),
        sum(cost.referee for cost in costs),
        sum(cost.bots for cost in costs),
    )


def measure_tournament(kind: str, bot: str, pairs: int, concurrency: int) -> Cost:
    """Play a tournament of so many pairs, and return its cost."""
    settings = {
        "seed": "bench",
        "kind": kind,
        "options": KINDS[kind],
        "clock": {"move": 60.0},
        "format": "round-robin",
        "pairs": pairs,
    }
    before = time.monotonic(), measure_cpu_seconds(), measure_cpu_seconds(RUSAGE_CHILDREN)
    with (
        tempfile.TemporaryDirectory() as folder,
        create_tournament(Path(folder), settings, (bot, bot)) as tournament,
    ):
        remote_ports = RemotePorts(_refuse_remote_bots, lambda _: None)
        shares = divide_processors(concurrency)
        run_settings = RunSettings(Path(folder), concurrency, USUAL, remote_ports, shares=shares)
        runner = Runner(tournament, run_settings)
        trio.run(runner.run, clock=ServerClock())
    process_slots = sum(branch.cpu_s for branch in runner.slots.of_processes)
    results = tournament.queue.results.values()
    decisions = sum(seat.decisions for result in results for seat in result.thinking)
    if not decisions:
        reasons = ", ".join({result.detail for result in results})
        raise StartError(f"{bot} has played no game: {reasons}")
    return Cost(
        decisions,
        time.monotonic() - before[0],
        measure_cpu_seconds() - before[1] + process_slots,
        measure_cpu_seconds(RUSAGE_CHILDREN) - before[2] - process_slots,
    )


def _refuse_remote_bots() -> Identity:
    raise StartError("the benchmark has no remote bots")
