"""The options and the wire fields of Tab."""

from __future__ import annotations

from attrs import Attribute, field, frozen

from tabnet.errors import InvalidOptions, quote
from tabnet.games.field_declarations import KindFields, kind_field
from tabnet.games.tab.board import is_size


def _check_size(_: TabOptions, attribute: Attribute[int], value: int) -> None:
    if not is_size(value):
        raise InvalidOptions(
            "invalid_option",
            f"invalid size {quote(value)}",
            field=attribute.name,
            hint="an odd integer from 7 to 15",
        )


@frozen
class TabOptions:
    """The options of a match of Tab."""

    size: int = field(default=9, validator=_check_size)


FIELDS = KindFields(
    join={
        "size": kind_field(
            int,
            "how many columns the board has",
            usual="9",
            bad="invalid size {value}",
            hint="an odd integer from 7 to 15",
        )
    },
    ranking={
        "size": kind_field(
            int,
            "the size of the board",
            minimum=1,
            bad="Invalid size {value}",
            hint="a positive integer",
        )
    },
    notify={
        "cell": kind_field(
            int, "the piece to move, or the destination of the selected piece", minimum=0
        ),
        "to": kind_field(int, "the destination, to select and move at once", minimum=0),
    },
    moves={"cell": kind_field(int, "only moves of the piece on this cell", minimum=0)},
)

EXAMPLES = {
    "play": ("tabnet play --server --size 11",),
    "perft": ("tabnet perft tab --depth 5 --size 7",),
    "ranking": ("tabnet ranking --group 99 --size 9",),
}
