"""A referee: plays games with processes of bots and with remote bots."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence

import trio

from tabnet.tournament.plan.game_terms import terms_of
from tabnet.tournament.plan.plan import secret_of
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.failure import ErrorLog, RefereeFailed, failure_of
from tabnet.tournament.play.referee.assigned_games import AssignedGame
from tabnet.tournament.play.referee.match_server import MatchServer, RefereedGame
from tabnet.tournament.play.referee.player import TournamentPlayer
from tabnet.tournament.play.referee.player_pool import PlayerPool
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_interface import FailedStart, PlayedGame, RefereeSettings
from tabnet.tournament.records.game_record import record_of_match
from tabnet.tournament.records.match_results import match_result, unbegun_result
from tabnet.tournament.records.results import Result, ScheduledGame

TRIAL = ("", -1)
"""The pair of a process that is started only to try a bot."""


class Referee:
    """A match server and its players; `live` runs them.

    The process that runs the referee chooses `remote_ports`, and the folder of `local_bots`, which
    the referee removes at its end. An exception in one game is a failure of that game alone. Any
    other exception ends the referee.
    """

    def __init__(
        self, referee_settings: RefereeSettings, remote_ports: RemotePorts, local_bots: LocalBots
    ) -> None:
        self.match_server = MatchServer()
        self.cpu_s = 0.0
        """The processor time of its own process; it has none."""
        self._pool: PlayerPool
        self._referee_settings = referee_settings
        self._remote_ports = remote_ports
        self._closed = trio.Event()
        self._errors = ErrorLog(self.match_server.on_error)
        self._plan = referee_settings.plan
        self._local_bots = local_bots
        self._bots = {bot.name: bot for bot in referee_settings.bots}

    async def live(self, on_ready: Callable[[], None]) -> None:
        """Play games until closed; raises `RefereeFailed`. Calls `on_ready` when it can play."""
        referee_settings, logger = self._referee_settings, logging.getLogger("tabnet")
        logger.addHandler(self._errors)
        try:
            async with trio.open_nursery() as nursery:
                self._pool = PlayerPool(
                    *(self.match_server, nursery, terms_of(self._plan, self._plan.seats)),
                    *(referee_settings.limits, self._remote_ports, referee_settings.timeouts),
                    self._local_bots,
                )
                nursery.start_soon(self.match_server.run)
                on_ready()
                await self._closed.wait()
                nursery.cancel_scope.cancel()
        except Exception as error:
            raise failure_of(error, str(self._errors)) from error
        finally:
            logger.removeHandler(self._errors)
            self._local_bots.remove()

    async def try_out(self, name: str) -> FailedStart | None:
        """Start an entrant once; return its failure, or None when it has asked for a game."""
        try:
            player = await self._pool.take(self._bots[name], TRIAL)
        except Exception as error:
            raise failure_of(error, str(self._errors)) from error
        self._pool.give_back(player)
        if player.fault is None:
            return None
        if player.process is None or not player.process.ending:
            return FailedStart(player.fault.detail, has_ended=False)
        last = player.process.output.last_line.removeprefix("tabnet: ")
        return FailedStart(last or player.fault.detail, has_ended=True)

    async def play(self, game: ScheduledGame) -> PlayedGame:
        """Play a game to its end; raises `RefereeFailed`."""
        try:
            players = await self._gather(game)
            return await self._play(game, players)
        except Exception as error:
            raise failure_of(error, str(self._errors)) from error

    async def _play(self, game: ScheduledGame, players: Sequence[TournamentPlayer]) -> PlayedGame:
        try:
            played = await self._seated(game, players)
        except Exception:
            for player in players:
                self._pool.drop(player)
            raise
        for player in players:
            self._pool.give_back(player)
        return played

    async def _seated(self, game: ScheduledGame, players: Sequence[TournamentPlayer]) -> PlayedGame:
        began = time.time()
        faults = [player.fault for player in players]
        record = None
        if any(faults):
            result = unbegun_result(game, faults)
        else:
            playing = await self.match_server.play(
                self._assigned_game(game, players), tuple(players)
            )
            if playing.failure is not None:
                text = playing.failure or self._errors.latest
                raise RefereeFailed(text, f"{self._errors}\n{_transcripts(players)}")
            result = _result(game, playing)
            if playing.match is not None:
                record = record_of_match(playing.match, game.seats)
        log = _log(result, players) if result.went_wrong else None
        return PlayedGame(result, began, record, log)

    def moves(self, game: str) -> int:
        """Return the number of actions in a game."""
        return self.match_server.moves(game)

    async def close(self) -> None:
        """End all players."""
        await self._pool.close()
        self._closed.set()

    async def _gather(self, game: ScheduledGame) -> tuple[TournamentPlayer, ...]:
        """Return the players of a game, in seat order."""
        found: dict[str, TournamentPlayer] = {}
        pair = (" ".join(sorted(game.seats)), game.pair)

        async def take(name: str) -> None:
            found[name] = await self._pool.take(self._bots[name], pair)

        try:
            async with trio.open_nursery() as nursery:
                for name in game.seats:
                    nursery.start_soon(take, name)
        except Exception:
            for player in found.values():
                self._pool.drop(player)
            raise
        return tuple(found[name] for name in game.seats)

    def _assigned_game(
        self, game: ScheduledGame, players: Sequence[TournamentPlayer]
    ) -> AssignedGame:
        return AssignedGame(
            id=game.id,
            terms=terms_of(self._plan, len(game.seats)),
            nicks=tuple(player.nick for player in players),
            secret=secret_of(self._plan, game.seats, game.pair),
            most=self._plan.max_moves,
        )


def _result(game: ScheduledGame, playing: RefereedGame) -> Result:
    """Return the result of a game."""
    match = playing.match
    if match is None or match.result is None:
        return unbegun_result(game, [player.fault for player in playing.players])
    return match_result(game, match, match.result, playing.faults, playing.last_lines)


def _log(result: Result, players: Sequence[TournamentPlayer]) -> str:
    """Return the log of a game that went wrong."""
    seats = result.game.seats
    parts = [f"game {result.game.id}: {' - '.join(seats)}"]
    parts += (f"{each.cause} of {seats[each.seat]}: {each.detail}" for each in result.blamed)
    return "\n".join(parts) + "\n" + _transcripts(players)


def _transcripts(players: Sequence[TournamentPlayer]) -> str:
    """Return the transcripts and the outputs of the players of a game."""
    parts = []
    for player in players:
        parts.append(f"\n--- {player.nick}: what it sent (>) and was sent (<)\n{player.transcript}")
        if player.process is not None:
            parts.append(f"\n--- {player.nick}: what it wrote\n{player.process.output}")
    return "\n".join(parts) + "\n"
