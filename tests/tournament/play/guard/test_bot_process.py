"""The guard of a bot: nothing that the bot has started outlives it, and every limit holds."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

import pytest
import trio

from tabnet.tournament.play.bots import own_processes
from tabnet.tournament.play.bots.bot_process import BotProcess, ProcessLimits
from tabnet.tournament.play.bots.local_bots import LocalBot
from tabnet.tournament.play.bots.own_processes import OWN_PROCESSES
from tabnet.tournament.play.guard.process_tree import list_children
from tests.polling import until, until_async
from tests.tournament.run_games import TEST_VARIABLES, nobody_left

TEST_S = 30
DAEMON = """
import os, sys, time, signal
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        os.closerange(0, 10)
        time.sleep(1000)
    os._exit(0)
os.wait()
"""
"""Starts a daemon, which has no parent and is in no session of the bot."""
HANG = "\nprint('ready', flush=True)\ntime.sleep(1000)\n"
BOMB = """
import os, time
end = time.monotonic() + 1  # it ends by itself where it is not ended
while time.monotonic() < end:
    if os.fork() == 0:
        os.setsid()
"""


def make_process(program, limits=ProcessLimits(), **environment):  # noqa: B008 - it is frozen
    bot = LocalBot((sys.executable, "-I", "-S", "-c", program), Path(mkdtemp()))
    return BotProcess(bot, environment, limits, TEST_VARIABLES)


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch):
    before = set(list_children(os.getpid()))  # other tests may have left orphans to this process
    files = list_files()
    with nobody_left(monkeypatch):
        yield
    children = set(list_children(os.getpid())) - before
    assert [pid for pid in children if is_zombie(pid)] == []
    assert list_files() <= files


def list_files():
    """Return the open files of this process, with their numbers."""
    found = set()
    for each in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the folder itself
            found.add((each.name, str(each.readlink())))
    return found


def is_zombie(pid):
    return " Z " in Path(f"/proc/{pid}/stat").read_text()


@asynccontextmanager
async def running(process):
    """Run a process until it has written `ready`; after the block, wait for its end."""
    with trio.fail_after(TEST_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.run)
            await until_async(lambda: (process.pid and str(process.output)) or process.ending)
            yield


async def run(program, limits=ProcessLimits(), **environment):  # noqa: B008 - it is frozen
    process = make_process(program, limits, **environment)
    with trio.fail_after(TEST_S):
        await process.run()
    return process


@pytest.mark.parametrize(
    ("program", "ending"),
    [
        ("", "exit code 0"),
        ("import os; os._exit(3)", "exit code 3"),
        ("import os; os.kill(os.getpid(), 11)", "killed by SIGSEGV"),
        (DAEMON, "exit code 0"),
        (DAEMON + "os.kill(os.getpid(), 9)", "killed by SIGKILL"),
    ],
)
async def test_the_end_of_a_bot_is_the_end_of_all_that_it_has_started(program, ending):
    process = await run(program)
    assert process.ending == process.description == ending
    assert process.offence == ""


async def test_a_killed_bot_leaves_no_daemon():
    process = make_process(DAEMON + HANG)
    async with running(process):
        assert process.pid
        process.kill()
    assert process.ending == "killed by SIGKILL"


async def test_output_and_environment_are_the_bots_own():
    program = """
import os, sys
print(os.environ["TEST_WORD"], os.read(0, 1), flush=True)
sys.stderr.write("last")
"""
    process = await run(program, TEST_WORD="word")
    assert str(process.output) == "word b''\nlast"
    assert process.description == "exit code 0: last"


async def test_a_bot_inherits_no_file_and_no_ignored_signal():
    program = "/bin/sh -c 'cd /proc/$$; ls fd; grep SigIgn status'"
    process = BotProcess(
        LocalBot(tuple(shlex.split(program)), Path(mkdtemp())), {}, ProcessLimits()
    )
    await process.run()
    assert str(process.output).split() == ["0", "1", "2", "SigIgn:", "0" * 16]


async def test_a_program_that_does_not_exist_is_named():
    process = BotProcess(LocalBot(("/no/such/program",), Path(mkdtemp())), {}, ProcessLimits())
    await process.run()
    assert process.ending == "/no/such/program cannot be started: No such file or directory"
    assert process.offence == ""


async def test_a_guard_that_cannot_be_started_is_reported(monkeypatch):
    monkeypatch.setattr(
        "tabnet.tournament.play.bots.bot_process.GUARD_COMMAND", ("/no/such/python",)
    )
    process = await run("")
    assert process.ending == "its guard cannot be started: No such file or directory"


async def test_games_go_on_while_the_files_of_a_bot_are_removed(monkeypatch):
    may_remove, removed = threading.Event(), []

    def remove(bot):
        assert may_remove.wait(TEST_S)
        removed.append(bot)

    monkeypatch.setattr(LocalBot, "remove", remove)
    process = make_process("")
    async with running(process):
        await process.ended.wait()
        assert removed == []
        may_remove.set()
    assert len(removed) == 1


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
async def test_the_process_and_the_end_of_a_bot_in_bubblewrap_are_its_own():
    program = "import os, time; print('ready', flush=True); time.sleep(1); os.kill(os.getpid(), 11)"
    wrapper = ("bwrap", "--unshare-pid", "--dev-bind", "/", "/")
    bot = LocalBot((*wrapper, sys.executable, "-I", "-S", "-c", program), Path(mkdtemp()))
    process = BotProcess(bot, {}, ProcessLimits(), TEST_VARIABLES)
    async with running(process):
        await until_async(
            lambda: Path(f"/proc/{process.pid}/comm").read_text().startswith("python")
        )
    assert process.ending == "killed by SIGSEGV"


# Limits


async def test_a_fork_bomb_in_many_sessions_is_ended():
    process = await run(BOMB, ProcessLimits(processes=8))
    assert process.ending == process.description == "it had more than 8 processes"


async def test_threads_are_no_processes_but_a_flood_of_them_is_ended():
    program = """
