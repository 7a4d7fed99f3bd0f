"""The options and the wire fields of Nim."""

from __future__ import annotations

from attrs import field, frozen

from tabnet.errors import InvalidOptions, quote
from tabnet.games.field_declarations import KindFields, kind_field

MOST_STONES = 40


def _check_stones(_: object, __: object, value: object) -> None:
    if type(value) is not int or value not in range(1, MOST_STONES + 1):
        hint = f"1 to {MOST_STONES}"
        text = f"invalid stones {quote(value)}"
        raise InvalidOptions("invalid_option", text, field="stones", hint=hint)


@frozen
class NimOptions:
    """The options of a match of Nim."""

    stones: int = field(default=15, validator=_check_stones)


FIELDS = KindFields(
    join={"stones": kind_field(int, "how many stones the heap has", usual="15")},
    ranking={"stones": kind_field(int, "the size of the heap", minimum=1)},
    notify={"take": kind_field(int, "how many stones to take", minimum=1)},
)

EXAMPLES = {"play": ("tabnet play --kind nim --stones 7",)}
