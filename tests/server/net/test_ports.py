"""Floods, limits and garbage at the doors of a server on real sockets: nobody else notices."""

from __future__ import annotations

import gc
import json
import random
import socket
import ssl
from pathlib import Path

import pytest
import trio
import trio.testing

from tabnet.dialects.json_lines import JsonLines
from tabnet.errors import StartError
from tabnet.server.core.costs.limits import FULL_RETRY_S, Limits
from tabnet.server.net import accepted_sockets
from tabnet.server.net.ports import PortSettings, open_ports
from tabnet.server.net.shared_reader import get_shared_reader
from tabnet.server.net.transport import TlsTransport
from tests.harness import Talker, running
from tests.polling import until_async
from tests.server.net.test_accepted_sockets import read_all, read_to_the_end, reset, still_serves

FEW = Limits(connections=5, per_address=3)


async def from_address(host, server, door="tcp"):
    """A bare connection from another of this machine's addresses."""
    ours = trio.socket.socket()
    await ours.bind((host, 0))
    await ours.connect(getattr(server, door))
    stream = trio.SocketStream(ours)
    server.streams.append(stream)
    return stream


async def test_one_connection_too_many_gets_a_bye():
    async with running(limits=FEW) as server:
        friends = [await server.connect() for _ in range(3)]
        (bye,) = await read_to_the_end(Talker(await server.dial()))
        assert (bye["type"], bye["code"]) == ("bye", "too_many_connections")
        assert bye["retry_after"] == FULL_RETRY_S
        other = Talker(await from_address("127.0.0.2", server))
        assert (await other.receive())["type"] == "hello"
        assert await friends[0].ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_one_connection_too_many_in_total_is_refused():
    async with running(limits=FEW) as server:
        for host in ("127.0.0.2", "127.0.0.3") * 2 + ("127.0.0.4",):
            assert (await Talker(await from_address(host, server)).receive())["type"] == "hello"
        (bye,) = await read_to_the_end(Talker(await from_address("127.0.0.5", server)))
        assert bye["code"] == "too_many_connections"


async def test_with_tls_one_too_many_is_closed_before_the_handshake():
    async with running(limits=FEW) as server:
        [await server.connect_tls() for _ in range(3)]
        stream = await trio.open_tcp_stream(*server.tls)
        async with stream:
            assert await read_all(stream) == b""


@pytest.mark.parametrize("door", ["tcp", "tls"])
async def test_closing_a_connection_makes_room(door):
    async with running(limits=Limits(per_address=1)) as server:
        for _ in range(3):
            stream = await trio.open_tcp_stream(*getattr(server, door))
            if door == "tcp":
                assert json.loads(await stream.receive_some())["type"] == "hello"
            await until_async(lambda: server.hub.connection_counts.total == 1)
            await stream.aclose()
            await until_async(lambda: not server.hub.connection_counts.total)


async def test_connections_without_a_handshake_count():
    async with running(limits=Limits(per_address=1)) as server:
        silent = await trio.open_tcp_stream(*server.tls)
        async with silent:
            await until_async(lambda: server.hub.connection_counts.total == 1)
            (bye,) = await read_to_the_end(Talker(await server.dial()))
            assert bye["code"] == "too_many_connections"


@pytest.mark.parametrize("line", [b'{"cmd":"games"}', b"nonsense"])
async def test_too_many_commands_are_refused_and_the_connection_is_closed(line):
    async with running(limits=Limits(commands_per_s=20)) as server:
        talker, other = await server.connect(), await server.connect()
        await talker.stream.send_all((line + b"\n") * 60)
        frames = [await talker.receive() for _ in range(21)]
        while frames[-1]["code"] != "too_many_commands":
            frames.append(await talker.receive())
        assert len(frames) < 60
        assert frames[-1]["retry_after"] == 1
        assert await read_to_the_end(talker) in ([], ["broken"])
        assert await other.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_the_refused_command_is_named():
    async with running(limits=Limits(commands_per_s=1)) as server:
        talker = await server.connect()
        await talker.stream.send_all(b'{"cmd":"games","id":1}\n{"cmd":"games","id":2}\n')
        await talker.receive()
        refused = await talker.receive()
        assert (refused["cmd"], refused["id"]) == ("games", 2)


