"""The rows that the service stores, and from which it is rebuilt. Pure.

A row consists of plain values, so that any database can store it. Rows are stored in their order,
all of one command or none of them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from tabnet.protocol.frozen_values import frozen

JSON: TypeAlias = dict[str, Any]


@frozen
class Row:
    """A row that the service stores."""


@frozen
class Registered(Row):
    """A nick and its password's slow digest; it replaces an older row of the nick."""

    nick: str
    salt: bytes
    digest: bytes


@frozen
class LoginNetworks(Row):
    """The last networks from which a nick has logged in; it replaces an older row of the nick."""

    nick: str
    networks: tuple[str, ...]


@frozen
class Banned(Row):
    """A banned nick; with `reason` None its ban is lifted."""

    nick: str
    reason: str | None


@frozen
class AddressBanned(Row):
    """A banned range of addresses; with `reason` None its ban is lifted."""

    network: str
    reason: str | None


@frozen
class WaitingTable(Row):
    """The state of a table that waits; it replaces an older row of the game."""

    game: str
    terms: JSON
    players: tuple[JSON, ...]
    invite: str | None = None


@frozen
class WaitOver(Row):
    """The end of a wait without a match; its tokens become invalid."""

    game: str


@frozen
class RoomOpened(Row):
    """A room of a dialect, and the game in it; None while the room is only announced."""

    room: str
    game: str | None


@frozen
class RoomClosed(Row):
    """The end of a room; its name is free."""

    room: str


@frozen
class SeatToken(Row):
    """The digest of the token of a seat; it replaces an older row of the seat."""

    game: str
    nick: str
    token: bytes


@frozen
class Unseated(Row):
    """The end of a seat's token."""

    game: str
    nick: str


@frozen
class MatchStarted(Row):
    """The start of a match; its table waits no more, and its tokens stay valid."""

    game: str
    terms: JSON
    seats: tuple[JSON, ...]
    secret: bytes


@frozen
class MatchEvent(Row):
    """One event of a match."""

    game: str
    seq: int
    at: int
    """Milliseconds of the match's own time, which stands still while no server runs."""
    event: str
    seat: int | None
    detail: Any
    """The value of a throw, a move, a selection and the like, as JSON."""


@frozen
class MatchScore:
    """The score of one player in a ranked match."""

    kind: str
    size: int | None
    group: int | None
    nick: str
    won: bool
    points: int


@frozen
class MatchEnded(Row):
    """The end of a match, with all of its events and the scores for the rankings."""

    game: str
    result: JSON
    history: tuple[MatchEvent, ...]
    scores: tuple[MatchScore, ...]


@frozen
class Paused(Row):
    """The match's own time when the server stopped."""

    game: str
    at: int


@frozen
class SetAsideEnded(Row):
    """The end, without a winner, of a match that cannot be replayed; its events stay stored."""

    game: str


@frozen
class SavedTable:
    """A table that waits, and the time for which it has waited."""

    waiting: WaitingTable
    age_ms: int


@frozen
class SavedMatch:
    """A match with all of its events, in order."""

    begun: MatchStarted
    history: tuple[MatchEvent, ...]
    tokens: tuple[SeatToken, ...]
    paused_at: int | None = None
    """The match's own time when the server stopped, if it stopped in order."""
    ended: bool = False


@frozen
class DamagedMatch:
    """A match with unreadable rows, or with missing events."""

    game: str
    players: tuple[str, ...]
    """The nicks that are readable."""
    tokens: tuple[SeatToken, ...]
    reason: str


@frozen
class UnreadableRow:
    """A stored row, other than a match's, that cannot be read."""

    table: str
    key: str
    error: str


@frozen
class StoredTotals:
    """The totals of one player on one leaderboard."""

    kind: str
    size: int | None
    group: int | None
    nick: str
    victories: int
    games: int
    points: int


@frozen
class Saved:
    """Everything that a server needs to go on where the last one ended."""

    accounts: tuple[Registered, ...] = ()
    login_networks: tuple[LoginNetworks, ...] = ()
    bans: tuple[Banned, ...] = ()
    address_bans: tuple[AddressBanned, ...] = ()
    tables: tuple[SavedTable, ...] = ()
    tokens: tuple[SeatToken, ...] = ()
    """The tokens of the tables; each match has its own."""
    rooms: tuple[RoomOpened, ...] = ()
    matches: tuple[SavedMatch, ...] = ()
    """The unfinished ones."""
    standings: tuple[StoredTotals, ...] = ()
    damaged: tuple[DamagedMatch, ...] = ()
    """The unfinished matches that cannot be read."""
    unreadable: tuple[UnreadableRow, ...] = ()
