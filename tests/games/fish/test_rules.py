"""Fish by example: the rules, the seed's ways of writing, and what is refused in which words."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path

import attrs
import pytest

from tabnet.errors import IllegalMove, InvalidMove, InvalidOptions, InvalidPosition
from tabnet.games.api import Move, Pass, Roll
from tabnet.games.fish import FISH, FishOptions, Place, Slide, Spot
from tabnet.games.perft import perft
from tests.games.fish.naive import NaiveFish

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text())

ONES = [[1, 1, 1, 1] for _ in range(7)]


def spots(*pairs):
    return [{"row": row, "col": col} for row, col in pairs]


def player(color, *places, score=0):
    return {"color": color, "score": score, "places": spots(*places)}


def state_of(board, *players, **more):
    return FISH.load({"state": {"players": list(players), "board": board}, **more})


def slide(start, end):
    return Slide(Spot(*start), Spot(*end))


def place(row, col):
    return Place(Spot(row, col))


def ends(state, row, col):
    return [
        tuple(move.end)
        for move in state.actions()
        if isinstance(move, Slide) and move.start == (row, col)
    ]


def refusal(state, action, kind=IllegalMove):
    with pytest.raises(kind) as caught:
        state.apply(action)
    return caught.value.code, caught.value.text


# The start


@pytest.mark.parametrize(("seats", "penguins"), [(2, 4), (3, 3), (4, 2)])
def test_each_of_n_players_places_six_less_n_penguins(seats, penguins):
    state = FISH.start(FishOptions(fish=1), seats)
    turns = []
    while state.is_placing:
        turns.append(state.turn)
        state = state.apply(state.actions()[0])
    assert turns == list(range(seats)) * penguins
    assert state.turn == 0
    assert refusal(state, place(4, 4))[0] == "all_placed"
    assert all(isinstance(move, Slide) for move in state.actions())


def test_the_first_view_has_the_fields_of_a_plain_state_and_more():
    state = FISH.start(FishOptions(rows=2, cols=4, fish=3), 2)
    assert state.view() == {
        "state": {
            "players": [player("red"), player("white")],
            "board": [[3, 3, 3, 3], [3, 3, 3, 3]],
        },
        "turn": 0,
        "penguins": 4,
        "out": [],
    }
    after = state.apply(place(1, 2)).view()
    assert after["state"]["players"] == [player("white"), player("red", (1, 2))]
    assert after["state"]["board"] == state.view()["state"]["board"]
    assert after["turn"] == 1


def test_the_default_board_is_five_by_five():
    options = FishOptions()
    assert FISH.dump_options(options) == {"rows": 5, "cols": 5, "holes": 0}
    board = [[1, 0, 2], [3, 4, 5], [1, 1, 1], [0]]
    given = FISH.make_options({"board": board})
    full = [[1, 0, 2], [3, 4, 5], [1, 1, 1], [0, 0, 0]]
    assert FISH.dump_options(given) == {"board": full, "rows": 4, "cols": 3, "holes": 0}
    assert FISH.make_options(FISH.dump_options(given)) == given
    assert hash(given) == hash(FISH.make_options({"board": full}))
    assert FISH.start(given, 2).view()["state"]["board"] == full


@pytest.mark.parametrize(
    ("options", "field", "text"),
    [
        ({"rows": 0}, "rows", "invalid rows '0'"),
        ({"rows": 16}, "rows", "invalid rows '16'"),
        ({"cols": "5"}, "cols", "invalid cols '5'"),
        ({"cols": True}, "cols", "invalid cols 'true'"),
        ({"fish": 0}, "fish", "invalid fish '0'"),
        ({"fish": 128}, "fish", "invalid fish '128'"),
        ({"holes": -1}, "holes", "invalid holes '-1'"),
        ({"board": "x"}, "board", "the board is no list of rows"),
        ({"board": [[1, -1]]}, "board[0][1]", "'-1' is no number of fish"),
        ({"board": [[1] * 16]}, "board", "the board is too large"),
        ({"board": [[1]] * 16}, "board", "the board is too large"),
        ({"board": ONES, "rows": 5}, "rows", "the board says already what rows is"),
        ({"board": ONES, "cols": 5}, "cols", "the board says already what cols is"),
        ({"board": ONES, "fish": 1}, "fish", "the board says already what fish is"),
        ({"board": ONES, "holes": 1}, "holes", "the board says already what holes is"),
    ],
)
def test_options_out_of_range_are_refused(options, field, text):
    with pytest.raises(InvalidOptions) as caught:
        FISH.make_options(options)
    assert (caught.value.code, caught.value.field) == ("invalid_option", field)
    assert caught.value.text == text


@pytest.mark.parametrize(
    "options", [{"rows": 1, "cols": 1}, {"rows": 15, "cols": 15, "holes": 217}]
)
def test_options_at_their_limits_are_accepted(options):
    assert FISH.make_options({"fish": 127, **options})


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({"rows": 2, "cols": 4, "fish": 1}, 2),
        ({"rows": 1, "cols": 9, "fish": 1}, 3),
        ({"rows": 3, "cols": 3, "fish": 1}, 4),
        ({"board": [[1, 0, 1, 1, 1], [1, 1, 1, 1]]}, 4),
    ],
)
def test_there_must_be_a_tile_for_every_penguin(options, seats):
    given = FISH.make_options(options)
    FISH.require(given, seats)
    FISH.start(given, seats)
    if "board" in options:
        fewer = FishOptions(board=given.board[:1])
    else:
        fewer = attrs.evolve(given, rows=given.rows, cols=given.cols - 2)
    for refuse in (FISH.require, FISH.start):
        with pytest.raises(InvalidOptions, match="need as many tiles") as caught:
            refuse(fewer, seats)
        assert caught.value.field == "rows"
    holes = FishOptions(rows=3, cols=3, holes=1)
    FISH.require(holes, 2)
    with pytest.raises(InvalidOptions, match="9 penguins need as many tiles; there are 8"):
        FISH.require(holes, 3)


@pytest.mark.parametrize("seats", [1, 5])
def test_one_player_and_five_players_are_refused(seats):
    with pytest.raises(InvalidOptions) as caught:
        FISH.start(FishOptions(fish=1), seats)
    assert (caught.value.field, caught.value.hint) == ("seats", "2 to 4")


# The deal


def bytes_of(*given):
    """A stream that must be read to its end, and not beyond."""
    stream = iter(given)
    yield lambda: next(stream)
    assert list(stream) == []


def dealt(options, *given):
    for next_byte in bytes_of(*given):
        board = FISH.deal(FISH.make_options(options), 2, next_byte)
    return board


def test_a_fish_count_is_the_first_byte_below_255_modulo_five_plus_one():
    given = [0, 1, 2, 3, 255, 4, 5, 254, 255, 255, 9]
    assert dealt({"rows": 2, "cols": 4}, *given) == [[1, 2, 3, 4], [5, 1, 5, 5]]


def test_holes_are_drawn_first_from_the_places_that_are_left():
    # of 10 places (bytes to 249) the 3rd; of 9 (to 251) the 3rd, which is the 4th; of 8 the last
    given = [250, 12, 252, 2, 255]
    fish = {"rows": 2, "cols": 5, "fish": 2, "holes": 3}
    assert dealt(fish, *given) == [[2, 2, 0, 0, 2], [2, 2, 2, 2, 0]]
    del fish["fish"]
    fish_given = [0, 1, 2, 3, 4, 4, 4]
    assert dealt(fish, *given, *fish_given) == [[1, 2, 0, 0, 3], [4, 5, 5, 5, 0]]


def test_a_fixed_board_needs_no_deal():
    assert dealt({"fish": 2}) is None
    assert dealt({"board": ONES}) is None
    assert FishOptions(fish=2, holes=1).is_dealt


def test_every_hole_and_every_count_of_fish_is_as_likely_as_any_other():
    counts = dict.fromkeys(range(1, 6), 0)
    places = [0] * 7
    for byte in range(256):
        stream = cycle([byte, 0])
        board = FISH.deal(FishOptions(rows=1, cols=7, holes=1, fish=1), 2, lambda s=stream: next(s))
        if byte < 252:
            places[board[0].index(0)] += 1
        if byte < 255:
            counts[FISH.deal(FishOptions(rows=1, cols=1), 2, lambda b=byte: b)[0][0]] += 1
    assert places == [36] * 7
    assert set(counts.values()) == {51}


def test_start_uses_the_dealt_board():
    options = FishOptions(rows=2, cols=4)
    layout = [[1, 2, 3, 4], [5, 1, 2, 3]]
    assert FISH.start(options, 2, layout).view()["state"]["board"] == layout
    with pytest.raises(InvalidOptions, match="this board is dealt"):
        FISH.start(options)
    with pytest.raises(InvalidOptions, match="with this board nothing is dealt"):
        FISH.start(FishOptions(fish=1), 2, layout)
    with pytest.raises(InvalidPosition, match="no list of rows"):
        FISH.start(options, 2, "x")


# Moving


def test_a_penguin_slides_any_distance_in_six_directions():
    state = state_of(ONES, player("red", (3, 1)), player("white", (6, 3)))
    assert ends(state, 3, 1) == [
        *[(1, 1)],  # N
        *[(2, 2), (1, 2), (0, 3)],  # NE
        *[(4, 2), (5, 2)],  # SE, up to white
        *[(5, 1)],  # S
        *[(4, 1), (5, 0), (6, 0)],  # SW
        *[(2, 1), (1, 0), (0, 0)],  # NW
    ]


def test_a_departing_penguin_removes_its_tile_and_scores_its_fish():
    state = state_of(
        [[5, 2], [3, 4]], player("red", (0, 0), score=7), player("white", (0, 1), score=1)
    )
    after = state.apply(slide((0, 0), (1, 0)))
    assert after.view()["state"] == {
        "players": [player("red", (1, 0), score=12), player("white", (0, 1), score=1)][::-1],
        "board": [[0, 2], [3, 4]],
    }
    assert after.turn == 1


def test_a_player_who_cannot_move_is_skipped():
    # white at (0, 0) has no neighbour with a tile; red moves on and on
    board = [[1, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
    state = state_of(board, player("white", (0, 0)), player("red", (0, 3)))
    assert state.turn == 0
    state = state.apply(slide((0, 3), (1, 2)))
    assert state.turn == 0
    state = state.apply(slide((1, 2), (2, 3)))
    assert state.turn is None
    assert (state.outcome().winners, state.outcome().points) == ((0,), (2, 0))
    assert state.outcome().reason == "no_moves"


def test_tiles_under_penguins_score_nothing_at_the_end_and_a_tie_is_shared():
    state = state_of(
        [[5], [0], [9], [0], [9]],
        player("red", (0, 0), score=0),
        player("white", (4, 0), score=5),
        player("brown", score=4),
    )
    assert state.turn == 0
    state = state.apply(slide((0, 0), (2, 0)))
    assert state.outcome().winners == (0, 1)
    assert state.outcome().points == (5, 5, 4)
    assert "won by red and white" in str(state)


# Removed players


def test_a_removed_player_leaves_the_tiles_and_keeps_the_fish():
    state = state_of(
        ONES,
        player("red", (0, 0), score=9),
        player("white", (1, 0), score=2),
        player("brown", (2, 0), score=3),
    )
    after = state.remove(0)
    assert after.turn == 1
    assert after.view() == {
        "state": {
            "players": [
                player("white", (1, 0), score=2),
                player("brown", (2, 0), score=3),
                player("red", score=9),
            ],
            "board": ONES,
        },
        "turn": 1,
        "penguins": 0,
        "out": ["red"],
    }
    assert (0, 0) in ends(after, 1, 0)
    last = after.remove(2)
    assert last.turn is None
    assert last.outcome().winners == (1,)
    assert last.outcome().points == (9, 2, 3)
    assert last.outcome().reason == "others_out"
    assert last.remove(1).outcome().winners == ()


def test_a_removal_does_not_change_the_number_of_penguins_of_the_others():
    state = FISH.start(FishOptions(fish=1), 3).apply(place(0, 0)).remove(1)
    turns = []
    while state.is_placing:
        turns.append(state.turn)
        state = state.apply(state.actions()[0])
    assert turns == [2, 0, 2, 0, 2]
    assert state.turn == 0
    assert [state.penguins_of(seat) for seat in (0, 1, 2)] == [(0, 2, 4), (), (1, 3, 5)]


def test_a_removal_ends_the_game_if_the_others_cannot_move():
    board = [[1, 0, 1], [0, 0, 0], [0, 0, 0]]
    players = [player("red", (0, 0)), player("white", (0, 2)), player("brown")]
    assert state_of(board, *players).turn is None
    board = [[1, 0, 1], [0, 0, 0], [0, 0, 1]]
    state = state_of(board, *players)
    assert state.turn == 1
    assert state.remove(1).turn is None
    assert state.remove(1).outcome().winners == (0, 2)


def test_a_player_without_a_tile_for_a_penguin_is_out():
    three = [player("red", (0, 0)), player("white", (0, 1)), player("brown")]
    state = state_of([[1, 1]], three[2], three[0], three[1], penguins=1)
    assert state.view()["out"] == ["brown"]
    assert state.turn is None
    assert state.outcome().winners == (0, 1)
    # white's penguin makes way for brown's, and nobody needs a tile any more
    two = [player("white", (0, 1)), player("brown"), player("red", (0, 0), (0, 2))]
    state = state_of([[1, 1, 1]], *two, penguins=2)
    assert state.view()["out"] == ["white"]
    assert (state.turn, state.actions()) == (2, (place(0, 1),))


def test_nobody_wins_if_the_last_player_has_no_tile():
    state = state_of([[1]], player("red", (0, 0), score=4), penguins=2)
    assert state.turn is None
    assert state.outcome().winners == ()
    assert str(state).endswith("The game is over (no_moves), won by nobody")


# Refusals


NO_LINE = "no straight line leads"


def moving(board=ONES):
    return state_of(board, player("red", (3, 1)), player("white", (2, 2)))


@pytest.mark.parametrize(
    ("action", "code", "text"),
    [
        (place(0, 0), "all_placed", "all your penguins are placed: move one of them"),
        (slide((7, 0), (5, 0)), "off_board", "a7 is not on the board"),
        (slide((3, 1), (3, 4)), "off_board", "e3 is not on the board"),
        (slide((3, 1), (-1, 1)), "off_board", "row -1, col 1 is not on the board"),
        (slide((0, 0), (2, 0)), "no_piece", "there is no penguin of yours at a0"),
        (slide((2, 2), (1, 2)), "no_piece", "there is no penguin of yours at c2"),
        (slide((3, 1), (3, 2)), "wrong_direction", f"{NO_LINE} from b3 to c3"),
        (slide((3, 1), (3, 1)), "wrong_direction", f"{NO_LINE} from b3 to b3"),
        (slide((3, 1), (2, 2)), "occupied", "there is a penguin at c2 already"),
        (slide((3, 1), (1, 2)), "blocked", "there is a penguin in the way, at c2"),
        (slide((3, 1), (5, 0)), "blocked", "there is a hole in the way, at b4"),
        (slide((3, 1), (4, 1)), "hole", "there is no tile at b4"),
        (Roll(), "no_roll", "Fish has no dice"),
        (Pass(), "no_pass", "Fish has no passing: a player who cannot move is skipped"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_refused_with_the_reason(action, code, text):
    board = [row.copy() for row in ONES]
    board[4][1] = 0
    assert refusal(moving(board), action) == (code, text)


@pytest.mark.parametrize(
    ("action", "code", "text"),
    [
        (slide((3, 1), (2, 1)), "must_place", "you have penguins to place first: 1"),
        (place(7, 0), "off_board", "a7 is not on the board"),
        (place(-1, 0), "off_board", "row -1, col 0 is not on the board"),
        (place(0, 99), "off_board", "row 0, col 99 is not on the board"),
        (place(4, 1), "hole", "there is no tile at b4"),
        (place(2, 2), "occupied", "there is a penguin at c2 already"),
    ],
)
def test_an_illegal_placement_is_refused_with_the_reason(action, code, text):
    board = [row.copy() for row in ONES]
    board[4][1] = 0
    players = player("red", (3, 1)), player("white", (2, 2))
    assert refusal(state_of(board, *players, penguins=2), action) == (code, text)


def test_no_move_is_legal_after_the_end():
    state = moving().remove(0)
    assert (state.actions(), state.chances(), state.branches()) == ((), (), 0)
    assert refusal(state, slide((3, 1), (2, 1))) == ("game_over", "the game is over")
    assert refusal(moving(), Move(), InvalidMove)[0] == "invalid_move"


def test_moves_are_written_as_coordinates():
    moves = [place(1, 2), slide((1, 2), (3, 4))]
    written = [
        {"place": {"row": 1, "col": 2}},
        {"from": {"row": 1, "col": 2}, "to": {"row": 3, "col": 4}},
    ]
    assert [FISH.dump_move(move) for move in moves] == written
    assert [FISH.parse_move(fields) for fields in written] == moves
    assert [str(move) for move in moves] == [
        "place at c1",
        "c1 to e3",
    ]


SPOT = {"row": 0, "col": 0}


@pytest.mark.parametrize(
    ("fields", "field", "text"),
    [
        ({}, "from", "undefined from"),
        ({"from": SPOT}, "to", "undefined to"),
        ({"cell": 3}, "cell", "unknown field 'cell'"),
        ({"place": SPOT, "to": SPOT}, "place", "place stands alone"),
        ({"place": 3}, "place", "place is not an object"),
        ({"place": {"row": 0}}, "place.col", "undefined col"),
        ({"place": {"row": 0, "col": 1, "z": 1}}, "place.z", "unknown field 'z'"),
        ({"from": SPOT, "to": {"row": 0, "col": "1"}}, "to.col", "col is not an integer"),
        ({"from": SPOT, "to": {"row": True, "col": 1}}, "to.row", "row is not an integer"),
    ],
)
def test_invalid_move_fields_are_refused(fields, field, text):
    with pytest.raises(InvalidMove) as caught:
        FISH.parse_move(fields)
    assert (caught.value.code, caught.value.field) == ("invalid_move", field)
    assert caught.value.text == text


def test_only_players_in_the_game_have_penguins_to_look_at():
    state = state_of(ONES, player("red", (3, 0)), player("white", (0, 0)), player("brown", (6, 0)))
    for seat, (row, col) in enumerate([(3, 0), (0, 0), (6, 0)]):
        starts = {move.start for move in FISH.could_play(state, seat)}
        assert starts == {Spot(row, col)}
    gone = state.remove(2)
    assert FISH.could_play(gone, 2) == ()
    assert FISH.could_play(gone, 0)
    placing = FISH.start(FishOptions(fish=1, holes=0), 3).remove(2)
    assert FISH.could_play(placing, 1)
    assert FISH.could_play(placing, 2) == ()
    over = gone.remove(0)
    assert over.turn is None
    assert FISH.could_play(over, 1) == ()


# Positions as JSON


def test_a_plain_state_loads_and_its_first_player_moves():
    state = FISH.load(
        {
            "players": [player("brown", (0, 1)), player("red", (1, 0)), player("white", (2, 0))],
            "board": ONES,
        }
    )
    assert state.turn == 2
    assert state.view()["penguins"] == 0
    assert [state.sea.colours[seat] for seat in range(3)] == ["red", "white", "brown"]


def test_a_plain_state_without_penguins_starts_with_placement():
    state = FISH.load({"players": [player("white"), player("red")], "board": [[1, 2], [3]]})
    assert (state.turn, state.is_placing, state.sea.penguins) == (1, True, 4)
    crowd = [player(f"c{number}") for number in range(7)]
    state = FISH.load({"players": crowd, "board": [[1]]})
    assert (state.turn, state.outcome().winners) == (None, tuple(range(7)))


def test_ragged_rows_are_filled_with_holes():
    state = state_of([[1], [], [1, 2, 3]], player("red", (2, 1)))
    assert state.view()["state"]["board"] == [[1, 0, 0], [0, 0, 0], [1, 2, 3]]


def test_a_board_of_25_by_25_with_penguins_everywhere_is_loaded():
    board = [[1] * 25 for _ in range(25)]
    reds = [(row, col) for row in range(25) for col in range(25) if (row, col) != (12, 12)]
    state = state_of(board, player("red", *reds))
    assert len(state.actions()) == 6
    assert FISH.load(state.view()) == state


def test_players_of_other_colours_have_seats_in_the_order_of_their_turns():
    state = state_of(ONES, player("pink", (0, 0)), player("black", (1, 1)), player("blue", (2, 2)))
    assert state.sea.colours == ("black", "blue", "pink")
    assert state.turn == 2
    assert FISH.load(state.view()) == state
    assert "p pink: 0" in str(state)


NO_PLAYERS = "the players are no list of one or more"


@pytest.mark.parametrize(
    ("view", "field", "text"),
    [
        (5, None, "the position is not an object"),
        ([], None, "the position is not an object"),
        ({"state": 5}, "state", "state is not an object"),
        ({"state": {}}, "state.players", "undefined players"),
        ({"players": []}, "state.board", "undefined board"),
        ({"players": [], "board": [[1]]}, "state.players", NO_PLAYERS),
        ({"players": {}, "board": [[1]]}, "state.players", NO_PLAYERS),
        ({"players": [], "board": [[1]], "turn": 0}, "state.turn", "unknown field 'turn'"),
        ({"state": {"players": [], "board": [[1]]}, "x": 0}, "x", "unknown field 'x'"),
    ],
)  # fmt: skip
def test_an_invalid_position_is_refused(view, field, text):
    with pytest.raises(InvalidPosition) as caught:
        FISH.load(view)
    assert (caught.value.code, caught.value.field, caught.value.text) == (
        "invalid_position",
        field,
        text,
    )


@pytest.mark.parametrize(
    ("board", "field"),
    [
        ([], ""),
        ("x", ""),
        ([[]], ""),
        ([[1]] * 26, ""),
        ([[1] * 26], "[0]"),
        ([[1], 5], "[1]"),
        ([[1], [1, "1"]], "[1][1]"),
        ([[1], [True]], "[1][0]"),
        ([[128]], "[0][0]"),
        ([[-1]], "[0][0]"),
    ],
)
def test_an_invalid_board_is_refused(board, field):
    with pytest.raises(InvalidPosition) as caught:
        FISH.load({"players": [player("red")], "board": board})
    assert caught.value.field == f"state.board{field}"


PLACE = "state.players[1].places[0]"
STANDS = "there is a penguin"


@pytest.mark.parametrize(
    ("second", "field", "text"),
    [
        (5, "", "state.players[1] is not an object"),
        ({**player("white"), "x": 1}, ".x", "unknown field 'x'"),
        (player(""), ".color", "a color is a string"),
        (player("w" * 33), ".color", "a color is a string"),
        (player(5), ".color", "a color is a string"),
        (player("red"), ".color", "there are two players of color 'red'"),
        (player("white", score=-1), ".score", "'-1' is no score"),
        (player("white", score=True), ".score", "'true' is no score"),
        ({**player("white"), "places": 5}, ".places", "the places are no list"),
        ({**player("white"), "places": [[0, 1]]}, ".places[0]", f"{PLACE} is not an object"),
        (player("white", (0, 0)), ".places[0]", "there is a penguin at a0 already"),
        (player("white", (0, 1), (0, 1)), ".places[1]", f"{STANDS} at b0 already"),
        (player("white", (1, 1)), ".places[0]", "there is no tile at b1"),
        (player("white", (2, 0)), ".places[0]", "a2 is not on the board"),
        (player("white", (0, -1)), ".places[0]", "row 0, col -1 is not on the board"),
        (player("white", (0, "1")), ".places[0].col", "col is not an integer"),
    ],
)  # fmt: skip
def test_an_invalid_player_is_refused(second, field, text):
    with pytest.raises(InvalidPosition) as caught:
        FISH.load({"players": [player("red", (0, 0)), second], "board": [[1, 1], [1, 0]]})
    assert (caught.value.field, caught.value.text) == (f"state.players[1]{field}", text)


@pytest.mark.parametrize(
    ("more", "field", "text"),
    [
        ({"turn": 1}, "turn", "in this position the turn is not '1'"),
        ({"turn": False}, "turn", "in this position the turn is not 'false'"),
        ({"turn": None}, "turn", "in this position the turn is not 'null'"),
        ({"penguins": -1}, "penguins", "'-1' is no number of penguins"),
        ({"penguins": 626}, "penguins", "'626' is no number of penguins"),
        ({"penguins": True}, "penguins", "'true' is no number of penguins"),
        ({"out": "white"}, "out", "out is no list of colors"),
        ({"out": ["black"]}, "out", "'black' is no player, or named twice"),
        ({"out": ["white", "white"]}, "out", "'white' is no player, or named twice"),
        ({"out": ["red"]}, "out", "red is out and has penguins on the board"),
    ],
)
def test_fields_that_contradict_the_state_are_refused(more, field, text):
    with pytest.raises(InvalidPosition) as caught:
        state_of([[1, 1], [1, 1]], player("red", (0, 0)), player("white"), **more)
    assert (caught.value.field, caught.value.text) == (field, text)


def test_the_turn_of_a_view_is_a_seat():
    state = moving()
    assert FISH.load({**state.view(), "turn": 0}) == state
    over = state.remove(1)
    assert FISH.load({**over.view(), "turn": None}) == over
    with pytest.raises(InvalidPosition) as caught:
        FISH.load({**over.view(), "turn": 0})
    assert caught.value.hint == "null"


# The drawing


def test_a_position_is_drawn_with_odd_rows_shifted():
    state = state_of(
        [[1, 2, 0], [3, 4, 5], [1, 1, 1]],
        player("black", (2, 2)),
        player("red", (0, 1), score=12),
        player("white"),
        player("brown", (1, 0)),
        out=["white"],
        penguins=1,
    )
    assert str(state).splitlines() == [
        "      0     1     2",
        "  0   1    R2     .",
        "  1     B3     4     5",
        "  2   1     1    K1",
        "",
        "R red: 12   W white: 0 (out)   B brown: 0   K black: 0",
        "black is to move",
    ]
    assert str(state_of([[1]], player("red"), penguins=1)).endswith("red is to place a penguin")


# Counts and recorded games


def test_perft_counts():
    small = FISH.start(FishOptions(rows=3, cols=3, fish=1), 2)
    assert [perft(small, depth) for depth in range(4)] == [1, 9, 72, 504]
    state = state_of(ONES, player("red", (0, 0), (6, 3)), player("white", (0, 3), (6, 0)))
    assert [perft(state, depth) for depth in (1, 2, 3)] == RECORDED["perft"]


@pytest.mark.parametrize("game", RECORDED["games"], ids=lambda game: game["name"])
def test_recorded_games_replay_to_the_same_end(game):
    state = FISH.start(FISH.make_options(game["options"]), game["seats"], game["layout"])
    naive = NaiveFish(state.view()["state"]["board"], game["seats"])
    for entry in game["actions"]:
        if "remove" in entry:
            state = state.remove(entry["remove"])
            naive.kick(entry["remove"])
        else:
            state = state.apply(FISH.parse_move(entry))
            naive.play(entry)
    assert state.view() == naive.view() == game["final"]
    outcome = state.outcome()
    assert [list(outcome.winners), list(outcome.points), outcome.reason] == game["outcome"]
