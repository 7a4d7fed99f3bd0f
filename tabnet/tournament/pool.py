"""The players that are there: started when they are needed, and kept warm between their games."""

from __future__ import annotations

import itertools
import secrets
from collections import defaultdict
from collections.abc import Mapping

import trio
from attrs import frozen

from tabnet.server.terms import Terms
from tabnet.tournament.arena import Arena
from tabnet.tournament.entrants import Contender
from tabnet.tournament.judge import Fault
from tabnet.tournament.player import Player
from tabnet.tournament.process import BotProcess, Fence
from tabnet.tournament.terms import join_line

HOST = "127.0.0.1"
WARM = 32
"""How many processes may wait for a game; above that, those go that have waited longest."""
CLOSE_S = 1
"""How long processes may take to end by themselves when the tournament is over."""


@frozen
class Patience:
    """How long a player may take, whatever its clock says."""

    start_s: float = 20
    """From the start of its process until it asks for a game."""
    next_s: float = 5
    """From the end of a game until it asks for another."""
    remote_s: float = 600
    """Until somebody who connects from elsewhere asks for a game."""


USUAL = Patience()


class Pool:
    """Gives out players that wait for a game, and takes them back."""

    def __init__(
        self,
        arena: Arena,
        nursery: trio.Nursery,
        terms: Terms,
        fence: Fence,
        patience: Patience = USUAL,
    ) -> None:
        self._arena = arena
        self._nursery = nursery
        self._terms = terms
        self._fence = fence
        self._patience = patience
        self._alive: dict[Player, None] = {}
        self._idle: list[Player] = []
        """The one that has waited longest first."""
        self._numbers: Mapping[str, itertools.count[int]] = defaultdict(lambda: itertools.count(1))

    async def take(self, contender: Contender, pair: tuple[str, int]) -> Player:
        """A player of that entrant, ready or with its fault, which has not played in that pair."""
        player = self._warm(contender.name, pair)
        patience_s = self._patience.next_s
        if player is None:
            player = await self._nursery.start(self._keep, contender)
            patience_s = self._patience.start_s
        player.pairs.add(pair)
        await player.wait_until_ready(patience_s)
        if not player.asks and player.fault is None:
            said = player.tape.last_said
            after = f"; the last it said was {said}" if said else ", and said nothing"
            text = f"it did not ask for a game within {patience_s:g} s{after}"
            player.failed(Fault("start_failed", text))
        return player

    def give_back(self, player: Player) -> None:
        """It may play again, unless it has failed."""
        if player.fault is not None:
            player.kill()
            return
        self._idle.append(player)
        while len(self._idle) > WARM:
            self._idle.pop(0).kill()

    async def close(self) -> None:
        """Let everybody go; who does not go by itself is ended soon."""
        players = [*self._alive]
        self._arena.hang_up()
        with trio.move_on_after(CLOSE_S):
            for player in players:
                if player.process is not None:
                    await player.process.ended.wait()
        for player in players:
            player.kill()
            if player.process is not None:
                await player.process.ended.wait()

    def _warm(self, name: str, pair: tuple[str, int]) -> Player | None:
        self._idle = [player for player in self._idle if player.fault is None]
        for player in reversed(self._idle):
            if player.name == name and pair not in player.pairs:
                self._idle.remove(player)
                return player
        return None

    async def _keep(
        self, contender: Contender, task_status: trio.TaskStatus[Player] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """A player from its process's start to its end."""
        nick = f"{contender.name}.{next(self._numbers[contender.name])}"
        player = Player(contender.name, nick, secrets.token_hex())
        async with self._arena.admitting(player) as port:
            environment = {
                "TABNET_HOST": HOST,
                "TABNET_PORT": str(port),
                "TABNET_NICK": nick,
                "TABNET_PASSWORD": player.password,
                "TABNET_KIND": self._terms.kind,
                "TABNET_JOIN": join_line(self._terms),
            }
            process = BotProcess(contender.command, environment, self._fence)
            player.process = process
            self._alive[player] = None
            task_status.started(player)
            await self._arena.attend(player, process)
            del self._alive[player]
