"""The facts about a host include its sandbox, or why it does not have the one that was named."""

from __future__ import annotations

from tabnet.tournament.play.cluster.host_probe import describe_host
from tabnet.tournament.play.sandbox import bubblewrap
from tabnet.tournament.play.sandbox.host import choose_sandbox
from tabnet.tournament.play.sandbox.policy import AUTO, BWRAP, NONE


def test_a_host_describes_its_sandbox():
    assert describe_host("tab", (), NONE)["sandbox"]["used"] == NONE
    expected = choose_sandbox(AUTO).describe(has_commands=True)
    assert describe_host("tab", (), AUTO, True)["sandbox"] == expected


def test_a_host_without_the_named_sandbox_says_so(monkeypatch):
    monkeypatch.setattr(bubblewrap, "find_problem", lambda _: "no bwrap")
    choose_sandbox.cache_clear()
    try:
        described = describe_host("tab", (), BWRAP)["sandbox"]
    finally:
        choose_sandbox.cache_clear()
    assert described == {"missing": "--sandbox bwrap: no bwrap"}
