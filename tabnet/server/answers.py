"""The answers to questions about games: nothing here changes anything. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, TypeVar

from tabnet.errors import Refused, TabnetError, shown
from tabnet.games.api import Move, Pass, Roll
from tabnet.protocol import messages as m
from tabnet.protocol.codec import frame_json
from tabnet.protocol.frames import Checked, Choices, Listing, Running, Standing, Waiting
from tabnet.server.hall import Hall
from tabnet.server.lobby import Table
from tabnet.server.match import Match
from tabnet.server.request import begun
from tabnet.server.updates import clock, update

MOST_LISTED = 100
"""How many games, and how many waits, one answer lists."""

CAN_BE_TRIED = (m.Roll.cmd, m.Pass.cmd, m.Notify.cmd)

G = TypeVar("G", Match, Table)


def standing(game: Match | Table, online: dict[str, bool], now: int, *, text: bool) -> Standing:
    """How a game stands at this moment."""
    if isinstance(game, Table):
        return Standing(cmd=m.State.cmd, game=game.id, status="waiting", online=online)
    return Standing(
        cmd=m.State.cmd,
        game=game.id,
        status="ended" if game.result else "playing",
        update=frame_json(update(game, game.seq)),
        clock=clock(game, game.left(now)),
        online=None if game.result else online,
        text=str(game.state) if text else None,
    )


def choices(match: Match, player: str | None, fields: dict[str, Any]) -> Choices:
    """What can be played now, by that player and as far as it fits these fields of a notify."""
    if player is not None and player not in match.nicks:
        raise Refused("no_seat", f"{player} has no seat in this game", field="player")
    turn = None if match.owing else match.turn
    if turn is None:
        return Choices(cmd=m.Moves.cmd, moves=(), actions=())
    legal = match.state.actions() if player in (None, match.nick(turn)) else ()
    moves = [
        match.terms.game.dump_move(action)
        for seat in _asked_about(match, player, turn, fields)
        for action in match.terms.game.could_play(match.state, seat)
        if isinstance(action, Move)
    ]
    if match.held:
        moves = [move for move in moves if move["cell"] == match.held.cell]
    return Choices(
        cmd=m.Moves.cmd,
        moves=tuple(move for move in moves if _fits(move, fields)),
        actions=tuple(dict.fromkeys(map(_command_for, legal))),
    )


def _asked_about(
    match: Match, player: str | None, turn: int, fields: dict[str, Any]
) -> Iterable[int]:
    """The seats whose moves are wanted: that player's, whoever's stands there, or who is to act."""
    if player is not None:
        return (match.nicks.index(player),)
    return range(len(match.seats)) if fields else (turn,)


def _command_for(action: Any) -> str:
    if isinstance(action, Roll):
        return m.Roll.cmd
    return m.Pass.cmd if isinstance(action, Pass) else m.Notify.cmd


def _fits(move: dict[str, Any], fields: dict[str, Any]) -> bool:
    """A list fits by its beginning, everything else whole."""
    return all(
        move.get(name, [])[: len(given)] == given
        if isinstance(given, list)
        else move.get(name) == given
        for name, given in fields.items()
    )


def tried(command: m.Check) -> str:
    """Which command a check tries; refuses those that cannot be tried."""
    if command.command not in CAN_BE_TRIED:
        raise Refused(
            "bad_value",
            f"{shown(command.command)} cannot be checked",
            field="command",
            hint=f"one of: {' '.join(CAN_BE_TRIED)}",
        )
    if command.command != m.Notify.cmd:
        for name in m.move_fields(command):
            raise Refused("unknown_field", f"{command.command} has no field {name}", field=name)
    return command.command


def check(game: Match | Table, nick: str, cmd: str, fields: dict[str, Any]) -> Checked:
    """Whether that player's command would be accepted, and if not, why."""
    try:
        match = begun(game)
        match.preview(match.nicks.index(nick), cmd, fields)
    except TabnetError as refused:
        return Checked(cmd=m.Check.cmd, ok=False, reason=refused.text, reason_code=refused.code)
    return Checked(cmd=m.Check.cmd, ok=True)


def listing(hall: Hall, kind: str | None) -> Listing:
    """What is played and what is waited for, newest first."""
    return Listing(
        cmd=m.Games.cmd,
        games=tuple(map(_running, _newest(hall.playing.values(), kind))),
        waiting=tuple(map(_waiting, _newest(_public(hall), kind))),
    )


def _public(hall: Hall) -> list[Table]:
    return [table for table in hall.lobby.tables.values() if table.invite is None]


def _newest(games: Iterable[G], kind: str | None) -> list[G]:
    wanted = (game for game in reversed(list(games)) if kind in (None, game.terms.kind))
    return list(islice(wanted, MOST_LISTED))


def _running(match: Match) -> Running:
    return Running(
        game=match.id,
        kind=match.terms.kind,
        options=match.terms.options_json,
        group=match.terms.group,
        players=match.heading["players"],
        turn=match.nick(match.turn),
        seq=match.seq,
    )


def _waiting(table: Table) -> Waiting:
    return Waiting(
        kind=table.terms.kind,
        options=table.terms.options_json,
        group=table.terms.group,
        seats=table.terms.seats_json,
        clock=table.terms.clock_json,
        strict=table.terms.strict,
        players=len(table.players),
    )
