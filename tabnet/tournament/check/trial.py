"""A trial: one bot in one situation, refereed like a game of a tournament.

A script waits for the bot and plays its opponent, which is connected like any other player.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from random import Random

import trio

from tabnet.client.trio_client import Client, connect
from tabnet.errors import Disconnected, Refused, StartError
from tabnet.protocol.dice import NO_SALT
from tabnet.server.core.matches.match import Match
from tabnet.server.net.hub import Hub
from tabnet.tournament.check.bot_monitor import (
    BotMonitor,
    CheckFailed,
    MonitoredLines,
    MonitoredTranscript,
)
from tabnet.tournament.check.game_setup import GameSetup, LoadedDice
from tabnet.tournament.plan.game_terms import encode_join
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.referee.assigned_games import AssignedGame
from tabnet.tournament.play.referee.match_server import HUNG_UP, LOOPBACK, MatchServer, PlayerLines
from tabnet.tournament.play.referee.player import TournamentPlayer
from tabnet.tournament.play.referee.player_processes import PlayerProcesses
from tabnet.tournament.records.results_of_matches import Fault

BOT, OPPONENT = 0, 1
REFEREE_S = 60
"""The time for a command of the opponent."""
MAX_LINES = 5000
"""A bot that has sent so many lines in one trial makes no progress."""


@asynccontextmanager
async def open_trial(
    bot: BotProgram,
    local_bots: LocalBots,
    setup: GameSetup,
    patience: float,
    settings: ProcessSettings,
) -> AsyncIterator[Trial]:
    """Start a bot for the length of a block; it may take `patience` seconds for anything."""
    terms = setup.terms
    join = encode_join(terms, auto=setup.bot_is_auto)
    async with trio.open_nursery() as nursery:
        trial = Trial(setup, patience, nursery, is_bot_file=bot.is_file)
        nursery.start_soon(trial.server.run)
        processes = PlayerProcesses(trial.server, nursery, local_bots, terms.kind, join, settings)
        trial.observe(await processes.start(bot))
        opponent = trial.opponent
        async with (
            trial.server.open_player_port(opponent) as port,
            connect(f"tcp://{LOOPBACK}:{port.number}") as client,
        ):
            await client.register(opponent.nick, opponent.password)
            trial.client = client
            yield trial
        nursery.cancel_scope.cancel()


class Trial:
    """A bot, its opponent and their game."""

    def __init__(
        self, setup: GameSetup, patience: float, nursery: trio.Nursery, *, is_bot_file: bool
    ) -> None:
        self.server = MatchServer(self._make_dialect)
        self.bot: TournamentPlayer
        self.opponent = TournamentPlayer("opponent", "opponent", secrets.token_hex())
        self.opponent.grace_s = patience
        self.client: Client
        """The connection of the opponent."""
        self._setup = setup
        self._patience = patience
        self._nursery = nursery
        self._is_bot_file = is_bot_file
        self._game = secrets.token_hex(8)
        self._monitor = BotMonitor(lambda: self.match.result is not None)
        self._random = Random(0)  # noqa: S311 - the opponent's moves are no secret

    def observe(self, bot: TournamentPlayer) -> None:
        """Observe the bot, which has not connected yet."""
        self.bot = bot
        bot.transcript = MonitoredTranscript(self._monitor)
        bot.on_change = self._monitor.wake_script

    def _make_dialect(self, hub: Hub, player: TournamentPlayer) -> PlayerLines:
        if player is self.opponent:
            return PlayerLines(hub, player)
        return MonitoredLines(hub, player, self._monitor, self._setup.is_odd)

    @property
    def match(self) -> Match:
        """The match as it stands; it has begun."""
        return self.server.get_match(self._game)

    # The bot

    async def wait_for_connection(self, number: int = 1) -> None:
        """Wait until the bot has connected so many times."""
        while self._monitor.connection_count < number:
            if self.bot.process is not None and self.bot.process.ending:
                raise self._make_start_failure()
            if not await self._monitor.wait_for_news(self._patience):
                text = f"it did not connect within {self._patience:g} s"
                raise CheckFailed(text, ends_check=True)

    def _make_start_failure(self) -> Exception:
        """Return the error of a bot that ended before it connected."""
        error = self._find_reported_error()
        if error:
            return StartError(error)
        return CheckFailed(f"{self._describe_exit()} and did not connect", ends_check=True)

    async def wait_for_join(self) -> None:
        expected = "the line of TABNET_JOIN"
        while not self.bot.asks:
            await self._wait_for_progress(expected)
        self._require_no_fault(expected)

    async def require_quiet(self, seconds: float) -> None:
        """Wait for so long; the bot may send nothing that is refused."""
        with trio.move_on_after(seconds):
            while True:
                self._require_no_fault("nothing")
                await self._monitor.wait_for_news(seconds)

    async def wait_for_exit(self) -> str:
        """Return how the process of the bot ends; an empty text if it does not."""
        process = self.bot.process
        with trio.move_on_after(self._patience):
            if process is not None:
                await process.ended.wait()
        return process.ending if process is not None else ""

    async def _wait_for_progress(self, expected: str) -> None:
        """Wait until something happens; raises `CheckFailed` if the bot is at fault."""
        self._require_no_fault(expected)
        if not await self._monitor.wait_for_news(self._patience):
            raise CheckFailed(self._describe_silence(expected), ends_check=True)
        self._require_no_fault(expected)

    def _describe_silence(self, expected: str) -> str:
        if self._is_bot_file and not self.bot.asks:  # then only its own code can take so long
            return f"choose() did not return within {self._patience:g} s"
        return f"nothing came for {self._patience:g} s; expected was {expected}"

    def _require_no_fault(self, expected: str) -> None:
        if self._monitor.failure is not None:
            raise self._monitor.failure
        if self._monitor.line_count > MAX_LINES:
            text = f"after {MAX_LINES} lines it has not got there: {expected}"
            raise CheckFailed(text, self._monitor.last_line)
        if self.bot.process is not None and self.bot.process.ending:
            text = self._find_reported_error() or self._describe_exit()
            raise CheckFailed(text, ends_check=True)
        if self.bot.fault == Fault("disconnect", HUNG_UP):
            raise CheckFailed(HUNG_UP, ends_check=True)

    def read_output(self) -> str:
        """Return what the bot has written."""
        return str(self.bot.process.output) if self.bot.process is not None else ""

    def _find_reported_error(self) -> str:
        """Return the error that ended a bot file, as its loop has reported it; empty without."""
        process = self.bot.process
        if not self._is_bot_file or process is None or process.ending != "exit code 1":
            return ""
        return process.output.last_line

    def _describe_exit(self) -> str:
        assert self.bot.process is not None, "it is a process"  # noqa: S101
        ending, last = self.bot.process.ending, self.bot.process.output.last_line
        if self.bot.process.offence:
            return ending
        how = f"it ended with {ending}" if ending.startswith("exit") else f"it was {ending}"
        return f"{how}, saying: {last}" if last else how

    # The game

    @contextmanager
    def hold_frames(self) -> Iterator[None]:
        """Send the bot nothing during a block, and everything at once after it."""
        self._monitor.may_send = trio.Event()
        try:
            yield
        finally:
            self._monitor.may_send.set()

    async def begin_when_asked(self) -> None:
        """Wait until the bot asks for a game, and let it begin."""
        await self.wait_for_join()
        await self.begin()

    async def begin(self) -> None:
        """Let the game begin; the bot has asked for one."""
        setup, seats = self._setup, (self.bot, self.opponent)
        secret = secrets.token_bytes()
        assigned = AssignedGame(
            id=self._game,
            terms=setup.terms,
            nicks=tuple(player.nick for player in seats),
            secret=secret,
            dice=LoadedDice(self._game, secret, (NO_SALT,) * len(seats), setup.throws),
            position=setup.position,
            by_hand=() if setup.bot_is_auto else (BOT,),
        )

        async def play() -> None:
            await self.opponent.wait_until_ready(self._patience)
            await self.server.play(assigned, seats)

        self._nursery.start_soon(play)
        with self._limit_opponent_time():
            await self.client.join()

    async def play(self, reached: Callable[[Match], bool], expected: str) -> None:
        """Let both play, the opponent at random, until `reached` or the end by the rules."""
        while not reached(self.match) and self.match.state.outcome() is None:
            self._require_no_fault(expected)
            result = self.match.result
            if result is not None and result.reason == "timeout":
                raise CheckFailed(f"its time was up before {expected}")
            if result is not None:
                raise CheckFailed(f"the game ended ({result.reason}) before {expected}")
            if self.match.turn == OPPONENT:
                await self._play_opponent()
            else:
                await self._wait_for_progress(expected)
        self._require_no_fault(expected)

    async def offer_draw(self) -> None:
        with self._limit_opponent_time():
            await self.client.draw(self._game)

    async def let_opponent_resign(self) -> None:
        with self._limit_opponent_time():
            await self.client.leave(self._game)

    async def _play_opponent(self) -> None:
        with self._limit_opponent_time():
            choices = await self.client.moves(self._game)
            await self.client.notify(self._game, **self._random.choice(choices.moves))

    @contextmanager
    def _limit_opponent_time(self) -> Iterator[None]:
        """Let the opponent send commands in a block; they are refused if the game has ended."""
        with trio.move_on_after(REFEREE_S) as scope, suppress(Refused):
            yield
        if scope.cancelled_caught:
            raise StartError(f"the referee of the check did not answer for {REFEREE_S} s")

    async def reconnect_opponent(self) -> None:
        """Cut the connection of the opponent, and wait until it is back."""
        self.server.cut_connections(self.opponent)
        with self._limit_opponent_time():
            with suppress(Disconnected):  # of the connection that was cut
                await self.client.state(self._game)
            await self.client.state(self._game)

    async def reconnect_bot(self) -> None:
        """Cut the connection of the bot, and wait until it is back."""
        self.bot.grace_s = self._patience
        count = self._monitor.connection_count
        self.server.cut_connections(self.bot)
        try:
            await self.wait_for_connection(count + 1)
        except CheckFailed as failure:
            text = f"after its connection was lost, {failure.text}"
            raise CheckFailed(text, ends_check=failure.ends_check) from None
