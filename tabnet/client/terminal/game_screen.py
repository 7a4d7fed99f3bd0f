"""The screen of one game: its position, its latest events, the expected action, as rows. Pure."""

from __future__ import annotations

import math
import textwrap
from collections import deque
from typing import Any

from attrs import Factory, define

from tabnet.client.terminal.event_sentences import describe_event
from tabnet.client.terminal.input_parser import find_board_marks, find_legal_turn
from tabnet.games import GAMES
from tabnet.games.terminal import Row, Turn
from tabnet.protocol.frames import Snapshot, StateReply

REMEMBERED = 8
"""The number of events that the screen shows if it is high enough."""
SHORT_S = 10
"""The time below which a clock is shown as urgent."""

REASONS = {
    "leave": "the other side left",
    "timeout": "the other side ran out of time",
    "illegal_move": "the other side made an illegal move",
    "crash": "the bot failed again and again",
    "agreed": "the players agreed",
}
"""The texts for the reasons that end a game of any kind."""
LAST_PLAYER_REASONS = ("leave", "timeout", "illegal_move", "crash")
"""With more than two seats, the reasons for which a single player is left."""

UNWON = {
    "ended": "the operator ended the game",
    "error": "the server closed the game after an error",
    "abandoned": "all players left the game",
    "timeout": "the salts did not come in time",
}
"""The reasons for which a game has no winner and is not a draw."""

ACTION_VERBS = {"roll": "roll", "pass": "pass", "notify": "move"}


