"""The processes of house bots, started on demand.

A nick has one process. It starts when the nick is called for the first time, and it is kept between
games. When it ends, another process takes its place and its seat. A bot that fails by itself three
times in a row at the same decision has lost the game. None is left when the server ends.

Each bot of the operator's is loaded before the server is ready; one that cannot be loaded stops it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import trio

from tabnet.dialects.json_lines import JsonLines
from tabnet.errors import StartError
from tabnet.protocol.frames import Notice
from tabnet.server.core.costs.client_origin import find_origin
from tabnet.server.core.effects import Send
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import CRASH
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tabnet.server.net.accepted_sockets import open_local_socket, serve_tcp
from tabnet.server.net.hub import Hub
from tabnet.server.net.server_clock import now
from tabnet.tournament.play.bots.bot_access import require_hidden
from tabnet.tournament.play.bots.bot_process import BotProcess
from tabnet.tournament.play.bots.bot_supervisor import BotSupervisor, make_variables
from tabnet.tournament.play.bots.entrants import BotProgram, find_bots
from tabnet.tournament.play.bots.house_bot_trials import try_out
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.bots.process_settings import USUAL, ProcessSettings
from tabnet.tournament.play.sandbox.host import choose_sandbox
from tabnet.tournament.play.sandbox.policy import AUTO, NONE

log = logging.getLogger("tabnet")

JOIN = '{"cmd":"join"}'
"""The request for a game; the server chooses the terms."""
ANSWER_S = 20
"""The time for a process to play, or to ask for a game, after its nick was called."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0
"""The pause after the end of a process; it doubles each time."""
LONGEST_PAUSE_IN_GAME_S = 2.0
"""The longest pause while the opponent waits."""
STABLE_S = 300
"""A process that has run for so long resets the pause."""
MAX_FAILURES = 3
"""The failures at one decision by which a bot loses its game."""
HAS_LOST = "{bot} failed {count} times in a row, and has lost this game"


def find_house_bots(sources: Sequence[str]) -> tuple[BotProgram, ...]:
    """Return the house bots that the command line names; raises `StartError`."""
    bots = tuple(find_bots(sources))
    for bot in bots:
        if bot.is_remote:
            raise StartError(
                f"{bot.entrant.source} cannot be of the house", hint="a bot that runs here"
            )
    return bots


def check_sandbox(bots: Sequence[BotProgram], settings: ProcessSettings, data_folder: Path) -> None:
    """Raise `StartError` if a house bot could read the data folder in its sandbox.

    Log a warning if this machine has no sandbox.
    """
    if not bots:
        return
    require_hidden(data_folder, bots, settings, "the data folder", "--data")
    if settings.sandbox == AUTO and choose_sandbox(AUTO).used == NONE:
        warning = "they run with the server's rights: there is no sandbox on this machine"
        log.warning("house bots", extra={"fields": {"warning": warning}})


@asynccontextmanager
async def offer_bots(
    hub: Hub,
    bots: Sequence[BotProgram],
    games: int,
    address: tuple[str, int],
    settings: ProcessSettings = USUAL,
) -> AsyncIterator[None]:
    """Let a server offer bots for the length of a block, each for so many games at once.

    Raises `StartError` for a bot that cannot be loaded; those that come with tabnet can.
    `address` is the server's port without TLS for these processes. They also have a local socket.
    """
    local_bots = LocalBots.create()
    try:
        async with trio.open_nursery() as nursery:
            path = local_bots.folder / "socket"
            listener = await open_local_socket(path)
            if listener is not None:
                # The socket is open already: a bot that connects before it is served only waits.
                handler = partial(serve_tcp, JsonLines(hub))
                nursery.start_soon(trio.serve_listeners, handler, [listener])  # noqa: ASYNC113
            local_socket = None if listener is None else path
            processes = _HouseBotProcesses(
                hub, nursery, bots, games, address, local_bots, local_socket, settings
            )
            hub.service.opponents = processes.opponents
            for bot in bots:
                if not bot.is_house_bot or bot.options:
                    await processes.try_out(bot)
            processes.resume()
            yield
            nursery.cancel_scope.cancel()
    finally:
        local_bots.remove()


