"""Elimination tournaments."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.errors import InvalidOptions, StartError
from tabnet.tournament.plan.elimination import (
    Elimination,
    Round,
    compute_rounds,
    describe_standings,
    group_players,
)
from tabnet.tournament.plan.game_queue import GameQueue
from tabnet.tournament.plan.game_terms import require_playable
from tabnet.tournament.plan.plan import Plan, derive_secret, make_plan
from tabnet.tournament.records.entrants_and_results import Blame, Result, ScheduledGame
from tabnet.tournament.records.journal_lines import read_journal
from tabnet.tournament.records.results_of_matches import (
    Fault,
    make_failed_result,
    make_unbegun_result,
)
from tests.tournament.made_results import missing_games, plan, won
from tests.tournament.sample import ABSENT, PLAYERS, elimination_journal

NO_START = Fault("start_failed", "exit code 3")
Play = Callable[[ScheduledGame], Result]


def elimination_of(*names: str, absent: str | None = "", **changes) -> Plan:
    """Return the plan of an elimination in which these entrants are absent."""
    fixed = {"kind": "fish", "options": {}, "seats": 4, "pairs": 1}
    fixed["absent"] = None if absent is None else dict.fromkeys(absent, "exit code 1")
    return plan(*names, format="elimination", **{**fixed, **changes})


def won_by(winners: str) -> Play:
    """Return results that all of these entrants share, if they are in the game."""

    def play(game: ScheduledGame) -> Result:
        seats = tuple(seat for seat, name in enumerate(game.seats) if name in winners)
        return won(game, None, winners=seats, points=tuple(range(len(game.seats))))

    return play


def with_fault(game: ScheduledGame, faulty: str, **changes) -> Result:
    """Return a result in which this entrant was removed and the first other one has won."""
    winner = next(name for name in game.seats if name != faulty)
    removed = (Blame(game.seats.index(faulty), "crash", "exit code 1"),)
    return won(game, winner, removed=removed, **changes)


def unbegun(game: ScheduledGame, faulty: str) -> Result:
    """Return the result of a game in which these entrants did not start."""
    return make_unbegun_result(game, [NO_START if name in faulty else None for name in game.seats])


def play_out(entered: Plan, play: Play) -> tuple[Elimination, list[Result]]:
    """Play all games, and return the rounds and the results."""
    played: list[Result] = []
    while due := list(missing_games(entered, played)):
        played += [play(game) for game in due]
    return compute_rounds(entered, played), played


def groups_of(course: Elimination) -> list[list[str]]:
    """Return the groups of each round as words of one-letter names."""
    return [["".join(group.players) for group in each.groups] for each in course.rounds]


def faults_of(each: Round) -> dict[str, str]:
    """Return the causes of the players of a round who are out for a fault."""
    return {name: cause for group in each.groups for name, cause in group.faults.items()}


# Groups


def grouped_by_hand(players: list[int]) -> list[list[int]]:
    """Group players like a person: fill games of four, and repair the end."""
    games: list[list[int]] = [[]]
    for player in players:
        if len(games[-1]) == 4:
            games.append([])
        games[-1].append(player)
    if len(games[-1]) == 1:
        five = [*games[-2], *games[-1]]
        games[-2:] = [five[:3], five[3:]]
    return games


@pytest.mark.parametrize("count", range(2, 41))
def test_groups_are_those_of_a_second_implementation(count) -> None:
    players = list(range(count))
    expected = [tuple(group) for group in grouped_by_hand(players)]
    assert group_players(players, 4) == expected


def test_the_groups_of_the_examples() -> None:
    sizes = {n: [len(group) for group in group_players(range(n), 4)] for n in range(5, 14)}
    assert sizes == {
        5: [3, 2],
        6: [4, 2],
        7: [4, 3],
        8: [4, 4],
        9: [4, 3, 2],
        10: [4, 4, 2],
        11: [4, 4, 3],
        12: [4, 4, 4],
        13: [4, 4, 3, 2],
    }


@given(st.integers(2, 60), st.integers(3, 6))
def test_groups_keep_the_order_and_nobody_is_alone(count, seats) -> None:
    groups = group_players(range(count), seats)
    assert [player for group in groups for player in group] == list(range(count))
    assert all(2 <= len(group) <= seats for group in groups)
    sizes = [len(group) for group in groups]
    assert sizes == sorted(sizes, reverse=True)


# Rounds


def test_winners_go_on_in_the_order_of_signing_up() -> None:
    entered = elimination_of(*"ihgfedcba")
    course, played = play_out(entered, won_by("fgda"))
    assert groups_of(course) == [["ihgf", "edc", "ba"], ["gfda"]]
    assert [result.game.round for result in played] == [1, 1, 1, 2]
    assert played[0].game.seats == ("i", "h", "g", "f")
    assert course.winners == ("g", "f", "d", "a")


def test_a_round_begins_when_the_one_before_is_over() -> None:
    entered = elimination_of(*"abcde")
    first, second = missing_games(entered, [])
    played = [won(second, "d")]
    assert list(missing_games(entered, played)) == [first]
    assert describe_standings(entered, played) == {
        **dict.fromkeys("abcd", "in round 1"),
        "e": "out in round 1",
    }
    played.append(won(first, "b"))
    (final,) = missing_games(entered, played)
    assert (final.seats, final.round) == (("b", "d"), 2)


def test_a_round_of_at_most_four_players_is_the_final() -> None:
    course, _ = play_out(elimination_of(*"abcd"), won_by("bd"))
    assert course.winners == ("b", "d")
    assert course.ending == "Round 1 was the final, because it had at most 4 players."


def test_two_rounds_with_the_same_winners_end_it() -> None:
    course, played = play_out(elimination_of(*"abcdef"), won_by("abcdef"))
    assert groups_of(course) == [["abcd", "ef"], ["abcd", "ef"]]
    assert course.winners == tuple("abcdef")
    assert course.ending == "Rounds 1 and 2 had the same winners."
    assert len({result.game.id for result in played}) == 4
    assert (
        len({derive_secret(elimination_of("a", "b"), r.game.seats, r.game.pair) for r in played})
        == 4
    )


def test_nobody_goes_on_from_a_game_without_winners() -> None:
    course, _ = play_out(elimination_of(*"abcdefg"), won_by("f"))
    assert groups_of(course) == [["abcd", "efg"]]
    assert course.winners == ("f",)
    assert course.ending == "Fewer than two players are left."
    course, _ = play_out(elimination_of(*"abcdefg"), won_by(""))
    assert course.winners == ()


def test_absent_entrants_have_no_game() -> None:
    course, _ = play_out(elimination_of(*"abcdefghi", absent="bf"), won_by("ag"))
    assert groups_of(course) == [["acde", "ghi"], ["ag"]]
    course, played = play_out(elimination_of(*"abc", absent="ac"), won_by("b"))
    assert (course.winners, course.rounds, played) == (("b",), (), [])
    course, _ = play_out(elimination_of(*"abc", absent="abc"), won_by(""))
    assert (course.winners, course.ending) == ((), "Fewer than two players are left.")


def test_a_faulty_player_is_out() -> None:
    course, _ = play_out(elimination_of(*"abcdef"), lambda game: with_fault(game, game.seats[-1]))
    assert groups_of(course) == [["abcd", "ef"], ["ae"]]
    assert faults_of(course.rounds[0]) == {"d": "crash", "f": "crash"}


def test_the_others_play_again_if_a_game_cannot_begin() -> None:
    entered = elimination_of(*"abcdef")
    first, second = missing_games(entered, [])
    played = [unbegun(first, "b"), won(second, "e")]
    (again,) = missing_games(entered, played)
    assert (again.seats, again.round) == (("a", "c", "d"), 1)
    played.append(unbegun(again, "cd"))
    (final,) = missing_games(entered, played)
    assert (final.seats, final.round) == (("a", "e"), 2)
    assert set(describe_standings(entered, played).values()) == {
        "in round 2",
        "out in round 1",
        "out in round 1: start_failed",
    }


def test_a_game_in_which_nobody_starts_has_no_winners() -> None:
    course, _ = play_out(elimination_of(*"abc"), lambda game: unbegun(game, "abc"))
    assert course.winners == ()


def test_a_player_who_resigns_at_once_is_not_faulty() -> None:
    blame = {"culprit": 0, "cause": "normal", "moves": 0}
    course, _ = play_out(elimination_of("a", "b"), lambda game: won(game, "b", **blame))
    assert course.winners == ("b",)
    assert faults_of(course.rounds[0]) == {}


def test_a_failed_referee_costs_no_player_its_place() -> None:
    entered = elimination_of(*"abcdefg")

    def play(game: ScheduledGame) -> Result:
        is_failing = game.round == 1 and "a" in game.seats
        return make_failed_result(game, "ValueError") if is_failing else won(game, game.seats[-1])

    course, _ = play_out(entered, play)
    assert groups_of(course) == [["abcd", "efg"], ["abc", "dg"], ["cg"]]
    assert course.winners == ("g",)


def random_result(game: ScheduledGame, luck: Random) -> Result:
    """Return a result at random: ties, faults, games that do not begin or have no winner."""
    way = luck.randrange(8)
    faulty = "".join(luck.sample(game.seats, luck.randrange(1, len(game.seats))))
    if way == 0:
        return unbegun(game, faulty)
    if way == 1:
        return make_failed_result(game, "ValueError")
    if way == 2:
        return with_fault(game, faulty[0])
    return won_by("".join(luck.sample(game.seats, luck.randrange(len(game.seats) + 1))))(game)


@given(st.integers(2, 40), st.integers())
def test_rounds_of_any_results_follow_the_rules(count, seed) -> None:
    luck, names = Random(seed), [chr(0x100 + number) for number in range(count)]
    luck.shuffle(names)
    entered = elimination_of(*names, absent="".join(luck.sample(names, luck.choice((0, 0, 2)))))
    course, played = play_out(entered, lambda game: random_result(game, luck))
    by_round = [
        [result for result in played if result.game.round == each.number] for each in course.rounds
    ]
    players = [name for name in names if name not in entered.absent]
    for each, results in zip(course.rounds, by_round, strict=True):
        assert list(each.players) == players
        assert groups_of(course)[each.number - 1] == [
            "".join(group) for group in grouped_by_hand(players)
        ]
        faulty = {r.game.seats[b.seat] for r in results for b in r.blamed}
        assert faulty == set(faults_of(each))
        assert faulty.isdisjoint(each.winners)
        players = [name for name in players if name in each.winners]
    assert list(course.winners) == players
    sizes = [len(each.players) for each in course.rounds]
    same = len(sizes) > 1 and course.rounds[-1].winners == course.rounds[-2].winners
    assert len(players) < 2 or sizes[-1] <= 4 or same
    for before, after in zip(course.rounds, course.rounds[1:], strict=False):
        assert len(before.players) > 4
        assert len(before.winners) > 1
        assert len(after.players) == len(before.winners)
    assert len({result.game.id for result in played}) == len(played)
    assert set(describe_standings(entered, played)) == set(names)


# Check-in


def test_the_games_are_known_after_the_check_in() -> None:
    queue = GameQueue(elimination_of(*"abcdef", absent=None), {})
    assert queue.needs_check_in
    queue.record_absent({"b": "exit code 1"})
    assert not queue.needs_check_in
    groups = [queue.take_next(), queue.take_next()]
    assert [game.seats for game in groups] == [("a", "c", "d"), ("e", "f")]
    assert queue.take_next() is None
    queue.add_result(won(groups[0], "a"))
    assert queue.take_next() is None
    queue.add_result(won(groups[1], "f"))
    assert queue.take_next().seats == ("a", "f")
    assert queue.total is None


def test_the_journal_keeps_the_check_in() -> None:
    journal = read_journal(elimination_journal(0))
    assert journal.absent == ABSENT
    entered = make_plan(journal.settings, journal.names, journal.absent)
    assert compute_rounds(entered, []).rounds[0].players == tuple(
        n for n in PLAYERS if n not in ABSENT
    )
    before = b"".join(elimination_journal(0).splitlines(keepends=True)[:-1])
    assert read_journal(before).absent is None


# Standings


def test_standings_are_the_best_first() -> None:
    entered = elimination_of(*"abcdefgh", absent="b")
    assert set(describe_standings(elimination_of(*"ab", absent=None), []).values()) == {"signed up"}

    def play(game: ScheduledGame) -> Result:
        return with_fault(game, "c") if "c" in game.seats else won(game, "g")

    _, played = play_out(entered, play)
    assert list(describe_standings(entered, played).items()) == [
        ("g", "winner"),
        ("a", "out in round 2"),
        *((name, "out in round 1") for name in "defh"),
        ("c", "out in round 1: crash"),
        ("b", "did not connect"),
    ]


# Plans


def test_an_elimination_needs_a_kind_for_more_than_two() -> None:
    with pytest.raises(StartError) as refused:
        elimination_of("a", "b", kind="tab", seats=2)
    assert refused.value.text == "elimination is for games of more than two players"
    assert refused.value.hint == "--kind fish"


def test_every_size_of_a_group_must_be_playable() -> None:
    small = {"rows": 2, "cols": 4}  # a tile for each penguin of two or four players, not of three
    require_playable(elimination_of("a", "b", options=small))
    with pytest.raises(InvalidOptions, match="9 penguins need as many tiles"):
        require_playable(elimination_of(*"abcde", options=small))
