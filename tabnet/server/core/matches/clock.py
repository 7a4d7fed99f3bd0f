"""The clocks of a match, in whole milliseconds. Values in, values out."""

from __future__ import annotations

from attrs import evolve

from tabnet.protocol.fields import Clock
from tabnet.protocol.frozen_values import frozen


@frozen
class Clocks:
    """The time that each seat has left, the seat whose clock runs, and since when it runs."""

    full: int
    """The time that a seat starts with."""
    each_move: bool
    """The clock is full again for each action; otherwise it is for the whole game."""
    increment: int
    """The time that a seat gains when it ends its turn."""
    left: tuple[int, ...]
    seat: int | None
    since: int

    @classmethod
    def start(cls, rule: Clock, seats: int, seat: int | None, now: int) -> Clocks:
        """Return full clocks; `seat` is to act first."""
        full = _to_ms(rule.move or rule.total)
        return cls(full, rule.move is not None, _to_ms(rule.increment), (full,) * seats, seat, now)

    def compute_left(self, now: int) -> tuple[int, ...]:
        """Return the time that each seat has left at `now`, at least 0."""
        if self.seat is None or now == self.since:
            return self.left
        left = list(self.left)
        left[self.seat] = max(0, left[self.seat] - (now - self.since))
        return tuple(left)

    @property
    def deadline(self) -> int | None:
        """Return when the time of the seat to act is over."""
        return None if self.seat is None else self.since + self.left[self.seat]

    def shift(self, time: int) -> Clocks:
        """Return the clocks after `time` during which they stood still."""
        return evolve(self, since=self.since + time)

    def end_action(self, next_seat: int | None, now: int) -> Clocks:
        """Return the clocks after an action; `next_seat` is to act now, None at the end."""
        after = self.run_for(next_seat, now)
        earns = self.increment and not self.each_move and next_seat is not None
        if not earns or self.seat in (None, next_seat):
            return after
        left = tuple(
            ms + self.increment if seat == self.seat else ms for seat, ms in enumerate(after.left)
        )
        return evolve(after, left=left)

    def run_for(self, next_seat: int | None, now: int) -> Clocks:
        """Return the clocks as they run for `next_seat` from now on; nobody earns an increment."""
        if now == self.since and next_seat == self.seat:
            return self  # a throw that the server makes for the seat takes no time
        if self.each_move and next_seat is not None:
            left = (self.full,) * len(self.left)
        else:
            left = self.compute_left(now)
        return Clocks(self.full, self.each_move, self.increment, left, next_seat, now)


def _to_ms(seconds: float | None) -> int:
    return round((seconds or 0) * 1000)
