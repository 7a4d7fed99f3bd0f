"""Landlock and bubblewrap restrict real processes, of root and of a user without privileges."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
from pathlib import Path

import pytest

from tabnet.tournament.play.sandbox import bubblewrap, landlock
from tabnet.tournament.play.sandbox.host import find_host_paths
from tabnet.tournament.play.sandbox.policy import DEVICES, Access, HostPaths, list_readable
from tests.tournament.play.hostile.attempts import find_missing
from tests.tournament.play.sandbox.processes import find_missing_user, python_of, run_as

USERS = ["this user", "nobody"]
TRY = """
import os, sys
def attempt(name, action):
    try:
        action()
    except OSError as error:
        return f"{name}: {os.strerror(error.errno)}"
    return f"{name}: done"
"""


@pytest.fixture(params=USERS)
def user(request):
    if missing := find_missing_user(request.param):
        pytest.skip(missing)
    return request.param


@pytest.fixture
def folder():
    """A folder that every user can open, with a copy of the module and two files."""
    path = Path(tempfile.mkdtemp(prefix="tabnet-test-"))
    path.chmod(0o755)
    shutil.copy(landlock.__file__, path / "landlock.py")
    for name in ("allowed", "private", "secret"):
        (path / name).mkdir()
        (path / name / "file").write_text(name)
        (path / name).chmod(0o777)
        (path / name / "file").chmod(0o666)
    yield path
    shutil.rmtree(path)


def make_access(folder, user="nobody", connect=(), is_local=False):
    host = HostPaths((), ()) if user == "nobody" else find_host_paths()
    readable = list_readable(host, [str(folder / "allowed")], is_command=True)
    return Access(
        (*readable, str(folder / "landlock.py")),
        (str(folder / "private"), *DEVICES),
        tuple(connect),
        is_local,
    )


def restrict(folder, user, program, *, sandbox="landlock", connect=(), is_local=False):
    """Run a program of Python in a sandbox; return what it printed, by lines."""
    access = make_access(folder, user, connect, is_local)
    rules = {"read": access.read, "write": access.write, "connect": access.connect}
    python = python_of(user)
    command = [python, "-I", "-S", "-c", TRY + program]
    if landlock.find_abi():
        command = [python, "-I", "-S", str(folder / "landlock.py"), json.dumps(rules), *command]
    if sandbox == "bwrap":
        command = bubblewrap.make_command(access, command)
    code, printed, errors = run_as(user, command)
    assert code == 0, errors
    return printed.splitlines()


needs_landlock = pytest.mark.skipif(not landlock.find_abi(), reason="the kernel has no Landlock")
needs_scopes = pytest.mark.skipif(
    landlock.find_abi() < landlock.HAS_SCOPES, reason="the kernel's Landlock has no scopes"
)
needs_bubblewrap = pytest.mark.skipif(bool(find_missing("bwrap")), reason=find_missing("bwrap"))
FILES = """
print(attempt("read allowed", lambda: open("{folder}/allowed/file").read()))
print(attempt("write allowed", lambda: open("{folder}/allowed/file", "w")))
print(attempt("truncate allowed", lambda: os.truncate("{folder}/allowed/file", 0)))
print(attempt("read secret", lambda: open("{folder}/secret/file").read()))
print(attempt("list secret", lambda: os.listdir("{folder}/secret")))
print(attempt("remove secret", lambda: os.unlink("{folder}/secret/file")))
print(attempt("write private", lambda: open("{folder}/private/file", "w").write("x")))
print(attempt("move out", lambda: os.rename("{folder}/private/file", "{folder}/secret/moved")))
print(attempt("make private", lambda: os.mkdir("{folder}/private/new")))
print(attempt("read /proc", lambda: open("/proc/self/environ").read()))
print(attempt("read /etc/shadow", lambda: open("/etc/shadow").read()))
"""
ALLOWED = ["read allowed: done", "write private: done", "make private: done"]


@needs_landlock
def test_landlock_restricts_files(folder, user):
    lines = restrict(folder, user, FILES.replace("{folder}", str(folder)))
    assert len(lines) == 11
    assert [line for line in lines if line.endswith("done")] == ALLOWED
    assert (folder / "allowed" / "file").read_text() == "allowed"
    assert (folder / "secret" / "file").read_text() == "secret"


@needs_bubblewrap
def test_bubblewrap_restricts_files(folder, user):
    lines = restrict(folder, user, FILES.replace("{folder}", str(folder)), sandbox="bwrap")
    assert len(lines) == 11
    assert [line for line in lines if line.endswith("done")] == ALLOWED
    assert (folder / "allowed" / "file").read_text() == "allowed"


@pytest.mark.skipif(landlock.find_abi() < landlock.HAS_PORTS, reason="Landlock has no ports")
def test_landlock_allows_one_port_and_no_listening(folder, user):
    program = """
import socket
for port in PORTS:
    print(attempt("connect", lambda: socket.create_connection(("127.0.0.1", port)).close()))
print(attempt("listen", lambda: socket.create_server(("127.0.0.1", 0)).close()))
"""
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as two,
    ):
        ports = [each.getsockname()[1] for each in (one, two)]
        lines = restrict(folder, user, program.replace("PORTS", str(ports)), connect=ports[:1])
        assert lines == [
            "connect: done",
            "connect: Permission denied",
            "listen: Permission denied",
        ]


@needs_scopes
def test_landlock_protects_processes_outside_and_abstract_sockets(folder, user):
    program = """
import socket
print(attempt("signal", lambda: os.kill(PARENT, 0)))
print(attempt("own", lambda: os.kill(os.getpid(), 0)))
print(attempt("connect", lambda: socket.socket(socket.AF_UNIX).connect("\\0" + NAME)))
"""
    name = f"tabnet-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        program = program.replace("PARENT", str(os.getpid())).replace("NAME", repr(name))
        assert restrict(folder, user, program) == [
            "signal: Operation not permitted",
            "own: done",
            "connect: Operation not permitted",
        ]


@needs_landlock
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to give up")
def test_root_keeps_no_privilege_but_opening_files_of_others(folder):
    program = "print(attempt('priority', lambda: os.setpriority(os.PRIO_PROCESS, 0, -5)))"
    assert restrict(folder, "this user", program) == ["priority: Permission denied"]


@needs_bubblewrap
def test_bubblewrap_has_a_network_of_its_own_for_the_local_socket(folder, user):
    program = """
import socket
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
print(attempt("to elsewhere", lambda: sock.connect(("192.0.2.1", 9))))
"""
    lines = restrict(folder, user, program, sandbox="bwrap", is_local=True)
    assert lines == ["to elsewhere: Network is unreachable"]


@needs_landlock
def test_a_path_that_does_not_exist_is_no_error(folder):
    rules = {"read": ["/no/such/folder", "/usr", "/lib", "/lib64"], "write": [], "connect": []}
    python = [python_of("nobody"), "-I", "-S", str(folder / "landlock.py")]
    assert run_as("this user", [*python, json.dumps(rules), "/bin/true"])[0] == 0
