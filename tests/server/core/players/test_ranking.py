"""Leaderboards."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.protocol.frames import RankedPlayer
from tabnet.server.core.players.ranking import BEST, LeaderboardKey, PlayerTotals, Rankings

TAB: LeaderboardKey = ("tab", 9, 99)
PLAKOTO: LeaderboardKey = ("plakoto", None, 99)


def lines(rankings: Rankings, board: LeaderboardKey = TAB) -> list[tuple[str, int, int]]:
    return [(score.nick, score.victories, score.games) for score in rankings.list_best(board)]


def test_a_match_counts_for_its_players_and_a_win_for_its_winners() -> None:
    rankings = Rankings()
    rankings.record(TAB, ["zp", "jpleal"], ["jpleal"], (0, 1))
    assert rankings.list_best(TAB) == (
        RankedPlayer(nick="jpleal", victories=1, games=1),
        RankedPlayer(nick="zp", victories=0, games=1),
    )
    rankings.record(TAB, ["jpleal", "zp"], ["zp"], (0, 1))
    rankings.record(TAB, ["jpleal", "rui"], ["jpleal"], (1, 0))
    assert lines(rankings) == [("jpleal", 2, 3), ("zp", 1, 2), ("rui", 0, 1)]


def test_draws_and_shared_wins() -> None:
    rankings = Rankings()
    rankings.record(TAB, ["a", "b", "c"], [], (0, 0, 0))
    rankings.record(TAB, ["a", "b", "c"], ["a", "c"], (1, 0, 1))
    assert lines(rankings) == [("a", 1, 2), ("c", 1, 2), ("b", 0, 2)]


def test_the_order_is_victories_then_fewer_games_then_the_nick() -> None:
    rankings = Rankings()
    for players, winners in (
        (["d", "b"], ["d"]),
        (["c", "x"], ["c"]),
        (["b", "x"], ["b"]),
        (["a", "x"], ["a"]),
        (["a", "x"], ["a"]),
    ):
        rankings.record(TAB, players, winners, (1, 0))
    assert lines(rankings) == [("a", 2, 2), ("c", 1, 1), ("d", 1, 1), ("b", 1, 2), ("x", 0, 4)]


def test_ten_lines_at_most() -> None:
    rankings = Rankings()
    nicks = [f"player {n:02}" for n in range(15)]
    for wins, nick in enumerate(nicks):
        for _ in range(wins):
            rankings.record(TAB, [nick, "loser"], [nick], (1, 0))
    assert BEST == 10
    assert [nick for nick, _, _ in lines(rankings)] == nicks[:4:-1]


def test_leaderboards_have_separate_totals() -> None:
    rankings = Rankings()
    rankings.record(TAB, ["zp", "jpleal"], ["zp"], (1, 0))
    others: list[LeaderboardKey] = [
        ("tab", 7, 99),
        ("tab", 9, 98),
        ("tab", None, 99),
        ("draughts", 9, 99),
    ]
    assert all(rankings.list_best(board) == () for board in others)
    assert lines(rankings) == [("zp", 1, 1), ("jpleal", 0, 1)]


def test_points_rank_first_where_a_win_may_be_worth_two() -> None:
    rankings = Rankings()
    rankings.record(PLAKOTO, ["a", "b"], ["a"], (1, 0))
    rankings.record(PLAKOTO, ["a", "b"], ["a"], (1, 0))
    rankings.record(PLAKOTO, ["c", "a"], ["c"], (2, 0))
    rankings.record(PLAKOTO, ["b", "c"], [], (0, 0))
    rankings.restore(PLAKOTO, "d", PlayerTotals(1, 9, 4))
    assert [(score.nick, score.points) for score in rankings.list_best(PLAKOTO)] == [
        ("d", 4),
        ("a", 2),
        ("c", 2),
        ("b", 0),
    ]
    assert lines(rankings, PLAKOTO) == [("d", 1, 9), ("a", 2, 3), ("c", 1, 2), ("b", 0, 3)]


def test_elsewhere_points_are_not_shown_and_change_no_order() -> None:
    rankings = Rankings()
    rankings.restore(TAB, "a", PlayerTotals(1, 1, 9))
    rankings.restore(TAB, "b", PlayerTotals(2, 2, 0))
    assert [(score.nick, score.points) for score in rankings.list_best(TAB)] == [
        ("b", None),
        ("a", None),
    ]


def sort_all(totals: dict[str, PlayerTotals], *, by_points: bool) -> list[str]:
    """Return the best nicks, found by sorting all of them."""

    def rank(nick: str) -> tuple[int, int, int, str]:
        mine = totals[nick]
        return -mine.points if by_points else 0, -mine.victories, mine.games, nick

    return sorted(totals, key=rank)[:BEST]


@pytest.mark.parametrize("key", [TAB, PLAKOTO])
@settings(max_examples=20)
@given(st.randoms(use_true_random=False), st.integers(0, 40), st.integers(2, 30))
def test_the_best_are_the_same_as_after_sorting_all_nicks(
    key: LeaderboardKey, luck: random.Random, restored: int, nicks: int
) -> None:
    rankings, totals = Rankings(), defaultdict[str, PlayerTotals](PlayerTotals)
    for number in range(restored):
        nick, mine = f"r{number}", PlayerTotals(*(luck.randrange(3) for _ in range(3)))
        rankings.restore(key, nick, mine)
        totals[nick] = mine
    for _ in range(60):
        players = luck.sample([f"n{number}" for number in range(nicks)], 2)
        winners = luck.choice(([], players[:1], players[1:]))
        points = [luck.randint(1, 2) if nick in winners else 0 for nick in players]
        rankings.record(key, players, winners, points)
        for nick, won in zip(players, points, strict=True):
            old = totals[nick]
            totals[nick] = PlayerTotals(
                old.victories + (nick in winners), old.games + 1, old.points + won
            )
        best = [score.nick for score in rankings.list_best(key)]
        assert best == sort_all(totals, by_points=key is PLAKOTO)
