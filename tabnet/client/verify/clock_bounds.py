"""The times that clocks can show: only the clock of the player to act runs. Pure."""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeAlias

from attrs import define, field

from tabnet.client.verify.json_diff import refuse_value
from tabnet.protocol.fields import Clock

Limits: TypeAlias = tuple[int, int]
"""The least and the most time that can be left, in milliseconds."""

ACTIONS = ("roll", "move", "pass")
REMOVALS = ("leave", "timeout", "illegal")
"""Events that remove a player, after which it may be another player's turn."""
NO_TIME = -1


@define
class ClockBounds:
    """The time that each player had left after the latest event, in milliseconds."""

    clock: Clock
    nicks: list[str]
    _full: int = field(init=False)
    _left: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._full = _convert_to_ms(self.clock.move or self.clock.total)
        self._left = dict.fromkeys(self.nicks, self._full)

    def check_clock(
        self, seq: int, received: Any, event: str, running: str | None, turn: str | None
    ) -> None:
        """Check the clock of the next update; raises `NotVerified` if it is impossible.

        `running` was to act before the event, `turn` is to act after it. No clock runs while salts
        are pending.
        """
        if type(received) is not dict or set(received) != set(self.nicks):
            right = f"what {' and '.join(self.nicks)} have left"
            refuse_value(seq, "clock", received, right)
        for nick, limits in self._compute_possible_limits(event, running, turn).items():
            left = _convert_to_ms(received[nick])
            if not limits[0] <= left <= limits[1]:
                refuse_value(seq, f"clock.{nick}", received[nick], _format_limits(*limits))
            self._left[nick] = left

    def _compute_possible_limits(
        self, event: str, running: str | None, turn: str | None
    ) -> dict[str, Limits]:
        begins = event in ACTIONS or (event in REMOVALS and turn != running)
        if running is None or (begins and turn and self.clock.move):
            return dict.fromkeys(self.nicks, (self._full, self._full))
        over_to_another = event in ACTIONS and turn not in (None, running)
        back = _convert_to_ms(self.clock.increment or 0) if over_to_another else 0
        most = 0 if event == "timeout" else self._left[running] + back
        return {
            nick: (back, most) if nick == running else (left, left)
            for nick, left in self._left.items()
        }


def _convert_to_ms(seconds: Any) -> int:
    """Return whole milliseconds, or `NO_TIME` for a value that is not a number."""
    return round(seconds * 1000) if type(seconds) in (int, float) and isfinite(seconds) else NO_TIME


def _format_limits(least: int, most: int) -> str:
    if least == most:
        return f"{most / 1000:g}"
    return f"from {least / 1000:g} to {most / 1000:g}"
