"""The commands that only dialects send, and the reply that shows a game as a value. Pure.

They are not on the wire: the codec does not know them. Their replies contain matches and tables
themselves, so that a dialect shows a game in its own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabnet.protocol import messages as m
from tabnet.protocol.frames import Reply
from tabnet.protocol.frozen_values import frozen
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.pairing.lobby import Table

ROOM_FULL = "room_full"
"""The code of the refusal of a seat that is taken, or in a game that has begun or is over."""

ROOM_NOT_ANNOUNCED = "room_not_announced"
"""The code of the refusal to open a room that the operator has not announced."""


@frozen(kw_only=True)
class Open:
    """The description of a room to open."""

    name: str | None = None
    """The name of the room; a game without one cannot be found or joined by name."""
    terms: Terms
    game: str | None = None
    """The id of the game; None draws one."""
    invite: str | None = None
    """The invite with which a player of another dialect joins, if any may."""
    has_secret_invite: bool = False
    """Only the digest of the invite is stored; it leads to one seat, and case does not matter."""
    must_be_announced: bool = False
    """Only a room that the operator has announced is opened."""


@frozen(kw_only=True)
class TakeSeat(m.Command):
    """Take a seat in a room, or at the table of an invite; the player is a new guest."""

    cmd = m.Join.cmd

    open: Open | None = None
    """The room, which is opened if there is none of its name."""
    invite: str | None = None
    seat: int | None = None
    """None is the lowest free seat."""
    token: str | None = None
    """The token of the seat; None draws one."""
    label: str | None = None
    must_be_online: bool = False
    out_on_error: bool = False
    """See `Seat`, as for `label` and `must_be_online`."""
    opponent: str | None = None
    """The house bot that takes all other seats of a new room."""


@frozen(kw_only=True)
class SeatBot(m.Command):
    """Let a house bot take a seat in a room.

    If a seat is taken, `token` must be that of a player in the room.
    """

    cmd = m.Join.cmd

    open: Open
    bot: str
    seat: int
    token: str | None = None


@frozen(kw_only=True)
class CloseRoom(m.Command):
    """Close a room: a wait in it ends, and the player of the token leaves a match in it.

    `token` is needed while a seat is taken and the game has not ended.
    """

    cmd = m.Leave.cmd

    room: str
    token: str | None = None


@frozen(kw_only=True)
class Look(m.About):
    """Show a game."""

    cmd = m.StateCommand.cmd

    kind: str | None = None
    """The only kind of game that the token may be for, as for `Play`."""


@frozen(kw_only=True)
class Sit(m.Seated):
    """Let this connection play the seat of the token: its player is present."""

    cmd = m.Update.cmd


@frozen(kw_only=True)
class Play(m.Seated):
    """Play a notify with the fields of `move`."""

    cmd = m.Notify.cmd

    move: Mapping[str, Any]
    kind: str | None = None


@frozen(kw_only=True)
class Forfeit(m.Seated):
    """Remove a seat that is out on any error, because of a request that is no command."""

    cmd = m.Notify.cmd

    code: str
    """The code of the error, one of `CODES`."""


@frozen(kw_only=True)
class Seen(Reply):
    """A game as it stands, for the player of `seat` if that is known."""

    game: Match | Table
    seat: int | None
    seq: int
    """The number of the update to show: a later one may follow from it at once."""
    online: Mapping[str, bool]
    """True for each nick that is connected; nobody is when the game is over."""
    now: int
    token: str | None = None
    """The token of a seat that the command has taken."""
