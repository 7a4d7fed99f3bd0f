"""The choice of a sandbox, and the description of what it enforces."""

from __future__ import annotations

import sys

import pytest

from tabnet.errors import StartError
from tabnet.tournament.play.sandbox import bubblewrap, host, landlock
from tabnet.tournament.play.sandbox.host import Sandbox, choose_sandbox
from tabnet.tournament.play.sandbox.policy import AUTO, BWRAP, LANDLOCK, NONE, Access


@pytest.fixture
def machine(monkeypatch):
    """Sets what a machine has."""

    def set_machine(abi, problem):
        monkeypatch.setattr(landlock, "find_abi", lambda: abi)
        monkeypatch.setattr(bubblewrap, "find_problem", lambda _: problem)
        choose_sandbox.cache_clear()

    yield set_machine
    monkeypatch.undo()
    choose_sandbox.cache_clear()


def test_auto_takes_the_best_sandbox_of_the_machine(machine):
    machine(7, "")
    assert choose_sandbox(AUTO) == Sandbox(BWRAP, 7)
    machine(7, "not installed")
    assert choose_sandbox(AUTO) == Sandbox(LANDLOCK, 7)
    machine(0, "not installed")
    assert choose_sandbox(AUTO) == Sandbox(NONE, 0)
    assert choose_sandbox(NONE) == Sandbox(NONE, 0)


def test_a_named_sandbox_that_is_not_there_is_refused(machine):
    machine(0, "the program bwrap is not installed")
    with pytest.raises(StartError) as raised:
        choose_sandbox(LANDLOCK)
    assert raised.value.text == "--sandbox landlock: this system has no Landlock"
    with pytest.raises(StartError) as raised:
        choose_sandbox(BWRAP)
    assert raised.value.text == "--sandbox bwrap: the program bwrap is not installed"


def test_a_program_that_does_not_work_is_a_problem(monkeypatch, tmp_path):
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho no permission >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    bubblewrap.find_problem.cache_clear()
    assert bubblewrap.find_problem(("/usr",)) == "no permission"
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    bubblewrap.find_problem.cache_clear()
    assert bubblewrap.find_problem(("/usr",)) == "the program bwrap is not installed"
    bubblewrap.find_problem.cache_clear()


def test_other_systems_have_no_landlock(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert landlock.find_abi() == 0


def test_older_kernels_restrict_less():
    before = set()
    for abi in (1, 3, 4, 5, 6):
        described = Sandbox(LANDLOCK, abi).describe(has_commands=True)
        assert set(described["enforced"]) > before
        assert set(described["enforced"]).isdisjoint(described["not"])
        before = set(described["enforced"])
    assert described["used"] == "landlock"
    assert described["abi"] == 6
    assert host.UDP in described["not"]


def test_bubblewrap_restricts_udp_unless_a_program_needs_tcp():
    assert Sandbox(BWRAP, 7).describe(has_commands=False)["not"] == []
    assert Sandbox(BWRAP, 7).describe(has_commands=True)["not"] == [host.UDP_OF_COMMANDS]
    assert host.TCP in Sandbox(BWRAP, 0).describe(has_commands=True)["not"]


def test_no_sandbox_enforces_nothing():
    described = Sandbox(NONE, 0).describe(has_commands=False)
    assert described["enforced"] == []
    assert host.FILES in described["not"]


def test_the_guard_sets_landlock_but_not_inside_bubblewrap():
    access = Access(("/usr",), ("/tmp/p",), (5,), is_local=False)
    confined = Sandbox(LANDLOCK, 7).confine(("bot", "-v"), access)
    assert confined.command == ("bot", "-v")
    assert confined.rules == {"read": ["/usr"], "write": ["/tmp/p"], "connect": [5]}
    confined = Sandbox(BWRAP, 7).confine(("bot", "-v"), access)
    assert confined.is_wrapped
    assert landlock.__file__ in confined.command
    assert confined.rules is None
    assert landlock.__file__ not in Sandbox(BWRAP, 0).confine(("bot",), access).command
    assert not Sandbox(NONE, 0).confine(("bot",), access).is_restricted
