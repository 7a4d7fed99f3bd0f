"""Players that are processes: each has a port of its own, from its start to its end."""

from __future__ import annotations

import secrets
from collections import Counter

import trio
from attrs import define, field

from tabnet.tournament.play.bots.bot_supervisor import BotSupervisor, make_variables
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.referee.match_server import LOOPBACK, MatchServer
from tabnet.tournament.play.referee.player import TournamentPlayer

CLOSE_S = 0.5
"""The time that processes have to end by themselves after the server has hung up."""


@define(eq=False)
class PlayerProcesses:
    """Starts the players of a match server."""

    match_server: MatchServer
    nursery: trio.Nursery
    local_bots: LocalBots
    kind: str
    join: str
    """The line by which players ask for a game."""
    settings: ProcessSettings
    _supervisor: BotSupervisor = field(init=False)
    _started: Counter[str] = field(factory=Counter)

    def __attrs_post_init__(self) -> None:
        self._supervisor = BotSupervisor(self.nursery, self.settings)

    async def start(self, bot: BotProgram) -> TournamentPlayer:
        player: TournamentPlayer = await self.nursery.start(self._run_player, bot)
        return player

    async def close(self) -> None:
        """Hang up, and return when all processes have ended."""
        self.match_server.disconnect_all()
        await self._supervisor.close(CLOSE_S)

    async def _run_player(
        self,
        bot: BotProgram,
        task_status: trio.TaskStatus[TournamentPlayer] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Admit a player until its process has ended."""
        self._started[bot.name] += 1
        nick = f"{bot.name}.{self._started[bot.name]}"
        player = TournamentPlayer(bot.name, nick, secrets.token_hex())
        local = self.local_bots.install(bot)
        local_path = local.private / "socket"
        async with self.match_server.open_player_port(player, local_path=local_path) as port:
            variables = make_variables(
                *(LOOPBACK, port.number, nick, player.password),
                *(self.join, self.kind, port.local_socket),
            )
            process = player.process = self._supervisor.start(local, variables)
            task_status.started(player)
            await self.match_server.await_exit(player, process)
