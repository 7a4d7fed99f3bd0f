"""The server of a referee: the server's own code on loopback ports, and its players.

Each player has its own port, so every connection belongs to a known player from the start.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from ssl import SSLContext
from typing import Any, TypeAlias, cast

import trio
from attrs import define, field, frozen

from tabnet.dialects.json_lines import JsonLines
from tabnet.protocol.frames import Failed
from tabnet.server.core.costs.limits import Limits
from tabnet.server.core.effects import Effect
from tabnet.server.core.matches.match import Match
from tabnet.server.core.players.accounts import Proof
from tabnet.server.core.service import Service
from tabnet.server.net.accepted_sockets import (
    get_address,
    open_local_socket,
    open_port,
    serve_tcp,
    serve_tls,
)
from tabnet.server.net.connection import Connection
from tabnet.server.net.hub import Hub
from tabnet.server.net.passwords import Passwords
from tabnet.server.net.server_clock import now
from tabnet.server.net.transport import Transport
from tabnet.tournament.play.bots.bot_process import BotProcess
from tabnet.tournament.play.referee.assigned_games import AssignedGame, AssignedGames
from tabnet.tournament.play.referee.batching_outbox import BatchingOutbox
from tabnet.tournament.play.referee.player import TournamentPlayer
from tabnet.tournament.play.referee.transcript import RecordedTransport
from tabnet.tournament.records.entrants_and_results import ERROR
from tabnet.tournament.records.results_of_matches import Fault

log = logging.getLogger("tabnet")

LOOPBACK = "127.0.0.1"
HUNG_UP = "it hung up and did not come back"
LAST_WORDS_S = 0.5
"""The time to read the last lines of a process that has ended."""
MAX_CONNECTIONS = 16
"""The number of connections of a player; a flood of them would leave no file for others."""
ENOUGH = 10**9
NO_LIMITS = Limits(
    connections=ENOUGH, per_address=ENOUGH, commands_per_s=ENOUGH, games_per_nick=ENOUGH
)


@frozen
class PlayerLines(JsonLines):
    """JSON lines with one player, recorded in its transcript."""

    player: TournamentPlayer

    async def converse(self, transport: Transport, address: str) -> None:  # noqa: ARG002 - it has a name
        await super().converse(
            RecordedTransport(transport, self.player.transcript, self.player.cpu_meter),
            self.player.nick,
        )


@frozen
class PlayerPort:
    """The port of one player."""

    number: int
    local_socket: Path | None
    """The path of the same on a local socket; None if there is none."""


DialectOfPlayer: TypeAlias = Callable[[Hub, TournamentPlayer], PlayerLines]
"""Makes the dialect of a player's connections."""


@define(eq=False)
class RefereedGame:
    assigned: AssignedGame
    players: tuple[TournamentPlayer, ...]
    """In seat order."""
    match: Match | None = None
    """The match after its end; None if it never began."""
    faults: dict[int, Fault] = field(factory=dict)
    """The faults of the seats that the server has removed."""
    last_lines: dict[int, str] = field(factory=dict)
    """Each player's last line before it was out; the next line asks for the next game."""
    failure: str | None = None
    """The failure of the referee in this game; empty if only its log has an error text."""
    over: trio.Event = field(factory=trio.Event)


