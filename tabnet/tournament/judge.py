"""How games have ended: what the referee saw, and who is to blame, as results. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import frozen

from tabnet.errors import CODES
from tabnet.games.api import Move, Outcome
from tabnet.server.match import Match
from tabnet.tournament.results import CRASHES, NORMAL, OUT, Game, Result, Thinking

CRASHES_TO_BE_OUT = 3
"""So many in a row."""


@frozen
class Fault:
    """Why a player cannot play on."""

    cause: str
    """One of `CRASHES`."""
    detail: str


def ended(
    game: Game, match: Match, outcome: Outcome, fault: Fault | None, last_said: Sequence[str]
) -> Result:
    """The result of a match; `fault` is what it was stopped for, `last_said` each player's line."""
    cause, culprit, detail = NORMAL if outcome.winners else "draw", None, ""
    last = match.moments[-1]
    if fault is not None and outcome.reason == fault.cause:
        cause, culprit, detail = fault.cause, last.seat, fault.detail
    elif outcome.reason == "max_moves":
        cause = "max_moves"
    elif outcome.reason == "timeout":
        culprit = last.seat
        limit = match.terms.clock.move or match.terms.clock.total
        cause = "timeout_move" if match.terms.clock.move else "timeout_total"
        detail = f"more than {limit:g} s for {'a move' if match.terms.clock.move else 'the game'}"
    elif outcome.reason == "illegal_move" and last.seat is not None:
        cause, culprit = "illegal_move", last.seat
        detail = f"{CODES[last.word]}: {last_said[culprit]}"
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
    )


def _thinking(match: Match) -> tuple[Thinking, ...]:
    times: list[list[int]] = [[] for _ in match.seats]
    for before, moment in zip(match.moments, match.moments[1:], strict=False):
        if isinstance(moment.action, Move) and moment.seat is not None:
            times[moment.seat].append(moment.at - before.at)
    return tuple(Thinking(len(took), sum(took), max(took, default=0)) for took in times)


def not_begun(game: Game, faults: Sequence[Fault | None]) -> Result:
    """The result of a game to which not all players came, each with its fault or None."""
    guilty = {seat: fault for seat, fault in enumerate(faults) if fault is not None}
    first = next(iter(guilty.values()))
    return _unplayed(game, list(guilty), first.cause, first.detail)


def forfeited(game: Game, out: Collection[str]) -> Result:
    """The result of a game that is not played, for these entrants are out."""
    guilty = [seat for seat, name in enumerate(game.seats) if name in out]
    detail = f"out after {CRASHES_TO_BE_OUT} crashes in a row"
    return _unplayed(game, guilty, OUT, detail)


def _unplayed(game: Game, guilty: Sequence[int], cause: str, detail: str) -> Result:
    seats = range(len(game.seats))
    winners = tuple(seat for seat in seats if seat not in guilty)
    return Result(
        game=game,
        winners=winners,
        points=tuple(int(seat in winners) for seat in seats),
        cause=cause,
        culprit=guilty[0],
        detail=detail,
        reason=cause,
        moves=0,
        thinking=(Thinking(0, 0, 0),) * len(game.seats),
    )


def crashed(result: Result, name: str) -> bool:
    """Whether the fault was that entrant's program."""
    culprit = result.culprit
    return result.cause in CRASHES and culprit is not None and result.game.seats[culprit] == name


def place_of_exit(name: str, order: Sequence[Game], results: dict[str, Result]) -> int | None:
    """After which place in the order of games an entrant is out; None if it is not.

    Only what is before its first game without a result counts, so that it does not matter in which
    order games have ended.
    """
    crashes = 0
    for place, game in enumerate(order):
        if name not in game.seats:
            continue
        if game.id not in results:
            return None
        crashes = crashes + 1 if crashed(results[game.id], name) else 0
        if crashes == CRASHES_TO_BE_OUT:
            return place
    return None
