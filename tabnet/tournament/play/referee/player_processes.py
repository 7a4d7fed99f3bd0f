"""Players that are processes: each has a port of its own, from its start to its end."""

from __future__ import annotations

import secrets
from collections import Counter

import trio

from tabnet.tournament.play.bots.bot_process import ProcessLimits
from tabnet.tournament.play.bots.bot_supervisor import BotLogin, BotSupervisor
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.referee.match_server import LOOPBACK, MatchServer
from tabnet.tournament.play.referee.player import TournamentPlayer

CLOSE_S = 0.5
"""The time that processes have to end by themselves after the server has hung up."""


class PlayerProcesses:
    """Starts the players of a match server; `join` is the line by which they ask for a game."""

    def __init__(
        self,
        match_server: MatchServer,
        nursery: trio.Nursery,
        local_bots: LocalBots,
        kind: str,
        join: str,
        limits: ProcessLimits,
    ) -> None:
        self._match_server = match_server
        self._nursery = nursery
        self._local_bots = local_bots
        self._kind = kind
        self._join = join
        self._supervisor = BotSupervisor(nursery, limits)
        self._started: Counter[str] = Counter()

    async def start(self, bot: BotProgram) -> TournamentPlayer:
        """Return a player of this bot, whose process has just started."""
        player: TournamentPlayer = await self._nursery.start(self._keep, bot)
        return player

    async def close(self) -> None:
        """Hang up, and return when all processes have ended."""
        self._match_server.hang_up()
        await self._supervisor.close(CLOSE_S)

    async def _keep(
        self,
        bot: BotProgram,
        task_status: trio.TaskStatus[TournamentPlayer] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Admit a player until its process has ended."""
        self._started[bot.name] += 1
        nick = f"{bot.name}.{self._started[bot.name]}"
        player = TournamentPlayer(bot.name, nick, secrets.token_hex())
        async with self._match_server.admitting(player) as port:
            login = BotLogin(LOOPBACK, port, nick, player.password, self._join, self._kind)
            process = player.process = self._supervisor.start(self._local_bots.local(bot), login)
            task_status.started(player)
            await self._match_server.attend(player, process)
