"""Dask workers that sleep instead of playing: `python -m tabnet.bench.cluster.simulated_workers`.

All of them run in one process. They take the tasks of a tournament, report and return results like
those of real workers, but start no referee.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import cache, partial
from tempfile import TemporaryDirectory

from distributed import Worker, get_worker

from tabnet.tournament.play.cluster import host_probe, worker_tasks
from tabnet.tournament.play.cluster.worker_tasks import REPORT_S, TaskResult
from tabnet.tournament.play.referee_interface import PlayedGame
from tabnet.tournament.records.entrants_and_results import (
    NORMAL,
    Result,
    ScheduledGame,
    ThinkingTime,
)

RECORD = b"x" * 1500
"""As long as the usual record of a game."""
MOVES = 274


def main() -> None:
    """Run so many workers until the scheduler ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scheduler")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--game", type=float, default=1.0, help="the seconds of a game")
    args = parser.parse_args()
    simulate_games(args.game)
    asyncio.run(run_workers(args.scheduler, args.workers))


def simulate_games(seconds: float) -> None:
    """Let the tasks that arrive in this process sleep for so long in each game."""
    worker_tasks.play_pairs = partial(sleep_pairs, seconds)
    worker_tasks.prepare = lambda *_: []
    worker_tasks.try_out = lambda *_: None
    host_probe.describe_host = cache(host_probe.describe_host)


def sleep_pairs(
    seconds: float, token: str, key: str, pairs: Sequence[Sequence[ScheduledGame]]
) -> TaskResult:
    """Return results of all games, as late as if each took so many seconds."""
    worker, began, reported = get_worker(), time.monotonic(), 0.0
    games = [game for pair in pairs for game in pair]
    for game in games:
        if time.monotonic() - reported >= REPORT_S:
            reported = time.monotonic()
            report = {"task": key, "worker": worker.address, "moves": {game.id: 1}}
            worker.log_event(token, report)
        time.sleep(seconds)
    results = {game.id: make_played_game(game, seconds) for game in games}
    return TaskResult(results, time.monotonic() - began, "simulated")


def make_played_game(game: ScheduledGame, seconds: float) -> PlayedGame:
    seat = ThinkingTime(MOVES // 2, 100, 10, 50.0)
    result = Result(
        game=game,
        winners=(0,),
        points=(1, 0),
        cause=NORMAL,
        culprit=None,
        detail="",
        reason="all_captured",
        moves=MOVES,
        thinking=(seat, seat),
    )
    return PlayedGame(result, time.time() - seconds, RECORD)


async def run_workers(scheduler: str, workers: int) -> None:
    """Run workers with one slot each, until all have lost the scheduler."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        running = [
            await stack.enter_async_context(
                Worker(
                    scheduler,
                    nthreads=1,
                    host="127.0.0.1",
                    local_directory=folder,
                    dashboard=False,
                    death_timeout=5,
                    memory_limit=0,
                )
            )
            for _ in range(workers)
        ]
        for worker in running:
            await worker.finished()


if __name__ == "__main__":
    main()
