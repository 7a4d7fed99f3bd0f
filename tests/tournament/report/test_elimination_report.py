"""The reports of an elimination: an absent player, a crash, and a shared victory."""

from __future__ import annotations

import json
import re

from attrs import evolve

from tabnet.tournament.plan.elimination import compute_rounds
from tabnet.tournament.plan.plan import make_plan
from tabnet.tournament.records.journal_lines import Journal, read_journal
from tabnet.tournament.records.results_of_matches import (
    Fault,
    make_failed_result,
    make_unbegun_result,
)
from tabnet.tournament.report.csv_files import format_crosstable_csv
from tabnet.tournament.report.elimination_report import describe_elimination
from tabnet.tournament.report.html_report import render_page
from tabnet.tournament.report.replay_data import SharedLists
from tabnet.tournament.report.report_files import read_page_files
from tabnet.tournament.report.results_json import format_results
from tabnet.tournament.report.text_report import format_report
from tabnet.tournament.report.tournament_summary import TournamentSummary, summarize
from tests.tournament.sample import ABSENT, PLAYERS, elimination_journal

TEXT = """\
Fish: 9 bots, 3 games

gustav did not connect: exit code 1: no module

Round 1: 8 players
  berta (15), carl (15), anna (8), broken (10, crash): berta and carl go on
  emil (24), dora (11), hans (8), frida (3): emil goes on

Round 2: 3 players
  berta (25), emil (10), carl (8): berta wins

Round 2 was the final, because it had at most 4 players. berta has won.

#  bot     result                 games   places  faults    mean  CPU  longest
1  berta   winner                     2  2-0-0-0       0  2.5 ms          5 ms
2  carl    out in round 2             2  1-0-1-0       0  2.5 ms          5 ms
3  emil    out in round 2             2  1-1-0-0       0  2.5 ms          5 ms
4  anna    out in round 1             1  0-0-1-0       0  2.5 ms          5 ms
5  dora    out in round 1             1  0-1-0-0       0  2.5 ms          5 ms
6  frida   out in round 1             1  0-0-0-1       0  2.5 ms          5 ms
7  hans    out in round 1             1  0-0-1-0       0  2.5 ms          5 ms
8  broken  out in round 1: crash      1  0-0-0-1       1  2.5 ms          5 ms  exit code 3 (logs/121af63ad876e238.log)
9  gustav  did not connect            0  0-0-0-0       0  0.0 ms          0 ms

1 game: a bot's process ended in the middle of the game (broken)

There are no ratings: each group plays a single game, and its board and the order of its seats \
favour some of its players."""  # noqa: E501


def summary_after(count: int | None = None) -> TournamentSummary:
    """Return the summary after so many games, or at the end."""
    return summarize(read_journal(elimination_journal(count)))


def test_the_text_has_the_rounds_and_the_standings() -> None:
    assert format_report(summary_after()) == TEXT


def test_a_running_elimination_has_no_winner() -> None:
    text = format_report(summary_after(1))
    assert "berta and carl go on\n\n#  bot" in text
    assert re.search(r"^\d  carl    in round 1 ", text, re.MULTILINE)
    assert "Round 2" not in text


def test_each_game_of_results_json_has_round_seats_winners_and_points() -> None:
    values = json.loads(format_results(summary_after()))
    games = sorted(values["games"], key=lambda game: (game["round"], game["seats"]))
    fields = ("round", "seats", "winners", "points")
    assert [[game[name] for name in fields] for game in games] == [
        [1, ["anna", "berta", "broken", "carl"], [1, 3], [8, 15, 10, 15]],
        [1, ["dora", "emil", "frida", "hans"], [1], [11, 24, 3, 8]],
        [2, ["berta", "carl", "emil"], [0], [25, 8, 10]],
    ]
    assert values["elimination"] == {
        "absent": ABSENT,
        "rounds": [
            {
                "round": 1,
                "players": [name for name in PLAYERS if name != "gustav"],
                "winners": ["berta", "carl", "emil"],
            },
            {"round": 2, "players": ["berta", "carl", "emil"], "winners": ["berta"]},
        ],
        "winners": ["berta"],
        "ending": "Round 2 was the final, because it had at most 4 players.",
    }
    row = values["table"][0]
    assert (row["name"], row["standing"], row["rating"], row["low"], row["high"]) == (
        *("berta", "winner"),
        *(None, None, None),
    )
    assert (values["superiority"], values["duel"]) == ([], None)


def test_the_page_has_a_table_for_each_round_with_links_to_its_games() -> None:
    summary = summary_after()
    page = render_page(summary, [], SharedLists(), read_page_files())
    rounds = page[page.index('<section id="rounds">') : page.index('<section id="table">')]
    assert re.findall("<h3>(.*?)</h3>", rounds) == ["Round 1: 8 players", "Round 2: 3 players"]
    assert "<p>gustav did not connect: exit code 1: no module</p>" in rounds
    assert "4 players. berta has won.</p>" in rounds
    assert '<td class="name">berta and carl go on</td>' in rounds
    games = re.findall('<a href="#(.*?)">replay</a>', rounds)
    assert sorted(games) == [result.game.id for result in summary.results]
    assert '<td class="name">out in round 1: crash</td>' in page
    assert "<p>format elimination; seed 2; clock move 5</p>" in page
    assert '<section id="crosstable">' not in page
    assert '<section id="ratings">' not in page


def test_the_crosstable_for_spreadsheets_has_no_ratings() -> None:
    assert format_crosstable_csv(summary_after()).splitlines()[1].startswith("berta,,2,")


def journal_of_seven() -> Journal:
    """Return the journal of an elimination of seven players without a game."""
    journal = read_journal(elimination_journal(0))
    seven = dict(list(journal.entrants.items())[:7])
    return evolve(journal, entrants=seven, absent={})


def test_games_that_were_not_played_or_not_finished_are_explained() -> None:
    journal = journal_of_seven()
    plan = make_plan(journal.settings, journal.names, {})
    first, second = compute_rounds(plan, []).games
    faults = [None, Fault("start_failed", "exit code 1"), None, None]
    played = [make_unbegun_result(first, faults), make_failed_result(second, "ValueError")]
    again = list(compute_rounds(plan, played).games)[1]
    assert again.seats == ("anna", "broken", "carl")
    everybody = [Fault("start_failed", "exit code 1")] * 3
    played.append(make_unbegun_result(again, everybody))
    assert describe_elimination(compute_rounds(plan, played), played).split("\n\n")[0] == (
        "Round 1: 7 players\n"
        "  anna, broken, carl, berta (start_failed): "
        "not played, because of a fault; the others play again\n"
        "  anna (start_failed), broken (start_failed), carl (start_failed): nobody goes on\n"
        "  dora, emil, frida: the referee failed; dora, emil and frida go on"
    )


def test_an_elimination_without_players_has_no_winner() -> None:
    journal = evolve(journal_of_seven(), absent=dict.fromkeys(PLAYERS, "exit code 1"))
    course = summarize(journal).elimination
    assert course is not None
    text = describe_elimination(course, [])
    assert text.startswith("anna did not connect: exit code 1\n\nberta did not connect")
    assert text.endswith("\n\nFewer than two players are left. Nobody has won.")
