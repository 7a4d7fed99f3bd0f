"""Games whose referee failed too often count for nobody, and their pairs do not either."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise

import pytest
from attrs import evolve

from tabnet.tournament.plan.game_queue import GameQueue
from tabnet.tournament.plan.knockout import compute_bracket
from tabnet.tournament.plan.plan import make_games_of_pair
from tabnet.tournament.plan.schedule import schedule_games
from tabnet.tournament.records.entrants_and_results import (
    MAX_FAILURES,
    select_counted_results,
    sum_scores,
)
from tabnet.tournament.records.journal_lines import (
    GameTiming,
    encode_failure,
    encode_result,
    read_journal,
)
from tabnet.tournament.records.results_of_matches import find_exit, make_failed_result
from tabnet.tournament.report.csv_files import format_games_csv
from tabnet.tournament.report.html_report import render_page
from tabnet.tournament.report.progress_display import Progress, format_progress
from tabnet.tournament.report.replay_data import SharedLists, make_replay, sort_by_interest
from tabnet.tournament.report.report_files import read_page_files
from tabnet.tournament.report.results_json import format_results
from tabnet.tournament.report.text_report import format_report
from tabnet.tournament.report.tournament_summary import summarize
from tabnet.tournament.stats.crosstable import make_crosstable
from tabnet.tournament.stats.entrants_table import make_rating_table
from tabnet.tournament.stats.head_to_head import compare_bots
from tabnet.tournament.stats.rating_notes import write_failure_notes
from tabnet.tournament.stats.sprt import Hypotheses
from tests.tournament.made_results import paired, plan, run_sprt, strongest, won
from tests.tournament.sample import journal_of, tournament

WHY = "ValueError: no such cell"


def with_error(results, number):
    """The same results, except that the referee of one game failed each time."""
    return [
        make_failed_result(result.game, WHY) if place == number else result
        for place, result in enumerate(results)
    ]


def without_pair(results, number):
    """The same results without the pair of one game."""
    group = results[number].game.group
    return [result for result in results if result.game.group != group]


SCORES = [(1, 0), (1, 1), (0, 0.5), (1, 0), (0.5, 0.5)]
DUEL = paired("a", "b", SCORES)


def test_a_failed_game_has_no_winner_and_blames_no_bot():
    game = DUEL[0].game
    result = make_failed_result(game, WHY)
    assert (result.cause, result.winners, result.points, result.detail) == (
        "error",
        (),
        (0, 0),
        WHY,
    )
    assert result.blamed == ()
    assert not any(result.has_crashed(seat) for seat in (0, 1))
    assert result.went_wrong
    assert [result.compute_score(seat) for seat in (0, 1)] == [0.5, 0.5]


@pytest.mark.parametrize("number", range(len(DUEL)))
def test_a_pair_with_a_failed_game_counts_in_no_number(number):
    results, rest = with_error(DUEL, number), without_pair(DUEL, number)
    assert select_counted_results(results) == rest
    found, expected = make_rating_table(results, "ab"), make_rating_table(rest, "ab")
    assert found.rows == expected.rows
    assert found.superiority == expected.superiority
    assert found.variance_ratio == expected.variance_ratio
    assert make_crosstable(results, "ab") == make_crosstable(rest, "ab")
    assert compare_bots(results, "a", "b") == compare_bots(rest, "a", "b")
    assert compare_bots(results, "b", "a") == compare_bots(rest, "b", "a")


def test_among_three_the_whole_group_is_left_out():
    groups = [
        [
            strongest("abc")(game)
            for game in make_games_of_pair(plan(*"abc", seats=3), "abc", number)
        ]
        for number in (0, 1)
    ]
    found = make_rating_table([*with_error(groups[0], 4), *groups[1]], "abc")
    assert found.rows == make_rating_table(groups[1], "abc").rows
    assert found.notes[0].startswith(f"Game {groups[0][4].game.id} (c - a - b) counts for nobody")
    assert "The other games of its group do not count either: " in found.notes[0]


def test_the_same_pair_number_of_other_bots_counts():
    other = paired("a", "c", SCORES)
    found = make_rating_table([*with_error(DUEL, 0), *other], "abc")
    assert sum(row.games for row in found.rows) == 2 * (len(DUEL) - 2 + len(other))


def test_a_crash_in_the_other_game_of_the_pair_is_still_a_fault():
    one, other, *more = DUEL
    crashed = evolve(other, cause="crash", culprit=0)
    (row,) = [
        r
        for r in make_rating_table([make_failed_result(one.game, WHY), crashed, *more], "ab").rows
        if r.faults
    ]
    assert (row.name, row.faults) == (other.game.seats[0], 1)
    assert row.causes.get("crash") is None


# Sequential tests

HYPOTHESES = Hypotheses(0, 200, alpha=0.1, beta=0.1)
LONG = paired("a", "b", [(1, int(pair % 5 > 0)) for pair in range(100)])


@pytest.mark.parametrize("number", [0, 1, 6, 7])
def test_a_test_ignores_the_pair_of_a_failed_game(number):
    whole = run_sprt(LONG, "a", "b", HYPOTHESES)
    verdict = run_sprt(with_error(LONG, number), "a", "b", HYPOTHESES)
    rest = without_pair(LONG, number)
    moved = [evolve(r, game=evolve(r.game, pair=place // 2)) for place, r in enumerate(rest)]
    expected = run_sprt(moved, "a", "b", HYPOTHESES)
    assert whole.accepted == verdict.accepted == expected.accepted == "H1"
    assert (verdict.llr, verdict.pentanomial) == (expected.llr, expected.pentanomial)
    assert (verdict.left_out, verdict.next_pair) == (1, verdict.pairs + 1)


def test_a_test_waits_for_the_other_game_of_a_failed_pair():
    results = with_error(LONG, 2)
    waiting = [result for place, result in enumerate(results) if place != 3]
    assert run_sprt(waiting, "a", "b", HYPOTHESES).next_pair == 1
    assert run_sprt(results[:4], "a", "b", HYPOTHESES).next_pair == 2


def test_a_test_ends_at_the_same_pair_for_every_order_of_games():
    settings = plan("a", "b", format="sprt", pairs=1000, sprt=HYPOTHESES)
    queue = GameQueue(settings, {})
    drawn = [queue.take_next() for _ in range(200)]
    for game in [drawn[-1], *drawn]:
        if queue.is_decided:
            break
        winner = "a" if game.pair % 5 else "b"
        queue.add_result(make_failed_result(game, WHY) if game == drawn[3] else won(game, winner))
    assert queue.verdict == run_sprt(queue.results.values(), "a", "b", HYPOTHESES)
    assert queue.remove_surplus() == [drawn[-1].id]
    assert len(queue.results) == 2 * queue.verdict.next_pair


# Knockout and swiss


def test_in_a_knockout_a_failed_game_is_a_draw():
    knockout = plan("a", "b", format="knockout", pairs=1)
    one, other = schedule_games(knockout)
    assert compute_bracket(knockout, [make_failed_result(one, WHY), won(other, "b")])[1] == "b"
    assert compute_bracket(knockout, [make_failed_result(one, WHY), won(other, "a")])[1] == "a"
    assert compute_bracket(knockout, [make_failed_result(one, WHY), won(other, None)])[1] is None


def test_a_knockout_of_failed_games_goes_on_and_comes_to_an_end():
    knockout = plan("a", "b", format="knockout", pairs=1)
    played = []
    while compute_bracket(knockout, played)[1] is None:
        done = {result.game.id for result in played}
        played += [
            make_failed_result(game, WHY)
            for game in schedule_games(knockout, played)
            if game.id not in done
        ]
    assert len(played) == 4
    assert compute_bracket(knockout, played)[1] == "a"


def test_in_a_swiss_tournament_a_failed_game_is_a_draw():
    swiss = plan(*"abcd", format="swiss", pairs=1)
    first = list(schedule_games(swiss))
    played = [
        make_failed_result(game, WHY) if "a" in game.seats else strongest("abcd")(game)
        for game in first
    ]
    assert sum_scores(played) == {"a": 1, "b": 1, "c": 2, "d": 0}
    second = [game for game in schedule_games(swiss, played) if game.round == 1]
    assert {frozenset(game.seats) for game in second} == {frozenset("ac"), frozenset("bd")}


# The order of games, and what is counted while a tournament runs


def test_a_game_fails_three_times_and_is_over():
    queue = GameQueue(plan("a", "b"), {})
    game, other = queue.take_next(), queue.take_next()
    assert queue.record_failure(game, "first") is None
    assert queue.record_failure(other, "its own") is None
    assert queue.record_failure(game, "second") is None
    result = queue.record_failure(game, "third")
    assert result == make_failed_result(game, "third")
    assert queue.add_result(result) == [result]
    assert game.id not in queue.running
    assert queue.failures[game.id] == ("first", "second", "third")
    assert MAX_FAILURES == 3


def test_failures_of_an_earlier_run_count():
    game = GameQueue(plan("a", "b"), {}).take_next()
    twice = GameQueue(plan("a", "b"), {}, failures={game.id: ("x", "y")})
    assert twice.find_forfeit(twice.take_next()) is None
    assert twice.record_failure(game, "z").cause == "error"
    thrice = GameQueue(plan("a", "b"), {}, failures={game.id: ("x", "y", "z")})
    assert thrice.find_forfeit(thrice.take_next()) == make_failed_result(game, "z")


def test_a_failed_game_neither_counts_as_a_crash_nor_ends_a_row_of_crashes():
    queue = GameQueue(plan("a", "b", pairs=3), {})
    drawn = [queue.take_next() for _ in range(6)]
    for game in drawn:
        crash = won(game, "b", cause="crash", culprit=game.seats.index("a"))
        queue.add_result(make_failed_result(game, WHY) if game in drawn[1:3] else crash)
    assert [queue.results[game.id].cause for game in drawn] == [
        *("crash", "error", "error", "crash", "crash", "out")
    ]
    assert find_exit("a", drawn, queue.results) == 4


# The journal, and what is made from it

PLAYED = tournament()
FAILED = make_failed_result(PLAYED[4][1].game, WHY)
GAME, PARTNER = FAILED.game.id, PLAYED[5][1].game.id
JOURNAL = journal_of([(kept, FAILED if r.game.id == GAME else r) for kept, r in PLAYED])
STANDS = summarize(read_journal(JOURNAL))


def test_the_journal_remembers_each_failure():
    lines = [encode_failure(GAME, "one"), encode_failure(PARTNER, "x"), encode_failure(GAME, "two")]
    journal = read_journal(JOURNAL + b"".join(lines))
    assert journal.failures == {GAME: ("one", "two"), PARTNER: ("x",)}
    assert journal.results == read_journal(JOURNAL).results
    assert read_journal(JOURNAL).failures == {}
    assert (
        FAILED in read_journal(JOURNAL + encode_result(FAILED, GameTiming(1, 2))).results.values()
    )


def test_the_text_names_the_failed_game():
    said = format_report(STANDS)
    assert f"Game {GAME} (greedy - broken) counts for nobody: its referee failed 3 times. " in said
    assert f"The other game of its pair, {PARTNER}, does not count either." in said
    assert "1 game: the referee failed three times; the game counts for nobody" in said
    assert {row.name: row.games for row in STANDS.table.rows} == {
        "greedy": 6,
        "random": 8,
        "broken": 6,
    }


def test_a_game_without_its_pair_is_named_alone():
    assert write_failure_notes([FAILED]) == [
        f"Game {GAME} (greedy - broken) counts for nobody: its referee failed 3 times."
    ]


def test_results_json_lists_the_game_and_marks_its_pair():
    values = json.loads(format_results(STANDS))
    assert values["errors"] == [{"id": GAME, "seats": ["greedy", "broken"], "detail": WHY}]
    assert [game["id"] for game in values["games"] if not game["counts"]] == sorted([GAME, PARTNER])
    assert values["notes"][0].startswith(f"Game {GAME} ")


def test_games_csv_marks_the_game_and_its_pair():
    rows = {row["game"]: row for row in csv.DictReader(io.StringIO(format_games_csv(STANDS)))}
    assert (rows[GAME]["cause"], rows[GAME]["winner"]) == ("error", "")
    assert {game for game, row in rows.items() if row["counts"] == "no"} == {GAME, PARTNER}
    assert {row["counts"] for row in rows.values()} == {"yes", "no"}


def test_the_report_names_the_game_and_shows_it_first():
    first, *_ = sort_by_interest(STANDS.results)
    assert first.cause in ("error", "crash")
    shared = SharedLists()
    games = [make_replay(FAILED, None, STANDS.names, shared)]
    text = render_page(STANDS, games, shared, read_page_files())
    assert f"Game {GAME} (greedy - broken) counts for nobody" in text
    assert "the referee failed three times; the game counts for nobody" in text


def test_the_live_table_names_the_last_failed_games():
    def shown(results):
        progress = Progress("ab", results, None, 0, 1.0)
        return format_progress(progress, make_rating_table(results, "ab"))

    assert "not counted" not in shown(DUEL)
    one = DUEL[0].game
    assert shown(with_error(DUEL, 0)).endswith(
        f"; not counted, because the referee failed: {one.id} ({' - '.join(one.seats)})"
    )
    many = shown([make_failed_result(result.game, WHY) for result in DUEL])
    assert many.endswith(" and 6 more")
    assert all(one.game.group == two.game.group for one, two in pairwise(DUEL[:2]))
