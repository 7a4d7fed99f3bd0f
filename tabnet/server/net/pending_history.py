"""The updates of a match that a connection has asked for, made at the pace of the reader."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from tabnet.protocol.frames import Snapshot
from tabnet.server.core.matches.match import Match
from tabnet.server.core.update_frames import make_update


@define(eq=False)
class PendingHistory:
    """The updates from number `next_seq` to `last_seq`, none of which has been made yet."""

    match: Match
    next_seq: int
    last_seq: int
    latest: Callable[[Match], Match]
    """Returns the match as it is now."""
    turns: list[bytes] = field(factory=list)
    """The turns of the same game that follow the last update."""

    @property
    def is_done(self) -> bool:
        """Every update has been taken."""
        return self.next_seq > self.last_seq

    def take(self) -> Snapshot:
        """Make the next update."""
        frame = make_update(self.match, self.next_seq)
        self.next_seq += 1
        return frame

    def extend(self, frame: Snapshot) -> bool:
        """Include the update that follows the last one; return False for any other frame."""
        if frame.game != self.match.id or frame.seq != self.last_seq + 1:
            return False
        self.match, self.last_seq = self.latest(self.match), frame.seq
        return True
