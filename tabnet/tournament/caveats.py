"""What the ratings of a tournament cannot say, in words. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from tabnet.tournament.links import Pairs, groups, met, scored

FEW: Final = 10
"""With fewer pairs than this, an interval is rough."""


def notes(names: Sequence[str], pairs: Pairs) -> list[str]:
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
            told.append(
                f"Between these, one side has won every game: {_listed(parts)}. "
                "How far apart they are is a guess."
            )
    return [*told, *_few(names, pairs)]


def _few(names: Sequence[str], pairs: Pairs) -> list[str]:
    played = Counter[str]()
    for opponents, scores in pairs.items():
        for name in opponents:
            played[name] += sum(len(pair) == 2 for pair in scores.values())
    few = [name for name in names if played[name] < FEW]
    if not few:
        return []
    whom = "All" if len(few) == len(names) else _listed([few])
    return [f"{whom} played fewer than {FEW} pairs: the intervals are rough."]


def _listed(parts: Sequence[Sequence[str]]) -> str:
    """`a; b and c; d, e and f`."""
    return "; ".join(
        " and ".join([", ".join(part[:-1]), part[-1]] if len(part) > 1 else part) for part in parts
    )
