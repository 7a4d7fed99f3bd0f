"""The referee process: reads requests on stdin and writes responses on stdout.

When stdin ends, the runner has ended, and this process ends with all its players.
"""

from __future__ import annotations

import gc
import math
import os
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import attrs
import trio
from trio.lowlevel import FdStream

from tabnet.errors import StartError
from tabnet.server.net.certificate import Identity
from tabnet.server.net.server_clock import ServerClock
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.referee.referee import Referee
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.referee_process.messages import Message, decode_messages, encode_message

REPORT_S = 0.25
"""The interval between reports of the progress of games."""


class RequestHandler:
    """Serves the requests of a runner."""

    def __init__(self, referee: Referee, out: FdStream) -> None:
        self._referee = referee
        self._out = out
        self._turn = trio.Lock()

    async def serve(self, request: Message) -> None:
        try:
            response = await self._execute(request)
        except RefereeFailed as failure:
            response = {"failed": failure.text, "log": failure.log}
        except StartError as error:
            response = {"failed": error.text, "log": ""}
        await self._send({"number": request["number"], **response})

    async def _execute(self, request: Message) -> Message:
        if "try" in request:
            return {"failed_start": await self._referee.try_out(request["try"])}
        if "play" in request:
            return {"played": await self._referee.play(request["play"])}
        await self._referee.close()
        return {"cpu": time.process_time()}

    async def report_moves(self) -> None:
        while True:
            await trio.sleep(REPORT_S)
            await self._send({"moves": self._referee.moves})

    async def _send(self, message: Message) -> None:
        async with self._turn:
            await self._out.send_all(encode_message(message))


async def main() -> None:
    """Serve until the runner has ended."""
    gc.freeze()  # or what was imported is looked at again and again
    gc.set_threshold(50_000, 20, 100)
    async with FdStream(os.dup(0)) as requests, FdStream(os.dup(1)) as out:
        os.dup2(2, 1)  # a stray print must not come between the messages
        messages = decode_messages(requests)
        referee, lease = await _set_up(messages)
        async with trio.open_nursery() as nursery:
            handler = RequestHandler(referee, out)
            is_ready = trio.Event()
            nursery.start_soon(referee.run, is_ready.set)
            await is_ready.wait()
            nursery.start_soon(handler.report_moves)
            nursery.start_soon(lease.wait_until_over)
            async for request in messages:
                lease.renew()
                if "number" in request:
                    nursery.start_soon(handler.serve, request)
            nursery.cancel_scope.cancel()


class Lease:
    """The time for which this process goes on without a message of its runner."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = math.inf if seconds is None else seconds
        self._scope = trio.CancelScope()
        self.renew()

    def renew(self) -> None:
        self._scope.deadline = trio.current_time() + self._seconds

    async def wait_until_over(self) -> None:
        """Raise `TimeoutError` when the time is over: this process then ends with its players."""
        with self._scope:
            await trio.sleep_forever()
        raise TimeoutError("the runner is silent")


async def _set_up(messages: AsyncIterator[Message]) -> tuple[Referee, Lease]:
    """Receive the tournament and the local choices; return the referee and its lease."""
    bots: list[BotProgram] = []
    while "bot" in (message := await anext(messages)):
        bots.append(message["bot"])
    os.sched_setaffinity(0, message["processors"])  # also for all processes that start later
    settings = attrs.evolve(message["settings"], bots=tuple(bots))
    remote_ports = RemotePorts(_refuse_remote_bots, lambda _: None)
    referee = Referee(settings, remote_ports, LocalBots(Path(message["folder"])))
    return referee, Lease(message["lease_s"])


def _refuse_remote_bots() -> Identity:
    raise StartError("who connects from elsewhere is received by the runner itself")


if __name__ == "__main__":
    try:
        trio.run(main, clock=ServerClock())
    except* OSError:  # the runner is gone
        sys.exit(1)
