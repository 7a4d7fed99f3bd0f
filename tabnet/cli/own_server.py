"""A server for one game on this machine, in its own process, which ends with this one.

The process stops when its standard input ends. This is a pipe that the parent process holds, and
that the system closes however the parent ends.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import IO, cast


@contextmanager
def own_server(house: str) -> Iterator[str]:
    """Start a server for the length of a block, with the bots `house`, and yield its address."""
    from tabnet.errors import StartError

    with subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-m", __name__, house],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C stops this program, which then stops the server
    ) as process:
        held, said, failed = cast(
            "tuple[IO[str], ...]", (process.stdin, process.stdout, process.stderr)
        )
        try:
            lines = [said.readline().split() for _ in range(3)]
            if lines[-1] != ["ready"]:
                raise StartError(f"cannot start a server: {failed.read().strip()}")
            yield f"tcp://{lines[1][2]}"
        finally:
            held.close()


def main() -> int:
    """Serve on free ports, with temporary data, until standard input ends."""
    from tabnet.cli import main as tabnet

    threading.Thread(target=_stop_at_end_of_input, daemon=True).start()
    with TemporaryDirectory(prefix="tabnet-") as folder:
        options = ["--memory", "--log-level", "warning"]
        options += ["--tls-port", "0", "--tcp-port", "0", "--no-http"]
        return tabnet(["serve", *options, "--data", folder, "--house", sys.argv[1]])


def _stop_at_end_of_input() -> None:
    while os.read(0, 1024):
        pass
    for number in (signal.SIGTERM, signal.SIGINT):  # the second signal: do not wait for games
        os.kill(os.getpid(), number)


if __name__ == "__main__":
    sys.exit(main())
