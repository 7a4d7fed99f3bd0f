"""`tabnet serve` under systemd: its unit, and its notifications to a socket."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
from contextlib import closing

import pytest

from tabnet.cli import systemd_unit
from tabnet.cli.systemd_unit import find_program, format_unit
from tests.cli.processes import call_main, serving
from tests.polling import TIMEOUT_S

PROGRAM = ("/opt/tabnet/bin/tabnet",)


def read_fields(unit: str) -> dict[str, str]:
    """Return the fields of a unit; none may occur twice."""
    pairs = [line.split("=", 1) for line in unit.splitlines() if "=" in line]
    fields = dict(pairs)
    assert len(fields) == len(pairs)
    return fields


# Notifications


@pytest.mark.slow
@pytest.mark.parametrize("is_abstract", [False, True])
def test_systemd_is_told_when_the_server_is_ready_reloads_and_stops(
    tmp_path, monkeypatch, is_abstract
):
    name = f"@tabnet-test-{os.getpid()}" if is_abstract else str(tmp_path / "notify")
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as manager:
        manager.bind(f"\0{name[1:]}" if is_abstract else name)
        manager.settimeout(TIMEOUT_S)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        with serving(tmp_path) as server:
            assert manager.recv(1000) == b"READY=1"
            server.process.send_signal(signal.SIGHUP)
            assert re.fullmatch(rb"RELOADING=1\nMONOTONIC_USEC=\d+", manager.recv(1000))
            assert manager.recv(1000) == b"READY=1"
            server.process.terminate()
            assert manager.recv(1000) == b"STOPPING=1"
            assert server.process.wait(TIMEOUT_S) == 0
        manager.setblocking(False)
        with pytest.raises(BlockingIOError):
            manager.recv(1000)


@pytest.mark.slow
def test_a_server_runs_if_the_socket_of_systemd_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nothing"))
    with serving(tmp_path) as server:
        server.process.terminate()
        assert server.process.wait(TIMEOUT_S) == 0
    assert "systemd cannot be notified" in (tmp_path / "stderr").read_text()


# The unit


def test_the_unit_runs_the_command_that_printed_it(tmp_path):
    config = tmp_path / "my tabnet.toml"
    config.write_text("[serve]\ntls-port = 0\nmetrics-port = 90\n")
    printed = call_main("serve", "--config", config, "--house=none", "--print-unit")
    assert (printed.returncode, printed.stderr) == (0, "")
    fields = read_fields(printed.stdout)
    command = " ".join(find_program())
    options = f'serve --config "{config}" --house=none --data=/var/lib/tabnet'
    assert fields["ExecStart"] == f"{command} {options}"
    assert fields["Type"] == "notify"
    assert fields["StateDirectory"] == "tabnet"
    assert fields["AmbientCapabilities"] == "CAP_NET_BIND_SERVICE"


def test_paths_of_files_become_absolute_and_other_words_stay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py", "key.pem"):
        (tmp_path / name).write_text("")
    arguments = ["--house", "greedy,./mine.py:depth=2", "--key=key.pem", "--http-name=50%.$x"]
    unit = format_unit(PROGRAM, [*arguments, "--print-unit"], None, [45678, None])
    fields = read_fields(unit)
    assert fields["ExecStart"] == (
        f"{PROGRAM[0]} serve --house greedy,{tmp_path}/mine.py:depth=2 --key={tmp_path}/key.pem"
        ' "--http-name=50%%.$$x" --data=/var/lib/tabnet'
    )
    assert fields["CapabilityBoundingSet"] == ""
    assert "AmbientCapabilities" not in fields
    assert fields["ProtectHome"] == "yes"


def test_a_named_data_folder_is_writable(tmp_path):
    fields = read_fields(format_unit(PROGRAM, [], tmp_path / "a b", []))
    assert fields["ReadWritePaths"] == f'"{tmp_path}/a b"'
    assert "StateDirectory" not in fields


def test_the_server_never_runs_as_root(monkeypatch):
    monkeypatch.setattr(systemd_unit.os, "getuid", lambda: 0)
    assert read_fields(format_unit(PROGRAM, [], None, []))["DynamicUser"] == "yes"
    monkeypatch.setattr(systemd_unit.os, "getuid", lambda: 1)
    fields = read_fields(format_unit(["/home/anna/tabnet"], [], None, []))
    assert fields["User"] == "daemon"
    assert fields["ProtectHome"] == "read-only"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is missing")
@pytest.mark.parametrize("options", [[], ["--https-port", "443", "--data", "/srv"]])
def test_systemd_accepts_every_line_of_the_unit(tmp_path, options):
    unit = tmp_path / "tabnet.service"
    unit.write_text(call_main("serve", "--print-unit", *options).stdout)
    verified = subprocess.run(
        ["systemd-analyze", "verify", unit],
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
    )
    assert (verified.returncode, verified.stderr) == (0, "")
