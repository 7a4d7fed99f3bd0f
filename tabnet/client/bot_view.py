"""What the updates of a game mean for one of its players, with as little reading as will do.

A game is hundreds of updates, and most ask nothing of a player. Where there are throws, a look at
the bytes of a line tells so, and the position is read when there is something to do. Where there
are none, positions tell their history, which takes long to check: there the moves are followed.
"""

from __future__ import annotations

from typing import Any

import orjson
from attrs import define

from tabnet.client.client_state import state_in
from tabnet.errors import StartError, shown
from tabnet.games import GAMES
from tabnet.games.api import Game, Pass, State


@define
class BotView:
    """One player's view of a game that has begun."""

    rules: Game
    nick: str
    seat: int
    strict: bool
    """What the rules forbid loses the game."""
    _idle: tuple[bytes, ...]
    """What stands in an update that asks nothing of the player."""
    _state: State | None = None
    """The latest position, where moves are followed."""
    _returned: bool = False
    """The next update is the first one on a new connection."""

    @classmethod
    def begin(cls, nick: str, update: dict[str, Any]) -> BotView:
        """From the first update that there is."""
        kind, nicks = update["kind"], list(update["players"])
        if kind not in GAMES:
            raise StartError(f"this tabnet has no game {shown(kind)}")
        rules = GAMES[kind]
        others = [b'"turn":' + orjson.dumps(other) for other in nicks if other != nick]
        idle = (*others, b'"expects":null') if rules.uses_chance else ()
        return cls(rules, nick, nicks.index(nick), update["strict"], idle, returned=True)

    def come_back(self) -> None:
        """What comes now comes on a new connection, where updates may have been left out."""
        self._state, self._returned = None, True

    def skips(self, line: bytes) -> bool:
        """Whether this line is surely an update that asks nothing."""
        for sign in self._idle:
            if line.rfind(sign) >= 0:  # from the end, for the board stands before it
                return line.rfind(b'"winner"') < 0
        return False

    def to_act(self, update: dict[str, Any]) -> State | None:
        """The position in which the player has to act; None after other updates."""
        event = update["event"]
        if not self.rules.uses_chance:
            self._state = self._followed(update, event)
        # A draw that is offered asks for nothing anew.
        asks = update["turn"] == self.nick and (event["type"] != "draw" or self._returned)
        self._returned = False
        if not asks or update["expects"] is None:
            return None
        return self._state or state_in(update)

    def _followed(self, update: dict[str, Any], event: dict[str, Any]) -> State:
        if self._state is None:
            return state_in(update)
        if event["type"] == "move":
            fields = {name: event[name] for name in event if name not in ("type", "player")}
            return self._state.apply(self.rules.parse_move(fields))
        return self._state.apply(Pass()) if event["type"] == "pass" else self._state
