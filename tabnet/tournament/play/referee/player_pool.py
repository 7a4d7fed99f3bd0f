"""The players that are there: started when they are needed, and kept warm between their games."""

from __future__ import annotations

import itertools
import secrets
from collections import defaultdict
from collections.abc import Mapping

import trio

from tabnet.server.core.matches.terms import Terms
from tabnet.tournament.plan.game_terms import join_line
from tabnet.tournament.play.bots.bot_process import BotProcess, ProcessLimits
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.referee.match_server import LOOPBACK, MatchServer
from tabnet.tournament.play.referee.player import TournamentPlayer
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_interface import PlayerTimeouts
from tabnet.tournament.records.match_results import Fault

WARM = {2: 32, 3: 64, 4: 160}
"""How many processes may wait for a game, by its seats; above that, those go that have waited
longest. Among four a bot has 24 of them, one for each game of a group."""
CLOSE_S = 0.5
"""How long processes may take to end by themselves when the tournament is over."""


class PlayerPool:
    """Gives out players that wait for a game, and takes them back."""

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
        self._terms = terms
        self._limits = limits
        self._remote_ports = remote_ports
        self._timeouts = timeouts
        self._local_bots = local_bots
        self._alive: dict[TournamentPlayer, None] = {}
        self._idle: list[TournamentPlayer] = []
        """The one that has waited longest first."""
        self._remote: dict[str, TournamentPlayer] = {}
        self._numbers: Mapping[str, itertools.count[int]] = defaultdict(lambda: itertools.count(1))

    async def take(self, bot: BotProgram, pair: tuple[str, int]) -> TournamentPlayer:
        """A player of that entrant, ready or with its fault.

        A process never plays two games of one pair: it would know the throws.
        """
        if bot.is_remote:
            player, patience_s = await self._called(bot), self._timeouts.remote_s
        else:
            warm = self._warm(bot.name, pair)
            player = warm or await self._nursery.start(self._keep, bot)
            patience_s = self._timeouts.next_s if warm else self._timeouts.start_s
        player.pairs.add(pair)
        await player.wait_until_ready(patience_s)
        if not player.asks and player.fault is None:
            said = player.transcript.last_line
            after = f"; its last line was {said}" if said else ""
            text = f"it did not ask for a game within {patience_s:g} s{after}"
            player.failed(Fault("start_failed", text))
        return player

    def give_back(self, player: TournamentPlayer) -> None:
        """It may play again, unless it has failed."""
        if player.process is None:
            return
        if player.fault is not None:
            player.process.kill()
            return
        self._idle.append(player)
        while len(self._idle) > WARM[self._terms.seats]:
            self._idle.pop(0).kill()

    def drop(self, player: TournamentPlayer) -> None:
        """End a player whose game the referee did not bring to an end; it knows the throws."""
        if player.process is not None:
            player.process.kill()

    async def close(self) -> None:
        """Let everybody go; who does not go is ended."""
        processes = [player.process for player in self._alive if player.process is not None]
        self._match_server.hang_up()
        with trio.move_on_after(CLOSE_S):
            for process in processes:
                await process.ended.wait()
        for process in processes:
            process.kill()
        for process in processes:
            await process.ended.wait()

    def _warm(self, name: str, pair: tuple[str, int]) -> TournamentPlayer | None:
        self._idle = [player for player in self._idle if player.fault is None]
        for player in reversed(self._idle):
            if player.name == name and pair not in player.pairs:
                self._idle.remove(player)
                return player
        return None

    async def _keep(
        self,
        bot: BotProgram,
        task_status: trio.TaskStatus[TournamentPlayer] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """A player from its process's start to its end."""
        nick = f"{bot.name}.{next(self._numbers[bot.name])}"
        player = TournamentPlayer(bot.name, nick, secrets.token_hex())
        async with self._match_server.admitting(player) as port:
            environment = {
                "TABNET_HOST": LOOPBACK,
                "TABNET_PORT": str(port),
                "TABNET_NICK": nick,
                "TABNET_PASSWORD": player.password,
                "TABNET_KIND": self._terms.kind,
                "TABNET_JOIN": join_line(self._terms),
            }
            player.process = BotProcess(self._local_bots.local(bot), environment, self._limits)
            self._alive[player] = None
            task_status.started(player)
            await self._match_server.attend(player, player.process)
            del self._alive[player]

    async def _called(self, bot: BotProgram) -> TournamentPlayer:
        """Who connects from elsewhere, called the first time; what was is forgiven."""
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
        player = TournamentPlayer(bot.name, bot.nick, secrets.token_hex(8))
        player.grace_s = self._remote_ports.grace_s
        host, context = self._remote_ports.host, self._remote_ports.context()
        async with self._match_server.admitting(player, host, context) as port:
            self._remote_ports.announce(player.nick, player.password, port, join_line(self._terms))
            task_status.started(player)
            await trio.sleep_forever()
