"""The clocks of a match, in whole milliseconds. Values in, values out."""

from __future__ import annotations

from attrs import evolve, frozen

from tabnet.protocol.messages import Clock


@frozen
class Clocks:
    """What each seat has left, whose time is running, and since when."""

    rule: Clock
    left: tuple[int, ...]
    seat: int | None
    since: int

    @classmethod
    def start(cls, rule: Clock, seats: int, seat: int | None, now: int) -> Clocks:
        """Full clocks; `seat` is to act first."""
        return cls(rule, (_full(rule),) * seats, seat, now)

    def at(self, now: int) -> tuple[int, ...]:
        """What each seat has left at `now`; never less than nothing."""
        return tuple(
            max(0, left - (now - self.since)) if seat == self.seat else left
            for seat, left in enumerate(self.left)
        )

    def deadline(self) -> int | None:
        """When the flag of the seat to act falls."""
        return None if self.seat is None else self.since + self.left[self.seat]

    def acted(self, next_seat: int | None, now: int) -> Clocks:
        """The clocks after a roll, a move or a pass; `next_seat` is to act now, None at the end."""
        left = list(self.at(now))
        if self.rule.move is not None and self.seat is not None and next_seat is not None:
            left[self.seat] = left[next_seat] = _full(self.rule)
        elif self.rule.increment and self.seat is not None and next_seat not in (None, self.seat):
            left[self.seat] += _ms(self.rule.increment)
        return evolve(self, left=tuple(left), seat=next_seat, since=now)


def _full(rule: Clock) -> int:
    return _ms(rule.move if rule.move is not None else rule.total or 0)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
