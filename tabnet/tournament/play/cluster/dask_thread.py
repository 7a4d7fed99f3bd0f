"""Dask's synchronous client in a thread of its own, because trio and asyncio share no event loop.

trio's thread asks with `submit`, `cancel` and `stop`, which return at once. This thread answers by
calling the functions of `ClusterEvents` in trio's thread. Dask's event loop only fills queues.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeAlias

import trio
from attrs import frozen

from tabnet.errors import StartError

DaskClient: TypeAlias = Any  # distributed has no complete types
DaskFuture: TypeAlias = Any

ALL = "all"
"""The topic of the scheduler's events about workers."""
RUNNING = "running"
"""The status of a worker that takes tasks."""
LOOK_S = 0.25
"""The interval between two looks at the connection."""
LIST_S = 5.0
"""The interval between two lists of the workers, in case that an event was lost."""
CONNECT_S = 10.0
"""The time limit of one attempt to connect."""
GIVE_UP_S = 600.0
"""The time without a scheduler after which the tournament stops; it can be resumed."""
CLOSE_S = 5.0
"""The time limit for the end of the thread."""
DEMAND = "tabnet demand"
"""A resource that no worker has."""
GATHER_S = 30.0
"""The time limit for fetching the results of tasks that have ended."""


@frozen
class ListedWorker:
    slots: int
    is_running: bool
    """False if it takes no task now: its memory is full, or it is about to leave."""
    heartbeat: float
    """The scheduler's time when it heard from the worker."""


class ClusterEvents(Protocol):
    """The functions that `DaskThread` calls in trio's thread."""

    def on_workers(self, workers: Mapping[str, ListedWorker]) -> None:
        """Receive all workers by address."""

    def on_worker_removed(self, address: str, expected: bool) -> None:
        """Note the end of a worker; it is `expected` if the worker itself asked for it."""

    def on_report(self, report: Mapping[str, Any]) -> None:
        """Receive what a task reports while it runs."""

    def on_finished(self, key: str, result: Any, error: BaseException | None) -> None:
        """Receive the result of a task, or its exception."""

    def on_disconnected(self, text: str) -> None:
        """Note that no task which was submitted so far will finish."""

    def on_failed(self, error: BaseException) -> None:
        """Note the end of the thread after an error."""


