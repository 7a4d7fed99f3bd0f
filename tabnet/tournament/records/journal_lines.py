"""The files of a tournament's folder, and the lines of its journal. Pure.

    journal.jsonl       everything that was decided, one JSON object a line, appended
    games/GAME.json     the actions of a game, for replays (`replay_record`)
    logs/GAME.log       transcripts and stderr of a game that went wrong
    logs/GAME.failure-1.log   how the referee of a game failed the first time
    results.json        the results and what follows from them (`tabnet.tournament.report`)
    games.csv           a line for each game
    crosstable.csv      a line for each bot
    report.html         the report for a browser

The last four can be made again from the first two. The lines of the journal:

    {"entrant":{"name":...,"source":...,"digest":...}}
    {"tournament":{"version":1,"kind":KIND,...}}    the settings, after the first entrants: before
                                                     this line, nothing has begun
    {"check_in":{"absent":{"slow":"it did not ask for a game within 20 s"}}}
                                                     in an elimination, before the first game
    {"result":{"game":{...},"winners":[0],...},"timing":{"began":...,"ended":...}}
    {"failure":{"game":"fa93b40c7d21e658","detail":...}}   its referee failed, once
    {"void":["fa93b40c7d21e658",...]}                games that do not count

Other lines are ignored. A last line without its end was being written when the machine stopped, and
does not count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import orjson
from attrs import Factory, define, frozen

from tabnet.errors import StartError
from tabnet.tournament.records.entrants_and_results import (
    CAUSES,
    Blame,
    Entrant,
    Result,
    ScheduledGame,
    ThinkingTime,
)

VERSION = 1
JOURNAL, GAMES, LOGS = "journal.jsonl", "games", "logs"
SETTINGS_START = b'{"tournament":'


@frozen
class GameTiming:
    """The times of a game, in seconds since 1970."""

    began: float
    ended: float


@define
class Journal:
    """Everything that has happened in a tournament so far."""

    settings: dict[str, Any] = Factory(dict)
    entrants: dict[str, Entrant] = Factory(dict)
    """The entrants by name, in the order of entry."""
    results: dict[str, Result] = Factory(dict)
    """The results by game id, in the order of the ids."""
    timings: dict[str, GameTiming] = Factory(dict)
    """The times of each game, by id."""
    failures: dict[str, tuple[str, ...]] = Factory(dict)
    """The failures of the referee, by game id."""
    absent: dict[str, str] | None = None
    """The entrants that did not connect before the first game of an elimination, with the reasons;
    None if they have not been tried."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.entrants)

    def add_row(self, row: dict[str, Any]) -> None:
        """Add a line; a line with missing fields raises one of Python's own errors."""
        if "tournament" in row:
            self.settings = _read_settings(row["tournament"])
        elif "entrant" in row:
            entrant = Entrant(**row["entrant"])
            self.entrants[entrant.name] = entrant
        elif "check_in" in row:
            self.absent = {str(name): str(why) for name, why in row["check_in"]["absent"].items()}
        elif "result" in row:
            result = read_result(row["result"])
            self.results[result.game.id] = result
            self.timings[result.game.id] = GameTiming(**row["timing"])
        elif "failure" in row:
            game, detail = row["failure"]["game"], row["failure"]["detail"]
            self.failures[game] = (*self.failures.get(game, ()), str(detail))
        elif "void" in row:
            for id in row["void"]:
                self.results.pop(id, None)
                self.timings.pop(id, None)


# Written


def encode_settings(settings: dict[str, Any]) -> bytes:
    return _encode_row({"tournament": {"version": VERSION, **settings}})


def encode_entrant(entrant: Entrant) -> bytes:
    return _encode_row({"entrant": attrs.asdict(entrant)})


def encode_check_in(absent: Mapping[str, str]) -> bytes:
    return _encode_row({"check_in": {"absent": dict(absent)}})


def encode_result(result: Result, timing: GameTiming) -> bytes:
    return _encode_row({"result": attrs.asdict(result), "timing": attrs.asdict(timing)})


def encode_failure(game: str, detail: str) -> bytes:
    return _encode_row({"failure": {"game": game, "detail": detail}})


def encode_void(games: Sequence[str]) -> bytes:
    """Return the line that cancels games."""
    return _encode_row({"void": list(games)})


def _encode_row(row: dict[str, Any]) -> bytes:
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


# Read


def read_journal(data: bytes) -> Journal:
    """Return the last state of each game and entrant; raises `StartError` for a bad line."""
    journal = Journal()
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        try:
            journal.add_row(orjson.loads(line))
        except ValueError as error:
            raise StartError(f"{JOURNAL}, line {number}, cannot be read: {error}") from None
        except (LookupError, TypeError, AttributeError):
            raise StartError(f"{JOURNAL}, line {number}, has not the fields it needs") from None
    if not journal.settings:
        raise StartError(
            f"{JOURNAL} has no settings: the tournament was stopped before it began",
            hint="begin it again",
        )
    journal.results = dict(sorted(journal.results.items()))
    return journal


def _read_settings(row: dict[str, Any]) -> dict[str, Any]:
    if row["version"] != VERSION:
        raise ValueError(f"its version is {row['version']}, this tabnet reads {VERSION}")
    return {name: value for name, value in row.items() if name != "version"}


def read_result(row: dict[str, Any]) -> Result:
    """Return the result of a JSON row; anything else raises one of Python's own errors.

    Old journals have no places and no removed players; in games of two they follow from the rest.
    """
    game = ScheduledGame(**{**row["game"], "seats": tuple(row["game"]["seats"])})
    thinking = tuple(ThinkingTime(**seat) for seat in row["thinking"])
    names = ("winners", "points", "places")
    listed: dict[str, Any] = {name: tuple(row[name]) for name in names if name in row}
    removed = tuple(Blame(**each) for each in row.get("removed", ()))
    row = {**row, **listed, "game": game, "thinking": thinking, "removed": removed}
    result = Result(**row)
    for cause in (result.cause, *(each.cause for each in removed)):
        if cause not in CAUSES:
            raise ValueError(f"no game ends with {cause!r}")
    return result
