"""Examples of the rules of Plakoto; the properties and the naive rules cover all positions."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError

from tabnet.errors import IllegalMove, InvalidMove, InvalidOptions, InvalidPosition
from tabnet.games.api import Action, Move, Outcome, Pass, Roll
from tabnet.games.plakoto import PLAKOTO, PlakotoMove, PlakotoState
from tabnet.protocol.error_codes import CODES
from tests.games.plakoto.naive import NaivePlakoto, naive_of

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text())
WHITE, BLACK = 0, 1


def position(text: str, turn: int = WHITE, *dice: int) -> PlakotoState:
    return PLAKOTO.load(naive_of(text, turn, dice).view())


def moves(state: PlakotoState) -> set[tuple[int, int]]:
    return {(move.start, move.to) for move in state.actions() if isinstance(move, PlakotoMove)}


def refusal(state: PlakotoState, action: Action) -> IllegalMove:
    before = state.view()
    with pytest.raises(IllegalMove) as caught:
        state.apply(action)
    assert state.view() == before
    assert caught.value.code in CODES
    return caught.value


def played(state: PlakotoState, *steps: tuple[int, int]) -> PlakotoState:
    for start, to in steps:
        state = state.apply(PlakotoMove(start, to))
    return state


# -- the board, the start and the dice


def test_the_two_players_are_white_and_black() -> None:
    assert (PLAKOTO.kind, PLAKOTO.title, PLAKOTO.colours) == (
        "plakoto",
        "Plakoto",
        ("White", "Black"),
    )
    assert list(PLAKOTO.seats) == [2]
    assert PLAKOTO.make_options({}) == PLAKOTO.options()


def test_all_checkers_start_on_the_first_points_and_white_throws() -> None:
    state = PLAKOTO.start()
    view = state.view()
    assert view["points"][0] == {"owner": "White", "count": 15, "pinned": False}
    assert view["points"][23] == {"owner": "Black", "count": 15, "pinned": False}
    assert view["points"][1:23] == [None] * 22
    assert (view["off"], view["won"], view["turn"]) == ([0, 0], [0, 0], WHITE)
    assert (view["dice"], view["mustPass"]) == (None, None)
    assert state.actions() == (Roll(),)
    assert state.outcome() is None


@pytest.mark.parametrize("asked", [{"seats": 3}, {"layout": []}])
def test_three_players_and_a_layout_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptions, match="Plakoto is for two, and deals no layout"):
        PLAKOTO.start(**asked)


def test_there_are_21_throws_of_36() -> None:
    chances = PLAKOTO.start().chances()
    assert len(chances) == 21
    assert sum(weight for _, weight in chances) == 36
    assert {roll.outcome for roll, weight in chances if weight == 1} == {
        (die, die) for die in range(1, 7)
    }
    assert PLAKOTO.start().branches() == 21


def test_a_throw_is_two_dice_in_either_order_and_a_double_is_four() -> None:
    start = PLAKOTO.start()
    assert start.apply(Roll((2, 5))) == start.apply(Roll((5, 2)))
    assert start.apply(Roll((2, 5))).view()["dice"] == [5, 2]
    assert start.apply(Roll((3, 3))).view()["dice"] == [3, 3, 3, 3]
    assert start.apply(Roll((2, 5))).chances() == ()


@pytest.mark.parametrize("outcome", [None, 7, (1,), (1, 2, 3), (0, 1), (1, 7), (True, 2), [1, 2]])
def test_an_invalid_throw_is_refused(outcome: Any) -> None:
    with pytest.raises(InvalidMove, match="comes out as two dice of 1 to 6"):
        PLAKOTO.start().apply(Roll(outcome))


def test_a_die_is_the_next_byte_below_252_modulo_6_plus_1() -> None:
    stream = iter([255, 252, 251, 254, 6])
    assert PLAKOTO.read_roll(stream.__next__) == Roll((6, 1))
    stream = iter([0, 1])
    assert PLAKOTO.read_roll(stream.__next__) == Roll((1, 2))


def test_states_are_frozen_equal_by_value_and_can_be_copied() -> None:
    state = PLAKOTO.start()
    with pytest.raises(FrozenInstanceError):
        state.turn = BLACK  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(state)) == copy.deepcopy(state) == state


# -- moving


def test_a_single_checker_is_pinned_and_its_point_is_closed_to_its_owner() -> None:
    state = played(position("W1:14 W2:1 B4:1 B10:14", WHITE, 3, 1), (1, 4))
    assert state.view()["points"][3] == {"owner": "White", "count": 1, "pinned": True}
    black = PLAKOTO.load({**state.view(), "turn": BLACK, "dice": [6, 1]})
    assert moves(black) == {(10, 9)}
    assert refusal(black, PlakotoMove(10, 4)).text == "White holds 4"
    assert refusal(black, PlakotoMove(4, 3)).text == "the Black checker on 4 is pinned"


# -- the whole throw


def test_both_dice_must_be_played_if_one_order_allows_it() -> None:
    # after 10-15 the 6 could not be played, as Black holds 9 and 21
    state = position("W3:1 W10:1 W24:13 B9:2 B21:2 B2:11", WHITE, 6, 5)
    assert moves(state) == {(10, 16), (3, 8)}
    error = refusal(state, PlakotoMove(10, 15))
    assert error.code == "must_play_most"
    assert error.hint == "possible: 10 to 16, 3 to 8"
    assert moves(played(state, (10, 16))) == {(3, 8)}
    assert moves(played(state, (3, 8))) == {(10, 16), (8, 14)}


def test_if_only_one_die_can_be_played_it_is_the_larger() -> None:
    state = position("W10:1 W24:14 B15:1 B21:14", WHITE, 6, 5)
    # 10-16-21 and 10-15-21 end on a closed point: one die alone can be played, and it is the larger
    assert moves(state) == {(10, 16)}
    error = refusal(state, PlakotoMove(10, 15))
    assert error.code == "must_play_most"
    assert error.hint == "possible: 10 to 16"
    assert played(state, (10, 16)).actions() == (Pass(),)


def test_a_first_die_that_opens_the_second_comes_first() -> None:
    # the 4 can be played only after the 2, by the same checker
    state = position("W10:1 W24:14 B14:2 B1:13", WHITE, 4, 2)
    assert moves(state) == {(10, 12)}
    assert refusal(state, PlakotoMove(10, 14)).code == "closed_point"
    assert moves(played(state, (10, 12))) == {(12, 16)}


def test_a_move_that_ends_the_game_is_not_refused_for_the_dice_it_leaves() -> None:
    # 20-24 pins the mother and wins; the 3, played first, would let both dice be played
    state = position("W20:1 W19:2 W23:12 B24:1 B1:14", WHITE, 4, 3)
    assert (20, 24) in moves(state)
    assert played(state, (20, 24)).outcome() == Outcome((WHITE,), (2, 0), "mother")


# -- passing


def test_a_player_without_a_legal_move_must_pass() -> None:
    state = position("W1:15 B6:2 B7:2 B24:11", WHITE, 6, 5)
    assert state.actions() == (Pass(),)
    assert state.must_pass == state.view()["mustPass"] == WHITE
    assert refusal(state, PlakotoMove(1, 2)).code == "must_pass"
    assert refusal(state, Roll((1, 2))).code == "must_pass"
    after = state.apply(Pass())
    assert (after.turn, after.actions(), after.must_pass) == (BLACK, (Roll(),), None)


def test_a_player_with_a_legal_move_may_neither_pass_nor_throw() -> None:
    state = PLAKOTO.start().apply(Roll((6, 5)))
    assert refusal(state, Pass()).code == refusal(state, Roll((1, 1))).code == "must_move"


def test_a_player_must_throw_before_moving() -> None:
    state = PLAKOTO.start()
    assert refusal(state, Pass()).code == refusal(state, PlakotoMove(1, 2)).code == "must_roll"


# -- refusals


@pytest.mark.parametrize(
    ("start", "to", "code", "text"),
    [
        (2, 4, "no_piece", "there is no White checker on 2"),
        (24, 18, "no_piece", "there is no White checker on 24"),
        (0, 6, "no_piece", "there is no White checker on 0"),
        (12, 6, "wrong_direction", "White's checkers move up from 1 to 24"),
        (12, 12, "wrong_direction", "White's checkers move up from 1 to 24"),
        (1, 9, "wrong_distance", "no die to be played is 8"),
        (12, 17, "closed_point", "Black holds 17"),
        (22, 25, "not_home", "White bears off when all checkers left are in the last 6 points"),
    ],
)
def test_refusals_of_white_name_the_points(start: int, to: int, code: str, text: str) -> None:
    state = position("W1:5 W12:5 W22:5 B17:2 B24:13", WHITE, 6, 5)
    error = refusal(state, PlakotoMove(start, to))
    assert error.code == code
    assert error.text.startswith(text)


def test_refusals_of_black_name_the_points_as_they_are() -> None:
    state = position("W1:13 W6:2 B24:13 B12:2", BLACK, 6, 5)
    assert refusal(state, PlakotoMove(12, 6)).text == "White holds 6"
    assert refusal(state, PlakotoMove(12, 17)).text == "Black's checkers move down from 24 to 1"
    assert refusal(state, PlakotoMove(23, 17)).text == "there is no Black checker on 23"


def test_the_hint_lists_the_legal_moves() -> None:
    state = position("W1:5 W2:5 W3:5 B24:15", WHITE, 6, 5)
    error = refusal(state, PlakotoMove(1, 2))
    assert error.hint is not None
    assert error.hint.startswith("possible: ")
    assert error.hint.count(" to ") == 4
    assert error.hint.endswith(" and others")


# -- bearing off


def test_a_larger_die_bears_off_from_the_farthest_point_only() -> None:
    state = position("W22:1 W23:1 W24:1 B1:2", WHITE, 6)
    assert moves(state) == {(22, 25)}
    error = refusal(state, PlakotoMove(23, 25))
    assert error.code == "wrong_distance"
    assert "farthest" in error.text


def test_bearing_off_is_refused_while_more_of_the_throw_can_be_played() -> None:
    state = position("B5:1 B3:1 W2:2 W7:13", BLACK, 6, 1)
    assert moves(state) == {(5, 4)}
    assert refusal(state, PlakotoMove(5, 0)).code == "must_play_most"


def test_a_checker_outside_home_or_pinned_prevents_bearing_off() -> None:
    back = position("W18:1 W24:14 B1:2", WHITE, 1)
    assert refusal(back, PlakotoMove(24, 25)).code == "not_home"
    pinned = position("W20:14 B22:1* B6:14", WHITE, 5, 1)
    assert (20, 25) not in moves(pinned)
    assert refusal(pinned, PlakotoMove(20, 25)).code == "not_home"


# -- the end


def test_bearing_all_off_wins_two_points_against_an_opponent_with_none_off() -> None:
    one = played(position("W24:1 B1:3", WHITE, 2), (24, 25))
    assert one.outcome() == Outcome((WHITE,), (1, 0), "borne_off")
    assert (one.turn, one.actions(), one.chances(), one.branches()) == (None, (), (), 0)
    two = played(position("W24:15 B1:1", BLACK, 2), (1, 0))
    assert two.outcome() == Outcome((BLACK,), (0, 2), "borne_off")
    assert two.view()["won"] == [0, 2]


def test_pinning_the_mother_wins_at_once_if_the_own_mother_is_safe() -> None:
    state = played(position("W20:15 B24:1 B10:14", WHITE, 4), (20, 24))
    assert state.outcome() == Outcome((WHITE,), (2, 0), "mother")
    state = played(position("W1:1 W12:14 B5:15", BLACK, 4), (5, 1))
    assert state.outcome() == Outcome((BLACK,), (0, 2), "mother")


def test_pinning_the_mother_wins_as_soon_as_the_own_mother_is_safe() -> None:
    state = played(position("W1:2 W20:13 B24:1 B10:14", WHITE, 4, 3), (20, 24))
    assert state.outcome() is None
    state = position("W1:1 W20:13 W24:1* B10:14", WHITE, 3)
    assert played(state, (1, 4)).outcome() == Outcome((WHITE,), (2, 0), "mother")
    state = position("W13:14 B24:1 B10:13 B1:1*", BLACK, 3)
    assert played(state, (24, 21)).outcome() == Outcome((BLACK,), (0, 2), "mother")


def test_both_mothers_pinned_is_a_draw() -> None:
    state = position("W1:1 W20:13 W24:1* B5:14", BLACK, 4)
    after = played(state, (5, 1))
    assert after.outcome() == Outcome((), (0, 0), "both_mothers")
    assert after.view()["won"] == [0, 0]


def test_no_action_is_legal_after_the_end() -> None:
    state = played(position("W24:1 B1:3", WHITE, 2), (24, 25))
    for action in (Roll((1, 2)), Pass(), PlakotoMove(1, 2)):
        assert refusal(state, action).code == "game_over"


# -- moves as they are written


@pytest.mark.parametrize("move", [PlakotoMove(8, 13), PlakotoMove(24, 25), PlakotoMove(1, 0)])
def test_a_move_survives_dumping_and_parsing(move: PlakotoMove) -> None:
    written = PLAKOTO.dump_move(move)
    assert written == {"from": move.start, "to": move.to}
    assert PLAKOTO.parse_move(written) == move
    assert PLAKOTO.interpret(PLAKOTO.start(), None, written) == move


@pytest.mark.parametrize(
    ("fields", "field", "text"),
    [
        ({}, "from", "undefined from"),
        ({"from": 8}, "to", "undefined to"),
        ({"to": 8}, "from", "undefined from"),
        ({"from": "8", "to": 9}, "from", "from is not an integer"),
        ({"from": True, "to": 9}, "from", "from is not an integer"),
        ({"from": 0, "to": 9}, "from", "from is not on the board"),
        ({"from": 25, "to": 9}, "from", "from is not on the board"),
        ({"from": 1, "to": 26}, "to", "to is not on the board"),
        ({"from": 1, "to": -1}, "to", "to is not on the board"),
        ({"from": 1, "to": 2, "cell": 3}, "cell", "unknown field 'cell'"),
    ],
)
def test_invalid_move_fields_are_refused(fields: dict[str, Any], field: str, text: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        PLAKOTO.parse_move(fields)
    assert (caught.value.code, caught.value.field, caught.value.text) == (
        "invalid_move",
        field,
        text,
    )


def test_another_kind_s_move_cannot_be_played() -> None:
    state = PLAKOTO.start().apply(Roll((6, 5)))
    with pytest.raises(IllegalMove):
        state.apply(Move())


# -- positions as they are written


def test_a_position_may_consist_of_points_alone() -> None:
    view = PLAKOTO.start().view()
    assert PLAKOTO.load({"points": view["points"]}) == PLAKOTO.start()
    points = [point and {"owner": point["owner"], "count": 15} for point in view["points"]]
    assert PLAKOTO.load({"points": points}) == PLAKOTO.start()


def test_checkers_missing_from_the_board_are_borne_off() -> None:
    view = naive_of("W24:2 B1:3").view()
    assert PLAKOTO.load({"points": view["points"]}).view()["off"] == [13, 12]


@pytest.mark.parametrize(
    ("changed", "field", "text"),
    [
        (None, None, "the position is not an object"),
        ({"pieces": []}, "pieces", "unknown field 'pieces'"),
        ({"points": None}, "points", "the points are no list of 24"),
        ({"points": [None] * 23}, "points", "the points are no list of 24"),
        ({3: "x"}, "points[3]", "points[3] is not an object"),
        ({3: {"colour": 1}}, "points[3].colour", "unknown field 'colour'"),
        (
            {3: {"owner": "Red", "count": 1}},
            "points[3].owner",
            "the owner of point 4 is not White or",
        ),
        (
            {3: {"owner": "White", "count": 0}},
            "points[3].count",
            "the count of point 4 is not 1 to 15",
        ),
        ({3: {"owner": "White", "count": 16}}, "points[3].count", "the count of point 4 is not"),
        ({3: {"owner": "White", "count": True}}, "points[3].count", "the count of point 4 is not"),
        (
            {3: {"owner": "White", "count": 1, "pinned": 1}},
            "points[3].pinned",
            "pinned of point 4 is not true or false",
        ),
        (
            {0: {"owner": "White", "count": 1, "pinned": True}},
            "points[0].pinned",
            "White starts on 1 and never comes back to pin there",
        ),
        (
            {23: {"owner": "Black", "count": 1, "pinned": True}},
            "points[23].pinned",
            "Black starts on 24 and never comes back to pin there",
        ),
        (
            {3: {"owner": "White", "count": 1}},
            "points",
            "there are 16 checkers of White, more than",
        ),
        (
            {3: {"owner": "White", "count": 1, "pinned": True}, 0: {"owner": "White", "count": 14}},
            "points",
            "there are 16 checkers of Black, more than 15",
        ),
        (
            {0: {"owner": "White", "count": 14}},
            "points",
            "White has borne off, so all the others are on 19 to 24",
        ),
        (
            {23: {"owner": "Black", "count": 14}},
            "points",
            "Black has borne off, so all the others are on 6 to 1",
        ),
        (
            {0: None, 17: {"owner": "White", "count": 1}},
            "points",
            "White has borne off, so all the others are on 19 to 24",
        ),
        ({0: None, 23: None}, "points", "there is no checker on the board"),
        ({"off": [1, 0]}, "off", "off of this position is not '[1, 0]'"),
        ({"off": [0, False]}, "off", "off of this position is not '[0, false]'"),
        ({"off": [0]}, "off", "off of this position is not '[0]'"),
        ({"won": [1, 0]}, "won", "won of this position is not '[1, 0]'"),
        ({"mustPass": 0}, "mustPass", "mustPass of this position is not '0'"),
        ({"turn": 2}, "turn", "turn is not a seat"),
        ({"turn": True}, "turn", "turn is not a seat"),
        ({"turn": None}, "turn", "turn is not a seat"),
        ({"dice": [7, 1]}, "dice", "the dice are not what can be left of a throw"),
        ({"dice": []}, "dice", "the dice are not what can be left of a throw"),
        ({"dice": [1, 2, 2]}, "dice", "the dice are not what can be left of a throw"),
        ({"dice": [2] * 5}, "dice", "the dice are not what can be left of a throw"),
        ({"dice": [True]}, "dice", "the dice are not what can be left of a throw"),
        ({"dice": 6}, "dice", "the dice are not what can be left of a throw"),
    ],
)
def test_an_invalid_position_is_refused(changed: Any, field: str | None, text: str) -> None:
    view: Any = PLAKOTO.start().view()
    if changed is None:
        view = [view]
    else:
        for name, value in changed.items():
            if isinstance(name, int):
                view["points"][name] = value
                view.pop("off", None)
            else:
                view[name] = value
    with pytest.raises(InvalidPosition) as caught:
        PLAKOTO.load(view)
    assert (caught.value.code, caught.value.field) == ("invalid_position", field)
    assert caught.value.text.startswith(text)


@pytest.mark.parametrize(("changed", "field"), [({"turn": 0}, "turn"), ({"dice": [1]}, "dice")])
def test_a_game_that_is_over_has_neither_turn_nor_dice(changed: dict[str, Any], field: str) -> None:
    view = played(position("W24:1 B1:3", WHITE, 2), (24, 25)).view()
    assert PLAKOTO.load(view).outcome() == Outcome((WHITE,), (1, 0), "borne_off")
    with pytest.raises(InvalidPosition) as caught:
        PLAKOTO.load({**view, **changed})
    assert caught.value.field == field


def test_dice_may_be_written_in_any_order() -> None:
    view = PLAKOTO.start().view()
    assert PLAKOTO.load({**view, "dice": [5, 6]}) == PLAKOTO.load({**view, "dice": [6, 5]})


# -- the drawing


def test_a_position_is_drawn_with_borne_off_checkers_and_the_next_action() -> None:
    text = str(position("W20:3 W23:1* B5:14", BLACK, 6, 2))
    assert text == (
        "  13   14   15   16   17   18  |  19   20   21   22   23   24\n"
        "   .    .    .    .    .    .  |   .   3W    .    .  1W*    .   off: 11W\n"
        "\n"
        "   .    .    .    .    .    .  |   .  14B    .    .    .    .\n"
        "  12   11   10    9    8    7  |   6    5    4    3    2    1\n"
        "W White, from 1 to 24   B Black, from 24 to 1   * pins a checker of the other\n"
        "Black has 6 2 left to play."
    )
    assert str(position("W20:15 B1:3")).splitlines()[3].endswith("3B   off: 12B")


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (PLAKOTO.start(), "White is to throw."),
        (
            position("W1:15 B6:2 B7:2 B24:11", WHITE, 6, 5),
            "White has 6 5 left, cannot move, and must pass.",
        ),
        (position("B1:3"), "White has won 1: all checkers are borne off."),
        (position("W24:15"), "Black has won 2: all checkers are borne off."),
        (position("W24:15*  B3:14"), "White has won 2: Black's mother is pinned."),
        (position("W20:14 B1:15*"), "Black has won 2: White's mother is pinned."),
        (position("W24:14* B1:14*"), "A draw: both mothers are pinned."),
    ],
)
def test_the_last_line_of_the_drawing_describes_the_situation(
    state: PlakotoState, message: str
) -> None:
    assert str(state).splitlines()[-1] == message


# -- whole games


@pytest.mark.parametrize("game", RECORDED, ids=lambda game: str(game["final"]["won"]))
def test_recorded_games_replay_to_the_same_end(game: dict[str, Any]) -> None:
    state, naive = PLAKOTO.start(), NaivePlakoto.start()
    for entry in game["actions"].split():
        assert state.outcome() is None
        numbers = [int(number) for number in entry.replace("+", "-").split("-") if entry != "pass"]
        if entry == "pass":
            state, naive = state.apply(Pass()), naive.play(("pass",))
        elif "+" in entry:
            state, naive = state.apply(Roll(tuple(numbers))), naive.play(("roll", *numbers))
        else:
            move = PLAKOTO.parse_move(dict(zip(("from", "to"), numbers, strict=True)))
            state, naive = state.apply(move), naive.play(("move", *numbers))
    assert state.view() == naive.view() == game["final"]
    assert state.turn is None
