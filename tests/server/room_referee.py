"""A referee without sockets, for the commands that dialects send."""

from __future__ import annotations

from typing import Any

from tabnet.protocol.codec import decode_frame
from tabnet.protocol.frames import Reply, Snapshot
from tabnet.protocol.messages import Command
from tabnet.server.core.effects import Send
from tabnet.server.storage.restore_service import restore
from tests.server.pure import Referee


class RoomReferee(Referee):
    """A referee whose sessions belong to dialects; times that are due are applied at once."""

    def ask(self, session: int, command: Command) -> Any:
        """Execute a command; return its reply, and deliver what follows from it."""
        effects = self.service.handle(session, command, self.now)
        reply = next(
            effect
            for effect in effects
            if isinstance(effect, Send) and isinstance(effect.frame, Reply)
        )
        self.perform([effect for effect in effects if effect is not reply])
        self.apply_timeouts()
        return reply.frame

    def snapshots(self, session: int) -> list[Snapshot]:
        """Return the updates that the session was sent."""
        lines, self.lines[session] = self.lines[session], []
        frames = [decode_frame(line) for line in lines]
        return [frame for frame in frames if isinstance(frame, Snapshot)]

    def _nothing_is_due(self) -> None:
        deadline = self.service.deadline
        if deadline is not None and deadline <= self.now:
            self.perform(self.service.apply_timeouts(self.now))

    def restarted(self) -> RoomReferee:
        """Return another server that goes on with the stored rows."""
        other = RoomReferee("other")
        other.now, other.store = self.now, self.store.copy()
        assert restore(other.service, other.store.saved(other.now), other.now) == []
        other.apply_timeouts()
        return other

    def room(self, name: str) -> str | None:
        """Return the id of the game in a room."""
        return self.service.games.rooms.game(name)
