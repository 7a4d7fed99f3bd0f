"""Responses of draughts in text lines: games and refusals as lines."""

from __future__ import annotations

import pytest

from tabnet.dialects.draughts_text.responses import (
    find_seats_online,
    format_refusal,
    format_room_created,
    format_room_joined,
    format_room_state,
    keeps_empty_room,
)
from tabnet.games import GAMES
from tabnet.protocol.fields import Clock
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import ABANDONED, Seat
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.pairing.lobby import Table, WaitingPlayer
from tabnet.server.core.rooms.room_commands import Seen

DRAUGHTS = GAMES["draughts"]
TERMS = Terms("draughts", DRAUGHTS.make_options({}), 2, Clock(total=600), group=None)
START = "0b0b0b0bb0b0b0b00b0b0b0b0000000000000000w0w0w0w00w0w0w0ww0w0w0w0"


def match_from(board, turn=0):
    """A match that begins in a position."""
    seats = (Seat("ann"), Seat("ben"))
    position = DRAUGHTS.load({"board": board, "turn": turn})
    return Match.start("room", TERMS, seats, bytes(32), 0, position=position)


def play(match, now, *route):
    return match.play(match.turn, "notify", {"route": list(route)}, now)


def values_of(line):
    code, *pairs = line.split(" ")
    assert code == "STATUS_OK"
    return dict(pair.split("=") for pair in pairs)


def test_the_state_of_a_new_game():
    assert format_room_state(match_from(START), {0}, 0) == (
        "STATUS_OK STATE=PLAYING PLAYER_TURN=WHITE WHITE_WANTS_DRAW=FALSE BLACK_WANTS_DRAW=FALSE "
        f"BLACK_TIME=600000 WHITE_TIME=600000 WHITE_ONLINE=TRUE BLACK_ONLINE=FALSE BOARD={START}"
    )


def test_the_state_of_a_room_that_waits():
    table = Table("room", TERMS, 0, [WaitingPlayer("ann", wish=1)])
    assert format_room_state(table, {1}, 5) == (
        "STATUS_OK STATE=WAITING PLAYER_TURN=WHITE WHITE_WANTS_DRAW=FALSE BLACK_WANTS_DRAW=FALSE "
        f"BLACK_TIME=600000 WHITE_TIME=600000 WHITE_ONLINE=FALSE BLACK_ONLINE=TRUE BOARD={START}"
    )


def test_the_time_of_the_side_to_move_runs():
    match = play(match_from(START), 1000, "a3", "b4")
    state = values_of(format_room_state(match, (), 3500))
    assert (state["WHITE_TIME"], state["BLACK_TIME"]) == ("599000", "597500")
    assert state["PLAYER_TURN"] == "BLACK"


def test_a_request_for_a_draw_survives_moves():
    match = play(match_from(START).offer_draw(0, offer=True, now=0), 0, "a3", "b4")
    state = values_of(format_room_state(match, (), 0))
    assert (state["WHITE_WANTS_DRAW"], state["BLACK_WANTS_DRAW"]) == ("TRUE", "FALSE")
    drawn = values_of(format_room_state(match.offer_draw(1, offer=True, now=0), (), 0))
    assert (drawn["STATE"], drawn["PLAYER_TURN"]) == ("DRAW", "BLACK")


# White or Black captures the last piece, with White's man on c3 and Black's on d4.
FACING = "0" * 35 + "b000000" + "w" + "0" * 21


@pytest.mark.parametrize(
    ("turn", "route", "state", "next_turn"),
    [(0, "c3 e5", "WHITE_WON", "BLACK"), (1, "d4 b2", "BLACK_WON", "WHITE")],
)
def test_the_state_after_the_last_move(turn, route, state, next_turn):
    match = play(match_from(FACING, turn), 0, *route.split())
    values = values_of(format_room_state(match, (), 0))
    assert (values["STATE"], values["PLAYER_TURN"]) == (state, next_turn)


def test_a_match_that_is_ended_without_a_winner_is_a_draw():
    ended = match_from(START).end(0)
    assert values_of(format_room_state(ended, (), 0))["STATE"] == "DRAW"


# White's man on a3 and Black's men on b4 and d6; White's king on a1 and Black's on h8.
BLOCKED = "0" * 19 + "b" + "0" * 13 + "b" + "0" * 6 + "w" + "0" * 23
KINGS = "0" * 7 + "B" + "0" * 48 + "W" + "0" * 7


def test_a_player_without_a_legal_move_loses_at_once():
    match = play(match_from(BLOCKED, 1), 0, "d6", "c5")
    values = values_of(format_room_state(match, (), 0))
    assert (values["STATE"], values["PLAYER_TURN"]) == ("BLACK_WON", "WHITE")


def test_the_third_repetition_of_a_position_is_a_draw():
    match = match_from(KINGS)
    for route in (["a1", "b2"], ["h8", "g7"], ["b2", "a1"], ["g7", "h8"]) * 2:
        assert values_of(format_room_state(match, (), 0))["STATE"] == "PLAYING"
        match = play(match, 0, *route)
    assert values_of(format_room_state(match, (), 0))["STATE"] == "DRAW"


def test_the_players_of_a_match_are_online_by_their_connections():
    match = match_from(START)
    seen = Seen(cmd="state", game=match, seat=0, seq=1, online={"ann": False, "ben": True}, now=0)
    assert find_seats_online(seen, set()) == {1}
    assert find_seats_online(seen, {("room", 0), ("other", 0)}) == {0, 1}


def test_the_player_of_a_waiting_room_is_online_in_the_seat_asked_for():
    table = Table("room", TERMS, 0, [WaitingPlayer("ann", wish=1)])
    seen = Seen(cmd="state", game=table, seat=1, seq=0, online={"ann": True}, now=0)
    assert find_seats_online(seen, set()) == {1}


def test_a_room_without_players_exists_while_its_game_is_not_over_or_waits_after_a_restart():
    table = Table("room", TERMS, 0, [WaitingPlayer("ann", wish=1)])
    drawn = match_from(START).offer_draw(0, offer=True, now=0).offer_draw(1, offer=True, now=0)
    abandoned = match_from(START).end(0, ABANDONED)
    for waits in (False, True):
        assert keeps_empty_room(table, waits=waits)
        assert keeps_empty_room(match_from(START), waits=waits)
        assert keeps_empty_room(drawn, waits=waits) == waits
        assert not keeps_empty_room(abandoned, waits=waits)


def test_a_refusal_is_one_line_of_printable_ascii():
    assert format_refusal("MOVE", "é\n\x1b is no square…") == "MOVE_FAIL - ??? is no square..."
    assert format_refusal(None, "no") == "INVALID_SYNTAX - no"
    assert format_refusal("CREATE", "busy") == "INVALID_SYNTAX - busy"


def test_the_responses_that_enter_a_room():
    assert format_room_joined(1) == "ROOM_JOINED COLOR=BLACK"
    ids = "ROOM_CREATED ROOM_ID=r PLAYER_COLOR_ID=p ENEMY_COLOR_ID=e"
    assert format_room_created("r", "p", "e", None) == ids
    assert format_room_created("r", "p", "e", 0) == f"{ids} COLOR=WHITE"
