"""The situations that a bot has to master before it is let into a tournament.

Each is a short script on a stage of its own; it raises `Wrong` at the first thing the bot does that
would cost it a game, or keep others waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from tabnet.games import GAMES
from tabnet.games.api import State
from tabnet.protocol.frames import Bye, Presence
from tabnet.server.core.match import Match
from tabnet.tournament.actor import Wrong
from tabnet.tournament.stage import BOT, OPPONENT, Scene, Stage

NO_LIGHT, ONE_LIGHT, TWO_LIGHT, THREE_LIGHT = 0b0000, 0b0001, 0b0011, 0b0111
"""Throws of Tab, worth 6, 1, 2 and 3; after the first two one throws again."""
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


def check(source: str, kind: str, size: int, patience: float) -> Iterator[tuple[str, Wrong | None]]:
    """Put a bot through all situations; each name, and what it did wrong there."""
    for situation in situations(kind, size):
        wrong = None
        try:
            with Stage(source, situation.scene, patience) as stage:
                stage.meet()
                situation.script(stage)
        except Wrong as done:
            wrong = done
        yield situation.name, wrong


def situations(kind: str, size: int) -> list[Situation]:
    """Those of a kind of game."""
    by_hand: dict[str, Any] = {"kind": kind, "group": 1}
    if kind == "tab":
        by_hand["size"] = size
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
    if kind == "tab":
        return common + _of_tab(by_hand, size)
    common.append(Situation("a draw is offered", scene, _draw_offered))
    if kind == "fish":
        common.append(Situation("others are skipped", Scene(terms, _stuck()), _several_moves))
    if kind == "plakoto":
        common += _of_plakoto(by_hand)
    return common


def _of_tab(terms: dict[str, Any], size: int) -> list[Situation]:
    """Where the bot makes its throws and passes itself."""
    fork = Scene(terms, _fork(size), throws=(THREE_LIGHT,))
    return [
        Situation("a forced pass", Scene(terms, throws=(TWO_LIGHT,)), _forced_pass),
        Situation("an extra throw", Scene(terms, throws=(NO_LIGHT, ONE_LIGHT)), _extra_throw),
        Situation("two destinations", fork, _one_move),
        Situation("a draw is offered", fork, _draw_offered),
    ]


def _fork(size: int) -> State:
    """Blue's only piece stands two cells before the end of its third row."""
    piece = {"inMotion": True, "reachedLastRow": False}
    pieces: list[Any] = [None] * (4 * size)
    pieces[3 * size - 2] = {"color": "Blue", **piece}
    pieces[2 * size - 2] = {"color": "Red", **piece}
    return GAMES["tab"].load({"pieces": pieces})


def _of_plakoto(terms: dict[str, Any]) -> list[Situation]:
    """Where the bot makes its throws and passes itself."""
    return [
        Situation("a forced pass", Scene(terms, _walled_in()), _forced_pass),
        Situation("a double", Scene(terms, throws=((3, 3),)), _double),
    ]


def _walled_in() -> State:
    """White stands on 1, and Black on the next six points: no throw can be played."""
    points: list[Any] = [None] * 24
    points[0] = {"owner": "White", "count": 15}
    points[1:7] = [{"owner": "Black", "count": 2}] * 6
    points[7] = {"owner": "Black", "count": 3}
    return GAMES["plakoto"].load({"points": points})


def _stuck() -> State:
    """Red has two slides in a corner, and White none in the other one."""
    board = [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0] * 5, [0, 0, 0, 0, 1]]
    corners = {"red": {"row": 0, "col": 0}, "white": {"row": 4, "col": 4}}
    players = [
        {"color": colour, "score": 0, "places": [place]} for colour, place in corners.items()
    ]
    return GAMES["fish"].load({"state": {"board": board, "players": players}})


# Scripts


def _moves_made(count: int) -> Callable[[Match], bool]:
    """Whether the bot has made so many moves."""
    return lambda match: _count(match, "move") >= count


def _count(match: Match, event: str) -> int:
    return sum(moment.event == event and moment.seat == 0 for moment in match.moments)


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
    stage.play(_moves_made(2), "two moves")
    stage.lose()
    stage.play(_moves_made(4), "a move after the connection was lost")
    stage.stay_quiet(QUIET_S)


def _server_hangs_up(stage: Stage) -> None:
    stage.await_join()
    stage.tell(Bye(reason="the server is stopping", code="stopping"))
    stage.actor.hang_up()
    code = stage.actor.exit_code()
    if code is None:
        raise Wrong("it did not end when the server hung up")
    if code:
        raise Wrong(f"it ended with exit code {code} when the server hung up; 0 is right")


def _several_moves(stage: Stage) -> None:
    stage.seat()
    stage.play(_moves_made(2), "another move: nobody else can")


def _double(stage: Stage) -> None:
    stage.seat()
    stage.play(lambda match: _count(match, "roll") == 1, "a roll")
    stage.play(_moves_made(4), "four moves: a double is played four times")


def _forced_pass(stage: Stage) -> None:
    stage.seat()
    stage.play(lambda match: _count(match, "roll") == 1, "a roll")
    stage.play(lambda match: _count(match, "pass") == 1, "a pass: nothing can be moved")


def _extra_throw(stage: Stage) -> None:
    stage.seat()
    stage.play(lambda match: _count(match, "roll") == 1, "a roll")
    stage.play(lambda match: _count(match, "roll") == 2, "another roll: nothing can be moved")
    stage.play(_moves_made(1), "a move")
