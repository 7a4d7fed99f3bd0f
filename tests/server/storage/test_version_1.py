"""A server goes on with a database of version 0.1.0: the dump is of a server that was killed."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tabnet.server.storage.database_file import FILE, open_beside_server
from tests.memory_connection import connect
from tests.server.storage.test_keeping import kept

DUMP = Path(__file__).with_name("version_1.sql")
FINISHED = "8f5583d02afc24d3"
DRAUGHTS, TAB = "b563ea3f75387c0f", "95386674afca3fa6"
TOKENS = {
    DRAUGHTS: ("1a7fca3bdb360c8dd99f4917d0e3afc9", "71092f37aef4ab966a0796eed93b91dd"),
    TAB: ("baf9522e2e42604962d1be84a8e11226", "92300feeac4b2444f03a2fdfd6dde391"),
}
WAIT = "cc314726f2631558"


def make_database(folder, dump):
    database = sqlite3.connect(folder / FILE)
    database.executescript(dump.read_text())
    database.execute("UPDATE tables SET opened_ms = unixepoch() * 1000")
    database.commit()
    database.close()


@pytest.fixture
def folder(tmp_path):
    make_database(tmp_path, DUMP)
    return tmp_path


def damage(folder, *statement):
    database = sqlite3.connect(folder / FILE)
    assert database.execute(*statement).rowcount == 1
    database.commit()
    database.close()


async def test_a_database_of_version_1_continues(folder):
    for seq in (4, 5):
        async with kept(folder) as (hub, nursery):
            games = hub.service.games
            assert games.set_aside_matches == {}
            assert list(games.playing) == [DRAUGHTS, TAB]
            assert list(games.lobby.tables) == [WAIT]
            client = await connect(hub, nursery)
            state = await client.ask(cmd="state", game=FINISHED)
            assert state["update"]["winner"] == "jpleal"
            ranking = await client.ask(cmd="ranking", kind="draughts")
            assert [score["victories"] for score in ranking["ranking"]] == [1, 0]
            seat, route = (1, ["b6", "a5"]) if seq == 4 else (0, ["d4", "e5"])
            reply = await client.ask(cmd="notify", token=TOKENS[DRAUGHTS][seat], route=route)
            assert "error" not in reply
            assert (await client.ask(cmd="state", game=DRAUGHTS))["update"]["seq"] == seq
    with open_beside_server(folder) as db:
        rows = db.execute("SELECT id, checksum IS NULL FROM journal ORDER BY id").fetchall()
        assert rows == [(2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 0), (9, 0)]
        assert not db.table_exists("main", "orders")


async def test_an_unreadable_entry_costs_the_games_that_may_have_an_event_in_it(folder):
    damage(folder, "UPDATE journal SET events = '[[' WHERE id = 7")
    async with kept(folder) as (hub, _):
        assert set(hub.service.games.set_aside_matches) == {DRAUGHTS, TAB}


async def test_a_game_with_later_events_is_not_affected(folder):
    damage(folder, "DELETE FROM journal WHERE id = 5")
    async with kept(folder) as (hub, _):
        assert list(hub.service.games.set_aside_matches) == [DRAUGHTS]
        assert list(hub.service.games.playing) == [TAB]


async def test_a_lost_entry_of_version_1_is_detected_after_newer_ones(folder):
    async with kept(folder) as (hub, nursery):
        client = await connect(hub, nursery)
        route = ["b6", "a5"]
        await client.ask(cmd="notify", token=TOKENS[DRAUGHTS][1], route=route)
    damage(folder, "DELETE FROM journal WHERE id = 7")
    async with kept(folder) as (hub, _):
        assert list(hub.service.games.set_aside_matches) == [TAB]
        assert list(hub.service.games.playing) == [DRAUGHTS]


KINDS = Path(__file__).with_name("version_1_kinds.sql")
PLAYED = [
    json.loads(line)
    for line in Path(__file__).with_name("version_1_kinds.jsonl").read_text().splitlines()
]
"""Matches of every kind: the latest update that version 0.1.0 sent, and the tokens by nick."""


async def test_every_match_of_every_kind_sends_the_same_update_and_continues(tmp_path):
    make_database(tmp_path, KINDS)
    async with kept(tmp_path) as (hub, nursery):
        assert hub.service.games.set_aside_matches == {}
        for match in PLAYED:
            update, client = match["update"], await connect(hub, nursery)
            game, turn = match["game"], update["turn"]
            assert (await client.ask(cmd="state", game=game))["update"] == update
            if turn is None:
                continue
            token = match["tokens"][turn]
            move = {}
            if update["expects"] == "notify":
                move = (await client.ask(cmd="moves", token=token))["moves"][0]
            assert "error" not in await client.ask(cmd=update["expects"], token=token, **move)
            assert (await client.ask(cmd="state", game=game))["update"]["seq"] == update["seq"] + 1
    assert {match["update"]["kind"] for match in PLAYED} == {"tab", "draughts", "fish", "plakoto"}
