"""Knockout tournaments: who loses is out. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabnet.tournament.plan.plan import Plan, meeting
from tabnet.tournament.records.results import Result, ScheduledGame, points

Match = tuple[str | None, ...]
"""Two entrants, None for one who is not known yet; or one entrant who has a bye."""


def knockout(plan: Plan, played: Sequence[Result]) -> list[ScheduledGame]:
    """The games of all matches whose entrants are known, round by round.

    The first in the plan meet as late as can be, and have the byes where the number of entrants is
    no power of two. A match that is equal after its pairs goes on pair by pair, for up to as many
    pairs again; if it is equal even then, who comes first in the plan wins.
    """
    return _course(plan, played)[0]


def champion(plan: Plan, played: Sequence[Result]) -> str | None:
    """Who has won the knockout; None while it is going on."""
    return _course(plan, played)[1]


def _course(plan: Plan, played: Sequence[Result]) -> tuple[list[ScheduledGame], str | None]:
    """The games that are known, and who has won them all."""
    results = {result.game.id: result for result in played}
    known: list[ScheduledGame] = []
    matches = _first_round(plan.names)
    in_round = 0
    while True:
        winners: list[str | None] = []
        for match in matches:
            games, winner = _match(plan, match, in_round, results)
            known += games
            winners.append(winner)
        if len(winners) == 1:
            return known, winners[0]
        matches = list(zip(winners[::2], winners[1::2], strict=True))
        in_round += 1


def _first_round(names: Sequence[str]) -> list[Match]:
    """Such that, if the better ones always win, the best two meet in the final."""
    order = [0]
    while len(order) < len(names):
        order = [seed for best in order for seed in (best, 2 * len(order) - 1 - best)]
    return [
        tuple(names[seed] for seed in seeds if seed < len(names))
        for seeds in zip(order[::2], order[1::2], strict=True)
    ]


def _match(
    plan: Plan, match: Match, in_round: int, results: Mapping[str, Result]
) -> tuple[list[ScheduledGame], str | None]:
    """The games of a match that are known, and who has won it."""
    names = [name for name in match if name is not None]
    if len(names) < len(match):
        return [], None
    if len(names) == 1:
        return [], names[0]
    games = [game for pair in range(plan.pairs) for game in meeting(plan, names, pair, in_round)]
    most = 2 * len(games)
    while all(game.id in results for game in games):
        score = points(results[game.id] for game in games)
        if score[names[0]] != score[names[1]] or len(games) == most:
            return games, max(names, key=lambda name: (score[name], -plan.names.index(name)))
        games += meeting(plan, names, games[-1].pair + 1, in_round)
    return games, None
