"""What the service wants done, as data: the hub does it, tests compare it."""

from __future__ import annotations

from typing import Any, TypeAlias

from tabnet.protocol.frames import Frame
from tabnet.protocol.values import frozen
from tabnet.server.core.matches.match import Match
from tabnet.server.core.rows import Row


@frozen
class Send:
    """Send one frame, encoded once, to these sessions."""

    to: tuple[int, ...]
    frame: Frame


@frozen
class SendHistory:
    """Send a session the updates `first` to `last` of a match, as fast as it takes them."""

    to: int
    match: Match
    first: int
    last: int


@frozen
class Close:
    """Close this session when everything sent to it is out."""

    to: int


@frozen
class Log:
    """Something an operator wants to know; never a password or a token."""

    event: str
    fields: dict[str, Any]
    error: BaseException | None = None
    """The exception that the event is about; its traceback belongs into the log."""


@frozen
class SaveRow:
    """Keep this row; nothing that comes after it is sent before it is kept."""

    row: Row


Effect: TypeAlias = Send | SendHistory | Close | Log | SaveRow
