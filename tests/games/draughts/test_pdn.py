"""Positions and games as Portable Draughts Notation."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from tabnet.errors import IllegalMove, InvalidMove, InvalidPosition
from tabnet.games import pdn as former_pdn
from tabnet.games.api import Outcome
from tabnet.games.draughts import DRAUGHTS, DraughtsMove
from tabnet.games.draughts.pdn import (
    EarlyEnd,
    PdnGame,
    export_game,
    import_game,
    read_fen,
    write_fen,
)

START = "0b0b0b0bb0b0b0b00b0b0b0b0000000000000000w0w0w0w00w0w0w0ww0w0w0w0"

# A short game made up for this test, as programs that follow GameType 21 write it.
PUBLISHED = """
[Event "An example"]
[Black "First, Ada"]
[White "Second, Ben"]
[Result "1-0"]
[GameType "21"]

1. 11-15 {a comment} 23-19
2. 8-11 22-17 $1 ; a mark, and a comment to the end
3. 11-16? (3. 4-8 17-13 (17-14) 4. 15-18) 24-20!
4. 15x24 20x11 5. 7x16 28x19 1-0
"""


def position(fen):
    return DRAUGHTS.load(fen)


def move(text):
    return DraughtsMove(tuple(text.split()))


def played(fen, *moves, **rest):
    start = position(fen) if fen else DRAUGHTS.start()
    return PdnGame(start, tuple(move(text) for text in moves), **rest)


def movetext(text):
    return " ".join(text.split("\n\n")[1].split())


# ---------------------------------------------------------------------------------- positions


def test_squares_are_numbered_from_b8_to_g1():
    board, side = read_fen("B:WK1,32:BK4,K5,K29")
    assert side == 1
    assert board == "0W00000B" + "B0000000" + "0" * 40 + "B00000w0"


def test_white_men_of_a_fen_move_up_the_board():
    assert [str(action) for action in position("W:W21:B1").actions()] == ["a3 b4"]
    assert [str(action) for action in position("B:W32:B1").actions()] == ["b8 a7", "b8 c7"]


@pytest.mark.parametrize(
    "fen",
    [
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        "W:W21-32:B1-12",
        "W:B1-12:W21-32.",
        " W:W21-24,25-32:B1,2-12 \n",
    ],
)
def test_the_start_has_the_known_fen(fen):
    assert read_fen(fen) == (START, 0)
    assert position(fen) == DRAUGHTS.start()


def test_a_fen_may_hold_a_range_of_kings():
    assert read_fen("W:WK1-3,30:B12") == read_fen("W:WK1,K2,K3,30:B12")


def test_a_side_may_have_no_pieces():
    assert read_fen("B:W:BK7") == read_fen("B:BK7:W")


def test_writing_is_the_inverse_of_reading():
    fen = "B:WK1,24,30:B5,K12,K31"
    assert write_fen(*read_fen(fen)) == fen


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("", "'' is no FEN"),
        ("W", "'W' is no FEN"),
        ("W:W21", "'W:W21' is no FEN"),
        ("W:W21:W22", "'W:W21:W22' is no FEN"),
        ("X:W21:B1", "'X:W21:B1' is no FEN"),
        ("W:21:B1", "'W:21:B1' is no FEN"),
        ("W:W21:B1:B2", "'W:W21:B1:B2' is no FEN"),
        ("W:W21,,22:B1", "'' is no piece"),
        ("W:WQ21:B1", "'Q21' is no piece"),
        ("W:Wk21:B1", "'k21' is no piece"),
        ("W:W21, 22:B1", "' 22' is no piece"),
        ("W:W211:B1", "'211' is no piece"),
        ("W:W٢١:B1", "'٢١' is no piece"),
        ("W:W0:B1", "'0' is not within the squares 1 to 32"),
        ("W:W33:B1", "'33' is not within the squares 1 to 32"),
        ("W:W24-21:B1", "'24-21' is not within the squares 1 to 32"),
        ("W:W21,21:B1", "square 21 is named twice"),
        ("W:W21:B1,K21", "square 21 is named twice"),
        ("W:W20-32:B1", "there are 13 white pieces, and a side has at most 12"),
        ("W:W:B", "there are no pieces on the board"),
    ],
)
def test_an_invalid_fen_is_refused(fen, text):
    with pytest.raises(InvalidPosition) as refusal:
        position(fen)
    assert (refusal.value.code, refusal.value.field) == ("invalid_position", "FEN")
    assert refusal.value.text == text


# ---------------------------------------------------------------------------------- export


def test_a_game_is_written_with_white_first():
    game = played(
        None, "c3 d4", "d6 e5", tags={"Event": 'A "first" \\ game', "White": "Ada", "Black": "Ben"}
    )
    assert export_game(DRAUGHTS, game) == (
        '[Event "A \\"first\\" \\\\ game"]\n'
        '[White "Ada"]\n'
        '[Black "Ben"]\n'
        '[Result "*"]\n'
        '[GameType "21,W,8,8,N2,0"]\n'
        "\n"
        "1. 22-18 10-15 *\n"
    )


def test_a_game_can_be_written_with_black_first():
    game = played(None, "c3 d4", "d6 e5", result="1-0", tags={"White": "Ada", "Black": "Ben"})
    assert export_game(DRAUGHTS, game, black_first=True) == (
        '[Black "Ada"]\n[White "Ben"]\n[Result "0-1"]\n[GameType "21"]\n\n1. 11-15 23-18 0-1\n'
    )


def test_a_game_from_a_position_has_its_fen():
    text = export_game(DRAUGHTS, played("B:WK7,30:B12,K32", "h6 g5", "e7 d8"))
    assert '[SetUp "1"]\n[FEN "B:WK7,30:B12,K32"]\n' in text
    assert movetext(text) == "1... 12-16 2. 7-2 *"
    text = export_game(DRAUGHTS, played("B:WK7,30:B12,K32", "h6 g5"), black_first=True)
    assert '[SetUp "1"]\n[FEN "W:WK1,21:B3,K26"]\n' in text
    assert movetext(text) == "1... 21-17 *"


def test_an_unambiguous_capture_is_written_short():
    game = played("W:W22:B18,11,4", "c3 e5 g7")
    assert movetext(export_game(DRAUGHTS, game)) == "1. 22x8 *"


def test_an_ambiguous_capture_is_written_with_all_squares():
    game = played("W:WK7:B10,11,18,19", "e7 c5 e3 g5 e7")
    assert movetext(export_game(DRAUGHTS, game)) == "1. 7x14x23x16x7 *"


def test_an_illegal_game_is_not_written():
    with pytest.raises(IllegalMove):
        export_game(DRAUGHTS, played(None, "c3 d4", "c3 d4"))


def test_written_lines_are_short():
    text = export_game(DRAUGHTS, random_game(3))
    assert len(text) > 500
    assert max(map(len, text.splitlines())) < 80


# ---------------------------------------------------------------------------------- import


def test_a_published_game_is_turned_so_that_white_moves_first():
    game = import_game(DRAUGHTS, PUBLISHED)
    assert game.start == DRAUGHTS.start()
    assert game.tags == {
        "Event": "An example",
        "White": "First, Ada",
        "Black": "Second, Ben",
    }
    assert game.result == "0-1"
    state = game.start
    for each in game.moves:
        state = state.apply(each)
    assert [str(each) for each in game.moves[-3:]] == ["a5 c3", "d2 b4", "a7 c5"]
    assert state.board == "0b0b0b0b00b0b0b00000000b00b000b00w000000w000w0w000000w0ww0w0w0w0"


def test_a_game_without_a_type_is_read_as_a_published_game():
    assert import_game(DRAUGHTS, "1. 11-15 *").moves == (move("c3 d4"),)
    assert import_game(DRAUGHTS, '[GameType "21,B,8,8,N1,0"]\n1. 11-15').moves == (move("c3 d4"),)


def test_a_game_with_white_first_is_not_turned():
    game = import_game(DRAUGHTS, '[GameType "21,W,8,8,N2,0"]\n[White "Ada"]\n\n1.22-18 10-15 0-1')
    assert game.moves == (move("c3 d4"), move("d6 e5"))
    assert (game.tags, game.result) == ({"White": "Ada"}, "0-1")


def test_the_position_of_a_published_game_is_turned():
    game = import_game(DRAUGHTS, '[SetUp "1"]\n[FEN "W:WK1,21:B3,K26"]\n\n1. 21-17 *')
    assert game.start == position("B:WK7,30:B12,K32")
    assert game.moves == (move("h6 g5"),)


def random_game(seed, fen=None):
    rng = Random(seed)
    start = state = position(fen) if fen else DRAUGHTS.start()
    moves = []
    while state.turn is not None:
        moves.append(rng.choice(state.actions()))
        state = state.apply(moves[-1])
    winners = state.outcome().winners
    result = ("1-0", "0-1")[winners[0]] if winners else "1/2-1/2"
    return PdnGame(start, tuple(moves), result, {"Event": "Random", "White": "A", "Black": "B"})


@pytest.mark.parametrize("black_first", [False, True])
@pytest.mark.parametrize("fen", [None, "B:WK1,K2,K20,24,25:B9,K13,K15,18,K32", "W:WK7:B10,11,18"])
def test_reading_a_written_game_returns_the_game(fen, black_first):
    for seed in range(12):
        game = random_game(seed, fen)
        assert import_game(DRAUGHTS, export_game(DRAUGHTS, game, black_first=black_first)) == game


@pytest.mark.parametrize("word", ["22x8", "22x15x8", "22x8!?"])
def test_a_capture_may_be_written_short_or_whole(word):
    text = f'[GameType "21,W"]\n[FEN "W:W22:B18,11,4"]\n\n1. {word} *'
    assert import_game(DRAUGHTS, text).moves == (move("c3 e5 g7"),)


def test_a_capture_may_be_written_with_some_of_its_squares():
    text = '[GameType "21,W"]\n[FEN "W:WK7:B10,11,18,19"]\n\n1. 7x16x7 *'
    with pytest.raises(InvalidMove, match=r"move 1\. 7x16x7 fits more than one move"):
        import_game(DRAUGHTS, text)
    assert import_game(DRAUGHTS, text.replace("7x16x7", "7x16x23x7")).moves == (
        move("e7 g5 e3 c5 e7"),
    )


@pytest.mark.parametrize("word", ["22-17-13", "11", "11:15", "eleven", "11-15-", "33-34", "(11-15"])
def test_an_invalid_move_is_refused(word):
    with pytest.raises(InvalidMove, match="is no legal move"):
        import_game(DRAUGHTS, f"1. {word} *")


def test_an_error_names_the_move_and_the_legal_moves():
    with pytest.raises(InvalidMove) as refusal:
        import_game(DRAUGHTS, "1. 11-15 22-18 2. 8-11 *")
    assert refusal.value.code == "invalid_move"
    assert refusal.value.text == "move 2. 8-11 is no legal move"
    assert refusal.value.hint == "legal here: 15x22"
    with pytest.raises(InvalidMove) as refusal:
        import_game(DRAUGHTS, "1. 11-15 12-16")
    assert refusal.value.text == "move 1... 12-16 is no legal move"


def test_moves_after_the_end_are_refused():
    with pytest.raises(InvalidMove) as refusal:
        import_game(DRAUGHTS, '[GameType "21,W"][FEN "W:W22:B18"] 1. 22x15 1-5 *')
    assert refusal.value.text == "move 1... 1-5 is no legal move"
    assert refusal.value.hint == "legal here: nothing, the game is over"


@pytest.mark.parametrize(
    ("text", "result"), [("1. 11-15 *", "*"), ("1. 11-15", "*"), ("1. 11-15 1/2-1/2", "1/2-1/2")]
)
def test_the_result_follows_the_moves(text, result):
    assert import_game(DRAUGHTS, text).result == result


def test_the_result_may_stand_in_the_tag_alone():
    assert import_game(DRAUGHTS, '[Result "1-0"]\n[GameType "21,W"]\n').result == "1-0"


@pytest.mark.parametrize(
    ("text", "field", "problem"),
    [
        ("", None, "there is no game in the text"),
        ("{nothing}", None, "there is no game in the text"),
        ('[Result "2-0"]', "Result", "'2-0' is no result"),
        ('[Result "1-0"] 1. 11-15 0-1', "Result", "the tag says 1-0, the moves end with 0-1"),
        ('[GameType "20"]', "GameType", "GameType '20' is not English draughts"),
        ('[GameType "21,X"]', "GameType", "GameType '21,X' is not English draughts"),
        ('[FEN "W:W33:B1"]', "FEN", "'33' is not within the squares 1 to 32"),
        ('[GameType "21,W"][FEN "nonsense"]', "FEN", "'nonsense' is no FEN"),
    ],
)
def test_an_invalid_game_is_refused(text, field, problem):
    with pytest.raises(InvalidPosition) as refusal:
        import_game(DRAUGHTS, text)
    assert refusal.value.code == "invalid_position"
    assert (refusal.value.field, refusal.value.text) == (field, problem)


def test_the_former_module_path_still_works():
    assert former_pdn.import_game is import_game
    assert former_pdn.export_game is export_game


# ------------------------------------------------------------------------------ past the end


# A record made up for this test: the players go on after the third repetition.
REPEATED = """
[Event "An example"]
[Result "0-1"]
[GameType "21"]
[SetUp "1"]
[FEN "B:WK32:BK1"]

