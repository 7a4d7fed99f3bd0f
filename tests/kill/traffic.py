"""Every command of the players, and every reply and update that they received."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio

JSON = dict[str, Any]


@dataclass
class SentCommand:
    """A command, and its reply; None if the server was killed before it came."""

    by: str
    """The nick of the sender."""
    command: JSON
    seen: int
    """The number of the last update of the game that the sender had seen."""
    reply: JSON | None = None


@dataclass
class Traffic:
    """Everything sent and received. It outlives the servers."""

    sent: list[SentCommand] = field(default_factory=list)
    updates: dict[str, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    """Game -> number -> the line of the update."""
    faults: list[str] = field(default_factory=list)
    """The errors that were found before the end."""
    broken: trio.Event = field(default_factory=trio.Event)
    """Set by the first fault."""
    frames: int = 0
    """The number of replies and updates so far, and of players who have gone."""
    _goal: float = math.inf
    _reached: trio.Event = field(default_factory=trio.Event)

    def report(self, text: str) -> None:
        self.faults.append(text)
        self.broken.set()

    def add_reply(self, sent: SentCommand, reply: JSON) -> None:
        sent.reply = reply
        self.count()

    def add_update(self, frame: JSON, line: bytes) -> None:
        """Record an update; report a fault if it differs from the same update before."""
        game, seq = frame["game"], frame["seq"]
        if self.updates[game].setdefault(seq, line) != line:
            self.report(f"{game}: two different updates {seq}")
        self.count()

    def count(self) -> None:
        """Count a frame, or a player who has gone."""
        self.frames += 1
        if self.frames >= self._goal:
            self._reached.set()

    async def wait_for_frames(self, more: int) -> None:
        """Wait until `more` frames have come."""
        self._goal, self._reached = self.frames + more, trio.Event()
        await self._reached.wait()

    def games(self) -> list[str]:
        """Return the matches; a wait that ended without one has only a last update."""
        return [
            game
            for game, updates in self.updates.items()
            if any("kind" in json.loads(line) for line in updates.values())
        ]

    def save(self, path: Path) -> None:
        """Write everything to a file for people."""
        with path.open("w") as file:
            for sent in self.sent:
                line = [sent.by, sent.command, sent.seen, sent.reply]
                file.write(json.dumps(line) + "\n")
            for updates in self.updates.values():
                file.writelines(line.decode() for line in updates.values())
