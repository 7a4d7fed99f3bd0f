"""A Dask cluster, whose workers play games.

Lost games are played again. The loss of the connection has no further consequence. The loss of a
worker counts as a failure of the referee of each game that the worker had begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import trio
from attrs import define, field

from tabnet.tournament.play.cluster import worker_tasks
from tabnet.tournament.play.cluster.cluster_queue import ClusterQueue, Task
from tabnet.tournament.play.cluster.dask_thread import DaskClient, DaskThread, ListedWorker
from tabnet.tournament.play.cluster.host_probe import HostFacts
from tabnet.tournament.play.cluster.worker_admission import ClusterTournament, WorkerAdmission
from tabnet.tournament.play.cluster.worker_signs import WorkerSigns
from tabnet.tournament.play.cluster.worker_tasks import FailedGame, NotPrepared, TaskResult
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.referee_interface import (
    ClusterObserver,
    FailedStart,
    PlayedGame,
)
from tabnet.tournament.records.entrants_and_results import ScheduledGame
from tabnet.tournament.records.journal_lines import LostWorker

LOOK_S = 1.0
"""The interval between two looks for workers."""
PROBE_S = 10.0
"""The time for workers to tell which programs they have."""
LONELY_S = 5.0
"""The time without a worker after which the user is told."""
DEMAND_PER_SLOT = 10
"""The number of waiting tasks for which an adaptive cluster starts a slot.

