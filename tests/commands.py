"""Commands make_command from their fields as they stand on the wire."""

from __future__ import annotations

from typing import Any, TypeVar

import attrs

from tabnet.games import GAMES
from tabnet.protocol.fields import find_kinds_attribute, list_wire_fields
from tabnet.protocol.messages import Command, Join, Notify, Ranking

C = TypeVar("C", bound=Command)


def make_command(cls: type[C], **fields: Any) -> C:
    """Return a command; the fields of kinds go into their attribute."""
    attribute = find_kinds_attribute(cls)
    assert attribute is not None
    assert fields.keys() <= list_wire_fields(cls).keys()
    own = {name: fields.pop(name) for name in attrs.fields_dict(cls) if name in fields}
    return cls(**own, **{attribute: fields})


def join(**fields: Any) -> Join:
    """Return a join."""
    return make_command(Join, **fields)


def ranking(**fields: Any) -> Ranking:
    """Return a question for a ranking."""
    return make_command(Ranking, **fields)


def notify(**fields: Any) -> Notify:
    """Return a notify."""
    return make_command(Notify, **fields)


def required_terms(kind: str) -> dict[str, Any]:
    """Return a group and the option that the kind requires, with its default; often nothing."""
    game = GAMES[kind]
    option = game.leaderboard_option
    return {"group": 1, option: getattr(game.options(), option)} if option else {}
