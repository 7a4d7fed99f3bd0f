"""Tournaments with a bot that does wrong, by the way in which it does wrong."""

from __future__ import annotations

from itertools import permutations

import trio

from tabnet.tournament.records import replay_record
from tabnet.tournament.records.journal_lines import GAMES, LOGS
from tests.tournament.run_games import LATE, faulty, play

CAUSES_OF_TWO = {
    "crashes_at_once": ("start_failed", "exit code 3: this cannot be"),
    "crashes_at_move_20": ("crash", "exit code 1: ZeroDivisionError"),
    "dies_of_a_signal": ("crash", "killed by SIGSEGV"),
    "never_connects": ("start_failed", "did not ask for a game within 2 s"),
    "connects_and_says_nothing": ("start_failed", "did not ask for a game within 2 s"),
    "greets_with_garbage": ("start_failed", "its last line was good morning"),
    "answers_garbage": ("malformed", "this is not JSON"),
    "sends_a_long_line": ("malformed", "65536"),
    "plays_an_illegal_move": ("illegal_move", '"cell": 35'),
    "is_too_slow_by_10_ms": ("timeout_move", "more than 0.5 s for a move"),
    "ignores_sigterm": ("timeout_move", "more than 0.5 s for a move"),
    "leaves_a_child": ("crash", "exit code 4"),
    "exits_0_in_mid_game": ("crash", "exit code 0"),
    "hangs_up": ("disconnect", "hung up"),
    "shouts": ("crash", "exit code 1: the last words"),
}
"""The cause and the detail with which a bot of a game for two loses, by its fault."""

CAUSES_OF_THREE = {
    way: CAUSES_OF_TWO[way]
    for way in (
        "dies_of_a_signal",
        "exits_0_in_mid_game",
        "answers_garbage",
        "plays_an_illegal_move",
        "ignores_sigterm",
        "hangs_up",
    )
}
"""The same for a game of three, which the other two finish."""

FISH = {"kind": "fish", "options": {}, "seats": 3}


async def check_fault_of_two(folder, way):
    """Assert that each game of a faulty bot ends with the right cause, and others are normal."""
    cause, detail = CAUSES_OF_TWO[way]
    start = trio.current_time()
    runner = await play(folder, ["first", "random", faulty(way)], late=way in LATE)
    assert trio.current_time() - start < 20
    results = list(runner.queue.results.values())
    assert len(results) == 6
    name = runner.queue.plan.names[-1]
    for result in results:
        if name not in result.game.seats:
            assert result.cause == "normal"
            continue
        seat = result.game.seats.index(name)
        ending = (result.cause, result.culprit, result.winners)
        if result.cause != "out":
            assert ending == (cause, seat, (1 - seat,)), result
            assert detail in result.detail
            assert (folder / LOGS / f"{result.game.id}.log").stat().st_size < 1_000_000


async def check_fault_of_three(folder, way):
    """Assert that a faulty bot ranks last with the right cause, and the others finish the game."""
    cause, detail = CAUSES_OF_THREE[way]
    bots = ["first", faulty("good"), faulty(way)]
    runner = await play(folder, bots, late=way in LATE, **FISH)
    names, results = runner.queue.plan.names, runner.queue.results.values()
    assert {result.game.seats for result in results} == set(permutations(names))
    played = [result for result in results if result.cause != "out"]
    assert played
    for result in played:
        seat = result.game.seats.index(names[-1])
        assert (result.cause, result.culprit) == ("normal", None)
        (blame,) = result.removed
        assert (blame.seat, blame.cause) == (seat, cause)
        assert detail in blame.detail
        assert result.places[seat] == 3
        assert {*result.winners} < {0, 1, 2} - {seat} or len(result.winners) == 2
        log = (folder / LOGS / f"{result.game.id}.log").read_text()
        assert f"\n{cause} of {names[-1]}: " in log
        stored = replay_record.decode_record(
            (folder / GAMES / f"{result.game.id}.json").read_bytes()
        )
        assert f"!{seat}" in stored.actions
        assert (
            list(replay_record.replay_actions(stored))[-1].state.outcome().points == result.points
        )
    out = len(results) - len(played)
    assert out == (3 if cause in ("crash", "malformed", "disconnect") else 0)
