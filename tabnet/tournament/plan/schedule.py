"""The schedule: from a plan and its results to the games. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tabnet.tournament.plan.elimination import compute_rounds
from tabnet.tournament.plan.knockout import compute_bracket
from tabnet.tournament.plan.plan import Plan, make_games_of_pair
from tabnet.tournament.plan.swiss import schedule_swiss
from tabnet.tournament.records.entrants_and_results import Result, ScheduledGame


def schedule_games(plan: Plan, played: Sequence[Result] = ()) -> Iterator[ScheduledGame]:
    """Yield all games that are known by now, with those that have ended, in playing order.

    Most formats know all games at once. For `swiss`, `knockout` and `elimination`, call again when
    games have ended; the tournament is over when no game is missing. Every game needs a result,
    even if its bots are no longer started. `sprt` yields the maximum number of games: stop at its
    end.
    """
    match plan.format:
        case "swiss":
            return schedule_swiss(plan, played)
        case "knockout":
            return iter(compute_bracket(plan, played)[0])
        case "elimination":
            return compute_rounds(plan, played).games
        case "gauntlet":
            return _schedule_gauntlet(plan)
        case _:
            return _schedule_round_robin(plan)


def _schedule_round_robin(plan: Plan) -> Iterator[ScheduledGame]:
    """Yield the first pair of all entrants, then the second of all, and so on."""
    for pair in range(plan.pairs):
        two = plan.seats == 2
        for names in _pair_everyone(plan.names) if two else combinations(plan.names, plan.seats):
            yield from make_games_of_pair(plan, names, pair)


def _schedule_gauntlet(plan: Plan) -> Iterator[ScheduledGame]:
    first, *others = plan.names
    for pair in range(plan.pairs):
        for opponents in combinations(others, plan.seats - 1):
            yield from make_games_of_pair(plan, (first, *opponents), pair)


def _pair_everyone(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every two entrants, in rounds in which each entrant plays once.

    All but the first sit in a circle and move on by one chair each round; opposite chairs meet.
    """
    first, *circle = [*names, None] if len(names) % 2 else names
    for _ in range(len(circle)):
        table = [first, *circle]
        for one, other in zip(table[: len(table) // 2], reversed(table), strict=False):
            if one is not None and other is not None:
                yield one, other
        circle = [circle[-1], *circle[:-1]]
