"""The files of a tournament's folder, and the lines of its journal. Pure.

    journal.jsonl       everything that was decided, one JSON object a line, appended
    games/GAME.json     the actions of a game, for replays (`replay_record`)
    logs/BOT.output.log the output of a bot in all its games, up to a limit
    logs/GAME.log       transcripts and output of a game that went wrong
    logs/GAME.failure-1.log   how the referee of a game failed the first time
    results.json        the results and what follows from them (`tabnet.tournament.report`)
    games.csv           a line for each game
    crosstable.csv      a line for each bot
    report.html         the report for a browser

The last four can be made again from the first two. The lines of the journal:

    {"secret":"8ad1...e0"}                           the source of the throws of all games with an
                                                     entrant of a later line: 32 bytes in hex
    {"entrant":{"name":...,"source":...,"digest":...}}
    {"tournament":{"version":2,"kind":KIND,...}}    the settings, after the first entrants: before
                                                     this line, nothing has begun
    {"check_in":{"absent":{"slow":"it did not ask for a game within 20 s"}}}
                                                     in an elimination, before the first game
    {"result":{"game":{...},"winners":[0],...},"timing":{"began":...,"ended":...}}
    {"failure":{"game":"fa93b40c7d21e658","detail":...}}   its referee failed, once
    {"worker_lost":{"worker":"tcp://10.0.0.7:38121","host":"node7","games":["fa93b40c7d21e658"]}}
                                                     a Dask worker ended in the middle of games
    {"conflict":{"game":"fa93b40c7d21e658","host":"node7"}}   the game was played twice, and ended
                                                     differently on this host
    {"host":{"name":...,"sandbox":{...}}}            a machine with bots, and their sandbox there
    {"void":["fa93b40c7d21e658",...]}                games that do not count

Other lines are ignored. A last line without its end was being written when the machine stopped, and
does not count. Journals of version 1 have no secret. The secret stays in the journal: the other
files contain only the secrets of games that are over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import attrs
import orjson
from attrs import Factory, define

from tabnet.errors import StartError
from tabnet.protocol.dice import parse_hex
from tabnet.protocol.frozen_values import frozen
from tabnet.tournament.records.entrants_and_results import (
    CAUSES,
    Blame,
    Entrant,
    Result,
    ScheduledGame,
    ThinkingTime,
)
from tabnet.tournament.records.throw_secrets import SECRET_BYTES, TournamentSecret, hash_seed

VERSION = 2
READABLE_VERSIONS = (1, 2)
JOURNAL, GAMES, LOGS = "journal.jsonl", "games", "logs"
SETTINGS_START = b'{"tournament":'


@frozen
class GameTiming:
    """The times of a game, in seconds since 1970."""

    began: float
    ended: float
    host: str = ""
    """The name of the host, if the game was played on a cluster."""


@frozen
class LostWorker:
    """A Dask worker that ended or fell silent in the middle of games."""

    worker: str
    """The address of the worker."""
    host: str
    games: tuple[str, ...]
    """The ids of the games that it had begun."""


@define
class Journal:
    """Everything that has happened in a tournament so far."""

    settings: dict[str, Any] = Factory(dict)
    entrants: dict[str, Entrant] = Factory(dict)
    """The entrants by name, in the order of entry."""
    secrets: list[TournamentSecret] = Factory(list)
    """The sources of the throws, the latest last."""
    results: dict[str, Result] = Factory(dict)
    """The results by game id, in the order of the ids."""
    timings: dict[str, GameTiming] = Factory(dict)
    """The times of each game, by id."""
    failures: dict[str, tuple[str, ...]] = Factory(dict)
    """The failures of the referee, by game id."""
    lost_workers: list[LostWorker] = Factory(list)
    """The Dask workers that ended in the middle of games."""
    conflicts: dict[str, str] = Factory(dict)
    """The games that were played twice and ended differently, with the host of the second time."""
    absent: dict[str, str] | None = None
    """The entrants that did not connect before the first game of an elimination, with the reasons;
    None if they have not been tried."""

    hosts: dict[str, dict[str, Any]] = Factory(dict)
    """The sandbox of bots on each machine, by its name."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.entrants)

    @property
    def has_random_throws(self) -> bool:
        """True if games with further entrants take their throws from random bits."""
        seed = self.settings.get("seed")
        return bool(self.secrets) and (seed is None or self.secrets[-1].value != hash_seed(seed))

    def add_row(self, row: dict[str, Any]) -> None:
        """Add a line; a line with missing fields raises one of Python's own errors."""
        if "tournament" in row:
            self.settings = _read_settings(row["tournament"])
        elif "entrant" in row:
            entrant = Entrant(**row["entrant"])
            self.entrants[entrant.name] = entrant
        elif "secret" in row:
            self.secrets.append(_read_secret(row["secret"], len(self.entrants)))
        elif "check_in" in row:
            self.absent = {str(name): str(why) for name, why in row["check_in"]["absent"].items()}
        elif "result" in row:
            result = read_result(row["result"])
            self.results[result.game.id] = result
            self.timings[result.game.id] = GameTiming(**row["timing"])
        elif "failure" in row:
            game, detail = row["failure"]["game"], row["failure"]["detail"]
            self.failures[game] = (*self.failures.get(game, ()), str(detail))
        elif "host" in row:
            self.hosts[str(row["host"]["name"])] = read_sandbox(row["host"]["sandbox"])
        elif "void" in row:
            for id in row["void"]:
                self.results.pop(id, None)
                self.timings.pop(id, None)
        else:
            self._add_cluster_row(row)

    def _add_cluster_row(self, row: dict[str, Any]) -> None:
        if "worker_lost" in row:
            lost = row["worker_lost"]
            games = tuple(map(str, lost["games"]))
            self.lost_workers.append(LostWorker(str(lost["worker"]), str(lost["host"]), games))
        elif "conflict" in row:
            self.conflicts[row["conflict"]["game"]] = str(row["conflict"]["host"])


