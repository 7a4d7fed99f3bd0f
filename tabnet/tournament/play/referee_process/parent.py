"""The runner's side of a referee process.

A referee process stays on its own processors with its players. A bot and a referee that take turns
on one processor wake at once. Waking a process on another processor takes longer than checking a
move.
"""

from __future__ import annotations

import itertools
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import trio
from attrs import define, field
from trio.abc import ReceiveStream, SendStream

from tabnet.tournament.play.bots.bot_environment import REFEREE_PROCESS
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.bots.own_processes import OWN_PROCESSES, count_ticks
from tabnet.tournament.play.bots.process_output import LAST_WORDS_S, ProcessOutput, describe_exit
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.referee_interface import FailedStart, PlayedGame, RefereeSettings
from tabnet.tournament.play.referee_process.leftover_processes import kill_marked
from tabnet.tournament.play.referee_process.messages import (
    Message,
    decode_messages,
    encode_message,
    make_setup_messages,
)
from tabnet.tournament.records.entrants_and_results import ScheduledGame

CHILD_MODULE = "tabnet.tournament.play.referee_process.child"
CLOSE_S = 1.5
"""The time for the process to end with all its players."""
MAX_SILENCE_S = 30.0
"""The time without a message after which a referee process has failed."""
PARTS = 30
"""The number of parts in which silence is measured."""


def divide_processors(games: int) -> tuple[tuple[int, ...], ...]:
    """Return the processors of each referee process, to share so many concurrent games.

    Return none for one game at a time or one processor, or if the system does not allow the choice.
    """
    if not hasattr(os, "sched_setaffinity"):
        return ()
    processors = sorted(os.sched_getaffinity(0))
    count = min(games, len(processors))
    return tuple(tuple(processors[first::count]) for first in range(count)) if count > 1 else ()


@define(eq=False)
class _PendingRequest:
    """A request without a response so far."""

    answer: Message = field(factory=dict)
    has_response: trio.Event = field(factory=trio.Event)


