"""What an update must tell of the position that a course has come to. Pure.

It is said here a second time, from protocol.md alone: code shared with the server would share its
mistakes. Only the rules are the same.
"""

from __future__ import annotations

from tabnet.client.client_state import SEATS_IN_VIEWS
from tabnet.client.verify.json_diff import ABSENT
from tabnet.client.verify.replayed_match import ReplayedMatch, Told
from tabnet.games.api import Outcome, Pass, Roll

FIXED = ("dice_commit", "dice_salt_hashes")
SOMETIMES = ("cell", "selected", "winner", "result", *FIXED, "dice_secret", "dice_salts")
"""Fields that are wrong where they do not belong; those that nobody knows are ignored."""
COMMANDS = {Roll: "roll", Pass: "pass"}


def must_tell(match: ReplayedMatch, told: Told) -> Told:
    """The fields of the latest update, as `told` should have them; its clock is none of them."""
    view = match.state.view()
    for name in SEATS_IN_VIEWS:
        if name in view:
            seat = None if match.result else view[name]
            view[name] = None if seat is None else match.nicks[seat]
    return {
        **match.heading,
        **view,
        **(_marks(match) if match.rules.selects else {}),
        "expects": _expects(match, told),
        "draw_offers": [nick for nick in match.nicks if nick in match.offers],
        **(_ending(match, match.result) if match.result else {}),
        **(_dice(match, match.secret, told) if match.secret else {}),
    }


def _marks(match: ReplayedMatch) -> Told:
    if match.held:
        return {"step": "to", "cell": match.held.cell, "selected": list(match.held.choices)}
    if match.moved:
        start, end = match.moved["cell"], match.moved["to"]
        return {"step": "from", "cell": start, "selected": [start, end]}
    return {"step": "from"}


def _expects(match: ReplayedMatch, told: Told) -> str | None:
    """The server makes all forced actions of a seat itself, or none: its first one tells which."""
    turn = match.state.turn
    if turn is None or match.result:
        return None
    if match.owing:
        return "salt" if match.nicks[turn] in match.owing else None
    command = COMMANDS.get(type(match.state.actions()[0]), "notify")
    if command == "notify":
        return command
    return None if match.auto.setdefault(turn, told.get("expects", ABSENT) is None) else command


def _ending(match: ReplayedMatch, result: Outcome) -> Told:
    winners = [match.nicks[seat] for seat in result.winners]
    points = dict(zip(match.nicks, result.points, strict=True))
    return {
        "winner": winners[0] if len(winners) == 1 else None,
        "result": {"winners": winners, "points": points, "reason": result.reason},
    }


def _dice(match: ReplayedMatch, secret: bytes, told: Told) -> Told:
    """What fixes the dice in the first update, and reveals them in the last."""
    right: Told = {}
    if match.seq == 1:  # they were looked at before the course began
        right |= {name: told[name] for name in FIXED}
    if match.result:
        salts = {nick: match.salts.get(nick) for nick in match.nicks}
        right |= {"dice_secret": secret.hex(), "dice_salts": salts}
    return right
