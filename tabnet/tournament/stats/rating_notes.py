"""Notes about the limits of the ratings, in words. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from tabnet.tournament.records.entrants_and_results import ERROR, MAX_FAILURES, Group, Result
from tabnet.tournament.stats.connectivity import (
    Pairs,
    find_connected_groups,
    link_opponents,
    link_unbeaten,
)

NO_RATINGS: Final = (
    "There are no ratings: each group plays a single game, and its board and the order of its "
    "seats favour some of its players."
)
"""The note of a format without mirrored games."""


def write_rating_notes(names: Sequence[str], pairs: Pairs, seats: int = 2) -> list[str]:
    connected = find_connected_groups(names, link_opponents(names, pairs))
    sentences = []
    if len(connected) > 1:
        sentences.append(
            f"No games connect these groups: {_list_in_words(connected)}. "
            "Ratings compare only within a group."
        )
    for group in connected:
        parts = find_connected_groups(group, link_unbeaten(names, pairs))
        if len(parts) > 1:
            won = "won every game" if seats == 2 else "come before the other in every game"
            sentences.append(
                f"Between these, one side has {won}: {_list_in_words(parts)}. "
                "How far apart they are is a guess."
            )
    return sentences


def write_failure_notes(results: Iterable[Result]) -> list[str]:
    """Name each game that does not count, with the other games of its group."""
    every = list(results)
    failed = [result for result in every if result.cause == ERROR]
    pairs = {result.game.pair for result in failed}
    groups_of: defaultdict[Group, list[str]] = defaultdict(list)
    for result in every:
        if result.game.pair in pairs:
            groups_of[result.game.group].append(result.game.id)
    return [
        f"Game {format_game(result)} counts for nobody: its referee failed {MAX_FAILURES} times."
        + _name_other_games([id for id in groups_of[result.game.group] if id != result.game.id])
        for result in failed
    ]


def format_game(result: Result) -> str:
    """Return a game's id and its bots: `fa93b40c7d21e658 (greedy - random)`."""
    return f"{result.game.id} ({' - '.join(result.game.seats)})"


def _name_other_games(others: Sequence[str]) -> str:
    if not others:
        return ""
    if len(others) == 1:
        return f" The other game of its pair, {others[0]}, does not count either."
    return f" The other games of its group do not count either: {', '.join(others)}."


def _list_in_words(parts: Sequence[Sequence[str]]) -> str:
    """Return a list in words: `a; b and c; d, e and f`."""
    return "; ".join(
        " and ".join([", ".join(part[:-1]), part[-1]] if len(part) > 1 else part) for part in parts
    )
