"""The processes of the bots that a server offers as opponents: there when they are wanted.

A nick has one process. It is started when the nick is called for the first time, stays between its
games, and another takes its place, and its seat in a game, when it ends; at the end none is left.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager

import trio

from tabnet.errors import StartError
from tabnet.server.core.costs.client_origin import origin_of
from tabnet.server.core.pairing.house_bots import HouseBots, nicks_of
from tabnet.server.net.hub import Hub
from tabnet.tournament.play.bots.bot_process import BotProcess, ProcessLimits
from tabnet.tournament.play.bots.bot_supervisor import BotLogin, BotSupervisor
from tabnet.tournament.play.bots.entrants import BotProgram, find_bots
from tabnet.tournament.play.bots.local_bots import LocalBot, command_of

log = logging.getLogger("tabnet")

JOIN = '{"cmd":"join"}'
"""The server says what is played."""
PATIENCE_S = 20
"""How long a process may take until it plays, or asks for a game, after its nick was called."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0
"""How long nobody is there after a process has ended; twice as long each time."""
GOOD_S = 300
"""Who has lived for so long may end like for the first time."""


def opponents(sources: Sequence[str]) -> tuple[BotProgram, ...]:
    """The bots that the command line names; raises `StartError`."""
    bots = tuple(find_bots(sources))
    for bot in bots:
        if bot.is_remote:
            raise StartError(
                f"{bot.entrant.source} cannot be of the house", hint="a bot that runs here"
            )
    return bots


@asynccontextmanager
async def offering(
    hub: Hub, bots: Iterable[BotProgram], games: int, address: tuple[str, int]
) -> AsyncIterator[None]:
    """Let a server offer bots for the length of a block, each for so many games at once.

    `address` is where their processes come in, without TLS.
    """
    async with trio.open_nursery() as nursery:
        house = _HouseBotProcesses(hub, nursery, bots, games, address)
        hub.service.opponents = house.opponents
        house.resume()
        yield
        nursery.cancel_scope.cancel()


class _HouseBotProcesses:
    """Keeps a process for each nick that has been called."""

    def __init__(
        self,
        hub: Hub,
        nursery: trio.Nursery,
        bots: Iterable[BotProgram],
        games: int,
        address: tuple[str, int],
    ) -> None:
        self._service = hub.service
        self._nursery = nursery
        self._supervisor = BotSupervisor(nursery, ProcessLimits())
        self._host, self._port = address
        self._commands: dict[str, tuple[str, ...]] = {}
        self._processes: dict[str, BotProcess | None] = {}
        """None for a nick without a process, for the moment."""
        offered = {bot.name: nicks_of(bot.name, games) for bot in bots}
        self.opponents = HouseBots(offered, self.call, origin_of(f"{address[0]}:0"))
        for bot in bots:
            self._commands |= dict.fromkeys(nicks_of(bot.name, games), command_of(bot))

    def resume(self) -> None:
        """Call those who have a seat in a game that goes on."""
        for nick in self._commands:
            if self._service.games.games_of(nick):
                self.call(nick)

    def call(self, nick: str) -> None:
        """A nick is to ask for a game."""
        if nick not in self._processes:
            self._processes[nick] = None
            self._nursery.start_soon(self._keep, nick)
        elif (process := self._processes[nick]) is not None:
            self._nursery.start_soon(self._wait_for, nick, process)

    async def _keep(self, nick: str) -> None:
        """Let a nick have a process, and after its end another one, for ever."""
        login = BotLogin(self._host, self._port, nick, self._let_in(nick), JOIN)
        pause = FIRST_PAUSE_S
        while True:
            process = self._supervisor.start(LocalBot(self._commands[nick]), login)
            self._processes[nick] = process
            self._nursery.start_soon(self._wait_for, nick, process)
            began = trio.current_time()
            await process.ended.wait()
            self._processes[nick] = None
            if self._service.stopping:
                return
            if trio.current_time() - began > GOOD_S:
                pause = FIRST_PAUSE_S
            _tell_of(nick, process, pause)
            await trio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    def _let_in(self, nick: str) -> str:
        """Make a random password for the process of a nick, and return it."""
        password = secrets.token_hex()
        self._service.accounts.set_proof(nick, self.opponents.set_password(nick, password))
        return password

    async def _wait_for(self, nick: str, process: BotProcess) -> None:
        """End a process that neither plays nor asks for a game when its time is over."""
        await trio.sleep(PATIENCE_S)
        if not self._is_there(nick):
            process.kill()

    def _is_there(self, nick: str) -> bool:
        games = self._service.games.games_of(nick)
        present = (self._service.sessions.is_present(game, nick) for game in games)
        return self.opponents.is_waiting(nick) or any(present)


def _tell_of(nick: str, process: BotProcess, pause: float) -> None:
    told = {"nick": nick, "ending": process.ending, "again_in_s": pause}
    last = process.output.last_line
    log.warning("house bot", extra={"fields": told | ({"said": last} if last else {})})
