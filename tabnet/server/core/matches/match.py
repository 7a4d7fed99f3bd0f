"""One match: its seats, its position, its clock, its dice and the history of its events. Pure.

A match is a value: each action returns the next match and leaves this one as it is. Everything
that happens is a `Moment`; moment k makes update k, always the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import frozen

from tabnet.errors import Refused, RulesError
from tabnet.games.api import Action, Outcome, Pass, Removable, Roll, Select, State
from tabnet.protocol.dice import NO_SALT, Dice, hash_salt, mix_salt
from tabnet.server.core.matches.clock import Clocks
from tabnet.server.core.matches.history import History
from tabnet.server.core.matches.match_parts import ENDED, ERROR, Moment, Seat, Step
from tabnet.server.core.matches.steps import make_pass, make_roll, make_step, require_running
from tabnet.server.core.matches.terms import Terms

T = TypeVar("T")


@frozen(eq=False, slots=False)
class Match:
    """A match being played, or played.

    It has a `__dict__`, because copying that is the quickest way to the next match.
    """

    id: str
    terms: Terms
    seats: tuple[Seat, ...]
    nicks: list[str]
    """The players, in seat order."""
    heading: dict[str, Any]
    """The fields that every update of the match has alike."""
    dice: Dice
    state: State
    clocks: Clocks
    began: int
    """When its own time was 0."""
    owing: tuple[int, ...]
    """The seats whose salts are still to come: nobody rolls before."""
    throws: tuple[int, ...]
    """How many throws each seat has made."""
    draw_commands: tuple[int, ...]
    """How many draw offers and withdrawals each seat has made since it last acted."""
    releases: tuple[int, ...]
    """How often each seat has released a piece since it last acted."""
    salts: tuple[bytes | None, ...]
    """The salts that have come, by seat."""
    moments: History[Moment]
    held: Select | None = None
    offers: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    """The seats that have been removed, in that order."""
    result: Outcome | None = None
    sealed: bool = False
    """The secret of the dice stays secret after the end: another match has the same."""
    max_actions: int | None = None
    """After so many actions the match is drawn."""
    actions: int = 0
    """The number of rolls, moves and passes of all seats."""
    turn: int | None = None
    """The seat to act; None when the match is over.

    It is a field, because in some kinds a position finds all its moves to know it.
    """

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
        max_actions: int | None = None,
        position: State | None = None,
        dice: Dice | None = None,
    ) -> Match:
        """Return a match that has just begun; `position` and `dice` replace the usual ones."""
        dice = dice or Dice(id, secret, (NO_SALT,) * len(seats))
        layout = dice.layout(terms.game, terms.options)
        state = position or terms.game.start(terms.options, len(seats), layout)
        clocks = Clocks.start(terms.clock, len(seats), None, now)
        owing = tuple(number for number, seat in enumerate(seats) if seat.salt_hash)
        nicks, none_yet = [seat.nick for seat in seats], (0,) * len(seats)
        match = cls(
            id=id,
            terms=terms,
            seats=seats,
            nicks=nicks,
            heading=_make_heading(terms, seats),
            dice=dice,
            state=state,
            clocks=clocks if owing else clocks.end_action(state.turn, now),
            began=now,
            owing=owing,
            throws=none_yet,
            draw_commands=none_yet,
            releases=none_yet,
            salts=(None,) * len(seats),
            moments=History(),
            sealed=sealed,
            max_actions=max_actions,
        )
        return match._record("start", None, now)._play_forced(now)

    def shift(self, time: int) -> Match:
        """Let the match's own time stand still for `time`, as while no server runs."""
        return self._evolve(began=self.began + time, clocks=self.clocks.shift(time))

    # The actions of players

    def play(self, seat: int, cmd: str, fields: Mapping[str, Any], now: int) -> Match:
        """Roll, pass or notify; `fields` are those of the notify."""
        return self.take(make_step(self, seat, cmd, fields), seat, now)

    def take(self, step: Step, seat: int, now: int) -> Match:
        """Make a step that `make_step` has returned, and the forced ones after it."""
        return self._take(step, seat, now)._play_forced(now)

    def reveal(self, seat: int, salt: bytes, now: int) -> Match:
        """Mix a seat's salt into the dice; with the last one the clock starts."""
        require_running(self)
        if seat not in self.owing:
            raise Refused("no_salt", "no salt is expected from you")
        if hash_salt(salt) != self.seats[seat].salt_hash:
            raise Refused(
                "wrong_salt", "this salt does not have the hash that came with join", field="salt"
            )
        salts = _replace_value(self.salts, seat, salt)
        after = self._evolve(salts=salts)._expect_no_salt_of((seat,), now)
        return after._record("salt", seat, now, salt.hex())._play_forced(now)

    def offer_draw(self, seat: int, offer: bool, now: int) -> Match:
        """Offer a draw or withdraw the offer; when all who play offer one, the match is drawn."""
        require_running(self)
        if offer == (seat in self.offers):
            if offer:
                raise Refused("already_offered", "you offer a draw already", field="offer")
            raise Refused("no_offer", "you have offered no draw", field="offer")
        after = self._evolve(
            offers=tuple(sorted({*self.offers} ^ {seat})),
            draw_commands=_replace_value(self.draw_commands, seat, self.draw_commands[seat] + 1),
        )
        return after._end_if_all_offer_draw(now)._record("draw", seat, now, offer)

    def leave(self, seat: int, now: int) -> Match:
        """Let a seat resign."""
        require_running(self)
        return self._remove((seat,), "leave", now)

    def punish(self, seat: int, code: str, now: int) -> Match:
        """Remove the seat that has played an illegal move in a strict match."""
        return self._remove((seat,), "illegal", now, reason="illegal_move", word=code)

    def may_punish(self, seat: int) -> bool:
        """Return True if an error of the seat can cost it the match now.

        In a strict match that is an illegal move of the seat that is to act.
        """
        if self.result or seat in self.out:
            return False
        is_to_act = not self.owing and seat == self.turn
        return self.seats[seat].out_on_error or (self.terms.strict and is_to_act)

    def end(self, now: int, reason: str = ENDED, loser: int | None = None) -> Match:
        """End the match without a winner; with a `loser`, remove only that seat."""
        require_running(self)
        if loser is not None:
            return self._remove((loser,), "end", now, reason)
        return self._finish((), reason, now)._record("end", None, now)

    def expire(self, now: int) -> Match | None:
        """Remove the seats whose time is over; None if it is not over for any."""
        deadline = self.deadline
        if deadline is None or now < deadline:
            return None
        late = self.owing or tuple(seat for seat in (self.turn,) if seat is not None)
        return self._remove(late, "timeout", now)

    # The match as it stands

    @property
    def seq(self) -> int:
        """The number of the latest update."""
        return self.moments.length

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not been removed."""
        return tuple(seat for seat in range(len(self.seats)) if seat not in self.out)

    @property
    def is_ranked(self) -> bool:
        """True if the result counts in the rankings."""
        failed = self.result is not None and self.result.reason == ERROR
        return not failed and all(seat.ranked for seat in self.seats)

    @property
    def needs_players_online(self) -> bool:
        """True if the match ends when none of its players is connected."""
        return all(self.seats[seat].must_be_online for seat in self.playing)

    def find_removal(self, seat: int) -> Moment:
        """Return the event by which a seat was removed."""
        return next(moment for moment in self.moments if moment.removes == seat)

    @property
    def deadline(self) -> int | None:
        """Return when the time of the seat to act is over; None when the match is."""
        if self.result:
            return None
        return self.began + self.clocks.full if self.owing else self.clocks.deadline

    def compute_left(self, now: int) -> tuple[int, ...]:
        """Return the time that each seat has left."""
        return self.moments[-1].left if self.result else self.clocks.compute_left(now)

    def get_nick(self, seat: int | None) -> str | None:
        """Return the player of a seat."""
        return None if seat is None else self.seats[seat].nick

    # The next match

    def _evolve(self, **changes: Any) -> Match:
        """Return this match with these fields changed."""
        return _make_match(self.__dict__ | changes)

    def _take(self, step: Step, seat: int, now: int) -> Match:
        after = self.__dict__.copy()
        after["held"] = step.held
        if step.action is None:  # selecting costs time like thinking does
            released = self.releases[seat] + (step.event == "release")
            after["releases"] = _replace_value(self.releases, seat, released)
            return _append_moment(after, step.event, seat, now)
        state, clocks = step.state, self.clocks.end_action(step.state.turn, now)
        result, actions = state.outcome(), self.actions + 1
        if result is None and actions == self.max_actions:
            result, clocks = self._make_outcome((), "max_moves"), clocks.end_action(None, now)
        after["state"], after["clocks"] = state, clocks
        after["result"], after["actions"] = result, actions
        if step.event == "roll":
            after["throws"] = _replace_value(self.throws, seat, self.throws[seat] + 1)
        if self.draw_commands[seat] or self.releases[seat]:
            after["draw_commands"] = _replace_value(self.draw_commands, seat, 0)
            after["releases"] = _replace_value(self.releases, seat, 0)
        return _append_moment(after, step.event, seat, now, step.action)

    def _play_forced(self, now: int) -> Match:
        """Make the rolls and passes of seats that leave them to the server."""
        match = self
        while (seat := match.turn) is not None and match.seats[seat].auto and not match.owing:
            first = match.state.actions()[0]
            try:
                if isinstance(first, Roll):
                    step = make_roll(match, seat)
                elif isinstance(first, Pass):
                    step = make_pass(match)
                else:
                    break
            except RulesError as error:
                raise RuntimeError("the rules refuse the only action that they name") from error
            match = match._take(step, seat, now)
        return match

    def _remove(
        self, seats: tuple[int, ...], event: str, now: int, reason: str = "", word: Any = None
    ) -> Match:
        """Remove seats from the match: two or more others play on, a single one has won."""
        after = self._evolve(out=self.out + seats)
        if len(after.playing) < 2:
            after = after._finish(after.playing, reason or event, now)
        else:
            after = after._play_on_without(seats, now)
        seat = seats[0] if len(seats) == 1 else None
        return after._record(event, seat, now, word)._play_forced(now)

    def _play_on_without(self, seats: tuple[int, ...], now: int) -> Match:
        state = self.state
        for seat in seats:
            state = cast(Removable, state).remove(seat)
        after = self._evolve(
            state=state,
            offers=tuple(seat for seat in self.offers if seat not in seats),
            result=state.outcome(),
        )
        if state.turn != self.state.turn and not self.owing:
            clocks = self.clocks.run_for(state.turn, now)
            after = after._evolve(held=None, clocks=clocks)
        return after._expect_no_salt_of(seats, now)._end_if_all_offer_draw(now)

    def _expect_no_salt_of(self, seats: tuple[int, ...], now: int) -> Match:
        """When no more salts are to come, the dice are complete, and the clock starts."""
        owing = tuple(seat for seat in self.owing if seat not in seats)
        if owing or not self.owing:
            return self._evolve(owing=owing)
        return self._evolve(
            owing=owing,
            dice=Dice(self.id, self.dice.secret, tuple(map(mix_salt, self.salts))),
            clocks=self.clocks.run_for(self.state.turn, now),
        )

    def _end_if_all_offer_draw(self, now: int) -> Match:
        if not self.result and len(self.offers) == len(self.playing):
            return self._finish((), "agreed", now)
        return self

    def _finish(self, winners: tuple[int, ...], reason: str, now: int) -> Match:
        clocks = self.clocks.end_action(None, now)
        return self._evolve(held=None, result=self._make_outcome(winners, reason), clocks=clocks)

    def _make_outcome(self, winners: tuple[int, ...], reason: str) -> Outcome:
        points = tuple(int(seat in winners) for seat in range(len(self.seats)))
        return Outcome(winners, points, reason)

    def _record(self, event: str, seat: int | None, now: int, word: Any = None) -> Match:
        """Return this match with the event that has led to it."""
        return _append_moment(self.__dict__.copy(), event, seat, now, word=word)


def _append_moment(
    after: dict[str, Any],
    event: str,
    seat: int | None,
    now: int,
    action: Action | None = None,
    word: Any = None,
) -> Match:
    """Return the match of these fields, with the event that has led to it as its latest moment."""
    moment = Moment(
        event,
        seat,
        action,
        word,
        after["state"],
        after["held"],
        after["offers"],
        after["owing"],
        after["clocks"].compute_left(now),
        after["result"],
        now - after["began"],
    )
    after["moments"] = after["moments"].append(moment)
    after["turn"] = None if after["result"] else after["state"].turn
    return _make_match(after)


def _replace_value(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return the values of the seats with another one for `seat`."""
    return values if values[seat] == value else (*values[:seat], value, *values[seat + 1 :])


def _make_match(fields: dict[str, Any]) -> Match:
    match = Match.__new__(Match)
    object.__setattr__(match, "__dict__", fields)
    return match


def _make_heading(terms: Terms, seats: tuple[Seat, ...]) -> dict[str, Any]:
    nicks = [seat.nick for seat in seats]
    strict_players = [seat.nick for seat in seats if seat.out_on_error]
    heading = {
        "kind": terms.kind,
        "options": terms.options_json,
        "players": dict(zip(nicks, terms.game.colours, strict=False)),
        "initial": nicks[0],
        "timing": terms.clock_json,
        "strict": terms.strict,
    }
    return heading | ({"strict_players": strict_players} if strict_players else {})
