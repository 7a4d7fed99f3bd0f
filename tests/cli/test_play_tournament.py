"""`tabnet.play_tournament`, as a Python program calls it."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import tabnet
from tabnet.errors import StartError
from tests.cli.processes import call_main
from tests.cli.test_tournament import has_results
from tests.polling import TIMEOUT_S, until
from tests.resume.killed_tournament import differences, results

BOTS = ["first", "random"]
SMALL = {"size": 7, "pairs": 1, "seed": "t", "clock": 20, "concurrency": 1}


def test_the_public_name_imports_neither_trio_nor_dask():
    program = (
        "import sys, tabnet; tabnet.play_tournament;"
        "assert not {'trio', 'distributed', 'rich'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_it_plays_beside_an_event_loop_in_a_thread_and_leaves_the_process_as_it_was(
    tmp_path, capfd, caplog
):
    async def play():  # noqa: ASYNC124 - the event loop runs meanwhile
        return tabnet.play_tournament(BOTS, out=tmp_path / "a", sandbox="none", **SMALL)

    caplog.set_level(logging.INFO, "tabnet.tournament")
    gc.unfreeze()  # what other tests have frozen
    before = signal.getsignal(signal.SIGINT), 0
    with ThreadPoolExecutor(1) as pool:
        played = pool.submit(lambda: asyncio.run(play())).result()
    assert (signal.getsignal(signal.SIGINT), gc.get_freeze_count()) == before
    assert capfd.readouterr() == ("", "")
    said = [record for record in caplog.records if record.name == "tabnet.tournament"]
    assert [record.message for record in said] == [
        "Bots run with your rights: there is no sandbox on this machine."
    ]
    assert len(played["games"]) == 2
    command = ["--size", 7, "--pairs", 1, "--seed", "t", "--clock", 20, "--concurrency", 1]
    assert call_main("tournament", *BOTS, *command, "--out", tmp_path / "b").returncode == 0
    assert differences(results(tmp_path / "b"), results(tmp_path / "a")) == []


def test_a_bot_that_is_added_plays_and_the_progress_is_printed_on_request(tmp_path, capsys):
    tabnet.play_tournament(BOTS, out=tmp_path / "a", **SMALL)
    played = tabnet.play_tournament(resume=tmp_path / "a", add=["greedy"], progress=True)
    assert len(played["games"]) == 6
    assert "of 6 games" in capsys.readouterr().out


ENDLESS = """
import signal, sys, threading, tabnet
out, bots = sys.argv[1], ["first", "random"]
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
try:
    tabnet.play_tournament(bots, out=out, pairs=1000, size=7, seed="t", concurrency=2)
except KeyboardInterrupt as error:
    print(*error.__notes__)
    print([thread.name for thread in threading.enumerate() if "tabnet" in thread.name])
"""


def test_ctrl_c_ends_a_tournament_that_can_be_resumed(tmp_path):
    folder = tmp_path / "it"
    command = [sys.executable, "-c", ENDLESS, folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        until(lambda: has_results(folder))
        program.send_signal(signal.SIGINT)
        said, _ = program.communicate(timeout=TIMEOUT_S)
    assert program.returncode == 0
    assert said == f"To continue: tabnet.play_tournament(resume={str(folder)!r})\n[]\n"
    with pytest.raises(StartError, match="resume uses the bots and the folder"):
        tabnet.play_tournament(BOTS, resume=folder)
    journal = folder / "journal.jsonl"
    first = journal.read_bytes()
    journal.write_bytes(first.replace(b'"pairs":1000', b'"pairs":1', 1))
    played = tabnet.play_tournament(resume=folder)
    assert journal.read_bytes() != first
    assert len(played["games"]) == 2


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"pair": 3}, TypeError, "has no option 'pair'; did you mean 'pairs'?"),
        ({"bots": "greedy"}, TypeError, "needs a list of bots"),
        ({"client": "tcp://127.0.0.1:9"}, TypeError, "needs a distributed.Client as client"),
        ({"pairs": "many"}, StartError, "^pairs: 'many' is not an integer$"),
        ({"pairs": True}, StartError, "^pairs: 'True' is not an integer$"),
        ({"alpha": "a"}, StartError, "^alpha: 'a' is not a number$"),
        ({"clock": 0}, StartError, "^clock: 0 is no clock: a clock has 0.05 to"),
        ({"format": "cup"}, StartError, "^format: invalid choice: 'cup'"),
        ({"size": 8, "out": "x"}, StartError, r"^invalid size '8' \(an odd integer from 7 to 15"),
        ({"resume": "nowhere"}, StartError, "^there is no tournament in nowhere"),
        ({"add": ["first"]}, StartError, r"^add needs a tournament to resume \(resume DIR\)$"),
        ({"sandbox_read": ["nowhere"]}, StartError, "^sandbox_read nowhere: there is no such file"),
        ({"dask": True}, StartError, "^dask has no value, and DASK_SCHEDULER_ADDRESS is not set$"),
        ({"dask": False, "tolerate": False, "seed": None, "rounds": 9}, StartError, "^9 rounds"),
    ],
)
def test_wrong_arguments_raise_an_error_with_a_sentence(
    tmp_path, monkeypatch, options, error, text
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    with pytest.raises(error, match=text) as raised:
        tabnet.play_tournament(**{"bots": None, **options})
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__ or raised.value.__context__ is None
    assert "--" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


WITHOUT_UNIX = """
import sys, trio, tabnet
from tabnet.errors import StartError
for name in ("fcntl", "resource", "termios", "tty"):
    sys.modules[name] = None
try:
    tabnet.play_tournament(out=sys.argv[1])
except StartError as error:
    print(error)
"""


def test_on_other_systems_it_says_that_it_needs_unix(tmp_path):
    program = [sys.executable, "-c", WITHOUT_UNIX, tmp_path / "t"]
    said = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert said == "a tournament needs a Unix system (on Windows use WSL)\n"


def test_a_client_that_is_closed_or_asynchronous_is_refused(tmp_path, monkeypatch):
    from distributed import Client

    client = Client.__new__(Client)
    for asynchronous, error in ((False, StartError), (True, TypeError)):
        monkeypatch.setattr(Client, "asynchronous", asynchronous)
        client.status = "closed"
        with pytest.raises(error, match="Dask client"):
            tabnet.play_tournament(BOTS, out=tmp_path / "t", client=client)
    assert list(tmp_path.iterdir()) == []
