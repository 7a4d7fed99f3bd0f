"""Sessions: the login of each connection, the games that it follows, and its seats. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from tabnet.server.core.costs.client_origin import LOCAL, ClientOrigin


@define(eq=False)
class Session:
    """A connection, as the service knows it."""

    id: int
    single_request: bool = False
    """The session is for one request: it follows nothing, and makes no player present."""
    nick: str | None = None
    """The login, or the guest name that the server gave; `Sessions.log_in` sets it."""
    follows: set[str] = field(factory=set)
    seats: set[tuple[str, str]] = field(factory=set)
    """The seats that this connection plays: game and nick."""
    origin: ClientOrigin = LOCAL

    @property
    def holders(self) -> tuple[str, ...]:
        """The names that the waits and games of this session are counted under."""
        return self.origin.list_holders(self.id)


@define
class Sessions:
    """All sessions, the followers of each game, and the players who are present there."""

    _sessions: dict[int, Session] = field(factory=dict)
    _followers: dict[str, dict[int, None]] = field(factory=dict)
    _turn_feeds: dict[str, dict[int, list[dict[str, Any]]]] = field(factory=dict)
    """The followers of each game that receive turns, with the events that they do not have yet."""
    _present: dict[str, dict[str, set[int]]] = field(factory=dict)
    _by_nick: dict[str, dict[int, None]] = field(factory=dict)

    def open(
        self, id: int, *, single_request: bool = False, origin: ClientOrigin = LOCAL
    ) -> Session:
        """Add the session of a new connection."""
        self._sessions[id] = session = Session(id, single_request, origin=origin)
        return session

    def log_in(self, session: Session, nick: str | None) -> None:
        """Set the nick of the connection; None logs it out."""
        self._log_out(session)
        session.nick = nick
        if nick is not None:
            self._by_nick.setdefault(nick, {})[session.id] = None

    def _log_out(self, session: Session) -> None:
        if session.nick is not None:
            connections = self._by_nick[session.nick]
            del connections[session.id]
            if not connections:
                del self._by_nick[session.nick]

    def __getitem__(self, id: int) -> Session:
        return self._sessions[id]

    def list_logged_in(self, nick: str) -> list[int]:
        """Return the connections that are logged in under that nick."""
        return list(self._by_nick.get(nick, ()))

    def count_connections(self) -> dict[str, int]:
        """Return how many connections each nick has."""
        return Counter(s.nick for s in self._sessions.values() if s.nick is not None)

    def close(self, id: int) -> list[tuple[str, str]]:
        """Remove a session; return its seats, game and nick, that no connection plays now."""
        session = self._sessions.pop(id)
        self._log_out(session)
        for game in session.follows:
            self._remove_follower(game, id)
        return self._vacate(session, sorted(session.seats))

    def stop_following(self, session: Session, game: str) -> list[tuple[str, str]]:
        """Send no more updates of a game; return the seats there that no connection plays now."""
        if game in session.follows:
            session.follows.remove(game)
            self._remove_follower(game, session.id)
        seats = sorted(seat for seat in session.seats if seat[0] == game)
        session.seats.difference_update(seats)
        return self._vacate(session, seats)

    def _vacate(self, session: Session, seats: list[tuple[str, str]]) -> list[tuple[str, str]]:
        absent = []
        for game, nick in seats:
            connections = self._present[game][nick]
            connections.remove(session.id)
            if not connections:
                del self._present[game][nick]
                absent.append((game, nick))
        return absent

    def follow(self, session: Session, game: str, *, by_turns: bool = False) -> None:
        """Send the connection this game's updates from now on, or only its turns."""
        if session.single_request:
            return
        session.follows.add(game)
        self._followers.setdefault(game, {})[session.id] = None
        if by_turns:
            self._turn_feeds.setdefault(game, {})[session.id] = []
        elif game in self._turn_feeds:
            self._turn_feeds[game].pop(session.id, None)

    def _remove_follower(self, game: str, id: int) -> None:
        del self._followers[game][id]
        if game in self._turn_feeds:
            self._turn_feeds[game].pop(id, None)

    def followers(self, game: str) -> tuple[int, ...]:
        """Return the connections that follow a game, in the order in which they began to."""
        return tuple(self._followers.get(game, ()))

    def list_update_followers(self, game: str) -> tuple[int, ...]:
        """Return the followers of a game that receive every update."""
        feeds = self._turn_feeds.get(game)
        followers = self._followers.get(game, ())
        return tuple(id for id in followers if id not in feeds) if feeds else tuple(followers)

    def has_update_followers(self, game: str) -> bool:
        """Return True if any follower of a game receives every update."""
        return len(self._followers.get(game, ())) > len(self._turn_feeds.get(game, ()))

    def list_turn_feeds(self, game: str) -> Mapping[int, list[dict[str, Any]]]:
        """Return the followers of a game that receive turns; each list has their unsent events."""
        return self._turn_feeds.get(game, {})

    def list_players_connections(self, game: str, nick: str) -> Sequence[int]:
        """Return the connections that play this seat, in the order in which they were opened."""
        connections = self._present.get(game, {}).get(nick, ())
        return sorted(connections) if len(connections) > 1 else tuple(connections)

    def list_seats_of(self, id: int, game: str) -> list[str]:
        """Return the players whose seats in a game a connection plays."""
        seats = self._sessions[id].seats
        nicks = [nick for other, nick in seats if other == game]
        return sorted(nicks) if len(nicks) > 1 else nicks

    def sit(self, session: Session, game: str, nick: str) -> bool:
        """Let the connection play a seat; return True if the player was absent until now."""
        if session.single_request or (game, nick) in session.seats:
            return False
        session.seats.add((game, nick))
        connections = self._present.setdefault(game, {}).setdefault(nick, set())
        connections.add(session.id)
        return len(connections) == 1

    def leave_seat(self, game: str, nick: str) -> tuple[int, ...]:
        """Give up a seat; return the connections that do not follow the game any more."""
        former = []
        for id in self._present.get(game, {}).pop(nick, ()):
            session = self._sessions[id]
            session.seats.remove((game, nick))
            if all(other != game for other, _ in session.seats):
                session.follows.remove(game)
                self._remove_follower(game, id)
                former.append(id)
        return tuple(sorted(former))

    def is_present(self, game: str, nick: str) -> bool:
        """Return True if any connection plays this seat."""
        return nick in self._present.get(game, {})

    def end(self, game: str) -> None:
        """Forget the followers and players of a game that has ended."""
        self._turn_feeds.pop(game, None)
        for id in self._followers.pop(game, ()):
            self._sessions[id].follows.remove(game)
        for nick, connections in self._present.pop(game, {}).items():
            for id in connections:
                self._sessions[id].seats.remove((game, nick))
