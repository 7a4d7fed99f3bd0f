"""A match of the model: seats, position, clock and dice, as protocol.md describes them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.fuzz.position import POSITIONS, Ending, Fish

JSON = dict[str, Any]


class Refusal(Exception):
    """A refusal, with one of these codes."""

    def __init__(self, *codes: str) -> None:
        super().__init__(*codes)
        self.codes = codes


@dataclass(frozen=True)
class Terms:
    kind: str
    chosen: tuple[tuple[str, int], ...]
    """The options, in any order."""
    seats: int
    group: int | None
    clock: tuple[tuple[str, float], ...]
    strict: bool

    @property
    def options(self) -> JSON:
        return dict(self.chosen)

    @property
    def board(self) -> tuple[str, int | None, int | None]:
        """Which ranking it counts for."""
        return self.kind, self.options.get("size"), self.group


@dataclass(frozen=True)
class Asked:
    """A player's join."""

    nick: str
    wish: int | None = None
    auto: bool = False
    salt_hash: str | None = None


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


@dataclass
class Match:
    """Everything that happens makes an update, whole and the same for everybody."""

    game: str
    terms: Terms
    seats: list[Asked]
    secret: bytes
    now: int
    updates: list[JSON] = field(default_factory=list)
    offers: set[int] = field(default_factory=set)
    out: list[int] = field(default_factory=list)
    """The removed players."""
    result: Ending | None = None

    def __post_init__(self) -> None:
        self.nicks = [seat.nick for seat in self.seats]
        self.salts: list[bytes | None] = [None] * len(self.seats)
        dealt = self.bytes(2**32 - 1, 0)
        self.position = POSITIONS[self.terms.kind](self.terms.options, len(self.seats), dealt)
        self.throws = [0] * len(self.seats)
        self.offered = [0] * len(self.seats)
        """The draw offers and withdrawals of each seat since its last action."""
        self.released = [0] * len(self.seats)
        """Its releases since then."""
        clock = dict(self.terms.clock)
        self.full = round(1000 * clock.get("move", clock.get("total", 0)))
        self.left = [self.full] * len(self.seats)
        self.running: int | None = None
        self.began = self.since = self.now
        self.dice: JSON | None = None
        self._run(self.now)
        self._tell({"type": "start"}, self.now)
        self._play_forced(self.now)

    # Who is to act, and until when

    def owing(self) -> list[int]:
        """The players whose salts are missing."""
        hashes = [seat.salt_hash for seat in self.seats]
        return [seat for seat in self.playing() if hashes[seat] and self.salts[seat] is None]

    def playing(self) -> list[int]:
        return [seat for seat in range(len(self.seats)) if seat not in self.out]

    @property
    def turn(self) -> int | None:
        return None if self.result else self.position.turn

    def deadline(self) -> int | None:
        if self.result:
            return None
        if self.running is None:
            return self.began + self.full
        return self.since + self.left[self.running]

    def clock(self, now: int) -> dict[str, float]:
        left = list(self.left)
        if self.running is not None:
            left[self.running] = max(0, left[self.running] - (now - self.since))
        return {nick: ms / 1000 for nick, ms in zip(self.nicks, left, strict=True)}

    def _run(self, now: int, acted: bool = True) -> None:
        """Somebody has acted, or is out: his clock stops, and that of who is to act runs."""
        clock, before = dict(self.terms.clock), self.running
        if before is not None:
            self.left[before] = max(0, self.left[before] - (now - self.since))
        self.running = None if self.owing() or self.turn is None else self.turn
        self.since = now
        if self.running is not None and "move" in clock and (acted or self.running != before):
            self.left = [self.full] * len(self.seats)
        elif acted and self.running is not None and before not in (None, self.running):
            self.left[before] += round(1000 * clock.get("increment", 0))

    # What players do

    def why_not(self, seat: int, cmd: str, fields: JSON) -> set[str]:
        """The codes with which roll, pass or notify may be refused; none if it is accepted."""
        if self.result:
            return {"game_over"}
        if self.owing():
            return {"salts_due"}
        if seat != self.position.turn:
            misshapen = cmd == "notify" and self.position.is_misshapen(fields)
            return {"invalid_move"} if misshapen else {"not_your_turn"}
        if self.released[seat] >= 8 and self._releases(cmd, fields):
            return {"too_many_releases"}
        return self.position.why_not(cmd, fields)

    def _releases(self, cmd: str, fields: JSON) -> bool:
        held = getattr(self.position, "held", None)
        return cmd == "notify" and held is not None and fields == {"cell": held}

    def play(self, seat: int, cmd: str, fields: JSON, refused: str | None, now: int) -> None:
        """`refused` is the code that a refusal came with: of several only it is known which."""
        codes = self.why_not(seat, cmd, fields)
        if codes:
            strict = self.terms.strict and not self.result and not self.owing()
            strict = strict and refused != "too_many_releases"
            if strict and seat == self.position.turn and refused in codes:
                event = {"type": "illegal", "player": self.nicks[seat], "code": refused}
                self._drop([seat], "illegal_move", event, now)
            raise Refusal(*codes)
        self._act(seat, cmd, fields, now)
        self._play_forced(now)

    def salt(self, seat: int, text: str, now: int) -> None:
        if self.result:
            raise Refusal("game_over")
        if seat not in self.owing():
            raise Refusal("no_salt")
        if sha(b"tabnet-salt-1", bytes.fromhex(text)).hex() != self.seats[seat].salt_hash:
            raise Refusal("wrong_salt")
        self.salts[seat] = bytes.fromhex(text)
        if not self.owing():
            self._run(now)
        self._tell({"type": "salt", "player": self.nicks[seat], "salt": text}, now)
        self._play_forced(now)

    def draw(self, seat: int, offer: bool, now: int) -> None:
        if self.result:
            raise Refusal("game_over")
        if offer == (seat in self.offers):
            raise Refusal("already_offered" if offer else "no_offer")
        agreed = self.offers ^ {seat} == {*self.playing()}
        if self.offered[seat] >= 8 and not agreed:
            raise Refusal("too_many_offers")
        self.offered[seat] += 1
        self.offers ^= {seat}
        event = {"type": "draw", "player": self.nicks[seat], "offer": offer}
        if self.offers == {*self.playing()}:
            self._end([], "agreed", event, now)
        else:
            self._tell(event, now)

    def leave(self, seat: int, now: int) -> None:
        if self.result:
            raise Refusal("game_over")
        self._drop([seat], "leave", {"type": "leave", "player": self.nicks[seat]}, now)

    def expire(self, now: int) -> None:
        """The time of who is to act is over."""
        late = self.owing() or [seat for seat in self.playing() if seat == self.turn]
        player = {"player": self.nicks[late[0]]} if len(late) == 1 else {}
        self._drop(late, "timeout", {"type": "timeout", **player}, now)

    # How it happens

    def _act(self, seat: int, cmd: str, fields: JSON, now: int) -> None:
        event = {"type": cmd, "player": self.nicks[seat]}
        if cmd == "roll":
            self.position.roll(self.bytes(seat, self.throws[seat]))
            self.throws[seat] += 1
        elif cmd == "pass":
            self.position.give_up_turn()
        else:
            event |= self.position.notify(fields)
        self.result = self.position.result()
        if event["type"] not in ("select", "release"):
            self.offered[seat] = self.released[seat] = 0
            self._run(now)
        elif event["type"] == "release":
            self.released[seat] += 1
        self._tell(event, now)

    def bytes(self, seat: int, number: int) -> Iterator[int]:
        """Return the random bytes of a throw."""
        mixes = [bytes(32) if salt is None else sha(b"tabnet-mix-1", salt) for salt in self.salts]
        for retry in count():
            numbers = b"".join(part.to_bytes(4, "big") for part in (seat, number, retry))
            text = b"tabnet-dice-1" + b"".join(mixes) + numbers
            yield from hmac.digest(self.secret, text, "sha256")

    def _play_forced(self, now: int) -> None:
        """Play the actions that the server makes for seats with `auto`."""
        while (seat := self.turn) is not None and self.seats[seat].auto and not self.owing():
            due = self.position.expects()
            if due == "notify":
                return
            self._act(seat, due, {}, now)

    def _drop(self, seats: list[int], reason: str, event: JSON, now: int) -> None:
        """They are out; two others play on."""
        self.out += seats
        if len(self.playing()) < 2:
            self._end(self.playing(), reason, event, now)
            return
        assert isinstance(self.position, Fish)
        for seat in seats:
            self.position.kick(seat)
        self.offers -= {*seats}
        self.result = self.position.result()
        if self.offers == {*self.playing()} and not self.result:
            self.result = [], "agreed", [0] * len(self.seats)
        self._run(now, acted=False)
        self._tell(event, now)

    def _end(self, winners: list[int], reason: str, event: JSON, now: int) -> None:
        self.position.rest()
        self.result = winners, reason, [int(seat in winners) for seat in range(len(self.seats))]
        self._run(now)
        self._tell(event, now)

    # What is told

    def _tell(self, event: JSON, now: int) -> None:
        if event["type"] != "move" and self.position.held is None:
            self.position.rest()
        colours = self.position.colours
        view = self.position.view()
        for name in ("turn", "mustPass"):
            if view.get(name) is not None:
                view[name] = None if self.result else self.nicks[view[name]]
        update = {
            "type": "update",
            "game": self.game,
            "seq": len(self.updates) + 1,
            "kind": self.terms.kind,
            "options": self.terms.options,
            "players": dict(zip(self.nicks, colours, strict=False)),
            "initial": self.nicks[0],
            "timing": dict(self.terms.clock),
            "strict": self.terms.strict,
            "event": event,
            **view,
            "expects": self._expects(),
            "draw_offers": [self.nicks[seat] for seat in sorted(self.offers)],
            "clock": self.clock(now),
        }
        if self.result:
            update |= self._ending(*self.result)
        if self.position.has_chance and not self.updates:
            update["dice_commit"] = sha(b"tabnet-commit-1", self.game.encode(), self.secret).hex()
            update["dice_salt_hashes"] = {seat.nick: seat.salt_hash for seat in self.seats}
        self.updates.append(update)

    def _expects(self) -> str | None:
        if self.turn is None:
            return None
        if self.owing():
            return "salt" if self.turn in self.owing() else None
        due = self.position.expects()
        return None if self.seats[self.turn].auto and due != "notify" else due

    def _ending(self, winners: list[int], reason: str, scores: list[int]) -> JSON:
        won = [self.nicks[seat] for seat in winners]
        points = dict(zip(self.nicks, scores, strict=True))
        fields: JSON = {
            "winner": won[0] if len(won) == 1 else None,
            "result": {"winners": won, "points": points, "reason": reason},
        }
        if self.position.has_chance:
            salts = [None if salt is None else salt.hex() for salt in self.salts]
            fields["dice_secret"] = self.secret.hex()
            fields["dice_salts"] = dict(zip(self.nicks, salts, strict=True))
        return fields
