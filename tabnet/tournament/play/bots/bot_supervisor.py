"""The one place that starts bot processes: for referees, for `check` and for house bots."""

from __future__ import annotations

import trio
from attrs import frozen

from tabnet.tournament.play.bots.bot_process import BotProcess, ProcessLimits
from tabnet.tournament.play.bots.local_bots import LocalBot


@frozen
class BotLogin:
    """The environment of a bot process: how it connects, and how it asks for a game."""

    host: str
    port: int
    nick: str
    password: str
    join: str
    """The line that asks for a game."""
    kind: str | None = None
    """None if the server chooses the kind of each game."""

    @property
    def environment(self) -> dict[str, str]:
        """The variables."""
        kind = {} if self.kind is None else {"TABNET_KIND": self.kind}
        return kind | {
            "TABNET_HOST": self.host,
            "TABNET_PORT": str(self.port),
            "TABNET_NICK": self.nick,
            "TABNET_PASSWORD": self.password,
            "TABNET_JOIN": self.join,
        }


class BotSupervisor:
    """Starts bot processes and ends them, with everything that they have started."""

    def __init__(self, nursery: trio.Nursery, limits: ProcessLimits) -> None:
        self._nursery = nursery
        self._limits = limits
        self._alive: set[BotProcess] = set()

    def start(self, bot: LocalBot, login: BotLogin) -> BotProcess:
        """Start a process; it ends by itself, by `kill`, or when the nursery is cancelled."""
        process = BotProcess(bot, login.environment, self._limits)
        self._alive.add(process)
        self._nursery.start_soon(self._live, process)
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

    async def _live(self, process: BotProcess) -> None:
        try:
            await process.live()
        finally:
            self._alive.discard(process)
