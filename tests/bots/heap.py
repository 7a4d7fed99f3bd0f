"""A game that no bot knows: the player who takes the last stones of the heap wins."""

from __future__ import annotations

from attrs import evolve, frozen

from tabnet.games.api import Move, Outcome


@frozen
class Take(Move):
    """So many stones are taken."""

    stones: int


@frozen
class Heap:
    """The rest of a heap, from which each seat takes one stone or two."""

    stones: int
    seats: int = 2
    side: int = 0
    winners: tuple[int, ...] = ()

    @property
    def turn(self):
        return self.side if self.stones else None

    def actions(self):
        return tuple(Take(n) for n in (1, 2) if n <= self.stones)

    def chances(self):
        return ()

    def apply(self, take):
        left = self.stones - take.stones
        winners = () if left else (self.side,)
        return evolve(self, stones=left, side=(self.side + 1) % self.seats, winners=winners)

    def outcome(self):
        return None if self.stones else Outcome(self.winners, (), "")
