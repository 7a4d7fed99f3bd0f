"""A server that is killed loses nothing it has said; and a loss would be seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import copy
from pathlib import Path

import pytest
import trio

from tests.kill.losses import ACTIONS, FinalState, could_make, find_losses, is_done
from tests.kill.run import run
from tests.kill.traffic import SentCommand, Traffic

pytestmark = pytest.mark.slow

KILLS, GAMES = 3, 4


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    traffic, state, server = trio.run(run, tmp_path, KILLS, GAMES, 1)
    assert find_losses(traffic, state) == []
    assert server.log_lines() == []
    assert len(set(server.pids)) == KILLS + 2
    assert len(state.histories) >= GAMES
    assert any(sent.reply is None for sent in traffic.sent)  # it was killed at work
    for forge in FORGERIES:
        assert find_losses(*forge(copied(traffic), copy(state))), f"{forge.__name__} is not seen"


def test_a_cell_matches_only_a_move_of_tab() -> None:
    sent = SentCommand("zp", {"cmd": "notify", "cell": 8}, seen=4)
    moves = {"tab": {"cell": 6, "to": 8}, "plakoto": {"from": 3, "to": 8}}
    assert [
        could_make(sent, {"kind": kind, "seq": 5, "event": {"type": "move", **move}})
        for kind, move in moves.items()
    ] == [True, False]


def copied(traffic: Traffic) -> Traffic:
    updates = {game: dict(lines) for game, lines in traffic.updates.items()}
    return Traffic([copy(sent) for sent in traffic.sent], updates)


def an_action(traffic: Traffic, done: Callable[[SentCommand], bool] = is_done) -> SentCommand:
    """Return an acknowledged action of a player whose other actions were all answered."""
    games = set(traffic.games())
    actions = [sent for sent in traffic.sent if sent.command["cmd"] in ACTIONS]
    doubtful = {(sent.by, sent.command["game"]) for sent in actions if sent.reply is None}
    found = [
        sent
        for sent in actions
        if sent.command["game"] in games
        and (sent.by, sent.command["game"]) not in doubtful
        and done(sent)
    ]
    return found[len(found) // 2]


def without_an_action(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    """The server has played something twice, or by itself."""
    traffic.sent.remove(an_action(traffic))
    return traffic, state


def with_an_action_twice(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    """The server has acknowledged something, and forgotten it."""
    sent = an_action(traffic)
    traffic.sent.insert(traffic.sent.index(sent), sent)
    return traffic, state


def with_a_refusal_taken_for_an_action(
    traffic: Traffic, state: FinalState
) -> tuple[Traffic, FinalState]:
    an_action(traffic, lambda sent: not is_done(sent) and sent.reply is not None).reply = {}
    return traffic, state


def with_an_action_taken_for_a_refusal(
    traffic: Traffic, state: FinalState
) -> tuple[Traffic, FinalState]:
    an_action(traffic).reply = {"error": "no"}
    return traffic, state


def with_another_clock(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    lines = traffic.updates[traffic.games()[0]]
    update = json.loads(lines[2])
    update["clock"] = {nick: left + 0.001 for nick, left in update["clock"].items()}
    lines[2] = json.dumps(update, separators=(",", ":")).encode() + b"\n"
    return traffic, state


def with_one_update_more(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    lines = traffic.updates[traffic.games()[0]]
    lines[max(lines) + 1] = lines[max(lines)]
    return traffic, state


def without_an_update(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    game, lines = next(iter(state.histories.items()))
    state.histories = state.histories | {game: lines[:2] + lines[3:]}
    return traffic, state


def without_a_match(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    state.histories = dict(list(state.histories.items())[1:])
    return traffic, state


def without_an_end(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    game, lines = next(iter(state.histories.items()))
    state.histories = state.histories | {game: lines[:-1]}
    return traffic, state


def without_an_account(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    return traffic, FinalState(state.histories, {"bot0.1"}, state.seats, state.rankings)


def with_a_void_token(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    state.seats = state.seats | {next(iter(state.seats)): None}
    return traffic, state


def with_a_victory_counted_twice(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    board, lines = next((board, lines) for board, lines in state.rankings.items() if lines)
    lines = [{**lines[0], "victories": lines[0]["victories"] + 1}, *lines[1:]]
    state.rankings = state.rankings | {board: lines}
    return traffic, state


def with_a_match_that_goes_on(traffic: Traffic, state: FinalState) -> tuple[Traffic, FinalState]:
    state.running = [{"game": "0", "players": {"bot0.1": "Blue"}}]
    return traffic, state


FORGERIES = (
    *(without_an_action, with_an_action_twice, with_a_refusal_taken_for_an_action),
    *(with_an_action_taken_for_a_refusal, with_another_clock, with_one_update_more),
    *(without_an_update, without_a_match, without_an_end, without_an_account),
    *(with_a_void_token, with_a_victory_counted_twice, with_a_match_that_goes_on),
)
