"""The position of a bot, by the events of turns, against the position in every update."""

from __future__ import annotations

import pytest

from tabnet.client.bot_view import BotView
from tabnet.client.client_state import load_state
from tabnet.errors import StartError
from tests.client.matches import Match


def events_of(match):
    """Return the events of a match as turns contain them, with the position after each."""
    for frame in match.frames:
        event = {"seq": frame.seq, **frame.position["event"]}
        if event["type"] == "roll":
            event["dice"] = frame.position["dice"]
        yield event, frame.position


@pytest.mark.parametrize("kind", ["tab", "draughts", "plakoto"])
def test_events_lead_to_the_position_of_each_update(kind):
    for seed in range(3):
        match = Match(kind).play_out(seed)
        view = BotView.from_update("bob", match.frames[0].position)
        assert (view.seat, view.strict) == (1, False)
        for event, position in events_of(match):
            if "winner" not in position:
                assert view.apply([event]) == load_state(position)


def test_a_removed_player_leaves_the_position():
    match = Match("fish", salts=(None,) * 3)
    match.lose("ann")
    view = BotView.from_update("bob", match.frames[0].position)
    (_, _), (event, position) = events_of(match)
    assert view.apply([event]) == load_state(position)


def test_an_unknown_kind_is_refused():
    with pytest.raises(StartError, match="this tabnet has no game 'chess'"):
        BotView.from_update("ann", {"kind": "chess", "players": {"ann": "White"}})
