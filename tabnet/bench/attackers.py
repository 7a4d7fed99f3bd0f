"""Three attackers on a server of this machine, each from its own loopback address.

They run in their own process, `python -m tabnet.bench.attackers`, stop by themselves after a given
time, and print the number of their connections that were refused or cut as one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import ssl
import sys
from collections import Counter
from functools import partial

import trio
from attrs import field, frozen
from trio.abc import Stream

from tabnet.bench.load_client import allow_many_files

CROWD, LINES, WATCHER = "127.0.0.2", "127.0.0.3", "127.0.0.4"

CONNECTIONS = 1_000
TRY_AGAIN_S = 1
"""The pause before a refused attacker tries again."""
LINES_PER_S = 10_000
PAUSE_S = 0.01
WATCH_S = 0.1
"""The interval of pings: a client that never reads notices only by sending that it was cut."""
BAD_LINE = b'{"cmd":"notify","cell":"7"}\n'
GAME = re.compile(rb'"game":"([0-9a-f]+)"')
SMALL_BUFFER = 4096


@frozen
class AttackTarget:
    """The ports to attack, and counters of the attackers' fates."""

    tcp: int
    tls: int
    fates: Counter[str] = field(factory=Counter)


async def connect_from(
    host: str, port: int, receive_buffer: int | None = None
) -> trio.SocketStream:
    ours = trio.socket.socket()
    if receive_buffer is not None:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    await ours.bind((host, 0))
    await ours.connect(("127.0.0.1", port))
    return trio.SocketStream(ours)


async def hold_many_connections(target: AttackTarget) -> None:
    """Hold a thousand connections, half of them with TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    async with trio.open_nursery() as nursery:
        for number in range(CONNECTIONS):
            nursery.start_soon(hold_connection, target, context if number % 2 else None)


async def hold_connection(target: AttackTarget, context: ssl.SSLContext | None) -> None:
    while True:
        fate = "connections refused"
        try:
            stream: Stream = await connect_from(CROWD, target.tls if context else target.tcp)
            if context:
                stream = trio.SSLStream(stream, context)
            async with stream:
                if b'"hello"' in await stream.receive_some():
                    target.fates["connections let in"] += 1
                    fate = "connections cut"
                    await stream.receive_some()
        except (OSError, trio.BrokenResourceError):
            pass  # the server refused or cut the connection
        target.fates[fate] += 1
        await trio.sleep(TRY_AGAIN_S)


async def send_bad_lines(target: AttackTarget) -> None:
    """Send bad lines at a fixed rate, and reconnect after each disconnection."""
    while True:
        async with await connect_from(LINES, target.tcp) as stream, trio.open_nursery() as nursery:
            nursery.start_soon(discard_input, stream, nursery.cancel_scope)
            await send_lines_at_fixed_rate(stream, target)
        target.fates["senders of lines cut"] += 1


async def discard_input(stream: Stream, done: trio.CancelScope) -> None:
    try:
        while await stream.receive_some():
            pass
    except trio.BrokenResourceError:
        pass  # cut in the middle
    done.cancel()


async def send_lines_at_fixed_rate(stream: Stream, target: AttackTarget) -> None:
    start, sent = trio.current_time(), 0
    try:
        while True:
            await trio.sleep(PAUSE_S)
            due = int((trio.current_time() - start) * LINES_PER_S) - sent
            await stream.send_all(BAD_LINE * due)
            target.fates["bad lines"] += due
            sent += due
    except trio.BrokenResourceError:
        return


async def follow_without_reading(target: AttackTarget) -> None:
    """Follow all games without reading, and reconnect after each disconnection."""
    while True:
        async with await connect_from(WATCHER, target.tcp, SMALL_BUFFER) as stream:
            try:
                games = await list_running_games(stream)
                follow = b"".join(b'{"cmd":"update","game":"%b"}\n' % game for game in games)
                await stream.send_all(follow)
                while games:
                    await trio.sleep(WATCH_S)
                    await stream.send_all(b'{"cmd":"ping"}\n')
            except trio.BrokenResourceError:
                target.fates["watchers cut"] += 1
            await trio.sleep(WATCH_S)


async def list_running_games(stream: Stream) -> list[bytes]:
    await stream.send_all(b'{"cmd":"games"}\n')
    answer = b""
    while answer.count(b"\n") < 2:  # the greeting comes first
        more = await stream.receive_some()
        if not more:
            break
        answer += more
    return GAME.findall(answer)


async def run_attackers(target: AttackTarget, seconds: float) -> None:
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            for attacker in (hold_many_connections, send_bad_lines, follow_without_reading):
                nursery.start_soon(attacker, target)


def main() -> None:
    """Attack as the command line says, and print the result as one line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tcp", type=int)
    parser.add_argument("tls", type=int)
    parser.add_argument("--seconds", type=float, required=True)
    args = parser.parse_args()
    os.nice(10)  # real attackers do not use the processor of the server
    allow_many_files()
    target = AttackTarget(args.tcp, args.tls)
    sys.stdout.write("attacking\n")
    sys.stdout.flush()
    trio.run(partial(run_attackers, target, args.seconds))
    sys.stdout.write(json.dumps(target.fates) + "\n")


if __name__ == "__main__":
    main()
