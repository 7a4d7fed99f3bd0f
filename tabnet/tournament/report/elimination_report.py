"""The rounds of an elimination in words, for all reports. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from tabnet.tournament.plan.elimination import Elimination, PlayerGroup
from tabnet.tournament.records.entrants_and_results import ERROR, Result


@frozen
class GameLine:
    """A game of a round that has ended."""

    id: str
    players: str
    """The players with their points, the best first, like `greedy (30), first (12, crash)`."""
    decision: str


@frozen
class RoundLines:
    title: str
    games: tuple[GameLine, ...]


def describe_elimination(elimination: Elimination, results: Sequence[Result]) -> str:
    parts = [
        "\n".join([each.title, *(f"  {game.players}: {game.decision}" for game in each.games)])
        for each in describe_rounds(elimination, results)
    ]
    return "\n\n".join([*describe_absent(elimination), *parts, *describe_ending(elimination)])


def describe_absent(elimination: Elimination) -> list[str]:
    """Return a sentence for each entrant that is out before the first round."""
    return [f"{name} did not connect: {reason}" for name, reason in elimination.absent.items()]


def describe_rounds(elimination: Elimination, results: Sequence[Result]) -> list[RoundLines]:
    """Return all rounds that have begun, with the games that have ended."""
    by_id = {result.game.id: result for result in results}
    rounds = []
    for each in elimination.rounds:
        is_last = elimination.ending is not None and each is elimination.rounds[-1]
        verbs = ("wins", "win") if is_last else ("goes on", "go on")
        games = (line for group in each.groups for line in _describe_games(group, by_id, verbs))
        title = f"Round {each.number}: {len(each.players)} players"
        rounds.append(RoundLines(title, tuple(games)))
    return rounds


def describe_ending(elimination: Elimination) -> list[str]:
    """Return a line with the reason why the elimination is over and its winners, or nothing."""
    if elimination.ending is None:
        return []
    winners = _join_with_verb(elimination.winners, ("has won", "have won"), "Nobody")
    return [f"{elimination.ending} {winners}."]


def _describe_games(
    group: PlayerGroup, results: Mapping[str, Result], verbs: tuple[str, str]
) -> Iterator[GameLine]:
    for game in group.games:
        result = results.get(game.id)
        if result is None:
            return
        if game is not group.games[-1]:
            decision = "not played, because of a fault; the others play again"
        elif result.cause == ERROR:
            decision = f"the referee failed; {_join_with_verb(game.seats, verbs)}"
        else:
            decision = _join_with_verb(group.winners or (), verbs)
        yield GameLine(game.id, _list_players(result), decision)


def _list_players(result: Result) -> str:
    """Return the players, the best first, with their points and with the causes of removals."""
    causes = {each.seat: each.cause for each in result.blamed}
    seats = sorted(range(len(result.places)), key=lambda seat: result.places[seat])
    parts = []
    for seat in seats:
        facts = [str(result.points[seat])] if result.moves else []
        facts += [causes[seat]] if seat in causes else []
        about = f" ({', '.join(facts)})" if facts else ""
        parts.append(f"{result.game.seats[seat]}{about}")
    return ", ".join(parts)


def _join_with_verb(names: Sequence[str], verbs: tuple[str, str], nobody: str = "nobody") -> str:
    """Return names with the verb for one or for several."""
    *first, last = names or (nobody,)
    return f"{', '.join(first)} and {last} {verbs[1]}" if first else f"{last} {verbs[0]}"
