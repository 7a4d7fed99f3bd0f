"""One match: its seats, its position, its clock, its dice and the history of its events. Pure.

Everything that happens is a `Moment`; moment k makes update k, always the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import attrs
from attrs import define, field, frozen

from tabnet.errors import IllegalMove, Refused
from tabnet.games.api import Action, Move, Outcome, Pass, Removable, Roll, Select, State
from tabnet.protocol.dice import NO_SALT, Dice, mix, salt_hash
from tabnet.server.core.clock import Clocks
from tabnet.server.core.terms import Terms


@frozen
class Seat:
    """Who sits there."""

    nick: str
    ranked: bool = True
    auto: bool = False
    """The server makes this seat's forced rolls and passes."""
    salt_hash: str | None = None
    """What the seat has said of its salt before the dice were committed to."""


REMOVING = ("leave", "timeout", "illegal", "end")
"""Events by which a seat is out, if they have one."""


@frozen
class Moment:
    """One event and how the match stands after it."""

    event: str
    """start salt roll select release move pass draw leave timeout illegal end"""
    seat: int | None
    action: Action | None
    word: Any
    """What was said beside actions: a salt, a draw offer, what was illegal."""
    state: State
    held: Select | None
    offers: tuple[int, ...]
    """Who offers a draw."""
    owing: tuple[int, ...]
    """Whose salts are still to come."""
    left: tuple[int, ...]
    result: Outcome | None
    at: int
    """Milliseconds of the match's own time."""

    @property
    def removes(self) -> int | None:
        """The one seat that is out by this event."""
        return self.seat if self.event in REMOVING else None


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
    began: int
    """When its own time was 0."""
    throws: list[int] = field(init=False)
    salts: list[bytes | None] = field(init=False)
    owing: tuple[int, ...] = field(init=False)
    """Whose salts are still to come: nobody rolls before."""
    moments: list[Moment] = field(factory=list)
    held: Select | None = None
    offers: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    """The seats that have been removed, in that order."""
    result: Outcome | None = None
    sealed: bool = False
    """The secret of its dice is not told when it ends: another match has the same."""
    most: int | None = None
    """After so many actions it is drawn."""
    actions: int = 0
    """The rolls, moves and passes of all seats."""
    nicks: list[str] = field(init=False)
    """The players, in seat order."""
    heading: dict[str, Any] = field(init=False)
    """What every update of the match says alike."""

    def __attrs_post_init__(self) -> None:
        self.nicks = [seat.nick for seat in self.seats]
        self.throws = [0] * len(self.seats)
        self.salts = [None] * len(self.seats)
        self.owing = tuple(number for number, seat in enumerate(self.seats) if seat.salt_hash)
        self.heading = {
            "kind": self.terms.kind,
            "options": self.terms.options_json,
            "players": dict(zip(self.nicks, self.terms.game.colours, strict=False)),
            "initial": self.nicks[0],
            "timing": self.terms.clock_json,
            "strict": self.terms.strict,
        }

    @classmethod
    def start(
        cls,
        id: str,
        terms: Terms,
        seats: tuple[Seat, ...],
        secret: bytes,
        now: int,
        *,
        sealed: bool = False,
        most: int | None = None,
    ) -> Match:
        """A match that has just begun."""
        dice = Dice(id, secret, (NO_SALT,) * len(seats))
        layout = dice.layout(terms.game, terms.options)
        state = terms.game.start(terms.options, len(seats), layout)
        clocks = Clocks.start(terms.clock, len(seats), None, now)
        match = cls(id, terms, seats, dice, state, clocks, now, sealed=sealed, most=most)
        if not match.owing:
            match.clocks = clocks.acted(state.turn, now)
        match._remember("start", None, now)
        match._play_forced(now)
        return match

    def shift(self, time: int) -> None:
        """Let the match's own time stand still for so long, as while no server ran."""
        self.began += time
        self.clocks = attrs.evolve(self.clocks, since=self.clocks.since + time)

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

    def reveal(self, seat: int, salt: bytes, now: int) -> None:
        """Mix a seat's salt into the dice; with the last one the clock starts."""
        self._require_running()
        if seat not in self.owing:
            raise Refused("no_salt", "no salt is expected from you")
        if salt_hash(salt) != self.seats[seat].salt_hash:
            raise Refused(
                "wrong_salt", "this salt does not have the hash that came with join", field="salt"
            )
        self.salts[seat] = salt
        self._expect_no_salt_of((seat,), now)
        self._remember("salt", seat, now, word=salt.hex())
        self._play_forced(now)

    def offer_draw(self, seat: int, offer: bool, now: int) -> None:
        """Offer a draw or take the offer back; when all who play offer one, the match is drawn."""
        self._require_running()
        if offer == (seat in self.offers):
            if offer:
                raise Refused("already_offered", "you offer a draw already", field="offer")
            raise Refused("no_offer", "you have offered no draw", field="offer")
        self.offers = tuple(sorted({*self.offers} ^ {seat}))
        self._agree(now)
        self._remember("draw", seat, now, word=offer)

    def leave(self, seat: int, now: int) -> None:
        """Give the match up."""
        self._require_running()
        self._remove((seat,), "leave", now)

    def punish(self, seat: int, code: str, now: int) -> None:
        """A strict match: who plays what the rules forbid is out."""
        self._remove((seat,), "illegal", now, reason="illegal_move", word=code)

    def may_punish(self, seat: int) -> bool:
        """Whether what the rules refuse costs the seat the match: it was to act."""
        return self.terms.strict and not self.result and not self.owing and seat == self.state.turn

    def end(self, now: int, reason: str = "ended", loser: int | None = None) -> None:
        """The operator ends the match, and nobody has won; or only the loser's part in it."""
        self._require_running()
        if loser is not None:
            self._remove((loser,), "end", now, reason)
            return
        self._finish((), reason, now)
        self._remember("end", None, now)

    def expire(self, now: int) -> bool:
        """Let the flag fall if the time of who is to act is over; tells whether it was."""
        deadline = self.deadline()
        if deadline is None or now < deadline:
            return False
        late = self.owing or tuple(seat for seat in (self.state.turn,) if seat is not None)
        self._remove(late, "timeout", now)
        return True

    def _roll(self, seat: int) -> Step:
        roll = Roll()
        if self.state.chances():
            roll = self.dice.throw(self.terms.game, seat, self.throws[seat])
        return Step("roll", roll, self.state.apply(roll))

    def _pass(self) -> Step:
        return Step("pass", Pass(), self.state.apply(Pass()))

    def _notify(self, seat: int, fields: Mapping[str, Any]) -> Step:
        self._require_started()
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

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not been removed."""
        return tuple(seat for seat in range(len(self.seats)) if seat not in self.out)

    def removal(self, seat: int) -> Moment:
        """The event by which a seat was removed."""
        return next(moment for moment in self.moments if moment.removes == seat)

    def deadline(self) -> int | None:
        """When the flag of who is to act falls; None when the match is over."""
        if self.result:
            return None
        return self.began + self.clocks.full if self.owing else self.clocks.deadline()

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

    def _require_started(self) -> None:
        self._require_running()
        if self.owing:
            nicks = " and ".join(self.nicks[seat] for seat in self.owing)
            raise Refused("salts_due", f"{nicks} must send the salt first")

    def _require_turn(self, seat: int, text: str) -> None:
        self._require_started()
        if seat != self.state.turn:
            raise Refused("not_your_turn", text)

    def _take(self, step: Step, seat: int, now: int) -> None:
        self.state, self.held = step.state, step.held
        if step.event == "roll":
            self.throws[seat] += 1
        self.result = self.state.outcome()
        if step.action is not None:  # selecting costs time like thinking does
            self.clocks = self.clocks.acted(self.state.turn, now)
            self.actions += 1
            if self.result is None and self.actions == self.most:
                self._finish((), "max_moves", now)
        self._remember(step.event, seat, now, action=step.action)

    def _play_forced(self, now: int) -> None:
        """The rolls and passes of seats that leave them to the server."""
        while (seat := self.turn) is not None and self.seats[seat].auto and not self.owing:
            forced = self.state.actions()
            if forced == (Roll(),):
                self._take(self._roll(seat), seat, now)
            elif forced == (Pass(),):
                self._take(self._pass(), seat, now)
            else:
                return

    def _remove(
        self, seats: tuple[int, ...], event: str, now: int, reason: str = "", word: Any = None
    ) -> None:
        """Take seats out of the match: two or more others play on, a single one has won."""
        self.out += seats
        if len(self.playing) < 2:
            self._finish(self.playing, reason or event, now)
        else:
            self._play_on_without(seats, now)
        self._remember(event, seats[0] if len(seats) == 1 else None, now, word=word)
        self._play_forced(now)

    def _play_on_without(self, seats: tuple[int, ...], now: int) -> None:
        turn = self.state.turn
        for seat in seats:
            self.state = cast(Removable, self.state).remove(seat)
        self.offers = tuple(seat for seat in self.offers if seat not in seats)
        self.result = self.state.outcome()
        if self.state.turn != turn and not self.owing:
            self.held = None
            self.clocks = self.clocks.handed_over(self.state.turn, now)
        self._expect_no_salt_of(seats, now)
        self._agree(now)

    def _expect_no_salt_of(self, seats: tuple[int, ...], now: int) -> None:
        """When no more salts are to come, the dice are there, and the clock starts."""
        if self.owing:
            self.owing = tuple(seat for seat in self.owing if seat not in seats)
            if not self.owing:
                self.dice = Dice(self.id, self.dice.secret, tuple(map(mix, self.salts)))
                self.clocks = self.clocks.handed_over(self.state.turn, now)

    def _agree(self, now: int) -> None:
        """All who play offer a draw: that is one."""
        if not self.result and len(self.offers) == len(self.playing):
            self._finish((), "agreed", now)

    def _finish(self, winners: tuple[int, ...], reason: str, now: int) -> None:
        self.held = None
        points = tuple(int(seat in winners) for seat in range(len(self.seats)))
        self.result = Outcome(winners, points, reason)
        self.clocks = self.clocks.acted(None, now)

    def _remember(
        self,
        event: str,
        seat: int | None,
        now: int,
        *,
        action: Action | None = None,
        word: Any = None,
    ) -> None:
        self.moments.append(
            Moment(
                event=event,
                seat=seat,
                action=action,
                word=word,
                state=self.state,
                held=self.held,
                offers=self.offers,
                owing=self.owing,
                left=self.clocks.at(now),
                result=self.result,
                at=now - self.began,
            )
        )