class RefereeProcess:
    """A referee in its own process, which `run` runs."""

    def __init__(
        self,
        referee_settings: RefereeSettings,
        processors: tuple[int, ...],
        lease_s: float | None = None,
    ) -> None:
        """Create a process, which ends by itself if this one is stopped for longer than a lease.

        A runner has no lease: after Ctrl-Z its games go on.
        """
        self.pid = 0
        """The id of the process; 0 before its start."""
        self.cpu_s = 0.0
        """The processor time of the process itself, once it is closed."""
        self._settings = referee_settings
        self._processors = processors
        self._lease_s = lease_s
        self._requests: dict[int, _PendingRequest] = {}
        self._numbers = itertools.count(1)
        self.moves: Mapping[str, int] = {}
        self._turn = trio.Lock()
        self._stdio: trio.StapledStream[SendStream, ReceiveStream]
        self._has_answered = False
        self._closed = False
        self._gone = trio.Event()

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Start the process, and return when it has ended with all that it has started.

        Raises `RefereeFailed` unless it was closed. Calls `on_ready` when it accepts requests.
        """
        mark, failure, output = secrets.token_hex(), "", ProcessOutput()
        since = count_ticks()
        try:
            bots = LocalBots.create()
            process = await self._start(mark)
        except OSError as error:
            raise RefereeFailed(f"a referee process cannot start: {error.strerror}") from None

        async def set_up() -> None:
            for message in make_setup_messages(
                self._settings, self._processors, bots.folder, self._lease_s
            ):
                await self._send(message)
            on_ready()

        try:
            failure = await self._serve(process, output, set_up)
        finally:
            with trio.CancelScope(shield=True):
                await self._end_process(process, is_alive=not failure)
                if process.returncode != 0:
                    await trio.to_thread.run_sync(kill_marked, mark)
                    await OWN_PROCESSES.kill_orphans(since)
                bots.remove()
                self._gone.set()
        if not self._closed:
            text = f"a referee process ended unexpectedly, {describe_exit(process.returncode or 0)}"
            text += f": {output.last_line}" if output.last_line else ""
            raise RefereeFailed(failure or text, str(output))

    async def try_out(self, name: str) -> FailedStart | None:
        failed: FailedStart | None = (await self._request("try", name))["failed_start"]
        return failed

    async def play(self, game: ScheduledGame) -> PlayedGame:
        played: PlayedGame = (await self._request("play", game))["played"]
        return played

    async def close(self) -> None:
        self.cpu_s = (await self._request("close", True))["cpu"]
        self._closed = True
        await self._stdio.send_eof()
        await self._gone.wait()

    async def _start(self, mark: str) -> trio.Process:
        process = await OWN_PROCESSES.start(
            (sys.executable, "-m", CHILD_MODULE),
            {**os.environ, REFEREE_PROCESS: mark},
        )
        assert process.stdio is not None, "both are pipes"  # noqa: S101
        self._stdio, self.pid = process.stdio, process.pid
        return process

    async def _request(self, what: str, about: Any) -> Message:
        number, request = next(self._numbers), _PendingRequest()
        self._requests[number] = request
        await self._send({"number": number, what: about})
        await request.has_response.wait()
        if "failed" in request.answer:
            raise RefereeFailed(request.answer["failed"], request.answer["log"])
        return request.answer

    async def _send(self, message: Message) -> None:
        async with self._turn:
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # see `run`
                await self._stdio.send_all(encode_message(message))

    async def _serve(
        self, process: trio.Process, output: ProcessOutput, set_up: Callable[[], Awaitable[None]]
    ) -> str:
        """Receive messages until the process ends; return how it failed while it is alive."""
        failure = ""

        async def end_if_silent() -> None:
            nonlocal failure
            await self._wait_until_silent()
            failure = f"a referee process did not answer for {MAX_SILENCE_S:g} s"
            nursery.cancel_scope.cancel()

        async def read_errors() -> None:
            assert process.stderr is not None, "it is a pipe"  # noqa: S101
            async for data in process.stderr:
                output.add(bytes(data))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(set_up)
            nursery.start_soon(end_if_silent)
            nursery.start_soon(read_errors)
            if self._lease_s is not None:
                nursery.start_soon(self._renew_lease, self._lease_s)
            try:
                await self._receive_messages()
            except (ValueError, LookupError) as error:
                failure = f"a referee process sent what cannot be read: {error!r}"
            nursery.cancel_scope.deadline = trio.current_time() + LAST_WORDS_S
            await process.wait()
            nursery.cancel_scope.cancel()
        return failure

    async def _renew_lease(self, lease_s: float) -> None:
        while True:
            await trio.sleep(lease_s / PARTS)
            await self._send({"alive": True})

    async def _wait_until_silent(self) -> None:
        """Return when nothing has come for too long.

        Only whole parts of that time count, each of which the runner has slept through: time in
        which the runner itself was stopped is at most one of them.
        """
        silent = 0
        while silent < PARTS:
            self._has_answered = False
            await trio.sleep(MAX_SILENCE_S / PARTS)
            silent = 0 if self._has_answered else silent + 1

    async def _receive_messages(self) -> None:
        async for message in decode_messages(self._stdio):
            self._has_answered = True
            if "moves" in message:
                self.moves = message["moves"]
            else:
                request = self._requests.pop(message["number"])
                request.answer = message
                request.has_response.set()

    async def _end_process(self, process: trio.Process, *, is_alive: bool) -> None:
        """Wait for the end of the process; kill it after `CLOSE_S`, or if it has failed."""
        await self._stdio.aclose()
        if is_alive:
            with trio.move_on_after(CLOSE_S):
                await process.wait()
        process.kill()
        await process.wait()
        if process.stderr is not None:
            await process.stderr.aclose()
