"""What is worth keeping: the rows that the service hands out, and that it is rebuilt from. Pure.

A row is plain values, so that any database can keep it. Rows are kept in the order in which they
are handed out, all of one command or none of them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from tabnet.protocol.values import frozen

JSON: TypeAlias = dict[str, Any]


@frozen
class Registered:
    """A nick and its password's slow digest; it replaces an older row of the nick."""

    nick: str
    salt: bytes
    digest: bytes


@frozen
class LoginNetworks:
    """The last networks from which a nick has logged in; it replaces an older row of the nick."""

    nick: str
    networks: tuple[str, ...]


@frozen
class Banned:
    """A nick that may not come in any more, or with `reason` None may again."""

    nick: str
    reason: str | None


@frozen
class WaitingTable:
    """A table that waits, as it stands now; it replaces an older row of the game."""

    game: str
    terms: JSON
    players: tuple[JSON, ...]
    invite: str | None = None


@frozen
class WaitOver:
    """A table waits no more, and its tokens are void, without a match."""

    game: str


@frozen
class SeatToken:
    """Which token stands for a seat, by digest; it replaces an older row of the seat."""

    game: str
    nick: str
    token: bytes


@frozen
class Unseated:
    """No token stands for the seat any more."""

    game: str
    nick: str


@frozen
class MatchStarted:
    """A match has started; its table waits no more, its tokens hold on."""

    game: str
    terms: JSON
    seats: tuple[JSON, ...]
    secret: bytes


@frozen
class MatchEvent:
    """One event of a match."""

    game: str
    seq: int
    at: int
    """Milliseconds of the match's own time: it stands still while no server runs."""
    event: str
    seat: int | None
    detail: Any
    """What a throw, a move or a selection was, as a JSON value."""


@frozen
class MatchScore:
    """What a ranked match counts for one of its players."""

    kind: str
    size: int | None
    group: int | None
    nick: str
    won: bool
    points: int


@frozen
class MatchEnded:
    """A match is over; `history` is all that happened in it, `scores` what counts in rankings."""

    game: str
    result: JSON
    history: tuple[MatchEvent, ...]
    scores: tuple[MatchScore, ...]


@frozen
class Paused:
    """The server stops: how much of the match's own time has passed."""

    game: str
    at: int


@frozen
class SetAsideEnded:
    """A match that cannot be replayed is ended without a winner; its stored events are kept."""

    game: str


Row: TypeAlias = (
    Registered
    | LoginNetworks
    | Banned
    | WaitingTable
    | WaitOver
    | SeatToken
    | Unseated
    | MatchStarted
    | MatchEvent
    | MatchEnded
    | Paused
    | SetAsideEnded
)


@frozen
class SavedTable:
    """A waiting table, and how long it has waited."""

    waiting: WaitingTable
    age_ms: int


@frozen
class SavedMatch:
    """A match with everything that has happened in it, in order."""

    begun: MatchStarted
    history: tuple[MatchEvent, ...]
    tokens: tuple[SeatToken, ...]
    paused_at: int | None = None
    """The match's own time when the server stopped, if it could still say so."""
    ended: bool = False


@frozen
class DamagedMatch:
    """A match with stored rows that cannot be read, or that say that events are missing."""

    game: str
    players: tuple[str, ...]
    """The nicks, as far as they can be read."""
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
    """One player's sums on one scoreboard."""

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
    tables: tuple[SavedTable, ...] = ()
    tokens: tuple[SeatToken, ...] = ()
    """Those of the tables; matches bring their own."""
    matches: tuple[SavedMatch, ...] = ()
    """The unfinished ones."""
    standings: tuple[StoredTotals, ...] = ()
    damaged: tuple[DamagedMatch, ...] = ()
    """The unfinished matches that cannot be read."""
    unreadable: tuple[UnreadableRow, ...] = ()
