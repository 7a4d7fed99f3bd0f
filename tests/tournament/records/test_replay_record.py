"""Games as they are kept: from the referee's match to a line, and back to positions."""

from __future__ import annotations

import pytest

from tabnet.errors import BrokenHistory, InvalidOptions
from tabnet.games import GAMES
from tabnet.games.api import Pass, Roll
from tabnet.protocol.messages import Clock
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import Terms
from tabnet.tournament.records.replay_record import (
    GameRecord,
    decode_record,
    encode_action,
    encode_record,
    make_first_position,
    record_match,
    replay_actions,
)
from tests.tournament.sample import changed, played


def refereed(kind, actions=300):
    """A match of the referee, played by always taking the last move that is legal."""
    rules = GAMES[kind]
    given = {"tab": {"size": 7}, "fish": {"rows": 8, "cols": 8, "fish": 1}}
    options = rules.make_options(given.get(kind, {}))
    terms = Terms(kind, options, 2, Clock(total=600), 1)
    match = Match.start("a1", terms, (Seat("ann"), Seat("bob")), bytes(range(32)), 0)
    for _ in range(actions):
        if match.result:
            break
        seat, action = match.state.turn, match.state.actions()[-1]
        fields = {}
        command = {Roll: "roll", Pass: "pass"}.get(type(action), "notify")
        if command == "notify":
            fields = rules.dump_move(action)
        match = match.play(seat, command, fields, 0)
    return match


@pytest.mark.parametrize("kind", GAMES)
def test_the_match_of_a_referee_comes_back_position_by_position(kind):
    match = refereed(kind)
    acted = [moment for moment in match.moments if moment.action is not None]
    kept = decode_record(record_match(match))
    assert (kept.game, kept.kind, kept.players) == ("a1", kind, ("ann", "bob"))
    assert make_first_position(kept) == match.moments[0].state
    steps = list(replay_actions(kept))
    assert [(step.seat, step.state) for step in steps] == [(m.seat, m.state) for m in acted]
    assert steps


def test_a_record_can_have_other_names_than_nicks():
    assert decode_record(record_match(refereed("tab"), ("one", "two"))).players == ("one", "two")


def test_a_record_has_the_dealt_board_and_removed_players():
    terms = Terms("fish", GAMES["fish"].make_options({}), 3, Clock(total=600), None)
    match = Match.start("a1", terms, tuple(map(Seat, "abc")), bytes(range(32)), 0)
    while match.result is None:
        if match.actions == 12 and not match.out:
            match = match.end(0, "crash", 1)
        move = match.state.actions()[-1]
        match = match.play(match.state.turn, "notify", terms.game.dump_move(move), 0)
    kept = decode_record(record_match(match))
    assert kept.layout is not None
    assert make_first_position(kept) == match.moments[0].state
    assert kept.actions[12] == "!1"
    assert kept.actions[0] == "4,4"
    steps = list(replay_actions(kept))
    assert [step.state for step in steps] == [moment.state for moment in match.moments[1:]]
    assert steps[12].seat == 1


def test_the_last_removal_changes_no_position():
    terms = Terms("fish", GAMES["fish"].make_options({"fish": 1}), 3, Clock(total=600), None)
    match = Match.start("a1", terms, tuple(map(Seat, "abc")), bytes(range(32)), 0)
    match = match.leave(0, 0)
    match = match.leave(2, 0)
    kept = decode_record(record_match(match))
    assert (kept.layout, kept.actions) == (None, ("!0",))
    assert list(replay_actions(kept))[-1].state == match.state


def test_other_events_are_left_out():
    match = refereed("tab", 5)
    before = record_match(match)
    match = match.leave(0, 0)
    assert record_match(match) == before


def test_a_record_is_a_line_of_json():
    kept = GameRecord("g1", "tab", {"size": 9}, ("é", "bob"), ("=1", "8-9", "."))
    assert encode_record(kept).decode() == (
        '{"version":1,"game":"g1","kind":"tab","options":{"size":9},'
        '"players":["é","bob"],"actions":"=1 8-9 ."}\n'
    )
    assert decode_record(encode_record(kept)) == kept


def test_a_throw_of_two_dice_has_two_numbers():
    assert encode_action(GAMES["tab"], Roll((3, 4))) == "=3+4"
    kept = GameRecord("g", "tab", {}, ("a", "b"), ("=3+4",))
    with pytest.raises(BrokenHistory, match="comes out as 0 to 15"):
        list(replay_actions(kept))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"torn", "Expecting value"),
        (b"[]", "no record of a game"),
        (b"{}", "no record of a game"),
        (changed(encode_record(played("1", "tab", ("a", "b"), 4)), version=2), "version 1, not 2"),
        (
            changed(encode_record(played("1", "tab", ("a", "b"), 4)), actions=[]),
            "no record of a game",
        ),
    ],
)
def test_anything_but_a_record_is_refused(line, said):
    with pytest.raises(ValueError, match=said):
        decode_record(line)


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ("=1 8-9", "game g, event 2: 8-9 is refused: it is not legal there"),
        (".", "event 1: . is refused: You must roll the dice first"),
        ("=1 =2", "event 2: =2 is refused: You already rolled"),
        ("!x", "event 1: !x is refused: invalid literal"),
        ("=x", "event 1: =x is refused: invalid literal"),
    ],
)
def test_an_impossible_action_is_named(actions, said):
    kept = GameRecord("g", "tab", {"size": 7}, ("a", "b"), tuple(actions.split()))
    with pytest.raises(BrokenHistory, match=said.replace(".", r"\.")):
        list(replay_actions(kept))


def test_nothing_is_played_after_the_end():
    kept = played("7", "tab", ("a", "b"))
    more = GameRecord("7", "tab", kept.options, kept.players, (*kept.actions, "=1"))
    with pytest.raises(BrokenHistory, match="=1 is refused: the game is over"):
        list(replay_actions(more))


def test_unknown_kinds_and_options_are_refused():
    with pytest.raises(BrokenHistory, match="no game called go"):
        make_first_position(GameRecord("g", "go", {}, ("a", "b"), ()))
    with pytest.raises(InvalidOptions):
        make_first_position(GameRecord("g", "tab", {"size": 8}, ("a", "b"), ()))
