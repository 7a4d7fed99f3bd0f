"""Bots that do wrong: each of their games ends with the right cause, in time, and others go on."""

from __future__ import annotations

import pytest

from tabnet.cli.options.server_options import find_first_error
from tabnet.errors import StartError
from tabnet.tournament.play.bots.bot_process import ProcessLimits
from tabnet.tournament.play.bots.process_output import FIRST_BYTES, LAST_BYTES
from tabnet.tournament.records.journal_lines import LOGS
from tests.hostile_bots.faults import check_fault_of_two
from tests.tournament.run_games import faulty, nobody_left, play

pytestmark = pytest.mark.slow

# `python -m tests.hostile_bots` plays against every fault.
FAULTS = ["crashes_at_move_20", "connects_and_says_nothing", "sends_a_long_line", "ignores_sigterm"]


@pytest.mark.parametrize("way", FAULTS)
async def test_each_fault_has_its_cause_and_others_play_on(way, tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        await check_fault_of_two(tmp_path, way)


async def test_the_beginning_and_the_end_of_long_output_are_kept(tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", faulty("shouts")])
    for result in runner.queue.results.values():
        log = (tmp_path / LOGS / f"{result.game.id}.log").read_text()
        assert FIRST_BYTES < len(log) < 2 * (FIRST_BYTES + LAST_BYTES) + 300_000
        assert "bytes are left out]" in log
        assert "the last words" in log


async def test_three_crashes_in_a_row_remove_a_bot(tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", faulty("crashes_at_move_20"), "random"], pairs=3)
    name = runner.queue.plan.names[1]
    causes = [result.cause for result in runner.queue.results.values() if name in result.game.seats]
    assert sorted(causes) == ["crash"] * 3 + ["out"] * 9
    assert set(runner.queue.out) == {name}


async def test_processes_are_limited(tmp_path, monkeypatch):
    monkeypatch.setenv("TEST_FILE", str(tmp_path / "large"))
    limits = ProcessLimits(memory=2**28, file=10**6)
    with nobody_left(monkeypatch):
        sources = [faulty("eats_memory"), faulty("writes_a_large_file")]
        runner = await play(tmp_path, sources, limits=limits)
    causes = {result.cause for result in runner.queue.results.values()}
    details = {result.detail for result in runner.queue.results.values()}
    assert causes == {"crash"}
    assert details <= {
        "it had more than 256 MiB of memory",
        "exit code 1: OSError: [Errno 27] File too large",
    }
    assert (tmp_path / "large").stat().st_size <= 10**6


async def test_two_bots_of_one_name_play_under_two(tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", "first"])
    assert runner.queue.plan.names == ("first", "first 2")
    assert [result.cause for result in runner.queue.results.values()] == ["normal"] * 2


async def test_a_bot_file_that_cannot_be_loaded_is_reported_before_the_first_game(
    tmp_path, monkeypatch
):
    (tmp_path / "bad.py").write_text(
        "import random\n\ndef choose(state, moves, left):\n  retrun 1\n"
    )
    whole = pytest.RaisesGroup(StartError, flatten_subgroups=True)
    with nobody_left(monkeypatch), whole as raised:
        await play(tmp_path, ["first", str(tmp_path / "bad.py"), "random"])
    error = find_first_error(raised.value)
    assert isinstance(error, StartError)
    assert f"{tmp_path}/bad.py:4: invalid syntax" in error.text
    assert not list((tmp_path / LOGS).iterdir())
