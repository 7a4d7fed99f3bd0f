"""The server that is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

START_S = 60
"""No start takes a tenth of it."""


class NoServer(Exception):
    """It does not start any more."""


class Victim:
    """A server on one data folder, started anew after each kill."""

    def __init__(self, folder: Path) -> None:
        self.up = trio.Event()
        """There is a server now."""
        self.port = 0
        self.pids: list[int] = []
        self._folder = folder
        self._errors = folder / "stderr"

    @asynccontextmanager
    async def living(self) -> AsyncIterator[None]:
        """A server for the length of the block; at its end it is killed."""
        command = [sys.executable, "-m", "tabnet", "serve", "--log-level", "warning"]
        ports = ["--tls-port", "0", "--tcp-port", "0", "--no-http"]
        ports += ["--data", str(self._folder)]
        with self._errors.open("a") as errors:
            process = await trio.lowlevel.open_process(
                [*command, *ports], stdout=subprocess.PIPE, stderr=errors
            )
        self.pids.append(process.pid)
        try:
            assert process.stdout is not None
            self.port = await self._introduced(process.stdout)
            self.up.set()
            yield
        finally:
            self.up = trio.Event()
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()

    def complaints(self) -> list[str]:
        """Return the unexpected lines on the servers' stderr."""
        return self._errors.read_text().splitlines()[:20]

    async def _introduced(self, stdout: trio.abc.ReceiveStream) -> int:
        sent = b""
        with trio.move_on_after(START_S):
            async for data in stdout:
                sent += data
                if sent.endswith(b"ready\n"):
                    address = sent.split(b"listening tcp ")[1].split()[0]
                    return int(address.rpartition(b":")[2])
        raise NoServer(self._errors.read_text() or "it says nothing")
