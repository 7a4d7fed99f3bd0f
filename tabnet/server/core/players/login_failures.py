"""Wrong passwords, and the delays of logins after them. Pure.

Times are milliseconds on a clock that only goes forward.
"""

from __future__ import annotations

from attrs import define, field, frozen

FREE_FAILURES = 5
"""The number of wrong passwords in a row that cause no delay."""
FIRST_DELAY_MS = 1_000
LONGEST_DELAY_MS = 15 * 60 * 1000
FORGET_MS = 60 * 60 * 1000
"""The time after the last wrong password when all of them are forgotten."""
MAX_REMEMBERED = 10_000


@frozen
class LoginFailure:
    """The number of wrong passwords in a row, and the time of the last one."""

    times: int
    last: int


@define
class LoginFailures:
    """Wrong passwords by origin and nick: each one more doubles the delay of the next login."""

    _failures: dict[tuple[str, str], LoginFailure] = field(factory=dict)
    """The latest failure stands last."""

    def __len__(self) -> int:
        return len(self._failures)

    def compute_delay(self, origin: str, nick: str, now: int) -> int:
        """Return the milliseconds until the next login is possible; 0 for now."""
        known = self._find(origin, nick, now)
        if known is None or known.times < FREE_FAILURES:
            return 0
        doublings = min(known.times - FREE_FAILURES, 20)  # more would exceed the longest delay
        return max(0, known.last + min(FIRST_DELAY_MS << doublings, LONGEST_DELAY_MS) - now)

    def are_many(self, origin: str, nick: str, now: int) -> bool:
        """Return True after more wrong passwords in a row than an owner mistypes."""
        known = self._find(origin, nick, now)
        return known is not None and known.times >= FREE_FAILURES

    def add(self, origin: str, nick: str, now: int) -> None:
        """Count one more wrong password."""
        known = self._find(origin, nick, now)
        self.clear(origin, nick)
        self._failures[origin, nick] = LoginFailure(known.times + 1 if known else 1, now)
        if len(self._failures) > MAX_REMEMBERED:
            del self._failures[next(iter(self._failures))]

    def clear(self, origin: str, nick: str) -> None:
        """Forget the wrong passwords, because a right one has come."""
        self._failures.pop((origin, nick), None)

    def _find(self, origin: str, nick: str, now: int) -> LoginFailure | None:
        known = self._failures.get((origin, nick))
        return known if known and now - known.last < FORGET_MS else None
