"""Games on a server that is stopped while a player's clock runs."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import trio
from attrs import frozen

from tests.cli.processes import serving
from tests.harness import Talker

CLOCK_S = 6
CLOCKS = ({"move": CLOCK_S}, {"total": CLOCK_S, "increment": 1})
THOUGHT_S = 2.0
"""The time that each player has used when the server is stopped."""
SLACK_S = 0.7
"""The time that the server may charge too much or too little, for looks and a busy machine."""
TIMEOUT_S = 30


@frozen
class Game:
    """A game of two guests; `mover` has to roll."""

    clock: dict[str, float]
    mover: Talker
    other: Talker


async def begin(port: int, clock: dict[str, float]) -> Game:
    """Seat two guests."""
    talkers = [Talker(await trio.open_tcp_stream("127.0.0.1", port)) for _ in range(2)]
    for talker in talkers:
        await talker.receive()
        await talker.ask(cmd="join", kind="tab", size=7, group=1, clock=clock)
    for talker in talkers:
        await talker.until(type="update", seq=1)
    return Game(clock, *talkers)


async def roll(game: Game) -> tuple[dict[str, Any], float]:
    """Roll; return the next update and the seconds until it came."""
    start = time.monotonic()
    await game.mover.send(cmd="roll")
    update = await game.other.until(type="update", seq=2)
    return update, time.monotonic() - start


async def problems(stop_s: float) -> list[str]:
    """Return every game that the pause changed."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        games = [[await begin(server.tcp_port, clock) for clock in CLOCKS] for _ in range(3)]
        await trio.sleep(THOUGHT_S)
        found: list[str] = []
        async with trio.open_nursery() as nursery:
            for during, after, silent in zip(*games, strict=True):
                nursery.start_soon(move_in_pause, during, stop_s, found)
                nursery.start_soon(move_after_pause, after, stop_s, found)
                nursery.start_soon(run_out_of_time, silent, stop_s, found)
            os.kill(server.process.pid, signal.SIGSTOP)
            await trio.sleep(stop_s)
            os.kill(server.process.pid, signal.SIGCONT)
    return found


async def move_in_pause(game: Game, stop_s: float, found: list[str]) -> None:
    """Send a roll in the middle of the pause."""
    await trio.sleep(stop_s / 2)
    update, _ = await roll(game)
    found += rolled(f"a roll in the pause, clock {game.clock}", game, update, THOUGHT_S)


async def move_after_pause(game: Game, stop_s: float, found: list[str]) -> None:
    """Send a roll one second after the pause."""
    await trio.sleep(stop_s + 1)
    update, _ = await roll(game)
    found += rolled(f"a roll after the pause, clock {game.clock}", game, update, THOUGHT_S + 1)


async def run_out_of_time(game: Game, stop_s: float, found: list[str]) -> None:
    """Send nothing: the clock runs out, as much later as the pause lasts."""
    start = time.monotonic()
    with trio.fail_after(stop_s + TIMEOUT_S):
        update = await game.other.until(type="update", seq=2)
    waited, expected = time.monotonic() - start, CLOCK_S - THOUGHT_S + stop_s
    print(f"no roll, clock {game.clock}: {update['event']['type']} after {waited:.2f} s")
    if abs(waited - expected) > SLACK_S or update["event"]["type"] != "timeout":
        found.append(f"no roll, clock {game.clock}: a timeout should come after {expected:.1f} s")


def rolled(name: str, game: Game, update: dict[str, Any], thought_s: float) -> Iterator[str]:
    """Compare what the mover has left with the time that the mover used."""
    event, left = update["event"]["type"], update["clock"][update["initial"]]
    print(f"{name}: {event}, {left:.2f} s left")
    if event != "roll":
        yield f"{name}: the game ended with {event}"
    elif "total" in game.clock:
        earned = update["turn"] != update["initial"]
        expected = CLOCK_S - thought_s + earned
        if abs(left - expected) > SLACK_S:
            yield f"{name}: {left:.2f} s are left instead of {expected:.2f} s"
