"""Examples of the rules of Tab; the properties and the naive rules cover all positions."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError

from tabnet.errors import IllegalMove, InvalidMove, InvalidOptions, InvalidPosition
from tabnet.games.api import Action, Outcome, Pass, Roll, Select
from tabnet.games.tab import TAB, TabMove, TabOptions, TabState
from tabnet.protocol.error_codes import CODES
from tests.games.tab.naive import NaiveTab, view_of

RECORDED = Path(__file__).parent / "recorded.json"
STICKS = {6: 0b0000, 1: 0b0010, 2: 0b1010, 3: 0b0111, 4: 0b1111}
BLUE, RED = 0, 1


def position(text: str, turn: int = BLUE, value: int | None = None, size: int = 9) -> TabState:
    return TAB.load(view_of(text, turn, value, size))


def moves(state: TabState) -> set[tuple[int, int]]:
    return {(move.cell, move.to) for move in state.actions() if isinstance(move, TabMove)}


def goes_to(text: str, cell: int, value: int, turn: int = BLUE, size: int = 9) -> list[int]:
    """Where the piece on `cell` may go; the other side has a piece somewhere, so it is a game."""
    state = position(text, turn, value, size)
    return sorted(to for start, to in moves(state) if start == cell)


def refusal(state: TabState, action: Action) -> IllegalMove:
    before = state.view()
    with pytest.raises(IllegalMove) as caught:
        state.apply(action)
    assert state.view() == before
    assert caught.value.code in CODES
    return caught.value


def thrown(value: int, size: int = 9) -> TabState:
    """The start of a game after one throw."""
    return TAB.start(TabOptions(size)).apply(Roll(STICKS[value]))


# -- the board and the start


def test_the_two_players_are_blue_and_red() -> None:
    assert (TAB.kind, TAB.title, TAB.colours) == ("tab", "Tab", ("Blue", "Red"))
    assert list(TAB.seats) == [2]


@pytest.mark.parametrize("size", [7, 9, 11, 13, 15])
def test_a_board_has_four_rows_of_size_cells_and_each_side_size_pieces_at_home(size: int) -> None:
    state = TAB.start(TAB.make_options({"size": size}))
    pieces = state.view()["pieces"]
    blue = {"color": "Blue", "inMotion": False, "reachedLastRow": False}
    red = {"color": "Red", "inMotion": False, "reachedLastRow": False}
    assert pieces == [blue] * size + [None] * (2 * size) + [red] * size
    assert state.size == size


def test_the_default_size_is_nine() -> None:
    assert TAB.start() == TAB.start(TabOptions()) == TAB.start(TabOptions(size=9))
    assert len(TAB.start().view()["pieces"]) == 36


@pytest.mark.parametrize(
    ("size", "text"),
    [
        ("large", "invalid size 'large'"),
        (3.1416, "invalid size '3.1416'"),
        (True, "invalid size 'true'"),
        (None, "invalid size 'null'"),
        (9.0, "invalid size '9.0'"),
        (8, "invalid size '8'"),
        (5, "invalid size '5'"),
        (17, "invalid size '17'"),
        (-9, "invalid size '-9'"),
    ],
)
def test_a_size_is_an_odd_integer_from_7_to_15(size: Any, text: str) -> None:
    with pytest.raises(InvalidOptions) as caught:
        TAB.make_options({"size": size})
    error = caught.value
    assert (error.code, error.text, error.field) == ("invalid_option", text, "size")
    assert error.hint == "an odd integer from 7 to 15"


@pytest.mark.parametrize(("asked", "field"), [({"seats": 3}, "seats"), ({"layout": []}, "layout")])
def test_three_players_and_a_layout_are_refused(asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidOptions) as caught:
        TAB.start(**asked)
    assert caught.value.field == field


def test_blue_begins_with_a_throw() -> None:
    state = TAB.start()
    assert state.turn == BLUE
    assert state.actions() == (Roll(),)
    assert state.outcome() is None
    assert state.view()["dice"] is None
    assert state.view()["mustPass"] is None


# -- the sticks


def test_a_throw_is_worth_its_light_sides_and_six_if_all_are_dark() -> None:
    values = {bits: TAB.start().apply(Roll(bits)).view()["dice"]["value"] for bits in range(16)}
    assert values[0b0000] == 6
    assert {values[bits] for bits in (0b0001, 0b0010, 0b0100, 0b1000)} == {1}
    assert {values[bits] for bits in (3, 5, 6, 9, 10, 12)} == {2}
    assert {values[bits] for bits in (7, 11, 13, 14)} == {3}
    assert values[0b1111] == 4


def test_bit_i_of_a_throw_is_stick_i_light_side_up() -> None:
    dice = TAB.start().apply(Roll(0b0010)).view()["dice"]
    assert dice["stickValues"] == [False, True, False, False]


@pytest.mark.parametrize(
    ("value", "again"), [(1, True), (2, False), (3, False), (4, True), (6, True)]
)
def test_throws_of_1_4_and_6_give_another_throw(value: int, again: bool) -> None:
    assert thrown(value).view()["dice"]["keepPlaying"] is again


def test_the_five_values_have_weights_1_4_6_4_1() -> None:
    chances = TAB.start().chances()
    assert [weight for _, weight in chances] == [1, 4, 6, 4, 1]
    values = [TAB.start().apply(roll).view()["dice"]["value"] for roll, _ in chances]
    assert values == [6, 1, 2, 3, 4]
    assert TAB.start().branches() == 5


def test_a_throw_reads_the_low_four_bits_of_one_byte() -> None:
    stream = iter([0xA5, 0xFF])
    assert TAB.read_roll(lambda: next(stream)) == Roll(0x5)
    assert TAB.read_roll(lambda: next(stream)) == Roll(0xF)


@pytest.mark.parametrize("outcome", [None, -1, 16, True, 1.0, (1, 2)])
def test_a_throw_is_applied_with_its_four_bits(outcome: Any) -> None:
    with pytest.raises(InvalidMove) as caught:
        TAB.start().apply(Roll(outcome))
    assert caught.value.code == "invalid_move"


# -- how pieces move


@pytest.mark.parametrize(
    ("text", "cell", "value", "turn", "destinations"),
    [
        pytest.param("b8 B12 r35", 8, 2, BLUE, [], id="a first move needs a tab"),
        pytest.param("b8 B12 r35", 8, 1, BLUE, [9], id="a tab moves a piece for the first time"),
        pytest.param("B7 r35", 7, 4, BLUE, [11], id="blue goes from row 0 to 1"),
        pytest.param("B16 r35", 16, 4, BLUE, [20], id="blue goes from row 1 to 2"),
        pytest.param("b0 R34", 34, 4, RED, [20], id="red goes from row 3 to 2"),
        pytest.param("b0 R25", 25, 4, RED, [11], id="red goes from row 2 to 1"),
        pytest.param("b0 B25 r35", 25, 3, BLUE, [10, 28], id="the way forks after the third row"),
        pytest.param("B*34 r27", 34, 3, BLUE, [19], id="a piece leaves its last row"),
        pytest.param("B*25 r35", 25, 3, BLUE, [10], id="no piece enters its last row twice"),
        pytest.param("b0 B*28 B12 r35", 28, 3, BLUE, [], id="a piece at home locks the last row"),
        pytest.param("B*28 R*3", 28, 3, BLUE, [31], id="an enemy at home does not lock it"),
        pytest.param("B25 B10 r35", 25, 3, BLUE, [28], id="an own piece blocks a destination"),
        pytest.param("B9 B10 R11 r35", 9, 3, BLUE, [12], id="pieces on the way do not block"),
    ],
)
def test_pieces_follow_the_rules_of_movement(
    text: str, cell: int, value: int, turn: int, destinations: list[int]
) -> None:
    assert goes_to(text, cell, value, turn) == destinations


# -- the turn


def test_a_player_must_throw_before_moving() -> None:
    for action in (Pass(), TabMove(8, 9)):
        error = refusal(TAB.start(), action)
        assert (error.code, error.text) == ("must_roll", "You must roll the dice first")


@pytest.mark.parametrize("action", [Roll(), Roll(3), Pass()])
def test_a_legal_move_must_be_made_before_rolling_again_or_passing(action: Action) -> None:
    error = refusal(thrown(1), action)
    assert error.code == "must_move"
    assert error.text == "You already rolled the dice and have valid moves"


@pytest.mark.parametrize("value", [4, 6])
def test_without_a_legal_move_4_and_6_are_thrown_again_and_not_passed(value: int) -> None:
    state = thrown(value)
    assert state.actions() == (Roll(),)
    assert len(state.chances()) == state.branches() == 5
    assert state.view()["mustPass"] is None
    assert state.view()["dice"]["value"] == value
    for action in (Pass(), TabMove(8, 9)):
        error = refusal(state, action)
        assert error.code == "must_roll_again"
        assert error.text == "You already rolled the dice but can roll it again"
    again = state.apply(Roll(STICKS[1]))
    assert (again.turn, again.actions()) == (BLUE, (TabMove(8, 9),))


@pytest.mark.parametrize("value", [2, 3])
def test_without_a_legal_move_2_and_3_must_be_passed(value: int) -> None:
    state = thrown(value)
    assert state.actions() == (Pass(),)
    assert state.view()["mustPass"] == BLUE
    assert (state.chances(), state.branches()) == ((), 1)
    for action in (Roll(), Roll(1), TabMove(8, 9)):
        error = refusal(state, action)
        assert error.code == "must_pass"
        assert error.text == "You already rolled the dice and have no valid moves: pass"


# -- why a move is refused


@pytest.mark.parametrize(
    ("text", "value", "move", "code", "sentence"),
    [
        ("b0 b1 r35", 1, (0, 1), "own_piece", "cannot capture to your own piece"),
        ("B9 B12 r35", 3, (9, 12), "own_piece", "cannot capture to your own piece"),
        ("B9 r35", 3, (9, 13), "wrong_distance", "Invalid move: must play the dice's value"),
        ("B9 r35", 3, (9, 9), "wrong_distance", "Invalid move: must play the dice's value"),
        ("B9 r35", 3, (9, -24), "wrong_distance", "Invalid move: must play the dice's value"),
        ("B*25 r35", 3, (25, 28), "wrong_distance", "Invalid move: must play the dice's value"),
        ("B17 r35", 1, (17, 0), "wrong_distance", "Invalid move: must play the dice's value"),
        (
            "b0 B9 r35",
            3,
            (0, 3),
            "first_move",
            "the first move of a piece needs a throw of 1 (Tab)",
        ),
        (
            "b0 B*28 B9 r35",
            3,
            (28, 31),
            "blocked_row",
            "a piece in the last row stays there while you have pieces in your home row",
        ),
        ("B9 r35", 3, (35, 20), "no_piece", "there is no piece of yours on this cell"),
        ("B9 r35", 3, (10, 13), "no_piece", "there is no piece of yours on this cell"),
        ("B9 r35", 3, (36, 39), "no_piece", "there is no piece of yours on this cell"),
        ("B9 r35", 3, (-27, -24), "no_piece", "there is no piece of yours on this cell"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(
    text: str, value: int, move: tuple[int, int], code: str, sentence: str
) -> None:
    error = refusal(position(text, value=value), TabMove(*move))
    assert (error.code, error.text) == (code, sentence)


def test_a_refused_distance_names_the_destination() -> None:
    state = position("B25 r35", value=3)
    assert refusal(state, TabMove(25, 26)).hint == "25 goes to 10 or 28"


def test_red_is_refused_for_its_own_home_and_last_row() -> None:
    state = position("b8 R*1 R28 R10", RED, 3)
    assert refusal(state, TabMove(1, 4)).code == "blocked_row"


# -- the end


def win() -> TabState:
    return position("B9 b0 R12", value=3).apply(TabMove(9, 12))


def test_the_player_whose_last_piece_is_captured_loses() -> None:
    assert win().outcome() == Outcome((BLUE,), (1, 0), "all_captured")
    red = position("b1 R16 r35", RED, 3).apply(TabMove(16, 1))
    assert red.outcome() == Outcome((RED,), (0, 1), "all_captured")


def test_no_action_is_legal_after_the_end() -> None:
    state = win()
    assert (state.turn, state.actions(), state.chances(), state.branches()) == (None, (), (), 0)
    assert (state.view()["turn"], state.view()["dice"], state.view()["mustPass"]) == (None,) * 3
    for action in (Roll(1), Pass(), TabMove(12, 13)):
        error = refusal(state, action)
        assert (error.code, error.text) == ("game_over", "the game is over")


# -- moves as they are sent


def test_the_selected_cell_itself_rolls_the_selection_back() -> None:
    assert TAB.interpret(position("B25 r35", value=3), 25, {"cell": 25}) == Select(None)


@pytest.mark.parametrize("fields", [{"cell": 26}, {"cell": 9}, {"cell": 28, "to": 31}])
def test_only_the_selected_piece_may_move(fields: dict[str, int]) -> None:
    state = position("B25 B9 r35", value=3)
    with pytest.raises(IllegalMove) as caught:
        TAB.interpret(state, 25, fields)
    assert caught.value.code == "wrong_distance"
    assert caught.value.text == "Invalid move: must play the dice's value"
    assert caught.value.hint == "25 goes to 10 or 28; 25 again lets it go"


def test_cell_and_to_together_are_a_whole_move() -> None:
    state = position("B25 r35", value=3)
    assert TAB.interpret(state, None, {"cell": 25, "to": 28}) == TabMove(25, 28)
    assert TAB.interpret(state, 25, {"cell": 25, "to": 28}) == TabMove(25, 28)


def test_cell_0_after_a_tab_from_the_start_cannot_capture_an_own_piece() -> None:
    with pytest.raises(IllegalMove) as caught:
        TAB.interpret(thrown(1), None, {"cell": 0})
    assert (caught.value.code, caught.value.text) == (
        "own_piece",
        "cannot capture to your own piece",
    )


@pytest.mark.parametrize(
    ("state", "cell", "code"),
    [
        (TAB.start(), 8, "must_roll"),
        (thrown(6), 8, "must_roll_again"),
        (thrown(2), 8, "must_pass"),
        (thrown(1), 12, "no_piece"),
        (thrown(1), 35, "no_piece"),
        (position("b0 B9 r35", value=2), 0, "first_move"),
        (position("b0 B9 B*27 r35", value=2), 27, "blocked_row"),
        (position("B25 B10 B*28 r35", value=3), 25, "own_piece"),
        (win(), 12, "game_over"),
    ],
)
def test_a_cell_that_cannot_move_is_refused_with_its_reason(
    state: TabState, cell: int, code: str
) -> None:
    with pytest.raises(IllegalMove) as caught:
        TAB.interpret(state, None, {"cell": cell})
    assert caught.value.code == code


SHAPES = [
    ({"cell": True}, "cell", "cell is not an integer"),
    ({"cell": "8"}, "cell", "cell is not an integer"),
    ({"cell": 8.0}, "cell", "cell is not an integer"),
    ({"cell": None}, "cell", "cell is not an integer"),
    ({"cell": -1}, "cell", "cell is negative"),
    ({"to": 9}, "cell", "undefined cell"),
    ({}, "cell", "undefined cell"),
    ({"cell": 8, "to": None}, "to", "to is not an integer"),
    ({"cell": 8, "to": -9}, "to", "to is negative"),
    ({"cell": 8, "move": "8-9"}, "move", "unknown field 'move'"),
]


@pytest.mark.parametrize(("fields", "field", "text"), SHAPES)
def test_invalid_move_fields_are_refused_in_every_position(
    fields: dict[str, Any], field: str, text: str
) -> None:
    readings: list[Callable[[], object]] = [
        lambda: TAB.parse_move(fields),
        lambda: TAB.interpret(thrown(1), None, fields),
        lambda: TAB.interpret(TAB.start(), 25, fields),
    ]
    for read in readings:
        with pytest.raises(InvalidMove) as caught:
            read()
        error = caught.value
        assert (error.code, error.field, error.text) == ("invalid_move", field, text)


def test_the_refusal_of_an_unknown_field_lists_the_known_fields() -> None:
    with pytest.raises(InvalidMove) as caught:
        TAB.parse_move({"from": 8})
    assert caught.value.hint == "Tab takes cell and to"


@pytest.mark.parametrize("name", ["cell", "to"])
def test_a_cell_beyond_the_board_is_refused(name: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        TAB.interpret(thrown(1), None, {"cell": 0, "to": 0} | {name: 36})
    error = caught.value
    assert (error.text, error.field, error.hint) == (
        f"{name} is not on the board",
        name,
        "0 to 35",
    )


def test_a_whole_move_is_written_with_cell_and_to() -> None:
    move = TabMove(8, 9)
    assert TAB.dump_move(move) == {"cell": 8, "to": 9}
    assert TAB.parse_move(TAB.dump_move(move)) == move
    with pytest.raises(InvalidMove) as caught:
        TAB.parse_move({"cell": 8})
    assert (caught.value.text, caught.value.field) == ("undefined to", "to")


# -- states as values


def test_a_state_is_frozen_hashable_and_equal_by_value() -> None:
    one, two = thrown(1), thrown(1)
    assert one.actions() == two.actions()
    assert one == two
    assert hash(one) == hash(two)
    assert one != TAB.start()
    assert {one: "seen"}[two] == "seen"
    with pytest.raises(FrozenInstanceError):
        one.turn = RED  # type: ignore[misc]


@pytest.mark.parametrize("state", [TAB.start(), thrown(1), thrown(2), thrown(6), win()])
def test_a_state_survives_pickling_with_its_legal_actions(state: TabState) -> None:
    actions = state.actions()
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state
    assert (copy.actions(), copy.chances()) == (actions, state.chances())


def test_legality_is_computed_once() -> None:
    state = thrown(1)
    assert state.actions() is state.actions()


# -- views


def test_turn_dice_and_must_pass_are_optional_in_a_view() -> None:
    assert TAB.load({"pieces": TAB.start().view()["pieces"]}) == TAB.start()
    over = {"pieces": win().view()["pieces"]}
    assert TAB.load(over) == win()


def test_dice_may_be_given_by_value_or_by_sticks_alone() -> None:
    pieces = TAB.start().view()["pieces"]
    for value in (1, 2, 3, 4, 6):
        state = TAB.load({"pieces": pieces, "dice": {"value": value}})
        assert state.view()["dice"]["value"] == value
    state = TAB.load({"pieces": pieces, "dice": {"stickValues": [False, True, False, True]}})
    assert state == TAB.start().apply(Roll(0b1010))


def start_with(**changes: Any) -> dict[str, Any]:
    return TAB.start().view() | changes


def with_piece(cell: int, piece: Any, size: int = 9) -> dict[str, Any]:
    """A lone piece of each side, and `piece` on `cell`."""
    view = view_of("b5 r30", size=size)
    view["pieces"][cell] = piece
    return view


def blue(**changes: Any) -> dict[str, Any]:
    return {"color": "Blue", "inMotion": True, "reachedLastRow": False} | changes


def red(**changes: Any) -> dict[str, Any]:
    return blue(color="Red", **changes)


BAD_VIEWS: list[tuple[Any, str | None, str]] = [
    ([], None, "the position is not an object"),
    (None, None, "the position is not an object"),
    ({}, "pieces", "the pieces are no list of 4 x size cells"),
    (start_with(board=[]), "board", "unknown field 'board'"),
    (start_with(pieces={}), "pieces", "the pieces are no list of 4 x size cells"),
    (start_with(pieces=[None] * 35), "pieces", "the pieces are no list of 4 x size cells"),
    (start_with(pieces=[None] * 32), "pieces", "the pieces are no list of 4 x size cells"),
    (start_with(pieces=[None] * 20), "pieces", "the pieces are no list of 4 x size cells"),
    (start_with(pieces=[None] * 68), "pieces", "the pieces are no list of 4 x size cells"),
    (start_with(pieces=[]), "pieces", "the pieces are no list of 4 x size cells"),
    (start_with(pieces=[None] * 36), "pieces", "there is no piece on the board"),
    (
        start_with(pieces=[None] * 9 + [blue()] * 10 + [None] * 16 + [red()]),
        "pieces",
        "there are more than 9 Blue pieces",
    ),
    (
        start_with(pieces=[None] * 9 + [red()] * 10 + [None] * 16 + [red()]),
        "pieces",
        "there are more than 9 Red pieces",
    ),
    (with_piece(12, "Blue"), "pieces[12]", "pieces[12] is not an object"),
    (with_piece(12, blue(king=True)), "pieces[12].king", "unknown field 'king'"),
    (
        with_piece(12, blue(color="blue")),
        "pieces[12].color",
        "the piece on cell 12 is not Blue or Red",
    ),
    (with_piece(12, blue(color=[])), "pieces[12].color", "the piece on cell 12 is not Blue or Red"),
    (
        with_piece(12, {"inMotion": True, "reachedLastRow": True}),
        "pieces[12].color",
        "the piece on cell 12 is not Blue or Red",
    ),
    (
        with_piece(12, {"color": "Blue", "reachedLastRow": True}),
        "pieces[12].inMotion",
        "inMotion of the piece on cell 12 is not true or false",
    ),
    (
        with_piece(12, blue(inMotion=1)),
        "pieces[12].inMotion",
        "inMotion of the piece on cell 12 is not true or false",
    ),
    (
        with_piece(12, blue(reachedLastRow=None)),
        "pieces[12].reachedLastRow",
        "reachedLastRow of the piece on cell 12 is not true or false",
    ),
    (
        with_piece(12, blue(inMotion=False, reachedLastRow=True)),
        "pieces[12]",
        "the piece on cell 12 reached the last row but is not in motion",
    ),
    (
        with_piece(12, blue(inMotion=False)),
        "pieces[12]",
        "the piece on cell 12 is not in motion but out of its home row",
    ),
    (
        with_piece(3, red(inMotion=False)),
        "pieces[3]",
        "the piece on cell 3 is not in motion but out of its home row",
    ),
    (
        with_piece(3, blue(reachedLastRow=True)),
        "pieces[3]",
        "the piece on cell 3 has reached the last row, and none comes back to its home row",
    ),
    (
        with_piece(31, red(reachedLastRow=True)),
        "pieces[31]",
        "the piece on cell 31 has reached the last row, and none comes back to its home row",
    ),
    (
        with_piece(31, blue()),
        "pieces[31]",
        "the piece on cell 31 stands in its last row, so it has reached it",
    ),
    (
        with_piece(3, red()),
        "pieces[3]",
        "the piece on cell 3 stands in its last row, so it has reached it",
    ),
    (
        with_piece(0, blue()),
        "pieces[0]",
        "the piece on cell 0 is in motion, and none moves to the first cell of its home row",
    ),
    (
        with_piece(27, red()),
        "pieces[27]",
        "the piece on cell 27 is in motion, and none moves to the first cell of its home row",
    ),
    (start_with(turn=None), "turn", "turn is not a seat"),
    (start_with(turn=2), "turn", "turn is not a seat"),
    (start_with(turn=True), "turn", "turn is not a seat"),
    (start_with(turn="zp"), "turn", "turn is not a seat"),
    (start_with(dice=3), "dice", "dice is not an object"),
    (start_with(dice={}), "dice.value", "the dice have no value that sticks can have"),
    (
        start_with(dice={"keepPlaying": True}),
        "dice.value",
        "the dice have no value that sticks can have",
    ),
    (start_with(dice={"value": 5}), "dice.value", "the dice have no value that sticks can have"),
    (start_with(dice={"value": True}), "dice.value", "the dice have no value that sticks can have"),
    (start_with(dice={"value": 1, "seed": 1}), "dice.seed", "unknown field 'seed'"),
    (
        start_with(dice={"value": 2, "keepPlaying": True}),
        "dice.keepPlaying",
        "keepPlaying of this throw is not 'true'",
    ),
    (
        start_with(dice={"value": 1, "keepPlaying": 1}),
        "dice.keepPlaying",
        "keepPlaying of this throw is not '1'",
    ),
    (
        start_with(dice={"stickValues": [True, False, False, False], "value": 2}),
        "dice.value",
        "value of this throw is not '2'",
    ),
    (
        start_with(dice={"stickValues": [True, False, False]}),
        "dice.stickValues",
        "stickValues are not four of true or false",
    ),
    (
        start_with(dice={"stickValues": [1, 0, 0, 0]}),
        "dice.stickValues",
        "stickValues are not four of true or false",
    ),
    (
        start_with(dice={"stickValues": "oxxx"}),
        "dice.stickValues",
        "stickValues are not four of true or false",
    ),
    (start_with(mustPass=0), "mustPass", "mustPass of this position is not '0'"),
    (start_with(mustPass=False), "mustPass", "mustPass of this position is not 'false'"),
    (thrown(2).view() | {"mustPass": None}, "mustPass", "mustPass of this position is not 'null'"),
    (thrown(2).view() | {"mustPass": 1}, "mustPass", "mustPass of this position is not '1'"),
    (
        thrown(2).view() | {"mustPass": False},
        "mustPass",
        "mustPass of this position is not 'false'",
    ),
    (win().view() | {"turn": 0}, "turn", "the game is over, so it is nobody's turn"),
    (
        win().view() | {"dice": {"value": 3}},
        "dice",
        "the game is over, so there is no throw to play",
    ),
]


@pytest.mark.parametrize(("view", "field", "text"), BAD_VIEWS)
def test_an_invalid_view_is_refused(view: Any, field: str | None, text: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        TAB.load(view)
    error = caught.value
    assert (error.code, error.field, error.text) == ("invalid_position", field, text)


# -- the drawing


def test_the_board_is_drawn_from_the_view_of_blue() -> None:
    state = position("b0 B8 B*30 r35 R10 R*2", RED, 3)
    assert str(state).splitlines() == [
        "  35  r  .  .  .  .  B* .  .  .   27 <",
        "  18  .  .  .  .  .  .  .  .  .   26 >",
        "  17  .  .  .  .  .  .  .  R  .    9 <",
        "   0  b  .  R* .  .  .  .  .  B    8 >",
        "      b r not moved yet   B R in motion   B* R* has been in the last row",
        "Red has thrown 3 (Telateh) and is to move.",
    ]


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (TAB.start(), "Blue is to throw."),
        (thrown(1), "Blue has thrown 1 (Tab) and is to move."),
        (thrown(2), "Blue has thrown 2 (Itneyn), cannot move, and must pass."),
        (thrown(3), "Blue has thrown 3 (Telateh), cannot move, and must pass."),
        (thrown(4), "Blue has thrown 4 (Arba'ah), cannot move, and throws again."),
        (thrown(6), "Blue has thrown 6 (Sitteh), cannot move, and throws again."),
        (win(), "Blue has won: no Red piece is left."),
    ],
)
def test_the_drawing_ends_with_the_next_action(state: TabState, status: str) -> None:
    assert str(state).splitlines()[-1] == status


def test_the_widest_board_is_drawn_with_its_cells_in_columns() -> None:
    rows = str(TAB.start(TabOptions(15))).splitlines()[:4]
    assert len({len(row) for row in rows}) == 1
    assert rows[0].startswith("  59 ")
    assert rows[0].endswith("45 <")


# -- a whole game


def test_a_recorded_game_is_replayed_to_its_end() -> None:
    recorded = json.loads(RECORDED.read_text())
    state, naive = TAB.start(TabOptions(recorded["size"])), NaiveTab.start(recorded["size"])
    for entry in recorded["actions"]:
        assert state.outcome() is None
        if isinstance(entry, int):
            state = state.apply(Roll(entry))
            naive = naive.play(("roll", tuple(bool(entry >> i & 1) for i in range(4))))
        elif entry == "pass":
            state, naive = state.apply(Pass()), naive.play(("pass",))
        else:
            state = state.apply(TAB.parse_move(entry))
            naive = naive.play(("move", entry["cell"], entry["to"]))
    assert state.view() == naive.view() == recorded["final"]
    outcome = state.outcome()
    assert outcome is not None
    assert list(outcome.winners) == recorded["winners"]
