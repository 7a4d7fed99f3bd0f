"""The tables of examples of the original API, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.pure import Pair, Referee, fix_throws, pair

ZP = {"nick": "zp", "password": "secret"}
JPLEAL = {"nick": "jpleal", "password": "another"}
PLAYERS = {"zp": "Blue", "jpleal": "Red"}


@pytest.fixture
def referee() -> Referee:
    return Referee()


def dice(*sides: bool, value: int, again: bool) -> dict[str, Any]:
    return {"stickValues": list(sides), "value": value, "keepPlaying": again}


def registered(referee: Referee) -> int:
    """One connection that says everything with nick and password, as the tables do."""
    session = referee.connect()
    for player in (ZP, JPLEAL):
        assert referee.say(session, "register", **player) == {}
    return session


def text(refusal: tuple[str, str]) -> str:
    return refusal[1]


def test_register(referee: Referee) -> None:
    session = referee.connect()
    assert referee.say(session, "register", **ZP) == {}
    checking = {"nick": "zp", "password": "just checking"}
    refused = referee.refused(session, "register", **checking)
    assert refused == ("wrong_password", "User registered with a different password")
    assert referee.say(session, "register", **ZP) == {}
    assert referee.say(session, "register", **JPLEAL) == {}
    assert [log.fields["new"] for log in referee.logs if log.event == "register"] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("missing", ["nick", "password"])
def test_register_needs_both(referee: Referee, missing: str) -> None:
    given = {name: value for name, value in ZP.items() if name != missing}
    refused = referee.refused(referee.connect(), "register", **given)
    assert refused == ("undefined_field", f"undefined {missing}")


def test_start(referee: Referee) -> None:
    session = registered(referee)
    zp, jpleal = referee.connect(), referee.connect()
    assert text(referee.refused(session, "join", group=99, **ZP)) == "undefined size"
    refused = referee.refused(session, "join", group=99, size="large", **ZP)
    assert refused == ("wrong_type", "invalid size 'large'")
    joined = referee.say(zp, "join", group=99, size=9, **ZP)
    refused = referee.refused(session, "update", nick="zp", game="averseda")
    assert refused == ("unknown_game", "Invalid game reference")
    assert referee.say(zp, "update", nick="zp", game=joined["game"]) == {}
    assert referee.received(zp) == []
    second = referee.say(jpleal, "join", group=99, size=9, **JPLEAL)
    assert second["game"] == joined["game"]
    update = referee.update(zp)
    assert update == referee.update(jpleal)
    assert update["game"] == joined["game"]
    assert update["initial"] == update["turn"] == "zp"
    assert update["step"] == "from"
    assert update["players"] == PLAYERS
    assert list(update["players"]) == ["zp", "jpleal"]
    assert (update["dice"], update["mustPass"]) == (None, None)
    blue, red = (
        {"color": colour, "inMotion": False, "reachedLastRow": False} for colour in PLAYERS.values()
    )
    assert update["pieces"] == [blue] * 9 + [None] * 18 + [red] * 9


def test_leave_while_waiting(referee: Referee) -> None:
    session = registered(referee)
    game = referee.say(session, "join", group=99, size=9, **ZP)["game"]
    assert referee.say(session, "update", nick="zp", game=game) == {}
    assert referee.say(session, "leave", game=game, **ZP) == {}
    assert referee.received(session) == [{"type": "update", "game": game, "seq": 1, "winner": None}]
    assert text(referee.refused(session, "leave", game=game, **ZP)) == "Invalid game reference"


def test_leave_while_playing(referee: Referee) -> None:
    session = registered(referee)
    left = referee.say(session, "join", group=99, size=9, **ZP)["game"]
    assert referee.say(session, "leave", game=left, **ZP) == {}
    referee.received(session)
    game = referee.say(session, "join", group=99, size=9, **ZP)["game"]
    assert game != left
    other = referee.connect()
    assert referee.say(other, "join", group=99, size=9, **JPLEAL)["game"] == game
    (started,) = referee.updates(session)
    assert (started["turn"], started["step"]) == ("zp", "from")
    assert referee.updates(other) == [started]
    assert referee.say(session, "leave", game=game, **ZP) == {}
    ended = referee.update(session)
    assert referee.update(other) == ended
    assert ended["winner"] == "jpleal"
    points = {"zp": 0, "jpleal": 1}
    assert ended["result"] == {"winners": ["jpleal"], "points": points, "reason": "leave"}
    assert (ended["turn"], ended["pieces"]) == (None, started["pieces"])


def test_throw(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(6, 1))
    duel = pair(referee)
    assert duel.refused("jpleal", "roll") == ("not_your_turn", "Not your turn to play")
    update = duel.done("zp", "roll")
    assert update["dice"] == dice(False, False, False, False, value=6, again=True)
    assert (update["turn"], update["mustPass"]) == ("zp", None)
    update = duel.done("zp", "roll")
    assert update["dice"] == dice(False, True, False, False, value=1, again=True)
    assert (update["turn"], update["mustPass"]) == ("zp", None)


def test_pass(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(2, 6, 1), red=(2,))
    duel = pair(referee)
    duel.done("zp", "roll")
    assert text(duel.refused("jpleal", "pass")) == "Not your turn to play"
    assert duel.done("zp", "pass")["turn"] == "jpleal"
    update = duel.done("jpleal", "roll")
    assert update["dice"] == dice(False, True, False, True, value=2, again=False)
    assert (update["turn"], update["mustPass"]) == ("jpleal", "jpleal")
    update = duel.done("jpleal", "pass")
    assert (update["turn"], update["dice"], update["mustPass"]) == ("zp", None, None)
    update = duel.done("zp", "roll")
    assert (update["dice"]["value"], update["mustPass"]) == (6, None)
    refused = duel.refused("zp", "pass")
    assert refused == ("must_roll_again", "You already rolled the dice but can roll it again")
    assert duel.done("zp", "roll")["dice"]["value"] == 1
    refused = duel.refused("zp", "pass")
    assert refused == ("must_move", "You already rolled the dice and have valid moves")


def test_invalid_plays(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(1,))
    duel = pair(referee)
    duel.done("zp", "roll")
    refused = duel.refused("jpleal", "notify", cell=26)
    assert refused == ("not_your_turn", "not your turn to play")
    refused = duel.refused("zp", "notify", cell=True)
    assert refused == ("wrong_type", "cell is not an integer")
    assert duel.refused("zp", "notify", cell=-1) == ("bad_value", "cell is negative")
    refused = duel.refused("zp", "notify", cell=0)
    assert refused == ("own_piece", "cannot capture to your own piece")
    update = duel.done("zp", "notify", cell=8)
    assert (update["turn"], update["initial"]) == ("zp", "zp")
    assert (update["dice"], update["step"]) == (None, "from")


def test_begin(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(1, 2))
    duel = pair(referee)
    duel.done("zp", "roll")
    update = duel.done("zp", "notify", cell=8)
    assert (update["cell"], update["selected"]) == (8, [8, 9])
    assert (update["turn"], update["dice"], update["step"]) == ("zp", None, "from")
    assert update["pieces"][8] is None
    assert update["pieces"][9] == {"color": "Blue", "inMotion": True, "reachedLastRow": False}
    update = duel.done("zp", "roll")
    assert update["dice"] == dice(False, True, False, True, value=2, again=False)
    assert (update["turn"], update["mustPass"]) == ("zp", None)
    assert "cell" not in update
    assert "selected" not in update
    update = duel.done("zp", "notify", cell=9)
    assert (update["cell"], update["selected"]) == (9, [9, 11])
    assert (update["dice"], update["turn"]) == (None, "jpleal")
    assert (update["initial"], update["step"]) == ("zp", "from")


@pytest.fixture
def at_the_fork(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """The piece on 25 has come there by the rules, and the throw is a 3."""
    fix_throws(monkeypatch, blue=(1, 4, 4, 4, 4, 3))
    duel = pair(referee)
    for cell in (8, 9, 13, 17, 21):
        duel.done("zp", "roll")
        duel.done("zp", "notify", cell=cell)
    update = duel.done("zp", "roll")
    assert update["dice"]["value"] == 3
    assert (update["turn"], update["step"], update["mustPass"]) == ("zp", "from", None)
    return duel


def test_choose(at_the_fork: Pair) -> None:
    duel = at_the_fork
    before = duel.referee.match(duel.game).state.view()["pieces"]
    update = duel.done("zp", "notify", cell=25)
    assert (update["cell"], sorted(update["selected"])) == (25, [10, 28])
    assert (update["turn"], update["step"]) == ("zp", "to")
    assert (update["pieces"], update["dice"]["value"]) == (before, 3)
    refused = duel.refused("zp", "notify", cell=26)
    assert refused == ("wrong_distance", "Invalid move: must play the dice's value")
    update = duel.done("zp", "notify", cell=28)
    assert (update["cell"], update["selected"]) == (25, [25, 28])
    assert (update["turn"], update["step"]) == ("jpleal", "from")
    assert update["pieces"][28] == {"color": "Blue", "inMotion": True, "reachedLastRow": True}
    assert sum(bool(piece) and piece["color"] == "Red" for piece in update["pieces"]) == 8


def test_rollback(at_the_fork: Pair) -> None:
    duel = at_the_fork
    selected = duel.done("zp", "notify", cell=25)
    assert (selected["cell"], selected["step"]) == (25, "to")
    update = duel.done("zp", "notify", cell=25)
    assert (update["turn"], update["step"]) == ("zp", "from")
    assert "cell" not in update
    assert "selected" not in update
    assert update["dice"] == selected["dice"]
    assert update["pieces"] == selected["pieces"]
    assert duel.done("zp", "notify", cell=25)["step"] == "to"
    assert duel.done("zp", "notify", cell=10)["selected"] == [25, 10]


def test_win(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, red=(6,))
    duel = pair(referee)
    referee.place(duel.game, "R*12 r31 B18", turn=1)
    update = duel.done("jpleal", "roll")
    assert update["dice"] == dice(False, False, False, False, value=6, again=True)
    assert "winner" not in update
    update = duel.done("jpleal", "notify", cell=12)
    assert update["winner"] == "jpleal"
    assert update["result"]["reason"] == "all_captured"
    assert update["result"]["points"] == {"zp": 0, "jpleal": 1}
    assert (update["turn"], update["mustPass"], update["dice"]) == (None, None, None)
    assert (update["cell"], update["selected"]) == (12, [12, 18])


def test_scoreboard(referee: Referee) -> None:
    session = referee.connect()
    assert referee.refused(session, "ranking") == ("undefined_field", "Undefined group")
    refused = referee.refused(session, "ranking", group=99)
    assert refused == ("undefined_field", "Invalid size 'undefined'")
    refused = referee.refused(session, "ranking", group=99, size=3.1416)
    assert refused == ("wrong_type", "Invalid size '3.1416'")
    refused = referee.refused(session, "ranking", group="2 of us", size=3)
    assert refused == ("wrong_type", "Invalid group '2 of us'")
    assert referee.say(session, "ranking", group=99, size=5) == {"ranking": []}
    for _ in range(2):
        duel = pair(referee)
        duel.done("zp", "leave")
    assert referee.say(session, "ranking", group=99, size=9) == {
        "ranking": [
            {"nick": "jpleal", "victories": 2, "games": 2},
            {"nick": "zp", "victories": 0, "games": 2},
        ]
    }
    assert referee.say(session, "ranking", group=98, size=9) == {"ranking": []}
    assert referee.say(session, "ranking", group=99, size=7) == {"ranking": []}
    assert referee.say(session, "ranking", group=99, kind="draughts") == {"ranking": []}
