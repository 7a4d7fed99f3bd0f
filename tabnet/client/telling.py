"""What an update must tell of the position that a course has come to. Pure.

It is said here a second time, from protocol.md alone: code shared with the server would share its
mistakes. Only the rules are the same.
"""

from __future__ import annotations

from tabnet.client.contradiction import ABSENT
from tabnet.client.course import Course, Told
from tabnet.client.dialogue import SEATS_IN_VIEWS
from tabnet.games.api import Outcome, Pass, Roll

FIXED = ("dice_commit", "dice_salt_hashes")
SOMETIMES = ("cell", "selected", "winner", "result", *FIXED, "dice_secret", "dice_salts")
"""Fields that are wrong where they do not belong; those that nobody knows are ignored."""
COMMANDS = {Roll: "roll", Pass: "pass"}


def must_tell(course: Course, told: Told) -> Told:
    """The fields of the latest update, as `told` should have them; its clock is none of them."""
    view = course.state.view()
    for name in SEATS_IN_VIEWS:
        if name in view:
            seat = None if course.result else view[name]
            view[name] = None if seat is None else course.nicks[seat]
    return {
        **course.heading,
        **view,
        **(_marks(course) if course.rules.selects else {}),
        "expects": _expects(course, told),
        "draw_offers": [nick for nick in course.nicks if nick in course.offers],
        **(_ending(course, course.result) if course.result else {}),
        **(_dice(course, course.secret, told) if course.secret else {}),
    }


def _marks(course: Course) -> Told:
    if course.held:
        return {"step": "to", "cell": course.held.cell, "selected": list(course.held.choices)}
    if course.moved:
        start, end = course.moved["cell"], course.moved["to"]
        return {"step": "from", "cell": start, "selected": [start, end]}
    return {"step": "from"}


def _expects(course: Course, told: Told) -> str | None:
    """The server makes all forced actions of a seat itself, or none: its first one tells which."""
    turn = course.state.turn
    if turn is None or course.result:
        return None
    if course.owing:
        return "salt" if course.nicks[turn] in course.owing else None
    command = COMMANDS.get(type(course.state.actions()[0]), "notify")
    if command == "notify":
        return command
    return None if course.auto.setdefault(turn, told.get("expects", ABSENT) is None) else command


def _ending(course: Course, result: Outcome) -> Told:
    winners = [course.nicks[seat] for seat in result.winners]
    points = dict(zip(course.nicks, result.points, strict=True))
    return {
        "winner": winners[0] if len(winners) == 1 else None,
        "result": {"winners": winners, "points": points, "reason": result.reason},
    }


def _dice(course: Course, secret: bytes, told: Told) -> Told:
    """What fixes the dice in the first update, and reveals them in the last."""
    right: Told = {}
    if course.seq == 1:  # they were looked at before the course began
        right |= {name: told[name] for name in FIXED}
    if course.result:
        salts = {nick: course.salts.get(nick) for nick in course.nicks}
        right |= {"dice_secret": secret.hex(), "dice_salts": salts}
    return right
