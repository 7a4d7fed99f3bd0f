"""The rows and updates that go with the next value of a match. Pure.

They are made before anything changes, so that an exception in the code of a match changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabnet.errors import TabnetError
from tabnet.protocol.frames import Snapshot
from tabnet.protocol.frozen_values import frozen
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import ERROR
from tabnet.server.core.rows import Row, SetAsideEnded
from tabnet.server.core.rows_of_matches import make_end_row, make_event_row, make_start_row
from tabnet.server.core.turn_feed import TurnChange, make_turn_change
from tabnet.server.core.update_frames import make_update


class MatchFailed(Exception):
    """The code of a match has raised an exception, the cause of this one; nothing has changed."""

    def __init__(self, match: Match) -> None:
        super().__init__(f"game {match.id} failed")
        self.match = match


@frozen
class Change:
    """The next value of a match, with the rows and updates that go with it."""

    match: Match
    since: int
    """The number of the latest update before the change."""
    rows: Sequence[Row]
    updates: Sequence[Snapshot]
    """Every update, or only the last one of the match if no follower receives the others."""
    turns: TurnChange | None = None
    """The change for players who receive turns; None if there are none, and after the end."""


def prepare_start(match: Match, *, stored: bool) -> Change:
    """Return the change that begins a match."""
    rows = [make_start_row(match), *_make_rows(match, 0)] if stored else ()
    return Change(match, 0, rows, _make_updates(match, 0), make_turn_change(match, 0))


def prepare_change(
    match: Match,
    action: Callable[[], Match],
    *,
    stored: bool,
    has_update_followers: bool = True,
    has_turn_followers: bool = False,
) -> Change:
    """Return the change that `action` makes of a match.

    Raise the refusal of the action, or `MatchFailed` for any other exception.
    """
    try:
        after = action()
    except TabnetError:
        raise
    except Exception as error:
        raise MatchFailed(match) from error
    since = match.seq
    try:
        rows = _make_rows(after, since) if stored else ()
        is_over = after.result is not None
        first = since if has_update_followers or not is_over else after.seq - 1
        updates = _make_updates(after, first) if has_update_followers or is_over else ()
        turns = make_turn_change(after, since) if has_turn_followers and not is_over else None
        return Change(after, since, rows, updates, turns)
    except Exception as error:
        raise MatchFailed(match) from error


def prepare_closing(match: Match, now: int, *, stored: bool) -> Change:
    """Return the change that ends a match whose code has raised an exception: nobody wins.

    Its update shows the last good position, if the code of the match can still show it.
    """
    closed = match.end(now, ERROR)
    try:
        updates = _make_updates(closed, match.seq)
    except Exception:  # noqa: BLE001 - the first exception is the one to report
        updates = [Snapshot(game=match.id, seq=closed.seq, position={"winner": None})]
    return Change(closed, match.seq, _make_closing_rows(closed) if stored else (), updates)


def _make_closing_rows(closed: Match) -> Sequence[Row]:
    """Return the rows of the end; the store keeps the events it has if they cannot be made."""
    try:
        return _make_rows(closed, closed.seq - 1)
    except Exception:  # noqa: BLE001 - the first exception is the one to report
        return [SetAsideEnded(closed.id)]


def _make_rows(match: Match, since: int) -> list[Row]:
    rows: list[Row] = [make_event_row(match, number) for number in range(since + 1, match.seq + 1)]
    if match.result is not None:
        rows.append(make_end_row(match))
    return rows


def _make_updates(match: Match, since: int) -> list[Snapshot]:
    return [make_update(match, number) for number in range(since + 1, match.seq + 1)]
