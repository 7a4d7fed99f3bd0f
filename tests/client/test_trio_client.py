"""The client on trio against a real server, with the connection lost on purpose."""

from __future__ import annotations

import random

import pytest
import trio

from tabnet import GAMES, connect, state_of
from tabnet.client import connection, trio_client
from tabnet.errors import Disconnected, Refused
from tabnet.games.api import Roll
from tabnet.protocol import messages as m
from tabnet.server.core.costs.limits import Limits
from tabnet.server.net.certificate import Identity, ensure_own_files
from tabnet.server.net.hub import Hub
from tabnet.server.net.ports import open_ports
from tabnet.server.net.run_server import serve
from tests.harness import local_ports, running


def tcp(server):
    return "tcp://{}:{}".format(*server.tcp)


def tls(server):
    return "tls://{}:{}".format(*server.tls)


@pytest.fixture
def ca(tmp_path):
    """Where a test may write a server's authority to."""
    return tmp_path / "ca.pem"


async def play(client, seat, seed):
    """Play one seat at random; the last update comes back, and how many came."""
    rng = random.Random(seed)
    count = 0
    async for update in client.updates(seat.game):
        count += 1
        if update.turn != seat.nick:
            continue
        if update.expects in (None, "salt"):
            continue
        state = state_of(update)
        if update.position.get("step") == "to":
            await client.notify(seat.game, cell=rng.choice(update.position["selected"]))
        elif state.actions() == (Roll(),):
            await client.roll(seat.game)
        elif update.position.get("mustPass"):
            await client.pass_turn(seat.game)
        else:
            move = rng.choice(state.actions())
            await client.notify(seat.game, **GAMES[update.position["kind"]].dump_move(move))
    return update, count


async def both_play(first, second, **terms):
    """One whole game between two clients."""
    ends = {}

    async def seat(client, name):
        ends[name] = await play(client, await client.join(**terms), name)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat, first, 1)
        nursery.start_soon(seat, second, 2)
    return ends[1], ends[2]


@pytest.mark.parametrize(
    "terms",
    [{"group": 1, "size": 7}, {"group": 1, "size": 7, "salted": True}, {"kind": "draughts"}],
)
async def test_a_whole_game_between_tls_and_tcp(terms, ca):
    async with running() as server:
        server.authority.cert_pem.write_to_path(str(ca))
        async with connect(tls(server), ca=ca) as first, connect(tcp(server)) as second:
            (last, count), (same, _) = await both_play(first, second, **terms)
            assert last == same
            assert last.over
            assert count == last.seq
            ended = await first.state(last.game)
            assert ended.status == "ended"


async def test_a_raised_refusal_has_all_fields_of_the_reply():
    async with running() as server, connect(tcp(server)) as client:
        with pytest.raises(Refused) as refused:
            await client.join(group=1, size=8)
        error = refused.value
        assert (error.code, error.text, error.field) == (
            "invalid_option",
            "invalid size '8'",
            "size",
        )
        assert error.hint == "an odd integer from 7 to 15"


async def test_the_client_sends_every_command(ca):
    async with running("one") as server, connect(tcp(server)) as client:
        await client.register("zp", "secret")
        seat = await client.join(group=5, size=7)
        assert (seat.nick, (await client.state()).status) == ("zp", "waiting")
        await client.leave(seat.game)
        async for update in client.updates(seat.game):
            assert update.over
            assert update.winner is None
        assert await client.ranking(group=5, size=7) == ()
        assert (await client.ask(m.Ping())).cmd == "ping"
        async with connect(tcp(server)) as other:
            one, two = await client.join(group=5, size=7), await other.join(group=5, size=7)
            await client.roll()
            assert (await other.moves(one.game)).actions
            with pytest.raises(Refused, match="not your turn to play"):
                await other.notify(two.game, cell=6)
            async with connect(tcp(server)) as watcher:
                await watcher.follow(one.game, since=0)
                updates = watcher.updates(one.game)
                assert [(await anext(updates)).seq for _ in range(2)] == [1, 2]
            standing = await client.state(one.game, text=True)
            assert "Blue" in standing.text
            with pytest.raises(Refused):
                await other.pass_turn()


