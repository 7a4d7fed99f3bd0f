"""Loading positions of Fish from JSON values; errors name the wrong field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabnet.errors import quote
from tabnet.games.api import JSON
from tabnet.games.fish.board import COLOURS, LARGEST, MOST_FISH, PENGUIN, Sea, Spot
from tabnet.games.fish.state import FishState, give_turn_from
from tabnet.games.json_checks import is_equal_json, refuse_position, require_fields

Rows = tuple[tuple[int, ...], ...]

LONGEST_COLOUR = 32


def load_position(view: JSON) -> FishState:
    """Return the position of a view, or of a STATE alone.

    The first player moves next, or the next one who can. A STATE has no `penguins` and `out`: then
    all players play, and each has the usual number of penguins to place if the board has no
    penguin, else none.
    """
    if isinstance(view, dict) and "state" not in view:
        view = {"state": view}
    given = require_fields(view, "", ("state",), ("turn", "penguins", "out"))
    state = require_fields(given["state"], "state", ("players", "board"))
    board = read_board(state["board"], "state.board")
    players = _load_players(state["players"], board)
    out = _load_out(given.get("out", []), players)
    first = players[0]["color"]
    players = _order_by_seat(players)
    colours = tuple(player["color"] for player in players)
    sea = Sea(len(board), len(board[0]), _load_penguins(given, players), colours)
    places = tuple(None if player["color"] in out else player["places"] for player in players)
    cells = bytearray(fish for row in board for fish in row)
    for cell in (cell for penguins in places for cell in penguins or ()):
        cells[cell] += PENGUIN
    scores = tuple(player["score"] for player in players)
    loaded = give_turn_from(sea, bytes(cells), places, scores, colours.index(first))
    _check_turn(given, loaded)
    return loaded


def read_board(board: JSON, field: str) -> Rows:
    """Return the rows of a board, filled up with holes to the length of the longest."""
    if not isinstance(board, list | tuple) or len(board) not in range(1, LARGEST + 1):
        refuse_position(field, "the board is no list of rows", f"1 to {LARGEST} rows")
    for number, row in enumerate(board):
        if not isinstance(row, list | tuple) or len(row) > LARGEST:
            hint = f"at most {LARGEST} numbers of fish"
            refuse_position(f"{field}[{number}]", f"row {number} is no list of tiles", hint)
        for col, fish in enumerate(row):
            if type(fish) is not int or fish not in range(MOST_FISH + 1):
                text = f"{quote(fish)} is no number of fish"
                hint = f"1 to {MOST_FISH}, and 0 for a hole"
                refuse_position(f"{field}[{number}][{col}]", text, hint)
    cols = max(map(len, board))
    if cols == 0:
        refuse_position(field, "all rows of the board are empty")
    return tuple((*row, *[0] * (cols - len(row))) for row in board)


def _load_players(players: JSON, board: Rows) -> list[dict[str, JSON]]:
    """Return the listed players, each place as the number of its cell."""
    if not isinstance(players, list) or not players:
        refuse_position("state.players", "the players are no list of one or more")
    read: list[dict[str, JSON]] = []
    standing: set[int] = set()
    for number, player in enumerate(players):
        name = f"state.players[{number}]"
        given = require_fields(player, name, ("color", "score", "places"))
        colour, score, places = given["color"], given["score"], given["places"]
        if not isinstance(colour, str) or not 0 < len(colour) <= LONGEST_COLOUR:
            refuse_position(f"{name}.color", "a color is a string", " ".join(COLOURS))
        if any(other["color"] == colour for other in read):
            refuse_position(f"{name}.color", f"there are two players of color {quote(colour)}")
        if type(score) is not int or score < 0:
            text = f"{quote(score)} is no score"
            refuse_position(f"{name}.score", text, "an integer, 0 or more")
        if not isinstance(places, list):
            refuse_position(f"{name}.places", "the places are no list")
        cells = []
        for index, place in enumerate(places):
            cells.append(_load_cell(place, f"{name}.places[{index}]", board, standing))
            standing.add(cells[-1])
        read.append({"color": colour, "score": score, "places": tuple(sorted(cells))})
    return read


def _load_cell(place: JSON, name: str, board: Rows, standing: set[int]) -> int:
    """Return the cell of a penguin, which stands on a tile, and alone."""
    spot = read_spot(place, name)
    if spot.row not in range(len(board)) or spot.col not in range(len(board[0])):
        refuse_position(name, f"{spot} is not on the board")
    if not board[spot.row][spot.col]:
        refuse_position(name, f"there is no tile at {spot}")
    cell = spot.row * len(board[0]) + spot.col
    if cell in standing:
        refuse_position(name, f"there is a penguin at {spot} already")
    return cell


def read_spot(place: JSON, name: str) -> Spot:
    given = require_fields(place, name, ("row", "col"))
    for part in Spot._fields:
        if type(given[part]) is not int:
            refuse_position(f"{name}.{part}", f"{part} is not an integer")
    return Spot(given["row"], given["col"])


def _order_by_seat(players: list[dict[str, JSON]]) -> list[dict[str, JSON]]:
    """Return the players from seat 0 on, whose colour comes first in `COLOURS`."""

    def rank(seat: int) -> tuple[bool, int, str]:
        colour = players[seat]["color"]
        known = colour in COLOURS
        return not known, COLOURS.index(colour) if known else 0, colour

    first = min(range(len(players)), key=rank)
    return players[first:] + players[:first]


def _load_out(out: JSON, players: Sequence[Mapping[str, JSON]]) -> list[str]:
    if not isinstance(out, list):
        refuse_position("out", "out is no list of colors")
    for number, colour in enumerate(out):
        found = [player for player in players if player["color"] == colour]
        if not found or colour in out[:number]:
            refuse_position("out", f"{quote(colour)} is no player, or named twice")
        if found[0]["places"]:
            refuse_position("out", f"{colour} is out and has penguins on the board")
    return out


def _load_penguins(given: Mapping[str, JSON], players: Sequence[Mapping[str, JSON]]) -> int:
    if "penguins" not in given:
        placed = any(player["places"] for player in players)
        return 0 if placed else max(0, 6 - len(players))
    penguins: JSON = given["penguins"]
    if type(penguins) is not int or penguins not in range(LARGEST**2 + 1):
        text = f"{quote(penguins)} is no number of penguins"
        refuse_position("penguins", text, "an integer")
    return penguins


def _check_turn(given: Mapping[str, JSON], loaded: FishState) -> None:
    """Refuse a view whose `turn`, if it has one, is not what the rules say."""
    turn = given.get("turn", loaded.turn)
    if not is_equal_json(turn, loaded.turn):
        hint = "null" if loaded.turn is None else str(loaded.turn)
        refuse_position("turn", f"in this position the turn is not {quote(turn)}", hint)
