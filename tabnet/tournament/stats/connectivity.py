"""Groups of bots that can be compared, by the games that they have played. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tabnet.tournament.records.entrants_and_results import Group

Pairs = Mapping[tuple[str, str], Mapping[Group, Sequence[float]]]
"""The scores of the first opponent, by opponents and group of games; see `group_scores`."""
Links = Mapping[str, set[str]]


def link_opponents(names: Iterable[str], pairs: Pairs) -> Links:
    """Return links from each bot to all its opponents."""
    links: dict[str, set[str]] = {name: set() for name in names}
    for one, other in pairs:
        links[one].add(other)
        links[other].add(one)
    return links


def link_unbeaten(names: Iterable[str], pairs: Pairs) -> Links:
    """Return links from each bot to all opponents that have not beaten it in every game."""
    links: dict[str, set[str]] = {name: set() for name in names}
    for (one, other), played in pairs.items():
        scores = [score for pair in played.values() for score in pair]
        if max(scores) > 0:
            links[one].add(other)
        if min(scores) < 1:
            links[other].add(one)
    return links


def find_connected_groups(names: Sequence[str], links: Links) -> list[list[str]]:
    """Return the groups of bots that reach each other in both directions."""
    reach = {name: _find_reachable(name, links) for name in names}
    found: list[list[str]] = []
    for name in names:
        own = [group for group in found if name in reach[group[0]] and group[0] in reach[name]]
        if own:
            own[0].append(name)
        else:
            found.append([name])
    return found


def _find_reachable(start: str, links: Links) -> set[str]:
    reached = {start}
    waiting = [start]
    while waiting:
        new = links[waiting.pop()] - reached
        reached |= new
        waiting += sorted(new)
    return reached
