"""A bot's process and the connection that it makes, for a script that talks to it in lines."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from tempfile import TemporaryFile

from tabnet.errors import StartError, cut

RECEIVE_BYTES = 64 * 1024
POLL_S = 0.05
"""How often to look whether the process that is to connect is still there."""


class CheckFailed(Exception):
    """The bot has done something wrong; `line` is what it had sent, if it was that."""

    def __init__(self, text: str, line: bytes | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.line = line


def command_of(source: str) -> list[str]:
    """What starts a bot: `cmd:...` as it says, anything else as a bot file."""
    if source.startswith("cmd:"):
        return shlex.split(source.removeprefix("cmd:"))
    return [sys.executable, "-m", "tabnet.client.bot", source]


class Actor:
    """A bot in a process of its own; no wait for it is longer than `patience`, in seconds."""

    def __init__(self, source: str, environ: Mapping[str, str], patience: float) -> None:
        self._patience = patience
        self._buffer = b""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(POLL_S)
        self._connection = socket.socket()
        self._errors = TemporaryFile()  # noqa: SIM115 - closed with the rest
        port = self._listening.getsockname()[1]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - whoever runs this has named it
                command_of(source),
                env={**os.environ, **environ, "TABNET_HOST": "127.0.0.1", "TABNET_PORT": str(port)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                start_new_session=True,
            )
        except OSError as error:
            self._hang_up_for_good()
            raise StartError(f"{source} cannot be started: {error}") from None

    def accept(self) -> None:
        """Wait until the bot connects."""
        give_up_at = time.monotonic() + self._patience
        while time.monotonic() < give_up_at:
            try:
                accepted = self._listening.accept()[0]
            except TimeoutError:
                if self._process.poll() is not None:
                    raise CheckFailed(f"it {self._last_words()} and did not connect") from None
            else:
                accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._connection.close()
                self._connection, self._buffer = accepted, b""
                return
        raise CheckFailed(f"it did not connect within {self._patience:g} s")

    def write(self, data: bytes) -> None:
        """Send to the bot; if it has hung up, `read` will tell."""
        with suppress(OSError):
            self._connection.sendall(data)

    def read(self, within: float | None = None) -> bytes | None:
        """The next line, its end included; None if none comes in that time."""
        give_up_at = time.monotonic() + (self._patience if within is None else within)
        while b"\n" not in self._buffer:
            left = give_up_at - time.monotonic()
            if left <= 0:
                return None
            self._connection.settimeout(left)
            try:
                data = self._connection.recv(RECEIVE_BYTES)
            except TimeoutError:
                return None
            except ConnectionError:
                data = b""
            if not data:
                raise CheckFailed(f"it {self._last_words()}")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def hang_up(self) -> None:
        """Close the connection."""
        self._connection.close()

    def exit_code(self) -> int | None:
        """How the process ends; None if it does not."""
        try:
            return self._process.wait(self._patience)
        except subprocess.TimeoutExpired:
            return None

    def _last_words(self) -> str:
        """What became of a bot that is gone."""
        code = self.exit_code()
        if code is None:
            return "hung up"
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        said = self.complaint()
        return f"{how}, saying: {said}" if said else how

    def complaint(self) -> str:
        """The last line that the bot wrote to its standard error."""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        return cut(next((line.strip() for line in reversed(lines) if line.strip()), ""))

    def close(self) -> None:
        """End the bot and whatever it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._hang_up_for_good()

    def _hang_up_for_good(self) -> None:
        for thing in (self._connection, self._listening, self._errors):
            thing.close()
