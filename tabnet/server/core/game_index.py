"""The index of all games: waiting, running, set aside and lately finished. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from attrs import define, field, frozen

from tabnet.errors import Refused
from tabnet.server.core.matches.match import Match
from tabnet.server.core.ordered_collections import Deadlines, NewestIds
from tabnet.server.core.pairing.lobby import Lobby, Table
from tabnet.server.core.rooms.room_index import Rooms

UNKNOWN_GAME = ("unknown_game", "Invalid game reference")
MAX_FINISHED = 200
"""The number of finished matches that stay in memory."""


@frozen
class SetAside:
    """A stored match that cannot be replayed: every command about it is refused."""

    id: str
    nicks: tuple[str, ...]
    reason: str
    """The damage, for the operator."""

    def refusal(self) -> Refused:
        """Return the refusal of a command about the match."""
        return Refused(
            "set_aside",
            f"game {self.id} is set aside: the server cannot read what it has stored of it",
            field="game",
            hint="ask the operator of the server, who can end the game",
        )


@define
class GameIndex:
    """Finds games by id, by player and by the time of their next timeout."""

    lobby: Lobby = field(factory=Lobby)
    playing: dict[str, Match] = field(factory=dict)
    finished: dict[str, Match | SetAside] = field(factory=dict)
    """Those that were asked about and cannot be replayed are set aside."""
    set_aside_matches: dict[str, SetAside] = field(factory=dict)
    """Unfinished matches that could not be replayed when the server started."""
    _seats: dict[str, dict[str, None]] = field(factory=dict)
    """The games in which each nick has a seat, waiting or playing."""
    _newest: NewestIds = field(factory=NewestIds)
    """The running matches."""
    _set_aside_of: dict[str, list[str]] = field(factory=dict)
    """The set-aside matches of each nick."""
    _deadlines: Deadlines = field(factory=Deadlines)
    """The time at which to check the clock of each match: not every action changes it."""
    rooms: Rooms = field(factory=Rooms)
    only_players_know: bool = False
    """A game is unknown to everybody who has no seat in it."""
    deserted: Deadlines = field(factory=Deadlines)
    """The games that end at that time, unless a player has come back."""

    def find(self, game: str) -> Match | Table:
        """Return the game of that id; refuse an unknown one and a match that is set aside."""
        if (playing := self.playing.get(game)) is not None:
            return playing
        found = self._find(game)
        if found is None:
            raise Refused(*UNKNOWN_GAME, field="game")
        if isinstance(found, SetAside):
            raise found.refusal()
        return found

    def find_for(self, nick: str | None, game: str) -> Match | Table:
        """Return the game of that id; refuse one that is unknown to this player, or set aside."""
        if self.only_players_know:
            found = self._find(game)
            if found is not None and nick not in found.nicks:
                raise Refused(*UNKNOWN_GAME, field="game")
        return self.find(game)

    def get_unfinished(self, game: str) -> Match | Table | None:
        """Return the game of that id that waits or is played, or None."""
        return self.playing.get(game) or self.lobby.tables.get(game)

    def knows(self, game: str) -> bool:
        """Return True if there is a game of that id."""
        return self._find(game) is not None

    def _find(self, game: str) -> Match | Table | SetAside | None:
        return (
            self.playing.get(game)
            or self.lobby.tables.get(game)
            or self.finished.get(game)
            or self.set_aside_matches.get(game)
        )

    def get_latest(self, match: Match) -> Match:
        """Return the latest value of a match."""
        found = self.playing.get(match.id) or self.finished.get(match.id)
        return found if isinstance(found, Match) else match

    def set_aside(self, match: SetAside) -> None:
        """Refuse every command about the match. Its players have no seat in it."""
        self.set_aside_matches[match.id] = match
        for nick in dict.fromkeys(match.nicks):
            self._set_aside_of.setdefault(nick, []).append(match.id)

    def end_set_aside(self, game: str) -> list[Match | SetAside]:
        """Finish a match that was set aside; return the old matches that are dropped for it."""
        match = self.set_aside_matches.pop(game)
        for nick in dict.fromkeys(match.nicks):
            self._set_aside_of[nick].remove(game)
            if not self._set_aside_of[nick]:
                del self._set_aside_of[nick]
        return self.remember(match)

    def find_only_game_of(self, nick: str | None) -> str:
        """Return the one game in which this player has a seat, else the one that is set aside."""
        games = self._seats.get(nick or "", {})
        if len(games) == 1:
            return next(iter(games))
        set_aside = self._set_aside_of.get(nick or "", [])
        if not games and len(set_aside) == 1:
            return set_aside[0]
        some = list(islice(games or set_aside, 3))
        listed = ", ".join(some)
        if games:
            more = f" and {len(games) - 3} more" if len(games) > 3 else ""
            hint = f"you have seats in {listed}{more}"
        else:
            hint = (
                f"your games {listed} are set aside"
                if set_aside
                else "you have no seat in any game"
            )
        raise Refused("which_game", "which game?", field="game", hint=hint)

    def list_games_of(self, nick: str) -> list[str]:
        """Return the games that this player waits for or plays."""
        return list(self._seats.get(nick, ()))

    def number_of_games(self, nick: str) -> int:
        """Return the number of games that this player waits for or plays."""
        return len(self._seats.get(nick, ()))

    def list_newest(self, kind: str | None, count: int) -> list[Match]:
        """Return the newest running matches of a kind, or of all kinds, newest first."""
        return [self.playing[id] for id in self._newest.list_newest(kind, count)]

    def take_seat(self, nick: str, game: str) -> None:
        """Give the player a seat in a game."""
        self._seats.setdefault(nick, {})[game] = None

    def give_up_seat(self, nick: str, game: str) -> None:
        """Take the player's seat in a game, if the player still has it."""
        games = self._seats.get(nick, {})
        games.pop(game, None)
        if not games:
            self._seats.pop(nick, None)

    def begin(self, match: Match) -> None:
        """Add a match that has just begun."""
        self._newest.add(match.terms.kind, match.id)
        self.replace(match)

    def replace(self, match: Match) -> None:
        """Replace a running match by its next value."""
        self.playing[match.id] = match
        self._watch(match)

    def _watch(self, match: Match) -> None:
        """Check the match's clock at its deadline; a later deadline waits for that check."""
        deadline, known = match.deadline, self._deadlines.get(match.id)
        if deadline is not None and (known is None or deadline < known):
            self._deadlines.set(match.id, deadline)

    def finish(self, match: Match) -> list[Match | SetAside]:
        """Move a match that has ended; return the old matches that are dropped for it."""
        del self.playing[match.id]
        self._newest.remove(match.terms.kind, match.id)
        self._deadlines.discard(match.id)
        for nick in match.nicks:
            self.give_up_seat(nick, match.id)
        self.rooms.end(match.id)
        return self.remember(match)

    def remember(self, match: Match | SetAside) -> list[Match | SetAside]:
        """Keep a finished match in memory; return the old matches that are dropped for it."""
        self.finished[match.id] = match
        surplus = list(self.finished)[: max(0, len(self.finished) - MAX_FINISHED)]
        return [self.finished.pop(id) for id in surplus]

    def pop_due(self, now: int) -> Iterator[Match]:
        """Yield each match whose time is over at `now`; the caller has to replace it."""
        while (game := self._deadlines.pop_due(now)) is not None:
            match = self.playing[game]
            deadline = match.deadline
            if deadline is not None and deadline <= now:
                yield match
            else:
                self._watch(match)

    @property
    def deadline(self) -> int | None:
        """Return the time before which no game and no room has a timeout, or None."""
        first = self._deadlines.earliest
        for other in (self.lobby.ends.earliest, self.deserted.earliest, self.rooms.deadline):
            if other is not None and (first is None or other < first):
                first = other
        return first
