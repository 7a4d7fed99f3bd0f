"""The options and the wire fields of Plakoto."""

from __future__ import annotations

from attrs import frozen

from tabnet.games.field_declarations import KindFields, kind_field


@frozen
class PlakotoOptions:
    """Plakoto takes no options."""


FIELDS = KindFields(
    notify={
        "from": kind_field(int, "the point that a checker is played from", minimum=0),
        "to": kind_field(int, "the point that the checker goes to, 25 or 0 for off", minimum=0),
    },
    moves={"from": kind_field(int, "only moves from this point", minimum=0)},
)
