"""The waits and new nicks of clients, counted for the clients that opened them. Pure.

Each counts for the session that opened it and, unless it is exempt, for the session's origin.
Times are milliseconds on a clock that only goes forward.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil

from attrs import define, field

from tabnet.errors import Refused
from tabnet.server.core.costs.limits import Limits

HOUR_MS = 60 * 60 * 1000
RETRY_S = 60
"""The `retry_after` of limits that depend on when players end their waits and games."""


@define
class Waits:
    """The places at tables that wait, by game and nick, and the number that each holder has."""

    _holders: dict[tuple[str, str], Sequence[str]] = field(factory=dict)
    _counts: Counter[str] = field(factory=Counter)

    def count(self, holders: Sequence[str]) -> int:
        """Return the highest number that any of the holders has."""
        return max(self._counts[holder] for holder in holders)

    def add(self, game: str, nick: str, holders: Sequence[str]) -> None:
        """Count a place; it stays with its first holders if it is counted already."""
        if (game, nick) not in self._holders:
            self._holders[game, nick] = holders
            self._counts.update(holders)

    def release(self, game: str, nick: str) -> None:
        """Count a place no longer, if it was counted."""
        for holder in self._holders.pop((game, nick), ()):
            self._counts[holder] -= 1
            if not self._counts[holder]:
                del self._counts[holder]


@define
class Registrations:
    """The new nicks of each holder in the hour that began with its first one."""

    _hours: dict[str, tuple[int, int]] = field(factory=dict)
    """By holder, the beginning of its hour and the number of nicks; the oldest hour first."""

    def compute_delay(self, holders: Sequence[str], limit: int, now: int) -> int:
        """Return the milliseconds until the holders may register one more nick; 0 for now."""
        hours = [self._hours.get(holder, (now, 0)) for holder in holders]
        ends = [start + HOUR_MS for start, count in hours if count >= limit]
        return max(0, max(ends, default=now) - now)

    def add(self, holders: Sequence[str], now: int) -> None:
        """Count one more nick, and forget the hours that are over."""
        while self._hours:
            oldest = next(iter(self._hours))
            if now - self._hours[oldest][0] < HOUR_MS:
                break
            del self._hours[oldest]
        for holder in holders:
            start, count = self._hours.get(holder, (now, 0))
            self._hours[holder] = (start, count + 1)


@define
class Quotas:
    """The limits, and the counts that are held against them."""

    limits: Limits = field(factory=Limits)
    waits: Waits = field(factory=Waits)
    registrations: Registrations = field(factory=Registrations)

    def require_wait(self, holders: Sequence[str]) -> None:
        """Refuse one wait too many."""
        if self.waits.count(holders) >= self.limits.waits:
            held = f"already holds {self.limits.waits} waits, the maximum"
            text = f"your connection or address {held}"
            raise Refused("too_many_waits", text, hint="leave one of them", retry_after=RETRY_S)

    def require_registration(self, holders: Sequence[str], now: int) -> None:
        """Refuse one new nick too many."""
        limit = self.limits.registrations_per_h
        if delay := self.registrations.compute_delay(holders, limit, now):
            registered = f"has registered {limit} nicks, the maximum for an hour"
            text = f"your connection or address {registered}"
            seconds = ceil(delay / 1000)
            raise Refused("too_many_registrations", text, field="nick", retry_after=seconds)

    def require_game(self, nick: str, games: int) -> None:
        """Refuse one game too many for a nick that waits for and plays `games`."""
        if games >= self.limits.games_per_nick:
            text = f"{nick} already has {games} games, the maximum"
            raise Refused("too_many_games", text, retry_after=RETRY_S)
