"""Referees in processes of their own: the same games, and nobody left whoever is killed."""

from __future__ import annotations

import os

import attrs
import pytest
import trio

from tabnet.errors import StartError
from tabnet.tournament.play.referee_process.parent import divide_processors
from tabnet.tournament.play.runner import Runner
from tabnet.tournament.play.tournament_folder import create_tournament
from tabnet.tournament.records.journal_lines import GAMES, LOGS
from tests.tournament.run_games import (
    faulty,
    go_on,
    nobody_left,
    play,
    run_settings_in,
    settings,
)
from tests.tournament.run_results import results_without_times

BOTS = ["first", "greedy", "random"]


def shared(folder, games):
    """So many games at once, on two referees."""
    here = min(os.sched_getaffinity(0))
    return attrs.evolve(run_settings_in(folder, games), shares=((here,), (here,)))


async def played_apart(folder, sources, **terms):
    folder.mkdir()
    with create_tournament(folder, settings(**terms), sources) as tournament:
        return await go_on(tournament, shared(folder, 3))


@pytest.mark.parametrize(
    ("games", "processors", "shared"),
    [
        (2, {0, 1}, ((0,), (1,))),
        (8, {0, 1}, ((0,), (1,))),
        (2, {3, 1, 5, 7, 9}, ((1, 5, 9), (3, 7))),
        (1, {0, 1}, ()),
        (8, {0}, ()),
    ],
)
def test_the_games_share_the_processors(monkeypatch, games, processors, shared):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: processors)
    assert divide_processors(games) == shared


def test_without_a_choice_of_processors_nothing_is_shared(monkeypatch):
    monkeypatch.delattr(os, "sched_setaffinity")
    assert divide_processors(8) == ()


async def test_results_do_not_depend_on_the_referee(tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        apart = await played_apart(tmp_path / "apart", BOTS, pairs=2)
    (tmp_path / "here").mkdir()
    here = await play(tmp_path / "here", BOTS, pairs=2)
    assert len(results_without_times(apart)) == 12
    assert results_without_times(apart) == results_without_times(here)
    for game in results_without_times(here):
        kept = [(tmp_path / way / GAMES / f"{game}.json").read_bytes() for way in ("apart", "here")]
        assert kept[0] == kept[1]


async def test_all_referees_play_and_report_progress(tmp_path, monkeypatch):
    with (
        nobody_left(monkeypatch),
        create_tournament(tmp_path, settings(pairs=30), BOTS[:2]) as tournament,
    ):
        runner = Runner(tournament, shared(tmp_path, 2))
        seen = set()
        async with trio.open_nursery() as nursery:

            async def look():
                while True:
                    await trio.sleep(0.01)
                    seen.update(
                        number
                        for game in tournament.queue.running
                        for number, branch in enumerate(runner.slots.of_processes)
                        if branch.count_moves(game) and runner.slots.count_moves(game)
                    )

            nursery.start_soon(look)
            with trio.fail_after(60):
                await runner.run()
            nursery.cancel_scope.cancel()
    assert seen == {0, 1}
    assert all(branch.cpu_s > 0 for branch in runner.slots.of_processes)


async def test_the_output_of_a_faulty_bot_is_kept(tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        runner = await played_apart(
            tmp_path / "it", ["first", faulty("answers_garbage")], clock={"move": 5}
        )
    assert {result.cause for result in runner.queue.results.values()} == {"malformed"}
    for game in results_without_times(runner):
        assert "what it sent" in (tmp_path / "it" / LOGS / f"{game}.log").read_text()


async def test_a_bot_that_cannot_be_loaded_is_named(tmp_path, monkeypatch):
    bot = tmp_path / "bad.py"
    bot.write_text("def choose(state, moves, left):\n    retrun moves[0]\n")
    named = pytest.RaisesExc(StartError, match=r"bad.py:2: invalid syntax")
    with nobody_left(monkeypatch), pytest.RaisesGroup(named, flatten_subgroups=True):
        await played_apart(tmp_path / "it", ["first", str(bot)])
