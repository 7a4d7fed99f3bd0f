"""The feed `turns`: a frame whenever a seat is to act, instead of an update for each event. Pure.

A turn has the events since the last one, and the commands that are legal now. It is made before
anything changes, like the updates of a match, because the code of a kind may raise exceptions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabnet.games.api import Action, Move, Pass, Roll
from tabnet.protocol.frames import PlayerTurn
from tabnet.protocol.frozen_values import frozen
from tabnet.protocol.messages import Notify, PassCommand, RollCommand, Salt
from tabnet.server.core.matches.match import Match
from tabnet.server.core.update_frames import dump_event, list_seconds_left

JSON = dict[str, Any]


@frozen
class LegalCommands:
    """The name of the command that a seat has to send now, and every legal one, as a whole."""

    expects: str
    moves: tuple[JSON, ...]


@frozen
class TurnChange:
    """The events of a change, and the seats that have to act because of it."""

    events: Sequence[JSON]
    due: Mapping[int, LegalCommands]


def make_turn_change(match: Match, since: int) -> TurnChange:
    """Return what has changed for the players of a match since update number `since`."""
    numbers = range(since + 1, match.seq + 1)
    events = [{"seq": number, **dump_event(match, match.moments[number - 1])} for number in numbers]
    return TurnChange(events, list_due_seats(match) if _is_turn_new(match, since) else {})


def _is_turn_new(match: Match, since: int) -> bool:
    """Return False if the last turn is still valid: nothing but draw offers has happened.

    While salts are due, every seat has been asked for its salt when the match began.
    """
    if since == 0:
        return True
    return not match.owing and any(moment.event != "draw" for moment in match.moments[since:])


def list_due_seats(match: Match) -> dict[int, LegalCommands]:
    """Return the legal commands of each seat that has to act now."""
    if match.result is None and match.owing:
        return dict.fromkeys(match.owing, LegalCommands(Salt.cmd, ()))
    if match.turn is None:
        return {}
    moves = tuple(_dump_command(match, action) for action in match.state.actions())
    if match.held is not None:
        moves = tuple(move for move in moves if move["cell"] == match.held.cell)
    return {match.turn: LegalCommands(moves[0]["cmd"], moves)}


def _dump_command(match: Match, action: Action) -> JSON:
    if isinstance(action, Move):
        return {"cmd": Notify.cmd, **match.terms.game.dump_move(action)}
    return COMMANDS[type(action)]


COMMANDS: dict[type[Action], JSON] = {
    Roll: {"cmd": RollCommand.cmd},
    Pass: {"cmd": PassCommand.cmd},
}


def make_turn(
    match: Match,
    legal: LegalCommands,
    events: tuple[JSON, ...],
    left: tuple[int, ...],
    *,
    names_game: bool,
) -> PlayerTurn:
    """Return the frame; its commands name the game if the player has seats in several."""
    moves = legal.moves
    if names_game:
        moves = tuple({**move, "game": match.id} for move in moves)
    return PlayerTurn(
        game=match.id,
        seq=match.seq,
        events=events,
        expects=legal.expects,
        moves=moves,
        clock=list_seconds_left(match, left),
    )
