"""Knockout tournaments: the loser of a match is out. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabnet.tournament.plan.plan import Plan, make_games_of_pair
from tabnet.tournament.records.entrants_and_results import Result, ScheduledGame, sum_scores

Match = tuple[str | None, ...]
"""The entrants of a match: two, None for an unknown one, or a single entrant with a bye."""


def compute_bracket(plan: Plan, played: Sequence[Result]) -> tuple[list[ScheduledGame], str | None]:
    """Return the games of all matches whose entrants are known, and the winner or None.

    The first entrants of the plan meet as late as possible. They have the byes if the number of
    entrants is no power of two. A match that is equal after its pairs continues pair by pair, for
    at most as many pairs again. If it is equal even then, the first of the two in the plan wins.
    """
    results = {result.game.id: result for result in played}
    known: list[ScheduledGame] = []
    matches = _seed_first_round(plan.names)
    in_round = 0
    while True:
        winners: list[str | None] = []
        for match in matches:
            games, winner = _compute_match(plan, match, in_round, results)
            known += games
            winners.append(winner)
        if len(winners) == 1:
            return known, winners[0]
        matches = list(zip(winners[::2], winners[1::2], strict=True))
        in_round += 1


def _seed_first_round(names: Sequence[str]) -> list[Match]:
    """Return the matches of the first round; the best two entrants can meet only in the final."""
    order = [0]
    while len(order) < len(names):
        order = [seed for best in order for seed in (best, 2 * len(order) - 1 - best)]
    return [
        tuple(names[seed] for seed in seeds if seed < len(names))
        for seeds in zip(order[::2], order[1::2], strict=True)
    ]


def _compute_match(
    plan: Plan, match: Match, in_round: int, results: Mapping[str, Result]
) -> tuple[list[ScheduledGame], str | None]:
    """Return the known games of a match, and its winner or None."""
    names = [name for name in match if name is not None]
    if len(names) < len(match):
        return [], None
    if len(names) == 1:
        return [], names[0]
    games = [
        game
        for pair in range(plan.pairs)
        for game in make_games_of_pair(plan, names, pair, in_round)
    ]
    max_games = 2 * len(games)
    while all(game.id in results for game in games):
        score = sum_scores(results[game.id] for game in games)
        if score[names[0]] != score[names[1]] or len(games) == max_games:
            return games, max(names, key=lambda name: (score[name], -plan.names.index(name)))
        games += make_games_of_pair(plan, names, games[-1].pair + 1, in_round)
    return games, None
