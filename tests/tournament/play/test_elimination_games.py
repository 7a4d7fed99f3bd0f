"""Eliminations with real processes: check-in, faulty bots, resumption."""

from __future__ import annotations

import pytest

from tabnet.errors import StartError
from tabnet.tournament.plan.elimination import compute_rounds
from tabnet.tournament.play.journal_file import read_journal_file
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.startup_check import find_failed_starts
from tabnet.tournament.play.tournament_folder import resume_tournament
from tabnet.tournament.records.journal_lines import JOURNAL
from tests.resume.killed_tournament import begin_elimination, differences, disturbed, undisturbed
from tests.tournament.run_games import faulty, go_on, nobody_left, play, run_settings_in
from tests.tournament.run_results import results_without_times

FISH = {"kind": "fish", "options": {}, "format": "elimination", "seats": 4}


def rounds_of(runner):
    """Return the rounds of a tournament that a runner has played."""
    return compute_rounds(runner.queue.plan, tuple(runner.queue.results.values()))


async def test_a_faulty_player_is_out_and_the_winners_go_on(tmp_path, monkeypatch):
    bots = [faulty("dies_of_a_signal"), "random", "first", "random", "first"]
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, bots, **FISH)
    course = rounds_of(runner)
    first = course.rounds[0]
    crashed = runner.queue.plan.names[0]
    assert [len(group.players) for group in first.groups] == [3, 2]
    assert first.groups[0].faults == {crashed: "crash"}
    assert crashed not in first.winners
    assert course.ending == "Round 2 was the final, because it had at most 4 players."
    assert set(course.winners) <= set(first.winners)


@pytest.mark.slow
async def test_entrants_that_do_not_connect_in_time_are_out(tmp_path, monkeypatch):
    silent = [faulty("never_connects"), faulty("crashes_at_once")]
    bots = ["first", silent[0], "random", "first", silent[1], "random", "first"]
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, bots, late=True, **FISH)
    names, course = runner.queue.plan.names, rounds_of(runner)
    assert dict(course.absent) == {
        names[1]: "it did not ask for a game within 2 s",
        names[4]: "this cannot be",
    }
    assert read_journal_file(tmp_path).absent == course.absent
    assert [group.players for group in course.rounds[0].groups] == [
        (names[0], names[2], names[3]),
        (names[5], names[6]),
    ]


@pytest.mark.parametrize("lines", [9, 10, 11, 12], ids=["no check-in", "no game", "one", "two"])
async def test_a_resumed_elimination_plays_the_missing_games(lines, tmp_path, monkeypatch):
    whole = await play(tmp_path, ["first", "random"] * 3, **FISH)
    journal = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join(journal[:lines]) + journal[lines][:30])
    with nobody_left(monkeypatch), resume_tournament(tmp_path) as tournament:
        again = await go_on(tournament, run_settings_in(tmp_path))
    assert again.played == len(whole.queue.results) - max(lines - 10, 0)
    assert results_without_times(again) == results_without_times(whole)
    assert read_journal_file(tmp_path).absent == {}


@pytest.mark.slow
def test_an_elimination_that_is_killed_repeatedly_has_the_same_results(tmp_path):
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    expected = undisturbed(alone, begin_elimination(alone, "a seed"))
    assert len(expected["elimination"]["rounds"][0]["players"]) == 9
    found, kills = disturbed(
        killed, begin_elimination(killed, "a seed"), "a seed", most=6, longest_s=1.5
    )
    assert kills
    assert differences(expected, found) == []


class FailingSlot:
    """A slot whose referee fails so many times."""

    def __init__(self, failures):
        self.failures = failures

    async def try_out(self, _):
        self.failures -= 1
        if self.failures >= 0:
            raise RefereeFailed("ValueError")


async def test_a_first_start_is_repeated_if_the_referee_fails():
    assert await find_failed_starts({"a": FailingSlot(2)}, 1) == {}
    with pytest.RaisesGroup(pytest.RaisesExc(StartError, match="fails before any game")):
        await find_failed_starts({"a": FailingSlot(3)}, 1)