async def test_a_server_is_verified_by_its_fingerprint(ca):
    async with running() as server:
        with pytest.raises(Disconnected, match="another fingerprint: sha256:") as refused:
            async with connect(tls(server), fingerprint="00" * 32):
                raise AssertionError("a false server was believed")
        real = refused.value.text.rpartition(" ")[2]
        async with connect(tls(server), fingerprint=real) as client:
            assert (await client.ask(m.Ping())).cmd == "ping"


async def test_an_unverified_certificate_is_refused(tmp_path):
    async with running() as server:
        with pytest.raises(Disconnected, match="is not trusted: ") as refused:
            async with connect(tls(server), data=tmp_path):
                raise AssertionError("an unknown server was believed")
        assert "--fingerprint HEX" in refused.value.hint
        assert "--ca FILE" in refused.value.hint


async def test_a_local_server_is_verified_by_its_data_folder(tmp_path, nursery):
    identity = Identity(ensure_own_files(tmp_path))
    ports, stop = await open_ports(local_ports()), trio.Event()
    nursery.start_soon(serve, Hub(), list(ports.values()), lambda: identity.context, stop)
    address = ports["tls"].address
    async with connect(address, data=tmp_path) as client:
        assert (await client.ask(m.Ping())).cmd == "ping"
    async with connect(address, fingerprint=identity.fingerprint) as client:
        assert (await client.ask(m.Ping())).cmd == "ping"
    stop.set()


async def test_a_refused_connection_is_reported_in_one_sentence(monkeypatch):
    ports = await open_ports(local_ports())
    host, port = ports["tcp"].local_address
    for each in ports.values():
        each.close()
    with pytest.raises(Disconnected, match=f"cannot connect to tcp://{host}:{port}: "):
        async with connect(f"tcp://{host}:{port}"):
            raise AssertionError("nobody was there")


async def test_a_full_server_is_reported():
    async with running(limits=Limits(per_address=1)) as server:
        await server.connect()
        with pytest.raises(Disconnected, match="refuses connections: the server, or the client's"):
            async with connect(tcp(server)):
                raise AssertionError("there was no room")


async def test_a_client_gives_up_on_a_silent_server(monkeypatch):
    monkeypatch.setattr(connection, "DIAL_S", 0.05)
    (silent,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with silent:
        port = silent.socket.getsockname()[1]
        with pytest.raises(Disconnected, match="does not answer"):
            async with connect(f"tls://127.0.0.1:{port}", fingerprint="00"):
                raise AssertionError("nobody was there")


async def lose(client, server):
    """Cut the client's newest connection, as a network does, and wait until it is noticed."""
    wire_before = client._wire
    server.hub.outbox.connections[max(server.hub.outbox.connections)].cut()
    await client._wait_until(lambda: client._wire is not wire_before)


@pytest.fixture
def gate(monkeypatch):
    """While it is closed, nobody gets a connection; it is opened by setting it."""
    opened, dial = trio.Event(), trio_client.open_connection

    async def dial_later(address, trust):
        await opened.wait()
        return await dial(address, trust)

    return opened, lambda: monkeypatch.setattr(trio_client, "open_connection", dial_later)


async def test_a_client_reconnects_without_missing_an_update(gate):
    opened, close = gate
    async with running() as server, connect(tcp(server)) as other, connect(tcp(server)) as client:
        await client.register("zp", "secret")
        seat = await client.join(group=1, size=7)
        theirs = await other.join(group=1, size=7)
        updates = client.updates(seat.game)
        assert (await anext(updates)).seq == 1
        close()
        await lose(client, server)
        await other.leave(theirs.game)
        opened.set()
        last = await anext(updates)
        assert (last.seq, last.winner) == (2, "zp")
        with pytest.raises(StopAsyncIteration):
            await anext(updates)
        with pytest.raises(Refused, match="registered with a different password"):
            await client.register("zp", "guess")


async def test_a_reconnecting_guest_regains_its_seat_by_its_token():
    async with running() as server, connect(tcp(server)) as other, connect(tcp(server)) as client:
        seat = await client.join(group=1, size=7)
        await other.join(group=1, size=7)
        await lose(client, server)
        await client.ask(m.Ping())
        assert (await other.state()).online[seat.nick]
        await client.roll()
        updates = client.updates(seat.game)
        assert [(await anext(updates)).seq for _ in range(2)] == [1, 2]


async def every_change(client):
    while True:
        await client.changed()


async def test_waiting_for_a_change_reports_frames_and_disconnects(gate):
    opened, close = gate
    async with running() as server, connect(tcp(server), retry_for=0.01) as client:
        await client.ask(m.Ping())
        assert client.connected
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.ask, m.Ping())
            await client.changed()
        close()
        await lose(client, server)
        assert not client.connected
        opened.set()
        await client.changed()
        assert client.connected
        server.stop.set()
        with pytest.raises(Disconnected, match="; gave up"):
            await every_change(client)


