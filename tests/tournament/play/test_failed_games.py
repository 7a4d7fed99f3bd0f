"""Games whose referee failed too often count for nobody, and their pairs do not either."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise

import pytest
from attrs import evolve

from tabnet.tournament.plan.game_queue import GameQueue
from tabnet.tournament.plan.knockout import champion
from tabnet.tournament.plan.plan import games_of_pair
from tabnet.tournament.plan.schedule import known_games
from tabnet.tournament.records.journal_lines import (
    GameTiming,
    failure_line,
    read_journal,
    result_line,
)
from tabnet.tournament.records.match_results import failed_result, place_of_exit
from tabnet.tournament.records.results import MAX_FAILURES, counted_results, total_scores
from tabnet.tournament.report.csv_files import games_csv
from tabnet.tournament.report.html import report_page
from tabnet.tournament.report.progress_display import Progress, progress_line
from tabnet.tournament.report.replay_data import SharedLists, by_interest, replay
from tabnet.tournament.report.report_files import page_files
from tabnet.tournament.report.results_json import results_json
from tabnet.tournament.report.summary import summarize
from tabnet.tournament.report.text_report import final_text
from tabnet.tournament.stats.crosstable import crosstable
from tabnet.tournament.stats.head_to_head import head_to_head
from tabnet.tournament.stats.rating_notes import notes_on_failed_games
from tabnet.tournament.stats.rating_table import rating_table
from tabnet.tournament.stats.sprt import Hypotheses, sprt
from tests.tournament.made import paired, plan, strongest, won
from tests.tournament.sample import journal_of, tournament

WHY = "ValueError: no such cell"


def with_error(results, number):
    """The same results, except that the referee of one game failed each time."""
    return [
        failed_result(result.game, WHY) if place == number else result
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
    result = failed_result(game, WHY)
    assert (result.cause, result.winners, result.points, result.detail) == (
        "error",
        (),
        (0, 0),
        WHY,
    )
    assert result.blamed == ()
    assert not any(result.crashed(seat) for seat in (0, 1))
    assert result.went_wrong
    assert [result.score(seat) for seat in (0, 1)] == [0.5, 0.5]


@pytest.mark.parametrize("number", range(len(DUEL)))
def test_a_pair_with_a_failed_game_counts_in_no_number(number):
    results, rest = with_error(DUEL, number), without_pair(DUEL, number)
    assert counted_results(results) == rest
    found, expected = rating_table(results, "ab"), rating_table(rest, "ab")
    assert found.rows == expected.rows
    assert found.superiority == expected.superiority
    assert found.variance_ratio == expected.variance_ratio
    assert crosstable(results, "ab") == crosstable(rest, "ab")
    assert head_to_head(results, "a", "b") == head_to_head(rest, "a", "b")
    assert head_to_head(results, "b", "a") == head_to_head(rest, "b", "a")


def test_among_three_the_whole_group_is_left_out():
    groups = [
        [strongest("abc")(game) for game in games_of_pair(plan(*"abc", seats=3), "abc", number)]
        for number in (0, 1)
    ]
    found = rating_table([*with_error(groups[0], 4), *groups[1]], "abc")
    assert found.rows == rating_table(groups[1], "abc").rows
    assert found.notes[0].startswith(f"Game {groups[0][4].game.id} (c - a - b) counts for nobody")
    assert "The other games of its group do not count either: " in found.notes[0]


def test_the_same_pair_number_of_other_bots_counts():
    other = paired("a", "c", SCORES)
    found = rating_table([*with_error(DUEL, 0), *other], "abc")
    assert sum(row.games for row in found.rows) == 2 * (len(DUEL) - 2 + len(other))


def test_a_crash_in_the_other_game_of_the_pair_is_still_a_fault():
    one, other, *more = DUEL
    crashed = evolve(other, cause="crash", culprit=0)
    (row,) = [
        r
        for r in rating_table([failed_result(one.game, WHY), crashed, *more], "ab").rows
        if r.faults
    ]
    assert (row.name, row.faults) == (other.game.seats[0], 1)
    assert row.causes.get("crash") is None


# Sequential tests

HYPOTHESES = Hypotheses(0, 200, alpha=0.1, beta=0.1)
LONG = paired("a", "b", [(1, int(pair % 5 > 0)) for pair in range(100)])


@pytest.mark.parametrize("number", [0, 1, 6, 7])
def test_a_test_ignores_the_pair_of_a_failed_game(number):
    whole = sprt(LONG, "a", "b", HYPOTHESES)
    verdict = sprt(with_error(LONG, number), "a", "b", HYPOTHESES)
    rest = without_pair(LONG, number)
    moved = [evolve(r, game=evolve(r.game, pair=place // 2)) for place, r in enumerate(rest)]
    expected = sprt(moved, "a", "b", HYPOTHESES)
    assert whole.accepted == verdict.accepted == expected.accepted == "H1"
    assert (verdict.llr, verdict.pentanomial) == (expected.llr, expected.pentanomial)
    assert (verdict.left_out, verdict.next_pair) == (1, verdict.pairs + 1)


def test_a_test_waits_for_the_other_game_of_a_failed_pair():
    results = with_error(LONG, 2)
    waiting = [result for place, result in enumerate(results) if place != 3]
    assert sprt(waiting, "a", "b", HYPOTHESES).next_pair == 1
    assert sprt(results[:4], "a", "b", HYPOTHESES).next_pair == 2


def test_a_test_ends_at_the_same_pair_for_every_order_of_games():
    settings = plan("a", "b", format="sprt", pairs=1000, sprt=HYPOTHESES)
    queue = GameQueue(settings, {})
    drawn = [queue.next() for _ in range(200)]
    for game in [drawn[-1], *drawn]:
        if queue.decided:
            break
        winner = "a" if game.pair % 5 else "b"
        queue.settle(failed_result(game, WHY) if game == drawn[3] else won(game, winner))
    assert queue.verdict == sprt(queue.results.values(), "a", "b", HYPOTHESES)
    assert queue.drop_surplus() == [drawn[-1].id]
    assert len(queue.results) == 2 * queue.verdict.next_pair


# Knockout and swiss


def test_in_a_knockout_a_failed_game_is_a_draw():
    knockout = plan("a", "b", format="knockout", pairs=1)
    one, other = known_games(knockout)
    assert champion(knockout, [failed_result(one, WHY), won(other, "b")]) == "b"
    assert champion(knockout, [failed_result(one, WHY), won(other, "a")]) == "a"
    assert champion(knockout, [failed_result(one, WHY), won(other, None)]) is None


def test_a_knockout_of_failed_games_goes_on_and_comes_to_an_end():
    knockout = plan("a", "b", format="knockout", pairs=1)
    played = []
    while champion(knockout, played) is None:
        done = {result.game.id for result in played}
        played += [
            failed_result(game, WHY)
            for game in known_games(knockout, played)
            if game.id not in done
        ]
    assert len(played) == 4
    assert champion(knockout, played) == "a"


def test_in_a_swiss_tournament_a_failed_game_is_a_draw():
    swiss = plan(*"abcd", format="swiss", pairs=1)
    first = list(known_games(swiss))
    played = [
        failed_result(game, WHY) if "a" in game.seats else strongest("abcd")(game) for game in first
    ]
    assert total_scores(played) == {"a": 1, "b": 1, "c": 2, "d": 0}
    second = [game for game in known_games(swiss, played) if game.round == 1]
    assert {frozenset(game.seats) for game in second} == {frozenset("ac"), frozenset("bd")}


# The order of games, and what is counted while a tournament runs


def test_a_game_fails_three_times_and_is_over():
    queue = GameQueue(plan("a", "b"), {})
    game, other = queue.next(), queue.next()
    assert queue.fail(game, "first") is None
    assert queue.fail(other, "its own") is None
    assert queue.fail(game, "second") is None
    result = queue.fail(game, "third")
    assert result == failed_result(game, "third")
    assert queue.settle(result) == [result]
    assert game.id not in queue.running
    assert queue.failures[game.id] == ("first", "second", "third")
    assert MAX_FAILURES == 3


def test_failures_of_an_earlier_run_count():
    game = GameQueue(plan("a", "b"), {}).next()
    twice = GameQueue(plan("a", "b"), {}, failures={game.id: ("x", "y")})
    assert twice.forfeit(twice.next()) is None
    assert twice.fail(game, "z").cause == "error"
    thrice = GameQueue(plan("a", "b"), {}, failures={game.id: ("x", "y", "z")})
    assert thrice.forfeit(thrice.next()) == failed_result(game, "z")


def test_a_failed_game_neither_counts_as_a_crash_nor_ends_a_row_of_crashes():
    queue = GameQueue(plan("a", "b", pairs=3), {})
    drawn = [queue.next() for _ in range(6)]
    for game in drawn:
        crash = won(game, "b", cause="crash", culprit=game.seats.index("a"))
        queue.settle(failed_result(game, WHY) if game in drawn[1:3] else crash)
    assert [queue.results[game.id].cause for game in drawn] == [
        *("crash", "error", "error", "crash", "crash", "out")
    ]
    assert place_of_exit("a", drawn, queue.results) == 4


# The journal, and what is made from it

PLAYED = tournament()
FAILED = failed_result(PLAYED[4][1].game, WHY)
GAME, PARTNER = FAILED.game.id, PLAYED[5][1].game.id
JOURNAL = journal_of([(kept, FAILED if r.game.id == GAME else r) for kept, r in PLAYED])
STANDS = summarize(read_journal(JOURNAL))


def test_the_journal_remembers_each_failure():
    lines = [failure_line(GAME, "one"), failure_line(PARTNER, "x"), failure_line(GAME, "two")]
    journal = read_journal(JOURNAL + b"".join(lines))
    assert journal.failures == {GAME: ("one", "two"), PARTNER: ("x",)}
    assert journal.results == read_journal(JOURNAL).results
    assert read_journal(JOURNAL).failures == {}
    assert FAILED in read_journal(JOURNAL + result_line(FAILED, GameTiming(1, 2))).results.values()


def test_the_text_names_the_failed_game():
    said = final_text(STANDS)
    assert f"Game {GAME} (greedy - broken) counts for nobody: its referee failed 3 times. " in said
    assert f"The other game of its pair, {PARTNER}, does not count either." in said
    assert "1 game: the referee failed three times; the game counts for nobody" in said
    assert {row.name: row.games for row in STANDS.table.rows} == {
        "greedy": 6,
        "random": 8,
        "broken": 6,
    }


def test_a_game_without_its_pair_is_named_alone():
    assert notes_on_failed_games([FAILED]) == [
        f"Game {GAME} (greedy - broken) counts for nobody: its referee failed 3 times."
    ]


def test_results_json_lists_the_game_and_marks_its_pair():
    values = json.loads(results_json(STANDS))
    assert values["errors"] == [{"id": GAME, "seats": ["greedy", "broken"], "detail": WHY}]
    assert [game["id"] for game in values["games"] if not game["counts"]] == sorted([GAME, PARTNER])
    assert values["notes"][0].startswith(f"Game {GAME} ")


def test_games_csv_marks_the_game_and_its_pair():
    rows = {row["game"]: row for row in csv.DictReader(io.StringIO(games_csv(STANDS)))}
    assert (rows[GAME]["cause"], rows[GAME]["winner"]) == ("error", "")
    assert {game for game, row in rows.items() if row["counts"] == "no"} == {GAME, PARTNER}
    assert {row["counts"] for row in rows.values()} == {"yes", "no"}


def test_the_report_names_the_game_and_shows_it_first():
    first, *_ = by_interest(STANDS.results)
    assert first.cause in ("error", "crash")
    shared = SharedLists()
    games = [replay(FAILED, None, STANDS.names, shared)]
    text = report_page(STANDS, games, shared, page_files())
    assert f"Game {GAME} (greedy - broken) counts for nobody" in text
    assert "the referee failed three times; the game counts for nobody" in text


def test_the_live_table_names_the_last_failed_games():
    def shown(results):
        progress = Progress("ab", results, None, 0, 1.0)
        return progress_line(progress, rating_table(results, "ab"))

    assert "not counted" not in shown(DUEL)
    one = DUEL[0].game
    assert shown(with_error(DUEL, 0)).endswith(
        f"; not counted, because the referee failed: {one.id} ({' - '.join(one.seats)})"
    )
    many = shown([failed_result(result.game, WHY) for result in DUEL])
    assert many.endswith(" and 6 more")
    assert all(one.game.group == two.game.group for one, two in pairwise(DUEL[:2]))
