"""Stepping through a match, key by key."""

from __future__ import annotations

import attrs
import pytest

from tabnet.client.safe_text import format_plain_rows
from tabnet.client.terminal.replay_screen import BACK, ERASE, FIRST, HELP, LAST, NEXT, QUIT, Replay
from tabnet.errors import StartError
from tests.client.matches import Match
from tests.client.test_verify import written


def replay():
    return Replay(written("agreed"))


def test_a_replay_begins_with_the_first_update():
    shown = format_plain_rows(replay().draw_screen_rows(80, 30)).split("\n")
    assert shown[0] == "    Red bob   2:00"
    assert shown[-2:] == [f" {HELP}", " 1 of 51 >"]
    assert " Tab: Blue (ann) against Red (bob)" in shown


@pytest.mark.parametrize("key", NEXT)
def test_forward_keys_stop_at_the_end(key):
    stepped = replay()
    assert stepped.handle_key(key)
    assert stepped.at == 1
    stepped.at = 50
    assert stepped.handle_key(key)
    assert stepped.at == 50


@pytest.mark.parametrize("key", BACK)
def test_backward_keys_stop_at_the_beginning(key):
    stepped = replay()
    stepped.at = 1
    for _ in range(2):
        assert stepped.handle_key(key)
        assert stepped.at == 0


def test_some_keys_go_to_the_first_or_last_update():
    for last in LAST:
        for first in FIRST:
            stepped = replay()
            stepped.handle_key(last)
            assert stepped.at == 50
            stepped.handle_key(first)
            assert stepped.at == 0


def test_a_number_goes_to_that_update():
    stepped = replay()
    for key in ("3", ERASE[0], "1", "7", "9", "x", "٣"):
        stepped.handle_key(key)
    assert format_plain_rows(stepped.draw_screen_rows(80, 30)).endswith(" 1 of 51 > 17")
    stepped.handle_key("\n")
    assert (stepped.at, stepped.typed) == (16, "")
    for number, at in (("99", 50), ("0", 0)):
        for key in (*number, "\n"):
            stepped.handle_key(key)
        assert stepped.at == at


@pytest.mark.parametrize("key", QUIT)
def test_quit_keys_end_the_replay(key):
    assert not replay().handle_key(key)


def test_going_back_shows_the_same_screen_again():
    stepped = replay()
    seen = []
    for _ in range(51):
        seen.append(stepped.draw_screen_rows(80, 30))
        stepped.handle_key(" ")
    for rows in reversed(seen):
        assert stepped.draw_screen_rows(80, 30) == rows
        stepped.handle_key("b")


def test_the_shown_events_do_not_depend_on_the_way_there():
    stepped = replay()
    stepped.handle_key(LAST[0])
    event_lines = list(stepped.make_screen_at_step(50).event_lines)
    assert len(event_lines) == 8
    assert event_lines[-1] == "Blue offers a draw"
    assert "The game is a draw: the players agreed." in format_plain_rows(
        stepped.draw_screen_rows(80, 30)
    )


def test_a_replay_fits_any_terminal():
    for height in range(1, 30):
        rows = replay().draw_screen_rows(40, height)
        assert len(rows) <= max(3, height)
        assert format_plain_rows(rows).endswith(" 1 of 51 >")


def test_plain_text_has_a_line_for_every_update():
    text = list(replay().format_steps(80))
    lines = [line for line in text if line.split()[0].isdecimal() and "\n" not in line]
    assert [int(line.split()[0]) for line in lines] == list(range(1, 52))
    assert lines[0] == " 1  Tab: Blue (ann) against Red (bob)"
    assert lines[1] == " 2  Blue sent a salt for the dice"
    assert text[-1] == "The game is a draw: the players agreed."
    boards = sum("Sticks" in part for part in text)
    kinds = [update.position["event"]["type"] for update in written("agreed")]
    assert boards == kinds.count("start") + kinds.count("move") + 1


def test_a_running_match_is_shown_up_to_its_last_update():
    match = Match()
    match.roll()
    assert list(Replay(match.frames).format_steps(80))[-1] == "The match is not over."


@pytest.mark.parametrize(
    "position", [{}, {"kind": "chess"}, {"event": None}, {"players": []}, {"pieces": 3}]
)
def test_a_replay_without_positions_is_refused_in_one_sentence(position):
    first = written("agreed")[0]
    broken = attrs.evolve(first, position={**first.position, **position} if position else {})
    with pytest.raises(StartError, match="update 1 has no position of a known game"):
        Replay([broken]).draw_screen_rows(80, 30)
