"""A referee: plays games with processes of bots and with remote bots."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence

import attrs
import trio

from tabnet.tournament.plan.game_terms import encode_join, make_terms
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.referee.assigned_games import AssignedGame
from tabnet.tournament.play.referee.match_server import MatchServer, RefereedGame
from tabnet.tournament.play.referee.player import TournamentPlayer
from tabnet.tournament.play.referee.player_pool import PlayerPool
from tabnet.tournament.play.referee.player_processes import PlayerProcesses
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_failure import ErrorLog, RefereeFailed, wrap_error
from tabnet.tournament.play.referee_interface import FailedStart, PlayedGame, RefereeSettings
from tabnet.tournament.records.entrants_and_results import Result, ScheduledGame
from tabnet.tournament.records.replay_record import record_match
from tabnet.tournament.records.results_of_matches import make_match_result, make_unbegun_result

MAX_IDLE = {2: 32, 3: 64, 4: 160}
"""The number of processes that may wait for a game, by its seats. In games of four a bot has 24
processes, one for each game of a group."""
TRIAL = ("", -1)
"""The pair of a process that is started only to try a bot."""


class Referee:
    """A match server and its players; `run` runs them.

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
        self._errors = ErrorLog(self.match_server.handle_error)
        self._plan = referee_settings.plan
        self._local_bots = local_bots
        self._bots = {bot.name: bot for bot in referee_settings.bots}

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Play games until closed; raises `RefereeFailed`. Calls `on_ready` when it can play."""
        settings, logger = self._referee_settings, logging.getLogger("tabnet")
        logger.addHandler(self._errors)
        try:
            async with trio.open_nursery() as nursery:
                terms = make_terms(self._plan, self._plan.seats)
                processes = PlayerProcesses(
                    *(self.match_server, nursery, self._local_bots),
                    *(terms.kind, encode_join(terms), settings.processes),
                )
                self._pool = PlayerPool(
                    processes, self._remote_ports, settings.timeouts, MAX_IDLE[terms.seats]
                )
                nursery.start_soon(self.match_server.run)
                on_ready()
                await self._closed.wait()
                nursery.cancel_scope.cancel()
        except Exception as error:
            raise wrap_error(error, str(self._errors)) from error
        finally:
            logger.removeHandler(self._errors)
            self._local_bots.remove()

    async def try_out(self, name: str) -> FailedStart | None:
        try:
            player = await self._pool.take(self._bots[name], TRIAL)
        except Exception as error:
            raise wrap_error(error, str(self._errors)) from error
        self._pool.give_back(player)
        if player.fault is None:
            return None
        if player.process is None or not player.process.ending:
            return FailedStart(player.fault.detail, has_ended=False)
        last = player.process.output.last_line
        return FailedStart(last or player.fault.detail, has_ended=True)

    async def play(self, game: ScheduledGame) -> PlayedGame:
        players: dict[str, TournamentPlayer] = {}
        pair = (" ".join(sorted(game.seats)), game.pair)

        async def take(name: str) -> None:
            players[name] = await self._pool.take(self._bots[name], pair)

        try:
            async with trio.open_nursery() as nursery:
                for name in game.seats:
                    nursery.start_soon(take, name)
            played = await self._play(game, tuple(players[name] for name in game.seats))
        except Exception as error:
            for player in players.values():
                player.kill()  # the game is played again, and its process knows the throws
            raise wrap_error(error, str(self._errors)) from error
        for player in players.values():
            self._pool.give_back(player)
        return played

    async def _play(self, game: ScheduledGame, players: tuple[TournamentPlayer, ...]) -> PlayedGame:
        began, record, throws = time.time(), None, game.throws
        if throws is None:
            raise ValueError("the game has come without its throws")
        game = attrs.evolve(game, throws=None)  # results tell only those of games that are over
        if any(player.fault for player in players):
            result = make_unbegun_result(game, [player.fault for player in players])
        else:
            assigned = AssignedGame(
                id=game.id,
                terms=make_terms(self._plan, len(game.seats)),
                nicks=tuple(player.nick for player in players),
                secret=throws.secret,
                max_actions=self._plan.max_moves,
            )
            playing = await self.match_server.play(assigned, players)
            if playing.failure is not None:
                text = playing.failure or self._errors.latest
                raise RefereeFailed(text, f"{self._errors}\n{_format_transcripts(players)}")
            result = attrs.evolve(_make_result(game, playing), nonce=throws.nonce)
            if playing.match is not None:
                record = record_match(playing.match, game.seats)
        for player in players:
            player.read_output()
        log = _format_log(result, players) if result.went_wrong else None
        return PlayedGame(result, began, record, log, outputs=_take_outputs(players))

    @property
    def moves(self) -> Mapping[str, int]:
        return self.match_server.moves

    async def close(self) -> None:
        await self._pool.processes.close()
        self._closed.set()


def _make_result(game: ScheduledGame, playing: RefereedGame) -> Result:
    match = playing.match
    if match is None or match.result is None:
        return make_unbegun_result(game, [player.fault for player in playing.players])
    return make_match_result(
        *(game, match, match.result, playing.faults, playing.last_lines),
        [player.cpu_meter.cpu_ms for player in playing.players],
    )


def _take_outputs(players: Sequence[TournamentPlayer]) -> dict[str, str]:
    outputs = {each.name: each.process.take_output() for each in players if each.process}
    return {name: output for name, output in outputs.items() if output}


def _format_log(result: Result, players: Sequence[TournamentPlayer]) -> str:
    seats = result.game.seats
    parts = [f"game {result.game.id}: {' - '.join(seats)}"]
    parts += (f"{each.cause} of {seats[each.seat]}: {each.detail}" for each in result.blamed)
    return "\n".join(parts) + "\n" + _format_transcripts(players)


def _format_transcripts(players: Sequence[TournamentPlayer]) -> str:
    parts = []
    for player in players:
        parts.append(f"\n--- {player.nick}: what it sent (>) and was sent (<)\n{player.transcript}")
        if player.process is not None:
            parts.append(f"\n--- {player.nick}: what it wrote\n{player.process.output}")
    return "\n".join(parts) + "\n"
