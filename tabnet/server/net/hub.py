"""The service with connections and a clock: executes commands, performs effects.

Commands run to completion without an `await`, so moves are atomic without locks. Outgoing frames
wait until all earlier events are on disk, and then go into the bounded queue of each follower's
connection. A follower that stops reading is disconnected.
"""

from __future__ import annotations

import itertools
import logging
import math
import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TypeVar

import trio

from tabnet.errors import CODES, Refused, StoreError
from tabnet.protocol import codec
from tabnet.protocol.frames import Bye, Failed, Frame, Notice, Reply
from tabnet.protocol.messages import Command, Identified, Ping, Register
from tabnet.server.core.costs.byte_budget import ByteBudgets
from tabnet.server.core.costs.client_origin import ClientOrigin, find_host
from tabnet.server.core.costs.limits import FULL_RETRY_S, Allowance, ConnectionCounts, Limits
from tabnet.server.core.effects import (
    Close,
    CloseBanned,
    Effect,
    Log,
    SaveRow,
    Send,
    SendHistory,
)
from tabnet.server.core.pairing.quota_checks import needs_proof
from tabnet.server.core.players.accounts import Proof
from tabnet.server.core.rows import Row
from tabnet.server.core.server_counts import Histogram, ServerCounts
from tabnet.server.core.service import Service
from tabnet.server.net.connection import Connection, Encoder
from tabnet.server.net.outbox import Delivery, Outbox
from tabnet.server.net.passwords import CARRY_PASSWORDS, Passwords
from tabnet.server.net.pending_history import PendingHistory
from tabnet.server.net.request_connection import RequestConnection, Respond
from tabnet.server.net.server_clock import now
from tabnet.server.net.shared_reader import calling_after_reading
from tabnet.server.net.transport import Transport
from tabnet.server.storage.group_commit import Commits
from tabnet.server.storage.restore_service import find_missing, make_pause_rows, recall
from tabnet.server.storage.store import Store

log = logging.getLogger("tabnet")

LEVELS = {"refuse": logging.DEBUG, "set aside": logging.ERROR, "failed": logging.ERROR}
"""The level of each event that is not logged as info."""

C = TypeVar("C", bound=Connection)

PAUSE_S = 1
"""The pause after a failed timeout, so that it does not fail again at once."""
GRACE_S = 3
"""The time for which matches may go on when the server is to stop."""


