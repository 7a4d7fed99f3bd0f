"""Every game there is: waiting, being played, and lately finished. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from attrs import define, field, frozen

from tabnet.errors import Refused
from tabnet.server.core.matches.match import Match
from tabnet.server.core.newest import NewestIds
from tabnet.server.core.pairing.lobby import Lobby, Table
from tabnet.server.core.sorted_values import SortedValues

FINISHED_KEPT = 200
"""How many finished matches can still be asked for."""


@frozen
class SetAside:
    """A stored match that cannot be replayed: every command about it is refused."""

    id: str
    nicks: tuple[str, ...]
    reason: str
    """What is wrong with it, for the operator."""

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
    """Finds games by id and by player, and knows whose time is up next."""

    lobby: Lobby = field(factory=Lobby)
    playing: dict[str, Match] = field(factory=dict)
    finished: dict[str, Match] = field(factory=dict)
    set_aside_matches: dict[str, SetAside] = field(factory=dict)
    """Unfinished matches that could not be replayed when the server started."""
    unreadable: dict[str, SetAside] = field(factory=dict)
    """Finished matches that somebody asked for and that cannot be replayed."""
    _seats: dict[str, dict[str, None]] = field(factory=dict)
    """Nick -> the games it has a seat in, waiting or playing."""
    _newest: NewestIds = field(factory=NewestIds)
    """The matches that are played."""
    _set_aside_of: dict[str, list[str]] = field(factory=dict)
    """Nick -> the matches of the player that were set aside."""
    _flags: SortedValues[tuple[int, str]] = field(factory=SortedValues)
    """When to look at the clock of each match, and its id."""
    _armed: dict[str, int] = field(factory=dict)
    """The time in `_flags` for each match: not every action changes it."""

    def find(self, game: str) -> Match | Table:
        """The game of that id."""
        found = self._find(game)
        if found is None:
            raise Refused("unknown_game", "Invalid game reference", field="game")
        if isinstance(found, SetAside):
            raise found.refusal()
        return found

    def knows(self, game: str) -> bool:
        """Whether there is a game of that id."""
        return self._find(game) is not None

    def _find(self, game: str) -> Match | Table | SetAside | None:
        return (
            self.playing.get(game)
            or self.lobby.tables.get(game)
            or self.finished.get(game)
            or self.set_aside_matches.get(game)
            or self.unreadable.get(game)
        )

    def set_aside(self, match: SetAside) -> None:
        """Refuse every command about the match. Its players have no seat in it."""
        self.set_aside_matches[match.id] = match
        for nick in dict.fromkeys(match.nicks):
            self._set_aside_of.setdefault(nick, []).append(match.id)

    def end_set_aside(self, game: str) -> list[SetAside]:
        """Finish a match that was set aside; return the old ones that are forgotten for it."""
        match = self.set_aside_matches.pop(game)
        for nick in dict.fromkeys(match.nicks):
            self._set_aside_of[nick].remove(game)
            if not self._set_aside_of[nick]:
                del self._set_aside_of[nick]
        return self.remember_unreadable(match)

    def only_game_of(self, nick: str | None) -> str:
        """The one game this player has a seat in; without one, the one that was set aside."""
        games = self._seats.get(nick, {}) if nick is not None else {}
        set_aside = self._set_aside_of.get(nick, []) if nick is not None else []
        first = list(islice(games, 3))
        if len(games) == 1:
            return first[0]
        if not games and len(set_aside) == 1:
            return set_aside[0]
        some = ", ".join(first) + (f" and {len(games) - 3} more" if len(games) > 3 else "")
        hint = f"you have seats in {some}" if games else "you have no seat in any game"
        if not games and set_aside:
            hint = f"your games {', '.join(set_aside[:3])} are set aside"
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
        """Add a match that has just begun."""
        self._newest.add(match.terms.kind, match.id)
        self.replace(match)

    def replace(self, match: Match) -> None:
        """Put the next value of a running match in the place of the one before."""
        self.playing[match.id] = match
        self._watch(match)

    def _watch(self, match: Match) -> None:
        """Look at the match's clock when its deadline comes."""
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
        """Move a match that has ended; return the old ones that are forgotten for it."""
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

    def remember_unreadable(self, match: SetAside) -> list[SetAside]:
        """Refuse commands about a finished match; return the old ones that are forgotten for it."""
        self.unreadable[match.id] = match
        too_many = list(self.unreadable)[: max(0, len(self.unreadable) - FINISHED_KEPT)]
        return [self.unreadable.pop(id) for id in too_many]

    def due(self, now: int) -> Iterator[Match]:
        """Yield each match whose time is over at `now`; it is to be replaced by the next one."""
        while (first := self._flags.smallest) is not None and first[0] <= now:
            match = self.playing[first[1]]
            self._disarm(match.id)
            deadline = match.deadline()
            if deadline is not None and deadline <= now:
                yield match
            else:
                self._watch(match)

    def deadline(self) -> int | None:
        """When to look again: no flag falls and no wait ends before."""
        flag, wait = self._flags.smallest, self.lobby.deadline()
        if flag is None or wait is None:
            return flag[0] if flag else wait
        return min(flag[0], wait)
