"""The screen of a game, at different times and sizes."""

from __future__ import annotations

import pytest

from tabnet.client.safe_text import format_plain_rows
from tabnet.client.terminal.game_screen import GameScreen, format_clock
from tabnet.games import GAMES
from tabnet.games.api import Roll
from tabnet.games.plakoto import PlakotoMove
from tabnet.protocol.frames import StateReply
from tests.client.positions import draughts, fish, snapshot, tab

THROWN = {"stickValues": [True, False, True, False]}
FORK = tab({6: "b", 12: "B", 19: "B", 27: "r"}, dice={"value": 3})


def screen(update, mine=("ann",), now=0.0):
    made = GameScreen(mine)
    made.show_update(update, now)
    return made


def quote(made, now=0.0, columns=80, height=40):
    return format_plain_rows(made.draw_screen_rows(now, columns, height))


def test_the_screen_before_the_game_shows_the_wait():
    made = GameScreen(("ann",), note="soon")
    assert quote(made).split() == ["soon"]
    made.show_clocks(StateReply(cmd="state", game="g1", status="waiting"), 0)
    assert quote(made).split("\n")[1:] == [" Waiting for an opponent.", " soon"]
    assert GameScreen().draw_board_rows(80, 0) == []


def test_the_player_is_at_the_bottom_and_the_clock_of_the_turn_runs():
    made = screen(snapshot("tab", GAMES["tab"].start()), now=100)
    lines = [line for line in quote(made, now=130.5).split("\n") if "ann" in line or "bob" in line]
    assert lines[:2] == ["    Red bob   2:00", " >  Blue ann   (you)  1:30"]
    assert "0:00" in quote(made, now=1000)
    turned = quote(screen(snapshot("tab", GAMES["tab"].start()), mine=("bob",)))
    assert turned.startswith(" >  Blue ann   2:00")
    assert "Blue is to roll." in turned


def test_two_at_one_keyboard_see_the_board_of_the_player_to_act():
    for turn, nick in enumerate(("ann", "bob")):
        made = screen(snapshot("tab", tab({0: "b", 27: "r"}, turn=turn)), mine=("ann", "bob"))
        assert made.bottom_seat == turn
        assert nick in format_plain_rows(made.draw_board_rows(80, 0)[-1:])
        assert "(you)" not in quote(made)


def test_a_short_time_is_marked_as_urgent():
    made = screen(snapshot("tab", GAMES["tab"].start()))
    for now, style in ((0, "bold"), (115, "bold red")):
        (clock,) = [part for part in made.draw_board_rows(80, now)[-1] if ":" in part[0]]
        assert clock[1] == style


def test_absent_players_are_shown():
    made = screen(snapshot("tab", GAMES["tab"].start()))
    made.online = {"ann": True, "bob": False}
    assert "Red bob   2:00  away" in quote(made)
    assert quote(made).count("away") == 1


def test_the_clocks_of_a_state_replace_those_of_its_update():
    update = snapshot("tab", GAMES["tab"].start(), seq=4)
    standing = StateReply(
        cmd="state",
        game="g1",
        status="playing",
        update={"seq": 4},
        clock={"ann": 60.0, "bob": 120.0},
    )
    before, after = GameScreen(("ann",)), GameScreen(("ann",))
    before.show_clocks(standing, 10)
    before.show_update(update, 11)
    after.show_update(update, 9)
    after.show_clocks(standing, 10)
    assert before.compute_time_left("ann", 12) == after.compute_time_left("ann", 12) == 58
    older = GameScreen(("ann",))
    older.show_clocks(StateReply(cmd="state", game="g1", status="waiting"), 0)
    older.show_clocks(standing, 10)
    older.show_update(snapshot("tab", GAMES["tab"].start(), seq=5), 11)
    assert older.compute_time_left("ann", 12) == 119


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"type": "roll", "player": "ann"}, "Blue threw 3 (Telateh): light light light dark"),
        ({"type": "select", "player": "ann"}, "Blue selected 19"),
        ({"type": "release", "player": "ann"}, "Blue released the piece"),
        ({"type": "pass", "player": "bob"}, "Red passed"),
        ({"type": "leave", "player": "bob"}, "Red left"),
        ({"type": "timeout", "player": "bob"}, "Red's time ran out"),
        ({"type": "salt", "player": "ann", "salt": "00" * 16}, "Blue sent a salt for the dice"),
        ({"type": "draw", "player": "ann", "offer": True}, "Blue offers a draw"),
        ({"type": "draw", "player": "ann", "offer": False}, "Blue withdrew the draw offer"),
        (
            {"type": "illegal", "player": "bob", "code": "own_piece"},
            "Red made an illegal move",
        ),
        ({"type": "timeout"}, "The time for the salts ran out"),
        ({"type": "end"}, "The operator ended the game"),
        ({"type": "somersault", "player": "bob"}, "Red somersault"),
        ({"type": "move", "player": "bob", "cell": 27, "to": 20}, "Red played 27 to 20"),
        ({"type": "start"}, "Tab: Blue (ann) against Red (bob)"),
    ],
)
def test_every_event_is_described(event, told):
    made = GameScreen(("ann",))
    assert made.show_update(snapshot("tab", FORK, event=event, cell=19), 0) == told


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("error", "The server closed the game after an error"),
        ("abandoned", "All players left the game"),
    ],
)
def test_the_reason_of_an_end_is_described(reason, sentence):
    made = GameScreen(("ann",))
    end = snapshot("tab", FORK, event={"type": "end"}, result={"reason": reason})
    assert made.show_update(end, 0) == sentence


