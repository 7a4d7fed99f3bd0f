"""Portable Draughts Notation: positions (FEN) and whole games of draughts as text.

Squares are numbered from the top left as White looks at the board, 1 = b8 .. 32 = g1.

Two conventions name the same game. Here White moves first, up the board; that is written `[GameType
"21,W,8,8,N2,0"]`. Published games have `[GameType "21"]` or no such tag: there Black moves first,
from squares 1 to 12. To convert, turn the board round and swap the names of the colours: square s
is 33 - s, Black is White. A `PdnGame` is always in the first convention, including the players'
names and the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import fill
from typing import TypeAlias, cast

from attrs import Factory, frozen

from tabnet.errors import InvalidMove, quote
from tabnet.games.api import Game, Move, Outcome, State
from tabnet.games.json_checks import refuse_position

WHITE_FIRST = "21,W,8,8,N2,0"
BLACK_FIRST = "21"

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

FEN_HINT = "like W:W21-24,K30:B1,2,K12, squares by number, 1 = b8 .. 32 = g1"

Numbers: TypeAlias = tuple[int, ...]
"""A route as the numbers of its squares."""

_PIECES = re.compile("(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?")
_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*|\$[0-9]+")
_VARIATION = re.compile(r"\([^()]*\)")
_MOVE_NUMBER = re.compile(r"[0-9]+\.+|\.+")
_MOVE = re.compile("([0-9]{1,2})(?:-([0-9]{1,2})|((?:x[0-9]{1,2})+))[!?]*")

_TURNED_PIECES = str.maketrans("bBwW", "wWbB")
_TURNED = {"1-0": "0-1", "0-1": "1-0", "White": "Black", "Black": "White"}


@frozen
class EarlyEnd:
    """The end of a recorded game by the rules of this package, before its last move."""

    moves: int
    """The number of moves up to this end."""
    outcome: Outcome
    """A draw: no other end leaves a legal move."""


@frozen
class PdnGame:
    """A recorded game in which White moves up the board."""

    start: State
    moves: tuple[Move, ...]
    result: str = "*"
    tags: dict[str, str] = Factory(dict)
    """Event, White, Black and similar tags, without Result, GameType, SetUp and FEN."""
    early_end: EarlyEnd | None = None
    """The end by the rules, if the players went on after it."""


def _find_board_index(number: int) -> int:
    """Return where a board text has the square with this number."""
    row, column = divmod(number - 1, 4)
    return row * 8 + column * 2 + (row + 1) % 2


_NUMBERS = {
    "abcdefgh"[_find_board_index(number) % 8] + "87654321"[_find_board_index(number) // 8]: number
    for number in range(1, 33)
}


def write_fen(board: str, side: int) -> str:
    """Return the FEN of a board text with the seat `side` to move; 0 is White."""
    pieces: dict[str, list[str]] = {"W": [], "B": []}
    for number in range(1, 33):
        piece = board[_find_board_index(number)]
        if piece != "0":
            pieces[piece.upper()].append(f"{'K' * piece.isupper()}{number}")
    return f"{'WB'[side]}:W{','.join(pieces['W'])}:B{','.join(pieces['B'])}"


def read_fen(text: str, field: str = "FEN") -> tuple[str, int]:
    """Return the board text of a FEN and the seat to move; raises `InvalidPosition` for `field`."""
    parts = text.strip().removesuffix(".").split(":")
    if len(parts) != 3 or parts[0] not in ("W", "B") or {parts[1][:1], parts[2][:1]} != {"W", "B"}:
        refuse_position(field, f"{quote(text)} is no FEN", FEN_HINT)
    board = ["0"] * 64
    for part in parts[1:]:
        for item in part[1:].split(",") if part[1:] else ():
            _place_pieces(item, part[0], board, field)
    return "".join(board), "WB".index(parts[0])


def _place_pieces(item: str, colour: str, board: list[str], field: str) -> None:
    """Put the pieces of one item, `21`, `K21` or `21-24`, on the board."""
    match = _PIECES.fullmatch(item)
    if match is None:
        refuse_position(field, f"{quote(item)} is no piece", FEN_HINT)
    numbers = range(int(match[2]), int(match[3] or match[2]) + 1)
    if not numbers or numbers[0] < 1 or numbers[-1] > 32:
        refuse_position(field, f"{quote(item)} is not within the squares 1 to 32", FEN_HINT)
    for number in numbers:
        if board[_find_board_index(number)] != "0":
            refuse_position(field, f"square {number} is named twice", FEN_HINT)
        board[_find_board_index(number)] = colour if match[1] else colour.lower()


def export_game(game: Game, played: PdnGame, *, black_first: bool = False) -> str:
    """Return `played` as PDN text; raises `IllegalMove` if it cannot be played.

    A capture is written short, `22x8`, unless another route has the same start and destination.
    `black_first` writes the game in the convention of published games.
    """
    tags, result, fen = played.tags, played.result, _get_fen(played.start)
    side = read_fen(fen)[1]
    if black_first:
        tags, result, fen = _switch_convention(tags, result, fen)
    tags = {**tags, "Result": result, "GameType": BLACK_FIRST if black_first else WHITE_FIRST}
    if played.start != game.start():
        tags |= {"SetUp": "1", "FEN": fen}
    lines = [f'[{name} "{_quote_tag(value)}"]\n' for name, value in tags.items()]
    words = [*_write_moves(game, played, side, black_first), result]
    return f"{''.join(lines)}\n{fill(' '.join(words), 79, break_on_hyphens=False)}\n"


def _get_fen(state: State) -> str:
    return cast(str, state.view()["seen"][-1])


def _switch_convention(
    tags: Mapping[str, str], result: str, fen: str
) -> tuple[dict[str, str], str, str]:
    board, side = read_fen(fen)
    return (
        {_TURNED.get(name, name): value for name, value in tags.items()},
        _TURNED.get(result, result),
        write_fen(board[::-1].translate(_TURNED_PIECES), 1 - side),
    )


def _quote_tag(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _write_moves(game: Game, played: PdnGame, side: int, black_first: bool) -> Iterator[str]:
    state = played.start
    for ply, move in enumerate(played.moves, side):
        if played.early_end is not None and _find_draw(state) is not None:
            state = _forget_history(game, state)
        following = state.apply(move)
        if ply == side or ply % 2 == 0:
            yield _write_move_number(ply)
        yield _write_move(
            _list_square_numbers(game, move, black_first),
            _index_legal_moves(game, state, black_first),
        )
        state = following


def _write_move_number(ply: int) -> str:
    return f"{ply // 2 + 1}." + ".." * (ply % 2)


def _index_legal_moves(game: Game, state: State, black_first: bool) -> dict[Numbers, Move]:
    moves = cast(tuple[Move, ...], state.actions())
    return {_list_square_numbers(game, move, black_first): move for move in moves}


def _list_square_numbers(game: Game, move: Move, black_first: bool) -> Numbers:
    numbers = (_NUMBERS[name] for name in game.dump_move(move)["route"])
    return tuple(33 - number if black_first else number for number in numbers)


def _write_move(route: Numbers, legal: Mapping[Numbers, Move]) -> str:
    """Return the shortest notation of `route` among the legal ones."""
    ends = route[0], route[-1]
    if abs((route[0] - 1) // 4 - (route[1] - 1) // 4) == 1:  # from one rank to the next: a step
        return f"{ends[0]}-{ends[1]}"
    rivals = sum((other[0], other[-1]) == ends for other in legal) - 1
    return "x".join(map(str, route if rivals else ends))


def import_game(game: Game, text: str, *, past_the_end: bool = False) -> PdnGame:
    """Return the one game that `text` records, replayed by the rules.

    Comments, variations and marks are ignored. A capture needs only as many squares as tell it from
    others. Raises `InvalidPosition` for tags and `InvalidMove` for moves.

    Players do not always claim a draw. With `past_the_end`, moves after a third repetition or after
    forty moves without progress are read too, and `early_end` says where the rules end the game.
    """
    tags, words = _split_pdn(text)
    result = _take_result(tags, words)
    black_first = _is_black_first(tags.pop("GameType", BLACK_FIRST))
    tags.pop("SetUp", None)
    fen = tags.pop("FEN", None)
    start = game.start()
    if black_first:
        tags, result, turned_fen = _switch_convention(tags, result, fen or _get_fen(start))
        fen = fen and turned_fen
    if fen is not None:
        start = game.load(fen)
    moves, early_end = _read_moves(game, start, words, black_first, past_the_end=past_the_end)
    return PdnGame(start, moves, result, tags, early_end)


def _split_pdn(text: str) -> tuple[dict[str, str], list[str]]:
    """Return the tags, and the words of the moves without comments, variations and numbers."""
    tags: dict[str, str] = {}
    end = 0
    while match := _TAG.match(text, end):
        tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        end = match.end()
    moves, shorter = "", _COMMENT.sub(" ", text[end:])
    while moves != shorter:
        moves, shorter = shorter, _VARIATION.sub(" ", shorter)
    words = _MOVE_NUMBER.sub(" ", moves).split()
    if not tags and not words:
        refuse_position("", "there is no game in the text")
    return tags, words


def _take_result(tags: dict[str, str], words: list[str]) -> str:
    """Remove the result from the tags and from the end of the moves, and return it."""
    tag = tags.pop("Result", None)
    result = words.pop() if words and words[-1] in RESULTS else tag or "*"
    if result not in RESULTS:
        hint = f"one of {', '.join(RESULTS)}"
        refuse_position("Result", f"{quote(result)} is no result", hint)
    if tag not in (None, result):
        text = f"the tag says {tag}, the moves end with {result}"
        refuse_position("Result", text, "the same twice")
    return result


def _is_black_first(game_type: str) -> bool:
    """Return the convention of a GameType tag: its number, then the colour that begins."""
    number, colour = [*game_type.split(","), "B"][:2]
    if number != "21" or colour not in ("W", "B"):
        hint = f"{BLACK_FIRST} if Black moves first, {WHITE_FIRST} if White does"
        text = f"GameType {quote(game_type)} is not English draughts"
        refuse_position("GameType", text, hint)
    return colour == "B"


def _read_moves(
    game: Game, state: State, words: list[str], black_first: bool, *, past_the_end: bool
) -> tuple[tuple[Move, ...], EarlyEnd | None]:
    """Return the moves, and the end by the rules if they go on after it."""
    moves: list[Move] = []
    early_end: EarlyEnd | None = None
    for ply, word in enumerate(words, read_fen(_get_fen(state))[1]):
        draw = _find_draw(state) if past_the_end else None
        if draw is not None:
            early_end = early_end or EarlyEnd(len(moves), draw)
            state = _forget_history(game, state)
        legal = _index_legal_moves(game, state, black_first)
        written = [_write_move(route, legal) for route in legal]
        fitting = _find_fitting_routes(word, legal)
        if len(fitting) != 1:
            problem = "fits more than one move" if fitting else "is no legal move"
            raise InvalidMove(
                f"move {_write_move_number(ply)} {word} {problem}",
                hint=f"legal here: {', '.join(written) or 'nothing, the game is over'}",
            )
        moves.append(legal[fitting[0]])
        state = state.apply(moves[-1])
    return tuple(moves), early_end


def _find_draw(state: State) -> Outcome | None:
    """Return the outcome if the position is a draw by the rules; a draw can leave legal moves."""
    outcome = state.outcome()
    return None if outcome is None or outcome.winners else outcome


def _forget_history(game: Game, state: State) -> State:
    """Return the position without the earlier ones, which can make it a draw."""
    return game.load(_get_fen(state))


def _find_fitting_routes(word: str, legal: Mapping[Numbers, Move]) -> list[Numbers]:
    """Return the legal routes that `word` may mean, or only the one that it spells out."""
    if not _MOVE.fullmatch(word):
        return []
    squares = tuple(map(int, re.findall("[0-9]+", word)))
    if squares in legal:
        return [squares]
    return [route for route in legal if _is_abbreviation(squares, route)]


def _is_abbreviation(squares: Numbers, route: Numbers) -> bool:
    """Return whether `squares` are the ends of `route` and some squares between, in order."""
    rest = iter(route[1:-1])
    ends = (squares[0], squares[-1]) == (route[0], route[-1])
    return ends and all(square in rest for square in squares[1:-1])
