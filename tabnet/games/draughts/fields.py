"""The options and the wire fields of draughts."""

from __future__ import annotations

from attrs import frozen

from tabnet.games.field_declarations import KindFields, kind_field


@frozen
class DraughtsOptions:
    """Draughts takes no options."""


FIELDS = KindFields(
    notify={
        "route": kind_field(
            tuple[str, ...], 'every square of the move, like ["c3","e5","g7"]', longest=32
        )
    },
    moves={
        "route": kind_field(
            tuple[str, ...], 'only moves whose route begins like this: ["c3"]', longest=32
        )
    },
)

EXAMPLES = {
    "play": ("tabnet play --kind draughts",),
    "bot": ("tabnet bot bots/first.py --kind draughts",),
    "check": ("tabnet check expectimax:depth=3 --kind draughts",),
    "ranking": ("tabnet ranking --kind draughts --group 1",),
    "perft": (
        "tabnet perft draughts --depth 8",
        "echo 'B:W17,18,26:B13,14,30' | tabnet perft draughts --depth 6 --position -",
    ),
}
