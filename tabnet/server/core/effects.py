"""Effects: the service returns them as values, the hub performs them, and tests compare them."""

from __future__ import annotations

from typing import Any, TypeAlias

from tabnet.protocol.frames import Frame
from tabnet.protocol.frozen_values import frozen
from tabnet.server.core.matches.match import Match
from tabnet.server.core.rows import Row


@frozen
class Send:
    """Send one frame, encoded once, to these sessions."""

    to: tuple[int, ...]
    frame: Frame


@frozen
class SendHistory:
    """Send a session the updates `first` to `last` of a match, at the pace of the reader."""

    to: int
    match: Match
    first: int
    last: int


@frozen
class Close:
    """Close this session when everything sent to it is out."""

    to: int


@frozen
class CloseBanned:
    """Close every connection from a banned address, with the reason."""


@frozen
class Log:
    """Log an event for the operator, without passwords and tokens."""

    event: str
    fields: dict[str, Any]
    error: BaseException | None = None
    """The exception of the event, which is logged with its traceback."""


@frozen
class SaveRow:
    """Store this row; nothing after it is sent before the row is on disk."""

    row: Row


Effect: TypeAlias = Send | SendHistory | Close | CloseBanned | Log | SaveRow
