"""The rounds of an elimination in words, for all reports. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from tabnet.tournament.plan.elimination import Elimination, PlayerGroup
from tabnet.tournament.records.results import ERROR, Result
from tabnet.tournament.report.summary import TournamentSummary


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


def elimination_text(summary: TournamentSummary) -> str:
    """Return the rounds and the winners as text; empty for other formats."""
    parts = [
        "\n".join([each.title, *(f"  {game.players}: {game.decision}" for game in each.games)])
        for each in round_lines(summary)
    ]
    return "\n\n".join([*absent_lines(summary), *parts, *ending_lines(summary)])


def absent_lines(summary: TournamentSummary) -> list[str]:
    """Return a sentence for each entrant that is out before the first round."""
    return [f"{name} did not connect: {reason}" for name, reason in summary.absent.items()]


def round_lines(summary: TournamentSummary) -> list[RoundLines]:
    """Return the rounds of an elimination; none for other formats."""
    course = summary.elimination
    results = {result.game.id: result for result in summary.results}
    return [
        RoundLines(
            f"Round {each.number}: {len(each.players)} players",
            tuple(
                line
                for group in each.groups
                for line in _game_lines(group, results, _verbs(course, each.number))
            ),
        )
        for each in (course.rounds if course else ())
    ]


def ending_lines(summary: TournamentSummary) -> list[str]:
    """Return a line with the reason why an elimination is over, and with its winners."""
    course = summary.elimination
    if course is None or course.ending is None:
        return []
    return [f"{course.ending} {_sentence(course.winners, ('has won', 'have won'), 'Nobody')}."]


def _verbs(course: Elimination | None, number: int) -> tuple[str, str]:
    """Return the verbs for one and for several winners of a round."""
    is_last = course is not None and course.ending is not None and number == len(course.rounds)
    return ("wins", "win") if is_last else ("goes on", "go on")


def _game_lines(
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
            decision = f"the referee failed; {_sentence(game.seats, verbs)}"
        else:
            decision = _sentence(group.winners or (), verbs)
        yield GameLine(game.id, _players(result), decision)


def _players(result: Result) -> str:
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


def _sentence(names: Sequence[str], verbs: tuple[str, str], nobody: str = "nobody") -> str:
    """Return names with the verb for one or for several."""
    *first, last = names or (nobody,)
    return f"{', '.join(first)} and {last} {verbs[1]}" if first else f"{last} {verbs[0]}"
