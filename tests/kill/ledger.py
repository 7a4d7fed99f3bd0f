"""The ledger: every command of the players, and every response of the server."""

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
    """The number of the last update of the game that he had seen."""
    reply: JSON | None = None


@dataclass
class Ledger:
    """Every acknowledgement. It outlives the server."""

    sent: list[SentCommand] = field(default_factory=list)
    updates: dict[str, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    """Game -> number -> the line of the update."""
    faults: list[str] = field(default_factory=list)
    """The errors that were visible at once."""
    broken: trio.Event = field(default_factory=trio.Event)
    """There is a fault: no more is needed."""
    heard: int = 0
    """How much."""
    _goal: float = math.inf
    _reached: trio.Event = field(default_factory=trio.Event)

    def fault(self, text: str) -> None:
        self.faults.append(text)
        self.broken.set()

    def answered(self, sent: SentCommand, reply: JSON) -> None:
        sent.reply = reply
        self.count()

    def told(self, frame: JSON, line: bytes) -> None:
        """An update has come; it has to be the same whenever it comes."""
        game, seq = frame["game"], frame["seq"]
        if self.updates[game].setdefault(seq, line) != line:
            self.fault(f"{game}: two different updates {seq}")
        self.count()

    def count(self) -> None:
        """Something has come; also, that somebody has gone."""
        self.heard += 1
        if self.heard >= self._goal:
            self._reached.set()

    async def hear(self, more: int) -> None:
        """Wait until so many more replies and updates have come."""
        self._goal, self._reached = self.heard + more, trio.Event()
        await self._reached.wait()

    def games(self) -> list[str]:
        """The matches; a wait that ended without one has a last update and nothing else."""
        return [
            game
            for game, updates in self.updates.items()
            if any("kind" in json.loads(line) for line in updates.values())
        ]

    def save(self, path: Path) -> None:
        """For people who want to know what happened."""
        with path.open("w") as file:
            for sent in self.sent:
                line = [sent.by, sent.command, sent.seen, sent.reply]
                file.write(json.dumps(line) + "\n")
            for updates in self.updates.values():
                file.writelines(line.decode() for line in updates.values())
