"""Tournaments of three and four, with real processes: who errs is out, and the others play on."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from tabnet.tournament.play import journal_file as journal
from tabnet.tournament.play.tournament_folder import resume_tournament
from tabnet.tournament.records import game_record as record
from tabnet.tournament.records.journal_lines import GAMES, JOURNAL, LOGS
from tests.tournament.run_games import LATE, faulty, go_on, nobody_left, play, run_settings_in
from tests.tournament.told import told

FISH = {"kind": "fish", "options": {}, "seats": 3}

ENDS = [
    ("dies_of_a_signal", "crash", "killed by SIGSEGV"),
    ("exits_0_in_mid_game", "crash", "exit code 0"),
    ("answers_garbage", "malformed", "this is not JSON"),
    ("plays_an_illegal_move", "illegal_move", '"cell": 35'),
    ("ignores_sigterm", "timeout_move", "more than 0.5 s for a move"),
    ("hangs_up", "disconnect", "hung up"),
]


@pytest.mark.parametrize(("way", "cause", "detail"), ENDS)
async def test_who_errs_is_out_with_a_cause_and_the_others_play_on(
    way, cause, detail, tmp_path, monkeypatch
):
    with nobody_left(monkeypatch):
        bots = ["first", faulty("good"), faulty(way)]
        runner = await play(tmp_path, bots, late=way in LATE, **FISH)
    names, results = runner.queue.plan.names, runner.queue.results.values()
    assert {result.game.seats for result in results} == set(permutations(names))
    played = [result for result in results if result.cause != "out"]
    assert played
    for result in played:
        seat = result.game.seats.index(names[-1])
        assert (result.cause, result.culprit) == ("normal", None)
        (blame,) = result.removed
        assert (blame.seat, blame.cause) == (seat, cause)
        assert detail in blame.detail
        assert result.places[seat] == 3
        assert {*result.winners} < {0, 1, 2} - {seat} or len(result.winners) == 2
        log = (tmp_path / LOGS / f"{result.game.id}.log").read_text()
        assert f"\n{cause} of {names[-1]}: " in log
        kept = record.load((tmp_path / GAMES / f"{result.game.id}.json").read_bytes())
        assert f"!{seat}" in kept.actions
        assert list(record.replayed(kept))[-1].state.outcome().points == result.points
    out = len(results) - len(played)
    assert out == (3 if cause in ("crash", "malformed", "disconnect") else 0)


async def test_when_two_err_the_third_has_won(tmp_path, monkeypatch):
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
            runs.append(told(await play(folder, bots, concurrency=concurrency, **FISH)))
    assert len(runs[0]) == 4 * 6
    assert runs[0] == runs[1]


async def test_exactly_the_missing_games_are_played_and_come_to_the_same(tmp_path, monkeypatch):
    bots = ["random", *[faulty("good")] * 2]
    whole = await play(tmp_path, bots, **FISH)
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join(lines[:-3]) + lines[-3][:50])
    with nobody_left(monkeypatch), resume_tournament(tmp_path) as tournament:
        again = await go_on(tournament, run_settings_in(tmp_path))
    assert again.played == 3
    assert told(again) == told(whole)
    assert len(journal.look(tmp_path).results) == 6


async def test_four_play_in_all_orders(tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, [faulty("good")] * 4, **{**FISH, "seats": 4})
    results = runner.queue.results.values()
    assert len(results) == 24
    assert Counter(result.cause for result in results) == {"normal": 24}
    boards = {
        str(record.load((tmp_path / GAMES / f"{result.game.id}.json").read_bytes()).layout)
        for result in results
    }
    assert len(boards) == 1
