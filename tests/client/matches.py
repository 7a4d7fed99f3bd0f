"""Whole matches as their followers would be told them, written from protocol.md and the rules.

No code of the server or of the verification is used, so that the tests compare two descriptions.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from typing import Any

from tabnet.games import GAMES
from tabnet.games.api import Pass, Roll, Select
from tabnet.protocol.frames import Snapshot

NICKS = ["ann", "bob"]
SECRET = bytes(range(32))
SALT, OTHER_SALT = bytes(range(16)), bytes(range(64))


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


class Match:
    """A match that is played here and there a step, and writes down every update."""

    def __init__(
        self,
        kind: str = "tab",
        *,
        salts: tuple[bytes | None, bytes | None] = (None, None),
        auto: tuple[str, ...] = (),
        timing: dict[str, Any] | None = None,
        strict: bool = False,
    ) -> None:
        self.rules = GAMES[kind]
        self.options = {"size": 7} if kind == "tab" else {}
        self.state = self.rules.start(self.rules.options(**self.options))
        self.salts = dict(zip(NICKS, salts, strict=True))
        self.owing = [nick for nick in NICKS if self.salts[nick] is not None]
        self.auto = auto
        self.strict = strict
        self.timing = timing or {"move": 120}
        self.left = dict.fromkeys(NICKS, float(next(iter(self.timing.values()))))
        self.throws = dict.fromkeys(NICKS, 0)
        self.held: Select | None = None
        self.offers: list[str] = []
        self.frames: list[Snapshot] = []
        self.tell({"type": "start"})

    # Steps

    @property
    def turn(self) -> str:
        return NICKS[self.state.turn]

    def think(self, seconds: float) -> None:
        """Let the clock of who is to act run."""
        self.left[self.turn] -= seconds

    def salt(self, nick: str) -> None:
        self.owing.remove(nick)
        self.tell({"type": "salt", "player": nick, "salt": self.salts[nick].hex()})

    def roll(self) -> None:
        nick = self.turn
        mixes = [sha(b"tabnet-mix-1", s) if s else bytes(32) for s in self.salts.values()]
        numbers = (self.state.turn, self.throws[nick], 0)
        text = b"tabnet-dice-1" + b"".join(mixes)
        text += b"".join(number.to_bytes(4, "big") for number in numbers)
        drawn = hmac.new(SECRET, text, hashlib.sha256).digest()
        self.throws[nick] += 1
        thrown = drawn[0] & 15
        if self.rules.kind == "plakoto":
            thrown = tuple(byte % 6 + 1 for byte in drawn if byte < 252)[:2]
        self.act(Roll(thrown), {"type": "roll", "player": nick})

    def play(self, move: Any) -> None:
        written = self.rules.dump_move(move)
        self.held = None
        self.act(move, {"type": "move", "player": self.turn, **written}, written)

    def select(self, cell: int) -> None:
        self.held = Select(cell, self.state.targets(cell))
        self.tell({"type": "select", "player": self.turn})

    def release(self) -> None:
        self.held = None
        self.tell({"type": "release", "player": self.turn})

    def draw(self, nick: str, *, offer: bool = True) -> None:
        self.offers = [n for n in NICKS if (offer if n == nick else n in self.offers)]
        end = ([], "agreed") if len(self.offers) == 2 else None
        self.tell({"type": "draw", "player": nick, "offer": offer}, end=end)

    def lose(self, nick: str | None, event: str = "leave", **more: str) -> None:
        """That player loses; None: both do."""
        reason = {"illegal": "illegal_move"}.get(event, event)
        winners = [other for other in NICKS if nick not in (other, None)]
        named = {"player": nick} if nick else {}
        self.tell({"type": event, **named, **more}, end=(winners, reason))

    def end(self) -> None:
        self.tell({"type": "end"}, end=([], "ended"))

    def act(self, action: Any, event: dict[str, Any], written: Any = None) -> None:
        before = self.turn
        self.state = self.state.apply(action)
        if self.state.turn is not None and "move" in self.timing:
            self.left = dict.fromkeys(NICKS, self.timing["move"])
        elif self.state.turn is not None and self.turn != before:
            self.left[before] += self.timing.get("increment", 0)
        outcome = self.state.outcome()
        end = outcome and ([NICKS[seat] for seat in outcome.winners], outcome.reason)
        self.tell(event, written, end)

    def go_on(self, luck: random.Random) -> None:
        """One step at random."""
        actions = self.state.actions()
        self.think(luck.random() / 100)
        if actions == (Roll(),):
            self.roll()
        elif actions == (Pass(),):
            self.act(Pass(), {"type": "pass", "player": self.turn})
        elif self.held:
            moves = [move for move in actions if move.cell == self.held.cell]
            luck.choice([self.release, lambda: self.play(luck.choice(moves))])()
        else:
            move = luck.choice(actions)
            if self.rules.selects and len(self.state.targets(move.cell)) > 1:
                self.select(move.cell)
            else:
                self.play(move)

    def play_out(self, seed: int = 0, most: int = 2000) -> Match:
        """Go on until it is over, or `most` updates are told."""
        luck = random.Random(seed)
        while self.state.turn is not None and len(self.frames) < most:
            if not self.state.outcome():
                self.go_on(luck)
        return self

    # Updates

    def tell(self, event: dict[str, Any], written: Any = None, end: Any = None) -> None:
        if end:
            self.held = None
        view = self.state.view()
        for name in ("turn", "mustPass"):
            if name in view:
                view[name] = NICKS[view[name]] if view[name] is not None and not end else None
        position = {
            "kind": self.rules.kind,
            "options": self.options,
            "players": dict(zip(NICKS, self.rules.colours, strict=True)),
            "initial": "ann",
            "timing": self.timing,
            "strict": self.strict,
            "event": event,
            **view,
            **self.marks(written),
            "expects": None if end else self.expected(),
            "draw_offers": list(self.offers),
            "clock": {nick: round(left, 3) for nick, left in self.left.items()},
            **self.secrets(end),
        }
        if end:
            winners, reason = end
            position["winner"] = winners[0] if len(winners) == 1 else None
            points = {nick: int(nick in winners) for nick in NICKS}
            position["result"] = {"winners": winners, "points": points, "reason": reason}
        self.frames.append(Snapshot(game="g1", seq=len(self.frames) + 1, position=position))

    def marks(self, written: Any) -> dict[str, Any]:
        if not self.rules.selects:
            return {}
        if self.held:
            return {"step": "to", "cell": self.held.cell, "selected": list(self.held.choices)}
        if written:
            cells = [written["cell"], written["to"]]
            return {"step": "from", "cell": cells[0], "selected": cells}
        return {"step": "from"}

    def expected(self) -> str | None:
        if self.owing:
            return "salt" if self.turn in self.owing else None
        forced = {(Roll(),): "roll", (Pass(),): "pass"}.get(self.state.actions())
        return (None if self.turn in self.auto else forced) if forced else "notify"

    def secrets(self, end: Any) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.rules.uses_chance and not self.frames:
            fields["dice_commit"] = sha(b"tabnet-commit-1", b"g1", SECRET).hex()
            fields["dice_salt_hashes"] = {
                nick: salt and sha(b"tabnet-salt-1", salt).hex()
                for nick, salt in self.salts.items()
            }
        if self.rules.uses_chance and end:
            fields["dice_secret"] = SECRET.hex()
            fields["dice_salts"] = {
                nick: salt.hex() if salt and nick not in self.owing else None
                for nick, salt in self.salts.items()
            }
        return fields
