"""Notifications to systemd: the server is ready, reloads its certificate, or stops.

systemd names a datagram socket in NOTIFY_SOCKET. Without that variable nothing is sent.
"""

from __future__ import annotations

import logging
import os
import socket
import time

log = logging.getLogger("tabnet")

VARIABLE = "NOTIFY_SOCKET"


def notify_ready() -> None:
    """Tell systemd that clients can connect, also after a reload."""
    _notify("READY=1")


def notify_reloading() -> None:
    """Tell systemd that the server reads its certificate again."""
    _notify(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")


def notify_stopping() -> None:
    """Tell systemd that the server stops."""
    _notify("STOPPING=1")


def _notify(state: str) -> None:
    """Send a state to systemd, without waiting. An error is logged: the server goes on."""
    address = os.environ.get(VARIABLE)
    if not address:
        return
    if address.startswith("@"):  # an abstract socket of Linux
        address = f"\0{address[1:]}"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as client:
            client.setblocking(False)
            client.connect(address)
            client.send(state.encode())
    except (OSError, AttributeError) as error:  # Windows has no such sockets
        fields = {"socket": os.environ[VARIABLE], "error": str(error)}
        log.warning("systemd cannot be notified", extra={"fields": fields})