class DaskThread:
    """A connection to a scheduler, made again whenever it is lost."""

    def __init__(
        self, connect: Callable[[], DaskClient], topic: str, events: ClusterEvents
    ) -> None:
        """Start the thread. `connect` returns a new client; tasks report to `topic`."""
        self._connect = connect
        self._topic = topic
        self._events = events
        self._trio = trio.lowlevel.current_trio_token()
        self._calls: SimpleQueue[Callable[[DaskClient], object]] = SimpleQueue()
        self._futures: dict[str, DaskFuture] = {}
        self._ended: list[tuple[str, DaskFuture]] = []
        self._demand: list[DaskFuture] = []
        self._numbers = count(1)
        self._list_at = 0.0
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name="tabnet dask", daemon=True)
        self._thread.start()

    # Called in trio's thread

    def submit(self, key: str, worker: str, function: Callable[..., Any], *args: Any) -> None:
        """Let a worker call a function; `on_finished` receives the result.

        The task waits for this worker and never runs elsewhere.
        """
        self._calls.put(partial(self._submit, key, worker, function, args))

    def cancel(self, key: str) -> None:
        """Forget a task, whether it runs or not."""
        self._calls.put(partial(self._cancel, key))

    def set_demand(self, tasks: int) -> None:
        """Let so many tasks wait that no worker can run.

        An adaptive cluster starts workers for tasks that wait. The tasks of games do not wait for
        just any worker, so it does not count them.
        """
        self._calls.put(partial(self._set_demand, tasks))

    def run_on_workers(self, function: Callable[..., Any], *args: Any) -> None:
        """Let all workers call a short function at once, beside their tasks."""
        self._calls.put(lambda client: client.run(function, *args, wait=False, on_error="ignore"))

    async def stop(self) -> None:
        """End the thread after all that was asked for so far; it may take up to `CLOSE_S`."""
        self._calls.put(self._stop)
        await trio.to_thread.run_sync(self._thread.join, CLOSE_S)

    # Called in the thread itself

    def _run(self) -> None:
        try:
            client = self._open_client(CONNECT_S)
            while True:
                text = self._serve(client)
                with suppress(Exception):  # the connection may be broken
                    client.unsubscribe_topic(ALL)  # else the scheduler logs an error
                    client.close(timeout=1)
                if self._is_stopping:
                    return
                self._futures.clear()
                self._ended.clear()
                self._demand.clear()
                self._notify(self._events.on_disconnected, text)
                client = self._open_client(GIVE_UP_S)
        except Exception as error:  # noqa: BLE001 - trio's thread raises it
            self._notify(self._events.on_failed, error)

    def _open_client(self, patience_s: float) -> DaskClient:
        give_up_at = time.monotonic() + patience_s
        while True:
            try:
                client = self._connect()
                break
            except (OSError, TimeoutError) as error:
                if time.monotonic() > give_up_at:
                    raise StartError(f"no Dask scheduler answers: {error}") from None
                time.sleep(LOOK_S)  # before the next attempt, in a thread without an event loop
        client.subscribe_topic(ALL, self._on_scheduler_event)
        client.subscribe_topic(self._topic, self._on_report_event)
        self._list_at = 0.0
        return client

    def _serve(self, client: DaskClient) -> str:
        """Do what is asked for until the connection is lost; return how it was lost."""
        connection = client.scheduler_comm
        while not self._is_stopping:
            if client.status != "running" or client.scheduler_comm is not connection:
                return "the connection to Dask's scheduler was lost"
            try:
                self._do_calls(client)
                self._fetch_results(client)
                self._list_workers(client)
            except (OSError, TimeoutError) as error:
                return f"Dask's scheduler does not answer: {error}"
        return ""

    def _do_calls(self, client: DaskClient) -> None:
        with suppress(Empty):
            self._calls.get(timeout=LOOK_S)(client)
            while not self._is_stopping:
                self._calls.get_nowait()(client)

    def _submit(
        self,
        key: str,
        worker: str,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        client: DaskClient,
    ) -> None:
        place = {"workers": [worker], "allow_other_workers": False}
        future = client.submit(function, *args, key=key, pure=False, retries=0, **place)
        self._futures[key] = future
        future.add_done_callback(
            lambda ended: self._calls.put(lambda _: self._ended.append((key, ended)))
        )

    def _cancel(self, key: str, client: DaskClient) -> None:
        future = self._futures.pop(key, None)
        if future is not None:
            client.cancel([future], force=True)

    def _set_demand(self, tasks: int, client: DaskClient) -> None:
        self._demand = [future for future in self._demand if future.status == "pending"]
        if surplus := self._demand[tasks:]:
            del self._demand[tasks:]
            client.cancel(surplus, force=True)
        for _ in range(tasks - len(self._demand)):
            key = f"demand-{self._topic}-{next(self._numbers)}"
            future = client.submit(int, key=key, pure=False, resources={DEMAND: 1})
            self._demand.append(future)

    def _stop(self, client: DaskClient) -> None:
        self._set_demand(0, client)
        for key in list(self._futures):
            self._cancel(key, client)
        self._is_stopping = True

    def _fetch_results(self, client: DaskClient) -> None:
        """Begin to fetch the results of tasks that have ended, all at once."""
        ended, self._ended = self._ended, []
        finished: dict[str, DaskFuture] = {}
        for key, future in ended:
            if key not in self._futures:
                continue
            if future.status == "error":
                self._end_task(key, None, future.exception())
            elif future.status == "cancelled":  # the connection is lost
                del self._futures[key]
            else:
                finished[key] = future
        if finished:
            self._begin_gather(client, finished)

    def _begin_gather(self, client: DaskClient, futures: dict[str, DaskFuture]) -> None:
        """Fetch results in Dask's event loop: a result whose worker has ended never comes."""
        fetching = asyncio.wait_for(client.gather(futures, asynchronous=True), GATHER_S)
        gathered = asyncio.run_coroutine_threadsafe(fetching, client.loop.asyncio_loop)
        gathered.add_done_callback(
            lambda _: self._calls.put(partial(self._end_gather, gathered, futures))
        )

    def _end_gather(
        self,
        gathered: Future[dict[str, Any]],
        futures: dict[str, DaskFuture],
        client: DaskClient,
    ) -> None:
        """End the tasks of these results; if one could not be fetched, fetch each by itself."""
        wanted = {key: future for key, future in futures.items() if key in self._futures}
        try:
            results, error = gathered.result(), None
        except Exception as failure:  # noqa: BLE001 - whatever Dask raises
            results, error = {}, failure
        for key, future in wanted.items():
            if error is None or len(futures) == 1:
                self._end_task(key, results.get(key), error)
            else:
                self._begin_gather(client, {key: future})

    def _end_task(self, key: str, result: Any, error: BaseException | None) -> None:
        self._futures.pop(key).release()
        self._notify(self._events.on_finished, key, result, error)

    def _list_workers(self, client: DaskClient) -> None:
        if time.monotonic() < self._list_at:
            return
        self._list_at = time.monotonic() + LIST_S
        workers = client.scheduler_info(n_workers=-1)["workers"]
        listed = {
            address: ListedWorker(
                worker["nthreads"],
                worker.get("status", RUNNING) == RUNNING,
                worker["last_seen"],
            )
            for address, worker in workers.items()
        }
        self._notify(self._events.on_workers, listed)

    # Called in Dask's event loop

    def _on_scheduler_event(self, event: tuple[float, Mapping[str, Any]]) -> None:
        message = event[1]
        if message.get("action") == "remove-worker":
            expected = bool(message.get("expected", False))
            self._notify(self._events.on_worker_removed, message["worker"], expected)
        elif message.get("action") == "add-worker":
            self._list_at = 0.0
            self._calls.put(lambda _: None)

    def _on_report_event(self, event: tuple[float, Mapping[str, Any]]) -> None:
        self._notify(self._events.on_report, event[1])

    def _notify(self, function: Callable[..., None], *args: Any) -> None:
        with suppress(trio.RunFinishedError):
            self._trio.run_sync_soon(function, *args)
