"""The games of a report as its page replays them. Pure.

The page knows no rules. A game starts with a position, and each step is a list of numbers:

    [seat, event, path, value, path, value, ...]

- `event` is the event as the protocol writes it, without the player.
- Each `path` and `value` is a change of the position before: `pieces.8` is null now.
- Events, paths and values are indexes into lists that all games of a report share.

Positions are those of the protocol's updates: the `view()` of the rules, with the fields that the
board of the kind reads (`Game.board_fields`). Nothing here depends on the kind.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import orjson
from attrs import define, field

from tabnet.errors import TabnetError
from tabnet.games import GAMES
from tabnet.games.api import JSON, State
from tabnet.tournament.records.entrants_and_results import Result
from tabnet.tournament.records.replay_record import (
    GameRecord,
    decode_record,
    make_first_position,
    replay_actions,
)

Path: TypeAlias = tuple[str | int, ...]
"""The names and numbers that lead to a value in a position: `("pieces", 8)`."""
Change: TypeAlias = tuple[Path, JSON]
"""The place of a change in a position, and the new value."""

ENCODER = json.JSONEncoder(separators=(",", ":"))
CHANGE_BYTES = 6
"""The usual size of the two indexes of a change."""


def encode_json(value: JSON) -> str:
    """Return the value as compact JSON."""
    return ENCODER.encode(value)


@define
class SharedLists:
    """The paths and the values that the games of a report refer to by index."""

    paths: dict[str, int] = field(factory=dict)
    """The index of each path, by its JSON text."""
    values: dict[str, int] = field(factory=dict)
    """The index of each value, by its JSON text."""
    size: int = 0
    """The size of both lists as JSON, in bytes."""
    _known_paths: dict[Path, int] = field(factory=dict)

    def add_path(self, path: Path) -> int:
        """Return the index of a path; a new path is added."""
        index = self._known_paths.get(path)
        if index is None:
            index = self._known_paths[path] = self._add(self.paths, encode_json(path))
        return index

    def add_value(self, value: JSON) -> int:
        """Return the index of a value; a new value is added."""
        return self._add(self.values, orjson.dumps(value).decode())

    def _add(self, indexes: dict[str, int], text: str) -> int:
        if text not in indexes:
            indexes[text] = len(indexes)
            self.size += len(text) + 1
        return indexes[text]

    def compare_positions(
        self, before: Mapping[str, JSON], after: Mapping[str, JSON]
    ) -> list[Change]:
        """Return the changes from one position to another with the same fields."""
        return [
            change
            for name in after
            for change in self.compare_values(before[name], after[name], (name,))
        ]

    def compare_values(self, before: JSON, after: JSON, path: Path) -> list[Change]:
        """Return the changes from one JSON value to another.

        A value changes as a whole or in its parts, whichever takes less space. Values that are
        equal in Python do not change: no field of a position is `true` once and 1 later.
        """
        is_container = isinstance(after, dict | list | str)
        parts = self._compare_parts(before, after, path) if is_container else None
        if parts is None:
            return [] if type(before) is type(after) and before == after else [(path, after)]
        if len(parts) > 1 and self._estimate_size(after) < CHANGE_BYTES * len(parts):
            return [(path, after)]
        return parts

    def _estimate_size(self, value: JSON) -> int:
        """Return the bytes that a change to this value takes in the steps and in the lists."""
        text = orjson.dumps(value).decode()
        return CHANGE_BYTES + (0 if text in self.values else len(text))

    def _compare_parts(self, before: JSON, after: JSON, path: Path) -> list[Change] | None:
        """Return the changes of the parts, or None if the value changes as a whole only."""
        parts: Iterable[tuple[str | int, JSON, JSON]]
        if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
            parts = ((name, before[name], after[name]) for name in after)
        elif isinstance(before, str) and isinstance(after, str):
            # JavaScript counts characters like Python only in ASCII.
            if not (len(before) == len(after) > 1 and before.isascii() and after.isascii()):
                return None
            parts = zip(range(len(after)), before, after, strict=True)
        elif isinstance(before, list) and isinstance(after, list):
            parts = zip(range(len(after)), before, after, strict=False)
        else:
            return None
        changes = [
            change
            for name, old, new in parts
            # Most parts have not changed: a call for each of them would take most of the time.
            if old is not new and (old != new or type(old) is not type(new))
            for change in self.compare_values(old, new, (*path, name))
        ]
        if isinstance(after, list):
            changes += [((*path, at), after[at]) for at in range(len(before), len(after))]
            if len(after) < len(before):
                changes.append(((*path, "length"), len(after)))
        return changes


def sort_by_interest(results: Iterable[Result]) -> list[Result]:
    """Return the results in the order in which a report keeps their games: faults, then by id."""
    return sorted(results, key=lambda result: (not result.went_wrong, result.game.id))


def make_replay(
    result: Result, line: bytes | None, names: Sequence[str], shared: SharedLists
) -> dict[str, Any]:
    """Return a game for the page; `line` is its record. Players are indexes of `names`."""
    fields: dict[str, Any] = {
        "id": result.game.id,
        "seats": [names.index(name) for name in result.game.seats],
        "pair": result.game.pair,
        "winners": list(result.winners),
        "cause": result.cause,
        "culprit": result.culprit,
        "detail": result.detail,
        "reason": result.reason,
        "moves": result.moves,
        **(_describe_places(result) if len(result.places) > 2 else {}),
    }
    if line is None:
        return {**fields, "missing": "what was played in this game was not kept"}
    try:
        return {**fields, **_encode_steps(decode_record(line), shared)}
    except (TabnetError, ValueError) as error:
        return {**fields, "missing": f"this game cannot be shown: {error}"}


def _describe_places(result: Result) -> dict[str, Any]:
    """Return the fields of a game of more than two: all places, and the players removed."""
    removed = [{"seat": each.seat, "cause": each.cause} for each in result.removed]
    return {"places": list(result.places), "removed": removed}


def _encode_steps(record: GameRecord, shared: SharedLists) -> dict[str, Any]:
    """Return the fields of a game that is played again by the rules; raises `TabnetError`."""
    first = make_first_position(record)
    fields = GAMES[record.kind].board_fields
    start = position = _select_fields(fields, first)
    steps = []
    for step in replay_actions(record):
        before, position = position, _select_fields(fields, step.state)
        numbers = [step.seat, shared.add_value(step.event)]
        for path, value in shared.compare_positions(before, position):
            numbers += [shared.add_path(path), shared.add_value(value)]
        steps.append(numbers)
    return {
        "kind": record.kind,
        "options": record.options,
        "start": shared.add_value(start),
        "steps": steps,
    }


def _select_fields(fields: Iterable[str], state: State) -> dict[str, JSON]:
    """Return the fields of the position that the board of its kind reads."""
    view: Mapping[str, JSON] = state.view()
    return {name: view[name] for name in fields}


def select_fitting(
    replays: Iterable[dict[str, Any]], shared: SharedLists, max_bytes: int
) -> list[dict[str, Any]]:
    """Return as many of the games as fit into `max_bytes` together with the shared lists."""
    fitting: list[dict[str, Any]] = []
    for each in replays:
        max_bytes -= len(encode_json(each))
        if max_bytes < shared.size:
            break
        fitting.append(each)
    return fitting
