"""The values that a match consists of: its seats, its moments and the steps between them. Pure."""

from __future__ import annotations

from typing import Any

from tabnet.games.api import Action, Outcome, Select, State
from tabnet.protocol.frozen_values import frozen


@frozen
class Seat:
    """The player of a seat, and how the seat is played."""

    nick: str
    ranked: bool = True
    auto: bool = False
    """The server makes this seat's forced rolls and passes."""
    salt_hash: str | None = None
    """The hash of the salt that the seat mixes into the dice."""
    label: str | None = None
    """The name that the player has chosen in a dialect, where names are not registered."""
    must_be_online: bool = False
    """The seat alone does not keep the game going while its player is not connected."""
    out_on_error: bool = False
    """A refused roll, pass or notify removes the seat, also out of turn."""


ENDED = "ended"
"""The reason of a result whose match the operator ended."""
ERROR = "error"
"""The reason of a result whose match was closed because its code raised an exception."""
ABANDONED = "abandoned"
"""The reason of a result whose match ended because its players went away."""
CRASH = "crash"
"""The reason of a result whose house bot failed again and again; the `end` names its seat."""
UNUSUAL_ENDS = (ERROR, ABANDONED)
"""The reasons that the row of an `end` contains."""
REMOVING = ("leave", "timeout", "illegal", "end")
"""The events that remove their seat from the match, if they have one."""


@frozen
class Moment:
    """One event and how the match stands after it."""

    event: str
    """start salt roll select release move pass draw leave timeout illegal end"""
    seat: int | None
    action: Action | None
    word: Any
    """The value of an event that is no action: a salt, a draw offer, the code of a refusal."""
    state: State
    held: Select | None
    offers: tuple[int, ...]
    """The seats that offer a draw."""
    owing: tuple[int, ...]
    """The seats whose salts are still to come."""
    left: tuple[int, ...]
    result: Outcome | None
    at: int
    """Milliseconds of the match's own time."""

    @property
    def removes(self) -> int | None:
        """The one seat that this event removes."""
        return self.seat if self.event in REMOVING else None


@frozen
class Step:
    """The result of an action of the player to act."""

    event: str
    action: Action | None
    state: State
    held: Select | None = None
