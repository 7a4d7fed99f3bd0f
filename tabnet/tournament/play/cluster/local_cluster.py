"""A Dask cluster on this machine, for as long as it is used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

LOOPBACK = "127.0.0.1"


@contextmanager
def run_local_cluster(workers: int) -> Iterator[str]:
    """Run a scheduler and workers that play one game at once each; yields the address.

    Nothing listens at other addresses than the loopback address. Needs `distributed`.
    """
    from distributed import LocalCluster

    # Without a port of its own, the scheduler's page warns if another scheduler has port 8787.
    no_page = {"dashboard": False, "dashboard_address": f"{LOOPBACK}:0"}
    with LocalCluster(  # type: ignore[no-untyped-call]
        host=LOOPBACK, n_workers=workers, threads_per_worker=1, scheduler_kwargs=no_page
    ) as cluster:
        yield cluster.scheduler_address
