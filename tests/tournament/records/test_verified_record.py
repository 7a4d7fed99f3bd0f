"""Game records are verified with the secret of their throws."""

from __future__ import annotations

import pytest
from attrs import evolve

from tabnet.errors import BrokenHistory
from tabnet.games import GAMES
from tabnet.protocol.fields import Clock
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import Terms
from tabnet.tournament.records.replay_record import THROW, GameRecord, decode_record, record_match
from tabnet.tournament.records.verified_record import verify_record

KEY = bytes(range(32))
OPTIONS = {"tab": {"size": 7}, "fish": {}, "plakoto": {}, "draughts": {}}


def played(kind: str) -> GameRecord:
    """Return the record of the first 40 actions of a match."""
    terms = Terms(kind, GAMES[kind].make_options(OPTIONS[kind]), 2, Clock(total=600), None)
    match = Match.start("a1", terms, (Seat("a", auto=True), Seat("b", auto=True)), KEY, 0)
    while match.result is None and match.actions < 40:
        move = match.state.actions()[0]
        match = match.play(match.state.turn, "notify", terms.game.dump_move(move), 0)
    return decode_record(record_match(match))


@pytest.mark.parametrize("kind", OPTIONS)
def test_a_record_follows_from_its_secret(kind):
    record = played(kind)
    throws = sum(action.startswith(THROW) for action in record.actions)
    assert verify_record(record, KEY) == throws
    assert (throws > 0) == GAMES[kind].has_dice
    assert (record.dice_commit is None) == (kind == "draughts")


@pytest.mark.parametrize("kind", ["tab", "fish"])
def test_another_secret_is_refused(kind):
    with pytest.raises(
        BrokenHistory, match=r"event 0: dice_commit is \w+, and should be \w+ by the secret"
    ):
        verify_record(played(kind), bytes(32))
    with pytest.raises(BrokenHistory, match="event 0: dice_commit is missing"):
        verify_record(evolve(played(kind), dice_commit=None), KEY)


def test_another_board_is_refused():
    record = played("fish")
    with pytest.raises(BrokenHistory, match="event 0: the board does not follow from the secret"):
        verify_record(evolve(record, layout=record.layout[::-1]), KEY)


def test_the_first_wrong_throw_is_named():
    record = played("tab")
    last = max(n for n, action in enumerate(record.actions) if action.startswith(THROW))
    right = record.actions[last]
    wrong = "=1" if right != "=1" else "=2"
    actions = (*record.actions[:last], wrong)
    text = f"event {last + 1}: the throw is {wrong}, and should be {right}"
    with pytest.raises(BrokenHistory, match=text):
        verify_record(evolve(record, actions=actions), KEY)


def test_an_illegal_move_is_refused():
    record = played("draughts")
    with pytest.raises(BrokenHistory, match="event 1: a1-b2 is refused"):
        verify_record(evolve(record, actions=("a1-b2",)), b"")


def test_an_unknown_kind_is_refused():
    with pytest.raises(BrokenHistory, match="this tabnet has no game called chess"):
        verify_record(evolve(played("tab"), kind="chess"), KEY)
