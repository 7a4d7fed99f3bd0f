"""`tabnet bench cluster`: that it measures, not what it measures."""

from __future__ import annotations

import sys

import pytest

from tabnet.bench import cluster, cluster_limits
from tabnet.cli import main


def test_games_are_counted_by_the_time_at_which_they_began(monkeypatch):
    monkeypatch.setattr(cluster, "WARM_UP_S", 0.0)
    monkeypatch.setattr(cluster, "LAST_TASKS_S", 0.0)
    options = ("--max-moves", "10", "--concurrency", "2", "--sandbox", "none")
    assert cluster.measure_rate(cluster.WORKING, options, 1.0) >= 1


def test_simulated_workers_use_up_a_scheduler_and_a_runner(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster_limits, "SETTLE_S", 0.0)
    line = cluster_limits.measure_limits(workers=3, game_s=0.05, seconds=4.0).split()
    assert line[:2] == ["3", "0.05"]
    assert float(line[2]) > 1
    assert float(line[-1]) > 10
    assert cluster_limits.measure_journal(seconds=0.1) > 100


def test_without_distributed_the_benchmark_names_it(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setattr("tabnet.cli.bench.find_spec", lambda _: None)
    assert main(["bench", "cluster"]) == 1
    assert "bench cluster needs the package `distributed`" in capsys.readouterr().err