def name_output_log(bot: str) -> str:
    """Return the path of a bot's output in the folder of a tournament."""
    return f"{LOGS}/{quote(bot, safe=' ()+,:=@')}.output.log"


# Written


def encode_settings(settings: dict[str, Any]) -> bytes:
    return _encode_row({"tournament": {"version": VERSION, **settings}})


def encode_secret(secret: bytes) -> bytes:
    return _encode_row({"secret": secret.hex()})


def encode_entrant(entrant: Entrant) -> bytes:
    return _encode_row({"entrant": attrs.asdict(entrant)})


def encode_check_in(absent: Mapping[str, str]) -> bytes:
    return _encode_row({"check_in": {"absent": dict(absent)}})


def encode_result(result: Result, timing: GameTiming) -> bytes:
    fields = attrs.asdict(result, filter=lambda field, _: field.name != "throws")
    return _encode_row({"result": fields, "timing": export_timing(timing)})


def export_timing(timing: GameTiming) -> dict[str, Any]:
    """Return the times of a game, and the host if it was played on a cluster."""
    return {name: value for name, value in attrs.asdict(timing).items() if value != ""}


def encode_failure(game: str, detail: str) -> bytes:
    return _encode_row({"failure": {"game": game, "detail": detail}})


def encode_lost_worker(lost: LostWorker) -> bytes:
    return _encode_row({"worker_lost": attrs.asdict(lost)})


def encode_conflict(game: str, host: str) -> bytes:
    """Return the line about a game that ended differently when it was played again."""
    return _encode_row({"conflict": {"game": game, "host": host}})


def encode_host(name: str, sandbox: Mapping[str, Any]) -> bytes:
    return _encode_row({"host": {"name": name, "sandbox": dict(sandbox)}})


def encode_void(games: Sequence[str]) -> bytes:
    """Return the line that cancels games."""
    return _encode_row({"void": list(games)})


def _encode_row(row: dict[str, Any]) -> bytes:
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


# Read


def read_sandbox(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description of a sandbox; its restrictions are in `enforced` and `not`."""
    return {
        "used": str(row["used"]),
        "abi": int(row["abi"]),
        "enforced": list(map(str, row["enforced"])),
        "not": list(map(str, row["not"])),
    }


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
    if row["version"] not in READABLE_VERSIONS:
        raise ValueError(f"its version is {row['version']}, this tabnet reads {VERSION}")
    return {name: value for name, value in row.items() if name != "version"}


def _read_secret(digits: Any, first: int) -> TournamentSecret:
    value = parse_hex(digits, range(SECRET_BYTES, SECRET_BYTES + 1))
    if value is None:
        raise ValueError(f"a secret has {2 * SECRET_BYTES} hex digits")
    return TournamentSecret(value, first)


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
