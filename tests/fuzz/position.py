"""Positions of the model: the naive rules, in the form of updates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.games.draughts.naive import NaiveGame, read, write
from tests.games.fish.naive import COLOURS, NaiveFish
from tests.games.plakoto.naive import NaivePlakoto, result_of
from tests.games.tab.naive import NaiveTab

JSON = dict[str, Any]
Ending = tuple[list[int], str, list[int]]
"""Winners, why, and the points of each seat."""

TAB_REFUSALS = {"no_piece", "own_piece", "first_move", "blocked_row", "wrong_distance"}
DRAUGHTS_REFUSALS = {
    *("no_piece", "wrong_direction", "must_capture", "must_continue", "too_far"),
    *("occupied", "no_capture", "wrong_distance", "invalid_move"),
}
FISH_REFUSALS = {
    *("must_place", "all_placed", "no_piece", "wrong_direction", "blocked"),
    *("hole", "occupied", "off_board", "invalid_move"),
}
PLAKOTO_REFUSALS = {
    *("no_piece", "pinned", "wrong_direction", "wrong_distance", "closed_point", "not_home"),
    "must_play_most",
}


class Position(ABC):
    """The part of a position that all kinds share."""

    turn: int | None

    @abstractmethod
    def moves(self) -> list[JSON]:
        """Return the moves that notify accepts in one step."""

    def could_play(self, seat: int) -> list[JSON]:
        """Return the actions of a seat, as if it were its turn."""
        return self.moves() if seat == self.turn else []


class Tab(Position):
    """A position of Tab, and the piece that is held."""

    colours = ("Blue", "Red")
    has_chance = True

    def __init__(self, options: JSON, _seats: int, _dealt: Iterator[int]) -> None:
        self.naive = NaiveTab.start(options["size"])
        self.held: int | None = None
        self.marks: JSON = {"step": "from"}

    @property
    def turn(self) -> int | None:
        return None if self.naive.winner() is not None else self.naive.turn

    def expects(self) -> str:
        """The command that is due."""
        ply = self.naive.plies()[0][0]
        return {"roll": "roll", "pass": "pass", "move": "notify"}[ply]

    def moves(self) -> list[JSON]:
        if self.turn is None or self.expects() != "notify":
            return []
        found = [{"cell": ply[1], "to": ply[2]} for ply in self.naive.plies()]
        return [move for move in found if self.held in (None, move["cell"])]

    def is_misshapen(self, fields: JSON) -> bool:
        cells = range(4 * self.naive.size)
        return (
            "cell" not in fields
            or "route" in fields
            or not all(value in cells for value in fields.values())
        )

    def why_not(self, cmd: str, fields: JSON) -> set[str]:
        """The codes with which a command may be refused; none if it is legal."""
        due = self.expects()
        if cmd == "notify":
            return self._why_not_notify(due, fields)
        if cmd == due:
            return set()
        return {self._demand(due)}

    def _demand(self, due: str) -> str:
        if due == "roll":
            return "must_roll" if self.naive.sticks is None else "must_roll_again"
        return "must_pass" if due == "pass" else "must_move"

    def _why_not_notify(self, due: str, fields: JSON) -> set[str]:
        if self.is_misshapen(fields):
            return {"invalid_move"}
        if due != "notify":
            return {self._demand(due)}
        return set() if self._meant(fields) is not None else TAB_REFUSALS

    def _meant(self, fields: JSON) -> tuple[Any, ...] | None:
        """Return the move of a notify, or None if it is illegal."""
        cell, to = fields["cell"], fields.get("to")
        legal = [(move["cell"], move["to"]) for move in self.moves()]
        if to is not None:
            return ("move", cell, to) if (cell, to) in legal else None
        if self.held is not None:
            if cell == self.held:
                return ("release",)
            return ("move", self.held, cell) if (self.held, cell) in legal else None
        targets = [target for start, target in legal if start == cell]
        if len(targets) == 1:
            return ("move", cell, targets[0])
        return ("select", cell, sorted(targets)) if targets else None

    def roll(self, drawn: Iterator[int]) -> None:
        byte = next(drawn)
        sticks = tuple(bool(byte >> stick & 1) for stick in range(4))
        self.naive, self.marks = self.naive.play(("roll", sticks)), {"step": "from"}

    def give_up_turn(self) -> None:
        self.naive, self.marks = self.naive.play(("pass",)), {"step": "from"}

    def notify(self, fields: JSON) -> JSON:
        """Play a legal one; gives back what the event says of it."""
        meant = self._meant(fields)
        assert meant is not None
        self.held, self.marks = None, {"step": "from"}
        if meant[0] == "select":
            self.held = meant[1]
            self.marks = {"step": "to", "cell": meant[1], "selected": meant[2]}
        elif meant[0] == "move":
            self.naive = self.naive.play(meant)
            self.marks |= {"cell": meant[1], "selected": [meant[1], meant[2]]}
            return {"type": "move", "cell": meant[1], "to": meant[2]}
        return {"type": meant[0]}

    def rest(self) -> None:
        """Nothing is held, and nothing was moved last."""
        self.held, self.marks = None, {"step": "from"}

    def view(self) -> JSON:
        return self.naive.view() | self.marks

    def result(self) -> Ending | None:
        winner = self.naive.winner()
        if winner is None:
            return None
        return [winner], "all_captured", [int(seat == winner) for seat in (0, 1)]


class Draughts(Position):
    """A position of draughts."""

    colours = ("White", "Black")
    has_chance = False
    held = None

    def __init__(self, _options: JSON, _seats: int, _dealt: Iterator[int]) -> None:
        self.naive = NaiveGame()

    @property
    def turn(self) -> int | None:
        return None if self.naive.result() else "wb".index(self.naive.side)

    def expects(self) -> str:
        return "notify"

    def moves(self) -> list[JSON]:
        return [{"route": route} for route in self.naive.moves()]

    def is_misshapen(self, fields: JSON) -> bool:
        return set(fields) != {"route"} or len(fields["route"]) < 2

    def why_not(self, cmd: str, fields: JSON) -> set[str]:
        if cmd != "notify":
            return {f"no_{cmd}"}
        if self.is_misshapen(fields):
            return {"invalid_move"}
        return set() if fields in self.moves() else DRAUGHTS_REFUSALS

    def notify(self, fields: JSON) -> JSON:
        self.naive.play(fields["route"])
        return {"type": "move", "route": fields["route"]}

    def rest(self) -> None:
        pass

    def view(self) -> JSON:
        naive = self.naive
        seen = [fen(read(text), side) for text, side in naive.history[-(naive.quiet + 1) :]]
        return {
            "board": write(naive.board),
            "turn": self.turn,
            "quiet": naive.quiet,
            "seen": seen,
        }

    def result(self) -> Ending | None:
        ended = self.naive.result()
        if ended is None:
            return None
        winners = ["wb".index(side) for side in ended[0]]
        return winners, ended[1], [int(seat in winners) for seat in (0, 1)]


def fen(board: dict[tuple[int, int], str], side: str) -> str:
    """A position in PDN's notation."""
    dark = [(f, r) for r in range(8, 0, -1) for f in range(1, 9) if (f + r) % 2 == 0]
    parts = []
    for colour in "wb":
        numbers = [
            f"{'K' if board[square].isupper() else ''}{number}"
            for number, square in enumerate(dark, 1)
            if board.get(square, "").lower() == colour
        ]
        parts.append(colour.upper() + ",".join(numbers))
    return ":".join([side.upper(), *parts])


