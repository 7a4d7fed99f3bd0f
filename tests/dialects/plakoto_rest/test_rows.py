"""The rows of players and of the status."""

from __future__ import annotations

from functools import partial

import pytest
from attrs import evolve

from tabnet.dialects.plakoto_rest.rows import player_row, status_row, timestamp
from tabnet.games.api import Outcome
from tabnet.server.core.pairing.lobby import PRIVATE_WAIT_MS, Table, WaitingPlayer
from tests.dialects.plakoto_rest.rest import (
    MOVE_MS,
    TERMS,
    moves_of,
    new_match,
    play,
    random_match,
)

NOON = 1_795_089_600_000
NOTHING = {
    "status": "not active",
    "p_turn": None,
    "result": None,
    "last_change": None,
    "dice1": None,
    "dice2": None,
    "moves_left": [],
}


def to_utc(time):
    return NOON + time


def at(seconds):
    return timestamp(NOON + seconds * 1000)


status_of, row_of = partial(status_row, to_utc=to_utc), partial(player_row, to_utc=to_utc)


def test_a_timestamp_is_a_date_and_a_time_of_day_in_utc():
    assert timestamp(NOON + 3_723_999) == "2026-11-19 13:02:03"


def test_an_untouched_room_has_neither_players_nor_changes():
    assert status_of(None) == NOTHING
    assert [row_of(None, seat) for seat in (0, 1)] == [
        {"username": None, "piece_color": colour, "last_action": None} for colour in "WB"
    ]


def test_a_room_with_one_player_is_initialized():
    black = WaitingPlayer("guest-2", wish=1, label="Ben")
    table = Table("T", TERMS, PRIVATE_WAIT_MS + 60_000, [black])
    assert status_of(table) == NOTHING | {"status": "initialized", "last_change": at(60)}
    row = {"username": "Ben", "piece_color": "B", "last_action": at(60)}
    assert [row_of(table, 0), row_of(table, 1)] == [row_of(None, 0), row]
    without_label = Table("T", TERMS, PRIVATE_WAIT_MS, [evolve(black, label=None)])
    assert row_of(without_label, 1)["username"] == "guest-2"


def test_a_match_shows_the_dice_of_the_turn_and_those_still_to_be_played():
    match = new_match(b"7" * 32, now=5000)
    throw = match.moments[1].action.outcome
    high, low = sorted(throw, reverse=True)
    assert high != low
    row = {"status": "started", "p_turn": "W", "last_change": at(5)}
    row |= {"dice1": throw[0], "dice2": throw[1]}
    assert status_of(match) == NOTHING | row | {"moves_left": [high, low]}
    larger_die = next(move for move in moves_of(match) if move.to == 1 + high)
    match = play(match, larger_die, now=9000)
    assert status_of(match) == NOTHING | row | {"moves_left": [low], "last_change": at(9)}
    assert row_of(match, 0) == {"username": "Anna", "piece_color": "W", "last_action": at(9)}
    assert row_of(match, 1) == {"username": "guest-1", "piece_color": "B", "last_action": at(5)}
    match = play(match, moves_of(match)[0], now=12_000)
    assert status_of(match)["p_turn"] == "B"
    assert row_of(match, 1)["last_action"] == at(5)


def test_there_are_no_dice_while_a_throw_is_due():
    match = new_match(auto=False)
    row = {"status": "started", "p_turn": "W", "last_change": at(0)}
    assert status_of(match) == NOTHING | row
    assert status_of(match.leave(0, 0)) == NOTHING | row | {
        "status": "ended",
        "p_turn": None,
        "result": "B",
    }


@pytest.mark.parametrize("seed", range(9))
def test_a_match_that_is_played_to_its_end_has_ended(seed):
    match = random_match(seed)[-1]
    winner = {(0,): "W", (1,): "B", (): "D"}[match.result.winners]
    row = status_of(match)
    assert (row["status"], row["p_turn"], row["result"]) == ("ended", None, winner)
    assert row["moves_left"] == []
    assert row["dice1"] in range(1, 7)


def test_a_player_whose_time_is_over_has_aborted_the_match():
    match = new_match().expire(MOVE_MS)
    row = status_of(match)
    assert (row["status"], row["p_turn"], row["result"]) == ("aborded", None, "B")
    assert row["moves_left"] == []


@pytest.mark.parametrize(
    ("reason", "status", "result"),
    [
        ("both_mothers", "ended", "D"),
        ("agreed", "ended", "D"),
        ("ended", "aborded", None),
        ("error", "aborded", None),
    ],
)
def test_a_match_without_a_winner_is_a_draw_or_aborted(reason, status, result):
    match = new_match().end(0, reason)
    assert isinstance(match.result, Outcome)
    row = status_of(match)
    assert (row["status"], row["result"]) == (status, result)
