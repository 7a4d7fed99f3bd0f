"""Players that are ready for a game: started on demand, and kept between games."""

from __future__ import annotations

import secrets

import trio

from tabnet.server.core.matches.terms import Terms
from tabnet.tournament.plan.game_terms import join_line
from tabnet.tournament.play.bots.bot_process import ProcessLimits
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.referee.match_server import MatchServer
from tabnet.tournament.play.referee.player import TournamentPlayer
from tabnet.tournament.play.referee.player_processes import PlayerProcesses
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_interface import PlayerTimeouts
from tabnet.tournament.records.match_results import Fault

MAX_IDLE = {2: 32, 3: 64, 4: 160}
"""The number of processes that may wait for a game, by its seats; the longest idle ones are ended.
In games of four a bot has 24 processes, one for each game of a group."""


class PlayerPool:
    """Lends players to games."""

    def __init__(
        self,
        match_server: MatchServer,
        nursery: trio.Nursery,
        terms: Terms,
        limits: ProcessLimits,
        remote_ports: RemotePorts,
        timeouts: PlayerTimeouts,
        local_bots: LocalBots,
    ) -> None:
        self._match_server = match_server
        self._nursery = nursery
        self._join = join_line(terms)
        self._max_idle = MAX_IDLE[terms.seats]
        self._remote_ports = remote_ports
        self._timeouts = timeouts
        self._processes = PlayerProcesses(
            match_server, nursery, local_bots, terms.kind, self._join, limits
        )
        self._idle: list[TournamentPlayer] = []
        """The longest idle player is the first."""
        self._remote: dict[str, TournamentPlayer] = {}

    async def take(self, bot: BotProgram, pair: tuple[str, int]) -> TournamentPlayer:
        """Return a player of a bot that is ready for a game, or that has a fault.

        A process never plays two games of one pair: it would know the throws.
        """
        if bot.is_remote:
            player, timeout_s = await self._remote_player(bot), self._timeouts.remote_s
        else:
            idle = self._take_idle(bot.name, pair)
            player = idle or await self._processes.start(bot)
            timeout_s = self._timeouts.next_s if idle else self._timeouts.start_s
        player.pairs.add(pair)
        await player.wait_until_ready(timeout_s)
        if not player.asks and player.fault is None:
            last = player.transcript.last_line
            after = f"; its last line was {last}" if last else ""
            text = f"it did not ask for a game within {timeout_s:g} s{after}"
            player.failed(Fault("start_failed", text))
        return player

    def give_back(self, player: TournamentPlayer) -> None:
        """Keep a player for another game; a process with a fault is ended."""
        if player.process is None:
            return
        if player.fault is not None:
            player.process.kill()
            return
        self._idle.append(player)
        while len(self._idle) > self._max_idle:
            self._idle.pop(0).kill()

    def drop(self, player: TournamentPlayer) -> None:
        """End a player whose game is played again: its process knows the throws."""
        player.kill()

    async def close(self) -> None:
        """Hang up, and return when all processes have ended."""
        await self._processes.close()

    def _take_idle(self, name: str, pair: tuple[str, int]) -> TournamentPlayer | None:
        self._idle = [player for player in self._idle if player.fault is None]
        for player in reversed(self._idle):
            if player.name == name and pair not in player.pairs:
                self._idle.remove(player)
                return player
        return None

    async def _remote_player(self, bot: BotProgram) -> TournamentPlayer:
        """Return the player of a remote bot; its earlier faults are forgotten."""
        player = self._remote.get(bot.name)
        if player is None:
            player = await self._nursery.start(self._receive, bot)
            self._remote[bot.name] = player
        player.forgiven()
        return player

    async def _receive(
        self,
        bot: BotProgram,
        task_status: trio.TaskStatus[TournamentPlayer] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Admit a remote player for ever, and announce its port."""
        player = TournamentPlayer(bot.name, bot.nick, secrets.token_hex(8))
        player.grace_s = self._remote_ports.grace_s
        host, context = self._remote_ports.host, self._remote_ports.context()
        async with self._match_server.admitting(player, host, context) as port:
            self._remote_ports.announce(player.nick, player.password, port, self._join)
            task_status.started(player)
            await trio.sleep_forever()
