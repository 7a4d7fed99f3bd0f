"""The progress of a tournament, with a terminal and without one."""

from __future__ import annotations

import io

import pytest
from attrs import evolve
from rich.console import Console

from tabnet.tournament.records.journal_lines import read_journal
from tabnet.tournament.report import progress_display as live
from tabnet.tournament.report.progress_display import (
    Display,
    Progress,
    RunningGame,
    draw_progress,
    format_duration,
    format_headline,
    format_progress,
)
from tabnet.tournament.report.tournament_summary import summarize
from tests.tournament.sample import (
    NAMES,
    elimination_journal,
    standing_of_three,
    summary_of,
    tournament,
)

GAMES = tournament()
RESULTS = tuple(result for _, result in GAMES)
STANDING = summary_of(GAMES).table


def progress(**more):
    fields = {"names": NAMES, "results": RESULTS, "total": 60, "played": 6, "elapsed": 3.0}
    return Progress(**{**fields, **more})


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "12 of 60 games, 2.0 a second, 0:24 left"),
        ({"total": None}, "12 games, 2.0 a second"),
        ({"played": 0}, "12 of 60 games, 0.0 a second"),
        ({"elapsed": 0.0}, "12 of 60 games, 0.0 a second"),
    ],
)
def test_the_headline_has_the_known_numbers(more, said):
    assert format_headline(progress(**more)) == said


def test_times_are_readable():
    assert [format_duration(s) for s in (0.4, 7, 59.6, 750, 3723)] == [
        *("0:00", "0:07", "1:00", "12:30", "1:02:03")
    ]


def test_the_summary_is_one_line():
    assert format_progress(progress(), STANDING) == (
        "12 of 60 games, 2.0 a second, 0:24 left; 1. greedy 100 (50 to 160); "
        "2. random 0 (-50 to 60); 3. broken -100 (-150 to -40)"
    )


async def refresh(display):
    """Update the display as a tournament does."""
    if display.is_due:
        await display.update(progress())


def drawn(summary, shown):
    console = Console(file=io.StringIO(), width=80)
    console.print(draw_progress(shown, summary))
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_the_picture_has_the_table_and_the_running_games():
    running = (RunningGame(("greedy", "random"), 31), RunningGame(("broken", "random"), 4))
    assert drawn(STANDING, progress(running=running)) == [
        "12 of 60 games, 2.0 a second, 0:24 left",
        "#  bot     rating  95 % from   to  games  score",
        "1  greedy     100         50  160      8      4",
        "2  random       0        -50   60      8      5",
        "3  broken    -100       -150  -40      8      3",
        "greedy - random, move 31",
        "broken - random, move 4",
    ]


def test_the_picture_of_three_has_the_mean_place():
    summary = standing_of_three()
    lines = drawn(summary.table, progress(names=summary.names, running=()))
    assert lines[1:3] == [
        "#  bot     rating  95 % from   to  games  score  place",
        "1  greedy      29        -13   72     12   6.75   1.88",
    ]


def test_the_progress_of_an_elimination_has_standings():
    summary = summarize(read_journal(elimination_journal(1)))
    standings = {row.name: row.standing for row in summary.table.rows}
    shown = progress(names=summary.names, results=summary.results, standings=standings, running=())
    assert drawn(shown.table, shown)[1:3] == [
        "#  bot     result                 games",
        "1  berta   in round 1                 1",
    ]
    assert "; 1. berta in round 1; 2. carl in round 1; " in format_progress(shown, shown.table)


def test_the_picture_never_has_more_than_twenty_rows():
    many = evolve(STANDING, rows=STANDING.rows * 20)
    running = (RunningGame(("greedy", "random"), 31),) * 9
    lines = drawn(many, progress(running=running))
    assert len(lines) == 20
    assert "and 48 more bots" in lines
    assert lines[-1] == "and 5 more games"


async def test_without_a_terminal_there_are_plain_lines_with_pauses_between():
    console = Console(file=io.StringIO(), width=40)
    with Display(console) as shown:
        for _ in range(50):
            await refresh(shown)
        shown.say("game 1: crash of \x1b[31mbroken")
    first, second = console.file.getvalue().splitlines()
    assert first.startswith("12 of 60 games, 2.0 a second, 0:24 left; 1. ")
    assert second == "game 1: crash of ?[31mbroken"


async def test_a_notebook_that_claims_to_be_a_terminal_gets_plain_lines(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Display() as shown:
        await refresh(shown)
    assert capsys.readouterr().out.startswith("12 of 60 games, 2.0 a second")


async def test_on_a_terminal_the_table_is_replaced_and_lines_stay():
    console = Console(
        file=io.StringIO(), width=80, height=30, force_terminal=True, color_system=None
    )
    with Display(console) as shown:
        for _ in range(50):
            await refresh(shown)
        shown.say("a crash")
    written = console.file.getvalue()
    assert written.count("12 of 60 games") == 3  # once, under what was said, and at the end
    assert written.index("12 of 60") < written.index("a crash")
    assert written.count("\x1b[?25l") == written.count("\x1b[?25h") == 1
    assert written.endswith("\x1b[2K")


async def test_after_the_pause_there_is_another_line(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(live.time, "monotonic", lambda: clock[0])
    console = Console(file=io.StringIO(), width=40)
    with Display(console) as shown:
        for clock[0] in (100, 104.9, 105.1, 107, 110.2):
            await refresh(shown)
    assert len(console.file.getvalue().splitlines()) == 3


async def test_slow_drawing_means_longer_pauses(monkeypatch):
    clock = [0.0]

    def slowly(results, names):
        clock[0] += 1
        return STANDING

    monkeypatch.setattr(live.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(live, "make_rating_table", slowly)
    console = Console(file=io.StringIO(), width=40)
    with Display(console) as shown:
        for clock[0] in (0, 19, 20.9, 21.1):
            await refresh(shown)
    assert len(console.file.getvalue().splitlines()) == 2
