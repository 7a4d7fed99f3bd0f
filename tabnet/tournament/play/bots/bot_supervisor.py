"""The one place that starts bot processes: for referees, for `check` and for house bots."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import trio

from tabnet.tournament.play.bots.bot_access import make_access
from tabnet.tournament.play.bots.bot_process import BotProcess
from tabnet.tournament.play.bots.local_bots import LocalBot
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.sandbox.host import choose_sandbox


def make_variables(
    host: str,
    port: int,
    nick: str,
    password: str,
    join: str,
    kind: str | None = None,
    local_socket: Path | None = None,
) -> dict[str, str]:
    """Return the variables by which a bot connects, and asks for a game with the line `join`.

    Without `kind`, the server chooses the kind of each game. The `local_socket` is an addition to
    the port: bots that run in the loop of `tabnet.client.bot` use it, others may.
    """
    return {
        **({} if kind is None else {"TABNET_KIND": kind}),
        **({} if local_socket is None else {"TABNET_SOCKET": str(local_socket)}),
        "TABNET_HOST": host,
        "TABNET_PORT": str(port),
        "TABNET_NICK": nick,
        "TABNET_PASSWORD": password,
        "TABNET_JOIN": join,
    }


class BotSupervisor:
    """Starts bot processes and ends them, with everything that they have started."""

    def __init__(self, nursery: trio.Nursery, settings: ProcessSettings) -> None:
        self._nursery = nursery
        self._settings = settings
        self._alive: set[BotProcess] = set()

    def start(self, bot: LocalBot, variables: Mapping[str, str]) -> BotProcess:
        """Start a process; it ends by itself, by `kill`, or when the nursery is cancelled."""
        settings = self._settings
        sandbox = choose_sandbox(settings.sandbox)
        access = make_access(bot, variables, settings.readable)
        confined = sandbox.confine(bot.command, access)
        process = BotProcess(bot, variables, settings.limits, settings.variables, confined)
        self._alive.add(process)
        self._nursery.start_soon(self._run, process)
        return process

    async def close(self, grace_s: float) -> None:
        """Return when all processes have ended; kill those that are left after `grace_s`."""
        with trio.move_on_after(grace_s):
            while self._alive:
                await next(iter(self._alive)).ended.wait()
        for process in self._alive:
            process.kill()
        while self._alive:
            await next(iter(self._alive)).ended.wait()

    async def _run(self, process: BotProcess) -> None:
        try:
            await process.run()
        finally:
            self._alive.discard(process)
