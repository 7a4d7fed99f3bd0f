"""Tournaments of three and four: a faulty bot is out, and the others play on."""

from __future__ import annotations

from collections import Counter

import pytest

from tabnet.tournament.play import journal_file as journal
from tabnet.tournament.play.tournament_folder import resume_tournament
from tabnet.tournament.records import replay_record as record
from tabnet.tournament.records.journal_lines import GAMES, JOURNAL
from tests.hostile_bots.faults import FISH, check_fault_of_three
from tests.tournament.run_games import faulty, go_on, nobody_left, play, run_settings_in
from tests.tournament.run_results import results_without_times

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("way", ["answers_garbage", "ignores_sigterm"])
async def test_a_faulty_bot_is_out_with_a_cause_and_the_others_play_on(way, tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        await check_fault_of_three(tmp_path, way)


async def test_when_two_are_at_fault_the_third_has_won(tmp_path, monkeypatch):
    bots = ["first", faulty("answers_garbage"), faulty("exits_0_in_mid_game")]
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, bots, **FISH)
    played = [result for result in runner.queue.results.values() if result.cause != "out"]
    for result in played:
        assert result.cause == "crash"
        assert [result.game.seats[seat] for seat in result.winners] == ["first"]
        assert sorted(result.places) == [1, 2, 3]
        assert result.places[result.culprit] == 2
        assert [each.cause for each in result.removed] == ["malformed"]


async def test_results_do_not_depend_on_concurrency(tmp_path, monkeypatch):
    runs = []
    for concurrency in (1, 3):
        folder = tmp_path / str(concurrency)
        folder.mkdir()
        bots = ["random", *[faulty("good")] * 2, faulty("dies_of_a_signal")]
        with nobody_left(monkeypatch):
            runs.append(
                results_without_times(await play(folder, bots, concurrency=concurrency, **FISH))
            )
    assert len(runs[0]) == 4 * 6
    assert runs[0] == runs[1]


async def test_exactly_the_missing_games_are_played_with_the_same_results(tmp_path, monkeypatch):
    bots = ["random", *[faulty("good")] * 2]
    whole = await play(tmp_path, bots, **FISH)
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join(lines[:-3]) + lines[-3][:50])
    with nobody_left(monkeypatch), resume_tournament(tmp_path) as tournament:
        again = await go_on(tournament, run_settings_in(tmp_path))
    assert again.played == 3
    assert results_without_times(again) == results_without_times(whole)
    assert len(journal.read_journal_file(tmp_path).results) == 6


async def test_four_play_in_all_orders(tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, [faulty("good")] * 4, **{**FISH, "seats": 4})
    results = runner.queue.results.values()
    assert len(results) == 24
    assert Counter(result.cause for result in results) == {"normal": 24}
    boards = {
        str(record.decode_record((tmp_path / GAMES / f"{result.game.id}.json").read_bytes()).layout)
        for result in results
    }
    assert len(boards) == 1
