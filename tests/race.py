"""A kind for two to four players, made up for tests: dice, dealt prizes, and players who drop out.

After a throw of n, a player takes one of the first n remaining prizes, or passes if there is none.
When all prizes are taken, most points win.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from attrs import evolve, frozen

from tabnet.errors import IllegalMove, InvalidMove
from tabnet.games.api import JSON, Action, Game, Move, Outcome, Pass, Roll
from tabnet.games.field_declarations import KindFields
from tabnet.protocol.fields import Clock
from tabnet.server.core.matches.terms import Terms

PRIZES = 4
COLOURS = ("red", "white", "brown", "black")


@frozen
class Take(Move):
    cell: int


@frozen
class RaceState:
    """`scores` has None for a player who is out."""

    prizes: tuple[int, ...]
    scores: tuple[int | None, ...]
    seat: int = 0
    thrown: int | None = None

    @property
    def turn(self) -> int | None:
        return self.seat if any(self.prizes) else None

    def actions(self) -> tuple[Action, ...]:
        if self.turn is None:
            return ()
        if self.thrown is None:
            return (Roll(),)
        cells = range(min(self.thrown, PRIZES))
        return tuple(Take(cell) for cell in cells if self.prizes[cell]) or (Pass(),)

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        due = self.actions() == (Roll(),)
        return tuple((Roll(value), 1) for value in range(1, 7)) if due else ()

    def branches(self) -> int:
        return len(self.chances() or self.actions())

    def apply(self, action: Action) -> RaceState:
        legal = self.actions()
        if isinstance(action, Roll) and legal == (Roll(),):
            return evolve(self, thrown=cast(int, action.outcome))
        if action not in legal:
            raise IllegalMove("must_roll" if self.thrown is None else "must_move", "not that now")
        after = self
        if isinstance(action, Take):
            prizes, scores = list(self.prizes), list(self.scores)
            scores[self.seat] = (scores[self.seat] or 0) + prizes[action.cell]
            prizes[action.cell] = 0
            after = evolve(self, prizes=tuple(prizes), scores=tuple(scores))
        return after._next()

    def _next(self) -> RaceState:
        order = [(self.seat + step) % len(self.scores) for step in range(1, len(self.scores) + 1)]
        seat = next(seat for seat in order if self.scores[seat] is not None)
        return evolve(self, seat=seat, thrown=None)

    def remove(self, seat: int) -> RaceState:
        scores = tuple(None if each == seat else score for each, score in enumerate(self.scores))
        after = evolve(self, scores=scores)
        return after._next() if seat == self.seat else after

    def outcome(self) -> Outcome | None:
        if any(self.prizes):
            return None
        best = max(score for score in self.scores if score is not None)
        winners = tuple(seat for seat, score in enumerate(self.scores) if score == best)
        return Outcome(winners, tuple(score or 0 for score in self.scores), "all_taken")

    def view(self) -> dict[str, JSON]:
        return {
            "prizes": list(self.prizes),
            "scores": list(self.scores),
            "turn": self.turn,
            "dice": self.thrown,
            "out": [COLOURS[seat] for seat, score in enumerate(self.scores) if score is None],
            "mustPass": self.seat if self.actions() == (Pass(),) else None,
        }


@frozen
class NoOptions:
    pass


class Race(Game):
    kind = "race"
    title = "Race"
    seats = range(2, 5)
    colours = COLOURS
    options = NoOptions
    fields = KindFields(notify={})
    view_fields = ("prizes", "scores", "turn", "dice")
    uses_chance = True
    has_dice = True

    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> RaceState:  # noqa: ARG002
        return RaceState(tuple(layout or (1,) * PRIZES), (0,) * seats)

    def load(self, view: JSON) -> RaceState:
        turn = 0 if view["turn"] is None else view["turn"]
        return RaceState(tuple(view["prizes"]), tuple(view["scores"]), turn, view["dice"])

    def parse_move(self, fields: Mapping[str, JSON]) -> Take:
        if set(fields) != {"cell"}:
            raise InvalidMove("undefined cell", field="cell")
        return Take(fields["cell"])

    def dump_move(self, move: Move) -> dict[str, JSON]:
        return {"cell": cast(Take, move).cell}

    def read_roll(self, next_byte: Callable[[], int]) -> Roll:
        return Roll(next_byte() % 6 + 1)

    def deal(self, options: Any, seats: int, next_byte: Callable[[], int]) -> JSON:  # noqa: ARG002
        return [next_byte() % 9 + 1 for _ in range(PRIZES)]


RACE = Race()


def race_for(seats: int, *, strict: bool = False, clock: Clock | None = None) -> Terms:
    """Return the options that all players of a race ask for."""
    return Terms("race", NoOptions(), seats, clock or Clock(move=10), None, strict)
