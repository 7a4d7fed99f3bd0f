"""What can be asked for with a match of Tab."""

from __future__ import annotations

from attrs import Attribute, field, frozen

from tabnet.errors import InvalidOptions, shown
from tabnet.games.tab.board import is_size


def _check_size(_: TabOptions, attribute: Attribute[int], value: int) -> None:
    if not is_size(value):
        raise InvalidOptions(
            "invalid_option",
            f"invalid size {shown(value)}",
            field=attribute.name,
            hint="an odd integer from 7 to 15",
        )


@frozen
class TabOptions:
    """What a match of Tab can be asked for."""

    size: int = field(default=9, validator=_check_size)
