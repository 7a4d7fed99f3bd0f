"""Every game there is: waiting, being played, and lately finished. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from attrs import define, field

from tabnet.errors import Refused
from tabnet.server.core.lobby import Lobby, Table
from tabnet.server.core.match import Match
from tabnet.server.core.newest import NewestIds
from tabnet.server.core.sorted_values import SortedValues

FINISHED_KEPT = 200
"""How many finished matches can still be asked for."""


@define
class GameIndex:
    """Finds games by id and by player, and knows whose time is up next."""

    lobby: Lobby = field(factory=Lobby)
    playing: dict[str, Match] = field(factory=dict)
    finished: dict[str, Match] = field(factory=dict)
    _seats: dict[str, dict[str, None]] = field(factory=dict)
    """Nick -> the games it has a seat in, waiting or playing."""
    _newest: NewestIds = field(factory=NewestIds)
    """The matches that are played."""
    _flags: SortedValues[tuple[int, str]] = field(factory=SortedValues)
    """When to look at the clock of each match, and its id."""
    _armed: dict[str, int] = field(factory=dict)
    """The time in `_flags` for each match: not every action changes it."""

    def find(self, game: str) -> Match | Table:
        """The game of that id."""
        found = self.playing.get(game) or self.lobby.tables.get(game) or self.finished.get(game)
        if found is None:
            raise Refused("unknown_game", "Invalid game reference", field="game")
        return found

    def knows(self, game: str) -> bool:
        """Whether there is a game of that id."""
        return game in self.playing or game in self.lobby.tables or game in self.finished

    def only_game_of(self, nick: str | None) -> str:
        """The one game this player has a seat in."""
        games = self._seats.get(nick, {}) if nick is not None else {}
        first = list(islice(games, 3))
        if len(games) == 1:
            return first[0]
        some = ", ".join(first) + (f" and {len(games) - 3} more" if len(games) > 3 else "")
        hint = f"you have seats in {some}" if games else "you have no seat in any game"
        raise Refused("which_game", "which game?", field="game", hint=hint)

    def games_of(self, nick: str) -> list[str]:
        """The games this player waits for or plays."""
        return list(self._seats.get(nick, ()))

    def number_of_games(self, nick: str) -> int:
        """Return how many games this player waits for or plays."""
        return len(self._seats.get(nick, ()))

    def newest(self, kind: str | None, count: int) -> list[Match]:
        """Return the newest running matches of a kind, or of all kinds, newest first."""
        return [self.playing[id] for id in self._newest.newest(kind, count)]

    def take_seat(self, nick: str, game: str) -> None:
        """The player waits or plays there."""
        self._seats.setdefault(nick, {})[game] = None

    def give_up_seat(self, nick: str, game: str) -> None:
        """The player waits and plays there no more, if not given up before."""
        games = self._seats.get(nick, {})
        games.pop(game, None)
        if not games:
            self._seats.pop(nick, None)

    def begin(self, match: Match) -> None:
        """A match has started."""
        self.playing[match.id] = match
        self._newest.add(match.terms.kind, match.id)
        self.watch(match)

    def watch(self, match: Match) -> None:
        """Keep an eye on the match's clock after something happened in it."""
        deadline, armed = match.deadline(), self._armed.get(match.id)
        if deadline is not None and (armed is None or deadline < armed):
            self._disarm(match.id)
            self._armed[match.id] = deadline
            self._flags.add((deadline, match.id))

    def _disarm(self, game: str) -> None:
        armed = self._armed.pop(game, None)
        if armed is not None:
            self._flags.remove((armed, game))

    def finish(self, match: Match) -> list[Match]:
        """A match has ended; gives back the old ones that are forgotten for it."""
        del self.playing[match.id]
        self._newest.remove(match.terms.kind, match.id)
        self._disarm(match.id)
        for nick in match.nicks:
            self.give_up_seat(nick, match.id)
        return self.remember(match)

    def remember(self, match: Match) -> list[Match]:
        """Keep a finished match in memory; gives back the old ones that are forgotten for it."""
        self.finished[match.id] = match
        too_many = list(self.finished)[: max(0, len(self.finished) - FINISHED_KEPT)]
        return [self.finished.pop(id) for id in too_many]

    def fallen(self, now: int) -> Iterator[tuple[Match, int]]:
        """The matches whose flag has fallen by `now`, just expired, each with its `seq` before."""
        while (first := self._flags.first(1)) and first[0][0] <= now:
            match = self.playing[first[0][1]]
            self._disarm(match.id)
            before = match.seq
            if match.expire(now):
                yield match, before
            else:
                self.watch(match)

    def deadline(self) -> int | None:
        """When to look again: no flag falls and no wait ends before."""
        flags, wait = self._flags.first(1), self.lobby.deadline()
        if not flags or wait is None:
            return flags[0][0] if flags else wait
        return min(flags[0][0], wait)
