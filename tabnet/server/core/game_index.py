"""Every game there is: waiting, being played, and lately finished. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from attrs import define, field

from tabnet.errors import Refused
from tabnet.server.core.lobby import Lobby, Table
from tabnet.server.core.match import Match

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
    _flags: list[tuple[int, str]] = field(factory=list)
    _armed: dict[str, int] = field(factory=dict)
    """The earliest time in `_flags` for each match: not every action adds one."""

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
        games = self.games_of(nick) if nick is not None else []
        if len(games) == 1:
            return games[0]
        some = ", ".join(games[:3]) + (f" and {len(games) - 3} more" if len(games) > 3 else "")
        hint = f"you have seats in {some}" if games else "you have no seat in any game"
        raise Refused("which_game", "which game?", field="game", hint=hint)

    def games_of(self, nick: str) -> list[str]:
        """The games this player waits for or plays."""
        return list(self._seats.get(nick, ()))

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
        self.watch(match)

    def watch(self, match: Match) -> None:
        """Keep an eye on the match's clock after something happened in it."""
        deadline = match.deadline()
        if deadline is not None and deadline < self._armed.get(match.id, deadline + 1):
            self._armed[match.id] = deadline
            heappush(self._flags, (deadline, match.id))

    def finish(self, match: Match) -> list[Match]:
        """A match has ended; gives back the old ones that are forgotten for it."""
        del self.playing[match.id]
        self._armed.pop(match.id, None)
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
        while self._flags and self._flags[0][0] <= now:
            time, id = heappop(self._flags)
            match = self.playing.get(id)
            if match is None or self._armed[id] != time:
                continue
            del self._armed[id]
            before = match.seq
            if match.expire(now):
                yield match, before
            else:
                self.watch(match)

    def deadline(self) -> int | None:
        """When to look again: no flag falls and no wait ends before."""
        flag = self._flags[0][0] if self._flags else None
        wait = self.lobby.deadline()
        if flag is None or wait is None:
            return wait if flag is None else flag
        return min(flag, wait)
