"""The updates of a match: complete positions, never changes. Pure.

An update depends on the match's history alone, so it is the same bytes whenever it is made.
"""

from __future__ import annotations

from typing import Any

from tabnet.games.api import Move, Outcome, Pass, Roll
from tabnet.protocol.frames import Snapshot
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Moment
from tabnet.server.core.pairing.lobby import Table

SEATS_IN_VIEWS = ("turn", "mustPass")
"""The fields of views that contain a seat; an update has the nick instead."""


def make_update(match: Match, seq: int) -> Snapshot:
    """Return the update numbered `seq`, counted from 1."""
    moment, rules, nicks = match.moments[seq - 1], match.terms.game, match.nicks
    event = _describe_event(match, moment)
    move: dict[str, Any] | None = None
    if isinstance(moment.action, Move):
        move = rules.dump_move(moment.action)
        event.update(move)
    position = {**match.heading, "event": event, **moment.state.view()}
    for name in SEATS_IN_VIEWS:
        if (seat := position.get(name)) is not None:
            position[name] = None if moment.result else nicks[seat]
    if rules.selects:
        position.update(_describe_selection(moment, move))
    position["expects"] = _find_expected_command(match, moment)
    position["draw_offers"] = [nicks[seat] for seat in moment.offers]
    position["clock"] = list_seconds_left(match, moment.left)
    if moment.result:
        position |= _describe_result(match, moment.result)
    if rules.uses_chance:
        if seq == 1:
            position |= _commit_to_dice(match)
        if moment.result and not match.sealed:
            position |= _reveal_dice(match)
    return Snapshot(game=match.id, seq=seq, position=position)


def make_end_of_wait(table: Table) -> Snapshot:
    """Return the update at the end of a wait without a match."""
    return Snapshot(game=table.id, seq=1, position={"winner": None})


def list_seconds_left(match: Match, left: tuple[int, ...]) -> dict[str, float]:
    """Return the seconds that each nick has left."""
    return {nick: ms / 1000 for nick, ms in zip(match.nicks, left, strict=True)}


COMMANDS = {Roll: "roll", Pass: "pass"}

WORDS = {"salt": "salt", "draw": "offer", "illegal": "code"}
"""The events that have a value beside their player, and its field."""


def _find_expected_command(match: Match, moment: Moment) -> str | None:
    """Return the command that the player to act has to send, or None."""
    turn = moment.state.turn
    if turn is None or moment.result:
        return None
    if moment.owing:
        return "salt" if turn in moment.owing else None
    command = COMMANDS.get(type(moment.state.actions()[0]), "notify")
    return None if match.seats[turn].auto and command != "notify" else command


def dump_event(match: Match, moment: Moment) -> dict[str, Any]:
    """Return an event with the fields of its move or its dice; they lead to the next position."""
    event = _describe_event(match, moment)
    if isinstance(moment.action, Move):
        event.update(match.terms.game.dump_move(moment.action))
    elif isinstance(moment.action, Roll):
        event["dice"] = match.terms.game.dump_roll(moment.action)
    return event


def _describe_event(match: Match, moment: Moment) -> dict[str, Any]:
    event: dict[str, Any] = {"type": moment.event}
    if moment.seat is not None:
        event["player"] = match.nicks[moment.seat]
    if moment.word is not None:
        event[WORDS[moment.event]] = moment.word
    return event


def _describe_selection(moment: Moment, move: dict[str, Any] | None) -> dict[str, Any]:
    """Return the fields of kinds whose moves can be sent in two steps."""
    if moment.held:
        return {"step": "to", "cell": moment.held.cell, "selected": list(moment.held.choices)}
    if move:
        return {"step": "from", "cell": move["cell"], "selected": [move["cell"], move["to"]]}
    return {"step": "from"}


def _describe_result(match: Match, result: Outcome) -> dict[str, Any]:
    winners = [match.nicks[seat] for seat in result.winners]
    return {
        "winner": winners[0] if len(winners) == 1 else None,
        "result": {
            "winners": winners,
            "points": dict(zip(match.nicks, result.points, strict=True)),
            "reason": result.reason,
        },
    }


def _commit_to_dice(match: Match) -> dict[str, Any]:
    """Return the fields that commit to the dice before the first throw."""
    hashes = {seat.nick: seat.salt_hash for seat in match.seats}
    return {"dice_commit": match.dice.commitment(), "dice_salt_hashes": hashes}


def _reveal_dice(match: Match) -> dict[str, Any]:
    """Return the fields from which every throw can be recomputed."""
    salts = [None if salt is None else salt.hex() for salt in match.salts]
    return {
        "dice_secret": match.dice.secret.hex(),
        "dice_salts": dict(zip(match.nicks, salts, strict=True)),
    }
