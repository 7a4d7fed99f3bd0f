"""A position of Nim, and the rules."""

from __future__ import annotations

from attrs import evolve, frozen
from tabnet.games.nim.refusals import refused

from tabnet.errors import InvalidMove
from tabnet.games.api import JSON, Action, Move, Outcome, Roll

SIDES = range(1, 7)
CHANCES = tuple((Roll(side), 1) for side in SIDES)


@frozen
class Take(Move):
    """A move: some stones leave the heap."""

    count: int


@frozen
class NimState:
    """The stones in the heap, the throw that is not yet played, and at the end the winner."""

    stones: int
    turn: int | None = 0
    dice: int | None = None
    won: int | None = None

    def actions(self) -> tuple[Action, ...]:
        """Return a throw, or a move for each number of stones that the die allows."""
        if self.turn is None:
            return ()
        if self.dice is None:
            return (Roll(),)
        return tuple(Take(count) for count in range(1, min(self.dice, self.stones) + 1))

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Return the six sides of the die if a throw is due."""
        return CHANCES if self.turn is not None and self.dice is None else ()

    def branches(self) -> int:
        """Return the number of positions that may follow."""
        return len(self.chances() or self.actions())

    def apply(self, action: Action) -> NimState:
        """Return the position after an action; raises `IllegalMove`."""
        if self.turn is None:
            raise refused("game_over")
        if isinstance(action, Roll) and self.dice is None:
            if not isinstance(action.outcome, int) or action.outcome not in SIDES:
                raise InvalidMove("a throw of Nim comes out as 1 to 6")
            return evolve(self, dice=action.outcome)
        if self.dice is None:
            raise refused("must_roll")
        if not isinstance(action, Take):
            raise refused("must_move")
        if action not in self.actions():
            most = min(self.dice, self.stones)
            raise refused("too_many", f"1 to {most}")
        left = self.stones - action.count
        return NimState(left, 1 - self.turn) if left else NimState(0, None, won=self.turn)

    def outcome(self) -> Outcome | None:
        """Return the win of the player who took the last stone."""
        if self.won is None:
            return None
        return Outcome((self.won,), (1 - self.won, self.won), "last_stone")

    def view(self) -> dict[str, JSON]:
        """Return the position as JSON values."""
        return {"stones": self.stones, "turn": self.turn, "dice": self.dice, "won": self.won}

    def __str__(self) -> str:
        return f"{self.stones} stones, die: {self.dice or 'not thrown'}"