class _HouseBotProcesses:
    """One process for each nick that has been called."""

    def __init__(
        self,
        hub: Hub,
        nursery: trio.Nursery,
        bots: Iterable[BotProgram],
        games: int,
        address: tuple[str, int],
        local_bots: LocalBots,
        local_socket: Path | None,
        settings: ProcessSettings,
    ) -> None:
        self._service = hub.service
        self._perform = hub.perform
        self._lost_processes = hub.counts.lost_bot_processes
        self._failures: dict[str, tuple[str, int, int]] = {}
        """The game of each nick, its moves before the failures in a row, and their number."""
        self._nursery = nursery
        self._supervisor = BotSupervisor(nursery, settings)
        self._host, self._port = address
        self._local_socket = local_socket
        self._local_bots = local_bots
        self._bots: dict[str, BotProgram] = {}
        self._processes: dict[str, BotProcess | None] = {}
        """The process of each nick; None between two processes."""
        offered = {bot.name: make_nicks(bot.name, games) for bot in bots}
        self.opponents = HouseBots(offered, self.call, find_origin(f"{address[0]}:0"))
        for bot in bots:
            self._bots |= dict.fromkeys(make_nicks(bot.name, games), bot)

    def resume(self) -> None:
        """Call the nicks that have a seat in a running game."""
        for nick in self._bots:
            if self._service.games.list_games_of(nick):
                self.call(nick)

    def call(self, nick: str) -> None:
        """Let a nick ask for a game."""
        if nick not in self._processes:
            self._processes[nick] = None
            self._nursery.start_soon(self._run_processes, nick)
        elif (process := self._processes[nick]) is not None:
            self._nursery.start_soon(self._kill_if_absent, nick, process)

    async def try_out(self, bot: BotProgram) -> None:
        """Load a bot in a process of its own; raise `StartError` if this fails."""
        await try_out(bot, self._supervisor, self._local_bots, self._host, JOIN)

    async def _run_processes(self, nick: str) -> None:
        password = self._set_password(nick)
        variables = make_variables(
            self._host, self._port, nick, password, JOIN, local_socket=self._local_socket
        )
        pause = FIRST_PAUSE_S
        while True:
            process = self._supervisor.start(self._local_bots.install(self._bots[nick]), variables)
            self._processes[nick] = process
            self._nursery.start_soon(self._kill_if_absent, nick, process)
            began = trio.current_time()
            await process.ended.wait()
            self._processes[nick] = None
            if self._service.stopping:
                return
            if trio.current_time() - began > STABLE_S:
                pause = FIRST_PAUSE_S
            if self._service.games.list_games_of(nick):
                pause = min(pause, LONGEST_PAUSE_IN_GAME_S)
            _log_end(nick, process, pause)
            self._lost_processes[self._bots[nick].name] += 1
            if process.has_failed_by_itself:
                self._count_failure(nick)
            await trio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    def _count_failure(self, nick: str) -> None:
        """Count a failure in the running game of a nick, which loses the game by the last one."""
        games = self._service.games
        for id in games.list_games_of(nick):
            match = games.playing.get(id)
            if match is None:
                continue
            seat = match.nicks.index(nick)
            moves = sum(each.event == "move" and each.seat == seat for each in match.moments)
            game, moves_before, count = self._failures.get(nick, ("", 0, 0))
            count = count + 1 if (game, moves_before) == (id, moves) else 1
            self._failures[nick] = (id, moves, count)
            if count == MAX_FAILURES:
                del self._failures[nick]
                self._end_lost_game(match, seat)

    def _end_lost_game(self, match: Match, seat: int) -> None:
        """Let a bot lose a game that it cannot continue, and notify the other players."""
        text = HAS_LOST.format(bot=self._bots[match.nicks[seat]].name, count=MAX_FAILURES)
        followers = self._service.sessions.followers(match.id)
        at = now()
        ending = partial(match.end, at, CRASH, loser=seat)
        notice = Send(tuple(followers), Notice(text=text, code=CRASH))
        self._perform([notice, *self._service.change_match(match, at, ending)])

    def _set_password(self, nick: str) -> str:
        """Make a random password for the process of a nick, and return it."""
        password = secrets.token_hex()
        self._service.accounts.set_proof(nick, self.opponents.set_password(nick, password))
        return password

    async def _kill_if_absent(self, nick: str, process: BotProcess) -> None:
        """Kill a process that neither plays nor asks for a game after `ANSWER_S`."""
        await trio.sleep(ANSWER_S)
        if not self._is_present(nick):
            process.kill()

    def _is_present(self, nick: str) -> bool:
        games = self._service.games.list_games_of(nick)
        present = (self._service.sessions.is_present(game, nick) for game in games)
        return self.opponents.is_waiting(nick) or any(present)


def _log_end(nick: str, process: BotProcess, pause: float) -> None:
    fields = {"nick": nick, "ending": process.ending, "again_in_s": pause}
    last = process.output.last_line
    log.warning("house bot", extra={"fields": fields | ({"said": last} if last else {})})
