"""The hub on transports in memory, with a dialect of the web."""

from __future__ import annotations

from functools import partial

import pytest

from tabnet.dialects.web.http_server import Web
from tabnet.server.net.accepted_sockets import serve_transport
from tests.dialects.web.raw import Wire
from tests.memory_connection import MemoryTransport
from tests.server.conftest import hashed, house, hub

__all__ = ["hashed", "house", "hub", "visit"]


@pytest.fixture
async def visit(house, nursery):
    """Connects over HTTP, on a transport in memory if none is given."""
    web = Web(house)
    nursery.start_soon(web.run)

    def connect(transport=None, origin="memory"):
        transport = transport or MemoryTransport()
        nursery.start_soon(partial(serve_transport, web.converse, transport, f"{origin}:1"))
        return Wire(transport.client)

    return connect
