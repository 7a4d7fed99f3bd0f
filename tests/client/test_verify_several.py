"""Matches of three and four are verified, and what is changed in them afterwards is found."""

from __future__ import annotations

import random
from functools import partial

import attrs
import pytest

from tabnet.client.verify import verify
from tabnet.errors import NotVerified
from tabnet.games import GAMES
from tabnet.protocol.codec import decode_frame
from tests.client.matches import OTHER_SALT, SALT, Match
from tests.race import RACE
from tests.server.pure import Referee


@pytest.fixture(autouse=True)
def _race(monkeypatch):
    monkeypatch.setitem(GAMES, "race", RACE)


def match(kind="race", seats=3, **fields):
    return Match(kind, salts=(None,) * seats, **fields)


def play(made, seed, most):
    made.play_out(seed, most=most)
    return made


def test_a_game_of_four_to_its_end():
    for kind in ("race", "fish"):
        made = play(match(kind, 4), 1, 2000)
        assert made.state.outcome() is not None
        assert verify(made.frames).result["points"].keys() == {"ann", "bob", "cat", "dan"}


OUT = {
    "leaves": lambda made: made.lose("cat"),
    "leaves in turn": lambda made: made.lose(made.turn),
    "time runs out": lambda made: (made.run_out(), made.lose(made.turn, "timeout")),
    "breaks the rules": lambda made: made.lose(made.turn, "illegal", code="must_roll"),
    "offers a draw before": lambda made: (made.draw("cat"), made.lose("cat")),
}


@pytest.mark.parametrize("kind", ["race", "fish"])
@pytest.mark.parametrize("timing", [{"move": 60}, {"total": 60, "increment": 2}])
@pytest.mark.parametrize("happen", OUT.values(), ids=OUT)
def test_the_others_play_on_after_a_player_is_out(happen, timing, kind):
    made = play(match(kind, 3, timing=timing, strict=True), 2, 3)
    made.think(1)
    happen(made)
    assert "winner" not in made.frames[-1].position
    play(made, 3, 2000)
    verified = verify(made.frames)
    assert verified.events == len(made.frames)
    with pytest.raises(NotVerified):
        verify(made.frames[:-1])


def test_the_last_player_left_wins():
    made = match(seats=4)
    for nick in ("bob", "ann", "dan"):
        made.lose(nick)
    assert verify(made.frames).result["winners"] == ["cat"]


def test_the_remaining_players_can_agree_on_a_draw():
    made = match(seats=4)
    for nick in ("bob", "ann", "dan"):
        made.draw(nick)
    made.lose("cat")
    assert verify(made.frames).result["reason"] == "agreed"


def test_a_player_without_a_salt_is_out_and_the_dice_omit_the_salt():
    made = Match("race", salts=(SALT, OTHER_SALT, None))
    made.salt("ann")
    made.lose("bob", "timeout")
    play(made, 5, 2000)
    verified = verify(made.frames)
    assert (verified.salted, verified.throws > 0) == (("ann",), True)
    made = Match("race", salts=(SALT, OTHER_SALT, None, None))
    made.lose(None, "timeout")
    assert made.playing == ["cat", "dan"]
    verify(play(made, 5, 2000).frames)


def test_a_match_of_three_of_the_service_is_verified():
    for kind, strict in (("race", False), ("fish", True)):
        referee = Referee(kind)
        sessions = {nick: referee.login(nick) for nick in "abc"}
        for session in sessions.values():
            joined = referee.say(session, "join", kind=kind, seats=3, strict=strict)
        watcher, luck = sessions["a"], random.Random(4)
        for number in range(2000):
            state = referee.say(watcher, "state", game=joined["game"])
            if number == 8:
                referee.say(sessions["b"], "leave")
            elif state["status"] == "ended":
                break
            else:
                moves = referee.say(watcher, "moves")
                action = luck.choice(moves["actions"])
                fields = luck.choice(moves["moves"]) if action == "notify" else {}
                referee.say(sessions[state["update"]["turn"]], action, **fields)
        updates = [decode_frame(line) for line in referee.lines[watcher] if b'"update"' in line]
        assert verify(updates).events == len(updates)


def changed(frames, number, **fields):
    frame = frames[number]
    return [
        *frames[:number],
        attrs.evolve(frame, position=frame.position | fields),
        *frames[number + 1 :],
    ]


def told(kind="race"):
    made = play(match(kind, strict=True), 2, 4)
    made.lose("bob")
    return play(made, 3, 2000).frames


LEFT = 4
"""The number of the frame that says that bob leaves, from 0."""


def an_event(frames, player="bob", **event):
    return changed(frames, LEFT, event={"type": "leave", "player": player} | event)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (partial(changed, number=0, prizes=[9, 9, 9, 9]), "prizes"),
        (partial(an_event, player="eve"), "event.player"),
        (partial(an_event, player="ann"), ""),
        (partial(an_event, type="illegal"), "event.code"),
        (partial(changed, number=LEFT, out=[]), "out"),
        (partial(changed, number=LEFT, winner="ann"), "winner"),
        (
            partial(changed, number=LEFT + 1, event={"type": "leave", "player": "bob"}),
            "event.player",
        ),
    ],
)
def test_every_change_is_found(change, field):
    frames = told()
    verify(frames)
    with pytest.raises(NotVerified) as caught:
        verify(change(frames))
    assert (caught.value.field or "").startswith(field)


def test_a_board_that_contradicts_the_deal_is_found():
    frames = told("fish")
    state = frames[0].position["state"]
    board = [list(row) for row in state["board"]]
    row, col = next((r, c) for r in range(4) for c in range(4) if board[r][c])
    board[row][col] += 1
    with pytest.raises(NotVerified) as caught:
        verify(changed(frames, 0, state=state | {"board": board}))
    assert caught.value.field == f"state.board[{row}][{col}]"


def test_a_game_without_dice_takes_no_salts():
    made = match("fish")
    made.lose("ann")
    made.lose("bob")
    hashes = {"ann": "00" * 32, "bob": None, "cat": None}
    with pytest.raises(NotVerified) as caught:
        verify(changed(made.frames, 0, dice_salt_hashes=hashes))
    assert caught.value.field == "dice_salt_hashes.ann"


def test_options_that_do_not_fit_the_seats_are_found():
    made = match("fish")
    made.lose("ann")
    made.lose("bob")
    frames = [
        attrs.evolve(
            frame, position=frame.position | {"options": {"rows": 1, "cols": 1, "holes": 0}}
        )
        for frame in made.frames
    ]
    with pytest.raises(NotVerified) as caught:
        verify(frames)
    assert caught.value.field == "options"
