"""The host names under which this machine is known."""

from __future__ import annotations

import socket
from collections.abc import Callable

import trio


class MachineNames:
    """The short name of the machine, its name for mDNS, and the full name after a look-up."""

    def __init__(self, full_name: Callable[[], str] = socket.getfqdn) -> None:
        self._full_name = full_name
        name = socket.gethostname().lower()
        self.names = frozenset({name, name if "." in name else f"{name}.local"})

    async def look_up(self) -> None:
        """Add the full name, which takes many seconds if DNS is broken."""
        name = await trio.to_thread.run_sync(self._full_name, abandon_on_cancel=True)
        self.names |= {name.lower().removesuffix(".")}
