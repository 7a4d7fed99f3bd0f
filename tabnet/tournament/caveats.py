"""What the ratings of a tournament cannot say, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import Final

from tabnet.tournament.links import Group, Pairs, groups, met, scored

FEW: Final = 10
"""With fewer pairs or groups of games than this, an interval is rough."""


def notes(names: Sequence[str], pairs: Pairs, seats: int = 2) -> list[str]:
    """Sentences to be read with a table."""
    connected = groups(names, met(names, pairs))
    told = []
    if len(connected) > 1:
        told.append(
            f"No games connect these groups: {_listed(connected)}. "
            "Ratings compare only within a group."
        )
    for group in connected:
        parts = groups(group, scored(names, pairs))
        if len(parts) > 1:
            won = "won every game" if seats == 2 else "come before the other in every game"
            told.append(
                f"Between these, one side has {won}: {_listed(parts)}. "
                "How far apart they are is a guess."
            )
    return [*told, *_few(names, pairs, seats)]


def _few(names: Sequence[str], pairs: Pairs, seats: int) -> list[str]:
    played: dict[str, set[Group]] = {name: set() for name in names}
    for opponents, scores in pairs.items():
        whole = {group for group, games in scores.items() if len(games) == factorial(seats)}
        for name in opponents:
            played[name] |= whole
    few = [name for name in names if len(played[name]) < FEW]
    if not few:
        return []
    whom = "All" if len(few) == len(names) else _listed([few])
    what = "pairs" if seats == 2 else "groups"
    return [f"{whom} played fewer than {FEW} {what}: the intervals are rough."]


def _listed(parts: Sequence[Sequence[str]]) -> str:
    """`a; b and c; d, e and f`."""
    return "; ".join(
        " and ".join([", ".join(part[:-1]), part[-1]] if len(part) > 1 else part) for part in parts
    )