class Fish(Position):
    """A position of Fish, on a board that is dealt as protocol.md tells."""

    colours = tuple(COLOURS)
    has_chance = True
    held = None

    def __init__(self, options: JSON, seats: int, dealt: Iterator[int]) -> None:
        rows, cols = options["rows"], options["cols"]
        tiles = [(row, col) for row in range(rows) for col in range(cols)]
        for _ in range(options["holes"]):
            n = len(tiles)
            del tiles[next(byte for byte in dealt if byte < n * (256 // n)) % n]
        board = [[0] * cols for _ in range(rows)]
        for row, col in tiles:
            given = options.get("fish")
            board[row][col] = given or next(byte for byte in dealt if byte < 255) % 5 + 1
        self.naive = NaiveFish(board, seats)

    @property
    def turn(self) -> int | None:
        turn: int | None = self.naive.turn
        return turn

    def expects(self) -> str:
        return "notify"

    def moves(self) -> list[JSON]:
        return deepcopy(self.naive.moves())

    def could_play(self, seat: int) -> list[JSON]:
        return [] if self.turn is None else deepcopy(self.naive.moves_of(seat))

    def is_misshapen(self, fields: JSON) -> bool:
        shaped = set(fields) in ({"place"}, {"from", "to"})
        return not shaped or not all(type(place) is dict for place in fields.values())

    def why_not(self, cmd: str, fields: JSON) -> set[str]:
        if cmd != "notify":
            return {f"no_{cmd}"}
        if self.is_misshapen(fields):
            return {"invalid_move"}
        return set() if fields in self.moves() else FISH_REFUSALS

    def notify(self, fields: JSON) -> JSON:
        self.naive.play(deepcopy(fields))
        return {"type": "move", **fields}

    def kick(self, seat: int) -> None:
        """This player is out."""
        self.naive.kick(seat)

    def rest(self) -> None:
        pass

    def view(self) -> JSON:
        view: JSON = self.naive.view()
        return view

    def result(self) -> Ending | None:
        if self.turn is not None:
            return None
        reason = "no_moves" if len(self.naive.playing()) > 1 else "others_out"
        scores = [player["score"] for player in self.naive.state["players"]]
        return self.naive.winners(), reason, scores


class Plakoto(Position):
    """A position of Plakoto."""

    colours = ("White", "Black")
    has_chance = True
    held = None

    def __init__(self, _options: JSON, _seats: int, _dealt: Iterator[int]) -> None:
        self.naive = NaivePlakoto.start()

    @property
    def turn(self) -> int | None:
        turn: int | None = self.naive.view()["turn"]
        return turn

    def expects(self) -> str:
        return {"roll": "roll", "pass": "pass", "move": "notify"}[self.naive.plies()[0][0]]

    def moves(self) -> list[JSON]:
        plies = [ply for ply in self.naive.plies() if ply[0] == "move"]
        return [{"from": start, "to": end} for _, start, end in plies]

    def is_misshapen(self, fields: JSON) -> bool:
        if set(fields) != {"from", "to"} or any(type(fields[name]) is not int for name in fields):
            return True
        return not (1 <= fields["from"] <= 24 and 0 <= fields["to"] <= 25)

    def why_not(self, cmd: str, fields: JSON) -> set[str]:
        due = self.expects()
        if cmd == "notify" and self.is_misshapen(fields):
            return {"invalid_move"}
        if cmd == due:
            return set() if cmd != "notify" or fields in self.moves() else PLAKOTO_REFUSALS
        return {{"roll": "must_roll", "pass": "must_pass", "notify": "must_move"}[due]}

    def roll(self, drawn: Iterator[int]) -> None:
        dice = [next(byte for byte in drawn if byte < 252) % 6 + 1 for _ in range(2)]
        self.naive = self.naive.play(("roll", *dice))

    def give_up_turn(self) -> None:
        self.naive = self.naive.play(("pass",))

    def notify(self, fields: JSON) -> JSON:
        self.naive = self.naive.play(("move", fields["from"], fields["to"]))
        return {"type": "move", **fields}

    def rest(self) -> None:
        pass

    def view(self) -> JSON:
        return self.naive.view()

    def result(self) -> Ending | None:
        ended = result_of(self.naive.stacks)
        if ended is None:
            return None
        winners, points = ended
        reason = "borne_off" if 15 in self.view()["off"] else "mother"
        return [*winners], reason if winners else "both_mothers", [*points]


POSITIONS: dict[str, type[Position]] = {
    "tab": Tab,
    "draughts": Draughts,
    "fish": Fish,
    "plakoto": Plakoto,
}
