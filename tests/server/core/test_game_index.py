"""Finding games, and knowing whose time is up next."""

from __future__ import annotations

import pytest

from tabnet.errors import Refused
from tabnet.protocol.messages import Clock
from tabnet.server.core import game_index as game_indexes
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import read_terms
from tabnet.server.core.pairing.lobby import PUBLIC_WAIT_MS, WaitingPlayer
from tests.commands import join

ROUTES = (["c3", "d4"], ["f6", "g5"], ["a3", "b4"], ["b6", "a5"], ["b2", "a3"])


def match_of(id: str, now: int = 0, **clock: float) -> Match:
    terms = read_terms(join(kind="draughts", clock=Clock(**(clock or {"move": 1}))))
    seats = (Seat("zp"), Seat("jpleal"))
    return Match.start(id, terms, seats, bytes(32), now)


def begun(games: GameIndex, match: Match) -> Match:
    games.begin(match)
    for nick in match.nicks:
        games.take_seat(nick, match.id)
    return match


def test_running_and_finished_games_are_found() -> None:
    games = GameIndex()
    playing = begun(games, match_of("p"))
    over = begun(games, match_of("o"))
    over.leave(0, 0)
    assert games.finish(over) == []
    waiting = games.lobby.join(read_terms(join(kind="draughts")), WaitingPlayer("rui"), "w", 0)
    assert [games.find(id) for id in "pow"] == [playing, over, waiting]
    with pytest.raises(Refused) as caught:
        games.find("x")
    assert (caught.value.code, caught.value.text) == ("unknown_game", "Invalid game reference")


def test_the_only_game_of_a_player() -> None:
    games = GameIndex()
    for nick, game in (("zp", "a"), ("jpleal", "a"), ("zp", "b")):
        games.take_seat(nick, game)
        games.take_seat(nick, game)
    assert games.find_only_game_of("jpleal") == "a"
    for nick, hint in (
        ("zp", "you have seats in a, b"),
        ("rui", "you have no seat in any game"),
        (None, "you have no seat in any game"),
    ):
        with pytest.raises(Refused) as caught:
            games.find_only_game_of(nick)
        assert (caught.value.code, caught.value.hint) == ("which_game", hint)
    games.give_up_seat("zp", "a")
    assert games.find_only_game_of("zp") == "b"
    games.give_up_seat("zp", "b")
    with pytest.raises(Refused):
        games.find_only_game_of("zp")


def test_the_next_deadline_is_of_a_match_or_a_wait() -> None:
    games = GameIndex()
    assert games.deadline is None
    terms = read_terms(join(kind="draughts"))
    games.lobby.join(terms, WaitingPlayer("rui"), "w", 0)
    assert games.deadline == PUBLIC_WAIT_MS
    begun(games, match_of("m", 0, move=60))
    assert games.deadline == 60_000
    begun(games, match_of("n", 0, total=600))
    assert games.deadline == 60_000
    games.lobby.pop_expired(PUBLIC_WAIT_MS)
    assert games.deadline == 60_000


def test_a_timeout_is_due_on_time_and_once() -> None:
    games = GameIndex()
    match = begun(games, match_of("m"))
    assert list(games.pop_due(999)) == []
    assert list(games.pop_due(1000)) == [match]
    match = match.expire(1000)
    assert match is not None
    assert games.finish(match) == []
    assert list(games.pop_due(10_000)) == []
    assert games.deadline is None


def test_a_move_replaces_the_alarm() -> None:
    games = GameIndex()
    match = begun(games, match_of("m"))
    match = match.play(0, "notify", {"route": ROUTES[0]}, 400)
    games.replace(match)
    assert list(games.pop_due(1000)) == []
    assert games.deadline == 1400
    assert list(games.pop_due(1399)) == []
    assert list(games.pop_due(1400)) == [match]


def test_an_earlier_alarm_replaces_a_later_one() -> None:
    games = GameIndex()
    match = begun(games, match_of("m", 0, total=10))
    for number, now in enumerate((1000, 9000, 9001)):
        match = match.play(number % 2, "notify", {"route": ROUTES[number]}, now)
        games.replace(match)
    # jpleal has 2 seconds left, and the alarm for zp's 10 is still set
    assert games.deadline == 10_000
    assert list(games.pop_due(10_000)) == []
    assert games.deadline == match.deadline == 11_001
    match = match.play(1, "notify", {"route": ROUTES[3]}, 10_500)
    games.replace(match)
    assert list(games.pop_due(11_001)) == []
    assert games.deadline == match.deadline == 10_500 + 8999
    assert list(games.pop_due(10_500 + 8999)) == [match]


def test_a_replaced_alarm_has_no_effect() -> None:
    games = GameIndex()
    match = begun(games, match_of("m", 0, total=10))
    for number, now in enumerate((9000, 9001, 9500)):
        match = match.play(number % 2, "notify", {"route": ROUTES[number]}, now)
        games.replace(match)
    # zp has 501 ms left, and the alarm of the start is set; jpleal's comes in its place
    assert list(games.pop_due(10_000)) == []
    assert games.deadline == match.deadline == 19_499
    match = match.play(1, "notify", {"route": ROUTES[3]}, 10_600)
    games.replace(match)
    assert games.deadline == match.deadline == 11_101
    match = match.play(0, "notify", {"route": ROUTES[4]}, 11_000)
    games.replace(match)
    # the alarm set for zp is due, and the one set for jpleal replaces it
    assert list(games.pop_due(11_101)) == []
    assert games.deadline == match.deadline == 19_899
    for due in games.pop_due(40_000):
        assert due is match
        games.finish(match)
    assert list(games.finished) == ["m"]
    assert games.deadline is None


def test_a_finished_match_gives_up_its_seats_and_its_alarm() -> None:
    games = GameIndex()
    match = begun(games, match_of("m"))
    match = match.leave(1, 500)
    games.finish(match)
    assert games.playing == {}
    assert games.finished == {"m": match}
    with pytest.raises(Refused):
        games.find_only_game_of("zp")
    assert list(games.pop_due(1000)) == []
    assert games.deadline is None


def test_the_oldest_finished_matches_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_indexes, "MAX_FINISHED", 2)
    games = GameIndex()
    forgotten = []
    for id in "abcd":
        match = begun(games, match_of(id))
        match = match.leave(0, 0)
        forgotten.append([old.id for old in games.finish(match)])
    assert forgotten == [[], [], ["a"], ["b"]]
    assert list(games.finished) == ["c", "d"]
