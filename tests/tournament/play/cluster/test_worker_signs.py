"""A worker without signs of life is silent; a scheduler that stands still accuses nobody."""

from __future__ import annotations

from tabnet.tournament.play.cluster.worker_signs import MAX_GAP_S, MAX_SILENCE_S, WorkerSigns

LISTS = int(MAX_SILENCE_S / MAX_GAP_S)


def note_lists(signs, count, start=0.0):
    """Only the heartbeat of `alive` changes."""
    for number in range(count):
        now = start + number * MAX_GAP_S
        signs.note_list({"alive": now, "stopped": 1.0}, now)


def test_a_worker_without_heartbeats_is_silent_until_the_next_one():
    signs = WorkerSigns()
    note_lists(signs, LISTS)
    assert not signs.is_silent("stopped")
    note_lists(signs, 1, start=MAX_SILENCE_S)
    assert signs.is_silent("stopped")
    assert not signs.is_silent("alive")
    signs.note_list({"stopped": 2.0}, MAX_SILENCE_S + 1)
    assert not signs.is_silent("stopped")
    assert not signs.is_silent("alive")


def test_reports_are_signs_of_life():
    signs = WorkerSigns()
    note_lists(signs, LISTS)
    signs.note_report("stopped")
    signs.note_report("unknown")
    note_lists(signs, 1, start=MAX_SILENCE_S)
    assert not signs.is_silent("stopped")
    assert not signs.is_silent("unknown")


def test_the_silence_of_the_scheduler_counts_as_one_gap():
    signs = WorkerSigns()
    signs.note_list({"stopped": 1.0}, 0.0)
    signs.note_list({"stopped": 1.0}, 100 * MAX_SILENCE_S)
    assert not signs.is_silent("stopped")
