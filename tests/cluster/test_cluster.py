"""Tournaments on a real Dask cluster, parts of which are killed, stopped or cut off."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import tabnet
from tabnet.cli import main
from tests.__main__ import ROOT
from tests.cable import Cable
from tests.cluster import adaptive_program
from tests.cluster.dask_processes import (
    StartedProcesses,
    TournamentProcess,
    read_journal_rows,
    run_cluster,
)
from tests.polling import TIMEOUT_S, until
from tests.resume.killed_tournament import differences, results

BOTS = ("random", str(Path(__file__).with_name("slow_first.py")))
OPTIONS = ("--size", "7", "--pairs", "8", "--seed", "7", "--max-moves", "300")


OTHER_VERSIONS = {
    "tabnet 0.0.1, and here is": "import tabnet; tabnet.__version__ = '0.0.1'",
    "Python 3.9, and here is": "import platform as p; p.python_version_tuple = lambda: ('3', '9')",
    "rules of tab abc, and here is": "from tabnet.tournament.play.cluster import host_probe;"
    "host_probe.compute_rules_digest = lambda _: 'abc'",
}
"""The statements that make a worker another version, by the reason why it is refused."""
NAME = "import socket; socket.gethostname = lambda: '{}';"
END_OF_LIFETIME = (
    "dask_worker.loop.add_callback(dask_worker.close_gracefully, reason='worker-lifetime-reached')"
)
"""The call that Dask makes after the time of its option `--lifetime`."""
WITHOUT_SANDBOX = (
    "from tabnet.tournament.play.cluster import host_probe;"
    "from tabnet.tournament.play.sandbox.host import Sandbox;"
    "host_probe.choose_sandbox = lambda _: Sandbox('none', 0)"
)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The results of the tournament on one machine."""
    folder = tmp_path_factory.mktemp("alone")
    with begin(folder / "t") as tournament:
        assert tournament.wait() == 0, tournament.output
    return results(folder / "t")


def begin(folder, *options):
    output = folder.with_name("output.txt")
    return TournamentProcess(output, *BOTS, *OPTIONS, "--out", str(folder), *options)


def resume(folder, *options):
    return TournamentProcess(folder.with_name("output.txt"), "--resume", str(folder), *options)


def wait_for_results(folder, count):
    until(lambda: len(read_journal_rows(folder, "result")) >= count)


def require_equal(tournament, folder, expected):
    """The tournament ends well, with the results of the tournament on one machine."""
    assert tournament.wait() == 0, tournament.output
    assert differences(expected, results(folder)) == []


def interrupt(tournament, folder, count):
    wait_for_results(folder, count)
    tournament.process.send_signal(signal.SIGINT)
    assert tournament.wait() == 130, tournament.output


def test_results_are_the_same_when_a_tournament_moves_to_a_cluster_and_back(tmp_path, expected):
    folder = tmp_path / "t"
    with begin(folder) as tournament:
        interrupt(tournament, folder, 2)
    with run_cluster(tmp_path / "dask", workers=1) as cluster:
        before = len(read_journal_rows(folder, "result"))
        with resume(folder, "--dask", cluster.address) as tournament:
            interrupt(tournament, folder, before + 1)
    with resume(folder) as tournament:
        require_equal(tournament, folder, expected)


def test_the_games_of_a_killed_worker_are_played_again(tmp_path, expected):
    folder = tmp_path / "t"
    with (
        run_cluster(tmp_path / "dask", workers=1) as cluster,
        begin(folder, "--dask", cluster.address) as tournament,
    ):
        wait_for_results(folder, 2)
        started = StartedProcesses(cluster.workers)
        cluster.workers[0].kill()
        started.require_end()
        cluster.start_worker()  # it joins late
        require_equal(tournament, folder, expected)
        (lost,) = read_journal_rows(folder, "worker_lost")
        failed = {row["game"] for row in read_journal_rows(folder, "failure")}
        assert set(lost["games"]) == failed != set()
        assert f"Dask worker {lost['worker']} on {lost['host']} is lost" in tournament.output


@pytest.mark.driver
def test_a_lost_connection_costs_nothing_but_time(tmp_path, expected):
    folder, lost = tmp_path / "t", "The games that were running are played again."
    with (
        run_cluster(tmp_path / "dask", workers=1) as cluster,
        Cable(cluster.port) as cable,
        begin(folder, "--dask", f"tcp://127.0.0.1:{cable.port}") as tournament,
    ):
        wait_for_results(folder, 2)
        cable.cut()
        until(lambda: tournament.output.count(lost) == 1)
        cable.mend()
        wait_for_results(folder, 1 + len(read_journal_rows(folder, "result")))
        cluster.restart_scheduler()
        until(lambda: tournament.output.count(lost) == 2)
        cluster.start_worker()
        require_equal(tournament, folder, expected)
        assert "Traceback" not in tournament.output
        assert "distributed" not in tournament.output
    assert read_journal_rows(folder, "failure") == read_journal_rows(folder, "conflict") == []


