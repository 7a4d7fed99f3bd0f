"""The hub on links in memory, with a web door."""

from __future__ import annotations

from functools import partial

import pytest

from tabnet.gateways.gateway import keep_streams
from tabnet.gateways.http import Web
from tabnet.server.listener import serve_link
from tests.gateways.raw import Wire
from tests.memory import MemoryLink
from tests.server.conftest import hashed, house, hub

__all__ = ["hashed", "house", "hub", "visit"]


@pytest.fixture
async def visit(house, nursery):
    """Connects over HTTP, on a link in memory if none is given."""
    web = Web(house)
    nursery.start_soon(keep_streams, house)

    def connect(link=None, origin="memory"):
        link = link or MemoryLink()
        nursery.start_soon(partial(serve_link, web.converse, link, f"{origin}:1"))
        return Wire(link.client)

    return connect
