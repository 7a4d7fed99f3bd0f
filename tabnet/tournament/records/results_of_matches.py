"""Results of matches, and of games that were not played. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from tabnet.games.api import Move, Outcome
from tabnet.protocol.error_codes import CODES
from tabnet.server.core.matches.match import Match
from tabnet.tournament.records.entrants_and_results import (
    ERROR,
    NORMAL,
    OUT,
    Blame,
    Result,
    ScheduledGame,
    ThinkingTime,
)

CRASHES_TO_BE_OUT = 3
"""The number of crashes in a row after which a bot is out."""


@frozen
class Fault:
    """The reason why a player cannot play on."""

    cause: str
    """One of `CRASHES`."""
    detail: str


def make_match_result(
    game: ScheduledGame,
    match: Match,
    outcome: Outcome,
    faults: Mapping[int, Fault],
    last_lines: Mapping[int, str],
    cpu_ms: Sequence[float | None],
) -> Result:
    """Return the result of a match.

    The cause is that of its end. Players that were removed while the others played on have their
    own causes. `faults` are those of the seats that the server has removed, `last_lines` the last
    lines of all players that are out, and `cpu_ms` the CPU times of the seats, if they are known.
    """
    removed = [
        Blame(seat, faults[seat].cause, faults[seat].detail)
        if seat in faults
        else _explain_removal(match, seat, last_lines)
        for seat in match.out
    ]
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
        thinking=_measure_thinking(match, cpu_ms),
        places=rank_seats(outcome, match.out),
        removed=tuple(removed),
    )


def rank_seats(outcome: Outcome, removed: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat: the winners, then by points, then the removed, the last first.

    Players that share a place share the better one.
    """

    def rank(seat: int) -> tuple[int, ...]:
        if seat in removed:
            return (1, -removed.index(seat))
        return (0, seat not in outcome.winners, -outcome.points[seat])

    ranks = [rank(seat) for seat in range(len(outcome.points))]
    return tuple(1 + sum(other < own for other in ranks) for own in ranks)


def _explain_removal(match: Match, seat: int, last_lines: Mapping[int, str]) -> Blame:
    """Return the reason why the rules or the clock removed a seat."""
    clock = match.terms.clock
    moment = match.find_removal(seat)
    if moment.event == "timeout":
        of, limit = ("a move", clock.move) if clock.move else ("the game", clock.total)
        cause = "timeout_move" if clock.move else "timeout_total"
        return Blame(seat, cause, f"more than {limit:g} s for {of}")
    if moment.event == "illegal":
        return Blame(seat, "illegal_move", f"{CODES[moment.word]}: {last_lines[seat]}")
    return Blame(seat, NORMAL, "it gave the game up")


def _measure_thinking(match: Match, cpu_ms: Sequence[float | None]) -> tuple[ThinkingTime, ...]:
    times: list[list[int]] = [[] for _ in match.seats]
    for before, moment in zip(match.moments, match.moments[1:], strict=False):
        if isinstance(moment.action, Move) and moment.seat is not None:
            times[moment.seat].append(moment.at - before.at)
    return tuple(
        ThinkingTime(len(took), sum(took), max(took, default=0), cpu)
        for took, cpu in zip(times, cpu_ms, strict=True)
    )


def make_unbegun_result(game: ScheduledGame, faults: Sequence[Fault | None]) -> Result:
    """Return the result of a game that could not begin, from the fault or None of each player."""
    return _make_unplayed_result(
        game, [Blame(s, fault.cause, fault.detail) for s, fault in enumerate(faults) if fault]
    )


def make_forfeit_result(game: ScheduledGame, out: Collection[str]) -> Result:
    """Return the result of a game that is not played because these entrants are out."""
    detail = f"out after {CRASHES_TO_BE_OUT} crashes in a row"
    return _make_unplayed_result(
        game, [Blame(s, OUT, detail) for s, name in enumerate(game.seats) if name in out]
    )


def _make_unplayed_result(game: ScheduledGame, guilty: Sequence[Blame]) -> Result:
    """Return a result in which the players that are not to blame have won."""
    first, *others = guilty
    seats = range(len(game.seats))
    winners = tuple(seat for seat in seats if all(each.seat != seat for each in guilty))
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


def make_failed_result(game: ScheduledGame, detail: str) -> Result:
    """Return the result of a game whose referee failed too often; `detail` is the last failure."""
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


def find_exit(name: str, own: Sequence[ScheduledGame], results: dict[str, Result]) -> int | None:
    """Return the index of the game after which an entrant is out; None if it is not.

    `own` are its games in playing order. Only those before its first game without a result count,
    so the order in which games end makes no difference. A game that ended with `error` neither
    counts as a crash nor ends a row of crashes.
    """
    crashes = 0
    for index, game in enumerate(own):
        if game.id not in results:
            return None
        if results[game.id].cause == ERROR:
            continue
        crashes = crashes + 1 if results[game.id].has_crashed(game.seats.index(name)) else 0
        if crashes == CRASHES_TO_BE_OUT:
            return index
    return None
