"""A refusal says why, and changes nothing: neither what anyone can ask for nor what comes next."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.pure import Pair, Referee, fix_throws, pair

ZP = {"nick": "zp", "password": "secret"}


@pytest.fixture
def referee() -> Referee:
    return Referee()


@pytest.fixture
def duel(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Blue will throw a 1 and then a 2."""
    fix_throws(monkeypatch, blue=(1, 2), red=(6,))
    return pair(referee)


# -- turn and rules


@pytest.mark.parametrize("cmd", ["roll", "pass"])
def test_roll_and_pass_out_of_turn_are_refused(duel: Pair, cmd: str) -> None:
    assert duel.refused("jpleal", cmd) == ("not_your_turn", "Not your turn to play")


def test_notify_out_of_turn_is_refused(duel: Pair) -> None:
    assert duel.refused("jpleal", "notify", cell=35) == ("not_your_turn", "not your turn to play")
    duel.done("zp", "roll")
    # not even a move that the other could make
    assert duel.refused("jpleal", "notify", cell=8)[0] == "not_your_turn"
    assert duel.refused("jpleal", "notify", cell=8, to=9)[0] == "not_your_turn"


def test_a_wrong_shape_is_refused_before_the_turn(duel: Pair) -> None:
    assert duel.refused("jpleal", "notify", cell=36) == ("invalid_move", "cell is not on the board")
    assert duel.refused("jpleal", "notify") == ("invalid_move", "undefined cell")
    refused = duel.refused("jpleal", "notify", route=["a1", "b2"])
    assert refused == ("invalid_move", "unknown field 'route'")


def test_a_move_before_the_throw_is_refused(duel: Pair) -> None:
    assert duel.refused("zp", "pass") == ("must_roll", "You must roll the dice first")
    assert duel.refused("zp", "notify", cell=8)[0] == "must_roll"
    assert duel.refused("zp", "notify", cell=8, to=9)[0] == "must_roll"


def test_a_playable_throw_cannot_be_passed(duel: Pair) -> None:
    duel.done("zp", "roll")
    for _ in range(3):
        refused = duel.refused("zp", "roll")
        assert refused == ("must_move", "You already rolled the dice and have valid moves")
    duel.done("zp", "notify", cell=8)
    # and the refusals took no throw away either
    assert duel.done("zp", "roll")["dice"]["value"] == 2


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"cell": 8, "to": 10}, "wrong_distance"),
        ({"cell": 8, "to": 8}, "wrong_distance"),
        ({"cell": 7, "to": 8}, "own_piece"),
        ({"cell": 20}, "no_piece"),
        ({"cell": 35}, "no_piece"),
    ],
)
def test_moves_of_another_distance_are_refused(
    duel: Pair, fields: dict[str, int], code: str
) -> None:
    duel.done("zp", "roll")
    assert duel.refused("zp", "notify", **fields)[0] == code


def test_commands_are_refused_while_a_piece_is_selected(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(3,))
    duel = pair(referee)
    referee.place(duel.game, "B25 B20 R31")
    duel.done("zp", "roll")
    duel.done("zp", "notify", cell=25)
    assert duel.refused("zp", "notify", cell=20)[0] == "wrong_distance"
    assert duel.refused("zp", "notify", cell=20, to=23)[0] == "wrong_distance"
    assert duel.refused("zp", "notify", cell=25, to=23)[0] == "wrong_distance"
    assert duel.refused("zp", "notify", cell=28, to=28)[0] == "wrong_distance"
    assert duel.refused("zp", "roll")[0] == "must_move"
    assert duel.refused("zp", "pass")[0] == "must_move"
    assert duel.refused("jpleal", "notify", cell=28)[0] == "not_your_turn"
    assert duel.refused("jpleal", "notify", cell=25)[0] == "not_your_turn"
    assert duel.done("zp", "notify", cell=28)["selected"] == [25, 28]


def test_a_selected_piece_can_be_moved_by_a_whole_move(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(3,))
    duel = pair(referee)
    referee.place(duel.game, "B25 R31")
    duel.done("zp", "roll")
    duel.done("zp", "notify", cell=25)
    assert duel.done("zp", "notify", cell=25, to=10)["selected"] == [25, 10]


