"""`python -m tests.cluster --kills 30`: does a killed cluster change any result?

First, the tests of clusters run that are too slow for the gate. Then workers are
killed, stopped and continued, or reach their lifetime; the scheduler is restarted, and the
connection to it is cut, at random moments. The results must be those of the same tournament on one
machine.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.cable import Cable
from tests.cluster.dask_processes import (
    DaskProcesses,
    TournamentProcess,
    read_journal_rows,
    run_cluster,
)
from tests.resume.killed_tournament import differences, results

BOTS = ("random", "greedy", "first")
WAYS = ("kill worker",) * 6 + ("restart scheduler",) * 2 + ("stop worker",) * 2
WAYS += ("cut connection",) * 2
LIFETIMES_S = (10, 40)
TESTS = Path(__file__).parents[1]


def main() -> int:
    """Play tournaments with and without kills; return 1 if any result differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster", description=__doc__)
    parser.add_argument("--kills", type=int, default=30, help="how often (%(default)s)")
    parser.add_argument("--pairs", type=int, default=60, help="of each two bots (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (%(default)s)")
    parser.add_argument("--no-tests", dest="tests", action="store_false", help="only the kills")
    args = parser.parse_args()
    if args.tests and pytest.main(["-m", "driver", str(TESTS / "cluster"), str(TESTS / "bench")]):
        return 1
    luck, done, wrong = random.Random(args.seed), 0, []
    began = time.monotonic()
    while done < args.kills:
        folder = Path(tempfile.mkdtemp(prefix="tabnet-cluster-"))
        options = ("--pairs", str(args.pairs), "--seed", f"{args.seed} {done}", "--size", "7")
        with TournamentProcess(folder / "a.txt", *BOTS, *options, "--out", str(folder / "a")) as a:
            assert a.wait() == 0, a.output
        done += disturb(folder, options, luck, args.kills - done)
        wrong += differences(results(folder / "a"), results(folder / "b"))
        failures = read_journal_rows(folder / "b", "failure")
        print(f"{done} kills; {len(failures)} games failed once; {folder}", flush=True)
    print(f"{done} kills, {time.monotonic() - began:.0f} s")
    for line in wrong:
        print(f"DIFFERS: {line}")
    return 1 if wrong else 0


def disturb(folder: Path, options: tuple[str, ...], luck: random.Random, most: int) -> int:
    """Play a tournament on a cluster that is disturbed until it ends; return how often."""
    count = 0
    with run_cluster(folder / "dask", workers=2) as cluster, Cable(cluster.port) as cable:
        address = f"tcp://127.0.0.1:{cable.port}"
        arguments = (*BOTS, *options, "--out", str(folder / "b"), "--dask", address)
        with TournamentProcess(folder / "b.txt", *arguments) as tournament:
            while tournament.process.poll() is None:
                time.sleep(luck.uniform(0.5, 6))  # the pace of this driver
                while sum(worker.poll() is None for worker in cluster.workers) < 2:
                    cluster.start_worker("--lifetime", f"{luck.randint(*LIFETIMES_S)}s")
                if count < most and tournament.process.poll() is None:
                    way = luck.choice(WAYS)
                    disturb_once(cluster, cable, way, luck)
                    count += 1
                    print(f"  {way}", flush=True)
            assert tournament.process.returncode == 0, tournament.output
    return count


def disturb_once(cluster: DaskProcesses, cable: Cable, way: str, luck: random.Random) -> None:
    alive = [worker for worker in cluster.workers if worker.poll() is None]
    if way == "restart scheduler":
        cluster.restart_scheduler()
    elif way == "cut connection":
        cable.cut()
        time.sleep(luck.uniform(0, 3))  # the connection is away for so long
        cable.mend()
    elif alive:
        worker = luck.choice(alive)
        os.kill(worker.pid, signal.SIGKILL if way == "kill worker" else signal.SIGSTOP)
        if way == "stop worker":
            time.sleep(luck.uniform(1, 5))  # the worker stands still for so long
            os.kill(worker.pid, signal.SIGCONT)
        else:
            worker.wait()


if __name__ == "__main__":
    sys.exit(main())
