"""Connections: who each one is, what it follows, which seats it plays. Pure."""

from __future__ import annotations

from collections import Counter

from attrs import define, field

from tabnet.server.core.costs.quotas import LOCAL, ClientOrigin


@define(eq=False)
class Session:
    """A connection, as the service knows it."""

    id: int
    single_request: bool = False
    """It is for one request: it follows nothing, and no player is present because of it."""
    nick: str | None = None
    """The login, or the name the connection was given as a guest; `Sessions.log_in` sets it."""
    follows: set[str] = field(factory=set)
    seats: set[tuple[str, str]] = field(factory=set)
    """The seats this connection plays: game and nick."""
    origin: ClientOrigin = LOCAL

    @property
    def holders(self) -> tuple[str, ...]:
        """The names that the things opened by this session are counted under."""
        return self.origin.holders(self.id)


@define
class Sessions:
    """All connections, who follows each game, and who is present there."""

    _sessions: dict[int, Session] = field(factory=dict)
    _followers: dict[str, dict[int, None]] = field(factory=dict)
    _present: dict[str, dict[str, set[int]]] = field(factory=dict)
    _by_nick: dict[str, dict[int, None]] = field(factory=dict)

    def open(
        self, id: int, *, single_request: bool = False, origin: ClientOrigin = LOCAL
    ) -> Session:
        """A new connection."""
        self._sessions[id] = session = Session(id, single_request, origin=origin)
        return session

    def log_in(self, session: Session, nick: str | None) -> None:
        """Let the connection act under that nick from now on."""
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

    def logged_in(self, nick: str) -> list[int]:
        """Return the connections of that player."""
        return list(self._by_nick.get(nick, ()))

    def connections_by_nick(self) -> dict[str, int]:
        """Return how many connections each nick has."""
        return Counter(s.nick for s in self._sessions.values() if s.nick is not None)

    def close(self, id: int) -> list[tuple[str, str]]:
        """Forget a connection; tells the seats, game and nick, that nobody plays now."""
        session = self._sessions.pop(id)
        self._log_out(session)
        for game in session.follows:
            del self._followers[game][id]
        return self._vacate(session, sorted(session.seats))

    def stop_following(self, session: Session, game: str) -> list[tuple[str, str]]:
        """Send the connection no more updates of a game; return its seats that nobody plays now."""
        if game in session.follows:
            session.follows.remove(game)
            del self._followers[game][session.id]
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

    def follow(self, session: Session, game: str) -> None:
        """From now on the connection is sent this game's updates; once, however often asked."""
        if session.single_request:
            return
        session.follows.add(game)
        self._followers.setdefault(game, {})[session.id] = None

    def followers(self, game: str) -> tuple[int, ...]:
        """Who is sent this game's updates, in the order they came."""
        return tuple(self._followers.get(game, ()))

    def sit(self, session: Session, game: str, nick: str) -> bool:
        """The connection plays this seat; tells whether the player was absent until now."""
        if session.single_request or (game, nick) in session.seats:
            return False
        session.seats.add((game, nick))
        connections = self._present.setdefault(game, {}).setdefault(nick, set())
        connections.add(session.id)
        return len(connections) == 1

    def stand_up(self, game: str, nick: str) -> tuple[int, ...]:
        """Nobody plays this seat any more; tells the connections that follow the game no more."""
        gone = []
        for id in self._present.get(game, {}).pop(nick, ()):
            session = self._sessions[id]
            session.seats.remove((game, nick))
            if all(other != game for other, _ in session.seats):
                session.follows.remove(game)
                del self._followers[game][id]
                gone.append(id)
        return tuple(sorted(gone))

    def is_present(self, game: str, nick: str) -> bool:
        """Whether any connection plays this seat."""
        return nick in self._present.get(game, {})

    def end(self, game: str) -> None:
        """Nobody follows or plays this game any more."""
        for id in self._followers.pop(game, ()):
            self._sessions[id].follows.remove(game)
        for nick, connections in self._present.pop(game, {}).items():
            for id in connections:
                self._sessions[id].seats.remove((game, nick))
