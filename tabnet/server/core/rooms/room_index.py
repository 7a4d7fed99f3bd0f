"""The rooms of dialects: a name for each game, until an hour after its end. Pure."""

from __future__ import annotations

from attrs import define, field

from tabnet.server.core.ordered_collections import Deadlines

HOUR_MS = 3600 * 1000
"""The time for which an ended game can still be looked at under the name of its room."""


@define
class Rooms:
    """The game of each room."""

    _games: dict[str, str] = field(factory=dict)
    """The id of the game, by the name of the room."""
    _names: dict[str, str] = field(factory=dict)
    """The name of the room, by the id of the game."""
    _announced: set[str] = field(factory=set)
    """The names of rooms that may be opened, where the operator announces them."""
    _ended: list[str] = field(factory=list)
    """The games in rooms that have ended since the last look at the time."""
    _closing: Deadlines = field(factory=Deadlines)
    """The time at which the room of an ended game closes."""

    def game(self, name: str) -> str | None:
        """Return the id of the game in a room; None if there is no such room."""
        return self._games.get(name)

    def find_name(self, game: str) -> str | None:
        """Return the name of the room in which a game is played, or None."""
        return self._names.get(game)

    def announce(self, name: str) -> None:
        """Let players open a room on a server where the operator announces the rooms."""
        self._announced.add(name)

    def is_announced(self, name: str) -> bool:
        """Return True if the operator has announced a room that nobody has opened yet."""
        return name in self._announced

    def open(self, name: str, game: str) -> None:
        """Open a room for a game."""
        self._announced.discard(name)
        self._games[name] = game
        self._names[game] = name

    def end(self, game: str) -> None:
        """Close the room of that game in an hour, if the game has a room."""
        if game in self._names:
            self._ended.append(game)

    def close(self, name: str) -> None:
        """Close a room: its name is free."""
        del self._names[self._games.pop(name)]
        self._closing.discard(name)

    def pop_due(self, now: int) -> list[str]:
        """Close and return the rooms whose hour is over at `now`."""
        for game in self._ended:
            if game in self._names:
                self._closing.set(self._names[game], now + HOUR_MS)
        self._ended.clear()
        due = []
        while (name := self._closing.pop_due(now)) is not None:
            self.close(name)
            due.append(name)
        return due

    @property
    def deadline(self) -> int | None:
        """Return the time at which `pop_due` has something to do, or None."""
        return 0 if self._ended else self._closing.earliest
