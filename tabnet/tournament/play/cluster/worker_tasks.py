"""The functions that Dask workers call. They let referee processes play, and wait.

Their arguments and results are plain values: a game is played the same way on every machine.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import TimeoutError as NotYet
from typing import TypeVar

import attrs
from attrs import define, field, frozen
from distributed import get_worker

from tabnet.tournament.play.bots.bot_files import BotContent
from tabnet.tournament.play.cluster.content_cache import ContentCache
from tabnet.tournament.play.cluster.worker_referees import (
    RefereesClosed,
    UseOfReferee,
    WorkerReferees,
)
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.referee_interface import FailedStart, PlayedGame, RefereeSettings
from tabnet.tournament.play.referee_slot import RefereeSlot
from tabnet.tournament.records.entrants_and_results import ScheduledGame

T = TypeVar("T")

REPORT_S = 1.0
"""The interval between the reports of a running task."""

contents = ContentCache()
referees: dict[str, WorkerReferees] = {}
"""The referees of each tournament, by the tournament's token."""


@frozen
class NotPrepared:
    """The answer of a worker that does not know the tournament."""


@frozen
class FailedGame:
    """The failure of the referee in one game."""

    text: str
    log: str


@frozen
class TaskResult:
    games: Mapping[str, PlayedGame | FailedGame]
    """The games by id."""
    seconds: float
    """The duration of the task."""
    host: str
    """The name of the host of the worker."""

    def add_host(self, game: PlayedGame | FailedGame) -> PlayedGame | FailedGame:
        return attrs.evolve(game, host=self.host) if isinstance(game, PlayedGame) else game


def prepare(
    token: str,
    settings: RefereeSettings,
    digests: Mapping[str, str],
    new_contents: Sequence[BotContent],
) -> list[str]:
    """Let this worker know a tournament; return the digests of files that it lacks.

    The bots of `settings` come without their files; `digests` has the digest of each bot with
    files. Nothing is prepared while files are missing.
    """
    for content in new_contents:
        contents.add(content)
    files = {name: contents.get(digest) for name, digest in digests.items()}
    missing = sorted({digests[name] for name, content in files.items() if content is None})
    if not missing and token not in referees:
        bots = tuple(attrs.evolve(bot, content=files.get(bot.name)) for bot in settings.bots)
        referees[token] = WorkerReferees(
            attrs.evolve(settings, bots=bots), on_end=lambda: referees.pop(token, None)
        )
    return missing


def play_pairs(
    token: str, key: str, pairs: Sequence[Sequence[ScheduledGame]]
) -> TaskResult | NotPrepared:
    """Play the games of pairs or groups one after the other."""
    if token not in referees:
        return NotPrepared()
    began, task = time.monotonic(), _PairsTask(pairs)
    try:
        _run(token, key, task.play, task.read_moves)
    except RefereesClosed:
        return NotPrepared()
    return TaskResult(task.played, time.monotonic() - began, socket.gethostname())


@define
class _PairsTask:
    """The games of a task, while they are being played."""

    pairs: Sequence[Sequence[ScheduledGame]]
    played: dict[str, PlayedGame | FailedGame] = field(factory=dict)
    _current: tuple[RefereeSlot, str] | None = None

    async def play(self, slot: RefereeSlot) -> None:
        for game in (game for pair in self.pairs for game in pair):
            self._current = slot, game.id
            try:
                self.played[game.id] = await slot.play(game)
            except RefereeFailed as failure:
                self.played[game.id] = FailedGame(failure.text, failure.log)

    def read_moves(self) -> dict[str, int]:
        """Return the number of moves in the current game."""
        if self._current is None:
            return {}
        slot, game = self._current
        return {game: slot.count_moves(game)}


def try_out(token: str, key: str, name: str) -> FailedStart | FailedGame | NotPrepared | None:
    """Start a bot once; return its failure, or None when it has asked for a game."""
    if token not in referees:
        return NotPrepared()
    try:
        return _run(token, key, lambda slot: slot.try_out(name))
    except RefereeFailed as failure:
        return FailedGame(failure.text, failure.log)


async def close(token: str) -> None:  # noqa: ASYNC124 - Dask waits for no such function
    """End the referees of a tournament on this worker."""
    if token in referees:
        referees[token].close()


def _run(
    token: str,
    key: str,
    function: UseOfReferee[T],
    read_moves: Callable[[], dict[str, int]] = dict,
) -> T:
    """Run a function with a referee and wait for its result; meanwhile report the moves."""
    worker, future = get_worker(), referees[token].submit(function)
    while True:
        report = {"task": key, "worker": worker.address, "moves": read_moves()}
        worker.log_event(token, report)
        try:
            return future.result(timeout=REPORT_S)
        except NotYet:
            continue