async def test_pings_are_free():
    async with running(limits=Limits(commands_per_s=1)) as server:
        talker = await server.connect()
        for _ in range(50):
            assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_the_longest_line_can_be_chosen():
    async with running(limits=Limits(line_bytes=100)) as server:
        talker = await server.connect()
        await talker.send_line(b'{"cmd":"ping"}' + b" " * 85)
        assert await talker.receive() == {"type": "reply", "cmd": "ping"}
        await talker.send_line(b'{"cmd":"ping"}' + b" " * 86)
        assert (await talker.receive())["code"] == "line_too_long"


async def test_connections_use_tcp_keepalive(monkeypatch):
    accepted = []
    real = accepted_sockets.detach_socket
    monkeypatch.setattr(
        accepted_sockets,
        "detach_socket",
        lambda stream: accepted.append(real(stream)) or accepted[-1],
    )
    async with running() as server:
        await server.connect()
        (connected,) = accepted
        assert connected.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        for name, value in accepted_sockets.KEEPALIVE.items():
            assert connected.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) == value
        assert accepted_sockets.KEEPALIVE == {
            "TCP_KEEPIDLE": 60,
            "TCP_KEEPINTVL": 15,
            "TCP_KEEPCNT": 4,
        }


async def test_games_are_served_between_the_steps_of_many_handshakes(monkeypatch):
    steps, passes = [], [0]
    real = ssl.SSLSocket.do_handshake

    class Passes(trio.abc.Instrument):
        def before_io_wait(self, timeout):  # noqa: ARG002 - trio's name
            passes[0] += 1

    def spy(self):
        if self.server_side:
            steps.append(passes[0])
        return real(self)

    monkeypatch.setattr(ssl.SSLSocket, "do_handshake", spy)
    trio.lowlevel.add_instrument(Passes())
    async with running() as server:
        hellos = ssl.MemoryBIO()
        client = ssl.create_default_context().wrap_bio(
            ssl.MemoryBIO(), hellos, server_hostname="localhost"
        )
        with pytest.raises(ssl.SSLWantReadError):
            client.do_handshake()
        hello = hellos.read()
        clients = [socket.create_connection(server.tls) for _ in range(30)]
        await until_async(lambda: server.hub.connection_counts.total == 30)
        for each in clients:  # no task runs in between
            each.send(hello)
        await until_async(lambda: len(steps) >= 30)
        for each in clients:
            each.close()
    assert len(set(steps)) == len(steps)


async def test_a_handshake_that_is_cut_off_leaves_no_socket_behind(monkeypatch):
    closed = []
    real = TlsTransport.close
    monkeypatch.setattr(TlsTransport, "close", lambda transport: closed.append(real(transport)))
    async with running() as server, await trio.open_tcp_stream(*server.tls):
        await until_async(lambda: server.hub.connection_counts.total == 1)
        server.stop.set()
        await until_async(lambda: closed)
    assert len(closed) == 1


async def test_plain_tcp_on_other_addresses_has_to_be_allowed():
    everywhere = [PortSettings("tcp", "0.0.0.0", 0, JsonLines)]
    with pytest.raises(StartError, match=r"^0\.0\.0\.0 is no loopback address: ") as refused:
        await open_ports(everywhere)
    assert "--tcp-host" in refused.value.hint
    assert "--allow-plain" in refused.value.hint
    ports = await open_ports(everywhere, allow_plain=True)
    (address,) = ports["tcp"].exposed
    assert address.startswith("0.0.0.0:")
    ports["tcp"].close()


async def test_tls_on_other_addresses_is_allowed():
    ports = await open_ports([PortSettings("https", "0.0.0.0", 0, JsonLines, is_tls=True)])
    assert ports["https"].exposed == []
    ports["https"].close()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "localhost"])
