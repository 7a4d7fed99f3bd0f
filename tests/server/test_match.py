"""One match: what its history holds, and what a refusal leaves untouched."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tabnet.errors import IllegalMove, InvalidMove, Refused, TabnetError
from tabnet.games.api import Outcome, Pass, Roll, Select
from tabnet.games.tab import TAB, TabMove
from tabnet.protocol.messages import Clock, Join
from tabnet.server.match import Match, Moment, Seat, Step
from tabnet.server.terms import terms_of
from tests.games.naive_tab import view_of
from tests.server.pure import STICKS, fix_throws

TERMS = terms_of(Join(group=99, size=9, clock=Clock(move=10)))


def started(*seats: Seat) -> Match:
    seats = seats or (Seat("zp"), Seat("jpleal"))
    return Match.start("g", TERMS, seats, bytes(32), 0)


def position(match: Match, pieces: str) -> Match:
    match.state = TAB.load(view_of(pieces))
    return match


def test_a_match_that_has_just_begun() -> None:
    match = started()
    state = TAB.start()
    assert match.moments == [
        Moment("start", None, None, None, state, None, (), (), (10_000, 10_000), None, 0),
    ]
    assert (match.seq, match.turn, match.nick(match.turn)) == (1, 0, "zp")
    assert match.nicks == ["zp", "jpleal"]
    assert match.nick(None) is None
    assert (match.deadline(), match.left(4000)) == (10_000, (6000, 10_000))


def test_the_history_of_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(3,))
    match = position(started(), "B25 R31")
    match.play(0, "roll", {}, 1000)
    for cell in (25, 25, 25, 10):
        match.play(0, "notify", {"cell": cell}, 3000)
    held = Select(25, (10, 28))
    full, thinking = (10_000, 10_000), (8000, 10_000)
    told = [
        (moment.event, moment.seat, moment.action, moment.held, moment.left)
        for moment in match.moments[1:]
    ]
    assert told == [
        ("roll", 0, Roll(STICKS[3]), None, full),
        ("select", 0, None, held, thinking),
        ("release", 0, None, None, thinking),
        ("select", 0, None, held, thinking),
        ("move", 0, TabMove(25, 10), None, full),
    ]
    assert match.turn == 1
    assert match.throws == [1, 0]
    states = [moment.state for moment in match.moments[2:6]]
    assert states == [states[0]] * 3 + [match.state]


@pytest.mark.parametrize(
    ("seat", "cmd", "fields", "error", "code"),
    [
        (1, "roll", {}, Refused, "not_your_turn"),
        (1, "pass", {}, Refused, "not_your_turn"),
        (1, "notify", {"cell": 35}, Refused, "not_your_turn"),
        (1, "notify", {"cell": 8}, Refused, "not_your_turn"),
        (1, "notify", {"cell": 36}, InvalidMove, "invalid_move"),
        (0, "roll", {}, IllegalMove, "must_move"),
        (0, "pass", {}, IllegalMove, "must_move"),
        (0, "notify", {"cell": 0}, IllegalMove, "own_piece"),
        (0, "notify", {"cell": 8, "to": 10}, IllegalMove, "wrong_distance"),
        (0, "notify", {}, InvalidMove, "invalid_move"),
    ],
)
def test_a_refusal_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
    seat: int,
    cmd: str,
    fields: dict[str, Any],
    error: type[TabnetError],
    code: str,
) -> None:
    fix_throws(monkeypatch, blue=(1,))
    match = started()
    match.play(0, "roll", {}, 1)

    def picture() -> tuple[Any, ...]:
        clocks = (match.clocks, match.deadline())
        return (match.state, match.held, match.result, *match.throws, *match.moments, *clocks)

    before = picture()
    for attempt in (match.play, lambda *args: match.preview(*args[:-1])):
        with pytest.raises(error) as caught:
            attempt(seat, cmd, fields, 2)
        assert caught.value.code == code
    assert picture() == before


def test_a_preview_is_what_would_happen(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(2,))
    match = started()
    thrown = match.state.apply(Roll(STICKS[2]))
    assert match.preview(0, "roll", {}) == Step("roll", Roll(STICKS[2]), thrown)
    assert match.seq == 1
    match.play(0, "roll", {}, 0)
    assert match.state == thrown
    assert match.preview(0, "pass", {}) == Step("pass", Pass(), thrown.apply(Pass()))


def test_leaving_and_the_flag() -> None:
    for event, seat in (("leave", 0), ("leave", 1), ("timeout", 0)):
        match = started()
        if event == "leave":
            match.leave(seat, 4000)
        else:
            assert match.expire(9999) is False
            assert match.seq == 1
            assert match.expire(10_000) is True
        other = 1 - seat
        assert match.result == Outcome((other,), (1 - other, other), event)
        assert (match.turn, match.deadline(), match.seq) == (None, None, 2)
        last = match.moments[-1]
        assert (last.event, last.seat, last.result) == (event, seat, match.result)
        assert match.left(99_999) == last.left
        assert match.expire(99_999) is False
        with pytest.raises(Refused, match="the game is over"):
            match.leave(0, 4001)
        for cmd in ("roll", "pass", "notify"):
            with pytest.raises(Refused) as caught:
                match.play(other, cmd, {"cell": "x"}, 4001)
            assert caught.value.code == "game_over"
        assert match.seq == 2


def test_a_win_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(1,))
    match = position(started(), "B10 R11")
    match.play(0, "roll", {}, 0)
    match.play(0, "notify", {"cell": 10}, 2500)
    assert match.result == Outcome((0,), (1, 0), "all_captured")
    assert match.moments[-1].left == match.left(9000) == (7500, 10_000)
    assert (match.turn, match.deadline()) == (None, None)
    assert match.expire(99_999) is False
    with pytest.raises(Refused) as caught:
        match.play(0, "notify", {"cell": 11}, 3000)
    assert caught.value.code == "game_over"


def test_when_one_of_three_gives_up_the_others_have_won() -> None:
    match = started()
    match.seats = (*match.seats, Seat("rui"))
    match.clocks = evolve(match.clocks, left=(1, 1, 1))
    match.leave(1, 0)
    assert match.result == Outcome((0, 2), (1, 0, 1), "leave")


def test_forced_plays_are_events_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(6, 2, 1), red=(2,))
    match = started(Seat("zp", auto=True), Seat("jpleal"))
    assert [moment.event for moment in match.moments] == ["start", "roll", "roll", "pass"]
    assert (match.turn, match.throws) == (1, [2, 0])
    match.play(1, "roll", {}, 100)
    match.play(1, "pass", {}, 200)
    assert [(moment.event, moment.seat) for moment in match.moments[4:]] == [
        ("roll", 1),
        ("pass", 1),
        ("roll", 0),
    ]
    assert match.deadline() == 10_200
