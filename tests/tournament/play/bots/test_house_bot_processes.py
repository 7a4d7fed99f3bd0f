"""Processes of house bots that fail: others take their places, and no game hangs."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import asynccontextmanager

import pytest
import trio
from attrs import fields_dict

from tabnet.cli.options.serve_options import MAX_HOUSE_GAMES
from tabnet.errors import StartError
from tabnet.protocol.messages import Register
from tabnet.server.core.pairing.house_bots import make_nicks
from tabnet.tournament.play.bots import house_bot_processes, house_bot_trials
from tabnet.tournament.play.bots.house_bot_processes import (
    check_sandbox,
    find_house_bots,
    offer_bots,
)
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.sandbox.host import Sandbox, choose_sandbox
from tabnet.tournament.play.sandbox.policy import AUTO, NONE
from tests.harness import running
from tests.polling import until_async

TEST_S = 60
NO_SANDBOX = ProcessSettings(sandbox=NONE)
"""The bots of these tests leave notes in the folder of the test."""
"""No test here takes a quarter of it."""
JOIN = {"cmd": "join", "kind": "draughts", "opponent": "mine", "seat": 1}
"""The bot plays first."""
SULKS_ONCE = """
import os
from pathlib import Path
def choose(state, moves, left):
    said, me = Path("{folder}/sulked"), str(os.getpid())
    if not said.exists():
        said.write_text(me)
    while said.read_text() == me:
        pass
    return moves[0]
"""
CRASHES_TWICE = """
from pathlib import Path
crashes = Path("{folder}/crashes")
def choose(state, moves, left):
    times = len(crashes.read_text()) if crashes.exists() else 0
    if times < 2:
        crashes.write_text("x" * (times + 1))
        raise ValueError("no idea")
    return moves[0]
"""

WITHOUT_A_PORT = """
import os
os.environ["TABNET_PORT"] = "1"  # nobody listens there
def choose(state, moves, left):
    return moves[0]
