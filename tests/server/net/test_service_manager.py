"""Notifications to systemd."""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from tabnet.server.net import service_manager


@pytest.fixture(params=[False, True], ids=["path", "abstract"])
def manager(request, tmp_path, monkeypatch) -> Iterator[socket.socket]:
    """A socket like that of systemd."""
    name = f"@tabnet-{os.getpid()}" if request.param else str(tmp_path / "notify")
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as manager:
        manager.bind(name.replace("@", "\0"))
        manager.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        yield manager


def test_each_state_is_one_message(manager):
    service_manager.notify_ready()
    service_manager.notify_reloading()
    service_manager.notify_stopping()
    messages = [manager.recv(1000).decode() for _ in range(3)]
    assert (messages[0], messages[2]) == ("READY=1", "STOPPING=1")
    assert re.fullmatch(r"RELOADING=1\nMONOTONIC_USEC=\d+", messages[1])


def test_nothing_is_sent_without_the_variable(manager, monkeypatch, caplog):
    for value in (None, ""):
        if value is None:
            monkeypatch.delenv("NOTIFY_SOCKET")
        else:
            monkeypatch.setenv("NOTIFY_SOCKET", value)
        service_manager.notify_ready()
        with pytest.raises(BlockingIOError):
            manager.recv(1000)
    assert caplog.records == []


def test_a_manager_that_does_not_read_delays_nothing(manager, caplog):
    caplog.set_level(logging.WARNING)
    while not caplog.records:
        service_manager.notify_ready()
    assert caplog.records[0].message == "systemd cannot be notified"
    assert manager.recv(1000) == b"READY=1"
