"""Plans and results for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import factorial
from random import Random

from tabnet.tournament.plan.plan import Plan, make_games_of_pair
from tabnet.tournament.plan.schedule import schedule_games
from tabnet.tournament.records.entrants_and_results import Result, ScheduledGame, ThinkingTime
from tabnet.tournament.stats.connectivity import Group, Pairs
from tabnet.tournament.stats.sprt import Hypotheses, Verdict

POINTS = {"win": (1.0, 0.0), "draw": (0.5, 0.5), "loss": (0.0, 1.0)}


def plan(*names: str, **changes) -> Plan:
    """A plan for these entrants."""
    fixed = {"seed": "s", "kind": "tab", "options": {"size": 9}, "clock": {"move": 5}, "pairs": 2}
    fixed["format"] = "round-robin"
    return Plan(**{**fixed, "names": names, **changes})


def missing_games(plan: Plan, played: Sequence[Result]) -> Iterator[ScheduledGame]:
    """Yield the known games that have no result."""
    done = {result.game.id for result in played}
    return (game for game in schedule_games(plan, played) if game.id not in done)


def won(game: ScheduledGame, winner: str | None, **changes) -> Result:
    """A game that this entrant has won, or nobody."""
    seat = None if winner is None else game.seats.index(winner)
    fixed = {
        "winners": () if seat is None else (seat,),
        "points": tuple(int(other == seat) for other in range(len(game.seats))),
        "cause": "draw" if seat is None else "normal",
        "culprit": None,
        "detail": "",
        "reason": "",
        "moves": 100,
        "thinking": tuple(ThinkingTime(10, 20, 5) for _ in game.seats),
    }
    return Result(game, **{**fixed, **changes})


def strongest(order: str) -> Callable[[ScheduledGame], Result]:
    """Return results in which the first bot of the order wins every game."""
    return lambda game: won(game, min(game.seats, key=order.index))


def paired(one: str, other: str, scores: Iterable[tuple[float, float]]) -> list[Result]:
    """Return the results of finished pairs: the scores of `one` in the first and in the second
    seat."""
    results = []
    for pair, both in enumerate(scores):
        for game in make_games_of_pair(plan(one, other), (one, other), pair):
            score = both[game.seats.index(one)]
            results.append(won(game, {1: one, 0: other}.get(score)))
    return results


def counted(one: str, other: str, pentanomial: Iterable[int]) -> list[Result]:
    """Results with so many pairs of 0, 1/2, 1, 3/2 and 2 points for `one`."""
    kinds = ((0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1))
    return paired(
        one, other, [kind for kind, n in zip(kinds, pentanomial, strict=True) for _ in range(n)]
    )


def apart(pairs: Mapping[tuple[str, str], Mapping[int, Sequence[float]]]) -> Pairs:
    """The pairs of these opponents: those of others have other throws."""
    return {
        opponents: {(opponents, number): pair for number, pair in scores.items()}
        for opponents, scores in pairs.items()
    }


def simulated(strengths: dict[str, float], pairs: int, alike: float, random: Random) -> Pairs:
    """Return random scores of all bots against each other, by strengths in Elo.

    The second game of a pair ends like the first one with the probability `alike`, and otherwise by
    itself.
    """
    scores = {}
    for one, other in combinations(sorted(strengths), 2):
        chance = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
        games = scores[one, other] = {}
        for pair in range(pairs):
            first = float(random.random() < chance)
            second = first if random.random() < alike else float(random.random() < chance)
            games[pair] = (first, second)
    return apart(scores)


def simulated_places(
    strengths: dict[str, float], seats: int, groups: int, alike: float, random: Random
) -> Pairs:
    """Return random scores in groups of games in all orders, like `simulated` for two.

    The first place is drawn by strength, then the second one of the others, and so on. Every two
    bots are then in the order that their own strengths decide.
    """
    scores: dict[tuple[str, str], dict[Group, tuple[float, ...]]] = {}

    def drawn(names: Sequence[str]) -> list[str]:
        return sorted(names, key=lambda name: random.expovariate(10 ** (strengths[name] / 400)))

    for names in combinations(sorted(strengths), seats):
        for number in range(groups):
            first = drawn(names)
            others = range(1, factorial(seats))
            orders = [first, *(first if random.random() < alike else drawn(names) for _ in others)]
            for one, other in combinations(names, 2):
                before = tuple(float(o.index(one) < o.index(other)) for o in orders)
                scores.setdefault((one, other), {})[names, number] = before
    return scores


def run_sprt(results: Iterable[Result], one: str, other: str, tested: Hypotheses) -> Verdict:
    """Return the state of the test of `one` against `other`."""
    return Verdict((one, other), tested).add_results(results)
