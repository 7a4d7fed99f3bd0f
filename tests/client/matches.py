"""Whole matches as their followers would be told them, written from protocol.md and the rules.

No code of the server or of the verification is used, so that the tests compare two descriptions.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Callable
from typing import Any

from tabnet.games import GAMES
from tabnet.games.api import Pass, Roll, Select
from tabnet.protocol.frames import Snapshot

PEOPLE = ["ann", "bob", "cat", "dan"]
NICKS = PEOPLE[:2]
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
        salts: tuple[bytes | None, ...] = (None, None),
        auto: tuple[str, ...] = (),
        timing: dict[str, Any] | None = None,
        strict: bool = False,
    ) -> None:
        self.rules = GAMES[kind]
        self.options = {"tab": {"size": 7}, "fish": {"rows": 4, "cols": 4, "holes": 1}}.get(
            kind, {}
        )
        self.nicks = PEOPLE[: len(salts)]
        options = self.rules.make_options(self.options)
        stream = self.bytes([None] * len(salts), 2**32 - 1, 0)
        layout = self.rules.deal(options, len(salts), stream)
        self.state = self.rules.start(options, len(salts), layout)
        self.salts = dict(zip(self.nicks, salts, strict=True))
        self.owing = [nick for nick in self.nicks if self.salts[nick] is not None]
        self.auto = auto
        self.strict = strict
        self.timing = timing or {"move": 120}
        self.left = dict.fromkeys(self.nicks, float(next(iter(self.timing.values()))))
        self.throws = dict.fromkeys(self.nicks, 0)
        self.held: Select | None = None
        self.offers: list[str] = []
        self.out: list[str] = []
        self.frames: list[Snapshot] = []
        self.tell({"type": "start"})

    # Steps

    @property
    def turn(self) -> str:
        return self.nicks[self.state.turn]

    def think(self, seconds: float) -> None:
        """Let the clock of who is to act run."""
        self.left[self.turn] -= seconds

    def run_out(self) -> None:
        """Let all of it run."""
        self.left[self.turn] = 0

    def salt(self, nick: str) -> None:
        self.owing.remove(nick)
        self.tell({"type": "salt", "player": nick, "salt": self.salts[nick].hex()})

    def roll(self) -> None:
        nick = self.turn
        stream = self.bytes([*self.salts.values()], self.state.turn, self.throws[nick])
        self.throws[nick] += 1
        self.act(self.rules.read_roll(stream), {"type": "roll", "player": nick})

    def bytes(self, salts: list[bytes | None], seat: int, number: int) -> Callable[[], int]:
        """Those that are read for that throw; a few tests need no more than the first ones."""
        text = b"tabnet-dice-1"
        text += b"".join(sha(b"tabnet-mix-1", salt) if salt else bytes(32) for salt in salts)
        text += b"".join(part.to_bytes(4, "big") for part in (seat, number, 0))
        return iter(hmac.new(SECRET, text, hashlib.sha256).digest()).__next__

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
        self.offers = [n for n in self.nicks if (offer if n == nick else n in self.offers)]
        end = ([], "agreed") if self.offers == self.playing else None
        self.tell({"type": "draw", "player": nick, "offer": offer}, end=end)

    @property
    def playing(self) -> list[str]:
        return [nick for nick in self.nicks if nick not in self.out]

    def lose(self, nick: str | None, event: str = "leave", **more: str) -> None:
        """That player is out; None: all who owe a salt, or both."""
        reason = {"illegal": "illegal_move"}.get(event, event)
        named = {"player": nick} if nick else {}
        lost = [nick] if nick else self.owing or self.playing
        self.out += lost
        end = (self.playing, reason)
        if len(self.playing) > 1:
            end = self.go_on_without(lost, starts=bool(self.owing) and {*self.owing} <= {*lost})
        self.tell({"type": event, **named, **more}, end=end)

    def go_on_without(self, lost: list[str], *, starts: bool) -> Any:
        turn = self.turn
        for nick in lost:
            self.state = self.state.remove(self.nicks.index(nick))
        outcome = self.state.outcome()
        if outcome:
            return [self.nicks[seat] for seat in outcome.winners], outcome.reason
        self.offers = [nick for nick in self.offers if nick not in lost]
        self.salts = {
            nick: None if nick in lost and nick in self.owing else salt
            for nick, salt in self.salts.items()
        }
        self.owing = [nick for nick in self.owing if nick not in lost]
        if "move" in self.timing and not self.owing and (starts or self.turn != turn):
            self.left = dict.fromkeys(self.nicks, self.timing["move"])
        return ([], "agreed") if self.offers == self.playing else None

    def end(self, reason: str = "ended") -> None:
        self.tell({"type": "end"}, end=([], reason))

    def act(self, action: Any, event: dict[str, Any], written: Any = None) -> None:
        before = self.turn
        self.state = self.state.apply(action)
        if self.state.turn is not None and "move" in self.timing:
            self.left = dict.fromkeys(self.nicks, self.timing["move"])
        elif self.state.turn is not None and self.turn != before:
            self.left[before] += self.timing.get("increment", 0)
        outcome = self.state.outcome()
        end = outcome and ([self.nicks[seat] for seat in outcome.winners], outcome.reason)
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
                view[name] = self.nicks[view[name]] if view[name] is not None and not end else None
        position = {
            "kind": self.rules.kind,
            "options": self.options,
            "players": dict(zip(self.nicks, self.rules.colours, strict=False)),
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
            outcome = self.state.outcome()
            points = {nick: int(nick in winners) for nick in self.nicks}
            if outcome:
                points = dict(zip(self.nicks, outcome.points, strict=True))
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
