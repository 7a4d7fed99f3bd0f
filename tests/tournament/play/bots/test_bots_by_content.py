"""Tournaments whose bots are files and folders: a referee plays with their content."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import tempfile
from pathlib import Path

import attrs
import pytest
import trio

from tabnet.errors import StartError
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.referee_process import parent
from tabnet.tournament.play.runner import Runner
from tabnet.tournament.play.tournament_folder import create_tournament, resume_tournament
from tabnet.tournament.records.journal_lines import LOGS
from tests.polling import until_async
from tests.tournament.run_games import TEST_S, go_on, nobody_left, play, run_settings_in, settings
from tests.tournament.run_results import results_without_times

BOT = """
from pathlib import Path
import helpers
class Chooser:
    def __init__(self, nth=0):
        self.nth = nth
    def choose(self, state, moves, left):
        assert Path(__file__).with_name("book.txt").read_text() == "a book"
        return helpers.pick(moves, self.nth)
"""
HELPERS = "def pick(moves, nth):\n    return moves[nth]\n"
BAD_HELPERS = "def pick(moves, nth):\n    raise ValueError('no idea')\n"
FILE = "def choose(state, moves, left):\n    return moves[-1]\n"


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Returns the folder for temporary files; the current folder is one with bots."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot").mkdir()
    (tmp_path / "mybot" / "bot.py").write_text(BOT)
    (tmp_path / "mybot" / "helpers.py").write_text(HELPERS)
    (tmp_path / "mybot" / "book.txt").write_text("a book")
    (tmp_path / "mine.py").write_text(FILE)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def in_processes(folder):
    """Two games at once, each in a referee process."""
    here = min(os.sched_getaffinity(0))
    return attrs.evolve(run_settings_in(folder), shares=((here,), (here,)))


def in_this_process(folder):
    return run_settings_in(folder)


async def play_apart(folder, sources, **terms):
    with create_tournament(folder, settings(**terms), sources) as tournament:
        return await go_on(tournament, in_processes(folder))


async def test_a_folder_plays_as_it_is_named(tmp_path, monkeypatch, temporary):
    with nobody_left(monkeypatch):
        runner = await play_apart(tmp_path / "it", ["mybot/:nth=-1", "mine.py", "mybot/"])
    results = list(runner.queue.results.values())
    assert [result.cause for result in results] == ["normal"] * 6
    same = [result for result in results if "mybot" not in result.game.seats]
    assert len({result.points for result in same}) == 1
    assert list(temporary.iterdir()) == []


async def test_a_change_of_a_bot_does_not_change_the_games(tmp_path, monkeypatch, temporary):
    sources = ["mine.py", "mybot/"]
    undisturbed = results_without_times(await play(tmp_path / "here", sources, pairs=3))
    with (
        nobody_left(monkeypatch),
        create_tournament(tmp_path / "it", settings(pairs=3), sources) as tournament,
    ):
        run_settings = in_processes(tmp_path / "it")
        runner = Runner(tournament, run_settings)

        async def disturb():
            await until_async(lambda: runner.played)
            (tmp_path / "mine.py").write_text("nothing")
            (tmp_path / "mybot" / "helpers.py").unlink()
            for slot in runner.slots.of_processes:
                if slot.referee is not None and runner.queue.running:
                    os.kill(slot.referee.pid, signal.SIGKILL)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(disturb)
            with trio.fail_after(TEST_S):
                await runner.run()
    assert results_without_times(runner) == undisturbed
    assert list(temporary.iterdir()) == []


async def test_an_error_names_the_file_as_the_user_named_it(tmp_path, temporary):
    (tmp_path / "mybot" / "helpers.py").write_text(BAD_HELPERS)
    runner = await play_apart(tmp_path / "it", ["first", "./mybot/"])
    for id, result in runner.queue.results.items():
        line = "mybot/helpers.py:2: raise ValueError('no idea'): ValueError: no idea"
        assert (result.cause, result.detail) == ("crash", f"exit code 1: {line}")
        log = (tmp_path / "it" / LOGS / f"{id}.log").read_text()
        assert "mybot/bot.py:" in log
        assert f"tabnet: {line}" in log
        assert str(temporary) not in log


@pytest.mark.parametrize("run_settings", [in_this_process, in_processes])
async def test_a_file_that_imports_its_neighbour_is_refused(tmp_path, run_settings):
    with create_tournament(tmp_path / "it", settings(), ["first", "mybot/bot.py"]) as tournament:
        advice = "mybot/bot.py imports helpers, a file beside it. Name the folder: "
        text = rf"^mybot/bot.py:3: import helpers: {advice}"
        refusal = pytest.RaisesExc(StartError, match=f"{text}mybot/$")
        with pytest.RaisesGroup(refusal, flatten_subgroups=True):
            await go_on(tournament, run_settings(tmp_path / "it"))


async def test_a_late_import_of_a_neighbour_is_explained(tmp_path):
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "mine.py").write_text(
        "def choose(state, moves, left):\n    import helpers\n    return helpers.pick(moves, 0)\n"
    )
    runner = await play_apart(tmp_path / "it", ["first", "mine.py"])
    advice = "Rename mine.py to bot.py and name the folder: ./"
    explanation = f"mine.py imports helpers, a file beside it. {advice}"
    detail = f"exit code 1: mine.py:2: import helpers: {explanation}"
    assert {result.detail for result in runner.queue.results.values()} == {detail}


@pytest.mark.parametrize("run_settings", [in_this_process, in_processes])
async def test_files_without_their_digest_are_not_played(tmp_path, run_settings, temporary):
    with create_tournament(tmp_path / "it", settings(), ["first", "mine.py"]) as tournament:
        content = attrs.evolve(tournament.bots[1].content, digest="00" * 32)
        bots = (tournament.bots[0], attrs.evolve(tournament.bots[1], content=content))
        text = "before any game: the files of mine.py do not have their digest"
        refusal = pytest.RaisesExc(StartError, match=text)
        with pytest.RaisesGroup(refusal, flatten_subgroups=True):
            await go_on(attrs.evolve(tournament, bots=bots), run_settings(tmp_path / "it"))
    assert list(temporary.iterdir()) == []


async def test_a_folder_in_which_a_file_has_changed_is_refused(tmp_path):
    await play_apart(tmp_path / "it", ["first", "mybot/"])
    with resume_tournament(tmp_path / "it"):
        pass
    (tmp_path / "mybot" / "book.txt").write_text("a better book")
    with (
        pytest.raises(StartError, match="mybot/ has changed since"),
        resume_tournament(tmp_path / "it"),
    ):
        pass


def test_a_tournament_in_the_folder_of_a_bot_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path / "mybot")
    inside = tmp_path / "mybot" / "it"
    with (
        pytest.raises(StartError, match="it is inside the folder of mybot"),
        create_tournament(inside, settings(), ["first", "./"]),
    ):
        pass
    with create_tournament(inside, settings(), ["first", "random"]):
        pass
    with (
        pytest.raises(StartError, match="it is inside the folder of mybot"),
        resume_tournament(inside, ["./"]),
    ):
        pass


def test_a_referee_receives_nothing_of_this_machine(tmp_path):
    program = f"cmd:{Path(sys.executable).name} mine.py"
    sources = ["first", "mine.py", "mybot/:nth=1", program]
    with create_tournament(tmp_path / "it", settings(), sources) as tournament:
        runner = Runner(tournament, in_processes(tmp_path / "it"))
    data = pickle.dumps(runner.referee_settings)
    assert pickle.loads(data) == runner.referee_settings
    for local in (str(tmp_path), sys.prefix, str(Path(sys.executable).parent)):
        assert local.encode() not in data
    assert b"PosixPath" not in data


async def test_a_referee_process_that_does_not_take_the_bots_is_given_up(
    tmp_path, monkeypatch, temporary
):
    (tmp_path / "mybot" / "weights").write_bytes(bytes(2**20))  # more than a pipe holds
    monkeypatch.setattr(parent, "CHILD_MODULE", "tests.tournament.failing_child")
    monkeypatch.setattr(parent, "MAX_SILENCE_S", 0.3)
    monkeypatch.setenv("TEST_FAILING_WAY", "deaf")
    with create_tournament(tmp_path / "it", settings(), ["first", "mybot/"]) as tournament:
        text = "before any game: a referee process did not answer for 0.3 s"
        refusal = pytest.RaisesExc(StartError, match=text)
        with (
            nobody_left(monkeypatch),
            trio.fail_after(TEST_S),
            pytest.RaisesGroup(refusal, flatten_subgroups=True),
        ):
            await go_on(tournament, in_processes(tmp_path / "it"))
    assert list(temporary.iterdir()) == []


def test_the_files_of_a_bot_are_written_for_each_process_as_they_were(tmp_path):
    with create_tournament(tmp_path / "it", settings(), ["first", "mine.py"]) as tournament:
        bots = LocalBots.create()
        one = bots.install(tournament.bots[1])
        stored = (one.files / "mine.py").read_bytes()
        for path in (Path("mine.py"), one.files / "mine.py"):
            path.write_text("edited")
        two = bots.install(tournament.bots[1])
        assert two.private != one.private
        assert (two.files / "mine.py").read_bytes() == stored
        bots.remove()
    assert not bots.folder.exists()
