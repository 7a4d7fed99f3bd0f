"""Orders of an administrator in one process to the server in another."""

from __future__ import annotations

import json
import sys
from functools import partial

import pytest
import trio

from tabnet.errors import StartError
from tabnet.server.admin.messenger import give
from tabnet.server.core.rows import Answered, Banned
from tabnet.server.storage.database import visited
from tabnet.server.storage.store import Store, open_store
from tests.patience import LOOK_S, PATIENCE_S
from tests.server.storage.test_store import committed, loaded

ORDER = {"ban": "ann", "reason": "a bot"}
ADMIN = """
import json, pathlib, sys
from tabnet.server.admin.messenger import give
print(json.dumps(give(pathlib.Path(sys.argv[1]), json.loads(sys.argv[2]), 30)))
"""


async def next_orders(store: Store) -> list:
    with trio.fail_after(PATIENCE_S):
        while not (orders := await store.orders()):  # noqa: ASYNC110 - another process orders
            await trio.sleep(LOOK_S)
        return orders


async def test_an_order_of_another_process_is_carried_out_and_answered(tmp_path):
    async with open_store(tmp_path) as store, trio.open_nursery() as nursery:
        assert await store.orders() == []
        command = [sys.executable, "-c", ADMIN, str(tmp_path), json.dumps(ORDER)]
        run = partial(trio.run_process, command, capture_stdout=True)
        said = []
        nursery.start_soon(lambda: collect(run, said))
        ((number, wanted),) = await next_orders(store)
        assert wanted == ORDER
        assert await store.orders() == [], "an order is told once"
        await store.commit([Banned("ann", "a bot"), Answered(number, {"done": "é"})])
    assert json.loads(said[0]) == {"done": "é"}
    with visited(tmp_path) as db:
        assert db.execute("SELECT count(*) FROM orders").get == 0
    assert (await loaded(tmp_path)).bans == (Banned("ann", "a bot"),)


async def collect(run, said: list) -> None:
    said.append((await run()).stdout)


async def test_each_of_many_gets_his_own_answer(tmp_path):
    answers = {}

    async def ask(number: int) -> None:
        answers[number] = await trio.to_thread.run_sync(give, tmp_path, {"echo": number}, 30)

    async with open_store(tmp_path) as store, trio.open_nursery() as nursery:
        for number in range(5):
            nursery.start_soon(ask, number)
        answered = 0
        while answered < 5:
            orders = await next_orders(store)
            await store.commit([Answered(number, order) for number, order in orders])
            answered += len(orders)
    assert answers == {number: {"echo": number} for number in range(5)}


async def test_an_order_that_nobody_waits_for_is_not_carried_out(tmp_path):
    async with open_store(tmp_path) as store:
        with pytest.raises(StartError, match="not answered within 0 s"):
            give(tmp_path, ORDER, 0)
        assert await store.orders() == []


async def test_orders_of_who_was_killed_while_waiting_do_not_reach_the_next_server(tmp_path):
    await committed(tmp_path)
    with visited(tmp_path) as db:
        db.execute("INSERT INTO orders (wanted) VALUES ('{}')")
    async with open_store(tmp_path) as store:
        assert await store.orders() == []


async def test_without_a_server_there_is_nobody_to_order(tmp_path):
    for _ in range(2):
        with pytest.raises(StartError, match=f"no server is running on {tmp_path}"):
            give(tmp_path, ORDER, 30)
        await committed(tmp_path)