1. 1-5 32-28 2. 5-1 28-32 3. 1-5 32-28 4. 5-1 28-32 5. 1-6 32-28 6. 6-10 28-24
7. 10-15 24-19 8. 15x24 0-1
"""
REPETITION = EarlyEnd(8, Outcome((), (0, 0), "repetition"))


def test_a_record_is_read_past_the_third_repetition():
    game = import_game(DRAUGHTS, REPEATED, past_the_end=True)
    assert len(game.moves) == 15
    assert game.moves[-1] == move("d4 b6")
    assert (game.result, game.early_end) == ("1-0", REPETITION)


def test_without_the_option_the_first_move_past_the_end_is_refused():
    with pytest.raises(InvalidMove) as refusal:
        import_game(DRAUGHTS, REPEATED)
    assert refusal.value.text == "move 5. 1-6 is no legal move"
    assert refusal.value.hint == "legal here: nothing, the game is over"


def test_a_game_that_goes_on_past_the_end_is_written_again():
    game = import_game(DRAUGHTS, REPEATED, past_the_end=True)
    assert export_game(DRAUGHTS, game, black_first=True) == REPEATED.lstrip("\n")
    with pytest.raises(IllegalMove, match="the game is over"):
        export_game(DRAUGHTS, evolve(game, early_end=None))


def test_a_game_that_goes_on_and_repeats_again_has_the_first_end():
    text = f'[FEN "B:WK32:BK1"] {"1-5 32-28 5-1 28-32 " * 7} 1/2-1/2'
    game = import_game(DRAUGHTS, text, past_the_end=True)
    assert (len(game.moves), game.early_end) == (28, REPETITION)
    written = export_game(DRAUGHTS, game)
    assert import_game(DRAUGHTS, written, past_the_end=True) == game


@pytest.mark.parametrize("past_the_end", [False, True])
def test_a_record_that_stops_at_the_end_has_no_early_end(past_the_end):
    text = f'[FEN "B:WK32:BK1"] {"1-5 32-28 5-1 28-32 " * 2} 1/2-1/2'
    game = import_game(DRAUGHTS, text, past_the_end=past_the_end)
    assert (len(game.moves), game.early_end) == (8, None)


def test_a_record_is_read_past_forty_moves():
    for seed in range(200):
        drawn = random_game(seed, "W:WK1,K2,K3,K4:BK29,K30,K31,K32")
        state = drawn.start
        for each in drawn.moves:
            state = state.apply(each)
        if state.outcome().reason == "forty_moves":
            break
    more = position(state.view()["seen"][-1]).actions()[0]
    early_end = EarlyEnd(len(drawn.moves), state.outcome())
    game = evolve(drawn, moves=(*drawn.moves, more), early_end=early_end)
    assert import_game(DRAUGHTS, export_game(DRAUGHTS, game), past_the_end=True) == game
    assert early_end.outcome.reason == "forty_moves"


def test_no_move_follows_a_victory():
    text = '[GameType "21,W"][FEN "W:W22:B18"] 1. 22x15 1-5 *'
    with pytest.raises(InvalidMove, match=r"move 1\.\.\. 1-5 is no legal move"):
        import_game(DRAUGHTS, text, past_the_end=True)
