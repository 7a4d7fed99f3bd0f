"""Reports, tables and queues read each result a fixed number of times, at any size."""

from __future__ import annotations

import attrs
import pytest

from tabnet.tournament.plan.game_queue import GameQueue
from tabnet.tournament.records.entrants_and_results import Result, ScheduledGame
from tabnet.tournament.report.progress_display import Progress, draw_progress
from tabnet.tournament.report.report_files import write_report
from tabnet.tournament.report.text_report import format_report
from tests.large_tournament.made_folder import draw_results, enter_bots, make_folder, make_plan
from tests.large_tournament.stalls import play_on

GAMES = 400


class CountedField:
    """A field of a class with slots that counts how often it is read."""

    def __init__(self, slot, reads: list[int]) -> None:
        self._slot, self._reads = slot, reads

    def __get__(self, owner, cls):
        self._reads[0] += 1
        return self._slot.__get__(owner, cls)

    def __set__(self, owner, value) -> None:
        self._slot.__set__(owner, value)


@pytest.fixture
def reads(monkeypatch):
    """Count all reads of the fields of results and games, in the only item of this list."""
    count = [0]
    for cls in (Result, ScheduledGame):
        for name in attrs.fields_dict(cls):
            monkeypatch.setattr(cls, name, CountedField(getattr(cls, name), count))
    return count


def test_the_reads_of_a_result_do_not_grow_with_bots_or_games(tmp_path, reads) -> None:
    of_a_game = []
    for bots, games in ((5, GAMES), (20, GAMES), (5, 4 * GAMES)):
        folder = tmp_path / f"{bots} bots, {games} games"
        make_folder(folder, enter_bots(tmp_path / f"bots of {folder.name}", bots), games)
        reads[0] = 0
        format_report(write_report(folder))
        of_a_game.append(reads[0] / games)
    least, *others = of_a_game
    assert max(others) < 1.1 * least, of_a_game


def test_the_reads_of_the_live_table_do_not_grow_with_bots_or_games(reads) -> None:
    of_a_game = []
    for bots, games in ((5, GAMES), (20, GAMES), (5, 4 * GAMES)):
        plan = make_plan(list(map(str, range(bots))), games)
        results = tuple(draw_results(plan, games))
        reads[0] = 0
        progress = Progress(plan.names, results, total=None, played=0, elapsed=1)
        draw_progress(progress, progress.table)
        of_a_game.append(reads[0] / games)
    least, *others = of_a_game
    assert max(others) < 1.1 * least, of_a_game


def test_the_end_of_a_game_reads_only_games_of_its_bots(reads) -> None:
    plan = make_plan(list(map(str, range(40))), 1560)
    results = [
        attrs.evolve(result, cause="crash", culprit=0) if number % 3 else result
        for number, result in enumerate(draw_results(plan, 1560))
    ]
    last = results.pop()
    queue = GameQueue(plan, {result.game.id: result for result in results})
    assert queue.take_next() == last.game
    assert set(last.game.seats).isdisjoint(queue.out)
    reads[0] = 0
    queue.add_result(last)
    assert reads[0] < 2 * len(results)


@pytest.mark.slow
def test_the_driver_plays_a_tournament_on(tmp_path) -> None:
    make_folder(tmp_path / "trial", enter_bots(tmp_path / "bots", 3), 200)
    stalls = play_on(tmp_path / "trial", 1)
    assert stalls.games > 0
    assert stalls.pictures > 0
    assert len(stalls.times) == len(stalls.cpu_times) > 0
