"""A player's view of a game: its position, from one whole update and the events of turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from attrs import define

from tabnet.client.client_state import load_state
from tabnet.errors import StartError, quote
from tabnet.games import GAMES
from tabnet.games.api import Game, Pass, Removable, State

REMOVING = ("leave", "timeout", "illegal", "end")
"""The events that remove their player from a game that goes on."""


@define
class BotView:
    """One player's view of a running game."""

    rules: Game
    nicks: list[str]
    """The players, in the order of their seats."""
    seat: int
    strict: bool
    """True if an illegal move loses the game."""
    state: State
    """The position after the latest update or turn."""

    @classmethod
    def from_update(cls, nick: str, update: Mapping[str, Any]) -> BotView:
        """Create the view from an update; raise `StartError` for an unknown kind of game."""
        kind, nicks = update["kind"], list(update["players"])
        if kind not in GAMES:
            raise StartError(f"this tabnet has no game {quote(kind)}")
        state = load_state(dict(update))
        return cls(GAMES[kind], nicks, nicks.index(nick), update["strict"], state)

    def apply(self, events: Iterable[Mapping[str, Any]]) -> State:
        """Return the position after the events of a turn."""
        for event in events:
            self._apply_event(event)
        return self.state

    def _apply_event(self, event: Mapping[str, Any]) -> None:
        type = event["type"]
        if type == "move":
            names = self.rules.fields.notify
            fields = {name: event[name] for name in names if name in event}
            self.state = self.state.apply(self.rules.parse_move(fields))
        elif type == "roll":
            self.state = self.state.apply(self.rules.parse_roll(event["dice"]))
        elif type == "pass":
            self.state = self.state.apply(Pass())
        elif type in REMOVING:
            self.state = cast(Removable, self.state).remove(self.nicks.index(event["player"]))