def test_a_bot_that_fails_again_and_again_is_out():
    made = GameScreen(("ann",))
    end = snapshot("tab", FORK, event={"type": "end", "player": "bob"}, result={"reason": "crash"})
    assert made.show_update(end, 0) == "Red, a bot, failed again and again and is out"


def test_captures_and_a_throw_without_dice_are_described():
    made = GameScreen(("ann",))
    roll = {"type": "roll", "player": "ann"}
    assert (
        made.show_update(snapshot("tab", GAMES["tab"].start(), event=roll), 0)
        == "Blue threw the dice"
    )
    state = draughts("W:WK7:B10,11,18,19")
    made.show_update(snapshot("draughts", state), 0)
    (move, _) = state.actions()
    event = {"type": "move", "player": "ann", "route": list(move.route)}
    after = snapshot("draughts", state.apply(move), event=event, winner="ann", result=WON)
    assert made.show_update(after, 0) == "White played e7 to c5 to e3 to g5 to e7, 4 captures"


def test_dice_and_pins_of_plakoto_are_described():
    made = GameScreen(("ann",))
    state = GAMES["plakoto"].start().apply(Roll((2, 2)))
    roll = {"type": "roll", "player": "ann"}
    assert made.show_update(snapshot("plakoto", state, event=roll), 0) == "White threw 2 and 2"
    points = [None] * 24
    points[0] = {"owner": "White", "count": 15}
    points[6], points[9] = {"owner": "Black", "count": 1}, {"owner": "Black", "count": 14}
    state = GAMES["plakoto"].load({"points": points, "dice": [6, 5]})
    made.show_update(snapshot("plakoto", state), 0)
    for start, to, told in ((1, 7, "1 to 7, a pin"), (1, 6, "1 to 6")):
        state = state.apply(PlakotoMove(start, to))
        event = {"type": "move", "player": "ann", "from": start, "to": to}
        assert (
            made.show_update(snapshot("plakoto", state, event=event), 0) == f"White played {told}"
        )


WON = {"winners": ["ann"], "points": {"ann": 1, "bob": 0}, "reason": "all_captured"}


@pytest.mark.parametrize(
    ("result", "mine", "message"),
    [
        (WON, ("ann",), "You won: the other side has no piece left."),
        (WON, ("bob",), "You lost to Blue (ann): your side has no piece left."),
        (WON, (), "Blue (ann) won: the other side has no piece left."),
        (WON | {"reason": "strange"}, (), "Blue (ann) won: strange."),
        (
            {"winners": [], "points": {}, "reason": "agreed"},
            (),
            "The game is a draw: the players agreed.",
        ),
        (
            {"winners": [], "points": {}, "reason": "ended"},
            (),
            "Nobody won: the operator ended the game.",
        ),
        (
            {"winners": [], "points": {}, "reason": "error"},
            (),
            "Nobody won: the server closed the game after an error.",
        ),
        (
            {"winners": [], "points": {}, "reason": "abandoned"},
            (),
            "Nobody won: all players left the game.",
        ),
        (
            {"winners": [], "points": {}, "reason": "timeout"},
            ("ann",),
            "Nobody won: the salts did not come in time.",
        ),
        (
            WON | {"reason": "illegal_move"},
            ("bob",),
            "You lost to Blue (ann): your side made an illegal move.",
        ),
    ],
)
def test_every_result_is_described(result, mine, message):
    made = screen(snapshot("tab", FORK, winner=None, result=result, turn=None), mine)
    assert made.over
    assert made.expected_action == made.result_sentence == message
    assert made.my_turn is None


