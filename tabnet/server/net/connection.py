"""The server's side of a connection: frames go in, and the bytes of its dialect go out."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

import trio

from tabnet.protocol.frames import Frame, PlayerTurn, Reply, Snapshot
from tabnet.server.core.costs.byte_budget import ByteBudget
from tabnet.server.core.costs.client_origin import ClientOrigin, find_host
from tabnet.server.core.costs.limits import Allowance
from tabnet.server.core.players.accounts import Proof
from tabnet.server.net.pending_history import PendingHistory
from tabnet.server.net.server_clock import now
from tabnet.server.net.transport import Transport

log = logging.getLogger("tabnet")

MAX_QUEUED = 8 * 1024 * 1024
"""The bytes that may wait for a client; with more, it reads too slowly."""

BATCH = 64 * 1024
"""The bytes offered to the socket in one call."""

PORTION = 16 * 1024
"""The bytes of history that are made at a time; other clients have their turn in between."""

MAX_HISTORIES = 8
"""The histories that a client may wait for before its next command is read."""

MAX_UNANSWERED = 64
"""The commands that a client may wait for before its next command is read."""

LOOK_MS = 50
"""The time between looks for other frames by a connection whose budget is spent."""

OVERDRAFT = 2 * PORTION
"""The bytes that a session may owe and still be served: commands go before histories."""

Encoder: TypeAlias = Callable[[Frame], bytes | None]
"""Encodes a frame in a dialect; None for a frame that the dialect does not send."""


class OutgoingFrame:
    """A frame on its way to some connections, encoded once for each dialect among them."""

    __slots__ = ("_encoded", "frame")

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._encoded: dict[Encoder, bytes | None] = {}

    def encode_with(self, encoder: Encoder) -> bytes | None:
        """Return the bytes of the frame in the dialect of `encoder`."""
        data = self._encoded.get(encoder)
        if data is None:
            data = self._encoded[encoder] = encoder(self.frame)
        return data


class Connection:
    """A bounded queue of bytes that `flush` sends without waiting."""

    def __init__(
        self,
        number: int,
        address: str,
        transport: Transport,
        nursery: trio.Nursery,
        allowance: Allowance,
        budget: ByteBudget,
        encoder: Encoder,
    ) -> None:
        self.number = number
        self.address = address
        self.host = find_host(address)
        """The address of the client, also behind a proxy."""
        self.origin = ClientOrigin.from_address(address)
        self.allowance = allowance
        """The commands that the client may send now."""
        self.budget = budget
        """The bytes that the client may be sent now as responses."""
        self.active_at = 0
        """The time of the last whole line, or when the client last played or followed a game."""
        self.has_sent_line = False
        """The client has sent a whole line."""
        self.stuck_since = math.inf
        """The time since when the client reads nothing."""
        self.proofs: dict[bytes, Proof] = {}
        """Passwords that were hashed on this connection, by a fast digest."""
        self.listens = True
        """Commands are still executed."""
        self.is_open = True
        """Frames can still be added."""
        self.encoder = encoder
        self._transport = transport
        self._nursery = nursery
        self._queue: list[bytes] = []
        self._size = 0
        self._unsent: bytes | memoryview = b""
        self._lost = False
        self._histories: deque[PendingHistory] = deque()
        self._is_draining = False
        self._unanswered = 0
        self._answer: trio.Event | None = None
        """Set at the next reply or end of a history, if the reader waits for it."""

    @property
    def has_history(self) -> bool:
        """A history is still to be sent."""
        return bool(self._histories)

    @property
    def may_continue(self) -> bool:
        """The next command may be executed at once."""
        return self._unanswered < MAX_UNANSWERED and not self._histories and self.budget.is_ample

    async def wait_for_turn(self) -> None:
        """Wait until the next command may be executed: its responses cost too much until then."""
        if delay := self.budget.compute_delay(now(), OVERDRAFT):
            await trio.sleep(delay / 1000)
        while len(self._histories) >= MAX_HISTORIES or self._unanswered >= MAX_UNANSWERED:
            self._answer = trio.Event()
            await self._answer.wait()
            self._answer = None

    def accept(self, outgoing: OutgoingFrame) -> bool:
        """Add a frame to the queue; return False if the queue has become too long.

        An update that follows a history which is still to be sent is made when its time comes.
        A turn waits behind such a history of its game.
        """
        if self._histories and self._accept_into_history(outgoing):
            return self._size <= MAX_QUEUED
        data = outgoing.encode_with(self.encoder)
        if isinstance(outgoing.frame, Reply):
            self.note_answer(len(data or b""))
        if data is not None and self.is_open:
            self._size += len(data)
            self._queue.append(data)
        return self._size <= MAX_QUEUED

    def _accept_into_history(self, outgoing: OutgoingFrame) -> bool:
        """Add an update or a turn of a history that is still to be sent; False for others."""
        frame = outgoing.frame
        for history in reversed(self._histories):
            if isinstance(frame, Snapshot) and history.extend(frame):
                return True
            if isinstance(frame, PlayerTurn) and frame.game == history.match.id:
                data = outgoing.encode_with(self.encoder) or b""
                self._size += len(data)
                history.turns.append(data)
                return True
        return False

    def note_command(self) -> None:
        """Note that a command has been read; a reply follows."""
        self._unanswered += 1

    def note_answer(self, size: int) -> None:
        """Note that a command has its reply, and charge it."""
        self.budget.spend(size)
        self._unanswered -= 1
        if self._answer is not None:
            self._answer.set()

    def send_history(self, history: PendingHistory) -> None:
        """Send the updates of a match: the first ones at once, the others as they are taken."""
        if not self._histories:
            self._add_portion(history)
        if not history.is_done:
            self._histories.append(history)

    def _add_portion(self, history: PendingHistory) -> None:
        """Add some updates to the queue, if the session may be sent more now."""
        if self.budget.compute_delay(now()):
            return
        before = self._size
        while self._size - before < PORTION and not history.is_done:
            data = self.encode_update(history.take()) or b""
            self._size += len(data)
            self._queue.append(data)
        self.budget.spend(self._size - before)

    def encode_update(self, frame: Snapshot) -> bytes | None:
        """Encode an update of a history."""
        return self.encoder(frame)

    def put(self, data: bytes) -> bool:
        """Add bytes to the queue; return False if the queue has become too long."""
        if not self.is_open:
            return True
        self._size += len(data)
        self._queue.append(data)
        return self._size <= MAX_QUEUED

    def close(self) -> None:
        """Accept no more frames, and disconnect when everything is sent."""
        self.is_open = False

    def cut(self) -> None:
        """Disconnect at once, even if something is still to be sent."""
        self.listens = self.is_open = False
        self._nursery.cancel_scope.cancel()

    def flush(self) -> bool:
        """Send as much of the queue as the socket takes; return False if `settle` must follow."""
        if self._unsent:
            return True  # the task that empties the queue is at work
        try:
            return self._send_queue() and self.is_open and not self._histories
        except OSError:
            self._lost = True
            return False

    def settle(self) -> None:
        """Continue after `flush`: send the rest when the socket takes it, or disconnect."""
        if self._lost or not self._is_sending():
            self.cut()
        elif not self._is_draining:
            self._is_draining = True
            self._nursery.start_soon(self._drain)

    def _is_sending(self) -> bool:
        return bool(self._unsent or self._queue or self._histories)

    async def _drain(self) -> None:
        """Send everything, as fast as the client reads and its budget allows."""
        try:
            while self._is_sending():
                if self._unsent or self._queue:
                    await self._send_some()
                else:
                    await self._add_next_portion()
        except OSError:
            self._lost = True
        except Exception:  # a history that cannot be made ends this connection alone
            log.exception("failed", extra={"fields": {"session": self.number}})
            self._lost = True
        self._is_draining = False
        if self._lost or not self.is_open:
            self.cut()

    async def _send_some(self) -> None:
        """Send what the socket takes, as soon as it takes anything."""
        if self.stuck_since == math.inf:
            self.stuck_since = trio.current_time()
        await self._transport.wait_writable()
        before = self._size
        if self._send_queue():
            self.stuck_since = math.inf
        elif self._size < before:
            self.stuck_since = trio.current_time()

    async def _add_next_portion(self) -> None:
        """Add the next updates of the first history to the queue, when the budget allows it."""
        if delay := self.budget.compute_delay(now()):
            await trio.sleep(min(delay, LOOK_MS) / 1000)
            return
        history = self._histories[0]
        self._add_portion(history)
        if history.is_done:
            self._histories.popleft()
            self._queue += history.turns
            if self._answer is not None:
                self._answer.set()

    def _send_queue(self) -> bool:
        """Send as much as the socket takes now; return True if that was everything."""
        while self._unsent or self._queue:
            data = self._unsent
            if not data and self._size <= BATCH:
                data = b"".join(self._queue)
                self._queue.clear()
            elif not data:
                data = self._take_batch()
            sent = self._transport.send(data)
            self._size -= sent
            self._unsent = b"" if sent == len(data) else memoryview(data)[sent:]
            if not sent:
                return False
        return True

    def _take_batch(self) -> bytes:
        """Remove and return the first frames of a long queue."""
        pieces, size = 0, 0
        while size < BATCH and pieces < len(self._queue):
            size += len(self._queue[pieces])
            pieces += 1
        batch = b"".join(self._queue[:pieces])
        del self._queue[:pieces]
        return batch
