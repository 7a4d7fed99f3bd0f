"""The rounds of an elimination in words, for all reports. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from tabnet.tournament.plan.elimination import Elimination, PlayerGroup
from tabnet.tournament.records.results import ERROR, Result


@frozen
class GameLine:
    """A game of a round that has ended."""

    id: str
    players: str
    """The players with their points, the best first, like `greedy (30), first (12, crash)`."""
    decision: str
    """The players who go on."""


@frozen
class RoundLines:
    """A round, over or not."""

    title: str
    games: tuple[GameLine, ...]


def describe_elimination(course: Elimination, results: Sequence[Result]) -> str:
    """Return the rounds and the winners as text."""
    parts = [
        "\n".join([each.title, *(f"  {game.players}: {game.decision}" for game in each.games)])
        for each in describe_rounds(course, results)
    ]
    return "\n\n".join([*describe_absent(course), *parts, *describe_ending(course)])


def describe_absent(course: Elimination) -> list[str]:
    """Return a sentence for each entrant that is out before the first round."""
    return [f"{name} did not connect: {reason}" for name, reason in course.absent.items()]


def describe_rounds(course: Elimination, results: Sequence[Result]) -> list[RoundLines]:
    """Return all rounds that have begun, with the games that have ended."""
    by_id = {result.game.id: result for result in results}
    rounds = []
    for each in course.rounds:
        is_last = course.ending is not None and each is course.rounds[-1]
        verbs = ("wins", "win") if is_last else ("goes on", "go on")
        games = (line for group in each.groups for line in _describe_games(group, by_id, verbs))
        title = f"Round {each.number}: {len(each.players)} players"
        rounds.append(RoundLines(title, tuple(games)))
    return rounds


def describe_ending(course: Elimination) -> list[str]:
    """Return a line with the reason why the elimination is over and its winners, or nothing."""
    if course.ending is None:
        return []
    return [f"{course.ending} {_name_all(course.winners, ('has won', 'have won'), 'Nobody')}."]


def _describe_games(
    group: PlayerGroup, results: Mapping[str, Result], verbs: tuple[str, str]
) -> Iterator[GameLine]:
    """Yield the games of a group that have ended."""
    for game in group.games:
        result = results.get(game.id)
        if result is None:
            return
        if game is not group.games[-1]:
            decision = "not played, because of a fault; the others play again"
        elif result.cause == ERROR:
            decision = f"the referee failed; {_name_all(game.seats, verbs)}"
        else:
            decision = _name_all(group.winners or (), verbs)
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


def _name_all(names: Sequence[str], verbs: tuple[str, str], nobody: str = "nobody") -> str:
    """Return names with the verb for one or for several."""
    *first, last = names or (nobody,)
    return f"{', '.join(first)} and {last} {verbs[1]}" if first else f"{last} {verbs[0]}"
