"""The order in which passwords are hashed, and the logins refused when too many wait. Pure.

Logins of familiar players come first, then those of other known nicks, then new nicks. Among
logins of the same priority, networks take turns; in a network its addresses take turns; and the
logins of an address are served in their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from itertools import cycle
from typing import TypeAlias

from attrs import define, field, frozen

MAX_WAITING = 500
"""The number of logins that may wait at once."""
MAX_OF_NETWORK = 200
"""The number of logins from one network that may wait at once."""


class Priority(IntEnum):
    """The classes of logins, the most urgent first."""

    FAMILIAR = 0
    """The nick has logged in from this network before."""
    KNOWN = 1
    """The nick is registered."""
    NEW = 2
    """The nick is not registered yet."""


TURNS = (Priority.FAMILIAR, Priority.KNOWN, Priority.FAMILIAR, Priority.NEW)
"""The class that each turn goes to if logins of it wait; otherwise the most urgent one gets it.

No class waits for ever, however many logins of another class there are.
"""


@frozen
class WaitingLogin:
    """A password that waits to be hashed."""

    number: int
    """A higher number than that of every earlier login."""
    priority: Priority
    network: str
    origin: str


Origins: TypeAlias = dict[str, list[WaitingLogin]]
"""The logins of each address of a network."""


@define
class LoginQueue:
    """The waiting logins."""

    max_waiting: int = MAX_WAITING
    max_of_network: int = MAX_OF_NETWORK
    _waiting: dict[Priority, dict[str, Origins]] = field(
        factory=lambda: {priority: {} for priority in Priority}
    )
    """By priority, network and origin; the next one to be served stands first."""
    _last: dict[Priority, WaitingLogin] = field(factory=dict)
    """The login of each class that was served last: its network has had its turn."""
    _of_network: Counter[str] = field(factory=Counter)
    _turns: cycle[Priority] = field(factory=lambda: cycle(TURNS))

    def __len__(self) -> int:
        return self._of_network.total()

    def add(self, login: WaitingLogin) -> WaitingLogin | None:
        """Add a login; return the login that is dropped because there are too many, if any.

        That is the latest one of the busiest address in the busiest network of the least urgent.
        """
        origins = self._waiting[login.priority].setdefault(login.network, {})
        origins.setdefault(login.origin, []).append(login)
        self._of_network[login.network] += 1
        if self._of_network[login.network] > self.max_of_network:
            surplus = self._find_surplus(login.network)
        elif len(self) > self.max_waiting:
            surplus = self._find_surplus()
        else:
            return None
        self.remove(surplus)
        return surplus

    def take(self) -> WaitingLogin | None:
        """Remove and return the login to serve next; None if none waits."""
        if not self._of_network:
            return None
        urgent = next(self._turns)
        if not self._waiting[urgent]:
            urgent = next(priority for priority in Priority if self._waiting[priority])
        networks, last = self._waiting[urgent], self._last.get(urgent)
        network = _find_next(networks, last.network if last else None)
        origins = networks[network] = networks.pop(network)
        origin = _find_next(origins, last.origin if last else None)
        logins = origins[origin] = origins.pop(origin)
        login = self._last[urgent] = logins[0]
        self.remove(login)
        return login

    def remove(self, login: WaitingLogin) -> None:
        """Remove a login, if it still waits."""
        networks = self._waiting[login.priority]
        origins = networks.get(login.network, {})
        logins = origins.get(login.origin, [])
        if login not in logins:
            return
        logins.remove(login)
        if not logins:
            del origins[login.origin]
        if not origins:
            del networks[login.network]
        self._of_network[login.network] -= 1
        if not self._of_network[login.network]:
            del self._of_network[login.network]

    def _find_surplus(self, network: str | None = None) -> WaitingLogin:
        """Return the login that is dropped first, of one network or of all."""
        origins = next(
            max(reversed(networks.values()), key=_count_logins)
            for priority in reversed(Priority)
            if (networks := self._list_networks(priority, network))
        )
        return max(reversed(origins.values()), key=len)[-1]

    def _list_networks(self, priority: Priority, network: str | None) -> dict[str, Origins]:
        networks = self._waiting[priority]
        if network is None:
            return networks
        return {network: networks[network]} if network in networks else {}


def _count_logins(origins: Origins) -> int:
    return sum(map(len, origins.values()))


def _find_next(names: Iterable[str], last: str | None) -> str:
    """Return the first name, or the second if `last` is the first."""
    others = iter(names)
    first = next(others)
    return next(others, first) if first == last else first
