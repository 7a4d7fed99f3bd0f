"""How games have ended: what the referee saw, and who is to blame, as results. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from tabnet.games.api import Move, Outcome
from tabnet.protocol.codes import CODES
from tabnet.server.core.matches.match import Match
from tabnet.tournament.records.results import (
    ERROR,
    NORMAL,
    OUT,
    Blame,
    Result,
    ScheduledGame,
    ThinkingTime,
)

CRASHES_TO_BE_OUT = 3
"""So many in a row."""


@frozen
class Fault:
    """Why a player cannot play on."""

    cause: str
    """One of `CRASHES`."""
    detail: str


@frozen
class Observations:
    """What the arena has seen of a game beside the referee's match."""

    faults: Mapping[int, Fault]
    """Of the seats that it has taken out."""
    said: Mapping[int, str]
    """By seat, what its player said last before it was over for it."""


def ended(game: ScheduledGame, match: Match, outcome: Outcome, seen: Observations) -> Result:
    """The result of a match.

    The cause is that of its end. Who was taken out before, while the others played on, is told
    beside it with a cause of its own.
    """
    removed = [_blame(match, seat, seen) for seat in match.out]
    has_ended_it = len(removed) == len(game.seats) - 1  # nobody is left to play with
    last = removed.pop() if has_ended_it else None
    cause, culprit, detail = NORMAL if outcome.winners else "draw", None, ""
    if last is not None and last.cause != NORMAL:
        cause, culprit, detail = last.cause, last.seat, last.detail
    elif outcome.reason == "max_moves":
        cause = "max_moves"
    return Result(
        game=game,
        winners=outcome.winners,
        points=outcome.points,
        cause=cause,
        culprit=culprit,
        detail=detail,
        reason=outcome.reason,
        moves=match.actions,
        thinking=_thinking(match),
        places=places(outcome, match.out),
        removed=tuple(removed),
    )


def places(outcome: Outcome, removed: Sequence[int]) -> tuple[int, ...]:
    """The place of each seat: the winners, then by points, then who was removed, the last first.

    Who shares a place shares the better one.
    """

    def rank(seat: int) -> tuple[int, ...]:
        if seat in removed:
            return (1, -removed.index(seat))
        return (0, seat not in outcome.winners, -outcome.points[seat])

    ranks = [rank(seat) for seat in range(len(outcome.points))]
    return tuple(1 + sum(other < own for other in ranks) for own in ranks)


def _blame(match: Match, seat: int, seen: Observations) -> Blame:
    """Why somebody was taken out."""
    clock = match.terms.clock
    moment = match.removal(seat)
    if seat in seen.faults:
        return Blame(seat, seen.faults[seat].cause, seen.faults[seat].detail)
    if moment.event == "timeout":
        of, limit = ("a move", clock.move) if clock.move else ("the game", clock.total)
        cause = "timeout_move" if clock.move else "timeout_total"
        return Blame(seat, cause, f"more than {limit:g} s for {of}")
    if moment.event == "illegal":
        return Blame(seat, "illegal_move", f"{CODES[moment.word]}: {seen.said[seat]}")
    return Blame(seat, NORMAL, "it gave the game up")


def _thinking(match: Match) -> tuple[ThinkingTime, ...]:
    times: list[list[int]] = [[] for _ in match.seats]
    for before, moment in zip(match.moments, match.moments[1:], strict=False):
        if isinstance(moment.action, Move) and moment.seat is not None:
            times[moment.seat].append(moment.at - before.at)
    return tuple(ThinkingTime(len(took), sum(took), max(took, default=0)) for took in times)


def not_begun(game: ScheduledGame, faults: Sequence[Fault | None]) -> Result:
    """The result of a game to which not all players came, each with its fault or None."""
    return _unplayed(
        game, [Blame(s, fault.cause, fault.detail) for s, fault in enumerate(faults) if fault]
    )


def forfeited(game: ScheduledGame, out: Collection[str]) -> Result:
    """The result of a game that is not played, for these entrants are out."""
    detail = f"out after {CRASHES_TO_BE_OUT} crashes in a row"
    return _unplayed(
        game, [Blame(s, OUT, detail) for s, name in enumerate(game.seats) if name in out]
    )


def _unplayed(game: ScheduledGame, guilty: Sequence[Blame]) -> Result:
    """Who is not to blame has won."""
    first, *others = guilty
    losers = [each.seat for each in guilty]
    seats = range(len(game.seats))
    winners = tuple(seat for seat in seats if seat not in losers)
    return Result(
        game=game,
        winners=winners,
        points=tuple(int(seat in winners) for seat in seats),
        cause=first.cause,
        culprit=first.seat,
        detail=first.detail,
        reason=first.cause,
        moves=0,
        thinking=(ThinkingTime(0, 0, 0),) * len(game.seats),
        removed=tuple(others),
    )


def failed(game: ScheduledGame, detail: str) -> Result:
    """Return the result of a game whose referee failed too often: nobody wins, nobody is to blame.

    `detail` says how the referee failed the last time.
    """
    return Result(
        game=game,
        winners=(),
        points=(0,) * len(game.seats),
        cause=ERROR,
        culprit=None,
        detail=detail,
        reason=ERROR,
        moves=0,
        thinking=(ThinkingTime(0, 0, 0),) * len(game.seats),
    )


def place_of_exit(
    name: str, order: Sequence[ScheduledGame], results: dict[str, Result]
) -> int | None:
    """After which place in the order of games an entrant is out; None if it is not.

    Only what is before its first game without a result counts, so that it does not matter in which
    order games have ended. A game that ended with `error` says nothing about its bots: it neither
    counts as a crash nor ends a row of crashes.
    """
    crashes = 0
    for place, game in enumerate(order):
        if name not in game.seats:
            continue
        if game.id not in results:
            return None
        if results[game.id].cause == ERROR:
            continue
        crashes = crashes + 1 if results[game.id].crashed(game.seats.index(name)) else 0
        if crashes == CRASHES_TO_BE_OUT:
            return place
    return None
