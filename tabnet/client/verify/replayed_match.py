"""A match that is replayed from its events; each event must be possible. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from attrs import Factory, define

from tabnet.client.verify.json_diff import ABSENT, check, not_verified
from tabnet.errors import NotVerified, RulesError, WireError
from tabnet.games.api import Game, Move, Outcome, Pass, Removable, Roll, Select, State
from tabnet.protocol.codec import command_from
from tabnet.protocol.codes import CODES
from tabnet.protocol.dice import SALT_BYTES, Dice, from_hex, mix, salt_hash

JsonObject: TypeAlias = dict[str, Any]


@define
class ReplayedMatch:
    """The state of a match after the events so far."""

    game: str
    heading: dict[str, Any]
    rules: Game
    nicks: list[str]
    state: State
    secret: bytes | None
    """The secret of the dice; None in kinds without chance."""
    hashes: dict[str, bytes]
    """Nick -> hash of the salt, for the players that bring a salt."""
    seq: int = 0
    throws: list[int] = Factory(lambda self: [0] * len(self.nicks), takes_self=True)
    """The number of throws of each seat."""
    salts: dict[str, str] = Factory(dict)
    """Nick -> salt in hex, for the salts received so far."""
    held: Select | None = None
    moved: dict[str, Any] | None = None
    """The move of the latest event."""
    offers: set[str] = Factory(set)
    out: list[str] = Factory(list)
    """The players that were removed."""
    auto: dict[int, bool] = Factory(dict)
    """Seat -> whether the server makes its forced actions, as far as updates show it."""
    result: Outcome | None = None

    def take(self, received: JsonObject) -> str:
        """Apply the next update and return the type of its event; raises `NotVerified`."""
        self.seq += 1
        event = self._event(received)
        self._apply_event(event, received)
        return str(event["type"])

    # What may happen

    def _event(self, received: JsonObject) -> dict[str, Any]:
        """Return the event of an update, if it is well formed."""
        event = received.get("event", ABSENT)
        if type(event) is not dict:
            raise not_verified(self.seq, "event", event, "an object")
        kind = event.get("type", ABSENT)
        if type(kind) is not str or kind not in EVENTS or (kind == "start") != (self.seq == 1):
            names = [name for name in EVENTS if name != "start"] if self.seq > 1 else ["start"]
            raise not_verified(self.seq, "event.type", kind, f"one of {', '.join(names)}")
        player, playing = event.get("player", ABSENT), self.playing
        if kind not in OF_NOBODY and player not in playing:
            raise not_verified(self.seq, "event.player", player, f"one of {', '.join(playing)}")
        return event

    def _apply_event(self, event: JsonObject, received: JsonObject) -> None:
        if self.result is not None:
            raise self._impossible("it comes after the end of the match")
        self.moved = None
        try:
            EVENTS[event["type"]](self, event, received)
        except (RulesError, WireError) as error:
            raise self._impossible(error.text) from None
        self.result = self.result or self.state.outcome()

    def _impossible(self, why: str) -> NotVerified:
        return NotVerified(self.seq, f"its event cannot be: {why}", field="event")

    def _start(self, event: JsonObject, received: JsonObject) -> None:
        """Do nothing: the match has just begun."""

    def _roll(self, event: JsonObject, _: JsonObject) -> None:
        seat, roll = self._actor(event), Roll()
        if self.secret is not None and self.state.chances():
            salts = {nick: bytes.fromhex(salt) for nick, salt in self.salts.items()}
            mixes = tuple(mix(salts.get(nick)) for nick in self.nicks)
            dice = Dice(self.game, self.secret, mixes)
            roll = dice.throw(self.rules, seat, self.throws[seat])
        self._play(roll)
        self.throws[seat] += 1

    def _pass(self, event: JsonObject, _: JsonObject) -> None:
        self._actor(event)
        self._play(Pass())

    def _move(self, event: JsonObject, _: JsonObject) -> None:
        self._actor(event)
        fields = {name: event[name] for name in event if name not in ("type", "player")}
        command_from({**fields, "cmd": "notify"})
        held = self.held.cell if self.held else None
        move = self.rules.interpret(self.state, held, fields)
        if not isinstance(move, Move) or self.rules.dump_move(move) != fields:
            raise self._impossible("the move is not whole")
        self._play(move)
        self.moved = fields

    def _select(self, event: JsonObject, received: JsonObject) -> None:
        self._actor(event)
        fields = {name: received[name] for name in ("cell",) if name in received}
        held = None if self.held else self.rules.interpret(self.state, None, fields)
        if not isinstance(held, Select):
            raise self._impossible("there is nothing to choose")
        self.held = held

    def _release(self, event: JsonObject, _: JsonObject) -> None:
        self._actor(event)
        if self.held is None:
            raise self._impossible("no piece is selected")
        self.held = None

    def _salt(self, event: JsonObject, _: JsonObject) -> None:
        nick, digits = event["player"], event.get("salt", ABSENT)
        if nick not in self.missing_salts:
            raise self._impossible(f"no salt is due from {nick}")
        salt = from_hex(digits, SALT_BYTES)
        if salt is None or salt_hash(salt) != self.hashes[nick].hex():
            right = f"the salt that dice_salt_hashes.{nick} of update 1 stands for"
            raise not_verified(self.seq, "event.salt", digits, right)
        self.salts[nick] = digits

    def _draw(self, event: JsonObject, _: JsonObject) -> None:
        nick = event["player"]
        check(self.seq, event.get("offer", ABSENT), nick not in self.offers, "event.offer")
        self.offers ^= {nick}
        self._end_if_all_offer_draw()

    def _leave(self, event: JsonObject, _: JsonObject) -> None:
        self._lose("leave", event["player"])

    def _timeout(self, event: JsonObject, _: JsonObject) -> None:
        """Remove the players to act; if several salts are missing, the event names none."""
        late = self.missing_salts or [str(self.running)]
        named = late[0] if len(late) == 1 else ABSENT
        check(self.seq, event.get("player", ABSENT), named, "event.player")
        self._lose("timeout", *late)

    def _illegal(self, event: JsonObject, _: JsonObject) -> None:
        check(self.seq, self.heading["strict"], True, "strict")
        check(self.seq, event["player"], self.running, "event.player")
        code = event.get("code", ABSENT)
        if type(code) is not str or code not in CODES:
            raise not_verified(self.seq, "event.code", code, "a code of the table of errors")
        self._lose("illegal_move", event["player"])

    def _end(self, _: JsonObject, received: JsonObject) -> None:
        result = received.get("result")
        failed = type(result) is dict and result.get("reason") == "error"
        self._finish("error" if failed else "ended")

    # How it happens

    @property
    def missing_salts(self) -> list[str]:
        """Return the players whose salts are still missing; nobody plays before they come."""
        return [nick for nick in self.hashes if nick not in (*self.salts, *self.out)]

    @property
    def playing(self) -> list[str]:
        """Return the players that were not removed."""
        return [nick for nick in self.nicks if nick not in self.out]

    @property
    def running(self) -> str | None:
        """Return the player to act; None while salts are missing."""
        return (
            None if self.missing_salts or self.state.turn is None else self.nicks[self.state.turn]
        )

    def _actor(self, event: JsonObject) -> int:
        """Return the seat of the player that acts, if it is its turn."""
        if self.missing_salts:
            raise self._impossible(
                f"the salt of {' and '.join(self.missing_salts)} has not come yet"
            )
        check(self.seq, event["player"], self.running, "event.player")
        return self.nicks.index(event["player"])

    def _play(self, action: Roll | Pass | Move) -> None:
        self.state, self.held = self.state.apply(action), None

    def _lose(self, reason: str, *losers: str) -> None:
        """Remove players; two or more others play on, a single one wins."""
        self.out += losers
        if len(self.playing) < 2:
            self._finish(reason, self.playing)
            return
        turn = self.state.turn
        for nick in losers:
            self.state = cast(Removable, self.state).remove(self.nicks.index(nick))
        self.held = self.held if self.state.turn == turn else None
        self.offers -= {*losers}
        self.result = self.state.outcome()
        self._end_if_all_offer_draw()

    def _end_if_all_offer_draw(self) -> None:
        if self.result is None and len(self.offers) == len(self.playing):
            self._finish("agreed")

    def _finish(self, reason: str, winners: Sequence[str] = ()) -> None:
        seats = tuple(self.nicks.index(nick) for nick in winners)
        points = tuple(int(nick in winners) for nick in self.nicks)
        self.result, self.held = Outcome(seats, points, reason), None


EVENTS: dict[str, Callable[[ReplayedMatch, JsonObject, JsonObject], None]] = {
    "start": ReplayedMatch._start,
    "roll": ReplayedMatch._roll,
    "select": ReplayedMatch._select,
    "release": ReplayedMatch._release,
    "move": ReplayedMatch._move,
    "pass": ReplayedMatch._pass,
    "salt": ReplayedMatch._salt,
    "draw": ReplayedMatch._draw,
    "leave": ReplayedMatch._leave,
    "timeout": ReplayedMatch._timeout,
    "illegal": ReplayedMatch._illegal,
    "end": ReplayedMatch._end,
}
OF_NOBODY = ("start", "end", "timeout")
"""Events that name no player, or need not."""
