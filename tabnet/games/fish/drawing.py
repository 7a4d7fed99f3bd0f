"""Fish drawn for a terminal: rows of tiles, odd rows shifted by half a tile."""

from __future__ import annotations

from tabnet.games.fish.board import get_column_letter
from tabnet.games.fish.typed_moves import name_tile
from tabnet.games.fish.view import choose_letter
from tabnet.games.terminal import Marks, Position, Row, draw_chip

WIDEST = 6
"""The columns of a tile."""
MARGIN = 4
"""The columns beside the tiles, for the numbers of the rows."""

STYLES = {
    "red": "bold bright_white on red3",
    "white": "bold black on bright_white",
    "brown": "bold bright_white on orange4",
    "black": "bold bright_white on grey11",
}
ICE = ("grey30 on light_cyan1", "grey30 on pale_turquoise1")
SEA = "grey50 on dodger_blue3"


def draw_in_terminal(position: Position, seat: int, marks: Marks, columns: int) -> list[Row]:  # noqa: ARG001 - all sit on the same side
    """Draw the tiles with their fish, a letter for each penguin, and the scores."""
    board, players = position["state"]["board"], position["state"]["players"]
    signs = {
        name_tile(place): _choose_sign(player["color"])
        for player in players
        for place in player["places"]
    }
    narrowest = len(f"[R{max(map(max, board))}]")
    width = max(narrowest, min(WIDEST, (columns - MARGIN - narrowest // 2) // len(board[0])))
    rows = [_draw_row(row, fish, signs, marks, width) for row, fish in enumerate(board)]
    names = [_format_column_letters(len(board[0]), width, row) for row in (0, 1)]
    return [names[0], *rows, names[1], (), _draw_scores(position)]


def _draw_row(
    row: int, fish: list[int], signs: dict[str, tuple[str, str]], marks: Marks, width: int
) -> Row:
    chips = []
    for col, count in enumerate(fish):
        name = name_tile({"row": row, "col": col})
        shade = ICE[col % 2] if count else SEA
        letter, style = signs.get(name, ("", ""))
        text = f"{letter}{count or '.'}".rjust(2)
        chips.append(draw_chip((text, style), marks.choose_marks_around(name), width, shade))
    return (
        _format_left_margin(row, width, f"{row:2} "),
        *(part for each in chips for part in each),
    )


def _format_left_margin(row: int, width: int, text: str) -> tuple[str, str]:
    return (f"{text:{MARGIN + (width // 2 if row % 2 else 0)}}", "dim")


def _format_column_letters(cols: int, width: int, row: int) -> Row:
    letters = "".join(
        f"{get_column_letter(col):>{width // 2 + 1}}".ljust(width) for col in range(cols)
    )
    return (_format_left_margin(row, width, ""), (letters, "dim"))


def _draw_scores(position: Position) -> Row:
    parts: list[tuple[str, str]] = [(" Fish: ", "")]
    scores = {player["color"]: player["score"] for player in position["state"]["players"]}
    for colour in position["players"].values():
        out = " (out)" if colour in position["out"] else ""
        letter, style = _choose_sign(colour)
        parts += [(f"{letter} {colour}", style), (f" {scores[colour]}{out}   ", "")]
    return tuple(parts)


def _choose_sign(colour: str) -> tuple[str, str]:
    return choose_letter(colour), STYLES.get(colour, "bold")
