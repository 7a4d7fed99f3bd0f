"""Examples of the rules of draughts, and the text of every refusal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tabnet.errors import IllegalMove, InvalidMove, InvalidOptions, InvalidPosition
from tabnet.games.api import Move, Outcome, Pass, Roll
from tabnet.games.draughts import DRAUGHTS, DraughtsMove, DraughtsOptions
from tabnet.protocol.error_codes import CODES

START = "0b0b0b0bb0b0b0b00b0b0b0b0000000000000000w0w0w0w00w0w0w0ww0w0w0w0"

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text())


def move(text):
    return DraughtsMove(tuple(text.split()))


def legal(state):
    """The legal moves as a set of texts."""
    return {str(action) for action in state.actions()}


def after(position, *moves):
    """The state after these moves from a FEN, a view or a state."""
    state = DRAUGHTS.load(position) if isinstance(position, str | dict) else position
    for text in moves:
        state = state.apply(move(text))
    return state


def board(**pieces):
    """A board text from squares and pieces, `board(c3="w")`."""
    return "".join(pieces.get(file + rank, "0") for rank in "87654321" for file in "abcdefgh")


def placed(turn, **pieces):
    return DRAUGHTS.load({"board": board(**pieces), "turn": turn})


# ---------------------------------------------------------------------------------- the game


def test_the_two_players_are_white_and_black():
    assert DRAUGHTS.kind == "draughts"
    assert list(DRAUGHTS.seats) == [2]
    assert DRAUGHTS.colours == ("White", "Black")


def test_draughts_takes_no_options():
    assert DRAUGHTS.make_options({}) == DraughtsOptions()
    with pytest.raises(InvalidOptions) as refusal:
        DRAUGHTS.make_options({"size": 9})
    assert refusal.value.code == "unknown_option"


@pytest.mark.parametrize("wrong", [{"seats": 3}, {"layout": []}])
def test_three_players_and_a_layout_are_refused(wrong):
    with pytest.raises(InvalidOptions, match="draughts is for two, and deals no layout"):
        DRAUGHTS.start(DraughtsOptions(), **wrong)


def test_the_start_is_twelve_men_on_each_side_on_the_dark_squares():
    assert DRAUGHTS.start().view()["board"] == START


def test_white_moves_first_and_upwards():
    state = DRAUGHTS.start()
    assert state.turn == 0
    assert legal(state) == {"a3 b4", "c3 b4", "c3 d4", "e3 d4", "e3 f4", "g3 f4", "g3 h4"}


def test_there_are_no_dice_to_roll():
    assert DRAUGHTS.start().chances() == ()
    with pytest.raises(InvalidOptions) as refusal:
        DRAUGHTS.read_roll(lambda: 0)
    assert refusal.value.code == "no_roll"


# ---------------------------------------------------------------------------------- moving


@pytest.mark.parametrize(
    ("pieces", "moves"),
    [
        pytest.param({"d4": "w"}, {"d4 c5", "d4 e5"}, id="men step forward"),
        pytest.param({"a3": "W"}, {"a3 b4", "a3 b2"}, id="kings step in all directions"),
        pytest.param({"c3": "w", "d4": "b"}, {"c3 e5"}, id="a capture is compulsory"),
        pytest.param({"d4": "w", "c3": "b"}, {"d4 c5", "d4 e5"}, id="men capture forward only"),
        pytest.param({"d4": "W", "c3": "b", "g7": "b"}, {"d4 b2"}, id="kings jump over neighbours"),
        pytest.param(
            {"c3": "w", "d4": "b", "e5": "b"}, {"c3 b4"}, id="a jump needs an empty square"
        ),
        pytest.param({"c3": "w", "d4": "b", "f6": "b"}, {"c3 e5 g7"}, id="a capture goes on"),
        pytest.param({"b6": "w", "c7": "b", "e7": "b"}, {"b6 d8"}, id="crowning ends a capture"),
        pytest.param({"b6": "W", "c7": "b", "e7": "b"}, {"b6 d8 f6"}, id="a king captures on"),
        pytest.param(
            {"c1": "w", "b2": "b", "d2": "b", "f4": "b"},
            {"c1 a3", "c1 e3 g5"},
            id="a player chooses between captures",
        ),
    ],
)
def test_pieces_follow_the_rules_of_movement(pieces, moves):
    assert legal(placed(0, h8="b", **pieces)) == moves


def test_a_king_may_circle_through_the_square_it_started_from():
    state = DRAUGHTS.load("W:WK7:B10,11,18,19")
    assert legal(state) == {"e7 c5 e3 g5 e7", "e7 g5 e3 c5 e7"}
    assert after(state, "e7 c5 e3 g5 e7").board == board(e7="W")


def test_different_routes_over_the_same_men_are_different_moves():
    state = DRAUGHTS.load("W:WK7:B10,11,18,19")
    there, back = state.actions()
    assert there != back
    assert state.apply(there) == state.apply(back)


# ---------------------------------------------------------------------------------- the end


def shuffle(state, count):
    """Two kings going to and fro: `count` moves."""
    return after(state, *(["a1 b2", "h8 g7", "b2 a1", "g7 h8"] * count)[:count])


def test_the_third_repetition_with_the_same_side_to_move_is_a_draw():
    start = placed(0, a1="W", h8="B")
    assert shuffle(start, 7).outcome() is None
    state = shuffle(start, 8)
    assert state.outcome() == Outcome((), (0, 0), "repetition")
    assert (state.turn, state.actions(), state.branches()) == (None, (), 0)


def test_the_same_board_with_the_other_side_to_move_is_another_position():
    assert placed(0, a1="W", h8="B") != placed(1, a1="W", h8="B")
    assert placed(0, a1="W", h8="B").key != placed(1, a1="W", h8="B").key


def test_a_capture_or_a_mans_move_clears_the_repetition_history():
    start = placed(0, a1="W", h2="w", h8="B")
    state = after(shuffle(start, 4), "h2 g3")
    assert (state.quiet, state.seen) == (0, ())
    state = after(placed(0, a1="W", c3="B", h4="w"), "a1 b2")
    assert state.quiet == 1
    state = after(state, "c3 a1")
    assert (state.quiet, state.seen) == (0, ())


def test_forty_moves_each_without_a_capture_or_a_mans_move_are_a_draw():
    view = {"board": board(a1="W", h8="B"), "turn": 0, "quiet": 79}
    state = DRAUGHTS.load(view)
    assert state.outcome() is None
    state = after(state, "a1 b2")
    assert state.outcome() == Outcome((), (0, 0), "forty_moves")
    assert (state.turn, state.actions(), state.branches()) == (None, (), 0)


def test_a_win_by_no_moves_comes_before_a_draw():
    blocked = board(a5="W", b6="b", c7="b", b4="b", c3="b")
    state = DRAUGHTS.load({"board": blocked, "turn": 0, "quiet": 80})
    assert state.outcome() == Outcome((1,), (0, 1), "no_moves")


def test_the_key_does_not_depend_on_earlier_moves():
    start = placed(0, a1="W", h8="B")
    state = shuffle(start, 4)
    assert state != start
    assert state.key == start.key
    assert hash(state) == hash(DRAUGHTS.load(state.view()))


@pytest.mark.parametrize("game", RECORDED, ids=lambda game: f"{game['reason']}-{game['winner']}")
def test_recorded_games_replay_to_the_same_end(game):
    state = DRAUGHTS.start()
    for count, text in enumerate(game["moves"], 1):
        assert state.outcome() is None
        state = after(state, text)
        assert state.board == game["boards"].get(str(count), state.board)
    assert state.board == game["last"]
    winners = ("wb".index(game["winner"]),) if game["winner"] else ()
    points = tuple(int(seat in winners) for seat in (0, 1))
    assert state.outcome() == Outcome(winners, points, game["reason"])


# ---------------------------------------------------------------------------------- refusals

MUST_CAPTURE = "a capture is possible and must be made"

REFUSED = [
    ("no_piece", {"c3": "w"}, "e3 d4", "there is no white piece on e3"),
    ("no_piece", {"c3": "w"}, "a7 b6", "there is no white piece on a7"),
    ("no_piece", {"c3": "w"}, "a2 b3", "there is no white piece on a2"),
    ("occupied", {"c3": "w", "d4": "w"}, "c3 d4", "d4 is not empty"),
    ("occupied", {"c3": "w", "d4": "b", "e5": "w"}, "c3 e5", "e5 is not empty"),
    ("wrong_distance", {"c3": "w"}, "c3 c4", "c3 c4 is neither a step nor a jump on a diagonal"),
    ("wrong_distance", {"c3": "w"}, "c3 c3", "c3 c3 is neither a step nor a jump on a diagonal"),
    ("wrong_distance", {"c3": "W"}, "c3 f6", "c3 f6 is neither a step nor a jump on a diagonal"),
    ("wrong_direction", {"c3": "w"}, "c3 b2", "a man moves up the board only, not from c3 to b2"),
    (
        "must_capture",
        {"c3": "w", "d4": "b"},
        "c3 b4",
        f"{MUST_CAPTURE}: c3 e5",
    ),
    (
        "must_capture",
        {"c1": "W", "g1": "W", "b2": "b", "d2": "b", "f2": "b", "h2": "w"},
        "h2 g3",
        f"{MUST_CAPTURE}: c1 a3 or c1 e3 or g1 e3",
    ),
    (
        "must_capture",
        {"c1": "W", "b2": "b", "d2": "b", "e5": "W", "d6": "b", "f6": "b", "f4": "b", "h2": "w"},
        "h2 g3",
        f"{MUST_CAPTURE}: c1 a3 or c1 e3 g5 e7 c5 or e5 c7 or e5 g7 or others",
    ),
    ("no_capture", {"c3": "w"}, "c3 e5", "there is no black piece to jump over on d4"),
    ("no_capture", {"c3": "w", "d4": "w"}, "c3 e5", "there is no black piece to jump over on d4"),
    (
        "no_capture",
        {"c3": "W", "d4": "b", "f6": "b"},
        "c3 e5 c3",
        "the piece on d4 has been jumped already",
    ),
    (
        "must_continue",
        {"c3": "w", "d4": "b", "d6": "b", "f6": "b"},
        "c3 e5",
        "the capture must go on from e5: c3 e5 c7 or c3 e5 g7",
    ),
    (
        "must_continue",
        {"c3": "w", "d4": "b", "f6": "b"},
        "c3 e5 d6",
        "the capture must go on from e5: c3 e5 g7",
    ),
    ("too_far", {"c3": "w"}, "c3 d4 e5", "the move ends on d4: c3 d4"),
    ("too_far", {"c3": "w", "d4": "b"}, "c3 e5 f6", "the move ends on e5: c3 e5"),
    (
        "too_far",
        {"b6": "w", "c7": "b", "e7": "b"},
        "b6 d8 f6",
        "the move ends on d8, where the man is crowned: b6 d8",
    ),
]


@pytest.mark.parametrize(("code", "pieces", "route", "text"), REFUSED)
def test_an_illegal_move_is_refused_with_the_reason(code, pieces, route, text):
    # The black man on a7 is in nobody's way; without him the game might be over.
    state = placed(0, **{"a7": "b"} | pieces)
    with pytest.raises(IllegalMove) as refusal:
        state.apply(move(route))
    assert (refusal.value.code, refusal.value.text) == (code, text)
    assert code in CODES


def test_the_refusal_of_a_black_man_says_that_it_moves_down():
    with pytest.raises(IllegalMove, match="a man moves down the board only, not from d4 to c5"):
        placed(1, d4="b", a1="w").apply(move("d4 c5"))


def test_the_refusal_for_black_names_white_pieces():
    with pytest.raises(IllegalMove, match="there is no white piece to jump over on c3"):
        placed(1, d4="b", a1="w").apply(move("d4 b2"))


def test_a_roll_is_illegal():
    with pytest.raises(IllegalMove) as refusal:
        DRAUGHTS.start().apply(Roll(3))
    assert refusal.value.code == "no_roll"


def test_a_pass_is_refused():
    with pytest.raises(IllegalMove) as refusal:
        DRAUGHTS.start().apply(Pass())
    assert refusal.value.code == "no_pass"


def test_a_move_of_another_kind_is_refused():
    with pytest.raises(InvalidMove, match="a move of draughts is a DraughtsMove"):
        DRAUGHTS.start().apply(Move())


def test_no_move_is_accepted_after_the_end():
    with pytest.raises(IllegalMove) as refusal:
        placed(0, c3="w").apply(move("c3 d4"))
    assert (refusal.value.code, refusal.value.text) == ("game_over", "the game is over (no_pieces)")


# ---------------------------------------------------------------------------------- as JSON


def test_a_move_is_written_as_its_route():
    fields = {"route": ["c3", "e5", "g7"]}
    played = DRAUGHTS.parse_move(fields)
    assert played == move("c3 e5 g7")
    assert DRAUGHTS.dump_move(played) == fields
    assert str(played) == "c3 e5 g7"


TOO_SHORT = "a route is a list of two squares or more"


@pytest.mark.parametrize(
    ("fields", "field", "text"),
    [
        ({}, "route", "undefined route"),
        ({"cell": 3}, "cell", "unknown field 'cell'"),
        ({"route": ["a3", "b4"], "to": 3}, "to", "unknown field 'to'"),
        ({"route": "a3 b4"}, "route", TOO_SHORT),
        ({"route": None}, "route", TOO_SHORT),
        ({"route": []}, "route", TOO_SHORT),
        ({"route": ["a3"]}, "route", TOO_SHORT),
        ({"route": ["a3", "i4"]}, "route", "'i4' is no square"),
        ({"route": ["a3", "B4"]}, "route", "'B4' is no square"),
        ({"route": ["a3", ["b4"]]}, "route", """'["b4"]' is no square"""),
        ({"route": ["a3", 4]}, "route", "'4' is no square"),
    ],
)
def test_invalid_move_fields_are_refused(fields, field, text):
    with pytest.raises(InvalidMove) as refusal:
        DRAUGHTS.parse_move(fields)
    assert (refusal.value.code, refusal.value.text) == ("invalid_move", text)
    assert refusal.value.field == field
    assert refusal.value.hint in ('like ["c3","e5","g7"]', "draughts takes route")


def test_a_route_may_be_a_list():
    assert DraughtsMove(["a3", "b4"]) == move("a3 b4")


def test_the_start_has_the_documented_view():
    assert DRAUGHTS.start().view() == {
        "board": START,
        "turn": 0,
        "quiet": 0,
        "seen": ["W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"],
    }


def test_the_view_lists_the_positions_since_a_capture_or_a_mans_move():
    view = shuffle(placed(0, a1="W", h8="B"), 2).view()
    assert view["quiet"] == 2
    assert view["seen"] == ["W:WK29:BK4", "B:WK25:BK4", "W:WK25:BK8"]


def test_the_view_of_a_draw_by_repetition_lists_the_position_three_times():
    view = shuffle(placed(0, a1="W", h8="B"), 8).view()
    assert view["turn"] is None
    assert view["seen"].count(view["seen"][-1]) == 3


def test_history_is_optional_in_a_view():
    assert DRAUGHTS.load({"board": START, "turn": 0}) == DRAUGHTS.start()


@pytest.mark.parametrize("side", [0, 1])
def test_a_finished_position_is_loaded_with_the_side_that_was_to_move(side):
    locked = "0" * 16 + "0b0b0b0bb0b0b0b00w0w0w0ww0w0w0w0" + "0" * 16
    state = DRAUGHTS.load({"board": locked, "turn": side})
    assert state.outcome().winners == (1 - side,)
    assert state.view()["turn"] is None
    assert DRAUGHTS.load(state.view()) == state


def test_an_unfinished_view_must_have_a_turn():
    view = DRAUGHTS.start().view() | {"turn": None}
    with pytest.raises(InvalidPosition) as refusal:
        DRAUGHTS.load(view)
    assert (refusal.value.field, refusal.value.text) == ("turn", "the game is not over")


def test_a_man_on_its_last_rank_loads_and_cannot_move():
    state = DRAUGHTS.load({"board": board(b8="w", a1="W", h8="B"), "turn": 0})
    assert {move.route[0] for move in state.actions()} == {"a1"}


KINGS = {"board": board(a1="W", h8="B"), "turn": 0}
BOARD_TEXT = "a board is 64 characters of 0, b, B, w and W, rank 8 first"
SEEN_LIST = "seen is a list of positions, each the text of a FEN"
SEEN_LAST = "the last position seen is not the one on the board"
SEEN_STEP = "a position seen does not follow the one before by a king's step"


@pytest.mark.parametrize(
    ("change", "field", "text"),
    [
        ({"dice": 3}, "dice", "unknown field 'dice'"),
        ({"board": None}, "board", BOARD_TEXT),
        ({"board": START[1:]}, "board", BOARD_TEXT),
        ({"board": "x" + START[1:]}, "board", BOARD_TEXT),
        ({"board": "0" * 64}, "board", "there are no pieces on the board"),
        (
            {"board": board(a2="w")},
            "board",
            "a2 is a light square: pieces stand on dark ones, like a1",
        ),
        (
            {"board": START[:32] + "0w0w0w0w" + START[40:]},
            "board",
            "there are 16 white pieces, and a side has at most 12",
        ),
        (
            {"board": START[:24] + "b0b0b0b0" + START[32:]},
            "board",
            "there are 16 black pieces, and a side has at most 12",
        ),
        ({"turn": 2}, "turn", "invalid turn '2'"),
        ({"turn": True}, "turn", "invalid turn 'true'"),
        ({"turn": None}, "turn", "invalid turn 'null'"),
        ({"quiet": -1}, "quiet", "invalid quiet '-1'"),
        ({"quiet": 81}, "quiet", "invalid quiet '81'"),
        ({"quiet": False}, "quiet", "invalid quiet 'false'"),
        ({"seen": None}, "seen", SEEN_LIST),
        ({"seen": [7]}, "seen", SEEN_LIST),
        ({"seen": ["W"]}, "seen", "'W' is no FEN"),
        (
            {"seen": ["B:WK25:BK4", "W:WK25:BK8"]},
            "seen",
            "more positions were seen than quiet moves made",
        ),
        ({"seen": ["B:WK29:BK4"]}, "seen", SEEN_LAST),
        ({"quiet": 1, "seen": ["W:WK29:BK8", "W:WK29:BK4"]}, "seen", SEEN_STEP),
        ({"quiet": 1, "seen": ["B:WK29:BK1", "W:WK29:BK4"]}, "seen", SEEN_STEP),
        ({"quiet": 1, "seen": ["B:WK29:B26", "W:WK29:BK30"]}, "seen", SEEN_STEP),
    ],
)
def test_an_invalid_view_is_refused(change, field, text):
    with pytest.raises(InvalidPosition) as refusal:
        DRAUGHTS.load(KINGS | change)
    assert (refusal.value.field, refusal.value.text) == (field, text)
    assert refusal.value.code == "invalid_position"


@pytest.mark.parametrize("name", ["board", "turn"])
def test_a_position_needs_a_board_and_a_turn(name):
    with pytest.raises(InvalidPosition, match=f"undefined {name}") as refusal:
        DRAUGHTS.load({field: value for field, value in KINGS.items() if field != name})
    assert refusal.value.field == name


def test_a_position_is_an_object_or_text():
    with pytest.raises(InvalidPosition, match="a position is an object or the text of a FEN"):
        DRAUGHTS.load([START, 0])


# ---------------------------------------------------------------------------------- drawing


def test_the_start_has_the_documented_drawing():
    drawing = [
        "8    b   b   b   b",
        "7  b   b   b   b",
        "6    b   b   b   b",
        "5  .   .   .   .",
        "4    .   .   .   .",
        "3  w   w   w   w",
        "2    w   w   w   w",
        "1  w   w   w   w",
        "",
        "   a b c d e f g h",
        "",
        "White to move",
    ]
    assert str(DRAUGHTS.start()).split("\n") == drawing


def test_the_drawing_ends_with_the_turn_or_the_result():
    assert str(placed(1, a1="W", h8="B")).endswith("Black to move")
    assert str(placed(0, a1="W")).endswith("White has won (no_pieces)")
    assert str(shuffle(placed(0, a1="W", h8="B"), 8)).endswith("Draw (repetition)")
