"""One match: its seats, its position, its clock, its dice and the history of its events. Pure.

Everything that happens is a `Moment`; moment k makes update k, always the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field, frozen

from tabnet.errors import IllegalMove, Refused
from tabnet.games.api import Action, Move, Outcome, Pass, Roll, Select, State
from tabnet.protocol.dice import Dice
from tabnet.server.clock import Clocks
from tabnet.server.terms import Terms


@frozen
class Seat:
    """Who sits there."""

    nick: str
    ranked: bool = True
    auto: bool = False
    """The server makes this seat's forced rolls and passes."""


@frozen
class Moment:
    """One event and the position after it."""

    event: str
    """start roll select release move pass leave timeout"""
    seat: int | None
    action: Action | None
    state: State
    held: Select | None
    left: tuple[int, ...]
    result: Outcome | None


@frozen
class Step:
    """What an action would lead to."""

    event: str
    action: Action | None
    state: State
    held: Select | None = None


@define(eq=False)
class Match:
    """A match being played, or played."""

    id: str
    terms: Terms
    seats: tuple[Seat, ...]
    dice: Dice
    state: State
    clocks: Clocks
    throws: list[int]
    moments: list[Moment]
    held: Select | None = None
    result: Outcome | None = None
    nicks: list[str] = field(init=False)
    """The players, in seat order."""
    heading: dict[str, Any] = field(init=False)
    """What every update of the match says alike."""

    def __attrs_post_init__(self) -> None:
        self.nicks = [seat.nick for seat in self.seats]
        self.heading = {
            "kind": self.terms.kind,
            "options": self.terms.options_json,
            "players": dict(zip(self.nicks, self.terms.game.colours, strict=False)),
            "initial": self.nicks[0],
            "timing": self.terms.clock_json,
        }

    @classmethod
    def start(
        cls,
        id: str,
        terms: Terms,
        seats: tuple[Seat, ...],
        secret: bytes,
        mixes: tuple[bytes, ...],
        now: int,
    ) -> Match:
        """A match that has just begun."""
        state = terms.game.start(terms.options, terms.seats)
        clocks = Clocks.start(terms.clock, len(seats), state.turn, now)
        match = cls(id, terms, seats, Dice(id, secret, mixes), state, clocks, [0] * len(seats), [])
        match._remember("start", None, None, clocks.left)
        match._play_forced(now)
        return match

    # What players do

    def play(self, seat: int, cmd: str, fields: Mapping[str, Any], now: int) -> None:
        """Roll, pass or notify; `fields` are those of the notify."""
        self._take(self.preview(seat, cmd, fields), seat, now)
        self._play_forced(now)

    def preview(self, seat: int, cmd: str, fields: Mapping[str, Any]) -> Step:
        """What that would lead to; raises the refusal."""
        if cmd == "notify":
            return self._notify(seat, fields)
        self._require_turn(seat, "Not your turn to play")
        return self._roll(seat) if cmd == "roll" else self._pass()

    def leave(self, seat: int, now: int) -> None:
        """Give the match up."""
        self._require_running()
        self._forfeit(seat, "leave", now)

    def expire(self, now: int) -> bool:
        """Let the flag fall if the time of the seat to act is over; tells whether it was."""
        deadline = self.deadline()
        if deadline is None or now < deadline:
            return False
        self._forfeit(self.state.turn, "timeout", now)
        return True

    def _roll(self, seat: int) -> Step:
        roll = Roll()
        if self.state.chances():
            roll = self.dice.throw(self.terms.game, seat, self.throws[seat])
        return Step("roll", roll, self.state.apply(roll))

    def _pass(self) -> Step:
        return Step("pass", Pass(), self.state.apply(Pass()))

    def _notify(self, seat: int, fields: Mapping[str, Any]) -> Step:
        self._require_running()
        meant = self._meant(seat, fields)
        if isinstance(meant, Move):
            return Step("move", meant, self.state.apply(meant))
        if meant.cell is None:
            return Step("release", None, self.state)
        return Step("select", None, self.state, meant)

    def _meant(self, seat: int, fields: Mapping[str, Any]) -> Move | Select:
        """A move of the wrong shape is refused as such even out of turn, an illegal one is not."""
        held = self.held.cell if self.held and seat == self.state.turn else None
        try:
            meant = self.terms.game.interpret(self.state, held, fields)
        except IllegalMove:
            self._require_turn(seat, "not your turn to play")
            raise
        self._require_turn(seat, "not your turn to play")
        return meant

    # What is told

    @property
    def seq(self) -> int:
        """The number of the latest update."""
        return len(self.moments)

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the match is over."""
        return None if self.result else self.state.turn

    def deadline(self) -> int | None:
        """When the flag of the seat to act falls; None when the match is over."""
        return None if self.result else self.clocks.deadline()

    def left(self, now: int) -> tuple[int, ...]:
        """What each seat has left."""
        return self.moments[-1].left if self.result else self.clocks.at(now)

    def nick(self, seat: int | None) -> str | None:
        """Who sits there."""
        return None if seat is None else self.seats[seat].nick

    # How it happens

    def _require_running(self) -> None:
        if self.result:
            raise Refused("game_over", "the game is over")

    def _require_turn(self, seat: int, text: str) -> None:
        self._require_running()
        if seat != self.state.turn:
            raise Refused("not_your_turn", text)

    def _take(self, step: Step, seat: int, now: int) -> None:
        self.state, self.held = step.state, step.held
        if step.event == "roll":
            self.throws[seat] += 1
        if step.action is not None:  # selecting costs time like thinking does
            self.clocks = self.clocks.acted(self.state.turn, now)
        self.result = self.state.outcome()
        self._remember(step.event, seat, step.action, self.clocks.at(now))

    def _play_forced(self, now: int) -> None:
        """The rolls and passes of seats that leave them to the server."""
        while (seat := self.state.turn) is not None and self.seats[seat].auto:
            forced = self.state.actions()
            if forced == (Roll(),):
                self._take(self._roll(seat), seat, now)
            elif forced == (Pass(),):
                self._take(self._pass(), seat, now)
            else:
                return

    def _forfeit(self, seat: int | None, event: str, now: int) -> None:
        others = tuple(other for other in range(len(self.seats)) if other != seat)
        points = tuple(int(other in others) for other in range(len(self.seats)))
        self.held = None
        self.result = Outcome(others, points, event)
        self.clocks = self.clocks.acted(None, now)
        self._remember(event, seat, None, self.clocks.left)

    def _remember(
        self, event: str, seat: int | None, action: Action | None, left: tuple[int, ...]
    ) -> None:
        self.moments.append(Moment(event, seat, action, self.state, self.held, left, self.result))