@pytest.mark.driver
def test_a_worker_at_the_end_of_its_lifetime_costs_no_game_a_failure(tmp_path, expected):
    folder = tmp_path / "t"
    with (
        run_cluster(tmp_path / "dask", workers=1) as cluster,
        begin(folder, "--dask", cluster.address) as tournament,
    ):
        wait_for_results(folder, 2)
        cluster.start_worker()
        cluster.run_in_first_worker(END_OF_LIFETIME)
        assert cluster.workers[0].wait(TIMEOUT_S) == 0
        require_equal(tournament, folder, expected)
    assert read_journal_rows(folder, "failure") == []


@pytest.mark.driver
def test_an_adaptive_cluster_grows_from_nothing_and_shrinks_without_a_loss(tmp_path, monkeypatch):
    monkeypatch.setenv("TEST_FILE", str(tmp_path / "missing"))
    folder = tmp_path / "t"
    ended = subprocess.run(
        [sys.executable, "-m", "tests.cluster.adaptive_program", folder],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        timeout=4 * TIMEOUT_S,
        check=True,
    )
    facts = json.loads(ended.stdout)
    assert 0 < facts.pop("results_before") < facts.pop("games") == 80
    assert facts == {
        "said": ["Waiting for workers of the Dask cluster."],
        "future": 3,
        "status": "running",
        "is_default": True,
    }
    assert read_journal_rows(folder, "failure") == read_journal_rows(folder, "worker_lost") == []
    tabnet.play_tournament(adaptive_program.BOTS, out=tmp_path / "a", **adaptive_program.OPTIONS)
    assert differences(results(tmp_path / "a"), results(folder)) == []


@pytest.mark.driver
def test_hosts_with_another_version_are_refused_and_others_are_in_the_report(tmp_path, expected):
    folder = tmp_path / "t"
    with (
        run_cluster(tmp_path / "dask", workers=0) as cluster,
        begin(folder, "--dask", cluster.address) as tournament,
    ):
        for statements in OTHER_VERSIONS.values():
            cluster.start_worker(statements=statements)
        for reason in OTHER_VERSIONS:
            until(lambda reason=reason: f"cannot play: it has {reason}" in tournament.output)
        early = cluster.start_worker(statements=NAME.format("early"))
        wait_for_results(folder, 2)
        early.send_signal(signal.SIGSTOP)
        cluster.start_worker(statements=NAME.format("late") + WITHOUT_SANDBOX)
        wait_for_results(folder, 1 + len(read_journal_rows(folder, "result")))
        early.send_signal(signal.SIGCONT)
        require_equal(tournament, folder, expected)
        assert "Bots on late had no sandbox." in tournament.output
    timing = json.loads((folder / "results.json").read_text())["timing"]
    early, late = timing["hosts"]
    assert (early["name"], late["name"]) == ("early", "late")
    assert late["sandbox"]["used"] == "none" != early["sandbox"]["used"]
    assert early["games"] + late["games"] == 16
    assert late["games"] > 0


def test_without_a_scheduler_the_tournament_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tabnet.tournament.play.cluster.dask_thread.CONNECT_S", 0.0)
    monkeypatch.setattr("tabnet.cli.options.dask_option.CONNECT_S", 0.2)
    command = ["tournament", *BOTS, "--out", str(tmp_path / "t"), "--dask", "tcp://127.0.0.1:9"]
    assert main(command) == 1
    assert "no Dask scheduler answers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "--dask has no value, and DASK_SCHEDULER_ADDRESS is not set"),
        ("nowhere", "--dask nowhere is neither an address nor a scheduler file"),
    ],
)
def test_a_scheduler_that_cannot_be_found_is_refused(tmp_path, capsys, monkeypatch, value, said):
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    assert main(["tournament", *BOTS, "--out", str(tmp_path / "t"), f"--dask={value}"]) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "t").exists()


def test_without_distributed_the_option_names_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["tournament", *BOTS, "--out", str(tmp_path / "t"), "--dask", "local"]) == 1
    assert "--dask needs the package `distributed`" in capsys.readouterr().err
    assert not (tmp_path / "t").exists()
