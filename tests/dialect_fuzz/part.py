"""The part of the driver that a dialect adds: its requests, its responses and an honest client."""

from __future__ import annotations

import random
import re
import socket
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from attrs import frozen

Ids: TypeAlias = Sequence[tuple[bytes, ...]]
"""The latest ids in responses to connections that stay open: the groups of `id_pattern`."""
Connect: TypeAlias = Callable[[], socket.socket]
"""Opens a blocking connection of an honest client."""
Poll: TypeAlias = Callable[[], None]
"""Sends one request of an honest client and waits for its response."""


@frozen
class FuzzedDialect:
    """A dialect, as the driver needs it."""

    options: tuple[str, ...]
    """The options of `tabnet serve` that open the port."""
    port: str
    """The name of the port in the line `listening NAME ADDRESS`."""
    is_tls: bool
    request: Callable[[random.Random, Ids], bytes]
    """Returns any valid request, with its end; it may use ids of other connections."""
    farewell: bytes
    """The bytes after which a server closes the connection even if it takes no end of file."""
    id_pattern: re.Pattern[bytes]
    """Finds the ids in responses."""
    read_codes: Callable[[bytes], Iterable[str]]
    """Returns a name for each response in these bytes; the last one may be incomplete.

    Raises `AssertionError` if they are no responses.
    """
    usual_codes: frozenset[str]
    """The names of responses that a short run sees."""
    begin: Callable[[Connect], Poll]
    """Begins a game of honest clients."""
