"""One player's view of a game, which decides as cheaply as possible if an update needs an answer.

A game has hundreds of updates, and most need no answer. In games with dice, a search in the bytes
of the line shows this, and the position is parsed only if the player has to act. In games without
dice, parsing a position means checking its history, which is slow; there the view applies the moves
instead.
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
    """One player's view of a running game."""

    rules: Game
    nick: str
    seat: int
    strict: bool
    """True if an illegal move loses the game."""
    _idle_marks: tuple[bytes, ...]
    """Byte strings that occur only in updates that need no answer."""
    _state: State | None = None
    """The latest position, in games without dice."""
    _is_first_after_connect: bool = False
    """True if the next update is the first on a new connection."""

    @classmethod
    def from_update(cls, nick: str, update: dict[str, Any]) -> BotView:
        """Create the view from the first update."""
        kind, nicks = update["kind"], list(update["players"])
        if kind not in GAMES:
            raise StartError(f"this tabnet has no game {shown(kind)}")
        rules = GAMES[kind]
        others = [b'"turn":' + orjson.dumps(other) for other in nicks if other != nick]
        idle_marks = (*others, b'"expects":null') if rules.uses_chance else ()
        seat = nicks.index(nick)
        return cls(rules, nick, seat, update["strict"], idle_marks, is_first_after_connect=True)

    def forget_position(self) -> None:
        """Forget the position, because updates may be missing on the new connection."""
        self._state, self._is_first_after_connect = None, True

    def needs_no_answer(self, line: bytes) -> bool:
        """Return whether a line is certainly an update that needs no answer."""
        for mark in self._idle_marks:
            if line.rfind(mark) >= 0:  # from the end, for the board stands before it
                return line.rfind(b'"winner"') < 0
        return False

    def state_to_act_in(self, update: dict[str, Any]) -> State | None:
        """Return the position if the player has to act in it, else None."""
        event = update["event"]
        if not self.rules.uses_chance:
            self._state = self._apply_event(update, event)
        # A draw that is offered asks for nothing anew.
        asks = update["turn"] == self.nick and (
            event["type"] != "draw" or self._is_first_after_connect
        )
        self._is_first_after_connect = False
        if not asks or update["expects"] is None:
            return None
        return self._state or state_in(update)

    def _apply_event(self, update: dict[str, Any], event: dict[str, Any]) -> State:
        if self._state is None:
            return state_in(update)
        if event["type"] == "move":
            fields = {name: event[name] for name in event if name not in ("type", "player")}
            return self._state.apply(self.rules.parse_move(fields))
        return self._state.apply(Pass()) if event["type"] == "pass" else self._state
