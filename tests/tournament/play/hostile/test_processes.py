"""Bots that flood the machine with processes, memory, files and output, or start daemons."""

from __future__ import annotations

import pytest

from tests.tournament.play.hostile.tournaments import Mode, Theme, check

pytestmark = pytest.mark.slow

START_DAEMON = """
def start_daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (1, 2, 15):
                signal.signal(number, signal.SIG_IGN)
            time.sleep(1000)
        os._exit(0)
    os.wait()
"""
PROCESSES = Theme(
    {
        "daemon": Mode(
            START_DAEMON
            + """
def decide(bot, turn):
    if bot.turns == 2:
        start_daemon()
"""
        ),
        "daemon_and_exit": Mode(
            START_DAEMON
            + """
def decide(bot, turn):
    if bot.turns == 2:
        start_daemon()
        sys.exit(3)
""",
            "crash",
            "exit code 3",
        ),
        "forks_within_limits": Mode(
            """
def decide(bot, turn):
    if bot.turns == 2:
        for _ in range(6):
            if os.fork() == 0:
                time.sleep(1000)
        sys.exit(4)
""",
            "crash",
            "exit code 4",
        ),
        "fork_bomb": Mode(
            """
def decide(bot, turn):
    end = time.monotonic() + 1.5
    while bot.turns == 2 and time.monotonic() < end:
        if os.fork() == 0:
            os.setsid()
""",
            "crash",
            "it had more than 8 processes",
        ),
        "memory": Mode(
            """
def decide(bot, turn):
    if bot.turns == 2:
        kept = [bytearray(b"x") * (1 << 24) for _ in range(40)]
        time.sleep(1)
""",
            "crash",
            "it had more than 128 MiB of memory",
        ),
        "cpu": Mode(
            """
def decide(bot, turn):
    if bot.turns == 2:
        if os.fork():
            os.wait()
        while True:
            pass
""",
            "crash",
            "it had more than 1 s of CPU time in a game",
        ),
    },
    ("--clock", "20", "--processes", "8", "--memory", "128", "--cpu", "1"),
)


def test_bots_with_too_many_processes_memory_or_cpu_time_lose_and_leave_nothing(tmp_path):
    check(tmp_path, PROCESSES)


OUTPUT = Theme(
    {
        "large_file": Mode(
            """
def decide(bot, turn):
    if bot.turns == 2:
        open(os.environ["TMPDIR"] + "/large", "wb").write(bytes(2 << 20))
""",
            "crash",
            "File too large",
        ),
        "large_file_of_a_child": Mode(
            """
def decide(bot, turn):
    if bot.turns == 2:
        code = os.spawnlp(os.P_WAIT, "dd", "dd", "if=/dev/zero", "bs=1M", "count=2",
            "of=" + os.environ["TMPDIR"] + "/large")
        assert code, "a file of 2 MiB was written"
        os.kill(os.getpid(), 9)
""",
            "crash",
            "killed by SIGKILL",
        ),
        "gigabyte_to_stdout": Mode(
            """
def decide(bot, turn):
    if bot.turns == 2:
        for _ in range(1024):
            os.write(1, b"x" * (1 << 20))
        sys.exit("\\nthe last words")
""",
            "crash",
            "exit code 1: the last words",
        ),
    },
    ("--file-size", "1"),
)


def test_floods_of_output_and_large_files_are_bounded(tmp_path):
    outcome = check(tmp_path, OUTPUT)
    for log in (outcome.folder / "logs").iterdir():
        assert log.stat().st_size < 1_000_000
