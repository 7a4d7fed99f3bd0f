"""Commands made from their fields as they stand on the wire."""

from __future__ import annotations

from typing import Any, TypeVar

import attrs

from tabnet.protocol.fields import name_of_kinds_attribute, wire_fields
from tabnet.protocol.messages import Command, Join, Notify, Ranking

C = TypeVar("C", bound=Command)


def made(cls: type[C], **fields: Any) -> C:
    """Return a command; the fields of kinds go into their attribute."""
    attribute = name_of_kinds_attribute(cls)
    assert attribute is not None
    assert fields.keys() <= wire_fields(cls).keys()
    own = {name: fields.pop(name) for name in attrs.fields_dict(cls) if name in fields}
    return cls(**own, **{attribute: fields})


def join(**fields: Any) -> Join:
    """Return a join."""
    return made(Join, **fields)


def ranking(**fields: Any) -> Ranking:
    """Return a question for a ranking."""
    return made(Ranking, **fields)


def notify(**fields: Any) -> Notify:
    """Return a notify."""
    return made(Notify, **fields)
