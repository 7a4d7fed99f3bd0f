"""How much of a server one client may have, and who has used up what. Pure.

Times are milliseconds on a clock that only goes forward.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from attrs import define, field, frozen

from tabnet.protocol.lines import MAX_LINE

COME_BACK_S = 10
"""When somebody who found the server full may try again."""


@frozen
class Limits:
    """The numbers an operator can choose."""

    connections: int = 10_000
    """How many may be open at once."""
    per_address: int = 256
    """How many of them from one address."""
    commands_per_s: int = 5_000
    """How many commands a connection may send in a second; `ping` is free."""
    bytes_per_s_per_address: int = 16_000_000
    """The bytes that one address is sent in a second as responses."""
    line_bytes: int = MAX_LINE
    """The longest line, its end included."""
    games_per_nick: int = 50
    """How many games a nick may wait for and play at once."""
    waits: int = 300
    """The waits that one session, and one origin, may hold."""
    registrations_per_h: int = 300
    """The new nicks that one session, and one origin, may register in an hour."""


def host_of(address: str) -> str:
    """Return the host of an address like [::1]:8008."""
    return address.rpartition(":")[0].strip("[]")


def origin_of(address: str) -> str:
    """Whom an address like 192.0.2.1:4567 counts for: its host, or the /64 of an IPv6 host."""
    host = host_of(address)
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return address  # no address of the internet
    if isinstance(ip, ipaddress.IPv4Address):
        return host
    return str(ip.ipv4_mapped or ipaddress.IPv6Network((int(ip), 64), strict=False))


def is_exempt(address: str) -> bool:
    """Return True for this machine's own address: the limits per origin are not for it."""
    return host_of(address) in ("127.0.0.1", "::1", "::ffff:127.0.0.1")


@lru_cache(maxsize=10_000)
def network_of(origin: str) -> str:
    """Return the network that an origin belongs to: the /24 of an IPv4 host, the /48 of a /64."""
    try:
        network = ipaddress.ip_network(origin)
    except ValueError:
        return origin  # no address of the internet
    prefix = 24 if isinstance(network, ipaddress.IPv4Network) else 48
    return str(network.supernet(new_prefix=prefix))


@define
class Crowd:
    """The open connections, counted."""

    _limits: Limits
    _inside: Counter[str] = field(factory=Counter)
    total: int = 0

    @contextmanager
    def admitting(self, origin: str) -> Iterator[bool]:
        """Count a connection while the block runs, if there is room for it; tells whether so."""
        has_room = (
            self.total < self._limits.connections
            and self._inside[origin] < self._limits.per_address
        )
        self.total += has_room
        self._inside[origin] += has_room
        try:
            yield has_room
        finally:
            self.total -= has_room
            self._inside[origin] -= has_room
            if not self._inside[origin]:
                del self._inside[origin]


@define
class Allowance:
    """What a connection may still ask: so much each second, and no more than that is saved up."""

    _per_s: int
    _since: int
    _left: int = field()
    """In thousandths of a command."""

    @_left.default
    def _full(self) -> int:
        return 1000 * self._per_s

    def take(self, now: int) -> bool:
        """Use up one command; False if none is left."""
        gained = (now - self._since) * self._per_s
        self._left, self._since = min(self._left + gained, 1000 * self._per_s), now
        if self._left < 1000:
            return False
        self._left -= 1000
        return True


FREE_FAILURES = 5
"""How many wrong passwords cost no time."""
FIRST_WAIT_MS = 1_000
LONGEST_WAIT_MS = 15 * 60 * 1000
FORGET_MS = 60 * 60 * 1000
"""How long after the last wrong password everything is forgotten."""
MOST_REMEMBERED = 10_000


@frozen
class Failure:
    """How often a login has failed, and when it did last."""

    times: int
    last: int


@define
class Failures:
    """Wrong passwords, by origin and nick: who keeps guessing has to wait ever longer."""

    _failures: dict[tuple[str, str], Failure] = field(factory=dict)
    """The one that failed last stands last."""

    def __len__(self) -> int:
        return len(self._failures)

    def wait(self, origin: str, nick: str, now: int) -> int:
        """How many milliseconds until the next attempt; 0 for none."""
        known = self._known(origin, nick, now)
        if known is None or known.times < FREE_FAILURES:
            return 0
        doublings = min(known.times - FREE_FAILURES, 20)  # no wait is longer than the longest
        return max(0, known.last + min(FIRST_WAIT_MS << doublings, LONGEST_WAIT_MS) - now)

    def are_many(self, origin: str, nick: str, now: int) -> bool:
        """Return True after more wrong passwords in a row than an owner mistypes."""
        known = self._known(origin, nick, now)
        return known is not None and known.times >= FREE_FAILURES

    def add(self, origin: str, nick: str, now: int) -> None:
        """One more wrong password."""
        known = self._known(origin, nick, now)
        self.clear(origin, nick)
        self._failures[origin, nick] = Failure(known.times + 1 if known else 1, now)
        if len(self._failures) > MOST_REMEMBERED:
            del self._failures[next(iter(self._failures))]

    def clear(self, origin: str, nick: str) -> None:
        """The password was right."""
        self._failures.pop((origin, nick), None)

    def _known(self, origin: str, nick: str, now: int) -> Failure | None:
        known = self._failures.get((origin, nick))
        return known if known and now - known.last < FORGET_MS else None
