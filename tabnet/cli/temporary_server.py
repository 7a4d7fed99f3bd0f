"""A server on this machine, in this process: for `tabnet play` and `tabnet bot --opponent`."""

from __future__ import annotations

import logging
import signal
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from tabnet.cli.options.server_options import run_alone

if TYPE_CHECKING:
    from tabnet.tournament.play.bots.entrants import BotProgram

SIGNALS = tuple(each for each in signal.Signals if each.name in ("SIGHUP", "SIGTERM"))
HOUSE_GAMES = 2
"""The concurrent games of each bot: a game, and the next one."""


@asynccontextmanager
async def run_own_server(bots: Sequence[BotProgram]) -> AsyncIterator[str]:
    """Serve on a free port for the length of a block, with these house bots; yield the address."""
    import trio

    from tabnet.dialects.json_lines import JsonLines
    from tabnet.server.net.ports import LOOPBACK, PortSettings, open_ports
    from tabnet.server.net.run_server import open_hub, serve
    from tabnet.tournament.play.bots.house_bot_processes import offer_bots

    logging.getLogger("tabnet").addHandler(logging.NullHandler())  # the terminal shows the game
    port = (await open_ports([PortSettings("tcp", LOOPBACK, 0, JsonLines)]))["tcp"]
    async with (
        open_hub(None) as hub,
        offer_bots(hub, bots, HOUSE_GAMES, port.local_address),
        trio.open_nursery() as nursery,
    ):
        # The port is open already: a client that connects before it is served only has to wait.
        nursery.start_soon(serve, hub, [port], _make_unused_context, trio.Event())  # noqa: ASYNC113
        if threading.current_thread() is threading.main_thread():  # others receive no signals
            nursery.start_soon(_stop_at_signal)  # noqa: ASYNC113 - no other code waits for it
        yield f"tcp://{port.address}"
        nursery.cancel_scope.cancel()


@contextmanager
def run_server_in_thread(bots: Sequence[BotProgram]) -> Iterator[str]:
    """Serve as `run_own_server` does while this thread executes a block; yield the address."""
    import trio

    from tabnet.server.net.server_clock import ServerClock

    started: Future[tuple[str, Callable[[], None]]] = Future()

    async def serve() -> None:
        stop, token = trio.Event(), trio.lowlevel.current_trio_token()
        async with run_own_server(bots) as address:
            started.set_result((address, partial(token.run_sync_soon, stop.set)))
            await stop.wait()

    def run() -> None:
        try:
            run_alone(serve, ServerClock())
        except Exception as error:  # noqa: BLE001 - the calling thread raises it
            if not started.done():
                started.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    address, stop = started.result()
    try:
        yield address
    finally:
        with suppress(trio.RunFinishedError):  # the server has failed
            stop()
        thread.join()


async def _stop_at_signal() -> None:
    """End the program like Ctrl-C does, and the bots with it, when the terminal is closed."""
    import trio

    with trio.open_signal_receiver(*SIGNALS) as signals:
        async for _ in signals:
            raise KeyboardInterrupt


def _make_unused_context() -> ssl.SSLContext:
    """Return TLS settings without a certificate: the only port has no TLS."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
