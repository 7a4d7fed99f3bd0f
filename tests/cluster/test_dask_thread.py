"""The connection to a scheduler: tasks stay on their workers, and no lost result blocks others."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from distributed import Client, get_worker

from tabnet.tournament.play.cluster.dask_thread import DaskThread
from tests.cluster.dask_processes import run_cluster
from tests.polling import PAUSE_S, TIMEOUT_S, until_async


class Events:
    """Keeps the events of a connection."""

    def __init__(self):
        self.workers, self.removed, self.finished = [], [], {}

    def on_workers(self, workers):
        self.workers = list(workers)

    def on_worker_removed(self, address, expected):
        self.removed.append((address, expected))

    def on_report(self, report):
        raise AssertionError(report)

    def on_finished(self, key, result, error):
        self.finished[key] = result if error is None else error

    def on_disconnected(self, text):
        raise AssertionError(text)

    def on_failed(self, error):
        raise AssertionError(error)


class EndsItsWorker:
    """A result whose worker ends when it sends it."""

    def __reduce__(self):
        os._exit(1)


def wait_for_file(path):
    """Return the address of the worker once a file exists."""
    give_up = time.monotonic() + TIMEOUT_S
    while not path.exists() and time.monotonic() < give_up:
        time.sleep(PAUSE_S)
    return get_worker().address


@asynccontextmanager
async def connect(address: str) -> AsyncIterator[tuple[DaskThread, Events]]:
    events = Events()
    thread = DaskThread(partial(Client, address, set_as_default=False), "topic", events)
    try:
        yield thread, events
    finally:
        with trio.move_on_after(TIMEOUT_S, shield=True):
            await thread.stop()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with run_cluster(tmp_path_factory.mktemp("dask"), workers=1) as cluster:
        yield cluster


async def test_tasks_stay_on_their_worker_when_an_idle_one_joins(cluster, tmp_path):
    go = tmp_path / "go"
    async with connect(cluster.address) as (thread, events):
        await until_async(lambda: events.workers)
        (first,) = events.workers
        for number in range(10):
            thread.submit(f"ours {number}", first, wait_for_file, go)
        with Client(cluster.address, set_as_default=False) as client:
            place = {"workers": [first], "allow_other_workers": True, "pure": False}
            others = [client.submit(wait_for_file, go, **place) for _ in range(10)]
            cluster.start_worker()
            tasks = await until_async(partial(find_moved_tasks, client, first))
            assert tasks <= {each.key for each in others}
            await trio.Path(go).touch()
            assert set(client.gather(others)) > {first}
        await until_async(lambda: len(events.finished) == 10)
    assert set(events.finished.values()) == {first}


@pytest.mark.driver
async def test_a_result_that_is_lost_with_its_worker_does_not_delay_others(cluster):
    async with connect(cluster.address) as (thread, events):
        await until_async(lambda: len(events.workers) == 2)
        first, second = events.workers
        thread.submit("lost", second, EndsItsWorker)
        thread.submit("kept", first, str)
        await until_async(lambda: events.removed)
        await until_async(lambda: "kept" in events.finished)
        thread.submit("later", first, str)
        await until_async(lambda: "later" in events.finished)
    assert events.removed == [(second, False)]
    assert "lost" not in events.finished


def find_moved_tasks(client, address):
    """Return the tasks that other workers have."""
    return {
        key for worker, keys in client.processing().items() for key in keys if worker != address
    }
