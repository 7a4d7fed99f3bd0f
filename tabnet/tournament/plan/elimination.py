"""Elimination tournaments: each round's players form groups, and the winners go on. Pure.

Each group plays one game. A game that cannot begin because of faulty entrants is replaced by a game
of the others. A game that its referee cannot finish costs no entrant its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from tabnet.tournament.plan.plan import Plan, game_id
from tabnet.tournament.records.results import ERROR, NORMAL, Result, ScheduledGame

GAME_NUMBER = 0
"""The number of a group's only game in its round."""
FAULTY, OUT, PLAYING, WON = range(4)
"""The ranks of players who have come equally far."""


@frozen
class PlayerGroup:
    """A group of players in a round."""

    players: tuple[str, ...]
    games: tuple[ScheduledGame, ...]
    """The known games: one, and another one after each game that could not begin."""
    winners: tuple[str, ...] | None
    """The players who go on, in their order; None while a game is missing."""
    faults: Mapping[str, str]
    """The causes of the players who are out for a fault."""


@frozen
class Round:
    """A round, over or not."""

    number: int
    """The number of the round, from 1."""
    groups: tuple[PlayerGroup, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """All players of the round, in their order."""
        return tuple(name for group in self.groups for name in group.players)

    @property
    def is_over(self) -> bool:
        """True if every game of the round has a result."""
        return all(group.winners is not None for group in self.groups)

    @property
    def winners(self) -> tuple[str, ...]:
        """The players who go on by the results so far, in their order."""
        return tuple(name for group in self.groups for name in group.winners or ())

    @property
    def remaining(self) -> tuple[str, ...]:
        """The players who go on, or who may still go on."""
        known = ((group.players, group.winners) for group in self.groups)
        return tuple(
            name for players, winners in known for name in (players if winners is None else winners)
        )

    @property
    def faults(self) -> dict[str, str]:
        """The causes of the players who are out for a fault."""
        return {name: cause for group in self.groups for name, cause in group.faults.items()}


@frozen
class Elimination:
    """The rounds of a tournament, over or not."""

    rounds: tuple[Round, ...]
    players: tuple[str, ...]
    """The players of the latest round, or its winners when the tournament is over."""
    ending: str | None
    """The reason why the tournament is over, as a sentence; None while it goes on."""
    absent: Mapping[str, str]
    """The entrants that did not connect before the first round, with the reasons."""

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners of the tournament; none before its end."""
        return () if self.ending is None else self.players

    @property
    def games(self) -> Iterator[ScheduledGame]:
        """All known games, in playing order."""
        for each in self.rounds:
            for group in each.groups:
                yield from group.games


def elimination(plan: Plan, played: Sequence[Result]) -> Elimination:
    """Return all rounds whose players are known by these results."""
    results = {result.game.id: result for result in played}
    absent = plan.absent or {}
    players = tuple(name for name in plan.names if name not in absent)
    rounds: list[Round] = []
    while (ending := _ending(plan.seats, rounds, players)) is None:
        groups = group_players(players, plan.seats)
        number = len(rounds) + 1
        rounds.append(Round(number, tuple(_play(plan, each, number, results) for each in groups)))
        if not rounds[-1].is_over:
            break
        players = rounds[-1].winners
    return Elimination(tuple(rounds), players, ending, absent)


def group_players(players: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Return groups of `seats` players in their order, and the rest in smaller groups.

    If one player would remain alone, there is one full group fewer: then a group with one player
    less, and a group of two. `seats` is at least 3, and there are at least two players.
    """
    sizes = [seats] * (len(players) // seats)
    rest = len(players) % seats
    if rest == 1:
        sizes[-1:] = [seats - 1, 2]
    elif rest:
        sizes.append(rest)
    remaining = iter(players)
    return [tuple(next(remaining) for _ in range(size)) for size in sizes]


def _ending(seats: int, rounds: Sequence[Round], players: Sequence[str]) -> str | None:
    """Return the reason why there is no further round for these players, or None."""
    if rounds and len(rounds[-1].players) <= seats:
        return f"Round {len(rounds)} was the final, because it had at most {seats} players."
    if len(rounds) > 1 and rounds[-1].winners == rounds[-2].winners:
        return f"Rounds {len(rounds) - 1} and {len(rounds)} had the same winners."
    return "Fewer than two players are left." if len(players) < 2 else None


def _play(
    plan: Plan, players: tuple[str, ...], number: int, results: Mapping[str, Result]
) -> PlayerGroup:
    """Return a group with the winners by these results."""
    games: list[ScheduledGame] = []
    faults: dict[str, str] = {}
    winners: tuple[str, ...] | None = players
    while winners is not None and len(winners) > 1:
        id = game_id(plan, winners, number, GAME_NUMBER)
        games.append(ScheduledGame(id=id, pair=number, seats=winners, round=number))
        result = results.get(id)
        if result is None:
            winners = None
            break
        faults |= _faults(result)
        if result.moves or not result.blamed:
            winners = _winners(result)
            break
        # The game has not been played: the players who are not to blame play another one.
        out = [winners[each.seat] for each in result.blamed]
        winners = tuple(name for name in winners if name not in out)
    return PlayerGroup(players, tuple(games), winners, faults)


def _faults(result: Result) -> dict[str, str]:
    """Return the causes of the players who are out for a fault; a resignation is none."""
    seats = result.game.seats
    return {seats[each.seat]: each.cause for each in result.blamed if each.cause != NORMAL}


def _winners(result: Result) -> tuple[str, ...]:
    """Return the players who go on after a game."""
    if result.cause == ERROR:
        return result.game.seats
    return tuple(result.game.seats[seat] for seat in sorted(result.winners))


def standings(plan: Plan, played: Sequence[Result]) -> dict[str, str]:
    """Return how far each entrant has come, the best first."""
    if plan.absent is None:
        return dict.fromkeys(plan.names, "signed up")
    course = elimination(plan, played)
    found = dict.fromkeys(plan.names, (-1, OUT, "did not connect"))
    for each in course.rounds:
        for name in each.players:
            found[name] = _standing(each, name)
    for name in course.winners:
        found[name] = (len(course.rounds), WON, "winner")
    order = sorted(plan.names, key=lambda name: found[name][:2], reverse=True)
    return {name: found[name][2] for name in order}


def _standing(current: Round, name: str) -> tuple[int, int, str]:
    """Return the round, the rank within it and the standing of a player in this round."""
    number = current.number
    cause = current.faults.get(name)
    if cause is not None:
        return number, FAULTY, f"out in round {number}: {cause}"
    if name in current.remaining:
        return number, PLAYING, f"in round {number}"
    return number, OUT, f"out in round {number}"
