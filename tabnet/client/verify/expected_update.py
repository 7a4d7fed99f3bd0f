"""The fields that an update must contain, given the replayed match. Pure.

This repeats the server's code on purpose, from protocol.md alone: shared code would share its
mistakes. Only the rules are the same.
"""

from __future__ import annotations

from tabnet.client.client_state import SEATS_IN_VIEWS
from tabnet.client.verify.json_diff import ABSENT
from tabnet.client.verify.replayed_match import JsonObject, ReplayedMatch
from tabnet.games.api import Outcome, Pass, Roll

FIXED = ("dice_commit", "dice_salt_hashes")
SOMETIMES = ("cell", "selected", "winner", "result", *FIXED, "dice_secret", "dice_salts")
"""Fields that are wrong where they do not belong. Unknown fields are ignored."""
COMMANDS = {Roll: "roll", Pass: "pass"}


def compute_expected_fields(match: ReplayedMatch, received: JsonObject) -> JsonObject:
    """Return the right fields of the latest update, `received`, without its clock."""
    view = match.state.view()
    for name in SEATS_IN_VIEWS:
        if name in view:
            seat = None if match.result else view[name]
            view[name] = None if seat is None else match.nicks[seat]
    return {
        **match.heading,
        **view,
        **(_compute_step_fields(match) if match.rules.selects else {}),
        "expects": _compute_expected_command(match, received),
        "draw_offers": [nick for nick in match.nicks if nick in match.offers],
        **(_compute_result_fields(match, match.result) if match.result else {}),
        **(_compute_dice_fields(match, match.secret, received) if match.secret else {}),
    }


def _compute_step_fields(match: ReplayedMatch) -> JsonObject:
    if match.held:
        return {"step": "to", "cell": match.held.cell, "selected": list(match.held.choices)}
    if match.moved:
        start, end = match.moved["cell"], match.moved["to"]
        return {"step": "from", "cell": start, "selected": [start, end]}
    return {"step": "from"}


def _compute_expected_command(match: ReplayedMatch, received: JsonObject) -> str | None:
    """Return the right `expects`.

    The server makes all forced actions of a seat itself, or none; its first forced action shows
    which.
    """
    turn = match.state.turn
    if turn is None or match.result:
        return None
    if match.missing_salts:
        return "salt" if match.nicks[turn] in match.missing_salts else None
    command = COMMANDS.get(type(match.state.actions()[0]), "notify")
    if command == "notify":
        return command
    return None if match.auto.setdefault(turn, received.get("expects", ABSENT) is None) else command


def _compute_result_fields(match: ReplayedMatch, result: Outcome) -> JsonObject:
    winners = [match.nicks[seat] for seat in result.winners]
    points = dict(zip(match.nicks, result.points, strict=True))
    return {
        "winner": winners[0] if len(winners) == 1 else None,
        "result": {"winners": winners, "points": points, "reason": result.reason},
    }


def _compute_dice_fields(match: ReplayedMatch, secret: bytes, received: JsonObject) -> JsonObject:
    """Return the fields that commit to the dice (first update) or reveal them (last update)."""
    right: JsonObject = {}
    if match.seq == 1:  # they were checked before the replay
        right |= {name: received[name] for name in FIXED}
    if match.result:
        salts = {nick: match.salts.get(nick) for nick in match.nicks}
        right |= {"dice_secret": secret.hex(), "dice_salts": salts}
    return right
