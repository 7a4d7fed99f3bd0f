"""A real Dask cluster of processes on this machine, whose parts can be killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tabnet.tournament.play.guard.process_tree import list_descendants, read_file
from tests.polling import TIMEOUT_S, until

ENDS_S = 5.0
"""The time for the referee and the bots of a lost worker to end."""
QUIET = {
    "DASK_LOGGING__DISTRIBUTED": "error",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
}


class DaskProcesses:
    """A scheduler and workers; `start_scheduler` and `start_worker` start their processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self.port = _find_free_port()

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def start_scheduler(self) -> None:
        self.scheduler = self._start(
            *("dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port)),
            *("--no-dashboard", "--no-show"),
        )
        until(self._is_listening)

    def start_worker(
        self,
        *options: str,
        nanny: bool = False,
        variables: Mapping[str, str] | None = None,
        statements: str = "",
    ) -> subprocess.Popen[bytes]:
        """Start a worker with one slot, which first executes some statements."""
        number = len(self.workers)
        preload = self.folder / f"preload_{number}.py"
        preload.write_text(statements)
        worker = self._start(
            *("dask_worker", self.address, "--host", "127.0.0.1", "--no-dashboard"),
            *("--nthreads", "1", "--nanny" if nanny else "--no-nanny"),
            *("--preload", str(preload)),
            *("--name", "first" if number == 0 else str(number)),
            *("--local-directory", str(self.folder / f"worker-{number}"), *options),
            variables=variables,
        )
        self.workers.append(worker)
        return worker

    def restart_scheduler(self) -> None:
        """Kill the scheduler, and start another at its address."""
        assert self.scheduler is not None
        self.scheduler.kill()
        self.scheduler.wait()
        self.start_scheduler()

    def run_in_first_worker(self, statement: str) -> None:
        """Let the first worker execute a statement about `dask_worker`, beside its tasks."""
        program = (
            "from distributed import Client\n"
            f"def run(dask_worker):\n    {statement}\n"
            f"client = Client({self.address!r})\n"
            "workers = client.scheduler_info()['workers'].items()\n"
            "first = [address for address, each in workers if each['name'] == 'first']\n"
            "client.run(run, workers=first, on_error='ignore')"
        )
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)

    def end(self) -> None:
        """Kill all processes; their referees and bots must end by themselves."""
        processes = [each for each in (*self.workers, self.scheduler) if each is not None]
        started = StartedProcesses(processes)
        for process in processes:
            _kill_with_children(process)
        until(started.are_gone)

    def _start(
        self, module: str, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{module}.log").open("ab")
        with log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
                stdout=log,
                stderr=log,
                env={**os.environ, **QUIET, **(variables or {})},
                start_new_session=True,
            )

    def _is_listening(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False


@contextmanager
def run_cluster(folder: Path, workers: int) -> Iterator[DaskProcesses]:
    """Start a scheduler and workers with one slot each; end them after the block."""
    folder.mkdir(parents=True, exist_ok=True)
    cluster = DaskProcesses(folder)
    try:
        cluster.start_scheduler()
        for _ in range(workers):
            cluster.start_worker()
        yield cluster
    finally:
        cluster.end()


class StartedProcesses:
    """The processes that run below others at a moment, like referees and bots."""

    def __init__(self, processes: Sequence[subprocess.Popen[bytes]]) -> None:
        parents = [process.pid for process in processes]
        self.pids = [pid for pid in list_descendants(parents) if pid not in parents]
        self._starts = {pid: _read_start(pid) for pid in self.pids}

    def are_gone(self) -> bool:
        return not any(start and _read_start(pid) == start for pid, start in self._starts.items())

    def require_end(self) -> None:
        """The referee and the bots of a lost worker end in time."""
        assert self.pids
        began = time.monotonic()
        until(self.are_gone)
        assert time.monotonic() - began < ENDS_S


class TournamentProcess:
    """The command line `tabnet tournament` in a process of its own; for a `with`."""

    def __init__(self, output: Path, *arguments: str, statements: str = "") -> None:
        """Start the process, which first executes some statements."""
        self._output = output
        program = f"import sys\nfrom tabnet.cli import main\n{statements}\nsys.exit(main())"
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-c", program, "tournament", *arguments],
                stdout=file,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> TournamentProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def output(self) -> str:
        return self._output.read_text()

    def wait(self, timeout_s: float = 4 * TIMEOUT_S) -> int:
        """Wait for the end; return the exit code."""
        return self.process.wait(timeout_s)


def read_journal_rows(folder: Path, name: str) -> list[dict[str, object]]:
    """Return the rows of a journal that have a field of this name."""
    try:
        lines = (folder / "journal.jsonl").read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    rows = map(json.loads, lines)
    return [row[name] for row in rows if name in row]


def _read_start(pid: int) -> bytes:
    """Return the time when a process started; nothing if it has ended."""
    state, *fields = read_file(f"/proc/{pid}/stat").rpartition(b")")[2].split() or [b"Z"]
    return b"" if state == b"Z" else fields[18]


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _kill_with_children(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its session: the worker of a nanny is in it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGCONT)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
