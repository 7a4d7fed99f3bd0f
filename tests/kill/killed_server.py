"""The server that is killed and started again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

START_S = 60
"""The maximum time of a start."""


class ServerDoesNotStart(Exception):
    """The server does not start after a kill."""


class KilledServer:
    """A server on one data folder, started anew after each kill."""

    def __init__(self, folder: Path) -> None:
        self.up = trio.Event()
        """Set while a server runs."""
        self.port = 0
        self.pids: list[int] = []
        self._folder = folder
        self._errors = folder / "stderr"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run a server during the block, and kill it at the end."""
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
            self.port = await self._port_when_ready(process.stdout)
            self.up.set()
            yield
        finally:
            self.up = trio.Event()
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()

    def log_lines(self) -> list[str]:
        """Return the unexpected lines on the servers' stderr."""
        return self._errors.read_text().splitlines()[:20]

    async def _port_when_ready(self, stdout: trio.abc.ReceiveStream) -> int:
        sent = b""
        with trio.move_on_after(START_S):
            async for data in stdout:
                sent += data
                if sent.endswith(b"ready\n"):
                    address = sent.split(b"listening tcp ")[1].split()[0]
                    return int(address.rpartition(b":")[2])
        raise ServerDoesNotStart(self._errors.read_text() or "it printed nothing")
