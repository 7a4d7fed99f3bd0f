"""A program that plays a tournament on an adaptive cluster, which grows and shrinks meanwhile.

`python -m tests.cluster.adaptive_program FOLDER` prints facts about the end as JSON.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from pathlib import Path

import distributed
from distributed import Client, LocalCluster

import tabnet
from tabnet.tournament.play.cluster import dask_cluster
from tests.cluster.dask_processes import read_journal_rows
from tests.polling import until
from tests.tournament.run_games import faulty

BOTS = ["random", faulty("is_slow_while_a_file_exists")]
"""The second bot plays on workers whose host has its program, also if the first one comes late."""
OPTIONS = {"size": 7, "pairs": 40, "seed": "7", "max_moves": 300, "env": ["TEST_FILE"]}
QUICK = {"interval": "100ms", "wait_count": 1}


class Sentences(logging.Handler):
    """Collects the sentences for the user."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def main(folder: Path) -> None:
    log, sentences = logging.getLogger("tabnet.tournament"), Sentences()
    log.setLevel(logging.INFO)
    log.addHandler(sentences)
    slow = folder.with_name("shared") / "slow"
    slow.parent.mkdir()
    os.environ["TEST_FILE"] = str(slow)
    options = {**OPTIONS, "sandbox_read": [str(slow.parent)]}
    dask_cluster.LONELY_S = dask_cluster.LOOK_S  # the user is told at once
    dask_cluster.PROBE_S = 0.5
    with (
        LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        futures = []

        def count_workers() -> int:
            return len(client.scheduler_info(n_workers=-1)["workers"])

        def scale() -> None:
            until(lambda: sentences.said)
            cluster.adapt(minimum=0, maximum=2, **QUICK)
            until(lambda: count_workers() == 2)
            until(lambda: read_journal_rows(folder, "result"))
            slow.touch()
            futures.append(client.submit(sum, [1, 2]))
            assert futures[0].result() == 3
            cluster.adapt(minimum=0, maximum=1, **QUICK)
            until(lambda: count_workers() == 1)
            futures.append(len(read_journal_rows(folder, "result")))
            slow.unlink()

        scaling = threading.Thread(target=scale)
        scaling.start()
        played = tabnet.play_tournament(BOTS, out=folder, client=client, **options)
        scaling.join()
        future, results_before = futures
        facts = {
            "said": sorted(set(sentences.said)),
            "games": sum("host" in game for game in played["timing"]["games"].values()),
            "results_before": results_before,
            "future": future.result(),
            "status": client.status,
            "is_default": distributed.default_client() is client,
        }
    print(json.dumps(facts))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
