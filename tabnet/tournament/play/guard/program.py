"""The program of a guard: starts a bot, watches it, and ends it with all that it has started.

stdin     the order: the number of its bytes in a line, then its bytes (`marshal`). After it, a byte
          for each game that begins or ends. When stdin ends, the guard ends everything: the
          referee has closed it, or was killed.
stdout    reports, each a line of JSON:
          {"started":PID}, {"failed":ERRNO}, {"exceeded":"more than 64 processes"}, {"ended":-9};
          the bot of a wrapper has a second {"started":PID}
stderr    the output of the bot

The guard is a subreaper, so daemons stay its descendants, whatever they do. It is not bound to the
thread that started it: trio starts processes in threads that end some seconds later.
"""

from __future__ import annotations

import marshal
import os
import resource
import select
import time

# The module `signal` makes enumerations of its names, which takes 5 ms.
from _signal import (  # type: ignore[import-not-found] # typeshed has no stub of it
    SIG_DFL,
    SIGHUP,
    SIGINT,
    SIGKILL,
    SIGPIPE,
    SIGQUIT,
    SIGXFSZ,
    signal,
)

from tabnet.tournament.play.guard.process_tree import (
    ProcessStatus,
    become_subreaper,
    is_supported,
    list_children,
    list_descendants,
    read_file,
    read_proportional_bytes,
    read_status,
    stop_or_kill,
)

TYPE_CHECKING = False  # to import `typing` takes 5 ms
if TYPE_CHECKING:
    from typing import TypedDict

    from tabnet.tournament.play.sandbox.landlock import Rules

    class GuardLimits(TypedDict):
        processes: int
        memory: int
        file: int
        cpu: float | None

    class GuardOrder(TypedDict):
        command: list[str]
        environment: dict[str, str]
        rules: Rules | None
        """The bot's sandbox, if the bot sets it before it starts."""
        limits: GuardLimits


CONTROL, REPORTS, OUTPUT = 0, 1, 2
"""The file descriptors of the guard."""
GAME_BEGINS, GAME_ENDS = b"+", b"-"
FASTEST_S, SLOWEST_S = 0.05, 0.25
"""The pause between two looks at the processes; it doubles while they need no CPU time."""
PAUSE_PER_COST = 200
"""The pause is at least so many times the CPU time of a look: looks take half a percent."""
MAX_THREADS_PER_PROCESS = 16
"""Threads are no processes, because libraries for numbers start one for each core. This limit is
for floods of them, which harm others as floods of processes do."""
MAX_NEW_TASKS = 1024
"""Other processes and threads of the user, from the start of a bot on, after which it can start no
more. It is a bound for floods of processes that are faster than the guard; root has none."""
GIVE_UP_S = 10.0
"""The time for killed processes to end; a process that waits for a broken disk may never end."""
LOOK_S = 0.002
"""The pause before the next look at killed processes."""
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
MIB = 1024 * 1024
WRAPPER = "bwrap"
"""A program that starts the bot as its child, or grandchild, and ends as it does."""
WRAPPER_PROCESSES = 2
SIGNALLED = 128
"""The wrapper's exit code is this and the number of the signal that has killed the bot."""


def main() -> None:
    """Run a bot from its start to its end."""
    order = _read_order()
    if order is None:
        return
    become_subreaper()
    pid, errno = _start_bot(order)
    if errno:
        _report(f'{{"failed":{errno}}}')
        return
    _report(f'{{"started":{pid}}}')
    _take_precedence()
    guard = BotGuard(pid, order["limits"], is_wrapped=order["command"][0] == WRAPPER)
    guard.watch()
    guard.end_all()
    _report(f'{{"ended":{guard.exit_code}}}')


def _read_order() -> GuardOrder | None:
    """Return the order of the referee; None if the referee is gone."""
    data = b""
    while b"\n" not in data or len(data) <= data.index(b"\n") + int(data[: data.index(b"\n")]):
        if not (chunk := os.read(CONTROL, 65536)):
            return None
        data += chunk
    order: GuardOrder = marshal.loads(data[data.index(b"\n") + 1 :])
    return order


def _report(line: str) -> None:
    try:
        os.write(REPORTS, line.encode() + b"\n")
    except OSError:  # the referee is gone
        pass


