"""Elimination tournaments: each round's players form groups, and the winners go on. Pure.

Each group plays one game. A game that cannot begin because of faulty entrants is replaced by a game
of the others. A game that its referee cannot finish costs no entrant its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from tabnet.tournament.plan.plan import Plan, make_game_id
from tabnet.tournament.records.entrants_and_results import ERROR, NORMAL, Result, ScheduledGame

FAULTY, OUT, PLAYING, WON = range(4)
"""The ranks of players who have come equally far."""


@frozen
class PlayerGroup:
    players: tuple[str, ...]
    games: tuple[ScheduledGame, ...]
    """The known games: one, and another one after each game that could not begin."""
    winners: tuple[str, ...] | None
    """The players who go on, in their order; None while a game is missing."""
    faults: Mapping[str, str]
    """The causes of the players who are out for a fault."""


@frozen
class Round:
    number: int
    """The number of the round, from 1."""
    groups: tuple[PlayerGroup, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """All players of the round, in their order."""
        return tuple(name for group in self.groups for name in group.players)

    @property
    def is_over(self) -> bool:
        return all(group.winners is not None for group in self.groups)

    @property
    def winners(self) -> tuple[str, ...]:
        """The players who go on by the results so far, in their order."""
        return tuple(name for group in self.groups for name in group.winners or ())


@frozen
class Elimination:
    """The rounds of a tournament, over or not."""

    rounds: tuple[Round, ...]
    players: tuple[str, ...]
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
        for each in self.rounds:
            for group in each.groups:
                yield from group.games


def compute_rounds(plan: Plan, played: Sequence[Result]) -> Elimination:
    """Return all rounds whose players are known by these results."""
    results = {result.game.id: result for result in played}
    absent = plan.absent or {}
    players = tuple(name for name in plan.names if name not in absent)
    rounds: list[Round] = []
    while (ending := _find_ending(plan.seats, rounds, players)) is None:
        groups = group_players(players, plan.seats)
        number = len(rounds) + 1
        rounds.append(
            Round(number, tuple(_evaluate_group(plan, each, number, results) for each in groups))
        )
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


def _find_ending(seats: int, rounds: Sequence[Round], players: Sequence[str]) -> str | None:
    """Return the reason why there is no further round for these players, or None."""
    if rounds and len(rounds[-1].players) <= seats:
        return f"Round {len(rounds)} was the final, because it had at most {seats} players."
    if len(rounds) > 1 and rounds[-1].winners == rounds[-2].winners:
        return f"Rounds {len(rounds) - 1} and {len(rounds)} had the same winners."
    return "Fewer than two players are left." if len(players) < 2 else None


def _evaluate_group(
    plan: Plan, players: tuple[str, ...], number: int, results: Mapping[str, Result]
) -> PlayerGroup:
    """Return a group with the winners by these results."""
    games: list[ScheduledGame] = []
    faults: dict[str, str] = {}
    winners: tuple[str, ...] | None = players
    while winners is not None and len(winners) > 1:
        id = make_game_id(plan, winners, number, 0)
        games.append(ScheduledGame(id=id, pair=number, seats=winners, round=number))
        result = results.get(id)
        if result is None:
            winners = None
            break
        faults |= _collect_faults(result)
        if result.moves or not result.blamed:
            if result.cause != ERROR:
                winners = tuple(winners[seat] for seat in sorted(result.winners))
            break
        # The game has not been played: the players who are not to blame play another one.
        out = [winners[each.seat] for each in result.blamed]
        winners = tuple(name for name in winners if name not in out)
    return PlayerGroup(players, tuple(games), winners, faults)


def _collect_faults(result: Result) -> dict[str, str]:
    """Return the causes of the players who are out for a fault; a resignation is none."""
    seats = result.game.seats
    return {seats[each.seat]: each.cause for each in result.blamed if each.cause != NORMAL}


def describe_standings(plan: Plan, played: Sequence[Result]) -> dict[str, str]:
    """Return how far each entrant has come, the best first."""
    if plan.absent is None:
        return dict.fromkeys(plan.names, "signed up")
    elimination = compute_rounds(plan, played)
    found = dict.fromkeys(plan.names, (-1, OUT, "did not connect"))
    for each in elimination.rounds:
        for group in each.groups:
            for name in group.players:
                found[name] = _describe_standing(each.number, group, name)
    for name in elimination.winners:
        found[name] = (len(elimination.rounds), WON, "winner")
    order = sorted(plan.names, key=lambda name: found[name][:2], reverse=True)
    return {name: found[name][2] for name in order}


def _describe_standing(number: int, group: PlayerGroup, name: str) -> tuple[int, int, str]:
    """Return the round, the rank within it and the standing of a player in a group."""
    if name in group.faults:
        return number, FAULTY, f"out in round {number}: {group.faults[name]}"
    if group.winners is None or name in group.winners:
        return number, PLAYING, f"in round {number}"
    return number, OUT, f"out in round {number}"
