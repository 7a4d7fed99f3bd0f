"""Processes of house bots that fail: others take their places, and no game hangs."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager

import pytest
import trio

from tabnet.errors import StartError
from tabnet.tournament import house_bots
from tabnet.tournament.house_bots import offering, opponents
from tests.harness import PATIENCE_S, running

JOIN = {"cmd": "join", "kind": "draughts", "opponent": "mine", "seat": 1}
"""The bot plays first."""
SULKS_ONCE = """
import os
from pathlib import Path
def choose(state, moves, left):
    said, me = Path(__file__).with_name("sulked"), str(os.getpid())
    if not said.exists():
        said.write_text(me)
    while said.read_text() == me:
        pass
    return moves[0]
"""
CRASHES_TWICE = """
from pathlib import Path
crashes = Path(__file__).with_name("crashes")
def choose(state, moves, left):
    times = len(crashes.read_text()) if crashes.exists() else 0
    if times < 2:
        crashes.write_text("x" * (times + 1))
        raise ValueError("no idea")
    return moves[0]
"""


@asynccontextmanager
async def house_of(tmp_path, program, games=1):
    """A server that offers one bot, and a client of it."""
    (tmp_path / "mine.py").write_text(program)
    bots = opponents([str(tmp_path / "mine.py")])
    with trio.fail_after(PATIENCE_S):
        async with running() as server, offering(server.hub, bots, games, server.tcp):
            yield server, await server.connect()


async def test_who_crashes_in_a_game_comes_back_into_it(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(house_bots, "FIRST_PAUSE_S", 0.01)
    async with house_of(tmp_path, CRASHES_TWICE) as (_, client):
        await client.send(**JOIN)
        moved = await client.until(type="update", seq=2)
        assert moved["event"]["player"] == "house-mine.1"
    told = [record.fields for record in caplog.records if record.message == "house bot"]
    assert [fields["again_in_s"] for fields in told] == [0.01, 0.02]
    assert {fields["said"] for fields in told} == {"ValueError: no idea"}
    assert {fields["ending"] for fields in told} == {"exit code 1"}


async def test_who_is_lost_in_thought_loses_on_time_and_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(house_bots, "PATIENCE_S", 1)
    monkeypatch.setattr(house_bots, "FIRST_PAUSE_S", 0.01)
    async with house_of(tmp_path, SULKS_ONCE) as (_, client):
        await client.send(**JOIN, clock={"move": 5})
        last = await client.until(type="update", seq=2)
        assert last["result"]["reason"] == "timeout"
        sulked = int((tmp_path / "sulked").read_text())
        await client.send(**JOIN)
        moved = await client.until(type="update", seq=2)
        assert moved["event"]["type"] == "move"
        with pytest.raises(ProcessLookupError):
            os.kill(sulked, 0)


async def test_who_cannot_be_loaded_is_told_of_and_tried_again_ever_less_often(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(house_bots, "FIRST_PAUSE_S", 0.01)
    async with house_of(tmp_path, "import nothing_like_that\n") as (_, client):
        await client.send(**JOIN, clock={"move": 2})
        last = await client.until(type="update", seq=2)
        assert last["result"]["reason"] == "timeout"
    told = [record.fields for record in caplog.records if record.message == "house bot"]
    pauses = [fields["again_in_s"] for fields in told]
    assert pauses == [0.01 * 2**number for number in range(len(pauses))]
    assert "mine.py:1: ModuleNotFoundError" in told[0]["said"]
    assert told[0]["nick"] == "house-mine.1"


def test_who_plays_from_elsewhere_cannot_be_offered():
    with pytest.raises(StartError, match="remote:zp cannot be of the house"):
        opponents(["remote:zp"])


def test_each_bot_has_a_name_of_its_own():
    assert [bot.name for bot in opponents(["greedy", "greedy"])] == ["greedy", "greedy 2"]
