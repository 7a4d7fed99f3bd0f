"""A match that is replayed from its events; each event must be possible. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias, cast

from attrs import Factory, define

from tabnet.client.verify.json_diff import ABSENT, refuse_value, require_equal
from tabnet.errors import NotVerified, RulesError, WireError
from tabnet.games.api import Game, Move, Outcome, Pass, Removable, Roll, Select, State
from tabnet.protocol.codec import build_command
from tabnet.protocol.dice import SALT_BYTES, Dice, hash_salt, mix_salt, parse_hex
from tabnet.protocol.error_codes import CODES

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
    salts: dict[str, str] = Factory(dict)
    """Nick -> salt in hex, for the salts received so far."""
    held: Select | None = None
    moved: dict[str, Any] | None = None
    """The move of the latest event."""
    offers: set[str] = Factory(set)
    out: list[str] = Factory(list)
    auto: dict[int, bool] = Factory(dict)
    """Seat -> whether the server makes its forced actions, as far as updates show it."""
    result: Outcome | None = None

    def apply_update(self, received: JsonObject) -> str:
        """Apply the next update and return the type of its event; raises `NotVerified`."""
        self.seq += 1
        event = self._read_event(received)
        if self.result is not None:
            self._refuse_event("it comes after the end of the match")
        self.moved = None
        try:
            EVENTS[event["type"]](self, event, received)
        except (RulesError, WireError) as error:
            self._refuse_event(error.text)
        self.result = self.result or self.state.outcome()
        return str(event["type"])

    def _read_event(self, received: JsonObject) -> dict[str, Any]:
        event = received.get("event", ABSENT)
        if type(event) is not dict:
            refuse_value(self.seq, "event", event, "an object")
        kind = event.get("type", ABSENT)
        if type(kind) is not str or kind not in EVENTS or (kind == "start") != (self.seq == 1):
            names = [name for name in EVENTS if name != "start"] if self.seq > 1 else ["start"]
            refuse_value(self.seq, "event.type", kind, f"one of {', '.join(names)}")
        player, playing = event.get("player", ABSENT), self.playing
        if kind not in OF_NOBODY and player not in playing:
            refuse_value(self.seq, "event.player", player, f"one of {', '.join(playing)}")
        return event

    def _refuse_event(self, why: str) -> NoReturn:
        raise NotVerified(self.seq, f"its event cannot be: {why}", field="event") from None

    def _apply_start(self, event: JsonObject, received: JsonObject) -> None:
        """Do nothing: the match has just begun."""

    def _apply_roll(self, event: JsonObject, _: JsonObject) -> None:
        seat, roll = self._require_acting_seat(event), Roll()
        if self.secret is not None and self.state.chances():
            salts = {nick: bytes.fromhex(salt) for nick, salt in self.salts.items()}
            mixes = tuple(mix_salt(salts.get(nick)) for nick in self.nicks)
            dice = Dice(self.game, self.secret, mixes)
            roll = dice.throw(self.rules, seat, self.throws[seat])
        self._apply_action(roll)
        self.throws[seat] += 1

    def _apply_pass(self, event: JsonObject, _: JsonObject) -> None:
        self._require_acting_seat(event)
        self._apply_action(Pass())

    def _apply_move(self, event: JsonObject, _: JsonObject) -> None:
        self._require_acting_seat(event)
        fields = {name: event[name] for name in event if name not in ("type", "player")}
        build_command({**fields, "cmd": "notify"})
        held = self.held.cell if self.held else None
        move = self.rules.interpret(self.state, held, fields)
        if not isinstance(move, Move) or self.rules.dump_move(move) != fields:
            self._refuse_event("the move is not whole")
        self._apply_action(move)
        self.moved = fields

    def _apply_select(self, event: JsonObject, received: JsonObject) -> None:
        self._require_acting_seat(event)
        fields = {name: received[name] for name in ("cell",) if name in received}
        held = None if self.held else self.rules.interpret(self.state, None, fields)
        if not isinstance(held, Select):
            self._refuse_event("there is nothing to choose")
        self.held = held

    def _apply_release(self, event: JsonObject, _: JsonObject) -> None:
        self._require_acting_seat(event)
        if self.held is None:
            self._refuse_event("no piece is selected")
        self.held = None

    def _apply_salt(self, event: JsonObject, _: JsonObject) -> None:
        nick, digits = event["player"], event.get("salt", ABSENT)
        if nick not in self.missing_salts:
            self._refuse_event(f"no salt is due from {nick}")
        salt = parse_hex(digits, SALT_BYTES)
        if salt is None or hash_salt(salt) != self.hashes[nick].hex():
            right = f"the salt that dice_salt_hashes.{nick} of update 1 stands for"
            refuse_value(self.seq, "event.salt", digits, right)
        self.salts[nick] = digits

    def _apply_draw(self, event: JsonObject, _: JsonObject) -> None:
        nick = event["player"]
        require_equal(self.seq, event.get("offer", ABSENT), nick not in self.offers, "event.offer")
        self.offers ^= {nick}
        self._end_if_all_offer_draw()

    def _apply_leave(self, event: JsonObject, _: JsonObject) -> None:
        self._remove_players("leave", event["player"])

    def _apply_timeout(self, event: JsonObject, _: JsonObject) -> None:
        """Remove the players to act; if several salts are missing, the event names none."""
        late = self.missing_salts or [str(self.running)]
        named = late[0] if len(late) == 1 else ABSENT
        require_equal(self.seq, event.get("player", ABSENT), named, "event.player")
        self._remove_players("timeout", *late)

    def _apply_illegal(self, event: JsonObject, _: JsonObject) -> None:
        if event["player"] not in self.heading.get("strict_players", ()):
            require_equal(self.seq, self.heading["strict"], True, "strict")
            require_equal(self.seq, event["player"], self.running, "event.player")
        code = event.get("code", ABSENT)
        if type(code) is not str or code not in CODES:
            refuse_value(self.seq, "event.code", code, "a code of the table of errors")
        self._remove_players("illegal_move", event["player"])

    def _apply_end(self, event: JsonObject, received: JsonObject) -> None:
        if event.get("player") in self.playing:
            self._remove_players("crash", event["player"])
            return
        result = received.get("result")
        reason = result.get("reason") if type(result) is dict else None
        self._end_match(reason if reason in UNUSUAL_ENDS else "ended")

    @property
    def missing_salts(self) -> list[str]:
        """Return the players whose salts are still missing; nobody plays before they come."""
        return [nick for nick in self.hashes if nick not in (*self.salts, *self.out)]

    @property
    def playing(self) -> list[str]:
        return [nick for nick in self.nicks if nick not in self.out]

    @property
    def running(self) -> str | None:
        """Return the player to act; None while salts are missing."""
        turn = None if self.missing_salts else self.state.turn
        return None if turn is None else self.nicks[turn]

    def _require_acting_seat(self, event: JsonObject) -> int:
        if self.missing_salts:
            nicks = " and ".join(self.missing_salts)
            self._refuse_event(f"the salt of {nicks} has not come yet")
        require_equal(self.seq, event["player"], self.running, "event.player")
        return self.nicks.index(event["player"])

    def _apply_action(self, action: Roll | Pass | Move) -> None:
        self.state, self.held = self.state.apply(action), None

    def _remove_players(self, reason: str, *losers: str) -> None:
        """Remove players; two or more others play on, a single one wins."""
        self.out += losers
        if len(self.playing) < 2:
            self._end_match(reason, self.playing)
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
            self._end_match("agreed")

    def _end_match(self, reason: str, winners: Sequence[str] = ()) -> None:
        seats = tuple(self.nicks.index(nick) for nick in winners)
        points = tuple(int(nick in winners) for nick in self.nicks)
        self.result, self.held = Outcome(seats, points, reason), None


EVENTS: dict[str, Callable[[ReplayedMatch, JsonObject, JsonObject], None]] = {
    "start": ReplayedMatch._apply_start,
    "roll": ReplayedMatch._apply_roll,
    "select": ReplayedMatch._apply_select,
    "release": ReplayedMatch._apply_release,
    "move": ReplayedMatch._apply_move,
    "pass": ReplayedMatch._apply_pass,
    "salt": ReplayedMatch._apply_salt,
    "draw": ReplayedMatch._apply_draw,
    "leave": ReplayedMatch._apply_leave,
    "timeout": ReplayedMatch._apply_timeout,
    "illegal": ReplayedMatch._apply_illegal,
    "end": ReplayedMatch._apply_end,
}
UNUSUAL_ENDS = ("error", "abandoned")
"""The reasons of an end that the operator has not caused."""
OF_NOBODY = ("start", "end", "timeout")
"""Events that name no player, or need not."""
