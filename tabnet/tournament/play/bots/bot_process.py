"""A bot's process: it has its own session, and it ends with all processes that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import trio
from attrs import frozen

from tabnet.errors import StartError
from tabnet.tournament.play.bots.bot_environment import build_environment, open_private_folder
from tabnet.tournament.play.bots.local_bots import LocalBot

FIRST_BYTES = 32 * 1024
LAST_BYTES = 32 * 1024
"""The bytes of the output that are kept at its end; the middle is left out."""
LONGEST_LINE = 500
"""The longest quotation of a line."""
LAST_WORDS_S = 0.5
"""The time for the output of a process to arrive after its end."""


@frozen
class ProcessLimits:
    """Limits of a process; None means the limit of the system."""

    memory: int | None = None
    """The address space, in bytes."""
    file: int | None = None
    """The size of a file that it writes, in bytes."""

    def apply_to(self, pid: int) -> None:
        """Set the limits of a process; processes that it starts later inherit them."""
        import resource

        for name, limit in (("RLIMIT_AS", self.memory), ("RLIMIT_FSIZE", self.file)):
            if limit is None:
                continue
            if not hasattr(resource, "prlimit"):
                raise StartError("this system cannot limit other processes")
            with suppress(ProcessLookupError):  # it has ended already
                resource.prlimit(pid, getattr(resource, name), (limit, limit))


class ProcessOutput:
    """The beginning and the end of a process's output."""

    def __init__(self, translate: Callable[[str], str] = str) -> None:
        """Create an empty output; `translate` returns a text with the user's own file names."""
        self._translate = translate
        self._first = bytearray()
        self._last = bytearray()
        self._left_out = 0

    def add(self, data: bytes) -> None:
        room = FIRST_BYTES - len(self._first)
        self._first += data[:room]
        self._last += data[room:]
        surplus = max(0, len(self._last) - LAST_BYTES)
        del self._last[:surplus]
        self._left_out += surplus

    def __str__(self) -> str:
        left_out = f"\n[{self._left_out} bytes are left out]\n" if self._left_out else ""
        text = _decode(self._first) + left_out + _decode(self._last)
        return self._translate(text)

    @property
    def last_line(self) -> str:
        lines = (_decode(self._last) or _decode(self._first)).strip().splitlines()
        return self._translate(lines[-1].strip())[:LONGEST_LINE] if lines else ""


def _decode(data: bytearray) -> str:
    return data.decode("utf-8", errors="replace")


class BotProcess:
    """A process; `run` runs it from its start to its end."""

    def __init__(
        self,
        bot: LocalBot,
        variables: Mapping[str, str],
        limits: ProcessLimits,
        passed: Sequence[str] = (),
    ) -> None:
        """Prepare a process with these variables, and those of the runner's that are `passed`."""
        self.output = ProcessOutput(bot.convert_to_user_paths)
        """The output to stdout and stderr."""
        self.ended = trio.Event()
        """Set when the process and all that it has started have ended."""
        self.ending = ""
        """How the process ended, like `exit code 1` or `killed by SIGSEGV`; empty while it runs."""
        self._command = bot.command
        self._variables = variables
        self._passed = passed
        self._limits = limits
        self._scope = trio.CancelScope()

    def kill(self) -> None:
        """Kill the process and all that it has started."""
        self._scope.cancel()

    async def run(self) -> None:
        """Run the process until it has ended or was killed, with all that it has started."""
        try:
            with open_private_folder() as private:
                await self._run(private)
        except OSError as error:
            self.ending = f"{self._command[0]} cannot be started: {error.strerror}"
        finally:
            self.ended.set()

    async def _run(self, private: Path) -> None:
        with trio.CancelScope(shield=True):  # or nobody would know of the process
            process = await self._start(private)
        try:
            self._limits.apply_to(process.pid)
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._read_output, process)
                    await process.wait()
                    _kill_group(process)  # its children may hold the pipe
                    nursery.cancel_scope.deadline = trio.current_time() + LAST_WORDS_S
        finally:
            _kill_group(process)
            with trio.CancelScope(shield=True):
                self.ending = describe_exit(await process.wait())
                if process.stdout is not None:
                    await process.stdout.aclose()

    async def _start(self, private: Path) -> trio.Process:
        return await trio.lowlevel.open_process(
            list(self._command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=build_environment(self._variables, self._passed, private),
            start_new_session=True,
        )

    async def _read_output(self, process: trio.Process) -> None:
        if process.stdout is not None:  # it always is
            async for data in process.stdout:
                self.output.add(bytes(data))


def _kill_group(process: trio.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def describe_exit(code: int) -> str:
    """Return how a process ended: `exit code 1`, `killed by SIGSEGV`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
