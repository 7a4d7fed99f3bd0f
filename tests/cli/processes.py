"""The installed `tabnet` command, started as a user would."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from attrs import Factory, frozen

from tabnet.cli import main
from tests.polling import TIMEOUT_S

TABNET = Path(sys.executable).with_name("tabnet")


@frozen
class Process:
    """A server in a process of its own, as it introduced itself."""

    process: subprocess.Popen[str]
    tls: str
    fingerprint: str
    tcp: str
    http: str | None = None
    """The address of the web door, if it is open."""
    addresses: dict[str, str] = Factory(dict)
    """The addresses of all ports, by name."""

    @property
    def tcp_port(self) -> int:
        """The port of plain TCP."""
        return int(self.tcp.rpartition(":")[2])


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Process]:
    """`tabnet serve` on free ports, ended at the end; with `--http-port 0` also for HTTP."""
    command = [TABNET, "serve", "--tls-port", "0", "--tcp-port", "0", "--no-http"]
    command += ["--data", folder, *options]
    with (folder / "stderr").open("w") as stderr:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
    try:
        ports = []
        while (line := process.stdout.readline().split()) != ["ready"]:
            assert line[:1] == ["listening"], line
            ports.append(line[1:])
        addresses = {port[0]: port[1] for port in ports}
        assert list(addresses)[:2] == ["tls", "tcp"]
        digest = ports[0][2].removeprefix("sha256:")
        first = (addresses["tls"], digest, addresses["tcp"], addresses.get("http"))
        yield Process(process, *first, addresses)
    finally:
        process.kill()
        process.communicate(timeout=TIMEOUT_S)


@contextmanager
def open_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Change the database of a stopped server by hand; commit and close it at the end."""
    database = sqlite3.connect(path)
    try:
        with database:
            yield database
    finally:
        database.close()


@contextmanager
def openssl(address: str, ca: Path) -> Iterator[subprocess.Popen[str]]:
    """`openssl s_client` in a window of its own."""
    program = shutil.which("openssl")
    assert program, "openssl is not installed"
    command = [program, "s_client", "-quiet", "-verify_return_error", "-CAfile", ca]
    with subprocess.Popen(
        [*command, "-connect", address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as window:
        try:
            yield window
        finally:
            window.kill()


def tabnet(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run `tabnet` to its end."""
    return subprocess.run(
        [TABNET, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
        env={**os.environ, "COLUMNS": "80"},
        **options,
    )


def call_main(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command line in this process: quick, for commands that end at once."""
    command, out, err = [*map(str, arguments)], StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(command)
        except SystemExit as ended:
            code = ended.code
    return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())
