"""Bots that do wrong: each of their games ends with the right cause, in time, and others go on."""

from __future__ import annotations

import pytest
import trio

from tabnet.tournament.folder import LOGS
from tabnet.tournament.process import Fence
from tests.tournament.arenas import faulty, nobody_left, play

ENDS = [
    ("crashes_at_once", "start_failed", "exit code 3: this cannot be"),
    ("crashes_at_move_20", "crash", "exit code 1: ZeroDivisionError"),
    ("dies_of_a_signal", "crash", "killed by SIGSEGV"),
    ("never_connects", "start_failed", "did not ask for a game within 3 s"),
    ("connects_and_says_nothing", "start_failed", "did not ask for a game within 3 s"),
    ("greets_with_garbage", "start_failed", "its last line was good morning"),
    ("answers_garbage", "malformed", "this is not JSON"),
    ("sends_a_long_line", "malformed", "65536"),
    ("plays_an_illegal_move", "illegal_move", '"cell": 35'),
    ("is_too_slow_by_10_ms", "timeout_move", "more than 0.5 s for a move"),
    ("ignores_sigterm", "timeout_move", "more than 0.5 s for a move"),
    ("leaves_a_child", "crash", "exit code 4"),
    ("exits_0_in_mid_game", "crash", "exit code 0"),
    ("hangs_up", "disconnect", "hung up"),
]


@pytest.mark.parametrize(("way", "cause", "detail"), ENDS)
async def test_each_fault_has_its_cause_and_others_play_on(
    way, cause, detail, tmp_path, monkeypatch
):
    start = trio.current_time()
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", "random", faulty(way)])
    assert trio.current_time() - start < 20
    results = list(runner.docket.results.values())
    assert len(results) == 6
    name = runner.docket.plan.names[-1]
    for result in results:
        if name not in result.game.seats:
            assert result.cause == "normal"
            continue
        seat = result.game.seats.index(name)
        told = (result.cause, result.culprit, result.winners)
        if result.cause != "out":
            assert told == (cause, seat, (1 - seat,)), result
            assert detail in result.detail
            assert (tmp_path / LOGS / f"{result.game.id}.log").stat().st_size < 1_000_000
