"""Landlock: a process of Linux restricts itself and all that it starts, without any privilege.

The module starts quickly, since it uses little of the standard library. It is also a program, which
restricts itself and then becomes a command: `python -I -S landlock.py RULES COMMAND...`, with the
rules in JSON.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys

TYPE_CHECKING = False  # to import `typing` takes 5 ms
if TYPE_CHECKING:
    from typing import Any, TypedDict

    class Rules(TypedDict):
        """Everything else that the kernel knows to restrict is denied."""

        read: list[str]
        """Files and folders that may be read and executed, with all that is in them."""
        write: list[str]
        """Files and folders that may also be written to."""
        connect: list[int]
        """TCP ports of other programs that may be connected to, on every machine."""


NR_CREATE_RULESET, NR_ADD_RULE, NR_RESTRICT_SELF = 444, 445, 446
"""The numbers of system calls, the same on all processors."""
CREATE_RULESET_VERSION = 1
RULE_PATH_BENEATH, RULE_NET_PORT = 1, 2
PR_SET_NO_NEW_PRIVS = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE = 1 << 14
IN_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
"""The rights that a rule for a file may name; all others are about folders."""
READING = EXECUTE | READ_FILE | READ_DIR
MAKE_DEVICES = 1 << 6 | 1 << 11
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""The number of rights about files, from each version of the kernel's interface on."""
BIND_TCP, CONNECT_TCP = 1 << 0, 1 << 1
ABSTRACT_SOCKETS, SIGNALS = 1 << 0, 1 << 1
HAS_TRUNCATE, HAS_PORTS, HAS_IOCTL, HAS_SCOPES = 3, 4, 5, 6
"""The versions from which on the kernel restricts the truncation of files, TCP ports, commands to
devices, and signals and abstract sockets."""
CAPABILITIES_VERSION = 0x20080522
KEPT_CAPABILITIES = 1 << 1
"""Root opens the files of other users (CAP_DAC_OVERRIDE), where Landlock allows the path."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # the only one for packed structures; Python 3.14 wants it named
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _PortRule(ctypes.Structure):
    _fields_ = (("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64))


def find_abi() -> int:
    """Return the version of the kernel's interface; 0 if there is none, or it is turned off."""
    if sys.platform != "linux":
        return 0
    try:
        return _call(NR_CREATE_RULESET, None, 0, CREATE_RULESET_VERSION)
    except OSError:
        return 0


def restrict(rules: Rules) -> None:
    """Restrict this process for good; raises `OSError`. Only the calling thread is restricted."""
    abi = find_abi()
    files = (
        1 << max((count for since, count in FILE_RIGHTS.items() if since <= abi), default=0)
    ) - 1
    net = BIND_TCP | CONNECT_TCP if abi >= HAS_PORTS else 0
    scoped = ABSTRACT_SOCKETS | SIGNALS if abi >= HAS_SCOPES else 0
    attributes = _Ruleset(files, net, scoped)
    ruleset = _call(NR_CREATE_RULESET, ctypes.byref(attributes), ctypes.sizeof(attributes), 0)
    try:
        for path in rules["read"]:
            _allow(ruleset, path, files & READING)
        for path in rules["write"]:
            _allow(ruleset, path, files & ~MAKE_DEVICES)
        for port in rules["connect"] if net else ():
            rule = _PortRule(CONNECT_TCP, port)
            _call(NR_ADD_RULE, ruleset, RULE_NET_PORT, ctypes.byref(rule), 0)
        drop_privileges()
        _call(NR_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def drop_privileges() -> None:
    """Give up the privileges of root, and those of programs that are started; raises `OSError`."""
    libc = _load_libc()
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        _raise_error()
    if os.geteuid() == 0:
        header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
        sets = (ctypes.c_uint32 * 6)()
        if libc.capget(header, sets):
            _raise_error()
        kept = sets[1] & KEPT_CAPABILITIES
        if libc.capset(header, (ctypes.c_uint32 * 6)(kept, kept)):
            _raise_error()


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Allow rights on a file, or in a folder; a path that does not exist is left out."""
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    try:
        is_folder = stat.S_ISDIR(os.fstat(parent).st_mode)
        rule = _PathRule(rights if is_folder else rights & IN_FILES, parent)
        _call(NR_ADD_RULE, ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)


def _call(number: int, *arguments: Any) -> int:
    result = int(_load_libc().syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        _raise_error()
    return result


def _load_libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _raise_error() -> None:
    number = ctypes.get_errno()
    raise OSError(number, f"Landlock: {os.strerror(number)}")


if __name__ == "__main__":
    import json

    restrict(json.loads(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - it is the purpose
