"""The feed `turns`: a frame whenever a seat is to act, instead of an update for each event. Pure.

A turn has the events since the last one, and the commands that are legal now. It is made before
anything changes, like the updates of a match, because the code of a kind may raise exceptions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

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
    moments = match.moments.list_from(since)
    events = [
        {"seq": number, **dump_event(match, moment)}
        for number, moment in enumerate(moments, since + 1)
    ]
    # The last turn stays valid after a draw offer, which no other event follows. While salts are
    # due, every seat has been asked for its salt when the match began.
    is_new = since == 0 or (not match.owing and moments != [] and moments[-1].event != "draw")
    return TurnChange(events, list_due_seats(match) if is_new else {})


def list_due_seats(match: Match) -> dict[int, LegalCommands]:
    """Return the legal commands of each seat that has to act now."""
    if match.result is None and match.owing:
        return dict.fromkeys(match.owing, LegalCommands(Salt.cmd, ()))
    seat = match.turn
    if seat is None:
        return {}
    actions = match.state.actions()
    if not isinstance(actions[0], Move):
        return {seat: WITHOUT_MOVES[type(actions[0])]}
    dump, legal = match.terms.game.dump_move, cast("tuple[Move, ...]", actions)
    moves = tuple([{"cmd": Notify.cmd, **dump(move)} for move in legal])
    if match.held is not None:
        moves = tuple(move for move in moves if move["cell"] == match.held.cell)
    return {seat: LegalCommands(Notify.cmd, moves)}


WITHOUT_MOVES: dict[type[Action], LegalCommands] = {
    Roll: LegalCommands(RollCommand.cmd, ({"cmd": RollCommand.cmd},)),
    Pass: LegalCommands(PassCommand.cmd, ({"cmd": PassCommand.cmd},)),
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
