"""The steps that commands make in a match, and why others are refused. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tabnet.errors import IllegalMove, Refused
from tabnet.games.api import Move, Pass, Roll, Select
from tabnet.server.core.matches.match_parts import Step

if TYPE_CHECKING:
    from tabnet.server.core.matches.match import Match


def make_step(match: Match, seat: int, cmd: str, fields: Mapping[str, Any]) -> Step:
    """Return the step that a roll, a pass or a notify makes; raise its refusal."""
    if cmd == "notify":
        return _make_notify(match, seat, fields)
    _require_turn(match, seat, "Not your turn to play")
    return make_roll(match, seat) if cmd == "roll" else make_pass(match)


def make_roll(match: Match, seat: int) -> Step:
    """Return the step that the next throw of the seat makes."""
    is_due = match.state.chances()
    action = match.dice.throw(match.terms.game, seat, match.throws[seat]) if is_due else Roll()
    return Step("roll", action, match.state.apply(action))


def make_pass(match: Match) -> Step:
    """Return the step that a pass makes."""
    return Step("pass", Pass(), match.state.apply(Pass()))


def require_running(match: Match) -> None:
    """Refuse every command about a match that is over."""
    if match.result:
        raise Refused("game_over", "the game is over")


def _make_notify(match: Match, seat: int, fields: Mapping[str, Any]) -> Step:
    _require_started(match)
    action = _interpret(match, seat, fields)
    if isinstance(action, Move):
        return Step("move", action, match.state.apply(action))
    if action.cell is None:
        return Step("release", None, match.state)
    return Step("select", None, match.state, action)


def _interpret(match: Match, seat: int, fields: Mapping[str, Any]) -> Move | Select:
    """Return the action of a notify; out of turn, refuse a legal or illegal move alike."""
    is_to_act = seat == match.turn
    held = match.held.cell if match.held and is_to_act else None
    try:
        action = match.terms.game.interpret(match.state, held, fields)
    except IllegalMove:
        if is_to_act:
            raise
    if not is_to_act:
        raise Refused("not_your_turn", "not your turn to play")
    return action


def _require_started(match: Match) -> None:
    require_running(match)
    if match.owing:
        nicks = " and ".join(match.nicks[seat] for seat in match.owing)
        raise Refused("salts_due", f"{nicks} must send the salt first")


def _require_turn(match: Match, seat: int, text: str) -> None:
    _require_started(match)
    if seat != match.turn:
        raise Refused("not_your_turn", text)
