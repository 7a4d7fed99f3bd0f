"""The hosts of a cluster: their speed, and whether their results differ by more than chance."""

from __future__ import annotations

import random

import pytest
from attrs import evolve

from tabnet.tournament.plan.plan import make_games_of_pair
from tabnet.tournament.records.entrants_and_results import ThinkingTime
from tabnet.tournament.records.journal_lines import GameTiming
from tabnet.tournament.report.text_report import format_hosts
from tabnet.tournament.stats.hosts_table import compare_hosts, compute_hypergeometric_tail
from tests.tournament.made_results import plan, won

PLAN = plan("a", "b")
THINKING = (ThinkingTime(10, 50, 9, 20.0), ThinkingTime(10, 50, 9, 40.0))


def play(hosts, chance=lambda _: 0.5, late=lambda _: False, pairs=100, seed=1):
    """Pairs of games on each host; `a` wins with the chance of the host."""
    luck, results, timings, number = random.Random(seed), [], {}, 0
    for host in hosts:
        for _ in range(pairs):
            for game in make_games_of_pair(PLAN, "ab", number):
                result = won(game, "a" if luck.random() < chance(host) else "b", thinking=THINKING)
                if late(host):
                    result = evolve(result, cause="timeout_move", culprit=0)
                results.append(result)
                timings[game.id] = GameTiming(1000.0, 1004.0, host)
            number += 1
    return results, timings


def test_a_single_machine_has_no_table():
    results, timings = play([""])
    assert compare_hosts(results, timings) == ()
    assert format_hosts(()) == ""


def test_hosts_with_the_same_chances_have_no_warning():
    warned = sum(
        bool(row.warning)
        for seed in range(20)
        for row in compare_hosts(*play(["x", "y", "z"], seed=seed))
    )
    assert warned == 0


def test_a_row_sums_the_games_of_its_host():
    first, second = compare_hosts(*play(["x", "y"], pairs=2))
    assert (first.name, first.games, first.decisions, first.time_losses) == ("x", 4, 80, 0)
    assert (first.decisions_per_s, first.mean_cpu_ms) == (20.0, 3.0)
    assert first.warning == second.warning == ""


def test_a_host_with_other_scores_is_named():
    rows = compare_hosts(*play(["x", "y"], chance=lambda host: 0.8 if host == "y" else 0.4))
    assert "scores of its games differ" in rows[1].warning
    assert "y: the scores of its games differ" in format_hosts(rows)


def test_a_host_with_more_time_losses_is_named():
    rows = compare_hosts(*play(["x", "y"], late=lambda host: host == "y", pairs=10))
    assert [row.warning for row in rows] == [
        "",
        "20 of its 20 games ended because a bot took too long",
    ]


def test_few_or_equal_games_are_not_compared():
    assert all(not row.warning for row in compare_hosts(*play(["x", "y"], lambda _: 1.0)))
    few = play(["x", "y"], chance=lambda host: float(host == "y"), pairs=5)
    assert all(not row.warning for row in compare_hosts(*few))


def test_a_host_without_time_has_no_speed():
    results, timings = play(["x"], pairs=1)
    timings = {id: evolve(each, ended=1000.0) for id, each in timings.items()}
    (row,) = compare_hosts(results, timings)
    assert row.decisions_per_s is None
    unknown = evolve(row, mean_cpu_ms=None)
    assert format_hosts([unknown]).splitlines()[1].split() == ["x", "2", "0"]


def test_the_hypergeometric_tail_is_that_of_counting():
    assert compute_hypergeometric_tail(4, 2, 2, 0) == pytest.approx(1)
    assert compute_hypergeometric_tail(4, 3, 3, 0) == pytest.approx(1)
    assert compute_hypergeometric_tail(4, 2, 2, 2) == pytest.approx(1 / 6)
