"""Requests of the operator on the socket of a running server, and clients that misbehave."""

from __future__ import annotations

import socket
import stat
from contextlib import asynccontextmanager
from functools import partial

import orjson
import pytest
import trio

from tabnet.errors import StartError
from tabnet.server.admin import request_client, request_server
from tabnet.server.admin.request_client import ask_server
from tabnet.server.admin.request_server import (
    MAX_CLIENTS,
    MAX_REQUEST_BYTES,
    SOCKET,
    Executor,
    link_socket,
    serve_requests,
)
from tabnet.server.storage.store import open_store
from tests.polling import TIMEOUT_S, until_async
from tests.server.pure import Referee
from tests.server.storage.test_store import committed

LIST = {"do": "list"}


class Server:
    """A folder with a server that takes requests, and what became of them."""

    def __init__(self, folder):
        self.folder = folder
        self.referee = Referee()
        self.performed = []
        self.kept = trio.Event()
        self.kept.set()
        self.streams = []

    def perform(self, effects):
        self.performed += effects

    async def wait_until_kept(self):
        await self.kept.wait()

    async def ask(self, request):
        return await trio.to_thread.run_sync(ask_server, self.folder, request, TIMEOUT_S)

    async def connect(self):
        with link_socket(self.folder) as address:
            self.streams.append(await trio.open_unix_socket(address))
        return self.streams[-1]


@asynccontextmanager
async def listening(folder):
    server = Server(folder)
    executor = Executor(
        server.referee.service, server.perform, server.wait_until_kept, lambda: server.referee.now
    )
    with trio.fail_after(TIMEOUT_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(serve_requests, folder, executor))
            await until_async((folder / SOCKET).exists)
            await until_async(partial(accepts, folder))
            yield server
            for stream in server.streams:
                await stream.aclose()
            nursery.cancel_scope.cancel()


def accepts(folder):
    with link_socket(folder) as address, socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(address) == 0


async def received(stream):
    data = b""
    while part := await stream.receive_some():
        data += part
    return data


@pytest.mark.parametrize("name", ["data", "d" * 120, "é" * 60])
async def test_a_request_is_executed_and_answered(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    async with listening(folder) as server:
        assert stat.S_IMODE((folder / SOCKET).stat().st_mode) == 0o600
        listed = (await server.ask(LIST))["done"]
        assert listed["version"] == 1
        assert await server.ask({"do": "dance"}) == {"error": "this server cannot dance"}
    assert list(folder.iterdir()) == []
    assert ask_server(folder, LIST, 1) is None


async def test_a_response_is_sent_when_everything_before_it_is_on_disk(tmp_path):
    async with listening(tmp_path) as server:
        game = server.referee.say(server.referee.login("zp"), "join", kind="draughts")["game"]
        server.kept = trio.Event()
        stream = await server.connect()
        await stream.send_all(orjson.dumps({"do": "end", "game": game}) + b"\n")
        await until_async(lambda: server.performed)
        with trio.move_on_after(0) as scope:
            await stream.receive_some()
        assert scope.cancelled_caught
        server.kept.set()
        assert orjson.loads(await received(stream)) == {"done": "the wait of zp is over"}


async def test_the_socket_of_a_killed_server_is_replaced(tmp_path):
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(tmp_path / SOCKET))
    assert ask_server(tmp_path, LIST, 1) is None
    async with listening(tmp_path) as server:
        assert "done" in await server.ask(LIST)


@pytest.mark.parametrize(
    "sent", [b"\n", b"{\n", b"GET / HTTP/1.1\r\n\r\n", b"\xff\n", b"[" * (MAX_REQUEST_BYTES + 1)]
)
async def test_an_invalid_request_is_refused(tmp_path, sent):
    async with listening(tmp_path) as server:
        stream = await server.connect()
        await stream.send_all(sent)
        response = orjson.loads(await received(stream))
        assert response["error"].startswith("a request is one line of JSON")
        assert "done" in await server.ask(LIST)


async def test_silent_and_surplus_clients_are_disconnected(tmp_path, monkeypatch):
    async with listening(tmp_path) as server:
        silent = [await server.connect() for _ in range(MAX_CLIENTS)]
        one_more = await server.connect()
        assert await received(one_more) == b""
        for stream in silent:
            await stream.aclose()
        monkeypatch.setattr(request_server, "CLIENT_S", 0.01)
        late = await server.connect()
        assert await received(late) == b""
        monkeypatch.undo()
        assert "done" in await server.ask(LIST)


async def test_a_failure_costs_one_client_its_response(tmp_path, monkeypatch, caplog):
    async with listening(tmp_path) as server:
        with monkeypatch.context() as context:
            context.setattr(server, "perform", lambda _: 1 / 0)
            executor_fails = Executor(server.referee.service, server.perform, server.kept.wait, int)
            context.setattr(
                request_server, "execute", lambda *_: executor_fails.perform([]) or ({}, [])
            )
            with pytest.raises(StartError, match="closed the connection without a response"):
                await server.ask(LIST)
        assert "ZeroDivisionError" in caplog.text
        assert "done" in await server.ask(LIST)


async def test_a_server_that_does_not_answer_in_time_is_reported(tmp_path):
    async with listening(tmp_path) as server:
        server.kept = trio.Event()
        with pytest.raises(StartError, match="has not responded within 0"):
            await trio.to_thread.run_sync(ask_server, tmp_path, LIST, 0.05)
        server.kept.set()


async def test_a_missing_folder_disables_operator_requests(tmp_path, caplog):
    await serve_requests(tmp_path / "missing", Executor(Referee().service, print, trio.sleep, int))
    assert [line.message for line in caplog.records] == [
        "requests of the operator are not possible"
    ]


async def test_a_task_waits_for_a_server_that_is_starting_and_then_gives_up(tmp_path, monkeypatch):
    await committed(tmp_path)
    monkeypatch.setattr(request_client, "RESPONSE_S", 0.05)
    async with open_store(tmp_path):
        with pytest.raises(StartError, match="another server is using"):
            await trio.to_thread.run_sync(request_client.list_games, tmp_path)
    listed = await trio.to_thread.run_sync(request_client.list_games, tmp_path)
    assert listed["matches"] == []


async def test_text_that_cannot_be_encoded_is_refused(tmp_path):
    await committed(tmp_path)
    with pytest.raises(StartError, match="cannot be sent"):
        request_client.ban(tmp_path, "zp", "\udcff")
