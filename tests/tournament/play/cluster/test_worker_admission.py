"""Workers are admitted with the same versions as here, and with the files of all bots."""

from __future__ import annotations

import pytest

from tabnet.tournament.plan.plan import Plan
from tabnet.tournament.play.bots.entrants import find_bots
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.cluster.host_probe import describe_host
from tabnet.tournament.play.cluster.worker_admission import ClusterTournament, WorkerAdmission
from tabnet.tournament.play.referee_interface import RefereeSettings

BOT = """
class Bot:
    def choose(self, state, moves, left):
        return moves[0]
"""


class Cluster:
    """Keeps what the admission submits, admits and announces."""

    def __init__(self, folder, *sources):
        (folder / "mine.py").write_text(BOT)
        bots = tuple(find_bots([str(folder / "mine.py"), "random", *sources]))
        names = tuple(bot.name for bot in bots)
        plan = Plan("7", "tab", {}, {"move": 5.0}, "round-robin", 1, names)
        settings = RefereeSettings(plan, bots, ProcessSettings())
        self.submitted, self.admitted, self.announced = [], [], []
        self.admission = WorkerAdmission(
            ClusterTournament.create("token", settings),
            self.submit,
            lambda *args: self.admitted.append(args),
            self.announced.append,
        )
        self.facts = describe_host("tab", self.admission.tournament.programs)

    def submit(self, key, worker, _, *args):
        self.submitted.append((key, worker, args))

    def finish(self, result, error=None):
        return self.admission.on_finished(self.submitted[-1][0], result, error)


def test_a_worker_with_the_same_versions_receives_the_files_it_lacks(tmp_path):
    cluster = Cluster(tmp_path)
    cluster.admission.add_worker("w", 2)
    cluster.admission.add_worker("w", 2)
    assert len(cluster.submitted) == 1
    assert cluster.finish(cluster.facts)
    token, settings, digests, contents = cluster.submitted[-1][2]
    assert (token, contents) == ("token", [])
    assert [bot.content for bot in settings.bots] == [None, None]
    assert cluster.finish(list(digests.values()))
    mine, house_bot = cluster.submitted[-1][2][3]
    assert mine.files[0].data.decode() == BOT
    assert house_bot.files[0].path == "random_.py"
    assert cluster.admitted == []
    assert cluster.finish([])
    assert cluster.admitted == [("w", 2, cluster.facts)]
    assert cluster.announced == []


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("tabnet", "0.0.1", "it has tabnet 0.0.1, and here is"),
        ("python", "3.9", "it has Python 3.9, and here is"),
        ("rules", "abc", "it has rules of tab abc, and here is"),
        ("rules", "", "it has rules of tab (none), and here is"),
        ("sandbox", {"missing": "--sandbox bwrap: no bwrap"}, "--sandbox bwrap: no bwrap"),
    ],
)
def test_a_worker_with_another_version_is_refused_once_for_its_host(tmp_path, field, value, reason):
    cluster = Cluster(tmp_path)
    for worker in ("w", "v"):
        cluster.admission.add_worker(worker, 1)
        cluster.finish(cluster.facts | {field: value})
    assert cluster.admitted == []
    (sentence,) = cluster.announced
    assert f"Dask worker w cannot play: {reason}" in sentence


def test_a_worker_without_tabnet_is_refused(tmp_path):
    cluster = Cluster(tmp_path)
    cluster.admission.add_worker("w", 1)
    cluster.finish(None, ModuleNotFoundError("No module named 'tabnet'"))
    assert "No module named 'tabnet'" in cluster.announced[0]
    assert cluster.admission.has_all_facts


def test_programs_that_a_host_lacks_are_found_at_the_beginning_only(tmp_path):
    cluster = Cluster(tmp_path, "cmd:true", "cmd:false")
    assert not cluster.admission.has_all_facts
    cluster.admission.add_worker("w", 1)
    assert not cluster.admission.has_all_facts
    cluster.finish(cluster.facts | {"missing": ["true"]})
    assert cluster.admission.has_all_facts
    assert cluster.admission.decide_programs() == {"true"}
    cluster.admission.add_worker("v", 1)
    cluster.finish(cluster.facts | {"missing": ["true"]})
    assert cluster.announced == []
    cluster.admission.add_worker("u", 1)
    cluster.finish(cluster.facts | {"missing": ["false"]})
    assert "it has no program false" in cluster.announced[0]


def test_without_workers_every_program_is_missing(tmp_path):
    cluster = Cluster(tmp_path, "cmd:true")
    assert cluster.admission.decide_programs() == {"true"}


def test_a_forgotten_worker_is_asked_again(tmp_path):
    cluster = Cluster(tmp_path)
    cluster.admission.add_worker("w", 1)
    key = cluster.submitted[-1][0]
    cluster.admission.forget("w")
    assert cluster.admission.on_finished(key, cluster.facts, None)
    cluster.admission.add_worker("w", 1)
    assert len(cluster.submitted) == 2
    cluster.admission.forget_all()
    assert not cluster.finish(cluster.facts)
