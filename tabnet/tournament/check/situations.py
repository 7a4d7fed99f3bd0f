"""The situations that a bot has to master before it is let into a tournament.

Each is a short script on a stage of its own; it raises `Wrong` at the first thing the bot does that
would cost it a game, or keep others waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from attrs import frozen

from tabnet.games import GAMES
from tabnet.games.check_positions import CheckPosition
from tabnet.protocol.frames import Bye, Presence
from tabnet.server.core.matches.match import Match
from tabnet.tournament.check.bot_under_test import CheckFailed
from tabnet.tournament.check.scripted_server import BOT, OPPONENT, Scene, Stage

QUIET_S = 0.3
"""How long to listen for what should not come."""
WAIT_S = 1.5
"""How long a bot is kept waiting."""
SHORT_MS = 1500
"""What is left of the time in a situation without much."""


@frozen
class Situation:
    """Something that happens to bots."""

    name: str
    scene: Scene
    script: Callable[[Stage], None]


def check(
    source: str, kind: str, options: dict[str, Any], patience: float
) -> Iterator[tuple[str, CheckFailed | None]]:
    """Put a bot through all situations; each name, and what it did wrong there."""
    for situation in situations(kind, options):
        wrong = None
        try:
            with Stage(source, situation.scene, patience) as stage:
                stage.meet()
                situation.script(stage)
        except CheckFailed as done:
            wrong = done
        yield situation.name, wrong


def situations(kind: str, options: dict[str, Any]) -> list[Situation]:
    """Return those of a kind of game with these options."""
    game = GAMES[kind]
    by_hand: dict[str, Any] = {"kind": kind, "group": 1, **options}
    terms = {**by_hand, "auto": True}
    scene = Scene(terms)
    hurry = Scene({**terms, "clock": {"total": 600}}, left_ms=SHORT_MS)
    common = [
        Situation("a whole game, and another one", scene, _whole_game),
        Situation("a long wait for an opponent", scene, _long_wait),
        Situation("players come and go", scene, _presence),
        Situation("unknown fields and frames", Scene(terms, odd=True), _some_moves),
        Situation("the opponent leaves", scene, _opponent_leaves),
        Situation("the connection is lost and resumed", scene, _connection_lost),
        Situation("little time is left", hurry, _one_move),
        Situation("the server hangs up", scene, _server_hangs_up),
    ]
    if not any(each.draw_offered for each in game.check_positions):
        common.append(Situation("a draw is offered", scene, _draw_offered))
    made = game.make_options(options)
    return common + [_situation(each, by_hand, made) for each in game.check_positions]


def _situation(check: CheckPosition, terms: dict[str, Any], options: Any) -> Situation:
    """Return the situation of a position that belongs to a kind of game."""
    state = check.position(options) if check.position else None
    return Situation(check.name, Scene(terms, state, check.throws), partial(_play_on, check))


# Scripts


def _moves_made(count: int) -> Callable[[Match], bool]:
    return _has_caused("move", count)


def _has_caused(event: str, count: int) -> Callable[[Match], bool]:
    """Return a test: the bot has caused so many events of this type."""

    def reached(match: Match) -> bool:
        events = (moment.event == event and moment.seat == 0 for moment in match.moments)
        return sum(events) >= count

    return reached


def _whole_game(stage: Stage) -> None:
    stage.seat()
    stage.play(lambda match: match.result is not None, "the end of the game")
    stage.await_join()


def _some_moves(stage: Stage) -> None:
    stage.seat()
    stage.play(_moves_made(3), "three moves")


def _one_move(stage: Stage) -> None:
    stage.seat()
    stage.play(_moves_made(1), "a move")
    stage.stay_quiet(QUIET_S)


def _long_wait(stage: Stage) -> None:
    stage.await_join()
    stage.stay_quiet(WAIT_S)
    stage.begin()
    stage.play(_moves_made(1), "a move")


def _presence(stage: Stage) -> None:
    stage.seat()
    for count in (1, 2):
        for there in (False, True):
            online = {BOT: True, OPPONENT: there}
            stage.tell(Presence(game=stage.match.id, online=online))
        stage.play(_moves_made(count), "a move")
    stage.stay_quiet(QUIET_S)


def _draw_offered(stage: Stage) -> None:
    stage.seat()
    stage.opponent_says(cmd="draw", offer=True)
    stage.play(_moves_made(1), "a move")
    stage.stay_quiet(QUIET_S)


def _opponent_leaves(stage: Stage) -> None:
    stage.seat()
    stage.play(_moves_made(2), "two moves")
    stage.opponent_says(cmd="leave")
    stage.await_join()


def _connection_lost(stage: Stage) -> None:
    stage.seat()
    stage.play(_moves_made(1), "a move")
    if stage.match.result is None:
        stage.lose()
        stage.play(_moves_made(3), "a move after the connection was lost")
    stage.stay_quiet(QUIET_S)


def _server_hangs_up(stage: Stage) -> None:
    stage.await_join()
    stage.tell(Bye(reason="the server is stopping", code="stopping"))
    stage.actor.hang_up()
    code = stage.actor.exit_code()
    if code is None:
        raise CheckFailed("it did not end when the server hung up")
    if code:
        raise CheckFailed(f"it ended with exit code {code} when the server hung up; 0 is right")


def _play_on(check: CheckPosition, stage: Stage) -> None:
    stage.seat()
    if check.draw_offered:
        stage.opponent_says(cmd="draw", offer=True)
    for event, count, expected in check.steps:
        stage.play(_has_caused(event, count), expected)
    if check.quiet_after:
        stage.stay_quiet(QUIET_S)
