"""A server for one game on this machine, in this process, for `tabnet play` without --server."""

from __future__ import annotations

import logging
import signal
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

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
        nursery.start_soon(_stop_at_signal)  # noqa: ASYNC113 - no other code waits for it
        yield f"tcp://{port.address}"
        nursery.cancel_scope.cancel()


async def _stop_at_signal() -> None:
    """End the program like Ctrl-C does, and the bots with it, when the terminal is closed."""
    import trio

    with trio.open_signal_receiver(*SIGNALS) as signals:
        async for _ in signals:
            raise KeyboardInterrupt


def _make_unused_context() -> ssl.SSLContext:
    """Return TLS settings without a certificate: the only port has no TLS."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
