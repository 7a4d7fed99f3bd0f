"""Tries a house bot before the server is ready: one that cannot be loaded stops the server."""

from __future__ import annotations

import secrets

import trio

from tabnet.client.bot_settings import LOAD_ONLY
from tabnet.errors import StartError
from tabnet.tournament.play.bots.bot_process import BotProcess
from tabnet.tournament.play.bots.bot_supervisor import BotSupervisor, make_variables
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots

TRIAL_S = 60
"""The time for a bot to be loaded before the server is ready."""


async def try_out(
    bot: BotProgram, supervisor: BotSupervisor, local_bots: LocalBots, host: str, join: str
) -> None:
    """Load a bot in a process of its own; raise `StartError` if this fails.

    A bot file is loaded, and its process ends. A program is loaded when it connects: to a port that
    answers nothing, because the server is not ready.
    """
    (listener,) = await trio.open_tcp_listeners(0, host=host)
    async with listener:
        port = listener.socket.getsockname()[1]
        variables = make_variables(host, port, bot.name, secrets.token_hex(), join)
        if bot.is_file:
            variables[LOAD_ONLY] = "1"
        process = supervisor.start(local_bots.install(bot), variables)
        with trio.move_on_after(TRIAL_S) as trial:
            has_connected = await _wait_for_connection_or_end(listener, process)
        ending = process.ending
        process.kill()
        await process.ended.wait()
    if trial.cancelled_caught:
        raise StartError(f"the house bot {bot.name} was not loaded within {TRIAL_S} s")
    if has_connected or (bot.is_file and ending == "exit code 0"):
        return
    reason = process.output.last_line or f"it did not connect: {ending}"
    raise StartError(f"the house bot {bot.name} cannot be loaded: {reason}")


async def _wait_for_connection_or_end(listener: trio.SocketListener, process: BotProcess) -> bool:
    """Return True if the process has connected before its end."""
    has_connected = False

    async def accept() -> None:
        nonlocal has_connected
        stream = await listener.accept()
        has_connected = True
        nursery.cancel_scope.cancel()
        await trio.aclose_forcefully(stream)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(accept)
        await process.ended.wait()
        nursery.cancel_scope.cancel()
    return has_connected
