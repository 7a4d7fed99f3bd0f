"""Scoreboards."""

from __future__ import annotations

from tabnet.protocol.frames import Score
from tabnet.server.ranking import BEST, Board, Rankings

TAB: Board = ("tab", 9, 99)


def lines(rankings: Rankings, board: Board = TAB) -> list[tuple[str, int, int]]:
    return [(score.nick, score.victories, score.games) for score in rankings.best(board)]


def test_a_match_counts_for_all_who_played_and_a_win_for_who_won() -> None:
    rankings = Rankings()
    rankings.record(TAB, ["zp", "jpleal"], ["jpleal"])
    assert rankings.best(TAB) == (
        Score(nick="jpleal", victories=1, games=1),
        Score(nick="zp", victories=0, games=1),
    )
    rankings.record(TAB, ["jpleal", "zp"], ["zp"])
    rankings.record(TAB, ["jpleal", "rui"], ["jpleal"])
    assert lines(rankings) == [("jpleal", 2, 3), ("zp", 1, 2), ("rui", 0, 1)]


def test_draws_and_shared_wins() -> None:
    rankings = Rankings()
    rankings.record(TAB, ["a", "b", "c"], [])
    rankings.record(TAB, ["a", "b", "c"], ["a", "c"])
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
        rankings.record(TAB, players, winners)
    assert lines(rankings) == [("a", 2, 2), ("c", 1, 1), ("d", 1, 1), ("b", 1, 2), ("x", 0, 4)]


def test_ten_lines_at_most() -> None:
    rankings = Rankings()
    nicks = [f"player {n:02}" for n in range(15)]
    for wins, nick in enumerate(nicks):
        for _ in range(wins):
            rankings.record(TAB, [nick, "loser"], [nick])
    assert BEST == 10
    assert [nick for nick, _, _ in lines(rankings)] == nicks[:4:-1]


def test_boards_are_kept_apart() -> None:
    rankings = Rankings()
    rankings.record(TAB, ["zp", "jpleal"], ["zp"])
    others: list[Board] = [("tab", 7, 99), ("tab", 9, 98), ("tab", None, 99), ("draughts", 9, 99)]
    assert all(rankings.best(board) == () for board in others)
    assert rankings == Rankings({TAB: {"zp": (1, 1), "jpleal": (0, 1)}})
