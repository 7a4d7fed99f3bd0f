"""The settings of a tournament, as its journal keeps them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from attrs import frozen

from tabnet.errors import StartError
from tabnet.tournament.plan.plan import Plan
from tabnet.tournament.stats.sprt import Hypotheses

PLANNED = ("seed", "kind", "options", "clock", "format", "pairs", "rounds", "seats")
"""The settings that a plan has too."""


@frozen
class Settings:
    """All settings that results depend on, except the bots."""

    seed: str
    kind: str
    options: Mapping[str, Any]
    clock: Mapping[str, Any]
    format: str
    pairs: int
    rounds: int | None = None
    max_moves: int | None = None
    """The number of actions of all seats after which a game is drawn."""
    sprt: Hypotheses | None = None
    seats: int = 2
    """The number of players of a game; in an elimination the largest number."""

    def plan(self, names: tuple[str, ...], absent: Mapping[str, str] | None = None) -> Plan:
        """Return the plan for these entrants; raises `StartError` if it makes no sense."""
        fields = {name: getattr(self, name) for name in PLANNED}
        return Plan(names=names, absent=absent, **fields)

    def to_json(self) -> dict[str, Any]:
        """Return the settings for the journal, without those that have their default."""
        usual = {field.name: field.default for field in attrs.fields(Settings)}
        return {name: value for name, value in attrs.asdict(self).items() if value != usual[name]}


def settings_from(row: Mapping[str, Any]) -> Settings:
    """Return the settings in a journal; raises `StartError` if they make no sense."""
    known = attrs.fields_dict(Settings)
    fields = {name: value for name, value in row.items() if name in known}
    try:
        if "sprt" in fields:
            fields["sprt"] = Hypotheses(**fields["sprt"])
        return Settings(**fields)
    except TypeError as error:
        raise StartError(f"the settings in the journal cannot be used: {error}") from None