class Hub:
    """Connects the service with its connections, its store and the clock."""

    def __init__(
        self,
        service: Service | None = None,
        store: Store | None = None,
        limits: Limits | None = None,
        passwords: Passwords | None = None,
        outbox: Outbox | None = None,
    ) -> None:
        self.service = service or Service(secrets.token_bytes)
        self.limits = limits or Limits()
        self.service.quotas.limits = self.limits
        self.service.is_stored = store is not None
        self.connection_counts = ConnectionCounts(self.limits)
        self.counts = ServerCounts()
        self.budgets = ByteBudgets(self.limits.bytes_per_s_per_address)
        self.store = store
        self.outbox = outbox or Outbox()
        self._commits: Commits[Delivery] = Commits(store, self.outbox.deliver, self.outbox.flush)
        self._numbers = itertools.count(1)
        self._passwords = passwords or Passwords(self.service.accounts)
        self._wakes_at = math.inf
        self._earlier = trio.Event()
        self._stopping = False
        self._may_stop = trio.Event()
        """Set when the server may stop, because no match is running or none is waited for."""

    # Connections

    @asynccontextmanager
    async def register(
        self,
        connection_class: type[C],
        encoder: Encoder,
        address: str,
        transport: Transport,
        greeting: Frame | None = None,
    ) -> AsyncIterator[C]:
        """Register a connection while the block runs, and until everything is sent after that.

        `greeting` is its first frame. When the hub disconnects the client, the block is cancelled.
        """
        allowance = Allowance(self.limits.commands_per_s, now())
        origin = ClientOrigin.from_address(address)
        budget = self.budgets.open(origin.key, now(), is_exempt=origin.is_exempt)
        number = next(self._numbers)
        async with trio.open_nursery() as nursery:
            connection = connection_class(
                number, address, transport, nursery, allowance, budget, encoder
            )
            connection.active_at = now()
            self.outbox.connections[number] = connection
            self.counts.connections += 1
            self._log(Log("connect", {"session": number, "address": address}))
            self.service.connect(number, origin=origin)
            try:
                if greeting is not None:
                    self.perform([Send((number,), greeting)])
                if self._stopping:
                    self.dismiss(connection, "stopping")
                yield connection
                self.perform([Close(number)])
                await trio.sleep_forever()
            finally:
                self.outbox.remove(connection)
                self._log(Log("disconnect", {"session": number}))
                self.perform(self.service.disconnect(number))

    async def execute(self, connection: Connection, command: Command | Failed) -> None:
        """Execute one command, or refuse a failed one; return when its effects are on their way."""
        if not connection.may_continue:
            await connection.wait_for_turn()
        moment = now()
        if not self._admit(connection, command, moment):
            return
        proof = None
        if not isinstance(command, Failed) and self._has_to_wait(connection, command, moment):
            await self.recall(command)
            moment = now()
            if (login := self._find_login(connection, command, moment)) is not None:
                origin = connection.origin.key
                try:
                    proof = await self._passwords.make_proof(origin, login, connection.proofs)
                except Refused as error:
                    self._break_off(connection, command, error)
                    return
                moment = now()
        self._execute(connection, command, moment, proof)

    def execute_at_once(self, connection: Connection, command: Command | Failed) -> bool:
        """Do what `execute` does, or return False, with nothing done, if that has to wait."""
        moment = now()
        if not connection.may_continue:
            return False
        if not isinstance(command, Failed) and self._has_to_wait(connection, command, moment):
            return False
        if self._admit(connection, command, moment):
            self._execute(connection, command, moment)
        return True

    def _admit(self, connection: Connection, command: Command | Failed, moment: int) -> bool:
        """Count a command; refuse it and return False if the client has sent too many."""
        connection.active_at = moment
        connection.has_sent_line = True
        connection.note_command()
        if isinstance(command, Ping) or connection.allowance.take(moment):
            return True
        text = f"a connection may send {self.limits.commands_per_s} commands a second at most"
        self._break_off(connection, command, Refused("too_many_commands", text, retry_after=1))
        return False

    def _has_to_wait(self, connection: Connection, command: Command, moment: int) -> bool:
        """Return True if a command needs a stored match, or the hash of a password, before it."""
        if self.store is not None and find_missing(self.service, command) is not None:
            return True
        return self._find_login(connection, command, moment) is not None

    def _find_login(
        self, connection: Connection, command: Command, moment: int
    ) -> Register | Identified | None:
        """Return the command if it has a password that must be hashed before it."""
        if isinstance(command, CARRY_PASSWORDS) and needs_proof(
            self.service, connection.number, command, moment
        ):
            return command
        return None

    def _execute(
        self,
        connection: Connection,
        command: Command | Failed,
        moment: int,
        proof: Proof | None = None,
    ) -> None:
        """Execute one command that the connection may send, with the proof of its password."""
        if isinstance(command, Failed):
            self.perform(self.service.refuse_malformed(connection.number, command))
            return
        effects = self.service.handle(connection.number, command, moment, proof)
        if proof is not None:
            effects += self._passwords.note_login(connection.origin.key, command, proof)
        self.perform(effects)
        if self.service.stopping:
            self._note_if_no_matches()

    async def execute_alone(
        self, connection: RequestConnection, command: Command | Failed, respond: Respond
    ) -> None:
        """Execute one command in a session of its own, and call `respond` with its reply."""
        self.service.connect_for_request(connection.number, connection.origin)
        await self.execute_and_wait(connection, command, respond)

    async def execute_and_wait(
        self, connection: RequestConnection, command: Command | Failed, respond: Respond
    ) -> None:
        """Execute one command in the session of the connection.

        Call `respond` with its reply, before a refusal that closes the connection does so.
        """
        replied = connection.expect_reply(respond)
        await self.execute(connection, command)
        await replied.wait()

    def leave_game(self, connection: Connection, game: str) -> None:
        """Send the connection no more updates of a game; its player is not present there."""
        self.perform(self.service.stop_following(connection.number, game))

    def refuse(self, connection: Connection, failed: Failed) -> None:
        """Send a refusal and close the connection, because the bytes after it are no commands."""
        me = connection.number
        self.perform([*self.service.refuse_malformed(me, failed), Close(me)])

    def _break_off(self, connection: Connection, command: Command | Failed, error: Refused) -> None:
        """Refuse a command that costs too much, and close the connection."""
        self._close_with(connection, codec.make_refusal(error, command.cmd, command.id), error.code)

    def dismiss(self, connection: Connection, code: str) -> None:
        """Send a `bye` with that code, and close the connection."""
        self._close_with(connection, Bye(reason=CODES[code], code=code), code)

    def _close_with(self, connection: Connection, frame: Frame, code: str) -> None:
        me = connection.number
        self._log(Log("dismiss", {"session": me, "code": code}))
        self.perform([Send((me,), frame), Close(me)])

    def find_ban(self, host: str) -> Bye | None:
        """Return the `bye` for a host whose address is banned, or None."""
        reason = self.service.banned_addresses.find_reason(host)
        if reason is None:
            return None
        return Bye(reason=f"your address is banned: {reason}", code="banned")

    def make_refusal(self, address: str) -> Bye:
        """Return the `bye` for a client that is not admitted."""
        code = "too_many_connections"
        full = Bye(reason=CODES[code], code=code, retry_after=FULL_RETRY_S)
        return self.find_ban(find_host(address)) or full

    def _close_banned(self) -> None:
        for connection in list(self.outbox.connections.values()):
            if (bye := self.find_ban(connection.host)) is not None:
                self._close_with(connection, bye, bye.code)

    async def end_matches(self) -> None:
        """Refuse joins, and wait a moment for matches to end, or until `skip_grace`."""
        self.service.stopping = True
        self._note_if_no_matches()
        if self._may_stop.is_set():
            return
        text = f"the server stops in {GRACE_S} seconds, or when the last game has ended"
        self.perform([Send(tuple(self.outbox.connections), Notice(text=text, code="stopping"))])
        with trio.move_on_after(GRACE_S):
            await self._may_stop.wait()

    def skip_grace(self) -> None:
        """Wait for no match any more."""
        self._may_stop.set()

    def _note_if_no_matches(self) -> None:
        if self.service.stopping and not self.service.games.playing:
            self._may_stop.set()

    def stop(self) -> None:
        """Close every connection, also those that are opened later."""
        self._stopping = True
        self.perform(make_pause_rows(self.service, now()))
        for connection in list(self.outbox.connections.values()):
            self.dismiss(connection, "stopping")

    # Time

    async def keep_time(self) -> None:
        """Apply the timeouts of matches and waits when they are due, until cancelled."""
        while True:
            deadline = self.service.deadline
            self._wakes_at = math.inf if deadline is None else deadline
            self._earlier = trio.Event()
            with trio.move_on_at((self._wakes_at + 1) / 1000):
                await self._earlier.wait()
            try:
                self.perform(self.service.apply_timeouts(now()))
                self._note_if_no_matches()
            except Exception:
                log.exception("failed", extra={"fields": {}})
                await trio.sleep(PAUSE_S)

    # The store

    @property
    def commit_times(self) -> Histogram:
        """The times that commits have taken."""
        return self._commits.times

    def check_database(self) -> bool | None:
        """Return whether rows can be stored now; None if this server stores nothing."""
        if self.store is None:
            return None
        try:
            self.store.check()
        except StoreError:
            return False
        return self._commits.works

    async def commit(self) -> None:
        """Commit rows until cancelled; raise `StoreError` if that fails.

        Nothing that follows from uncommitted rows has been sent. So the server has to stop, and a
        new one goes on from the rows on disk.
        """
        try:
            with calling_after_reading(self._commits.begin_small):
                await self._commits.run()
        except StoreError:
            bye = Bye(reason=CODES["server_error"], code="server_error")
            self.outbox.deliver((tuple(self.outbox.connections), bye))
            self.outbox.flush()
            raise

    async def wait_until_committed(self) -> None:
        """Wait until the rows of everything that has happened so far are on disk."""
        await self._commits.wait_until_committed()

    async def recall(self, command: Command) -> None:
        """Bring the finished match that a command is about back into memory."""
        if self.store is None:
            return
        wanted = find_missing(self.service, command)
        if wanted is not None and (stored := await self.store.find(wanted)) is not None:
            self.perform(recall(self.service, stored, now()))

    # Effects

    def perform(self, effects: Iterable[Effect]) -> None:
        """Perform effects: commit the rows, and deliver the frames after that."""
        rows: list[Row] = []
        deliveries: list[Delivery] = []
        for effect in effects:
            if isinstance(effect, Send):
                if effect.to:
                    deliveries.append((effect.to, effect.frame))
                if isinstance(effect.frame, Reply):
                    self.counts.add_reply(effect.frame)
            elif isinstance(effect, SaveRow):
                rows.append(effect.row)
            elif isinstance(effect, SendHistory):
                history = PendingHistory(
                    effect.match, effect.first, effect.last, self.service.games.get_latest
                )
                deliveries.append(((effect.to,), history))
            elif isinstance(effect, Close):
                self.outbox.connections[effect.to].listens = False
                deliveries.append(((effect.to,), None))
            elif isinstance(effect, CloseBanned):
                self._close_banned()
            else:
                self._log(effect)
        self._commits.add(rows, deliveries)
        deadline = self.service.games.deadline
        if deadline is not None and deadline < self._wakes_at:
            self._earlier.set()

    def _log(self, entry: Log) -> None:
        if entry.event == "pair":
            self.counts.begun_matches[entry.fields["kind"]] += 1
        elif entry.event == "end":
            self.counts.ended_matches[entry.fields["reason"]] += 1
        level = LEVELS.get(entry.event, logging.INFO)
        log.log(level, entry.event, extra={"fields": entry.fields}, exc_info=entry.error)
