"""The Unix socket in a data folder, on which a server accepts requests of the operator."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOCKET = "admin.sock"
MAX_PATH = 103
"""The number of bytes that the address of a socket may have on every system."""


@contextmanager
def socket_address(folder: Path) -> Iterator[str]:
    """Yield an address of the socket of a data folder, which may have a path of any length.

    A path that is too long leads through a link in a private temporary folder. The link is needed
    only while a socket is bound or connected.
    """
    path = folder / SOCKET
    if len(os.fsencode(path)) <= MAX_PATH:
        yield str(path)
        return
    with tempfile.TemporaryDirectory(prefix="tabnet-") as private:
        link = Path(private, "data")
        link.symlink_to(folder.absolute())
        yield str(link / SOCKET)
