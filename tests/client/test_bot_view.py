"""The cheap view of a bot against a view that parses every update."""

from __future__ import annotations

import orjson
import pytest

from tabnet.client.bot_view import BotView
from tabnet.client.client_state import state_in
from tabnet.errors import StartError
from tabnet.protocol.codec import frame_json
from tests.client.matches import NICKS, Match


def lines(match):
    """The updates of a match, as they travel."""
    return [orjson.dumps(frame_json(frame)) for frame in match.frames]


def asked(match, nick, *, skip=True, lost_at=()):
    """Number -> position, of the updates that ask something of the player."""
    positions, view = {}, None
    for line in lines(match):
        update = orjson.loads(line)
        if "winner" in update:
            break
        if view is None:
            view = BotView.from_update(nick, update)
        elif skip and view.needs_no_answer(line):
            continue
        if update["seq"] in lost_at:
            view.forget_position()
        state = view.state_to_act_in(update)
        if state is not None:
            positions[update["seq"]] = state
    return positions


def expected(match, nick):
    """Likewise, by reading everything."""
    return {
        frame.seq: state_in(frame.position)
        for frame in match.frames
        if frame.turn == nick and frame.expects and frame.position["event"]["type"] != "draw"
    }


@pytest.mark.parametrize("nick", NICKS)
@pytest.mark.parametrize("auto", [(), ("ann", "bob")])
@pytest.mark.parametrize("kind", ["tab", "draughts", "plakoto"])
def test_a_bot_is_asked_exactly_at_its_turns(kind, auto, nick):
    for seed in range(3):
        match = Match(kind, auto=auto).play_out(seed)
        assert asked(match, nick) == expected(match, nick)
        assert asked(match, nick, lost_at=range(2, 90, 7)) == expected(match, nick)


def test_a_bot_view_decodes_few_lines_of_a_game_with_throws():
    match = Match(auto=("ann", "bob")).play_out(1)
    view = BotView.from_update("ann", orjson.loads(lines(match)[0]))
    skipped = sum(view.needs_no_answer(line) for line in lines(match))
    asked_for = len(expected(match, "ann"))
    assert skipped == len(match.frames) - asked_for - 1
    assert not view.needs_no_answer(lines(match)[-1])


def test_unusually_formatted_lines_are_not_skipped():
    match = Match(auto=("ann", "bob"))
    match.roll()
    line = lines(match)[0]
    view = BotView.from_update("bob", orjson.loads(line))
    assert view.needs_no_answer(line)
    assert not view.needs_no_answer(line.replace(b":", b" : "))
    assert not view.needs_no_answer(b'{"type":"presence","game":"g1","online":{"ann":true}}')


@pytest.mark.parametrize("kind", ["tab", "draughts", "plakoto"])
def test_a_draw_offer_does_not_ask_again(kind):
    match = Match(kind)
    match.draw("bob")
    assert list(asked(match, "ann")) == [1]
    assert list(asked(match, "ann", lost_at=[2])) == [1, 2]


def test_an_unknown_kind_is_refused():
    with pytest.raises(StartError, match="this tabnet has no game 'chess'"):
        BotView.from_update("ann", {"kind": "chess", "players": {"ann": "White"}})
