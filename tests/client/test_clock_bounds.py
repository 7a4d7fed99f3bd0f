"""The possible clocks after each event, with either kind of clock."""

from __future__ import annotations

import pytest

from tabnet.client.verify.clock_bounds import ClockBounds
from tabnet.errors import NotVerified
from tabnet.protocol.messages import Clock

MOVE, TOTAL = Clock(move=120), Clock(total=600, increment=5)


def clock_bounds(clock, ann=None, bob=None):
    """Times that showed this for who is given."""
    made = ClockBounds(clock, ["ann", "bob"])
    full = clock.move or clock.total
    made.check_clock(1, {"ann": full, "bob": full}, "start", None, "ann")
    for nick, left in (("ann", ann), ("bob", bob)):
        if left is not None:
            shown = {name: ms / 1000 for name, ms in made._left.items()} | {nick: left}
            made.check_clock(2, shown, "draw", nick, "ann")
    return made


def test_every_action_refills_a_move_clock():
    for event in ("roll", "move", "pass"):
        clock_bounds(MOVE, ann=50).check_clock(3, {"ann": 120, "bob": 120.0}, event, "ann", "ann")
        for shown in ({"ann": 119, "bob": 120}, {"ann": 120, "bob": 121}):
            with pytest.raises(NotVerified, match=r"clock\.\w+ is .*, and should be 120"):
                clock_bounds(MOVE, ann=50).check_clock(3, shown, event, "ann", "bob")


@pytest.mark.parametrize("event", ["select", "release", "draw", "leave", "illegal", "end"])
@pytest.mark.parametrize("clock", [MOVE, TOTAL])
def test_only_the_player_to_act_loses_time(clock, event):
    def take(ann, bob):
        clock_bounds(clock, ann=50, bob=40).check_clock(
            3, {"ann": ann, "bob": bob}, event, "bob", "bob"
        )

    take(50, 40)
    take(50, 0)
    for ann, bob in ((49, 40), (51, 40), (50, 40.001), (50, -0.001)):
        with pytest.raises(NotVerified, match=r"update 3: clock\.(ann|bob) is "):
            take(ann, bob)


def test_an_increment_is_added_when_the_turn_passes():
    def take(ann, turn):
        clock_bounds(TOTAL, ann=50).check_clock(3, {"ann": ann, "bob": 600}, "move", "ann", turn)

    take(55, "bob")
    take(5, "bob")
    take(50, "ann")
    take(0, None)
    for ann, turn in ((55.001, "bob"), (4.999, "bob"), (50.001, "ann"), (50.001, None)):
        with pytest.raises(NotVerified, match=r"clock\.ann is .*, and should be from "):
            take(ann, turn)


def test_a_timed_out_player_has_no_time_left():
    clock_bounds(TOTAL, ann=50).check_clock(3, {"ann": 0.0, "bob": 600}, "timeout", "ann", None)
    with pytest.raises(NotVerified, match=r"clock\.ann is '1', and should be 0"):
        clock_bounds(TOTAL, ann=50).check_clock(3, {"ann": 1, "bob": 600}, "timeout", "ann", None)


@pytest.mark.parametrize("event", ["salt", "draw", "timeout", "end"])
def test_clocks_do_not_run_before_all_salts_arrive(event):
    clock_bounds(MOVE).check_clock(2, {"ann": 120, "bob": 120}, event, None, "ann")
    with pytest.raises(NotVerified, match=r"clock\.bob is '119', and should be 120"):
        clock_bounds(MOVE).check_clock(2, {"ann": 120, "bob": 119}, event, None, "ann")


@pytest.mark.parametrize(
    "shown", [None, [], {}, {"ann": 1}, {"ann": 1, "bob": 1, "carol": 1}, {"ann": 1, "eve": 1}]
)
def test_each_player_has_a_clock(shown):
    with pytest.raises(NotVerified, match=r"clock is .*, and should be what ann and bob have left"):
        clock_bounds(MOVE).check_clock(2, shown, "draw", "ann", "ann")


@pytest.mark.parametrize("shown", ["1", True, None, float("inf"), float("nan"), [1]])
def test_a_time_is_a_number(shown):
    with pytest.raises(NotVerified, match=r"clock\.ann is "):
        clock_bounds(TOTAL).check_clock(2, {"ann": shown, "bob": 600}, "draw", "ann", "ann")
