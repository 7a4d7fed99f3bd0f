"""Players that are ready for a game: started on demand, and kept between games."""

from __future__ import annotations

import secrets

import trio
from attrs import define, field

from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.referee.player import TournamentPlayer
from tabnet.tournament.play.referee.player_processes import PlayerProcesses
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_interface import PlayerTimeouts
from tabnet.tournament.records.results_of_matches import Fault

REMOTE_GRACE_S = 30
"""The time for a remote bot to reconnect after a lost connection."""


@define(eq=False)
class PlayerPool:
    """Lends players to games."""

    processes: PlayerProcesses
    remote_ports: RemotePorts
    timeouts: PlayerTimeouts
    max_idle: int
    """The number of processes that may wait for a game; the longest idle ones are ended."""
    _idle: list[TournamentPlayer] = field(factory=list)
    """The longest idle player is the first."""
    _remote: dict[str, TournamentPlayer] = field(factory=dict)

    async def take(self, bot: BotProgram, pair: tuple[str, int]) -> TournamentPlayer:
        """Return a player of a bot that is ready for a game, or that has a fault.

        A process never plays two games of one pair: it would know the throws.
        """
        if bot.is_remote:
            player, timeout_s = await self._get_remote_player(bot), self.timeouts.remote_s
        else:
            idle = self._take_idle(bot.name, pair)
            player = idle or await self.processes.start(bot)
            timeout_s = self.timeouts.next_s if idle else self.timeouts.start_s
        player.pairs.add(pair)
        await player.wait_until_ready(timeout_s)
        if not player.asks and player.fault is None:
            last = player.transcript.last_line
            after = f"; its last line was {last}" if last else ""
            text = f"it did not ask for a game within {timeout_s:g} s{after}"
            player.note_fault(Fault("start_failed", text))
        return player

    def give_back(self, player: TournamentPlayer) -> None:
        """Keep a player for another game; a process with a fault is ended."""
        if player.fault is not None:
            player.kill()
        elif player.process is not None:
            player.process.end_game()
            self._idle.append(player)
        while len(self._idle) > self.max_idle:
            self._idle.pop(0).kill()

    def _take_idle(self, name: str, pair: tuple[str, int]) -> TournamentPlayer | None:
        self._idle = [player for player in self._idle if player.fault is None]
        for player in reversed(self._idle):
            if player.name == name and pair not in player.pairs:
                self._idle.remove(player)
                return player
        return None

    async def _get_remote_player(self, bot: BotProgram) -> TournamentPlayer:
        """Return the player of a remote bot; its earlier faults are forgotten."""
        player = self._remote.get(bot.name)
        if player is None:
            player = await self.processes.nursery.start(self._admit_remote_player, bot)
            self._remote[bot.name] = player
        player.forgive()
        return player

    async def _admit_remote_player(
        self,
        bot: BotProgram,
        task_status: trio.TaskStatus[TournamentPlayer] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Admit a remote player for ever, and announce its port."""
        password = secrets.token_hex(8)
        player = TournamentPlayer(bot.name, bot.nick, password, grace_s=REMOTE_GRACE_S)
        context = self.remote_ports.identity().context
        async with self.processes.match_server.open_player_port(
            player, self.remote_ports.host, context
        ) as port:
            self.remote_ports.announce(
                player.nick, player.password, port.number, self.processes.join
            )
            task_status.started(player)
            await trio.sleep_forever()