def test_draughts_has_neither_dice_nor_passes_nor_cells(referee: Referee) -> None:
    duel = pair(referee, kind="draughts")
    assert duel.refused("jpleal", "roll")[0] == "not_your_turn"
    assert duel.refused("zp", "roll")[0] == "no_roll"
    assert duel.refused("zp", "pass")[0] == "no_pass"
    assert duel.refused("zp", "notify", cell=8)[0] == "invalid_move"
    assert duel.refused("jpleal", "notify", cell=8)[0] == "invalid_move"
    assert duel.refused("jpleal", "notify", route=["a3", "b4"])[0] == "not_your_turn"
    assert duel.refused("zp", "notify", route=["a3", "a4"])[0] == "wrong_distance"


# -- who


def test_a_seat_is_needed(duel: Pair) -> None:
    referee = duel.referee
    spectator = referee.login("rui")
    nobody = referee.connect()
    for cmd, fields in (("roll", {}), ("pass", {}), ("notify", {"cell": 8}), ("leave", {})):
        code, text = referee.refused(spectator, cmd, game=duel.game, **fields)
        assert (code, text) == ("no_seat", "rui has no seat in this game")
        code, text = referee.refused(nobody, cmd, game=duel.game, **fields)
        assert (code, text) == ("who_are_you", "who are you?")
        checked = {"command": cmd, "game": duel.game, **fields}
        if cmd != "leave":
            assert referee.refused(spectator, "check", **checked)[0] == "no_seat"


def test_invalid_tokens_are_refused(duel: Pair) -> None:
    referee = duel.referee
    stranger = referee.connect()
    refused = referee.refused(stranger, "roll", token="0" * 32)
    assert refused == ("bad_token", "this token belongs to no seat")
    other = referee.say(stranger, "join", group=98, size=9)
    refused = referee.refused(stranger, "roll", token=other["token"], game=duel.game)
    assert refused == ("bad_token", "this token belongs to another game")
    # nor does the login help a wrong token
    assert referee.refused(duel.zp, "roll", token="0" * 32)[0] == "bad_token"


SEATED: list[tuple[str, dict[str, Any]]] = [
    ("roll", {}),
    ("pass", {}),
    ("notify", {"cell": 8}),
    ("leave", {}),
    ("check", {"command": "roll"}),
]


@pytest.mark.parametrize(("cmd", "fields"), SEATED)
@pytest.mark.parametrize(
    ("credentials", "code", "text"),
    [
        ({"nick": "zp"}, "undefined_field", "undefined password"),
        ({"password": "secret"}, "undefined_field", "undefined nick"),
        ({"nick": "zp", "password": "x"}, "wrong_password", None),
        ({"nick": "nobody", "password": "x"}, "not_registered", "nobody is not registered"),
        ({"nick": "guest-00000000"}, "undefined_field", "undefined password"),
        ({}, "who_are_you", "who are you?"),
    ],
)
def test_invalid_credentials_are_refused(
    duel: Pair, cmd: str, fields: dict[str, Any], credentials: dict[str, str], code: str, text: str
) -> None:
    refused = duel.referee.refused(duel.referee.connect(), cmd, **fields, **credentials)
    assert refused == (code, text or "User registered with a different password")


def test_credentials_are_checked_before_the_game(duel: Pair) -> None:
    referee = duel.referee
    stranger = referee.connect()
    assert referee.refused(stranger, "roll", game="averseda")[0] == "who_are_you"
    refused = referee.refused(duel.zp, "roll", game="averseda", nick="zp", password="x")
    assert refused[0] == "wrong_password"
    refused = referee.refused(duel.zp, "roll", game="averseda")
    assert refused == ("unknown_game", "Invalid game reference")


@pytest.mark.parametrize("credentials", [{"nick": "zp"}, {"password": "secret"}])
def test_join_with_half_the_credentials_is_refused(
    referee: Referee, credentials: dict[str, str]
) -> None:
    code, _ = referee.refused(referee.connect(), "join", group=99, size=9, **credentials)
    assert code == "undefined_field"


