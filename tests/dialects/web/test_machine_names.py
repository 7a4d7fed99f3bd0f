"""The host names of this machine."""

from __future__ import annotations

import socket

from tabnet.dialects.web.machine_names import MachineNames


async def test_the_short_name_is_known_at_once_and_the_full_one_after_a_look_up(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "Host-1")
    machine = MachineNames(lambda: "Host-1.Example.org.")
    assert machine.names == {"host-1", "host-1.local"}
    await machine.look_up()
    assert machine.names == {"host-1", "host-1.local", "host-1.example.org"}


def test_a_full_name_has_no_other_name_for_mdns(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "host-1.example.org")
    assert MachineNames().names == {"host-1.example.org"}
