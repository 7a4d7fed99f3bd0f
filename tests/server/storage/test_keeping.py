"""A hub with a real database: finished games are found, and errors of the store stop the hub."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
import trio

from tabnet.errors import StoreError
from tabnet.games.tab.state import TabState
from tabnet.server.core import match_changes
from tabnet.server.net.hub import Hub
from tabnet.server.net.run_server import open_hub
from tests.memory_connection import connect
from tests.server.faults import Fault

FAULTS = [(TabState, "view", 1), (TabState, "view", 2), (match_changes, "make_event_row", 9)]
"""Where a move fails, and in how many calls: also in the closing update, or in its rows."""


@asynccontextmanager
async def kept(folder):
    """A hub on the folder; yields it and the nursery that its clients run in."""
    async with open_hub(folder) as hub, trio.open_nursery() as nursery:
        with hub.outbox.active():
            nursery.start_soon(hub.commit)
            yield hub, nursery
            await hub.wait_until_committed()
            nursery.cancel_scope.cancel()


async def played(folder):
    """Play a game until one player leaves; return the replies to their joins."""
    async with kept(folder) as (hub, nursery):
        blue, red = await connect(hub, nursery), await connect(hub, nursery)
        joined = [await talker.ask(cmd="join", group=1, size=7) for talker in (blue, red)]
        await blue.ask(cmd="leave")
        last = await red.until(type="update", seq=2)
        assert last["winner"] == joined[1]["nick"]
        return joined


async def test_a_finished_game_is_found_by_its_id_and_by_a_token(tmp_path):
    joined = await played(tmp_path)
    for question in ({"game": joined[0]["game"]}, {"token": joined[1]["token"]}):
        async with kept(tmp_path) as (hub, nursery):
            client = await connect(hub, nursery)
            state = await client.ask(cmd="state", **question)
            assert (state["status"], state["update"]["seq"]) == ("ended", 2)
            await client.ask(cmd="update", since=0, **question)
            assert [(await client.receive())["seq"] for _ in range(2)] == [1, 2]


@pytest.mark.parametrize(("owner", "name", "calls"), FAULTS)
async def test_a_match_that_failed_is_over_after_a_restart(
    tmp_path, monkeypatch, owner, name, calls
):
    """The move that failed is in nobody's history; the other match goes on."""
    async with kept(tmp_path) as (hub, nursery):
        blue, red = await connect(hub, nursery), await connect(hub, nursery)
        for talker in (blue, red):
            other = await talker.ask(cmd="join", kind="draughts", group=1)
        for talker in (blue, red):
            failing = await talker.ask(cmd="join", group=1, size=7)
        with monkeypatch.context() as patch:
            Fault(1, calls).put_into(owner, name, patch)
            reply = await blue.ask(cmd="roll", game=failing["game"])
        assert reply["code"] == "server_error"
        closing = await red.until(type="update", game=failing["game"], seq=2)
        assert closing["winner"] is None
    async with kept(tmp_path) as (hub, nursery):
        assert list(hub.service.games.playing) == [other["game"]]
        client = await connect(hub, nursery)
        state = await client.ask(cmd="state", game=failing["game"])
        if name == "view":
            assert state["status"] == "ended"
            assert state["update"]["result"]["reason"] == "error"
        else:  # without its end the match is kept, but cannot be shown
            assert state["code"] == "set_aside"


async def test_an_unknown_game_is_not_found(tmp_path):
    await played(tmp_path)
    async with kept(tmp_path) as (hub, nursery):
        client = await connect(hub, nursery)
        assert (await client.ask(cmd="state", game="nothing"))["code"] == "unknown_game"
        assert (await client.ask(cmd="leave", token="nothing"))["code"] == "bad_token"
        assert (await client.ask(cmd="state"))["code"] == "which_game"


async def test_a_player_who_logs_in_after_a_restart_is_familiar_in_its_network(tmp_path):
    command = {"cmd": "register", "nick": "zp", "password": "secret"}
    async with kept(tmp_path) as (hub, nursery):
        client = await connect(hub, nursery, origin="192.0.2.1:1")
        assert "error" not in await client.ask(**command)
    async with kept(tmp_path) as (hub, nursery):
        assert hub.service.accounts.has_network("zp", "192.0.2.0/24")
        assert not hub.service.accounts.has_network("zp", "192.0.3.0/24")


class FullDisk:
    """A store that keeps nothing more."""

    def check(self):
        """Find nothing wrong with the file."""

    def begin_commit(self, _, report):
        report(StoreError("the disk is full"))


async def test_nothing_is_sent_about_rows_that_cannot_be_stored(nursery):
    hub = Hub(store=FullDisk())
    with hub.outbox.active():
        client = await connect(hub, nursery)
        await client.send(cmd="join", group=1, size=7)
        with pytest.raises(StoreError, match="the disk is full"), trio.fail_after(20):
            await hub.commit()
        bye = await client.receive()  # and not the reply to the join
    assert (bye["type"], bye["code"]) == ("bye", "server_error")
    nursery.cancel_scope.cancel()