import threading, time
for number in range(%d):
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
time.sleep(%g)
"""
    limits = ProcessLimits(processes=2)
    assert (await run(program % (30, 0.3), limits)).ending == "exit code 0"
    assert (await run(program % (33, 1000), limits)).ending == "it had more than 32 threads"


async def test_the_memory_of_all_processes_counts_and_shared_memory_counts_once():
    program = """
import os, time
data = bytearray(b"x") * (40 << 20)
for _ in range(3):
    if os.fork() == 0:
        if %d:
            data[::4096] = b"y" * len(data[::4096])
        time.sleep(%g)
        os._exit(0)
for _ in range(3):
    os.wait()
"""
    limits = ProcessLimits(memory=100 << 20)
    assert (await run(program % (False, 0.5), limits)).ending == "exit code 0"
    assert (
        await run(program % (True, 1000), limits)
    ).ending == "it had more than 100 MiB of memory"


async def test_a_large_file_is_not_written(tmp_path):
    program = f"""
import signal
signal.signal(signal.SIGXFSZ, {{}})
open({str(tmp_path / "large")!r}, "wb").write(bytes(3 << 20))
"""
    limits = ProcessLimits(file=1 << 20)
    process = await run(program.format("signal.SIG_DFL"), limits)
    assert process.ending == "it wrote a file of more than 1 MiB"
    process = await run(program.format("signal.SIG_IGN"), limits)
    assert process.description == "exit code 1: OSError: [Errno 27] File too large"
    assert (tmp_path / "large").stat().st_size <= 1 << 20


WORKS = """
import os, signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
print("ready", flush=True)
while True:
    signal.sigwait([signal.SIGUSR1])
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass
    print("worked", flush=True)
"""
"""Works for 0.3 s after each signal."""


@pytest.mark.parametrize("is_one_game", [True, False])
async def test_cpu_time_is_limited_for_each_game(is_one_game):
    process = make_process(WORKS, ProcessLimits(cpu=0.45))
    async with running(process):
        process.begin_game()
        os.kill(process.pid, signal.SIGUSR1)
        await until_async(lambda: "worked" in str(process.output))
        if not is_one_game:
            process.end_game()
            process.begin_game()
        os.kill(process.pid, signal.SIGUSR1)
        if not is_one_game:
            await until_async(lambda: str(process.output).count("worked") == 2)
            process.kill()
    offence = "it had more than 0.45 s of CPU time in a game" if is_one_game else ""
    assert process.offence == offence


# The guard


async def test_a_bot_that_kills_its_guard_is_ended_with_its_daemons():
    process = await run(DAEMON + "os.kill(os.getppid(), 9)\n" + HANG)
    assert process.ending == "the process that guards it ended unexpectedly, killed by SIGKILL"


async def test_a_bot_that_stops_its_guard_is_ended_with_its_daemons():
    process = await run(DAEMON + "os.kill(os.getppid(), signal.SIGSTOP)\n" + HANG)
    assert process.ending == "the process that guards it was stopped"


async def test_other_children_of_the_referee_stay_alive_when_orphans_are_killed():
    async with trio.open_nursery() as nursery:
        other = await OWN_PROCESSES.start(("sleep", "1000"), os.environ)
        await run("import os, time; os.kill(os.getppid(), 9); time.sleep(1000)")
        assert other.poll() is None
        other.kill()
        await other.wait()
        for pipe in (other.stdin, other.stdout, other.stderr):
            await pipe.aclose()
        nursery.cancel_scope.cancel()
    assert own_processes.GIVE_UP_S < TEST_S


REFEREE = """
import pathlib, sys, tempfile, trio
from tabnet.tournament.play.bots.bot_process import BotProcess, ProcessLimits
from tabnet.tournament.play.bots.local_bots import LocalBot
async def main():
    bot = LocalBot((sys.executable, "-c", {program!r}), pathlib.Path(tempfile.mkdtemp()))
    process = BotProcess(bot, {{}}, ProcessLimits())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(process.run)
        while not str(process.output):
            await trio.sleep(0.01)
        print(process.pid, flush=True)
trio.run(main)
"""


def test_a_killed_referee_leaves_no_bot():
    program = REFEREE.format(program=DAEMON + HANG)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as referee:
        bot = int(referee.stdout.readline())
        guard = int(Path(f"/proc/{bot}/stat").read_text().split()[3])
        referee.send_signal(signal.SIGKILL)
    with suppress(ChildProcessError):  # it is a child of the test's process, if that is a subreaper
        os.waitpid(guard, 0)
    until(lambda: not Path(f"/proc/{bot}").exists())
