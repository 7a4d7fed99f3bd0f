"""The unit of `tabnet serve --print-unit`, for systemd."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

STATE = "/var/lib/tabnet"
"""The folder that systemd makes for `StateDirectory=tabnet`."""
HOMES = ("/home", "/root", "/run/user")
PRIVILEGED_PORTS = 1024
PLAIN_WORD = re.compile(r"[A-Za-z0-9_@:,./=+-]+")

HARDENING = """\
NoNewPrivileges=yes
ProtectSystem=strict
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
UMask=0077
"""


def format_unit(
    program: Sequence[str], arguments: Sequence[str], data: Path | None, ports: Sequence[int | None]
) -> str:
    """Return a unit that runs `program serve` with these arguments of the command line.

    `data` is the data folder that the operator has named, and `ports` are the ports of the server.
    """
    words = [_make_absolute(word) for word in arguments if word != "--print-unit"]
    words = [*program, "serve", *words, f"--data={data.absolute() if data else STATE}"]
    return "\n".join(_list_lines(words, data, ports)) + "\n"


def find_program() -> list[str]:
    """Return the words that start tabnet: the installed command, or Python with the module."""
    command = Path(sys.executable).with_name("tabnet")
    return [str(command)] if command.exists() else [sys.executable, "-m", "tabnet"]


def _list_lines(
    words: Sequence[str], data: Path | None, ports: Sequence[int | None]
) -> Iterator[str]:
    yield "# /etc/systemd/system/tabnet.service"
    yield "[Unit]"
    yield "Description=tabnet server"
    yield "Wants=network-online.target"
    yield "After=network-online.target"
    yield ""
    yield "[Service]"
    yield "Type=notify"
    yield f"ExecStart={' '.join(map(_quote_word, words))}"
    yield "ExecReload=/bin/kill -HUP $MAINPID"
    yield "KillMode=mixed"
    yield "Restart=on-failure"
    yield "TimeoutStartSec=300"
    yield "TimeoutStopSec=15"
    yield "LimitNOFILE=65536"
    yield from _list_user_lines()
    if data is None:
        yield "StateDirectory=tabnet"
        yield "StateDirectoryMode=0700"
    else:
        yield f"ReadWritePaths={_quote_word(str(data.absolute()))}"
    is_in_home = any(f"{home}/" in word for word in words for home in HOMES)
    if is_in_home:
        yield "# The user of the server must be able to read the files above in home folders."
    yield f"ProtectHome={'read-only' if is_in_home else 'yes'}"
    needs_privilege = any(port and port < PRIVILEGED_PORTS for port in ports)
    capability = "CAP_NET_BIND_SERVICE" if needs_privilege else ""
    yield f"CapabilityBoundingSet={capability}"
    if needs_privilege:
        yield f"AmbientCapabilities={capability}"
    yield from HARDENING.splitlines()
    yield ""
    yield "[Install]"
    yield "WantedBy=multi-user.target"


def _list_user_lines() -> Iterator[str]:
    """Yield the user of the server: the one who prints the unit, but never root."""
    if os.getuid() == 0:
        yield "DynamicUser=yes"
    else:
        import pwd  # Windows has no such module

        yield f"User={pwd.getpwuid(os.getuid()).pw_name}"


def _make_absolute(word: str) -> str:
    """Return a word with absolute paths in place of those of existing files and folders."""
    option, equals, values = word.partition("=") if word.startswith("--") else ("", "", word)
    pieces = [
        str(Path(piece).absolute()) if Path(piece.partition(":")[0]).exists() else piece
        for piece in values.split(",")
        if piece
    ]
    return f"{option}{equals}{','.join(pieces)}"


def _quote_word(word: str) -> str:
    """Return a word as systemd reads it: `%` and `$` stand for themselves."""
    text = word.replace("\\", r"\\").replace('"', r"\"").replace("%", "%%").replace("$", "$$")
    return text if PLAIN_WORD.fullmatch(word) else f'"{text}"'