@define
class GameScreen:
    """The screen of one game. `mine` are the nicks that play at this keyboard."""

    mine: tuple[str, ...] = ()
    note: str = ""
    """The answer to the latest input, or news of the connection."""
    online: dict[str, bool] = Factory(dict)
    waiting: bool = False
    """True before the game begins."""
    update: Snapshot | None = None
    turn: Turn | None = None
    event_lines: deque[str] = Factory(lambda: deque(maxlen=REMEMBERED))
    _clock: dict[str, float] = Factory(dict)
    _clock_at: float = 0
    _standing: tuple[int, dict[str, float], float] | None = None

    def show_update(self, update: Snapshot, now: float) -> str:
        event = describe_event(update, self.update)
        self.event_lines.append(event)
        self.update, self.turn = update, find_legal_turn(update)
        self._clock, self._clock_at = update.position["clock"], now
        if self._standing is not None and self._standing[0] == update.seq:
            _, self._clock, self._clock_at = self._standing
        return event

    def show_clocks(self, standing: StateReply, now: float) -> None:
        """Show the current clocks, which are newer than those of the update."""
        self.waiting = standing.status == "waiting"
        if standing.update is not None and standing.clock is not None:
            self._standing = (standing.update["seq"], standing.clock, now)
            if self.update is not None and self.update.seq == standing.update["seq"]:
                _, self._clock, self._clock_at = self._standing

    @property
    def over(self) -> bool:
        return self.update is not None and self.update.over

    @property
    def my_turn(self) -> Turn | None:
        """Return what can be typed now, or None if no player at this keyboard is to act."""
        if self.update is None or self.update.turn not in self.mine:
            return None
        return self.turn

    @property
    def bottom_seat(self) -> int:
        """Return the seat at the bottom: the only player here, or the one of them who is to act."""
        if self.update is None or not self.mine:
            return 0
        nicks = list(self.update.position["players"])
        turn = self.update.turn
        return nicks.index(turn if turn is not None and turn in self.mine else self.mine[0])

    def compute_time_left(self, nick: str, now: float) -> float:
        time_left = self._clock.get(nick, 0)
        running = self.update is not None and self.update.turn == nick
        return max(0, time_left - (now - self._clock_at)) if running else time_left

    def draw_screen_rows(self, now: float, columns: int, height: int) -> list[Row]:
        """Return the whole screen without the input line."""
        tail = [
            (),
            *_wrap_sentence(self.expected_action, columns, "bold"),
            *_wrap_sentence(self.note, columns, "yellow"),
        ]
        if self.update is None:
            return tail[-height:]
        head = self.draw_board_rows(columns, now)
        room = max(0, height - len(head) - len(tail) - 1)
        events = list(self.event_lines)[-room:] if room else []
        event_rows: list[Row] = [((f" {event}", "dim"),) for event in events]
        return [*head, *([()] if events else []), *event_rows, *tail][-height:]

    def draw_board_rows(self, columns: int, now: float) -> list[Row]:
        if self.update is None:
            return []
        position = self.update.position
        nicks = list(position["players"])
        own = nicks[self.bottom_seat]
        marks = find_board_marks(self.update, self.my_turn)
        return [
            *(self._draw_player_row(nick, now) for nick in nicks if nick != own),
            (),
            *GAMES[position["kind"]].terminal.draw(position, self.bottom_seat, marks, columns),
            (),
            self._draw_player_row(own, now),
        ]

    def _draw_player_row(self, nick: str, now: float) -> Row:
        position = self.update.position if self.update else {}
        colour = position["players"][nick]
        styles = GAMES[position["kind"]].terminal.styles
        time_left = self.compute_time_left(nick, now)
        running = self.update is not None and self.update.turn == nick
        urgent = "bold red" if running and time_left < SHORT_S else "bold" if running else "dim"
        out = "  out" if colour in position.get("out", ()) else ""
        away = "  away" if self.online.get(nick) is False else ""
        offers = "  offers a draw" if nick in position.get("draw_offers", ()) else ""
        name = colour if nick == colour else f"{colour} {nick}"
        you = "  (you)" if self.mine == (nick,) else ""
        return (
            (" > " if running else "   ", "bold"),
            (f" {name} ", styles.get(colour, "bold")),
            (you, "dim"),
            (f"  {format_clock(time_left)}", urgent),
            (out, "bold"),
            (away, "yellow"),
            (offers, "yellow"),
        )

    @property
    def expected_action(self) -> str:
        """Return who is to do what, or the result."""
        if self.update is None:
            return self._waiting_sentence if self.waiting else ""
        if self.update.over:
            return self.result_sentence
        colour = self.update.position["players"][self.update.turn]
        if self.my_turn is None:
            return f"{colour} is to {ACTION_VERBS[self.turn.action] if self.turn else 'play'}."
        demand = self.my_turn.demand
        enter = " (Enter)" if self.my_turn.has_one_answer else ""
        return f"{colour}, your turn: {demand}{enter}"

    @property
    def result_sentence(self) -> str:
        position: dict[str, Any] = self.update.position if self.update else {}
        result = position["result"]
        winners, reason = result["winners"], self._describe_reason(position, result["reason"])
        if not winners and result["reason"] in UNWON:
            return f"Nobody won: {UNWON[result['reason']]}."
        if not winners:
            return f"The game is a draw: {reason}."
        names = " and ".join(_format_player(position, nick) for nick in winners)
        if len(self.mine) == 1 and self.mine[0] not in winners:
            return f"You lost to {names}: {reason.replace('the other side', 'your side')}."
        if len(winners) > 1:
            return f"{names} won together: {reason}."
        return f"{'You' if self.mine == (*winners,) else names} won: {reason}."

    @property
    def _waiting_sentence(self) -> str:
        if len(self.online) > 1:
            return f"Waiting for more opponents: {len(self.online)} of you are here."
        return "Waiting for an opponent."

    def _describe_reason(self, position: dict[str, Any], reason: str) -> str:
        if len(position["players"]) > 2 and reason in LAST_PLAYER_REASONS:
            return "all others are out"
        endings = GAMES[position["kind"]].terminal.endings
        return endings.get(reason) or REASONS.get(reason, reason)


def _format_player(position: dict[str, Any], nick: str) -> str:
    """Return a player's colour, with the nick if it differs."""
    colour: str = position["players"][nick]
    return colour if colour == nick else f"{colour} ({nick})"


def _wrap_sentence(text: str, columns: int, style: str) -> list[Row]:
    """Wrap a sentence; the result has at least one row."""
    return [((f" {line}", style),) for line in textwrap.wrap(text, columns - 1) or [""]]


def format_clock(seconds: float) -> str:
    """Return a time as a clock shows it; a started second counts as a whole one."""
    whole = math.ceil(seconds)
    return f"{whole // 60}:{whole % 60:02}"