"""


@asynccontextmanager
async def house_of(tmp_path, program, games=1):
    """A server that offers one bot, and a client of it."""
    (tmp_path / "mine.py").write_text(program.replace("{folder}", str(tmp_path)))
    bots = find_house_bots([str(tmp_path / "mine.py")])
    with trio.fail_after(TEST_S):
        async with running() as server, offer_bots(server.hub, bots, games, server.tcp, NO_SANDBOX):
            yield server, await server.connect()


class LogRecords(logging.Handler):
    """The log records of house bots, as they come."""

    def __init__(self):
        super().__init__()
        self.came = []
        self._news = trio.Event()

    def emit(self, record):
        if record.getMessage() == "house bot":
            self.came.append(record.fields)
            self._news.set()
            self._news = trio.Event()

    async def more(self):
        await self._news.wait()


@pytest.fixture
def log_records():
    handler, logger = LogRecords(), logging.getLogger("tabnet")
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


async def test_a_house_bot_plays_on_the_local_socket(tmp_path):
    async with house_of(tmp_path, WITHOUT_A_PORT) as (_, client):
        await client.send(**JOIN)
        moved = await client.until(type="update", seq=2)
        assert moved["event"]["player"] == "house-mine.1"


async def test_a_house_bot_that_crashes_in_a_game_returns_to_it(tmp_path, monkeypatch, log_records):
    monkeypatch.setattr(house_bot_processes, "FIRST_PAUSE_S", 0.01)
    async with house_of(tmp_path, CRASHES_TWICE) as (server, client):
        await client.send(**JOIN)
        moved = await client.until(type="update", seq=2)
        assert moved["event"]["player"] == "house-mine.1"
    assert [fields["again_in_s"] for fields in log_records.came] == [0.01, 0.02]
    assert server.hub.counts.lost_bot_processes == {"mine": 2}
    (said,) = {fields["said"] for fields in log_records.came}
    assert said.endswith('raise ValueError("no idea"): ValueError: no idea')
    assert {fields["ending"] for fields in log_records.came} == {"exit code 1"}


async def test_a_house_bot_that_thinks_after_its_game_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(house_bot_processes, "ANSWER_S", 4)
    monkeypatch.setattr(house_bot_processes, "FIRST_PAUSE_S", 0.01)
    async with house_of(tmp_path, SULKS_ONCE) as (_, client):
        await client.ask(**JOIN)
        await until_async((tmp_path / "sulked").exists)
        await client.ask(cmd="leave")
        game = (await client.ask(**JOIN))["game"]
        moved = await client.until(type="update", game=game, seq=2)
        assert moved["event"]["type"] == "move"
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / "sulked").read_text()), 0)


async def test_a_house_bot_that_cannot_be_loaded_stops_the_server(tmp_path, log_records):
    sentence = r"the house bot mine cannot be loaded: .*mine.py:1: import nothing_like_that: Module"
    refusal = pytest.RaisesExc(StartError, match=sentence)
    with pytest.RaisesGroup(refusal, flatten_subgroups=True):
        async with house_of(tmp_path, "import nothing_like_that\n"):
            pass
    assert log_records.came == []


async def test_a_house_bot_that_fails_three_times_at_a_move_loses_by_crash(tmp_path, monkeypatch):
    monkeypatch.setattr(house_bot_processes, "FIRST_PAUSE_S", 0.01)
    async with house_of(tmp_path, "def choose(state, moves, left):\n    1 / 0\n") as (_, client):
        mine = (await client.ask(**JOIN))["nick"]
        notice = await client.until(type="notice")
        last = await client.until(type="update", seq=2)
    assert notice["code"] == "crash"
    assert notice["text"] == "mine failed 3 times in a row, and has lost this game"
    assert last["event"] == {"type": "end", "player": "house-mine.1"}
    assert last["result"]["reason"] == "crash"
    assert last["result"]["winners"] == [mine]


KILLS_ITSELF = """
import os, signal
from pathlib import Path
kills = Path("{folder}/kills")
def choose(state, moves, left):
    times = len(kills.read_text()) if kills.exists() else 0
    if times < 4:
        kills.write_text("x" * (times + 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return moves[0]
"""


async def test_a_house_bot_that_is_killed_is_replaced_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(house_bot_processes, "FIRST_PAUSE_S", 0.01)
    async with house_of(tmp_path, KILLS_ITSELF) as (_, client):
        await client.send(**JOIN)
        moved = await client.until(type="update", seq=2)
    assert moved["event"]["type"] == "move"
    assert (tmp_path / "kills").read_text() == "xxxx"


async def test_a_folder_is_offered_under_its_name(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text("import helpers\nchoose = helpers.choose\n")
    (folder / "helpers.py").write_text(CRASHES_TWICE.replace("{folder}", str(folder)))
    (folder / "crashes").write_text("xx")
    with trio.fail_after(TEST_S):
        bots = find_house_bots([f"{folder}/"])
        async with running() as server, offer_bots(server.hub, bots, 1, server.tcp, NO_SANDBOX):
            client = await server.connect()
            await client.send(**JOIN)
            moved = await client.until(type="update", seq=2)
    assert moved["event"]["player"] == "house-mine.1"


@pytest.mark.skipif(choose_sandbox(AUTO).used == NONE, reason="this machine has no sandbox")
def test_a_data_folder_that_house_bots_can_read_is_refused(tmp_path):
    bots, data = find_house_bots(["greedy"]), tmp_path / "models" / "data"
    readable = ProcessSettings(readable=(str(tmp_path / "models"),))
    problem = f"bots can read {tmp_path / 'models'}, so the data folder {data} must not be inside"
    with pytest.raises(StartError, match=problem) as refused:
        check_sandbox(bots, readable, data)
    assert refused.value.hint == "choose another folder with --data, or --sandbox none"
    check_sandbox([], readable, data)
    check_sandbox(bots, readable, tmp_path / "data")


def test_a_machine_without_a_sandbox_is_named_in_the_log_once(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(house_bot_processes, "choose_sandbox", lambda _: Sandbox(NONE, 0))
    bots = find_house_bots(["greedy", "random"])
    check_sandbox([], ProcessSettings(), tmp_path)
    check_sandbox(bots, NO_SANDBOX, tmp_path)
    assert caplog.records == []
    check_sandbox(bots, ProcessSettings(), tmp_path)
    (record,) = caplog.records
    assert record.fields["warning"].endswith("there is no sandbox on this machine")


def test_a_remote_bot_cannot_be_a_house_bot():
    with pytest.raises(StartError, match="remote:zp cannot be of the house"):
        find_house_bots(["remote:zp"])


def test_each_bot_has_a_name_of_its_own():
    assert [bot.name for bot in find_house_bots(["greedy", "greedy"])] == ["greedy", "greedy 2"]


def test_a_long_name_leaves_room_for_the_rest_of_the_nick(tmp_path):
    file = tmp_path / f"{'x' * 40}.py"
    file.touch()
    (bot,) = find_house_bots([str(file)])
    longest = make_nicks(bot.name, MAX_HOUSE_GAMES)[-1]
    assert len(longest) == fields_dict(Register)["nick"].metadata["wire"].longest


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import sys; sys.exit('no weights')", "no weights"),
        ("pass", "it did not connect: exit code 0"),
        ("import time; time.sleep(1000)", None),
    ],
)
async def test_a_program_that_does_not_connect_stops_the_server(
    script, reason, tmp_path, monkeypatch
):
    if reason is None:
        monkeypatch.setattr(house_bot_trials, "TRIAL_S", 0.5)
    path = tmp_path / "program.py"
    path.write_text(script)
    bots = find_house_bots([f"cmd:{sys.executable} {path}"])
    sentence = f"cannot be loaded: {reason}" if reason else "was not loaded within 0.5 s"
    with pytest.RaisesGroup(pytest.RaisesExc(StartError, match=sentence), flatten_subgroups=True):
        async with running() as server, offer_bots(server.hub, bots, 1, server.tcp, NO_SANDBOX):
            raise AssertionError("it is offered")
