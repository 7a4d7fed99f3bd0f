"""Rows that a server could store: random ones, and an endless sequence of batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ipaddress import ip_network
from itertools import count

from hypothesis import strategies as st

from tabnet.server.core.rows import (
    AddressBanned,
    Banned,
    LoginNetworks,
    MatchEnded,
    MatchEvent,
    MatchScore,
    MatchStarted,
    Paused,
    Registered,
    RoomClosed,
    RoomOpened,
    Row,
    SeatToken,
    Unseated,
    WaitingTable,
    WaitOver,
)

TERMS = {"kind": "tab", "options": {"size": 9}, "clock": {"move": 120.0}, "group": None}
PLAYERS = ({"nick": "ann", "auto": True}, {"nick": "bob", "salt_hash": None})
EVENTS_A_MATCH = 7


def tuples(of: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(of, max_size=3).map(tuple)


nicks = st.sampled_from(["ann", "bob", "guest-1", "Ælfrēd", "nul\0", '"'])
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=3,
)
documents = st.dictionaries(st.text(max_size=3), values, max_size=2)
seats = tuples(documents)
digests = st.binary(min_size=1, max_size=8)
at = st.integers(0, 2**40)
sizes = st.none() | st.integers(-(2**63), 2**63 - 1)


class RandomRows:
    """Draws rows in a possible order."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.names = (f"game {number}" for number in count())
        self.waiting: list[str] = []
        self.running: dict[str, list[MatchEvent]] = {}

    def account(self) -> Row:
        return self.draw(st.builds(Registered, nicks, digests, digests))

    def login(self) -> Row:
        return self.draw(st.builds(LoginNetworks, nicks, tuples(st.text())))

    def ban(self) -> Row:
        networks = st.ip_addresses().map(ip_network).map(str)
        reasons = st.none() | st.text()
        return self.draw(
            st.builds(Banned, nicks, reasons) | st.builds(AddressBanned, networks, reasons)
        )

    def wait(self) -> Row:
        if not self.waiting or self.draw(st.booleans()):
            self.waiting.append(next(self.names))
        game = self.draw(st.sampled_from(self.waiting))
        return self.draw(
            st.builds(WaitingTable, st.just(game), documents, seats, st.none() | nicks)
        )

    def room(self) -> Row:
        rooms = st.builds(RoomOpened, nicks, st.none() | nicks) | st.builds(RoomClosed, nicks)
        return self.draw(rooms)

    def give_up(self) -> Row:
        return WaitOver(self.waiting.pop())

    def seat(self) -> Row:
        game = st.sampled_from([*self.waiting, *self.running])
        return self.draw(
            st.builds(SeatToken, game, nicks, digests) | st.builds(Unseated, game, nicks)
        )

    def begin(self) -> Row:
        game = self.waiting.pop(0) if self.waiting else next(self.names)
        self.running[game] = []
        return self.draw(st.builds(MatchStarted, st.just(game), documents, seats, digests))

    def happen(self) -> Row:
        game = self.draw(st.sampled_from(list(self.running)))
        before = self.running[game]
        seat = st.none() | st.integers(0, 3)
        next_one = st.builds(
            MatchEvent, *map(st.just, (game, len(before) + 1)), at, nicks, seat, values
        )
        before.append(self.draw(next_one))
        return before[-1]

    def pause(self) -> Row:
        return self.draw(st.builds(Paused, st.sampled_from(list(self.running)), at))

    def end(self) -> Row:
        game = self.draw(st.sampled_from(list(self.running)))
        score = st.builds(MatchScore, nicks, sizes, sizes, nicks, st.booleans(), st.integers(-9, 9))
        history = st.just(tuple(self.running.pop(game)))
        return self.draw(st.builds(MatchEnded, st.just(game), documents, history, tuples(score)))

    def steps(self) -> list[Callable[[], Row]]:
        """Return the steps that can come next, most often events of matches."""
        can = [self.account, self.login, self.ban, self.room, self.wait, self.begin]
        if self.waiting:
            can += [self.give_up, self.seat]
        if self.running:
            can += [self.seat, self.pause, self.end, *[self.happen] * 5]
        return can


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """Draw a possible sequence of rows."""
    server = RandomRows(draw)
    return [draw(st.sampled_from(server.steps()))() for _ in range(draw(st.integers(0, 40)))]


def batch(number: int) -> list[Row]:
    """Return batch `number` of an endless story, in which up to eight matches run at once.

    Matches begin and end all the time, and one never ends.
    """
    told: list[Row] = []
    for table in range(min(8, number + 1)):
        game, seq = f"game {table}", number + 1
        if table:
            round, before = divmod(number - table, EVENTS_A_MATCH)
            game, seq = f"game {table} {round}", before + 1
        if seq == 1:
            told += [
                WaitingTable(game, TERMS, PLAYERS[:1]),
                SeatToken(game, "ann", f"{game} ann".encode()),
                MatchStarted(game, TERMS, PLAYERS, b"secret"),
                Registered(f"ann {number}", b"s", b"d"),
            ]
        told.append(happened(game, seq))
        if table and seq == EVENTS_A_MATCH:
            history = tuple(happened(game, seq) for seq in range(1, EVENTS_A_MATCH + 1))
            scores = (
                MatchScore("tab", 9, table, "ann", True, 2),
                MatchScore("tab", 9, table, "bob", False, 0),
            )
            told.append(MatchEnded(game, {"winners": [0]}, history, scores))
    return told


def happened(game: str, seq: int) -> MatchEvent:
    return MatchEvent(game, seq, seq * 1000, "move", seq % 2, {"from": "c3", "to": "d4" * 20})


def story(batches: int) -> Sequence[Row]:
    """Return the rows of the first batches."""
    return [row for number in range(batches) for row in batch(number)]
