"""A trial: one bot in one situation, refereed like a game of a tournament.

A script waits for the bot and plays its opponent, which is connected like any other player.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from random import Random

import trio

from tabnet.client.connection import Client, connect
from tabnet.errors import Disconnected, Refused, StartError
from tabnet.protocol.dice import NO_SALT
from tabnet.server.core.matches.match import Match
from tabnet.server.net.hub import Hub
from tabnet.tournament.check.bot_watch import BotWatch, CheckFailed, WatchedLines, WatchedTranscript
from tabnet.tournament.check.scene import LoadedDice, Scene
from tabnet.tournament.plan.game_terms import join_line
from tabnet.tournament.play.bots.bot_process import ProcessLimits
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.referee.assigned_games import AssignedGame
from tabnet.tournament.play.referee.match_server import HUNG_UP, LOOPBACK, MatchServer, PlayerLines
from tabnet.tournament.play.referee.player import TournamentPlayer
from tabnet.tournament.play.referee.player_processes import PlayerProcesses
from tabnet.tournament.records.match_results import Fault

BOT, OPPONENT = 0, 1
"""The seats."""
REFEREE_S = 60
"""The time for a command of the opponent."""
MAX_LINES = 5000
"""A bot that has sent so many lines in one trial makes no progress."""


@asynccontextmanager
async def open_trial(
    bot: BotProgram, local_bots: LocalBots, scene: Scene, patience: float
) -> AsyncIterator[Trial]:
    """Start a bot for the length of a block; it may take `patience` seconds for anything."""
    terms = scene.terms
    join = join_line(terms, auto=scene.bot_is_auto)
    async with trio.open_nursery() as nursery:
        trial = Trial(scene, patience, nursery)
        nursery.start_soon(trial.server.run)
        processes = PlayerProcesses(
            trial.server, nursery, local_bots, terms.kind, join, ProcessLimits()
        )
        trial.observe(await processes.start(bot))
        opponent = trial.opponent
        async with (
            trial.server.admitting(opponent) as port,
            connect(f"tcp://{LOOPBACK}:{port}") as client,
        ):
            await client.register(opponent.nick, opponent.password)
            trial.client = client
            yield trial
        nursery.cancel_scope.cancel()


class Trial:
    """A bot, its opponent and their game."""

    def __init__(self, scene: Scene, patience: float, nursery: trio.Nursery) -> None:
        self.server = MatchServer(self._dialect)
        self.bot: TournamentPlayer
        self.opponent = TournamentPlayer("opponent", "opponent", secrets.token_hex())
        self.opponent.grace_s = patience
        self.client: Client
        """The connection of the opponent."""
        self._scene = scene
        self._patience = patience
        self._nursery = nursery
        self._game = secrets.token_hex(8)
        self._watch = BotWatch(lambda: self.match.result is not None)
        self._random = Random(0)  # noqa: S311 - the opponent's moves are no secret

    def observe(self, bot: TournamentPlayer) -> None:
        """Observe the bot, which has not connected yet."""
        self.bot = bot
        bot.transcript = WatchedTranscript(self._watch)
        bot.on_change = self._watch.note_news

    def _dialect(self, hub: Hub, player: TournamentPlayer) -> PlayerLines:
        if player is self.opponent:
            return PlayerLines(hub, player)
        return WatchedLines(hub, player, self._watch, self._scene.is_odd)

    @property
    def match(self) -> Match:
        """The match as it stands; it has begun."""
        return self.server.match(self._game)

    # The bot

    async def wait_for_connection(self, number: int = 1) -> None:
        """Wait until the bot has connected so many times."""
        while self._watch.connection_count < number:
            if self.bot.process is not None and self.bot.process.ending:
                raise CheckFailed(f"{self._ending()} and did not connect")
            if not await self._watch.wait(self._patience):
                raise CheckFailed(f"it did not connect within {self._patience:g} s")

    async def wait_for_join(self) -> None:
        """Wait until the bot asks for a game."""
        expected = "the line of TABNET_JOIN"
        while not self.bot.asks:
            await self._progress(expected)
        self._require_no_fault(expected)

    async def stay_quiet(self, seconds: float) -> None:
        """Wait for so long; the bot may send nothing that is refused."""
        with trio.move_on_after(seconds):
            while True:
                self._require_no_fault("nothing")
                await self._watch.wait(seconds)

    async def wait_for_exit(self) -> str:
        """Return how the process of the bot ends; an empty text if it does not."""
        process = self.bot.process
        with trio.move_on_after(self._patience):
            if process is not None:
                await process.ended.wait()
        return process.ending if process is not None else ""

    async def _progress(self, expected: str) -> None:
        """Wait until something happens; raises `CheckFailed` if the bot is at fault."""
        self._require_no_fault(expected)
        if not await self._watch.wait(self._patience):
            text = f"nothing came for {self._patience:g} s; expected was {expected}"
            raise CheckFailed(text)
        self._require_no_fault(expected)

    def _require_no_fault(self, expected: str) -> None:
        if self._watch.failure is not None:
            raise self._watch.failure
        if self._watch.line_count > MAX_LINES:
            text = f"after {MAX_LINES} lines it has not got there: {expected}"
            raise CheckFailed(text, self._watch.last_line)
        if self.bot.process is not None and self.bot.process.ending:
            raise CheckFailed(self._ending())
        if self.bot.fault == Fault("disconnect", HUNG_UP):
            raise CheckFailed(HUNG_UP)

    def _ending(self) -> str:
        """Describe how the process of the bot has ended."""
        assert self.bot.process is not None, "it is a process"  # noqa: S101
        ending, last = self.bot.process.ending, self.bot.process.output.last_line
        how = f"it ended with {ending}" if ending.startswith("exit") else f"it was {ending}"
        return f"{how}, saying: {last}" if last else how

    # The game

    @contextmanager
    def frames_held_back(self) -> Iterator[None]:
        """Send the bot nothing during a block, and everything at once after it."""
        self._watch.may_send = trio.Event()
        try:
            yield
        finally:
            self._watch.may_send.set()

    async def seat(self) -> None:
        """Wait until the bot asks for a game, and let it begin."""
        await self.wait_for_join()
        await self.begin()

    async def begin(self) -> None:
        """Let the game begin; the bot has asked for one."""
        scene, seats = self._scene, (self.bot, self.opponent)
        secret = secrets.token_bytes()
        assigned = AssignedGame(
            id=self._game,
            terms=scene.terms,
            nicks=tuple(player.nick for player in seats),
            secret=secret,
            dice=LoadedDice(self._game, secret, (NO_SALT,) * len(seats), scene.throws),
            position=scene.position,
            by_hand=() if scene.bot_is_auto else (BOT,),
        )

        async def play() -> None:
            await self.opponent.wait_until_ready(self._patience)
            await self.server.play(assigned, seats)

        self._nursery.start_soon(play)
        with self._referee_answers():
            await self.client.join()

    async def play(self, reached: Callable[[Match], bool], expected: str) -> None:
        """Let both play until the match has reached something, or the rules end a short game.

        The opponent plays at random.
        """
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
                await self._progress(expected)
        self._require_no_fault(expected)

    async def offer_draw(self) -> None:
        """Let the opponent offer a draw."""
        with self._referee_answers():
            await self.client.draw(self._game)

    async def leave(self) -> None:
        """Let the opponent resign."""
        with self._referee_answers():
            await self.client.leave(self._game)

    async def _play_opponent(self) -> None:
        with self._referee_answers():
            choices = await self.client.moves(self._game)
            await self.client.notify(self._game, **self._random.choice(choices.moves))

    @contextmanager
    def _referee_answers(self) -> Iterator[None]:
        """Let the opponent send commands in a block; they are refused if the game has ended."""
        with trio.move_on_after(REFEREE_S) as scope, suppress(Refused):
            yield
        if scope.cancelled_caught:
            raise StartError(f"the referee of the check did not answer for {REFEREE_S} s")

    async def reconnect_opponent(self) -> None:
        """Cut the connection of the opponent, and wait until it is back."""
        self.server.cut(self.opponent)
        with self._referee_answers():
            with suppress(Disconnected):  # of the connection that was cut
                await self.client.state(self._game)
            await self.client.state(self._game)

    async def reconnect_bot(self) -> None:
        """Cut the connection of the bot, and wait until it is back."""
        self.bot.grace_s = self._patience
        count = self._watch.connection_count
        self.server.cut(self.bot)
        try:
            await self.wait_for_connection(count + 1)
        except CheckFailed as failure:
            raise CheckFailed(f"after its connection was lost, {failure.text}") from None
