"""The report that is printed at the end of a tournament."""

from __future__ import annotations

from attrs import evolve

from tabnet.tournament.records.entrants_and_results import Blame
from tabnet.tournament.report.text_report import (
    METHOD,
    collect_notes,
    format_causes,
    format_report,
    format_table,
    format_title,
)
from tabnet.tournament.stats.crosstable import WinDrawLoss, make_crosstable
from tabnet.tournament.stats.entrants_table import make_rating_table
from tabnet.tournament.stats.head_to_head import HeadToHead
from tabnet.tournament.stats.intervals import Estimate
from tabnet.tournament.stats.sprt import Hypotheses, Verdict
from tests.tournament.sample import NAMES, standing_of_three, summary_of, tournament

GAMES = tournament()
STANDS = summary_of(GAMES)

TEXT = """\
Tab, size 7: 3 bots, 12 games

#  bot     rating         95 %  games  score  as 1st  as 2nd  faults    mean      CPU  longest
1  greedy     100    50 to 160      8      4   3-0-1   1-0-3       0  0.2 ms  0.15 ms     6 ms
2  random       0    -50 to 60      8      5   4-0-0   1-0-3       0  0.2 ms  0.15 ms     6 ms
3  broken    -100  -150 to -40      8      3   2-0-2   1-0-3       2  0.2 ms              6 ms

             1    2    3
1  greedy    -  2/4  2/4
2  random  2/4    -  3/4
3  broken  2/4  1/4    -

2 games: a bot's process ended in the middle of the game (broken)

Mirrored pairs left 0.75 of the variance of unmirrored games.
These ratings are invented.
Intervals are 95 %: Bradley-Terry ratings with the variance between pairs, and Student's t distribution."""  # noqa: E501


ALONE = """\
Tab, size 7: 1 bot, 0 games

#  bot     rating       95 %  games  score  as 1st  as 2nd  faults    mean      CPU  longest
1  greedy     100  50 to 160      8      4   0-0-0   0-0-0       0  0.2 ms  0.15 ms     6 ms"""


def test_the_conclusion_of_a_small_tournament():
    assert format_report(STANDS) == TEXT


def test_a_bot_alone_has_no_crosstable():
    alone = evolve(
        STANDS,
        entrants=STANDS.entrants[:1],
        results=(),
        table=evolve(
            STANDS.table,
            rows=(evolve(STANDS.table.rows[0], seats=(WinDrawLoss(0, 0, 0),) * 2),),
            notes=(),
        ),
    )
    alone = evolve(alone, table=evolve(alone.table, variance_ratio=None))
    assert format_report(alone) == ALONE


def test_a_title_works_without_settings():
    assert format_title(evolve(STANDS, settings={})).startswith("Tab: 3 bots")
    assert format_title(evolve(STANDS, settings={"kind": "go"})).startswith("go: 3 bots")


def test_a_draw_blames_no_bot():
    draws = [evolve(GAMES[0][1], cause="max_moves", winners=())]
    assert format_causes(draws) == "1 game: stopped as a draw after as many moves as may be"


def test_comparison_and_test_are_sentences_without_repetition():
    duel = HeadToHead(
        names=("one", "two"),
        pentanomial=(0, 0, 3, 0, 3),
        elo=Estimate(190.8, 20.2, 400.4),
        normalised=Estimate(150.0, 10.0, 290.0),
        superiority=0.9912,
        notes=("These ratings are invented.",),
    )
    verdict = Verdict(("one", "two"), Hypotheses(0, 20), (0, 0, 3, 0, 3), 3.1)
    assert collect_notes(evolve(STANDS, duel=duel, verdict=verdict)) == [
        "one against two: Elo +191 (+20 to +400).",
        "Normalised Elo: +150 (+10 to +290).",
        "one is the stronger one with a probability of 99.1 %.",
        "Pairs in which it took 0, 1/2, 1, 3/2 and 2 points: 0, 0, 3, 0, 3.",
        "These ratings are invented.",
        verdict.text,
        "Mirrored pairs left 0.75 of the variance of unmirrored games.",
        METHOD.format(groups="pairs"),
    ]


def test_meetings_count_victories_draws_and_shared_victories():
    result = GAMES[0][1]
    results = [evolve(result, places=p) for p in ((1, 2), (1, 2), (2, 1), (1, 1), (1, 1))]
    counts = make_crosstable(results, NAMES)
    assert counts["greedy", "random"] == WinDrawLoss(2, 2, 1)
    assert counts["random", "greedy"] == WinDrawLoss(1, 2, 2)
    assert counts["greedy", "broken"] == WinDrawLoss()
    assert (str(counts["greedy", "random"]), str(WinDrawLoss())) == ("3/5", "")
    assert (counts["greedy", "random"].share, WinDrawLoss().share) == (0.6, 0.5)


OF_THREE = """\
Fish: 3 bots, 12 games

#  bot     rating         95 %  games  score  place  places  as 1st  as 2nd  as 3rd  faults    mean  CPU  longest
1  greedy      29    -13 to 72     12   6.75   1.88   4-6-2   0-3-1   2-1-1   2-2-0       0  2.5 ms          5 ms
2  random      10  -383 to 402     12   6.25   1.96   4-5-3   1-2-1   2-2-0   1-1-2       0  2.5 ms          5 ms
3  broken     -39  -391 to 314     12      5   2.17   4-3-5   1-1-2   1-1-2   2-1-1       3  2.5 ms          5 ms  exit code 3 (logs/000000000000166c.log)

                1       2       3
1  greedy       -    6/12  7.5/12
2  random    6/12       -  6.5/12
3  broken  4.5/12  5.5/12       -

3 games: a bot's process ended in the middle of the game (broken)

Groups in all orders left 1.19 of the variance of unmirrored games.
Intervals are 95 %: Bradley-Terry ratings with the variance between groups, and Student's t distribution."""  # noqa: E501


def test_the_row_of_a_faulty_bot_names_the_fault_and_its_log():
    line = format_table(standing_of_three().table, "trial").splitlines()[-1]
    assert line.endswith("5 ms  exit code 3 (trial/logs/000000000000166c.log)")


def test_a_crash_is_shown_before_an_earlier_timeout():
    slow, crashed = (
        evolve(GAMES[0][1], cause=cause, culprit=1, detail=detail)
        for cause, detail in (("timeout_move", "more than 5 s"), ("crash", "mine.py:3: x"))
    )
    seats = slow.game.seats
    rows = {row.name: row for row in make_rating_table([slow, crashed], seats).rows}
    assert rows[seats[1]].first_fault.detail == "mine.py:3: x"
    rows = {row.name: row for row in make_rating_table([slow], seats).rows}
    assert rows[seats[1]].first_fault.detail == "more than 5 s"
    assert rows[seats[0]].first_fault is None


def test_the_conclusion_of_a_small_tournament_of_three():
    assert format_report(standing_of_three()) == OF_THREE


def test_every_fault_is_counted_and_resigning_is_none():
    (result, *_) = standing_of_three().results
    removed = (Blame(0, "normal", ""), Blame(1, "timeout_move", ""))
    went_on = evolve(result, removed=removed)
    assert format_causes([went_on]) == "1 game: a bot took too long for one move (random)"
    last = evolve(result, cause="crash", culprit=0, removed=removed[1:])
    assert format_causes([went_on, last]).splitlines() == [
        "1 game: a bot's process ended in the middle of the game (greedy)",
        "2 games: a bot took too long for one move (random)",
    ]
