"""A bot's process: it has a guard, which limits it and ends it with all that it has started."""

from __future__ import annotations

import json
import marshal
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import trio
from attrs import asdict, frozen
from trio.abc import ReceiveStream
from trio.lowlevel import FdStream

from tabnet.protocol.line_splitter import Lines
from tabnet.tournament.play.bots.bot_environment import build_environment
from tabnet.tournament.play.bots.denied_files import explain_denied_files
from tabnet.tournament.play.bots.local_bots import LocalBot
from tabnet.tournament.play.bots.own_processes import OWN_PROCESSES, count_ticks
from tabnet.tournament.play.bots.process_output import LAST_WORDS_S, ProcessOutput, describe_exit
from tabnet.tournament.play.guard.program import GAME_BEGINS, GAME_ENDS, MIB
from tabnet.tournament.play.sandbox.host import ConfinedCommand

CRASH_SIGNALS = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGXFSZ", "SIGSYS")
GUARD_LOOK_S = 0.5
"""The interval at which the referee looks whether a guard was stopped."""
GUARD_END_S = 11.0
"""The time for a guard to end its bot; it gives up a second before."""
MAX_REPORT_BYTES = 4096
PIPE_BYTES = 64 * 1024
"""The capacity of a pipe."""
OWN_ENDINGS = ("exit code", *(f"killed by {name}" for name in CRASH_SIGNALS))
"""The endings of programs that fail by themselves; others, like SIGKILL, come from outside."""
START_GUARD = """\
import sys
sys.path.append(sys.argv[1])
from tabnet.tournament.play.guard.program import main
main()
"""
"""The guard finds its program without the modules of `site`, whose import takes long."""
GUARD_COMMAND = (
    *(sys.executable, "-I", "-S", "-c", START_GUARD),
    str(Path(__file__).parents[4]),
)


T = TypeVar("T")


@frozen
class ProcessLimits:
    """Limits of a bot: of all its processes together, except for the size of a file."""

    processes: int = 64
    memory: int = 2048 * MIB
    """Resident memory, in bytes."""
    file: int = 64 * MIB
    """The size of a file that it writes, in bytes."""
    cpu: float | None = None
    """CPU time in a game, in seconds."""


