"""A referee in a process of its own, as the runner sees it.

With its players it stays on its own processors: a bot and the referee that take turns on one are
woken at once, and between two it takes longer to wake somebody than to judge a move.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

import trio
from attrs import define, field
from trio.abc import ReceiveStream, SendStream

from tabnet.errors import StartError
from tabnet.tournament.dispatches import JSON, fields, line, played_from, rows
from tabnet.tournament.referee import Charge, Played
from tabnet.tournament.results import Game

CLOSE_S = 1.5
"""How long its process may take to end, with all its players."""


def shares(games: int) -> tuple[tuple[int, ...], ...]:
    """The processors of each referee, where so many games at once are shared among several.

    None where there is one game at a time or one processor, or the system lets nobody choose.
    """
    if not hasattr(os, "sched_setaffinity"):
        return ()
    processors = sorted(os.sched_getaffinity(0))
    count = min(games, len(processors))
    return tuple(tuple(processors[first::count]) for first in range(count)) if count > 1 else ()


@define(eq=False)
class _Question:
    """What was asked, and is not answered yet."""

    answer: JSON = field(factory=dict)
    answered: trio.Event = field(factory=trio.Event)


class Branch:
    """Like a `Referee`; `live` runs its process."""

    def __init__(self, charge: Charge, processors: tuple[int, ...]) -> None:
        self.cpu_s = 0.0
        """The time of processors that it has used itself, when it is closed."""
        self._first = {"charge": fields(charge), "processors": processors}
        self._questions: dict[int, _Question] = {}
        self._numbers = itertools.count(1)
        self._moves: dict[str, int] = {}
        self._turn = trio.Lock()
        self._stdio: trio.StapledStream[SendStream, ReceiveStream]
        self._closed = False
        self._gone = trio.Event()

    async def live(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Start the process, and stay until it has ended, with all its players."""
        with trio.CancelScope(shield=True):  # or nobody would know of the process
            process = await trio.lowlevel.open_process(
                [sys.executable, "-m", "tabnet.tournament.outpost"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is the runner's to hear
            )
        assert process.stdio is not None, "both are pipes"  # noqa: S101
        self._stdio = process.stdio
        try:
            await self._send(self._first)
            task_status.started()
            await self._listen()
        finally:
            with trio.CancelScope(shield=True):
                await self._end(process)
        if not self._closed:
            code = process.returncode
            raise StartError(f"a referee's process has ended by itself, with exit code {code}")

    async def try_out(self, name: str) -> str | None:
        """Start an entrant once; what it says if it cannot be started."""
        complaint: str | None = (await self._ask("try", name))["complaint"]
        return complaint

    async def play(self, game: Game) -> Played:
        """Play a game, to whatever end it comes."""
        return played_from((await self._ask("play", fields(game)))["played"])

    def moves(self, game: str) -> int:
        """How far a game had come a moment ago."""
        return self._moves.get(game, 0)

    async def close(self) -> None:
        """Let all players go; nothing is left of them."""
        self.cpu_s = (await self._ask("close", True))["cpu"]
        self._closed = True
        await self._stdio.send_eof()
        await self._gone.wait()

    async def _ask(self, what: str, about: Any) -> JSON:
        number, question = next(self._numbers), _Question()
        self._questions[number] = question
        await self._send({"number": number, what: about})
        await question.answered.wait()
        return question.answer

    async def _send(self, row: JSON) -> None:
        async with self._turn:
            with suppress(trio.BrokenResourceError):  # it has ended, which `live` will tell
                await self._stdio.send_all(line(row))

    async def _listen(self) -> None:
        async for row in rows(self._stdio):
            if "moves" in row:
                self._moves = row["moves"]
            else:
                question = self._questions.pop(row["number"])
                question.answer = row
                question.answered.set()

    async def _end(self, process: trio.Process) -> None:
        """Let it end; it ends its players."""
        await self._stdio.aclose()
        with trio.move_on_after(CLOSE_S):
            await process.wait()
        process.kill()
        await process.wait()
        self._gone.set()
