"""A position of Tab, and its legal actions."""

from __future__ import annotations

from attrs import field, frozen

from tabnet.errors import IllegalMove, InvalidMove
from tabnet.games.api import JSON, PASS, THROW, Action, Outcome, Pass, Roll
from tabnet.games.tab.board import (
    COLOURS,
    EMPTY,
    HOME,
    IN_MOTION,
    KEEP_PLAYING,
    LAST,
    OWN,
    REACHED,
    SEAT,
    UNMOVED,
    VALUE,
    WEIGHTS,
    Table,
    TabMove,
    find_destinations,
    mirror_row,
    move_table,
)
from tabnet.games.tab.refusals import list_targets, make_refusal
from tabnet.games.tab.view import dump_board, dump_dice, format_board, name_throw

HOME_ROWS = tuple(mirror_row(HOME, seat) for seat in range(2))
CHANCES = tuple((Roll(sticks), weight) for sticks, weight in WEIGHTS.items())


@frozen
class TabState:
    """A position of Tab.

    `board` has one byte a cell: 0, or `SEAT * seat + stage` of the piece there. `sticks` is the
    throw to be played, or None.
    """

    board: bytes
    turn: int | None = 0
    sticks: int | None = None
    _known_moves: tuple[Action, ...] | None = field(default=None, init=False, eq=False, repr=False)
    """The legal moves after a throw, once they have been found.

    It is a field, because a cached property makes every attribute of the class slow.
    """

    @property
    def size(self) -> int:
        return len(self.board) // 4

    @property
    def _legal_actions(self) -> tuple[Action, ...]:
        if self.turn is None:
            return ()
        if self.sticks is None:
            return THROW
        moves = self._known_moves
        if moves is None:
            moves = self._list_moves_of_throw(self.turn, VALUE[self.sticks])
            object.__setattr__(self, "_known_moves", moves)
        return moves or (THROW if KEEP_PLAYING[self.sticks] else PASS)

    def _list_moves_of_throw(self, seat: int, value: int) -> tuple[Action, ...]:
        board, own = self.board, OWN[seat]
        table = self._get_move_table(seat, value)
        moves = [
            move
            for cell, piece in enumerate(board)
            if piece in own
            for move in table[piece][cell]
            if board[move.to] not in own
        ]
        return tuple(moves)

    def _get_move_table(self, seat: int, value: int) -> Table:
        return move_table(len(self.board) // 4, seat, value, self._is_last_row_open(seat))

    def _is_last_row_open(self, seat: int) -> bool:
        size = len(self.board) // 4
        home = size * HOME_ROWS[seat]
        return OWN[seat].isdisjoint(self.board[home : home + size])

    def actions(self) -> tuple[Action, ...]:
        return self._legal_actions

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Return the five values of a due throw, each as one throw with its weight."""
        return CHANCES if self._legal_actions is THROW else ()

    def branches(self) -> int:
        return len(self.chances() or self._legal_actions)

    def apply(self, action: Action) -> TabState:
        """Return the position after `action`; a throw may be any of the 16 of four sticks."""
        seat, sticks = self.turn, self.sticks
        if isinstance(action, TabMove):
            if seat is None or sticks is None or not self._is_legal(action, seat, VALUE[sticks]):
                raise self._explain_illegal_move(action.cell, action.to)
            return self._apply_move(action, seat, seat if KEEP_PLAYING[sticks] else 1 - seat)
        if seat is not None:
            if isinstance(action, Roll) and self._legal_actions is THROW:
                return TabState(self.board, seat, _check_throw(action.outcome))
            if isinstance(action, Pass) and self._legal_actions is PASS:
                return TabState(self.board, 1 - seat)
        raise make_refusal(self._find_demand_code())

    def _is_legal(self, move: TabMove, seat: int, value: int) -> bool:
        """Return True if a throw of `value` allows the move, without finding all moves."""
        board, own = self.board, OWN[seat]
        if move.cell not in range(len(board)) or (piece := board[move.cell]) not in own:
            return False
        moves = self._get_move_table(seat, value)[piece][move.cell]
        return move in moves and board[move.to] not in own

    def _apply_move(self, move: TabMove, seat: int, next_turn: int) -> TabState:
        board = bytearray(self.board)
        captured = board[move.to]
        in_last_row = mirror_row(move.to // self.size, seat) == LAST
        stage = REACHED if in_last_row else IN_MOTION
        board[move.to] = max(board[move.cell], SEAT * seat + stage)
        board[move.cell] = EMPTY
        is_over = captured and OWN[1 - seat].isdisjoint(board)
        return TabState(bytes(board), None if is_over else next_turn)

    def targets(self, cell: int) -> tuple[int, ...]:
        """Return the destinations of the piece on `cell`; raises `IllegalMove` if it has none."""
        moves = [
            move for move in self._legal_actions if isinstance(move, TabMove) and move.cell == cell
        ]
        if not moves:
            raise self._explain_illegal_move(cell)
        return tuple(move.to for move in moves)

    def _find_demand_code(self) -> str:
        """Return the code of the refusal of everything illegal now."""
        if self.turn is None:
            return "game_over"
        if self.sticks is None:
            return "must_roll"
        if self._legal_actions is THROW:
            return "must_roll_again"
        return "must_pass" if self._legal_actions is PASS else "must_move"

    def _explain_illegal_move(self, cell: int, to: int | None = None) -> IllegalMove:
        """Return why the piece on `cell` may not go to `to`, or anywhere if that is None."""
        demand = self._find_demand_code()
        if self.turn is None or self.sticks is None or demand != "must_move":
            return make_refusal(demand)
        seat, value = self.turn, VALUE[self.sticks]
        if cell not in range(len(self.board)) or self.board[cell] not in OWN[seat]:
            return make_refusal("no_piece")
        stage = self.board[cell] % SEAT
        if stage == UNMOVED and value != 1:
            return make_refusal("first_move")
        if mirror_row(cell // self.size, seat) == LAST and not self._is_last_row_open(seat):
            return make_refusal("blocked_row")
        reached = find_destinations(cell, self.size, seat, stage, value)
        if to is not None and to not in reached:
            return make_refusal("wrong_distance", f"{cell} {list_targets(reached)}")
        return make_refusal("own_piece")

    def outcome(self) -> Outcome | None:
        if self.turn is not None:
            return None
        winner = self._find_winner()
        return Outcome((winner,), (1 - winner, winner), "all_captured")

    def _find_winner(self) -> int:
        return int(OWN[0].isdisjoint(self.board))

    @property
    def must_pass(self) -> int | None:
        return self.turn if self._legal_actions is PASS else None

    def view(self) -> dict[str, JSON]:
        return {
            "pieces": dump_board(self.board),
            "turn": self.turn,
            "dice": dump_dice(self.sticks),
            "mustPass": self.turn if self._legal_actions is PASS else None,
        }

    def __str__(self) -> str:
        return f"{format_board(self.board)}\n{self._describe_status()}"

    def _describe_status(self) -> str:
        if self.turn is None:
            winner = self._find_winner()
            return f"{COLOURS[winner]} has won: no {COLOURS[1 - winner]} piece is left."
        player = COLOURS[self.turn]
        if self.sticks is None:
            return f"{player} is to throw."
        consequence = {
            "must_move": " and is to move",
            "must_roll_again": ", cannot move, and throws again",
            "must_pass": ", cannot move, and must pass",
        }[self._find_demand_code()]
        return f"{player} has thrown {name_throw(VALUE[self.sticks])}{consequence}."


def _check_throw(outcome: object) -> int:
    if type(outcome) is not int or outcome not in range(16):
        raise InvalidMove("a throw of Tab comes out as 0 to 15: four sticks, four bits")
    return outcome
