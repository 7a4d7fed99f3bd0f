"""`tabnet bench cluster`: that it measures, not what it measures."""

from __future__ import annotations

import sys

import pytest

from tabnet.bench.cluster import cluster_limits, tournament_rates
from tabnet.bench.output import Figures
from tabnet.cli import main


def test_games_are_counted_by_the_time_at_which_they_began(monkeypatch):
    monkeypatch.setattr(tournament_rates, "WARM_UP_S", 0.0)
    monkeypatch.setattr(tournament_rates, "LAST_TASKS_S", 0.0)
    options = ("--max-moves", "10", "--concurrency", "2", "--sandbox", "none")
    assert tournament_rates.measure_rate(tournament_rates.WORKING, options, 1.0) >= 1


@pytest.mark.driver
def test_simulated_workers_use_up_a_scheduler_and_a_runner(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster_limits, "SETTLE_S", 0.0)
    lines, figures = [], Figures()
    monkeypatch.setattr(cluster_limits, "GAME_S", (0.05,))

    def out(line, **fields):
        lines.append(line)
        figures(line, **fields)

    cluster_limits.measure_all_limits(workers=3, seconds=4.0, out=out)
    limits, journal = figures.found
    assert (limits["measured"], limits["workers"], limits["game_s"]) == ("limits", 3, 0.05)
    assert limits["games_per_s"] > 1
    assert limits["runner_mib"] > 10
    assert lines[-2].split()[:2] == ["3", "0.05"]
    assert float(lines[-2].split()[-1]) > 10
    assert journal["games_per_s"] > 100


def test_without_distributed_the_benchmark_names_it(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setattr("tabnet.cli.bench.find_spec", lambda _: None)
    assert main(["bench", "cluster"]) == 1
    assert "bench cluster needs the package `distributed`" in capsys.readouterr().err
