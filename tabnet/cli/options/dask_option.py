"""The option `--dask`: the Dask cluster that plays a tournament."""

from __future__ import annotations

import argparse
import logging
import os
import secrets
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabnet.errors import StartError

if TYPE_CHECKING:
    from tabnet.tournament.play.referee_interface import Cluster, ClusterObserver, RefereeSettings

LOCAL = "local"
VARIABLE = "DASK_SCHEDULER_ADDRESS"
LOGGERS = ("distributed", "asyncio")
"""The packages whose loggers Dask's client uses; several of them have handlers of their own."""
CONNECT_S = 10
"""The time limit of an attempt to connect."""


def add_dask_option(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--dask",
        nargs="?",
        const="",
        metavar="SCHEDULER",
        help="play on a Dask cluster: its scheduler's address, its scheduler file, or `local` for "
        f"workers on this machine; without a value, the address in {VARIABLE}",
    )


@contextmanager
def open_cluster(
    scheduler: str | None, client: Any = None
) -> Iterator[Callable[[RefereeSettings, ClusterObserver], Cluster] | None]:
    """Yield a function that creates the cluster of `--dask`, or None without that option.

    With `client`, a Dask client, it is the cluster of that client. Raises `StartError`.
    """
    if scheduler is not None and client is not None:
        raise StartError("--dask is the address of a cluster, and the client has another one")
    if scheduler is None and client is None:
        yield None
        return
    try:
        from distributed import Client

        from tabnet.tournament.play.cluster.local_cluster import run_local_cluster
    except ImportError:
        raise StartError(
            "--dask needs the package `distributed`", hint="pip install 'tabnet-arena[cluster]'"
        ) from None
    open_client = partial(Client, timeout=CONNECT_S, set_as_default=False, name="tabnet")
    if client is not None:
        address, security = client.scheduler.address, client.security
        yield partial(_create_cluster, partial(open_client, address, security=security))
        return
    if scheduler == LOCAL:
        with _without_logs(), run_local_cluster(os.cpu_count() or 1) as address:
            yield partial(_create_cluster, partial(open_client, address))
    else:
        found = _find_scheduler(scheduler or "")
        with _without_logs():
            yield partial(_create_cluster, partial(open_client, **found))


def _find_scheduler(scheduler: str) -> dict[str, str]:
    """Return the arguments of a client for an address or a scheduler file; raises `StartError`."""
    scheduler = scheduler or os.environ.get(VARIABLE, "")
    if not scheduler:
        raise StartError(f"--dask has no value, and {VARIABLE} is not set")
    if "://" in scheduler:
        return {"address": scheduler}
    if Path(scheduler).is_file():
        return {"scheduler_file": scheduler}
    raise StartError(
        f"--dask {scheduler} is neither an address nor a scheduler file",
        hint="like tcp://127.0.0.1:8786, scheduler.json or local",
    )


@contextmanager
def _without_logs() -> Iterator[None]:
    """Print no log or warning of Dask: the tournament itself says what happens to the cluster."""
    from distributed.versions import VersionMismatchWarning

    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in LOGGERS]
    loggers = [logging.getLogger(name) for name in names]
    before = [(logger.handlers, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.handlers, logger.propagate = [logging.NullHandler()], False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", VersionMismatchWarning
            )  # the versions are compared here
            yield
    finally:
        for logger, (handlers, propagates) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagates


def _create_cluster(
    connect: Callable[[], Any], settings: RefereeSettings, observer: ClusterObserver
) -> Cluster:
    from tabnet.tournament.play.cluster.dask_cluster import DaskCluster
    from tabnet.tournament.play.cluster.worker_admission import ClusterTournament

    token = f"tabnet-{secrets.token_hex(8)}"
    return DaskCluster(connect, ClusterTournament.create(token, settings), observer)