def test_the_end_is_described_in_the_words_of_the_kind():
    result = {"winners": [], "points": {}, "reason": "repetition"}
    update = snapshot("draughts", GAMES["draughts"].start(), winner=None, result=result, turn=None)
    expected = "The game is a draw: the position occurred for the third time."
    assert screen(update, ("ann",)).result_sentence == expected
    update = snapshot("tab", FORK, winner=None, result=result, turn=None)
    assert screen(update, ("ann",)).result_sentence == "The game is a draw: repetition."


# -- of three

ICE = fish([[1, 2, 3], [4, 0, 5], [6, 7, 8]], [(0, 0)], [(1, 2)], [(2, 1)], penguins=1)


def test_opponents_are_above_and_players_who_are_out_are_marked():
    made = screen(snapshot("fish", ICE.remove(1)), mine=("cat",))
    lines = quote(made).splitlines()
    assert lines[:2] == [" >  red ann   2:00", "    white bob   2:00  out"]
    assert "    brown cat   (you)  2:00" in lines


def test_events_of_fish_are_described():
    made = GameScreen()
    place = {"type": "move", "player": "bob", "place": {"row": 1, "col": 2}}
    assert made.show_update(snapshot("fish", ICE, event=place), 0) == "white placed a penguin on c1"
    move = ICE.actions()[0]
    event = {"type": "move", "player": "ann", **GAMES["fish"].dump_move(move)}
    after = snapshot("fish", ICE.apply(move), event=event)
    assert made.show_update(after, 0) == "red played a0 to a1, for 1 fish"
    start = snapshot("fish", ICE)
    assert made.show_update(start, 0) == "Fish: red (ann) against white (bob) against brown (cat)"


SHARED = {"winners": ["ann", "cat"], "points": {}, "reason": "no_moves"}


@pytest.mark.parametrize(
    ("result", "mine", "message"),
    [
        (SHARED, (), "red (ann) and brown (cat) won together"),
        (SHARED, ("bob",), "You lost to red (ann) and brown (cat)"),
        (SHARED, ("cat",), "red (ann) and brown (cat) won together"),
        (SHARED | {"winners": ["ann"]}, ("ann",), "You won"),
    ],
)
def test_the_end_of_a_game_of_three_is_described(result, mine, message):
    made = screen(snapshot("fish", ICE, winner=None, result=result, turn=None), mine)
    assert made.result_sentence == f"{message}: nobody can move, and most fish win."


@pytest.mark.parametrize("reason", ["leave", "timeout", "illegal_move", "others_out"])
def test_the_last_player_left_is_shown_as_the_winner(reason):
    result = {"winners": ["bob"], "points": {}, "reason": reason}
    update = snapshot("fish", ICE, winner="bob", result=result, turn=None)
    assert screen(update, ()).result_sentence == "white (bob) won: all others are out."


def test_a_waiting_player_sees_how_many_have_joined():
    made = GameScreen(("ann",), online={"ann": True, "bob": True})
    made.show_clocks(StateReply(cmd="state", game="g1", status="waiting"), 0)
    assert made.expected_action == "Waiting for more opponents: 2 of you are here."


def test_the_expected_action_is_described():
    assert (
        screen(snapshot("tab", FORK)).expected_action == "Blue, your turn: choose a piece: 12, 19"
    )
    assert screen(snapshot("tab", FORK), mine=()).expected_action == "Blue is to move."
    fixed = tab({0: "b", 27: "r"}, dice=THROWN)
    assert screen(snapshot("tab", fixed)).expected_action == (
        "Blue, your turn: there is no move: pass (Enter)"
    )
    assert screen(snapshot("tab", fixed), mine=("bob",)).expected_action == "Blue is to pass."


def test_a_small_screen_keeps_the_most_important_lines():
    made = screen(snapshot("tab", GAMES["tab"].start()))
    for event in range(20):
        made.event_lines.append(f"event {event}")
    made.note = "a long story " * 10
    assert "event 19" in quote(made)
    assert "event 1\n" not in quote(made)
    for height in range(1, 40):
        lines = quote(made, columns=60, height=height).split("\n")
        assert len(lines) <= height
        assert max(map(len, lines)) <= 60
        assert lines[-1].strip().endswith("story")
    assert "event" not in quote(made, height=20)


def test_times_are_shown_in_minutes_and_seconds():
    assert [format_clock(seconds) for seconds in (0, 0.2, 59.5, 60, 3600)] == [
        *("0:00", "0:01", "1:00", "1:00", "60:00")
    ]
