"""What clocks can show: time runs for who is to act alone, and comes back by the rules. Pure."""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeAlias

from attrs import define, field

from tabnet.client.verify.json_diff import not_verified
from tabnet.protocol.fields import Clock

Limits: TypeAlias = tuple[int, int]
"""The least and the most that can be left, in milliseconds."""

ACTIONS = ("roll", "move", "pass")
PARTINGS = ("leave", "timeout", "illegal")
"""After them it can be another one's turn, if others play on."""
NO_TIME = -1


@define
class ClockBounds:
    """What each player had left after the latest event, in milliseconds."""

    clock: Clock
    nicks: list[str]
    _full: int = field(init=False)
    _left: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._full = _ms(self.clock.move or self.clock.total)
        self._left = dict.fromkeys(self.nicks, self._full)

    def take(self, seq: int, told: Any, event: str, running: str | None, turn: str | None) -> None:
        """The clock of the next update; raises `NotVerified` if it cannot show that.

        `running` was to act before the event and `turn` is to act after it. While salts are
        awaited nobody is, and no clock runs.
        """
        if type(told) is not dict or set(told) != set(self.nicks):
            right = f"what {' and '.join(self.nicks)} have left"
            raise not_verified(seq, "clock", told, right)
        for nick, limits in self._limits(event, running, turn).items():
            left = _ms(told[nick])
            if not limits[0] <= left <= limits[1]:
                raise not_verified(seq, f"clock.{nick}", told[nick], _in_words(*limits))
            self._left[nick] = left

    def _limits(self, event: str, running: str | None, turn: str | None) -> dict[str, Limits]:
        begins = event in ACTIONS or (event in PARTINGS and turn != running)
        if running is None or (begins and turn and self.clock.move):
            return dict.fromkeys(self.nicks, (self._full, self._full))
        over_to_another = event in ACTIONS and turn not in (None, running)
        back = _ms(self.clock.increment or 0) if over_to_another else 0
        most = 0 if event == "timeout" else self._left[running] + back
        return {
            nick: (back, most) if nick == running else (left, left)
            for nick, left in self._left.items()
        }


def _ms(seconds: Any) -> int:
    """Whole milliseconds; what is no number is less than any time."""
    return round(seconds * 1000) if type(seconds) in (int, float) and isfinite(seconds) else NO_TIME


def _in_words(least: int, most: int) -> str:
    if least == most:
        return f"{most / 1000:g}"
    return f"from {least / 1000:g} to {most / 1000:g}"
