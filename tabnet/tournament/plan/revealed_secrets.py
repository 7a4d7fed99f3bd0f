"""The secrets of throws that results may reveal, and what is special about the throws. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import factorial

from tabnet.games import GAMES
from tabnet.tournament.plan.plan import ELIMINATION, Plan, derive_secret
from tabnet.tournament.records.entrants_and_results import Group, Result
from tabnet.tournament.records.throw_secrets import hash_seed


def reveal_secrets(plan: Plan, results: Sequence[Result]) -> dict[str, bytes]:
    """Return the secrets of the throws of games by id: of each pair or group that is over.

    A game with throws of its own reveals them at its end, if it has been played.
    """
    if not GAMES[plan.kind].uses_chance:
        return {}
    groups: defaultdict[Group, list[Result]] = defaultdict(list)
    for result in results:
        groups[result.game.group].append(result)
    revealed = {}
    for (names, number), played in groups.items():
        if plan.has_own_throws(names):
            for each in filter(lambda result: result.nonce, played):
                seats, nonce = each.game.seats, each.nonce
                revealed[each.game.id] = derive_secret(plan, seats, number, nonce)
        elif plan.format == ELIMINATION or len(played) == factorial(len(names)):
            revealed |= dict.fromkeys(
                (each.game.id for each in played), derive_secret(plan, names, number)
            )
    return revealed


def describe_throws(plan: Plan) -> list[str]:
    """Return sentences about throws that are not mirrored, or do not follow from the seed."""
    rules = GAMES[plan.kind]
    if not rules.uses_chance or not plan.remote or not plan.secrets:
        return []
    own = [name for name in plan.names if plan.has_own_throws([name])]
    sentences = []
    one, what = ("throws", "throws") if rules.has_dice else ("a board", "boards")
    if plan.format != ELIMINATION:
        sentences.append(
            f"Games with {_join_names(own)} are not mirrored: each has {one} of its own, because "
            "a remote bot plays all games on one connection."
        )
    latest = plan.secrets[-1]
    if plan.seed is not None and latest.value != hash_seed(plan.seed):
        whose = f" in games with {_join_names(plan.names[latest.first :])}" if latest.first else ""
        sentences.append(
            f"The {what}{whose} come from random bits and not from the seed, because "
            f"{_join_names(own)} {'is' if len(own) == 1 else 'are'} remote."
        )
    return sentences


def _join_names(names: Sequence[str]) -> str:
    """Return names in words: `a`, `a and b`, `a, b and c`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
