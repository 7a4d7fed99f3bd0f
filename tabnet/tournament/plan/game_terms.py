"""The terms of every game of a plan, and the command by which a bot asks for one. Pure."""

from __future__ import annotations

import orjson

from tabnet.protocol.fields import Clock
from tabnet.server.core.matches.terms import Terms, require_kind
from tabnet.tournament.plan.plan import Plan

GROUP = 1
"""The group of every game, in kinds that have groups."""


def require_playable(plan: Plan) -> None:
    """Raise a `TabnetError` if the kind does not allow every game that the plan can have."""
    for seats in plan.game_sizes:
        make_terms(plan, seats)


def make_terms(plan: Plan, seats: int) -> Terms:
    """Return the terms of a game of `seats` players; raises `Refused` if the kind forbids them."""
    game = require_kind(plan.kind)
    options = game.make_options(plan.options)
    game.require(options, seats)
    return Terms(
        kind=plan.kind,
        options=options,
        seats=seats,
        clock=Clock(**plan.clock),
        group=GROUP if plan.options else None,
        strict=True,
    )


def encode_join(terms: Terms, *, auto: bool = True) -> str:
    """Return the command that asks for a game; with `auto`, the server makes rolls and passes."""
    group = {} if terms.group is None else {"group": terms.group}
    seats = {} if terms.seats == 2 else {"seats": terms.seats}
    fields = {"cmd": "join", "kind": terms.kind, **group, **terms.options_json, **seats}
    fields["clock"] = terms.clock_json
    if auto:
        fields["auto"] = True
    if terms.strict:
        fields["strict"] = True
    return orjson.dumps(fields).decode()
