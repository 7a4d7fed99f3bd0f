"""Limits on the bytes that sessions and origins are sent as responses. Pure.

A response is never refused for its size: the next one waits. Times are milliseconds on a clock that
only goes forward.
"""

from __future__ import annotations

from attrs import define, field

SESSION_BYTES_PER_S = 2_000_000
"""Every session gets this much, whatever else happens."""
SESSION_BURST = 4 * SESSION_BYTES_PER_S
"""A session saves up this much while it asks for little."""
LIMITED_BURST = 256 * 1024
"""A session of an origin over its limit saves up no more than this."""
ORIGIN_BURST_S = 4
"""An origin saves up the bytes of this many seconds."""
MAX_ORIGINS = 10_000
"""Origins that are remembered."""


@define(eq=False)
class Bucket:
    """Bytes that may be sent now, refilled at a constant rate; negative after a large response."""

    rate: int
    """Bytes a second."""
    depth: int
    since: int
    level: int = field()

    @level.default
    def _full(self) -> int:
        return self.depth

    def refill(self, now: int) -> None:
        """Add the bytes gained until `now`."""
        self.level = min(self.depth, self.level + (now - self.since) * self.rate // 1000)
        self.since = now


@define(eq=False)
class ByteBudget:
    """The bytes that a session may be sent."""

    _session: Bucket
    _origin: Bucket | None = None
    """None for an origin without a limit."""

    @property
    def is_ample(self) -> bool:
        """The next response need not wait."""
        return self._session.level > 0

    def spend(self, size: int) -> None:
        """Charge a response that is sent."""
        self._session.level -= size
        if self._origin is not None:
            self._origin.level -= size

    def compute_delay(self, now: int, overdraft: int = 0) -> int:
        """Return for how many milliseconds the next response has to wait.

        It may be sent while the session owes no more than `overdraft` bytes.
        """
        session = self._session
        session.refill(now)
        if self._origin is not None:
            self._origin.refill(now)
            if self._origin.level < 0:
                session.level = min(session.level, LIMITED_BURST)
        owed = -session.level - overdraft
        return 0 if owed <= 0 else -(-owed * 1000 // session.rate)


@define
class ByteBudgets:
    """The budgets of all sessions; those of one origin share its bucket."""

    _origin_bytes_per_s: int
    _origins: dict[str, Bucket] = field(factory=dict)
    """The origin used last stands last."""

    def open(self, origin: str, now: int, *, is_exempt: bool = False) -> ByteBudget:
        """Return the budget of a new session; an exempt origin has no limit of its own."""
        session = Bucket(SESSION_BYTES_PER_S, SESSION_BURST, now)
        return ByteBudget(session, None if is_exempt else self._get_bucket(origin, now))

    def _get_bucket(self, origin: str, now: int) -> Bucket:
        rate = self._origin_bytes_per_s
        bucket = self._origins.pop(origin, None) or Bucket(rate, ORIGIN_BURST_S * rate, now)
        self._origins[origin] = bucket
        if len(self._origins) > MAX_ORIGINS:
            del self._origins[next(iter(self._origins))]
        return bucket
