"""A service with its clock, and a hub on connections in memory."""

from __future__ import annotations

import pytest
import trio

from tabnet.server.net import passwords
from tabnet.server.net.hub import Hub
from tabnet.server.net.idle_timeouts import disconnect_idle
from tests.server.pure import Referee

HASHING_S = 0.1
"""Of a clock that jumps: no test is any longer for it."""


@pytest.fixture
def referee() -> Referee:
    return Referee()


@pytest.fixture
async def hub():  # noqa: ASYNC124 - inside trio, for the hub asks it for its token
    """A hub that is told when to send."""
    hub = Hub()
    with hub.outbox.active():
        yield hub


@pytest.fixture
async def house(hub, nursery):
    """The hub's own tasks are running."""
    nursery.start_soon(hub.keep_time)
    nursery.start_soon(disconnect_idle, hub)
    return hub


@pytest.fixture
def hashed(monkeypatch):
    """The hashed passwords; a hash takes its time on the test's clock, without a thread."""
    calls = []

    async def run_sync(function, password, salt, *, limiter):
        assert function is passwords.digest_password
        assert limiter.total_tokens == passwords.MAX_THREADS
        async with limiter:
            await trio.sleep(HASHING_S)
        calls.append(password)
        return f"{password}{salt.hex()}".encode()

    monkeypatch.setattr(passwords.trio.to_thread, "run_sync", run_sync)
    return calls
