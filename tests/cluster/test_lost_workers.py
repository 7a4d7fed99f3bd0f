"""Workers that are stopped, run out of memory or reach their lifetime; bots that kill them."""

from __future__ import annotations

import signal

import pytest

from tests.cluster.dask_processes import (
    StartedProcesses,
    TournamentProcess,
    read_journal_rows,
    run_cluster,
)
from tests.polling import TIMEOUT_S, until

pytestmark = pytest.mark.driver

OPTIONS = ("--size", "7", "--seed", "7", "--max-moves", "300")
NOISY = """
import time
from random import SystemRandom
class Bot:
    def choose(self, state, moves, left):
        time.sleep(0.003)
        return SystemRandom().choice(moves)
"""
KILLER = """
import os
import time
from pathlib import Path
class Bot:
    def choose(self, state, moves, left):
        time.sleep(0.003)
        go = Path({go!r})
        if go.exists():
            go.unlink()
            for pid in find_ancestors():
                os.kill(pid, 9)
        return moves[0]

def find_ancestors():
    pids = [os.getppid()]
    while b"distributed.cli.dask_worker" not in Path(f"/proc/{{pids[0]}}/cmdline").read_bytes():
        status = Path(f"/proc/{{pids[0]}}/stat").read_text()
        pids.insert(0, int(status.rpartition(")")[2].split()[1]))
    return pids  # the nanny is the first one
"""
FILL_MEMORY = "dask_worker.memory = b'x' * 800_000_000"
NO_PAUSE = {"DASK_DISTRIBUTED__WORKER__MEMORY__PAUSE": "false"}
SHORT = """
from tabnet.tournament.play.cluster import cluster_queue, dask_thread, worker_signs
dask_thread.LIST_S, worker_signs.MAX_SILENCE_S, cluster_queue.TASK_S = 0.2, 2.5, 0.3
"""
LEASE = "from tabnet.tournament.play.cluster import worker_referees; worker_referees.LEASE_S = 2"


def test_a_stopped_worker_is_lost_and_plays_again_when_it_is_continued(tmp_path):
    folder = tmp_path / "t"
    (tmp_path / "noisy.py").write_text(NOISY)
    bots = str(tmp_path / "noisy.py"), "first", "--pairs", "24"
    with run_cluster(tmp_path / "dask", workers=0) as cluster:
        first = cluster.start_worker(statements=LEASE)
        with begin(folder, cluster, *bots, statements=SHORT) as tournament:
            until(lambda: list_ended_games(folder))
            first.send_signal(signal.SIGSTOP)
            started, second = StartedProcesses([first]), cluster.start_worker()
            (lost,) = until(lambda: read_journal_rows(folder, "worker_lost"))
            started.require_end()
            until(lambda: set(lost["games"]) <= list_ended_games(folder))
            second.send_signal(signal.SIGSTOP)  # only the first one can play on
            first.send_signal(signal.SIGCONT)
            conflicts = until(lambda: read_journal_rows(folder, "conflict"))
            count = len(list_ended_games(folder))
            until(lambda: len(list_ended_games(folder)) > count)
            tournament.process.send_signal(signal.SIGINT)
            assert tournament.wait() == 130, tournament.output
            game = conflicts[0]["game"]
            assert game in lost["games"]
            assert f"Game {game} was played again, and ended differently" in tournament.output
    assert len(list_ended_games(folder)) == len(read_journal_rows(folder, "result"))


def test_a_worker_without_memory_and_a_killed_nanny_cost_no_bot_a_game(tmp_path):
    folder, go = tmp_path / "t", tmp_path / "go"
    (tmp_path / "killer.py").write_text(KILLER.format(go=str(go)))
    bots = str(tmp_path / "killer.py"), "random", "--pairs", "12", "--sandbox", "none"
    with run_cluster(tmp_path / "dask", workers=0) as cluster:
        nanny = cluster.start_worker("--memory-limit", "500MB", nanny=True, variables=NO_PAUSE)
        with begin(folder, cluster, *bots) as tournament:
            until(lambda: list_ended_games(folder))
            cluster.run_in_first_worker(FILL_MEMORY)
            until(lambda: len(read_journal_rows(folder, "worker_lost")) == 1)
            count = len(list_ended_games(folder))
            until(lambda: len(list_ended_games(folder)) > count)  # on the nanny's next worker
            started = StartedProcesses([nanny])
            go.touch()
            nanny.wait(TIMEOUT_S)
            started.require_end()
            until(lambda: len(read_journal_rows(folder, "worker_lost")) == 2)
            cluster.start_worker()
            assert tournament.wait() == 0, tournament.output
    causes = {row["cause"] for row in read_journal_rows(folder, "result")}
    assert causes <= {"normal", "max_moves"}
    assert len(list_ended_games(folder)) == 24


def begin(folder, cluster, *arguments, statements=""):
    options = (*arguments, *OPTIONS, "--out", str(folder), "--dask", cluster.address)
    return TournamentProcess(folder.with_name("output"), *options, statements=statements)


def list_ended_games(folder):
    return {row["game"]["id"] for row in read_journal_rows(folder, "result")}