async def test_a_command_waits_for_the_reconnect(gate, nursery):
    opened, close = gate
    async with running() as server, connect(tcp(server)) as client:
        await client.ask(m.Ping())
        close()
        await lose(client, server)
        answered = trio.Event()

        async def ask():
            await client.ask(m.Ping())
            answered.set()

        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        assert not answered.is_set()
        opened.set()
        await answered.wait()


async def test_a_command_without_a_reply_raises_on_disconnect(monkeypatch):
    async with running() as server, connect(tcp(server)) as client:
        await client.ask(m.Ping())

        async def lose_instead(_):
            await lose(client, server)

        with monkeypatch.context() as patch:
            patch.setattr(client._wire, "send", lose_instead)
            with pytest.raises(Disconnected, match="lost before ping was answered"):
                await client.ask(m.Ping())
        assert (await client.ask(m.Ping())).cmd == "ping"


async def test_a_client_without_retries_gives_up_at_once():
    async with running() as server, connect(tcp(server), retry_for=0) as client:
        seat = await client.join(group=1, size=7)
        server.stop.set()
        with pytest.raises(Disconnected, match="; gave up"):
            await anext(client.updates(seat.game))
        with pytest.raises(Disconnected):
            await client.ask(m.Ping())


async def test_a_client_retries_until_its_deadline(monkeypatch, autojump_clock):
    tries = []

    async def nobody(address, trust):
        await trio.lowlevel.checkpoint()
        tries.append(trio.current_time())
        if len(tries) > 1:
            raise Disconnected("cannot connect")
        return Nobody()

    monkeypatch.setattr(trio_client, "open_connection", nobody)
    async with connect("tcp://127.0.0.1:5", retry_for=30) as client:
        with pytest.raises(Disconnected, match="cannot connect; gave up"):
            await anext(client.updates("game"))
    assert 28 <= tries[-1] <= 30
    assert len(tries) < 30


class Nobody:
    """A connection that is lost as soon as it is there."""

    async def receive(self):
        await trio.lowlevel.checkpoint()

    async def send(self, line):
        raise AssertionError(f"nobody hears {line}")

    async def close(self):
        await trio.lowlevel.checkpoint()


async def test_commands_to_a_game_lost_during_a_reconnect_are_refused():
    async with running() as server, connect(tcp(server)) as client:
        seat = await client.join(group=1, size=7)
        server.hub.service.games.lobby.tables.clear()
        await lose(client, server)
        with pytest.raises(Refused, match="Invalid game reference"):
            await anext(client.updates(seat.game))