async def test_plain_tcp_on_this_machine_is_allowed(host):
    ports = await open_ports([PortSettings("tcp", host, 0, JsonLines)])
    assert ports["tcp"].exposed == []
    ports["tcp"].close()


async def test_a_taken_port_closes_all_the_others():
    first = await open_ports([PortSettings("tcp", "127.0.0.1", 0, JsonLines)])
    taken = first["tcp"].local_address[1]
    free = await open_ports([PortSettings("tls", "127.0.0.1", 0, JsonLines, is_tls=True)])
    number = free["tls"].local_address[1]
    free["tls"].close()
    both = [
        PortSettings("tls", "127.0.0.1", number, JsonLines, is_tls=True),
        PortSettings("tcp", "127.0.0.1", taken, JsonLines),
    ]
    with pytest.raises(StartError, match=f"port {taken} on 127.0.0.1 is taken"):
        await open_ports(both)
    first["tcp"].close()
    again = await open_ports(both)
    for port in again.values():
        port.close()


# -- garbage


async def random_bytes(stream, rng):
    await stream.send_all(rng.randbytes(rng.randrange(1, 3000)))


async def random_lines(stream, rng):
    await stream.send_all(b"".join(rng.randbytes(rng.randrange(90)) + b"\n" for _ in range(20)))


async def plain_text(stream, rng):
    await stream.send_all(b'{"cmd":"ping"}\n' * rng.randrange(1, 9))


async def a_client_hello(stream, rng):
    hello = b"\x16\x03\x01" + rng.randrange(4, 500).to_bytes(2, "big") + b"\x01\x00"
    await stream.send_all(hello + rng.randbytes(rng.randrange(600)))


async def half_open(stream, rng):
    await stream.send_all(b'{"cmd":')
    await stream.send_eof()


async def a_drip(stream, rng):
    for byte in b'{"cmd":"help"}\n'[: rng.randrange(16)]:
        await stream.send_all(bytes([byte]))


async def nothing(stream, rng):
    await trio.lowlevel.checkpoint()


async def a_game_begun(stream, rng):
    await stream.send_all(b'{"cmd":"join","group":%d,"size":7}\n' % rng.randrange(1, 4))


DEEDS = [
    *(random_bytes, random_lines, plain_text, a_client_hello, half_open, a_drip, nothing),
    a_game_begun,
]


@pytest.mark.parametrize("seed", range(3))
async def test_misbehaving_clients_leave_nothing_behind(seed):
    rng = random.Random(seed)
    async with running() as server:
        get_shared_reader()  # its task and its file stay
        await still_serves(server)
        await trio.aclose_forcefully(server.streams.pop())
        await until_async(lambda: not server.hub.outbox.connections)
        await trio.testing.wait_all_tasks_blocked(0.05)  # the last of that connection ends
        before, tasks = open_files(), trio.lowlevel.current_statistics().tasks_living
        for _ in range(10):
            async with trio.open_nursery() as nursery:
                for _ in range(20):
                    nursery.start_soon(misbehave, server, rng)
        await until_async(
            lambda: not server.hub.outbox.connections and not server.hub.connection_counts.total
        )
        await until_async(lambda: trio.lowlevel.current_statistics().tasks_living == tasks)
        gc.collect()
        assert open_files() == before
        await still_serves(server)


async def misbehave(server, rng):
    """Do one thing to one of the doors, and leave in one way."""
    deed = rng.choice(DEEDS)
    stream = await trio.open_tcp_stream(*rng.choice([server.tcp, server.tls]))
    try:
        await deed(stream, rng)
        if rng.random() < 0.5:
            with trio.move_on_after(rng.random() * 0.02):
                await stream.receive_some()
    except trio.BrokenResourceError:
        pass  # the server had enough first
    finally:
        with trio.CancelScope(shield=True):
            if rng.random() < 0.5:
                await reset(stream)
            else:
                await trio.aclose_forcefully(stream)


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))
