"""A position of Plakoto, and its legal actions."""

from __future__ import annotations

from functools import cached_property

from attrs import frozen

from tabnet.errors import InvalidMove
from tabnet.games.api import JSON, PASS, THROW, Action, Outcome, Pass, Roll
from tabnet.games.plakoto.board import (
    MOVES,
    OFF,
    PlakotoMove,
    Survey,
    find_ending,
    iterate_points,
    move_checker,
    turned,
)
from tabnet.games.plakoto.refusals import explain_due_action, explain_illegal_move
from tabnet.games.plakoto.view import dump_board, format_board

CHANCES = tuple(
    (Roll((high, low)), 1 if high == low else 2)
    for high in range(1, 7)
    for low in range(1, high + 1)
)


@frozen
class PlakotoState:
    """A position. The board is seen by the player to act, and by White when the game is over."""

    board: bytes
    turn: int | None = 0
    dice: tuple[int, ...] = ()
    """The dice still to be played, the larger one first; () when a throw is due."""

    @cached_property
    def _legal_actions(self) -> tuple[Action, ...]:
        if self.turn is None:
            return ()
        if not self.dice:
            return THROW
        moves = MOVES[self.turn]
        return (
            tuple(
                moves[start][min(start + die, OFF)]
                for die, points in self._find_playable_points()
                for start in iterate_points(points)
            )
            or PASS
        )

    def _find_playable_points(self) -> tuple[tuple[int, int], ...]:
        """Return the points from which each die may be played, if most of the throw must be."""
        survey = Survey.survey_board(self.board)
        high, low = self.dice[0], self.dice[-1]
        by_high = survey.find_movable_points(high)
        if high == low:  # in whatever order one die is played, it can be played as often
            return ((high, by_high),)
        by_low = survey.find_movable_points(low)
        first_high = self._find_points_that_leave(low, by_high, high, by_low)
        first_low = self._find_points_that_leave(high, by_low, low, by_high)
        if first_high or first_low:
            # Where both dice bear a checker off, it is the smaller one that does.
            bearing_off = first_low & (2 << low) - 1
            return ((high, first_high & ~bearing_off), (low, first_low))
        return ((high, by_high),) if by_high else ((low, by_low),)

    def _find_points_that_leave(self, other: int, points: int, die: int, others: int) -> int:
        """Return those of the `points` from which `die` can be played, and then `other` as well.

        `others` are the points from which `other` can be played now. After the first move it still
        can from all of them but perhaps the point that was left. If the game ends, nothing more
        need be played.
        """
        if others & others - 1:
            return points
        found = 0
        for start in iterate_points(points):
            bit = 1 << OFF - start
            after = move_checker(self.board, start, min(start + die, OFF))
            if (
                others & ~bit
                or find_ending(after)
                or Survey.survey_board(after).find_movable_points(other)
            ):
                found |= bit
        return found

    def actions(self) -> tuple[Action, ...]:
        return self._legal_actions

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Return the 21 pairs of dice of a due throw with their weights of 36."""
        return CHANCES if self._legal_actions is THROW else ()

    def branches(self) -> int:
        return len(self.chances() or self._legal_actions)

    def apply(self, action: Action) -> PlakotoState:
        """Return the position after `action`; the dice of a throw may come in either order."""
        seat, legal = self.turn, self._legal_actions
        if seat is not None:
            if isinstance(action, PlakotoMove) and action in legal:
                return self._apply_move(action, seat)
            if isinstance(action, Roll) and legal is THROW:
                return PlakotoState(self.board, seat, convert_throw_to_dice(action.outcome))
            if isinstance(action, Pass) and legal is PASS:
                return PlakotoState(turned(self.board), 1 - seat)
        if isinstance(action, PlakotoMove):
            moves = [move for move in legal if isinstance(move, PlakotoMove)]
            raise explain_illegal_move(self.board, seat, self.dice, moves, action)
        raise explain_due_action(seat, self.dice, legal is PASS)

    def _apply_move(self, move: PlakotoMove, seat: int) -> PlakotoState:
        start, to = (OFF - move.start, OFF - move.to) if seat else (move.start, move.to)
        board = move_checker(self.board, start, to)
        if find_ending(board):
            return PlakotoState(turned(board) if seat else board, None)
        used = min(die for die in self.dice if die >= to - start)
        left = list(self.dice)
        left.remove(used)
        if left:
            return PlakotoState(board, seat, tuple(left))
        return PlakotoState(turned(board), 1 - seat)

    def outcome(self) -> Outcome | None:
        end = None if self.turn is not None else find_ending(self.board)
        if end is None:
            return None
        won, points, reason = end
        if won is None:
            return Outcome((), (0, 0), reason)
        return Outcome((1 - won,), (points * won, points * (1 - won)), reason)

    @property
    def must_pass(self) -> int | None:
        return self.turn if self._legal_actions is PASS else None

    @property
    def _board_as_white(self) -> bytes:
        return turned(self.board) if self.turn else self.board

    def view(self) -> dict[str, JSON]:
        outcome = self.outcome()
        return {
            **dump_board(self._board_as_white),
            "won": list(outcome.points if outcome else (0, 0)),
            "turn": self.turn,
            "dice": list(self.dice) or None,
            "mustPass": self.must_pass,
        }

    def __str__(self) -> str:
        return format_board(
            self._board_as_white, self.turn, self.dice, self.outcome(), self._legal_actions is PASS
        )


def convert_throw_to_dice(outcome: object) -> tuple[int, ...]:
    """Return a throw as dice to be played: a double four times, else the larger die first."""
    if (
        type(outcome) is not tuple
        or len(outcome) != 2
        or any(type(die) is not int or die not in range(1, 7) for die in outcome)
    ):
        raise InvalidMove("a throw of Plakoto comes out as two dice of 1 to 6")
    high, low = max(outcome), min(outcome)
    return (high,) * 4 if high == low else (high, low)
