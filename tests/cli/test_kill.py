"""A server that is killed loses nothing it has said; and a loss would be seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import copy
from pathlib import Path

import pytest
import trio

from tests.kill.arena import run
from tests.kill.ledger import Ledger, SentCommand
from tests.kill.verdict import ACTIONS, Truth, could_make, is_done, verdict

pytestmark = pytest.mark.slow

KILLS, GAMES = 5, 6


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    ledger, truth, victim = trio.run(run, tmp_path, KILLS, GAMES, 1)
    assert verdict(ledger, truth) == []
    assert victim.complaints() == []
    assert len(set(victim.pids)) == KILLS + 2
    assert len(truth.histories) >= GAMES
    assert any(sent.reply is None for sent in ledger.sent)  # it was killed at work
    for forge in FORGERIES:
        assert verdict(*forge(copied(ledger), copy(truth))), f"{forge.__name__} is not seen"


def test_a_cell_matches_only_a_move_of_tab() -> None:
    sent = SentCommand("zp", {"cmd": "notify", "cell": 8}, seen=4)
    moves = {"tab": {"cell": 6, "to": 8}, "plakoto": {"from": 3, "to": 8}}
    assert [
        could_make(sent, {"kind": kind, "seq": 5, "event": {"type": "move", **move}})
        for kind, move in moves.items()
    ] == [True, False]


def copied(ledger: Ledger) -> Ledger:
    updates = {game: dict(lines) for game, lines in ledger.updates.items()}
    return Ledger([copy(sent) for sent in ledger.sent], updates)


def an_action(ledger: Ledger, done: Callable[[SentCommand], bool] = is_done) -> SentCommand:
    """One in a match, of a player who has had an answer to everything he did there."""
    games = set(ledger.games())
    actions = [sent for sent in ledger.sent if sent.command["cmd"] in ACTIONS]
    doubtful = {(sent.by, sent.command["game"]) for sent in actions if sent.reply is None}
    found = [
        sent
        for sent in actions
        if sent.command["game"] in games
        and (sent.by, sent.command["game"]) not in doubtful
        and done(sent)
    ]
    return found[len(found) // 2]


def without_an_action(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    """The server has played something twice, or by itself."""
    ledger.sent.remove(an_action(ledger))
    return ledger, truth


def with_an_action_twice(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    """The server has acknowledged something, and forgotten it."""
    sent = an_action(ledger)
    ledger.sent.insert(ledger.sent.index(sent), sent)
    return ledger, truth


def with_a_refusal_taken_for_an_action(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    an_action(ledger, lambda sent: not is_done(sent) and sent.reply is not None).reply = {}
    return ledger, truth


def with_an_action_taken_for_a_refusal(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    an_action(ledger).reply = {"error": "no"}
    return ledger, truth


def with_another_clock(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    lines = ledger.updates[ledger.games()[0]]
    update = json.loads(lines[2])
    update["clock"] = {nick: left + 0.001 for nick, left in update["clock"].items()}
    lines[2] = json.dumps(update, separators=(",", ":")).encode() + b"\n"
    return ledger, truth


def with_one_update_more(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    lines = ledger.updates[ledger.games()[0]]
    lines[max(lines) + 1] = lines[max(lines)]
    return ledger, truth


def without_an_update(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    game, lines = next(iter(truth.histories.items()))
    truth.histories = truth.histories | {game: lines[:2] + lines[3:]}
    return ledger, truth


def without_a_match(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    truth.histories = dict(list(truth.histories.items())[1:])
    return ledger, truth


def without_an_end(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    game, lines = next(iter(truth.histories.items()))
    truth.histories = truth.histories | {game: lines[:-1]}
    return ledger, truth


def without_an_account(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    return ledger, Truth(truth.histories, {"bot0.1"}, truth.seats, truth.rankings)


def with_a_void_token(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    truth.seats = truth.seats | {next(iter(truth.seats)): None}
    return ledger, truth


def with_a_victory_counted_twice(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    board, lines = next((board, lines) for board, lines in truth.rankings.items() if lines)
    lines = [{**lines[0], "victories": lines[0]["victories"] + 1}, *lines[1:]]
    truth.rankings = truth.rankings | {board: lines}
    return ledger, truth


def with_a_match_that_goes_on(ledger: Ledger, truth: Truth) -> tuple[Ledger, Truth]:
    truth.running = [{"game": "0", "players": {"bot0.1": "Blue"}}]
    return ledger, truth


FORGERIES = (
    *(without_an_action, with_an_action_twice, with_a_refusal_taken_for_an_action),
    *(with_an_action_taken_for_a_refusal, with_another_clock, with_one_update_more),
    *(without_an_update, without_a_match, without_an_end, without_an_account),
    *(with_a_void_token, with_a_victory_counted_twice, with_a_match_that_goes_on),
)
