"""The limits of a server, and the counts of connections and commands held against them. Pure.

Times are milliseconds on a clock that only goes forward.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field, frozen

from tabnet.protocol.line_splitter import MAX_LINE

FULL_RETRY_S = 10
"""The `retry_after` of a client that is refused because the server is full."""


@frozen
class Limits:
    """The numbers that an operator can choose."""

    connections: int = 10_000
    """The connections that may be open at once."""
    per_address: int = 256
    """The connections that may be open at once from one address."""
    commands_per_s: int = 5_000
    """The commands that a connection may send in a second; `ping` is free."""
    bytes_per_s_per_address: int = 16_000_000
    """The bytes that one address is sent in a second as responses."""
    line_bytes: int = MAX_LINE
    """The longest line, its end included."""
    games_per_nick: int = 50
    """The games that a nick may wait for and play at once."""
    waits: int = 300
    """The waits that one session, and one origin, may hold."""
    registrations_per_h: int = 300
    """The new nicks that one session, and one origin, may register in an hour."""


@define
class ConnectionCounts:
    """The number of open connections, in all and by origin."""

    _limits: Limits
    _by_origin: Counter[str] = field(factory=Counter)
    total: int = 0

    @contextmanager
    def admit(self, origin: str) -> Iterator[bool]:
        """Count a connection while the block runs; yield False if there is no room for it."""
        has_room = (
            self.total < self._limits.connections
            and self._by_origin[origin] < self._limits.per_address
        )
        self.total += has_room
        self._by_origin[origin] += has_room
        try:
            yield has_room
        finally:
            self.total -= has_room
            self._by_origin[origin] -= has_room
            if not self._by_origin[origin]:
                del self._by_origin[origin]


@define
class Allowance:
    """The commands that a connection may still send: those of one second at most."""

    _per_s: int
    _since: int
    _left: int = field()
    """Thousandths of a command."""

    @_left.default
    def _full(self) -> int:
        return 1000 * self._per_s

    def take(self, now: int) -> bool:
        """Use up one command; return False if none is left."""
        gained = (now - self._since) * self._per_s
        self._left, self._since = min(self._left + gained, 1000 * self._per_s), now
        if self._left < 1000:
            return False
        self._left -= 1000
        return True
