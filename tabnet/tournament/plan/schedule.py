"""A plan -> the games to be played. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tabnet.tournament.plan.knockout import knockout
from tabnet.tournament.plan.plan import Plan, meeting
from tabnet.tournament.plan.swiss import swiss
from tabnet.tournament.records.results import Result, ScheduledGame


def games(plan: Plan, played: Sequence[Result] = ()) -> Iterator[ScheduledGame]:
    """All games that are known by now, those that have been played among them.

    They come in the order to play them in. Most formats know all games at once. Of `swiss` and
    `knockout` it has to be asked again when games have ended; when nothing is missing any more,
    the tournament is over. Every game must come back as a result, even if its bots are not started
    any more. `sprt` gives as many games as may be, one by one: stop at the verdict.
    """
    match plan.format:
        case "swiss":
            return swiss(plan, played)
        case "knockout":
            return iter(knockout(plan, played))
        case "gauntlet":
            return _gauntlet(plan)
        case _:
            return _round_robin(plan)


def missing(plan: Plan, played: Sequence[Result]) -> Iterator[ScheduledGame]:
    """The games that are known by now and have not been played."""
    done = {result.game.id for result in played}
    return (game for game in games(plan, played) if game.id not in done)


def _round_robin(plan: Plan) -> Iterator[ScheduledGame]:
    """The first pair of all, then the second of all, and so on."""
    for pair in range(plan.pairs):
        two = plan.seats == 2
        for names in _circle(plan.names) if two else combinations(plan.names, plan.seats):
            yield from meeting(plan, names, pair)


def _gauntlet(plan: Plan) -> Iterator[ScheduledGame]:
    first, *others = plan.names
    for pair in range(plan.pairs):
        for opponents in combinations(others, plan.seats - 1):
            yield from meeting(plan, (first, *opponents), pair)


def _circle(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Everybody meets everybody, in rounds in which everybody plays once.

    All but the first sit in a circle and move on by one chair each round; opposite chairs meet.
    """
    first, *circle = [*names, None] if len(names) % 2 else names
    for _ in range(len(circle)):
        table = [first, *circle]
        for one, other in zip(table[: len(table) // 2], reversed(table), strict=False):
            if one is not None and other is not None:
                yield one, other
        circle = [circle[-1], *circle[:-1]]
