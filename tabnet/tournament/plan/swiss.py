"""Swiss tournaments: in each round, entrants with equal scores play each other. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from tabnet.tournament.plan.plan import Plan, make_games_of_pair
from tabnet.tournament.records.entrants_and_results import Result, ScheduledGame, sum_scores

Match = tuple[str, str]

BYE = 2
"""The points of a bye for each pair of games that the others play."""


def schedule_swiss(plan: Plan, played: Sequence[Result]) -> Iterator[ScheduledGame]:
    """Yield the games of all rounds that can be drawn: a round is drawn when the one before has
    ended.

    With an odd number of entrants, the last one without a bye so far has a bye, which counts like
    winning all games. Entrants meet again only if there is no other way.
    """
    results = {result.game.id: result for result in played}
    score: defaultdict[str, float] = defaultdict(float)
    met: Counter[frozenset[str]] = Counter()
    byes: set[str] = set()
    for in_round in range(plan.rounds or math.ceil(math.log2(len(plan.names)))):
        order = sorted(plan.names, key=lambda name: -score[name])
        if len(order) % 2:
            resting = next(name for name in reversed(order) if name not in byes)
            byes.add(resting)
            order.remove(resting)
            score[resting] += BYE * plan.pairs
        drawn: list[ScheduledGame] = []
        for match in _pair_entrants(order, met):
            first = met[frozenset(match)] * plan.pairs
            for pair in range(first, first + plan.pairs):
                drawn += make_games_of_pair(plan, match, pair, in_round)
            met[frozenset(match)] += 1
        yield from drawn
        if any(game.id not in results for game in drawn):
            return
        for name, won in sum_scores(results[game.id] for game in drawn).items():
            score[name] += won


def _pair_entrants(order: list[str], met: Counter[frozenset[str]]) -> list[Match]:
    """Pair neighbours in the order, with as few repeated matches as possible."""
    again = 0
    while (matches := _find_matches(order, met, again, set())) is None:
        again += 1
    return matches


def _find_matches(
    order: list[str], met: Counter[frozenset[str]], again: int, hopeless: set[tuple[str, ...]]
) -> list[Match] | None:
    """Return matches of all in the order, none repeated more than `again` times; or None."""
    if not order:
        return []
    if tuple(order) in hopeless:
        return None
    first, *others = order
    for other in others:
        if met[frozenset((first, other))] <= again:
            rest = [name for name in others if name != other]
            matches = _find_matches(rest, met, again, hopeless)
            if matches is not None:
                return [(first, other), *matches]
    hopeless.add(tuple(order))
    return None
