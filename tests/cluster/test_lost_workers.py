"""Workers that are stopped, run out of memory or reach their lifetime; bots that kill them."""

from __future__ import annotations

import signal
import time

from tests.cluster.dask_processes import (
    StartedProcesses,
    TournamentProcess,
    read_journal_rows,
    run_cluster,
)
from tests.polling import until

OPTIONS = ("--size", "7", "--seed", "7", "--max-moves", "300")
NOISY = """
import time
from random import SystemRandom
class Bot:
    def choose(self, state, moves, left):
        time.sleep(0.003)
        return SystemRandom().choice(moves)
"""
SHORT = """
from tabnet.tournament.play.cluster import cluster_queue, dask_thread, worker_signs
dask_thread.LIST_S, worker_signs.MAX_SILENCE_S, cluster_queue.TASK_S = 0.2, 2.5, 0.3
"""
LEASE = "from tabnet.tournament.play.cluster import worker_referees; worker_referees.LEASE_S = 2"
ENDS_S = 5.0
"""The time for the referee and the bots of a lost worker to end."""


def test_a_stopped_worker_is_lost_and_plays_again_when_it_is_continued(tmp_path):
    folder = tmp_path / "t"
    (tmp_path / "noisy.py").write_text(NOISY)
    bots = str(tmp_path / "noisy.py"), "first", "--pairs", "12"
    with run_cluster(tmp_path / "dask", workers=0) as cluster:
        first = cluster.start_worker(statements=LEASE)
        with begin(folder, cluster, *bots, statements=SHORT) as tournament:
            until(lambda: list_ended_games(folder))
            first.send_signal(signal.SIGSTOP)
            started, second = StartedProcesses([first]), cluster.start_worker()
            (lost,) = until(lambda: read_journal_rows(folder, "worker_lost"))
            require_end(started)
            until(lambda: set(lost["games"]) <= list_ended_games(folder))
            second.send_signal(signal.SIGSTOP)  # only the first one can play on
            first.send_signal(signal.SIGCONT)
            assert tournament.wait() == 0, tournament.output
            conflicts = {row["game"] for row in read_journal_rows(folder, "conflict")}
            assert set(lost["games"]) >= conflicts != set()
            assert f"Game {min(conflicts)} was played again, and ended diff" in tournament.output
    assert len(list_ended_games(folder)) == len(read_journal_rows(folder, "result")) == 24


def begin(folder, cluster, *arguments, statements=""):
    options = (*arguments, *OPTIONS, "--out", str(folder), "--dask", cluster.address)
    return TournamentProcess(folder.with_name("output"), *options, statements=statements)


def list_ended_games(folder):
    return {row["game"]["id"] for row in read_journal_rows(folder, "result")}


def require_end(started):
    """The referee and the bots of a lost worker end in time."""
    assert started.pids
    began = time.monotonic()
    until(started.are_gone)
    assert time.monotonic() - began < ENDS_S