class MatchServer:
    """Lets players play assigned games."""

    def __init__(self, dialect: DialectOfPlayer = PlayerLines) -> None:
        self._dialect = dialect
        service = Service(secrets.token_bytes)
        self._assigned_games = AssignedGames(service, self)
        service.matchmaking = self._assigned_games
        self._outbox = BatchingOutbox(self._may_wait)
        passwords = Passwords(service.accounts, hash_password)
        self._hub = Hub(service, limits=NO_LIMITS, passwords=passwords, outbox=self._outbox)
        self._players: dict[str, TournamentPlayer] = {}
        self._playing: dict[str, RefereedGame] = {}
        self._handshaking = trio.Lock()

    async def run(self) -> None:
        """Apply timeouts and send frames, for ever."""
        with self._outbox.active():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._outbox.run)
                await self._hub.keep_time()

    # Players

    @asynccontextmanager
    async def open_player_port(
        self,
        player: TournamentPlayer,
        host: str = LOOPBACK,
        context: SSLContext | None = None,
        local_path: Path | None = None,
    ) -> AsyncIterator[PlayerPort]:
        """Open a port for a player for the length of a block, with TLS if there is a `context`.

        With a `local_path`, open a local socket there too, where that is possible.
        """
        salt = player.nick.encode()
        proof = Proof(salt, hash_password(player.password, salt))
        self._hub.service.accounts.set_proof(player.nick, proof)
        self._players[player.nick] = player
        self._assigned_games.nicks.add(player.nick)
        listeners = await open_port(host, 0, "--host")
        number = int(get_address(listeners[0]).rpartition(":")[2])
        local = None if local_path is None else await open_local_socket(local_path)
        if local is not None:
            listeners.append(local)
        async with trio.open_nursery() as nursery:
            handler = partial(self._serve, nursery, player, context)
            # The port is open already: who connects before it is served is only kept waiting.
            nursery.start_soon(partial(trio.serve_listeners, handler, listeners))  # noqa: ASYNC113
            try:
                yield PlayerPort(number, local and local_path)
            finally:
                nursery.cancel_scope.cancel()
                self._assigned_games.nicks.discard(player.nick)
                del self._players[player.nick]

    async def await_exit(self, player: TournamentPlayer, process: BotProcess) -> None:
        """Wait for the end of a player's process; its game, if it has one, is then lost."""
        await process.ended.wait()
        await player.wait_until_silent(LAST_WORDS_S)
        cause = "crash" if player.playing or process.offence else "start_failed"
        self.blame(player, Fault(cause, process.description))

    async def _serve(
        self,
        nursery: trio.Nursery,
        player: TournamentPlayer,
        context: SSLContext | None,
        stream: trio.SocketStream,
    ) -> None:
        if player.connections == MAX_CONNECTIONS:
            return
        dialect = self._dialect(self._hub, player)
        player.note_connection()
        if context is None:
            await serve_tcp(dialect, stream)
        else:
            await serve_tls(dialect, lambda: context, self._handshaking, stream)
        player.note_disconnection()
        if not player.connections:
            nursery.start_soon(self._await_return, player)

    async def _await_return(self, player: TournamentPlayer) -> None:
        await trio.sleep(player.grace_s)
        if not player.connections and (player.playing or player.process):
            self.blame(player, Fault("disconnect", HUNG_UP))

    def blame(self, player: TournamentPlayer, fault: Fault) -> None:
        """Note a fault of a player: its game, if it has one, is lost."""
        self._hub.perform(self._record_fault(player, fault))

    def _record_fault(self, player: TournamentPlayer, fault: Fault) -> list[Effect]:
        player.note_fault(fault)
        playing = player.playing
        if playing is None:
            return []
        seat, id = playing.players.index(player), playing.assigned.id
        match = self._hub.service.games.playing.get(id)
        if match is not None and seat in match.out:
            return []
        playing.faults[seat] = fault
        if match is not None:
            return self._assigned_games.stop(id, now(), fault.cause, seat)
        self._assigned_games.withdraw(playing.assigned)
        self._end(playing)
        return []

    def cut_connections(self, player: TournamentPlayer) -> None:
        """Break the connections of a player, which may reconnect."""
        for connection in list(self._hub.outbox.connections.values()):
            if connection.address == player.nick:
                connection.cut()

    def disconnect_all(self) -> None:
        self._hub.stop()

    # Games

    async def play(
        self, assigned: AssignedGame, players: tuple[TournamentPlayer, ...]
    ) -> RefereedGame:
        """Play a game with players that have asked for one, and return it after its end."""
        playing = RefereedGame(assigned, players)
        self._playing[assigned.id] = playing
        for player in players:
            player.begin_game(playing)
        try:
            self._hub.perform(self._assigned_games.reserve(assigned, now()))
        except Exception:
            self._abandon(playing)
            raise
        for player in players:
            has_ended = assigned.id not in self._playing
            has_begun = assigned.id in self._hub.service.games.playing
            if not has_ended and not has_begun and not self._assigned_games.is_asking(player.nick):
                self.blame(player, Fault("start_failed", "it hung up before its game began"))
        await playing.over.wait()
        return playing

    def get_match(self, game: str) -> Match:
        return cast(Match, self._hub.service.games.find(game))

    @property
    def moves(self) -> dict[str, int]:
        """The number of actions in each running match."""
        matches = self._hub.service.games.playing
        return {id: matches[id].actions for id in self._playing if id in matches}

    # Faults of the referee

    def handle_error(self, record: logging.LogRecord, text: str) -> None:
        """Fail the game of an error that the server's code has contained and logged.

        An error without a session or a game fails all games.
        """
        fields: dict[str, Any] = getattr(record, "fields", {})
        connection = self._hub.outbox.connections.get(fields.get("session", 0))
        player = self._players.get(connection.address) if connection else None
        if "session" in fields:
            concerned = [player.playing] if player and player.playing else []
        elif "game" in fields:
            concerned = [self._playing[id] for id in (fields["game"],) if id in self._playing]
        else:
            concerned = list(self._playing.values())
        for playing in concerned:  # later: what logs the error may be at work on the same match
            trio.lowlevel.current_trio_token().run_sync_soon(self._fail, playing, text)

    def _fail(self, playing: RefereedGame, text: str) -> None:
        """End a game in which the referee has failed, without a winner."""
        id = playing.assigned.id
        if playing.over.is_set():
            return
        playing.failure = text
        try:
            if id in self._hub.service.games.playing:
                self._hub.perform(self._assigned_games.stop(id, now(), ERROR, None))
        except Exception:
            log.exception("failed", extra={"fields": {"game": id}})
        finally:
            self._abandon(playing)

    def _abandon(self, playing: RefereedGame) -> None:
        """Remove a game, whatever the state of its match."""
        if playing.over.is_set():
            return
        service, id = self._hub.service, playing.assigned.id
        self._assigned_games.withdraw(playing.assigned)
        if id in service.games.playing:
            service.games.finish(service.games.playing[id])
            service.sessions.end(id)
        self._end(playing)

    def _may_wait(self, connection: Connection) -> bool:
        """Return True if the player of a connection is in a game, and not to act."""
        player = self._players.get(connection.address)
        if player is None or player.playing is None:
            return False
        match = self._hub.service.games.playing.get(player.playing.assigned.id)
        return match is not None and match.get_nick(match.turn) != player.nick

    # `PlayerWatcher`

    def note_join(self, nick: str) -> None:
        self._players[nick].note_join()

    def note_malformed(self, nick: str, failed: Failed) -> list[Effect]:
        """See `PlayerWatcher`: the player is removed."""
        player = self._players[nick]
        return self._record_fault(
            player, Fault("malformed", f"{failed.error}: {player.transcript.last_line}")
        )

    def note_removal(self, match: Match, seat: int) -> None:
        """See `PlayerWatcher`: a player that was too slow may still think, and is ended."""
        playing = self._playing[match.id]
        player = playing.players[seat]
        playing.last_lines[seat] = player.transcript.last_line
        if match.find_removal(seat).event == "timeout":
            if not player.connections:
                playing.faults[seat] = Fault("disconnect", HUNG_UP)
            player.note_fault(Fault("disconnect", "it was too slow"))
        if player.fault is not None and match.result is None:
            player.kill()

    def note_end(self, match: Match) -> None:
        playing = self._playing[match.id]
        playing.match = match
        if match.result is not None and match.result.reason == ERROR and playing.failure is None:
            playing.failure = ""
        self._end(playing)

    def _end(self, playing: RefereedGame) -> None:
        del self._playing[playing.assigned.id]
        for player in playing.players:
            player.playing = None
        playing.over.set()


def hash_password(password: str, salt: bytes) -> bytes:
    """Return a fast digest, which is enough for random passwords that are never stored."""
    return hashlib.sha256(salt + password.encode()).digest()
