"""Draughts once more, as plainly as can be, to compare with: no bits, no tables, no caches.

A board is a dict (file, rank) -> one of `bBwW`, files and ranks from 1; the side is "w" or "b".
"""

from __future__ import annotations

from itertools import pairwise

START = "0b0b0b0bb0b0b0b00b0b0b0b0000000000000000w0w0w0w00w0w0w0ww0w0w0w0"


def read(text):
    """The board of a text of 64 characters, rank 8 first."""
    return {
        (place % 8 + 1, 8 - place // 8): piece for place, piece in enumerate(text) if piece != "0"
    }


def write(board):
    return "".join(board.get((file, rank), "0") for rank in range(8, 0, -1) for file in range(1, 9))


def read_fen(fen):
    """Board and side of a FEN without ranges."""
    dark = [(f, r) for r in range(8, 0, -1) for f in range(1, 9) if (f + r) % 2 == 0]
    side, *parts = fen.split(":")
    board = {}
    for part in parts:
        for item in part[1:].split(","):
            king = item.startswith("K")
            piece = part[0] if king else part[0].lower()
            board[dark[int(item.lstrip("K")) - 1]] = piece
    return board, side.lower()


def name(square):
    return f"{'?abcdefgh'[square[0]]}{square[1]}"


def square_of(text):
    return "?abcdefgh".index(text[0]), int(text[1])


def other(side):
    return "b" if side == "w" else "w"


def ways(piece):
    """The directions in which a piece may go."""
    up, down = [(-1, 1), (1, 1)], [(-1, -1), (1, -1)]
    return {"w": up, "b": down}.get(piece, up + down)


def on_board(square):
    return 1 <= square[0] <= 8 and 1 <= square[1] <= 8


def crowned(piece, square):
    if (piece == "w" and square[1] == 8) or (piece == "b" and square[1] == 1):
        return piece.upper()
    return piece


def steps(board, at):
    for df, dr in ways(board[at]):
        to = (at[0] + df, at[1] + dr)
        if on_board(to) and to not in board:
            yield [at, to]


def jumps(board, at, piece):
    """The routes on from `at` of a piece that has been lifted off the board."""
    for df, dr in ways(piece):
        over, to = (at[0] + df, at[1] + dr), (at[0] + 2 * df, at[1] + 2 * dr)
        if on_board(to) and to not in board and board.get(over, piece).lower() != piece.lower():
            rest = {square: other for square, other in board.items() if square != over}
            # A man that has become a king does not go on.
            longer = [] if crowned(piece, to) != piece else list(jumps(rest, to, piece))
            for route in longer or [[to]]:
                yield [at, *route]


def moves(board, side):
    """Every legal route, as a list of lists of names."""
    own = [square for square in board if board[square].lower() == side]
    captures = []
    for at in own:
        lifted = {square: piece for square, piece in board.items() if square != at}
        captures += jumps(lifted, at, board[at])
    found = captures or [route for at in own for route in steps(board, at)]
    return [[name(square) for square in route] for route in found]


def play(board, route):
    """The board after a legal route."""
    squares = [square_of(text) for text in route]
    after = dict(board)
    piece = after.pop(squares[0])
    for at, to in pairwise(squares):
        if abs(at[0] - to[0]) == 2:
            del after[(at[0] + to[0]) // 2, (at[1] + to[1]) // 2]
    after[squares[-1]] = crowned(piece, squares[-1])
    return after


def perft(board, side, depth):
    if depth == 0:
        return 1
    return sum(perft(play(board, route), other(side), depth - 1) for route in moves(board, side))


class NaiveGame:
    """A game that remembers everything that ever stood on its board."""

    def __init__(self, board=None, side="w"):
        self.board = board or read(START)
        self.side = side
        self.history = [(write(self.board), side)]
        self.quiet = 0

    def moves(self):
        return [] if self.result() else moves(self.board, self.side)

    def play(self, route):
        man = self.board[square_of(route[0])].islower()
        after = play(self.board, route)
        self.quiet = 0 if man or len(after) < len(self.board) else self.quiet + 1
        self.board, self.side = after, other(self.side)
        self.history.append((write(after), self.side))

    def result(self):
        """None, or the winner ("" if drawn) and the reason."""
        pieces = [piece.lower() for piece in self.board.values()]
        for side in "wb":
            if side not in pieces:
                return other(side), "no_pieces"
        if not moves(self.board, self.side):
            return other(self.side), "no_moves"
        if self.history.count(self.history[-1]) >= 3:
            return "", "repetition"
        if self.quiet >= 80:
            return "", "forty_moves"
        return None
