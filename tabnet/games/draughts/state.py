"""A position of draughts: its legal moves, their results, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from attrs import field, frozen

from tabnet.errors import IllegalMove, InvalidMove
from tabnet.games.api import JSON, Action, Outcome, Pass, Roll
from tabnet.games.draughts.board import (
    BOARD,
    BOTH,
    BOTTOM,
    COLOURS,
    DOWN,
    STEP_CHANGES,
    STEPS,
    TOP,
    UP,
    Change,
    DraughtsMove,
    Jumps,
    count_captures,
    find_captures,
    find_change_of_capture,
    iterate_bits,
    make_move_along,
    write_board,
)
from tabnet.games.draughts.refusals import explain_illegal_route
from tabnet.games.draughts.view import Key, format_board, write_key_as_fen

QUIET_LIMIT = 80
"""The number of moves, 40 by each side, without a capture or a man's move that make a draw."""


@frozen
class DraughtsState:
    """A position, seen from the side to move. The pieces are bits, as in `board`."""

    own: int
    enemy: int
    kings: int
    side: int
    """The seat to move, also if the game is over; 0 is White."""
    quiet: int = 0
    """The number of moves since the last capture or man's move."""
    seen: tuple[Key, ...] = ()
    """The known positions since then, without this one."""
    _known_moves: tuple[DraughtsMove, ...] | None = field(
        default=None, init=False, eq=False, repr=False
    )
    """The legal moves, once they have been found.

    It is a field, because a cached property makes every attribute of the class slow.
    """

    @property
    def key(self) -> Key:
        """Return the position without its history, for the tables of a search."""
        return self.own, self.enemy, self.kings, self.side

    @property
    def turn(self) -> int | None:
        return self.side if self._legal_moves else None

    def actions(self) -> tuple[DraughtsMove, ...]:
        return self._legal_moves

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        return ()

    def branches(self) -> int:
        if self._is_decided():
            return 0
        return sum(count_captures(*piece) for piece in self._find_jumping_pieces()) or sum(
            ends.bit_count() for ends in self._find_step_ends()
        )

    def apply(self, action: Action) -> DraughtsState:
        move = cast(DraughtsMove, action)
        change = self._find_step(move)
        if change is None:
            if move not in self._legal_moves:
                raise _explain_illegal_action(self, action)
            change = find_change_of_capture(move.route)
        start, end, taken = change
        own = self.own ^ start ^ end  # as it was, if a king circles back to where it started
        enemy = self.enemy ^ taken
        kings = self.kings & ~taken
        if start & kings:
            kings ^= start ^ end
            if not taken:
                seen = (*self.seen, self.key)
                return DraughtsState(enemy, own, kings, 1 - self.side, self.quiet + 1, seen)
        elif end & (TOP | BOTTOM):
            kings |= end
        return DraughtsState(enemy, own, kings, 1 - self.side)

    def outcome(self) -> Outcome | None:
        """Return the result. A side without pieces or moves loses before any draw counts."""
        if not self.enemy:
            return _make_win(self.side, "no_pieces")
        if not self.own:
            return _make_win(1 - self.side, "no_pieces")
        if not any(self._find_step_ends()) and not self._find_jumpers():
            return _make_win(1 - self.side, "no_moves")
        draw = self._find_draw_reason()
        return Outcome((), (0, 0), draw) if draw else None

    def view(self) -> dict[str, JSON]:
        """Return the position as JSON values.

        `seen` lists the positions since the last capture or man's move in PDN's notation, oldest
        first and this one last. If this one is in the list three times, the game is a draw.
        """
        return {
            "board": self.board,
            "turn": self.turn,
            "quiet": self.quiet,
            "seen": [write_key_as_fen(key) for key in (*self.seen, self.key)],
        }

    @property
    def board(self) -> str:
        """Return the board as 64 characters, rank 8 first; `0` is empty, `B` and `W` are kings."""
        white, black = (self.enemy, self.own) if self.side else (self.own, self.enemy)
        return write_board(white, black, self.kings)

    def __str__(self) -> str:
        return f"{format_board(self.board)}\n\n{self._describe_status()}"

    def _describe_status(self) -> str:
        outcome = self.outcome()
        if outcome is None:
            return f"{COLOURS[self.side]} to move"
        if outcome.winners:
            return f"{COLOURS[outcome.winners[0]]} has won ({outcome.reason})"
        return f"Draw ({outcome.reason})"

    def _find_step(self, move: DraughtsMove) -> Change | None:
        """Return the effect of a legal move that captures nothing, without finding all moves."""
        change = STEP_CHANGES.get(move)
        if change is None:
            return None
        start, end, _ = change
        is_ahead = (start > end) == bool(self.side)
        if not start & (self.own if is_ahead else self.own & self.kings):
            return None
        is_free = not end & (self.own | self.enemy)
        return change if is_free and not self._find_jumpers() and not self._is_decided() else None

    @property
    def _legal_moves(self) -> tuple[DraughtsMove, ...]:
        moves = self._known_moves
        if moves is None:
            moves = () if self._is_decided() else self._find_legal_moves()
            object.__setattr__(self, "_known_moves", moves)
        return moves

    def _find_legal_moves(self) -> tuple[DraughtsMove, ...]:
        if not self._find_jumpers():
            return tuple(self._find_quiet_moves())
        pieces = self._find_jumping_pieces()
        routes = [route for piece in pieces for route in find_captures(*piece)]
        return tuple([make_move_along(*reversed(route)) for route in routes])

    def _find_quiet_moves(self) -> list[DraughtsMove]:
        moves = []
        for ends, steps in zip(self._find_step_ends(), STEPS, strict=True):
            left = ends
            while left:
                end = left & -left
                moves.append(steps[end])
                left ^= end
        return moves

    def _find_step_ends(self) -> tuple[int, int, int, int]:
        """Return the empty squares that pieces can step to, for each of the `STEPS`."""
        ups, downs = self._split_pieces_by_direction()
        empty = BOARD ^ self.own ^ self.enemy
        return ups << 4 & empty, ups << 5 & empty, downs >> 5 & empty, downs >> 4 & empty

    def _find_jumping_pieces(self) -> Iterator[tuple[int, Jumps, int, int]]:
        """Yield the pieces that can capture, as arguments of `find_captures`."""
        enemy, empty = self.enemy, BOARD ^ self.own ^ self.enemy
        for piece in iterate_bits(self._find_jumpers()):
            jumps = BOTH if piece & self.kings else DOWN if self.side else UP
            # A king may come back to the square it started from.
            yield piece, jumps, enemy, empty | piece

    def _find_jumpers(self) -> int:
        """Return the pieces that can capture, as bits."""
        ups, downs = self._split_pieces_by_direction()
        enemy, empty = self.enemy, BOARD ^ self.own ^ self.enemy
        return ups & (enemy >> 4 & empty >> 8 | enemy >> 5 & empty >> 10) | downs & (
            enemy << 4 & empty << 8 | enemy << 5 & empty << 10
        )

    def _split_pieces_by_direction(self) -> tuple[int, int]:
        """Return the pieces that may go up the board, and those that may go down."""
        kings = self.own & self.kings
        return (kings, self.own) if self.side else (self.own, kings)

    def _is_decided(self) -> bool:
        """Return whether the game is over although there may be moves."""
        return not self.enemy or self._find_draw_reason() is not None

    def _find_draw_reason(self) -> str | None:
        if not self.quiet:
            return None
        if self.seen.count(self.key) >= 2:
            return "repetition"
        return "forty_moves" if self.quiet >= QUIET_LIMIT else None


def _make_win(seat: int, reason: str) -> Outcome:
    return Outcome((seat,), (1 - seat, seat), reason)


def _explain_illegal_action(state: DraughtsState, action: Action) -> IllegalMove | InvalidMove:
    if isinstance(action, Roll):
        return IllegalMove("no_roll", "draughts has no dice")
    if isinstance(action, Pass):
        return IllegalMove("no_pass", "draughts has no passing: a side without a move has lost")
    if not isinstance(action, DraughtsMove):
        return InvalidMove("a move of draughts is a DraughtsMove")
    outcome = state.outcome()
    if outcome is not None:
        return IllegalMove("game_over", f"the game is over ({outcome.reason})")
    return explain_illegal_route(
        state.board, state.side, [move.route for move in state.actions()], action.route
    )