def test_join_with_wrong_credentials_is_refused(referee: Referee) -> None:
    session = referee.login("zp")
    joining = {"group": 99, "size": 9, "password": "x"}
    assert referee.refused(session, "join", nick="zp", **joining)[0] == "wrong_password"
    assert referee.refused(session, "join", nick="jpleal", **joining)[0] == "not_registered"
    # credentials come before the terms
    assert referee.refused(session, "join", nick="zp", password="x")[0] == "wrong_password"


# -- which game


@pytest.mark.parametrize(("cmd", "fields"), [*SEATED, ("update", {}), ("state", {}), ("moves", {})])
def test_game_is_required_with_several_seats(
    referee: Referee, cmd: str, fields: dict[str, Any]
) -> None:
    zp = referee.login("zp")
    assert referee.refused(zp, cmd, **fields) == ("which_game", "which game?")
    games = [referee.say(zp, "join", group=group, size=9)["game"] for group in (1, 2)]
    assert referee.refused(zp, cmd, **fields) == ("which_game", "which game?")
    reply = referee.say(zp, cmd, **fields)
    assert reply["field"] == "game"
    assert reply["hint"] == f"you have seats in {', '.join(games)}"
    assert referee.say(zp, "leave", game=games[0]) == {}
    if cmd in ("roll", "pass", "notify", "moves"):
        assert referee.refused(zp, cmd, **fields)[0] == "waiting"
    else:
        assert "error" not in referee.say(zp, cmd, **fields)


@pytest.mark.parametrize(("cmd", "fields"), [("update", {}), ("state", {}), ("moves", {})])
def test_game_is_required_without_a_seat(
    referee: Referee, cmd: str, fields: dict[str, Any]
) -> None:
    session = referee.connect()
    assert referee.refused(session, cmd, **fields) == ("which_game", "which game?")
    assert referee.say(session, cmd, **fields)["hint"] == "you have no seat in any game"


def test_commands_to_a_wait_are_refused(referee: Referee) -> None:
    zp = referee.login("zp")
    referee.say(zp, "join", group=99, size=9)
    for cmd, fields in (("roll", {}), ("pass", {}), ("notify", {"cell": 8})):
        code, text = referee.refused(zp, cmd, **fields)
        assert code == "waiting"
        assert text == "the game has not begun: an opponent is still to come"


def test_commands_to_a_finished_game_are_refused(duel: Pair) -> None:
    duel.done("zp", "leave")
    over = ("game_over", "the game is over")
    for nick in ("zp", "jpleal"):
        for cmd, fields in (("roll", {}), ("pass", {}), ("notify", {"cell": 8}), ("leave", {})):
            assert duel.refused(nick, cmd, **fields) == over
        assert duel.referee.refused(getattr(duel, nick), "leave")[0] == "which_game"


def test_leaving_twice_counts_once(duel: Pair) -> None:
    duel.done("zp", "leave")
    for nick in ("zp", "jpleal"):
        assert duel.refused(nick, "leave")[0] == "game_over"
    ranking = duel.referee.say(duel.zp, "ranking", group=99, size=9)["ranking"]
    assert [(score["nick"], score["victories"], score["games"]) for score in ranking] == [
        ("jpleal", 1, 1),
        ("zp", 0, 1),
    ]


def test_leaving_a_wait_twice(referee: Referee) -> None:
    zp = referee.login("zp")
    joined = referee.say(zp, "join", group=99, size=9)
    assert referee.say(zp, "leave") == {}
    referee.received(zp)
    assert referee.refused(zp, "leave")[0] == "which_game"
    assert referee.refused(zp, "leave", game=joined["game"])[0] == "unknown_game"
    assert referee.refused(zp, "leave", token=joined["token"])[0] == "bad_token"


def test_an_invalid_line_is_refused(duel: Pair) -> None:
    referee = duel.referee
    before = referee.picture()
    for line in (b"", b"roll", b"[]", b'{"cmd":"fly"}', b'{"cmd":"roll","dice":6}', b'{"cmd":1}'):
        reply = referee.send(duel.zp, line)
        assert reply["error"]
    assert referee.picture() == before
