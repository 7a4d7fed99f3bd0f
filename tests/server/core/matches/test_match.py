"""One match: its history, and refusals that change nothing."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tabnet.errors import IllegalMove, InvalidMove, Refused, TabnetError
from tabnet.games.api import Outcome, Pass, Roll, Select
from tabnet.games.tab import TAB, TabMove
from tabnet.protocol.dice import NO_SALT, Dice, hash_salt, mix_salt
from tabnet.protocol.messages import Clock
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Moment, Seat, Step
from tabnet.server.core.matches.steps import make_step
from tabnet.server.core.matches.terms import read_terms
from tests.commands import join
from tests.games.tab.naive import view_of
from tests.server.pure import STICKS, fix_throws

TERMS = read_terms(join(group=99, size=9, clock=Clock(move=10)))


def started(*seats: Seat) -> Match:
    seats = seats or (Seat("zp"), Seat("jpleal"))
    return Match.start("g", TERMS, seats, bytes(32), 0)


def position(match: Match, pieces: str) -> Match:
    state = TAB.load(view_of(pieces))
    return evolve(match, state=state, turn=state.turn)


def test_a_new_match_has_its_initial_position_and_clocks() -> None:
    match = started()
    state = TAB.start()
    assert list(match.moments) == [
        Moment("start", None, None, None, state, None, (), (), (10_000, 10_000), None, 0),
    ]
    assert (match.seq, match.turn, match.get_nick(match.turn)) == (1, 0, "zp")
    assert match.nicks == ["zp", "jpleal"]
    assert match.get_nick(None) is None
    assert (match.deadline, match.compute_left(4000)) == (10_000, (6000, 10_000))


def test_the_history_of_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(3,))
    match = position(started(), "B25 R31")
    match = match.play(0, "roll", {}, 1000)
    for cell in (25, 25, 25, 10):
        match = match.play(0, "notify", {"cell": cell}, 3000)
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
    assert match.throws == (1, 0)
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
    match = match.play(0, "roll", {}, 1)

    def picture() -> tuple[Any, ...]:
        clocks = (match.clocks, match.deadline)
        return (match.state, match.held, match.result, *match.throws, *match.moments, *clocks)

    before = picture()
    for attempt in (match.play, lambda *args: make_step(match, *args[:-1])):
        with pytest.raises(error) as caught:
            attempt(seat, cmd, fields, 2)
        assert caught.value.code == code
    assert picture() == before


def test_a_preview_equals_the_step_that_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(2,))
    match = started()
    thrown = match.state.apply(Roll(STICKS[2]))
    assert make_step(match, 0, "roll", {}) == Step("roll", Roll(STICKS[2]), thrown)
    assert match.seq == 1
    match = match.play(0, "roll", {}, 0)
    assert match.state == thrown
    assert make_step(match, 0, "pass", {}) == Step("pass", Pass(), thrown.apply(Pass()))


def test_leaving_and_timing_out_end_the_match() -> None:
    for event, seat in (("leave", 0), ("leave", 1), ("timeout", 0)):
        match = started()
        if event == "leave":
            match = match.leave(seat, 4000)
        else:
            assert match.expire(9999) is None
            match = match.expire(10_000)
            assert match is not None
        other = 1 - seat
        assert match.result == Outcome((other,), (1 - other, other), event)
        assert (match.turn, match.deadline, match.seq) == (None, None, 2)
        last = match.moments[-1]
        assert (last.event, last.seat, last.result) == (event, seat, match.result)
        assert match.compute_left(99_999) == last.left
        assert match.expire(99_999) is None
        with pytest.raises(Refused, match="the game is over"):
            match = match.leave(0, 4001)
        for cmd in ("roll", "pass", "notify"):
            with pytest.raises(Refused) as caught:
                match = match.play(other, cmd, {"cell": "x"}, 4001)
            assert caught.value.code == "game_over"
        assert match.seq == 2


def test_a_victory_by_the_rules_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(1,))
    match = position(started(), "B10 R11")
    match = match.play(0, "roll", {}, 0)
    match = match.play(0, "notify", {"cell": 10}, 2500)
    assert match.result == Outcome((0,), (1, 0), "all_captured")
    assert match.moments[-1].left == match.compute_left(9000) == (7500, 10_000)
    assert (match.turn, match.deadline) == (None, None)
    assert match.expire(99_999) is None
    with pytest.raises(Refused) as caught:
        match = match.play(0, "notify", {"cell": 11}, 3000)
    assert caught.value.code == "game_over"


def test_forced_plays_are_separate_events(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(6, 2, 1), red=(2,))
    match = started(Seat("zp", auto=True), Seat("jpleal"))
    assert [moment.event for moment in match.moments] == ["start", "roll", "roll", "pass"]
    assert (match.turn, match.throws) == (1, (2, 0))
    match = match.play(1, "roll", {}, 100)
    match = match.play(1, "pass", {}, 200)
    assert [(moment.event, moment.seat) for moment in match.moments[4:]] == [
        ("roll", 1),
        ("pass", 1),
        ("roll", 0),
    ]
    assert match.deadline == 10_200


# -- draws, salts, and who loses otherwise


def test_the_history_of_draw_offers() -> None:
    match = started()
    for seat, offer, now in ((1, True, 1000), (1, False, 2000), (0, True, 3000), (1, True, 4000)):
        match = match.offer_draw(seat, offer, now)
    told = [(moment.seat, moment.word, moment.offers) for moment in match.moments[1:]]
    assert told == [(1, True, (1,)), (1, False, ()), (0, True, (0,)), (1, True, (0, 1))]
    assert [moment.left[0] for moment in match.moments] == [10_000, 9000, 8000, 7000, 6000]
    assert match.result == Outcome((), (0, 0), "agreed")
    assert (match.turn, match.deadline) == (None, None)


def salted(*seats: int, **seat: Any) -> Match:
    """A match in which these seats have promised the salt of 16 zeros."""
    hashes = [hash_salt(bytes(16)) if number in seats else None for number in range(2)]
    return started(
        *(Seat(nick, salt_hash=each, **seat) for nick, each in zip("ab", hashes, strict=True))
    )


def test_the_last_salt_starts_the_clock_and_gives_the_dice() -> None:
    match = salted(0, 1)
    assert (match.owing, match.compute_left(4000), match.deadline) == (
        (0, 1),
        (10_000,) * 2,
        10_000,
    )
    without = match.dice
    match = match.reveal(1, bytes(16), 6000)
    assert (match.owing, match.compute_left(7000), match.deadline) == ((0,), (10_000,) * 2, 10_000)
    assert match.dice == without
    match = match.reveal(0, bytes(16), 9000)
    assert (match.owing, match.compute_left(10_000), match.deadline) == ((), (9000, 10_000), 19_000)
    assert match.dice == Dice("g", bytes(32), (mix_salt(bytes(16)),) * 2)
    assert match.dice.commitment() == without.commitment()
    assert [(moment.event, moment.seat, moment.word) for moment in match.moments[1:]] == [
        ("salt", 1, "00" * 16),
        ("salt", 0, "00" * 16),
    ]
    assert [moment.owing for moment in match.moments] == [(0, 1), (0,), ()]


def test_a_seat_without_a_salt_hash_does_not_affect_the_dice() -> None:
    match = salted(1)
    match = match.reveal(1, bytes(16), 0)
    assert match.dice.mixes == (NO_SALT, mix_salt(bytes(16)))
    assert match.salts == (None, bytes(16))


@pytest.mark.parametrize(
    ("owing", "winners", "points", "seat"),
    [((0,), (1,), (0, 1), 0), ((1,), (0,), (1, 0), 1), ((0, 1), (), (0, 0), None)],
)
def test_a_player_without_a_salt_at_the_deadline_has_left(
    owing: tuple[int, ...], winners: tuple[int, ...], points: tuple[int, ...], seat: int | None
) -> None:
    match = salted(*owing)
    assert match.expire(9999) is None
    match = match.expire(10_000)
    assert match is not None
    assert match.result == Outcome(winners, points, "timeout")
    assert (match.moments[-1].seat, match.deadline) == (seat, None)
    with pytest.raises(Refused, match="the game is over"):
        match = match.reveal(0, bytes(16), 10_000)


def test_forced_plays_wait_for_the_salts() -> None:
    match = salted(0, 1, auto=True)
    match = match.reveal(0, bytes(16), 5)
    assert [moment.event for moment in match.moments] == ["start", "salt"]
    match = match.reveal(1, bytes(16), 7)
    assert [moment.event for moment in match.moments[:4]] == ["start", "salt", "salt", "roll"]
    assert {moment.at for moment in match.moments[2:]} == {7}


def test_only_the_player_to_act_can_be_punished() -> None:
    match = started()
    assert not match.may_punish(0)
    match = evolve(match, terms=evolve(match.terms, strict=True))
    assert [match.may_punish(seat) for seat in (0, 1)] == [True, False]
    match = match.punish(0, "must_roll", 500)
    last = match.moments[-1]
    assert (last.event, last.seat, last.word, last.at) == ("illegal", 0, "must_roll", 500)
    assert match.result == Outcome((1,), (0, 1), "illegal_move")
    assert [match.may_punish(seat) for seat in (0, 1)] == [False, False]
    match = salted(1)
    match = evolve(match, terms=evolve(match.terms, strict=True))
    assert not match.may_punish(0)


def test_an_ended_match_has_no_winner() -> None:
    match = started()
    match = match.end(4000)
    last = match.moments[-1]
    assert (last.event, last.seat, last.left) == ("end", None, (6000, 10_000))
    assert match.result == Outcome((), (0, 0), "ended")
    with pytest.raises(Refused, match="the game is over"):
        match = match.end(4000)


def test_a_shifted_match_has_the_same_clocks_at_the_later_time() -> None:
    match = started()
    match = match.shift(5000)
    assert (match.began, match.compute_left(9000), match.deadline) == (5000, (6000, 10_000), 15_000)
    match = match.leave(0, 9000)
    assert match.moments[-1].at == 4000
    owing = salted(0)
    owing = owing.shift(5000)
    assert owing.deadline == 15_000
