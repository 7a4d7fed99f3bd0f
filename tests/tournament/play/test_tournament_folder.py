"""Resuming plays exactly what is missing, with the bots that have played before."""

from __future__ import annotations

import re
import shutil

import pytest

from tabnet.client import bot_file
from tabnet.errors import StartError
from tabnet.tournament.play import journal_file as journal
from tabnet.tournament.play.tournament_folder import create_tournament, resume_tournament
from tabnet.tournament.records.journal_lines import JOURNAL
from tests.resume.killed_tournament import begin, differences, disturbed, undisturbed
from tests.tournament.run_games import go_on, nobody_left, play, run_settings_in, settings

pytestmark = pytest.mark.slow

BOTS = ["first", "random"]


def test_a_runner_that_is_killed_repeatedly_has_the_same_results(tmp_path):
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    expected = undisturbed(alone, begin(alone, "a seed", pairs=4))
    actual, kills = disturbed(killed, begin(killed, "a seed", pairs=4), "a seed", most=2)
    assert kills
    assert differences(expected, actual) == []


async def resume(folder, added=()):
    with resume_tournament(folder, added) as tournament:
        return await go_on(tournament, run_settings_in(folder))


async def test_exactly_the_missing_games_are_played(tmp_path, monkeypatch):
    whole = await play(tmp_path, BOTS, pairs=3)
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join(lines[:-2]) + lines[-2][:50])
    with nobody_left(monkeypatch):
        again = await resume(tmp_path)
    assert again.played == 2
    assert {id: (result.winners, result.moves) for id, result in again.queue.results.items()} == {
        id: (result.winners, result.moves) for id, result in whole.queue.results.items()
    }
    assert len(journal.read_journal_file(tmp_path).results) == 6


async def test_a_finished_tournament_starts_no_bot(tmp_path, monkeypatch):
    await play(tmp_path, BOTS)
    monkeypatch.setattr("tabnet.tournament.play.referee_slots.Referee", None)
    assert (await resume(tmp_path)).played == 0


async def test_a_new_bot_plays_all_others_and_no_game_is_repeated(tmp_path, monkeypatch):
    before = await play(tmp_path, BOTS)
    with nobody_left(monkeypatch):
        after = await resume(tmp_path, ["greedy", "random"])
    assert after.queue.plan.names == ("first", "random", "greedy", "random 2")
    assert after.played == 10
    assert before.queue.results.items() <= after.queue.results.items()
    assert list(journal.read_journal_file(tmp_path).entrants) == [
        "first",
        "random",
        "greedy",
        "random 2",
    ]


async def test_a_bot_that_has_changed_is_refused(tmp_path):
    bot = tmp_path / "mine.py"
    shutil.copy("bots/first.py", bot)
    folder = tmp_path / "other"
    await play(folder, ["random", str(bot)])
    bot.write_text(bot.read_text() + "# better\n")
    with (
        pytest.raises(StartError, match=re.escape(f"{bot} has changed")),
        resume_tournament(folder),
    ):
        pass


def test_a_bot_of_another_version_of_tabnet_is_refused(tmp_path, monkeypatch):
    with create_tournament(tmp_path / "it", settings(), BOTS):
        pass
    (tmp_path / "first.py").write_text("def choose(state, moves, left):\n    return moves[-1]\n")
    (tmp_path / "random_.py").touch()
    monkeypatch.setattr(bot_file, "HOUSE_BOT_FOLDERS", (tmp_path,))
    with pytest.raises(StartError) as refused, resume_tournament(tmp_path / "it"):
        pass
    assert refused.value.text == "first has changed since the tournament began"
    assert refused.value.hint.startswith("finish it with that version of tabnet, or")


def test_one_runner_at_a_time(tmp_path):
    with create_tournament(tmp_path, settings(), BOTS):
        with (
            pytest.raises(StartError, match="is being played already"),
            resume_tournament(tmp_path),
        ):
            pass
        again = create_tournament(tmp_path, settings(), BOTS)
        with pytest.raises(StartError, match="there is a tournament in"), again:
            pass
    with resume_tournament(tmp_path):
        pass


def test_a_folder_without_a_tournament_cannot_be_resumed(tmp_path):
    with pytest.raises(StartError, match="there is no tournament"), resume_tournament(tmp_path):
        pass