def _take_precedence() -> None:
    """Run before all usual processes, where this is allowed, as it is for root.

    Otherwise a flood of processes leaves no time to end it; other users have `MAX_NEW_TASKS`.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except (OSError, AttributeError):
        pass


# The bot


def _start_bot(order: GuardOrder) -> tuple[int, int]:
    """Start the bot; return its pid, and the error number if its program cannot be executed."""
    failure, failure_of_bot = os.pipe()  # closed by a successful exec
    pid = os.fork()
    if pid == 0:
        try:
            _become_bot(order)
        except OSError as error:
            os.write(failure_of_bot, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(failure_of_bot)
    errno = int(os.read(failure, 100) or 0)
    os.close(failure)
    if errno:
        os.waitpid(pid, 0)
    return pid, errno


def _become_bot(order: GuardOrder) -> None:
    """Turn this process, a new one with one thread, into the bot."""
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(OUTPUT, 1)
    for number in (
        SIGHUP,
        SIGINT,
        SIGQUIT,
        SIGPIPE,
        SIGXFSZ,
    ):  # nohup, shells and Python ignore them
        signal(number, SIG_DFL)
    _set_limit(resource.RLIMIT_FSIZE, order["limits"]["file"])
    if tasks := _count_tasks():
        _set_limit(resource.RLIMIT_NPROC, tasks + MAX_NEW_TASKS)
    if order["rules"] is not None:
        from tabnet.tournament.play.sandbox.landlock import restrict

        restrict(order["rules"])
    command = order["command"]
    os.execvpe(command[0], command, order["environment"])


def _set_limit(limit: int, value: int) -> None:
    """Limit this process, and the processes that it starts."""
    _, highest = resource.getrlimit(limit)
    value = value if highest == resource.RLIM_INFINITY else min(value, highest)
    resource.setrlimit(limit, (value, value))


def _count_tasks() -> int:
    """Return the number of all processes and threads of the system; 0 if it does not tell."""
    load = read_file("/proc/loadavg")
    return int(load.split()[3].split(b"/")[1]) if load else 0


class BotGuard:
    """Watches a bot and its processes, which are all descendants of this process."""

    def __init__(self, bot: int, limits: GuardLimits, *, is_wrapped: bool) -> None:
        self.exit_code: int = -SIGKILL
        """How the bot ended, as in `subprocess`; it is not used before."""
        self._bot = bot
        self._has_ended = False
        self._limits = limits
        self._is_wrapped = is_wrapped
        self._is_bot_known = not is_wrapped
        self._is_in_game = False
        self._ticks_before = 0
        """The CPU time before the present game."""

    def watch(self) -> None:
        """Return when the bot has ended, a limit is exceeded, or the referee is gone."""
        events = select.poll()
        events.register(CONTROL, select.POLLIN)
        if hasattr(os, "pidfd_open"):
            events.register(os.pidfd_open(self._bot), select.POLLIN)
        pause, ticks = FASTEST_S, 0
        while True:
            ready = [file for file, _ in events.poll(pause * 1000)]
            self._reap()
            if self._has_ended or (CONTROL in ready and not self._obey()):
                return
            if CONTROL in ready:
                continue
            began, ticks_before = time.process_time(), ticks
            ticks, exceeded = self._look()
            if exceeded:
                _report(f'{{"exceeded":"{exceeded}"}}')
                return
            pause = FASTEST_S if ticks != ticks_before else min(2 * pause, SLOWEST_S)
            pause = max(pause, PAUSE_PER_COST * (time.process_time() - began))

    def end_all(self) -> None:
        """Kill the bot and everything that it has started; return when nothing is left."""
        if not self._has_ended:
            _kill_group(self._bot)  # at once, unlike the rest
        give_up_at, stopped = time.monotonic() + GIVE_UP_S, set[int]()
        while time.monotonic() < give_up_at:
            self._reap()
            count = stop_or_kill(list_children(os.getpid()), stopped)
            if self._has_ended and not count:
                return
            time.sleep(LOOK_S)

    def _reap(self) -> None:
        """Wait for all children that have ended: the bot, and orphans of its processes."""
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._bot:
                    self._has_ended = True
                    self.exit_code = os.waitstatus_to_exitcode(ended[1])
                    if self._is_wrapped and self.exit_code > SIGNALLED:
                        self.exit_code = SIGNALLED - self.exit_code
        except ChildProcessError:  # no child is left
            pass

    def _obey(self) -> bool:
        """Read what the referee sends; return False if it is gone."""
        data = os.read(CONTROL, 4096)
        if data:
            self._is_in_game = data.endswith(GAME_BEGINS)
            self._ticks_before, _ = self._look()
        return bool(data)

    def _look(self) -> tuple[int, str]:
        """Return the CPU time of all processes in ticks, and which limit they exceed."""
        if not is_supported():
            return 0, ""
        pids = list_descendants(list_children(os.getpid()))
        if not self._is_bot_known:
            self._report_wrapped(pids)
        found = [status for status in map(read_status, pids) if status is not None]
        times = os.times()
        ticks = sum(each.ticks for each in found)
        ticks += round((times.children_user + times.children_system) * TICKS_PER_S)
        return ticks, self._find_exceeded(pids, found, ticks)

    def _report_wrapped(self, pids: list[int]) -> None:
        """Report the bot itself, once the wrapper has started it."""
        for pid in pids:
            name = read_file(f"/proc/{pid}/comm").strip()
            if name and name != WRAPPER.encode():
                _report(f'{{"started":{pid}}}')
                self._is_bot_known = True
                return

    def _find_exceeded(self, pids: list[int], found: list[ProcessStatus], ticks: int) -> str:
        """Return the limit that the processes exceed, in words; empty if there is none."""
        limits = self._limits
        processes, memory, cpu = limits["processes"], limits["memory"], limits["cpu"]
        if len(pids) > processes + (WRAPPER_PROCESSES if self._is_wrapped else 0):
            return f"more than {processes} processes"
        if sum(each.threads for each in found) > processes * MAX_THREADS_PER_PROCESS:
            return f"more than {processes * MAX_THREADS_PER_PROCESS} threads"
        resident = sum(each.pages for each in found) * PAGE_BYTES
        if resident > memory and _count_memory(pids) > memory:
            return f"more than {memory // MIB} MiB of memory"
        if cpu is not None and self._is_in_game and ticks > self._ticks_before + cpu * TICKS_PER_S:
            return f"more than {cpu:g} s of CPU time in a game"
        return ""


def _count_memory(pids: list[int]) -> int:
    """Return the resident memory of processes; a page that they share counts once.

    This takes long, so it is only counted if the plain sum exceeds the limit.
    """
    total = 0
    for pid in pids:
        proportional = read_proportional_bytes(pid)
        if proportional is None and (status := read_status(pid)) is not None:
            proportional = status.pages * PAGE_BYTES
        total += proportional or 0
    return total


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