class BotProcess:
    """A process; `run` runs it from its start to its end."""

    def __init__(
        self,
        bot: LocalBot,
        variables: Mapping[str, str],
        limits: ProcessLimits,
        passed: Sequence[str] = (),
        confined: ConfinedCommand | None = None,
    ) -> None:
        """Prepare a process with these variables, and those of the runner's that are `passed`."""
        self._bot = bot
        self._confined = confined or ConfinedCommand(bot.command)
        self.output = ProcessOutput(self._translate)
        """The output to stdout and stderr, since the last `take_output`."""
        self.ended = trio.Event()
        """Set when the process and all that it has started have ended."""
        self.ending = ""
        """How the process ended, like `exit code 1` or `killed by SIGSEGV`; empty while it runs."""
        self.offence = ""
        """The limit that it exceeded, or what happened to its guard; then `ending` is the same."""
        self.pid = 0
        """The id of the process; 0 before its start."""
        self._variables = variables
        self._passed = passed
        self._limits = limits
        self._guard: trio.Process | None = None
        self._exit = ""
        """How the process ended, as the guard has reported it."""
        self._has_exceeded_limit = False
        self._scope = trio.CancelScope()
        self._reading = trio.CancelScope(shield=True)  # to the end of the pipes

    @property
    def description(self) -> str:
        """How the process ended, with the last line that it has written."""
        last = "" if self.offence else self.output.last_line
        return f"{self.ending}: {last}" if last else self.ending

    def _translate(self, text: str) -> str:
        """Return a text that the bot wrote for its user."""
        text = self._bot.convert_to_user_paths(text)
        return explain_denied_files(text) if self._confined.is_restricted else text

    @property
    def has_failed_by_itself(self) -> bool:
        """True if it ended by an error of its own, or exceeded a limit; nobody has killed it."""
        return self._has_exceeded_limit or self._exit.startswith(OWN_ENDINGS)

    def kill(self) -> None:
        """Kill the process and all that it has started."""
        self._scope.cancel()

    def begin_game(self) -> None:
        """Let the limit of CPU time begin anew."""
        self._notify_guard(GAME_BEGINS)

    def end_game(self) -> None:
        """Let CPU time between games count for no limit."""
        self._notify_guard(GAME_ENDS)

    async def run(self) -> None:
        """Run the process until it has ended or was killed, with all that it has started."""
        try:
            await self._run()
        except OSError as error:
            self.ending = f"its guard cannot be started: {error.strerror}"
        finally:
            self.ended.set()
            with trio.CancelScope(shield=True):  # it takes long if the bot has made many files
                await trio.to_thread.run_sync(self._bot.remove)

    async def _run(self) -> None:
        since = count_ticks()
        guard = self._guard = await OWN_PROCESSES.start(GUARD_COMMAND, os.environ)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read, guard)
                try:
                    with self._scope:
                        await self._attend(guard)
                finally:
                    with trio.CancelScope(shield=True):
                        await self._end(guard)
                        if guard.returncode != 0:
                            await OWN_PROCESSES.kill_orphans(since)
                    self._reading.deadline = trio.current_time() + LAST_WORDS_S
        finally:
            self._describe_end(guard)

    def read_output(self) -> None:
        """Read the output that waits in the pipe."""
        if self._guard is not None:
            pipe = cast(FdStream, _get_pipe(self._guard.stderr))
            with suppress(OSError):  # it is empty, or closed
                self.output.add(os.read(pipe.fileno(), PIPE_BYTES))

    def take_output(self) -> str:
        """Return the output, and forget it."""
        output = str(self.output)
        if output:
            self.output = ProcessOutput(self._translate)
        return output

    def _notify_guard(self, news: bytes) -> None:
        if self._limits.cpu is not None and self._guard is not None:
            pipe = _get_pipe(self._guard.stdin)
            with suppress(OSError, ValueError):  # it has ended, or reads nothing
                os.write(cast(FdStream, pipe).fileno(), news)

    async def _attend(self, guard: trio.Process) -> None:
        """Give the guard its order, and return when it has ended or was stopped."""
        order = marshal.dumps(
            {
                "command": self._confined.command,
                "rules": self._confined.rules,
                "environment": {
                    **self._bot.variables,
                    **build_environment(self._variables, self._passed, self._bot.private),
                },
                "limits": asdict(self._limits),
            }
        )
        with suppress(trio.BrokenResourceError):  # it has ended already
            await _get_pipe(guard.stdin).send_all(b"%d\n%b" % (len(order), order))
        while guard.returncode is None and not _is_stopped(guard):
            with trio.move_on_after(GUARD_LOOK_S):
                await guard.wait()

    async def _end(self, guard: trio.Process) -> None:
        """Let the guard end the bot; a guard that does not is killed."""
        await _get_pipe(guard.stdin).aclose()
        with trio.move_on_after(GUARD_END_S):
            while guard.returncode is None and not _is_stopped(guard):
                with trio.move_on_after(GUARD_LOOK_S):
                    await guard.wait()
        if guard.returncode is None:
            how = "was stopped" if _is_stopped(guard) else "did not end"
            self.offence = f"the process that guards it {how}"
            guard.kill()
            await guard.wait()

    async def _read(self, guard: trio.Process) -> None:
        with self._reading:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read_reports, _get_pipe(guard.stdout))
                async for data in _get_pipe(guard.stderr):
                    self.output.add(bytes(data))
        await trio.aclose_forcefully(_get_pipe(guard.stdout))
        await trio.aclose_forcefully(_get_pipe(guard.stderr))

    async def _read_reports(self, reports: ReceiveStream) -> None:
        lines = Lines(MAX_REPORT_BYTES)
        async for data in reports:
            for line in lines.feed(data):
                self._note_report(json.loads(line))

    def _note_report(self, report: dict[str, Any]) -> None:
        """Note what the guard has reported; see `tabnet.tournament.play.guard.program`."""
        match report:
            case {"started": pid}:
                self.pid = pid
            case {"failed": errno}:
                self._exit = f"{self._bot.command[0]} cannot be started: {os.strerror(errno)}"
            case {"exceeded": limit}:
                self._has_exceeded_limit = True
                self.offence = f"it had {limit}"
            case {"ended": code}:
                self._exit = describe_exit(code)
                if code == -signal.SIGXFSZ:
                    self.offence = f"it wrote a file of more than {self._limits.file // MIB} MiB"

    def _describe_end(self, guard: trio.Process) -> None:
        if not self._exit and not self.offence and guard.returncode:
            how = describe_exit(guard.returncode)
            self.offence = f"the process that guards it ended unexpectedly, {how}"
        self.ending = self.offence or self._exit or describe_exit(-signal.SIGKILL)


def _get_pipe(pipe: T | None) -> T:
    assert pipe is not None, "the guard has three pipes"  # noqa: S101
    return pipe


def _is_stopped(process: trio.Process) -> bool:
    """Return True if a signal has stopped a child of this process, and the system tells."""
    if not hasattr(os, "waitid"):
        return False
    try:
        found = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # it has ended
        return False
    return found is not None
