"""What a tournament is to be, as its journal keeps it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from attrs import frozen

from tabnet.errors import StartError
from tabnet.tournament.plan.plan import Plan
from tabnet.tournament.stats.sprt import Hypotheses

PLANNED = ("seed", "kind", "options", "clock", "format", "pairs", "rounds", "seats")
"""The settings that are a plan's."""


@frozen
class Settings:
    """Everything that results depend on, beside the bots."""

    seed: str
    kind: str
    options: Mapping[str, Any]
    clock: Mapping[str, Any]
    format: str
    pairs: int
    rounds: int | None = None
    max_moves: int | None = None
    """After so many actions of all seats a game is drawn."""
    sprt: Hypotheses | None = None
    seats: int = 2
    """How many play a game."""

    def plan(self, names: tuple[str, ...]) -> Plan:
        """The plan for these entrants; a `StartError` if it makes no sense."""
        return Plan(names=names, **{name: getattr(self, name) for name in PLANNED})

    def to_json(self) -> dict[str, Any]:
        """As the journal keeps them: what is not told otherwise is left out."""
        usual = {field.name: field.default for field in attrs.fields(Settings)}
        return {name: value for name, value in attrs.asdict(self).items() if value != usual[name]}


def settings_from(row: Mapping[str, Any]) -> Settings:
    """The settings that a journal keeps; a `StartError` if it is not of a tournament like these."""
    known = attrs.fields_dict(Settings)
    fields = {name: value for name, value in row.items() if name in known}
    try:
        if "sprt" in fields:
            fields["sprt"] = Hypotheses(**fields["sprt"])
        return Settings(**fields)
    except TypeError as error:
        raise StartError(f"the settings in the journal cannot be used: {error}") from None
