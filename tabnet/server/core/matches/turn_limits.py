"""Limits on what a seat may do between its own rolls, moves and passes. Pure.

They hold for commands alone. A stored match is replayed without them, because an older server may
have accepted more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabnet.errors import Refused
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Step
from tabnet.server.core.matches.steps import make_step

MAX_OFFERS = 8
"""How many draw offers and withdrawals a seat may make."""
MAX_RELEASES = 8
"""How often a seat may release a selected piece."""


def preview_within_limits(match: Match, seat: int, cmd: str, fields: Mapping[str, Any]) -> Step:
    """Return the step that a command makes; raise its refusal."""
    step = make_step(match, seat, cmd, fields)
    if step.event == "release" and match.releases[seat] >= MAX_RELEASES and match.held:
        raise Refused(
            "too_many_releases",
            f"you have released a piece {MAX_RELEASES} times: move this one",
            hint=f"{match.held.cell} can go to {' or '.join(map(str, match.held.choices))}",
        )
    return step


def play_within_limits(
    match: Match, seat: int, cmd: str, fields: Mapping[str, Any], now: int
) -> Match:
    """Roll, pass or notify; `fields` are those of the notify."""
    return match.take(preview_within_limits(match, seat, cmd, fields), seat, now)


def offer_draw_within_limits(match: Match, seat: int, offer: bool, now: int) -> Match:
    """Offer a draw or withdraw the offer; an offer that ends the match has no limit."""
    after = match.offer_draw(seat, offer, now)
    if after.result is None and match.draw_commands[seat] >= MAX_OFFERS:
        raise Refused(
            "too_many_offers",
            f"you have offered a draw, or withdrawn an offer, {MAX_OFFERS} times",
            field="offer",
            hint="roll, move or pass first",
        )
    return after
