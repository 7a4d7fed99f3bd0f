"""The CPU time of decisions: between what a process is sent and its answer."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from tabnet.tournament.play.referee.cpu_meter import CpuMeter, make_clock_id


def work(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_only_the_time_from_the_last_frame_to_the_answer_counts() -> None:
    meter = CpuMeter()
    meter.begin_game(os.getpid())
    work(0.05)
    meter.note_received()
    assert meter.cpu_ms == 0
    meter.note_sent()
    work(0.05)
    meter.note_sent()
    work(0.02)
    meter.note_received()
    work(0.05)
    meter.note_received()
    assert meter.cpu_ms is not None
    assert 20 <= meter.cpu_ms < 50
    meter.begin_game(os.getpid())
    assert meter.cpu_ms == 0


def test_the_clock_is_that_of_any_process() -> None:
    program = "import time; [None for _ in range(10**6)]; print(time.process_time()); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        own = float(process.stdout.readline())
        assert own <= time.clock_gettime(make_clock_id(process.pid)) < own + 0.05
        process.stdin.close()


def test_the_time_before_the_end_of_a_process_is_kept() -> None:
    meter = CpuMeter()
    assert meter.cpu_ms is None
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    meter.begin_game(process.pid)
    meter.note_sent()
    process.communicate(b"1")
    meter.note_received()
    assert meter.cpu_ms is None
    meter.note_sent()
    meter.note_received()