By default, Dask expects half a second of an unknown task, and a slot to have work for five.
"""


@define(eq=False)
class _Pending:
    """A game or a try-out without a result so far."""

    is_done: trio.Event = field(factory=trio.Event)
    result: Any = None
    failure: RefereeFailed | None = None

    def finish(self, result: Any = None, failure: RefereeFailed | None = None) -> None:
        self.result, self.failure = result, failure
        self.is_done.set()


class DaskCluster:
    """Plays games on a cluster; `run` runs it. See `Cluster` and `ClusterEvents`."""

    def __init__(
        self,
        connect: Callable[[], DaskClient],
        tournament: ClusterTournament,
        observer: ClusterObserver,
    ) -> None:
        """Connect to a cluster, inside of trio; `connect` opens a client, in another thread."""
        self._tournament = tournament
        self._observer = observer
        self._queue = ClusterQueue(tournament.token)
        self._pending: dict[str, _Pending] = {}
        """The games and try-outs without a result, by the id of the game or the name of the bot."""
        self._signs = WorkerSigns()
        self._news, self._facts, self._closed = trio.Event(), trio.Event(), trio.Event()
        self._error: BaseException | None = None
        self._moves: dict[str, int] = {}
        self._thread = DaskThread(connect, tournament.token, self)
        self._admission = WorkerAdmission(
            tournament, self._thread.submit, self._on_admitted, observer.announce
        )

    @property
    def room(self) -> int:
        """The number of games that should be pending at the same time."""
        return self._queue.room

    async def run(self) -> None:
        """Play until closed; raises `StartError` if no scheduler answers."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._keep_assigning)
                nursery.start_soon(self._watch_workers)
                await self._closed.wait()
                nursery.cancel_scope.cancel()
        finally:
            self._thread.run_on_workers(worker_tasks.close, self._tournament.token)
            with trio.CancelScope(shield=True):
                await self._thread.stop()
        if self._error is not None:
            raise self._error

    async def find_missing_programs(self) -> frozenset[str]:
        """Wait for the first workers, and then a short time for the facts of all of them."""
        if self._tournament.programs:
            with trio.CancelScope() as scope:
                while not self._admission.has_all_facts:
                    self._facts = trio.Event()
                    await self._facts.wait()
                    scope.deadline = min(scope.deadline, trio.current_time() + PROBE_S)
        return self._admission.decide_programs()

    def count_moves(self, game: str) -> int:
        return self._moves.get(game, 0)

    async def try_out(self, name: str) -> FailedStart | None:
        self._queue.add_bot(name)
        return cast("FailedStart | None", await self._wait_for(name))

    async def play(self, game: ScheduledGame) -> PlayedGame:
        self._queue.add_game(game)
        return cast(PlayedGame, await self._wait_for(game.id))

    async def close(self) -> None:
        self._closed.set()

    async def _wait_for(self, id: str) -> Any:
        pending = self._pending[id] = _Pending()
        self._news.set()
        await pending.is_done.wait()
        if pending.failure is not None:
            raise pending.failure
        return pending.result

    async def _keep_assigning(self) -> None:
        """Give tasks to workers whenever something has changed, for ever."""
        while True:
            await self._news.wait()
            self._news = trio.Event()
            await trio.lowlevel.checkpoint()  # the other games of a pair come at the same time
            for task in self._queue.assign():
                self._submit(task)

    def _submit(self, task: Task) -> None:
        arguments = (self._tournament.token, task.key)
        if task.bot is None:
            self._thread.submit(
                task.key, task.worker, worker_tasks.play_pairs, *arguments, task.pairs
            )
        else:
            self._thread.submit(task.key, task.worker, worker_tasks.try_out, *arguments, task.bot)

    async def _watch_workers(self) -> None:
        """Ask for workers where games wait, and say so if there is none."""
        alone_s = 0.0
        while True:
            await trio.sleep(LOOK_S)
            self._thread.set_demand(DEMAND_PER_SLOT * self._queue.wanted_slots)
            alone_s = 0.0 if self._queue.workers else alone_s + LOOK_S
            if alone_s == LONELY_S:
                self._observer.announce("Waiting for workers of the Dask cluster.")

    # `ClusterEvents`: what the thread reports

    def on_workers(self, workers: Mapping[str, ListedWorker]) -> None:
        heartbeats = {address: worker.heartbeat for address, worker in workers.items()}
        self._signs.note_list(heartbeats, trio.current_time())
        for address in list(self._queue.workers):
            if address not in workers:
                self.on_worker_removed(address, expected=False)
            elif self._signs.is_silent(address):
                self._lose_worker(address, f"Dask worker {address} does not answer", is_silent=True)
                self._admission.forget(address)  # it is asked again if it comes back
            elif not workers[address].is_running:
                self.on_worker_removed(address, expected=True)
        for address, worker in workers.items():
            if worker.is_running and not self._signs.is_silent(address):
                self._admission.add_worker(address, worker.slots)

    def on_worker_removed(self, address: str, expected: bool) -> None:
        self._admission.forget(address)
        if expected:
            self._return_tasks(self._queue.remove_worker(address))
        else:
            self._lose_worker(address, f"Dask worker {address} has ended")

    def on_report(self, report: Mapping[str, Any]) -> None:
        self._queue.note_report(report["task"])
        self._signs.note_report(report["worker"])
        self._moves.update(report["moves"])

    def on_finished(self, key: str, result: Any, error: BaseException | None) -> None:
        if self._admission.on_finished(key, result, error):
            self._facts.set()
            return
        task = self._queue.end_task(key, getattr(result, "seconds", None))
        if isinstance(result, TaskResult):
            for id, outcome in result.games.items():
                if task is not None or isinstance(outcome, PlayedGame):
                    self._finish(id, result.add_host(outcome))
        elif task is not None and isinstance(result, NotPrepared):
            self._admission.forget(task.worker)
            self._return_tasks([task, *self._queue.remove_worker(task.worker)])
        elif task is not None:
            text = f"a task of a Dask worker failed: {error!r}"
            outcome = result if error is None else FailedGame(text, "")
            for id in task.ids:
                self._finish(id, outcome)
        self._news.set()
        self._observer.note_room()

    def on_disconnected(self, text: str) -> None:
        self._observer.announce(f"{text}. The games that were running are played again.")
        self._admission.forget_all()
        self._signs = WorkerSigns()
        for address in list(self._queue.workers):
            self._return_tasks(self._queue.remove_worker(address))

    def on_failed(self, error: BaseException) -> None:
        self._error = error
        self._closed.set()

    def _on_admitted(self, address: str, slots: int, facts: HostFacts) -> None:
        self._queue.add_worker(address, facts["host"], slots)
        self._observer.record_host(facts["host"], facts["sandbox"])
        self._news.set()
        self._observer.note_room()

    # Results and losses

    def _finish(self, id: str, outcome: Any) -> None:
        """End a game or try-out. The first result of a game counts; a second one is compared."""
        pending = self._pending.pop(id, None)
        self._moves.pop(id, None)
        if pending is None:
            if isinstance(outcome, PlayedGame):
                self._observer.compare_repeated(outcome)
        elif isinstance(outcome, FailedGame):
            pending.finish(failure=RefereeFailed(outcome.text, outcome.log))
        else:
            pending.finish(outcome)

    def _lose_worker(self, address: str, text: str, *, is_silent: bool = False) -> None:
        """Remove a worker; its referee has failed in the games that it had begun.

        The tasks of a silent worker are not cancelled: if it comes back, their results are compared
        with those of other workers.
        """
        worker = self._queue.workers.get(address)
        if worker is None:
            return
        tasks = self._queue.remove_worker(address)
        begun = [task for task in tasks if task.has_begun]
        self._return_tasks([task for task in tasks if not task.has_begun])
        games = tuple(id for task in begun for id in task.ids)
        self._observer.record_lost_worker(LostWorker(address, worker.host, games))
        self._queue.mark_lost(games)
        for task in begun:
            if not is_silent:
                self._thread.cancel(task.key)
            for id in task.ids:
                self._finish(id, FailedGame(f"{text}, {worker.host}", ""))

    def _return_tasks(self, tasks: Iterable[Task]) -> None:
        """Let the work of these tasks wait for other workers."""
        for task in tasks:
            self._thread.cancel(task.key)
            self._queue.return_task(task)
        self._news.set()
