"""One task receives for many sockets, and a client that has to wait holds up nobody."""

from __future__ import annotations

import socket
from contextlib import contextmanager

import pytest
import trio
import trio.testing

from tabnet.dialects.json_lines import JsonLines
from tabnet.server.net import shared_reader
from tabnet.server.net.hub import Hub
from tabnet.server.net.shared_reader import MAX_BATCH, calling_after_reading, get_shared_reader
from tabnet.server.net.transport import SocketTransport
from tests.harness import running
from tests.polling import until_async


@pytest.fixture(params=["shared", "alone"])
def each_way(request, monkeypatch):
    """Receive with the shared reader, and as on a system without it."""
    monkeypatch.setattr(shared_reader, "IS_AVAILABLE", request.param == "shared")


@contextmanager
def opened_pair():
    near, far = socket.socketpair()
    with near, far:
        yield far, SocketTransport(near)


def take_all_but(rest, taken):
    """Return a function that takes everything else, and notes it."""

    def take(data):
        if data == rest:
            return False
        taken.append(data)
        return True

    return take


@pytest.mark.usefixtures("each_way")
async def test_what_cannot_be_taken_is_returned():
    taken = []
    with opened_pair() as (client, transport):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(send_one_by_one, client, taken, [b"a", b"b", b"rest"])
            assert await transport.receive(take_all_but(b"rest", taken)) == b"rest"
        assert taken == [b"a", b"b"]
        client.send(b"c")
        assert await transport.receive(take_all_but(b"c", taken)) == b"c"
        client.close()
        assert await transport.receive(take_all_but(b"", taken)) == b""
    assert taken == [b"a", b"b"]


async def send_one_by_one(client, taken, pieces):
    for number, piece in enumerate(pieces):
        await until_async(lambda number=number: len(taken) == number)
        client.send(piece)


@pytest.mark.usefixtures("each_way")
async def test_an_exception_reaches_the_task_that_receives_and_no_other():
    def fail(data):
        raise ValueError(data.decode())

    taken = []
    with opened_pair() as (client, transport), opened_pair() as (other, others):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(others.receive, take_all_but(b"end", taken))
            client.send(b"too bad")
            with pytest.raises(ValueError, match="too bad"):
                await transport.receive(fail)
            other.send(b"still here")
            await until_async(lambda: taken == [b"still here"])
            other.send(b"end")


@pytest.mark.usefixtures("each_way")
async def test_a_reset_connection_raises_the_error_of_the_socket():
    listener = socket.create_server(("127.0.0.1", 0))
    with listener, socket.create_connection(listener.getsockname()) as client:
        transport = SocketTransport(listener.accept()[0])
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.close()
        with pytest.raises(ConnectionResetError):
            await transport.receive(lambda _: True)
        transport.close()


@pytest.mark.usefixtures("each_way")
async def test_a_cancelled_task_receives_no_more():
    with opened_pair() as (client, transport):
        with trio.move_on_after(0):
            await transport.receive(lambda _: pytest.fail("nobody waits"))
        client.send(b"for the next one")
        assert await transport.receive(lambda _: False) == b"for the next one"


async def test_a_task_may_be_cancelled_by_what_it_has_received():
    with opened_pair() as (client, transport), trio.CancelScope() as scope:

        def cancel(_):
            scope.cancel()
            return False

        client.send(b"bye")
        await transport.receive(cancel)
    assert scope.cancelled_caught
    with opened_pair() as (client, transport):
        client.send(b"next")
        assert await transport.receive(lambda _: False) == b"next"


async def test_other_tasks_run_between_batches():
    """Many busy sockets do not keep a timer or another task waiting until all are served."""
    steps = []
    pairs = [socket.socketpair() for _ in range(3 * MAX_BATCH)]
    async with trio.open_nursery() as nursery:
        for near, far in pairs:

            def take(_):
                steps.append("socket")
                return True

            nursery.start_soon(SocketTransport(near).receive, take)
            far.send(b"x")
        await trio.testing.wait_all_tasks_blocked(0)
        steps.clear()
        for _, far in pairs:
            far.send(b"y")
        while steps.count("socket") < len(pairs):
            await trio.lowlevel.checkpoint()
            steps += ["task"] if steps and steps[-1] != "task" else []
        nursery.cancel_scope.cancel()
    assert steps.index("task") <= 2 * MAX_BATCH  # trio runs tasks in no certain order
    for pair in pairs:
        for end in pair:
            end.close()


class QuickClient:
    """A client that has answered whenever something is sent to it."""

    def __init__(self, client, answers):
        self.client = client
        self.answers = answers
        self.taken = []

    def take(self, data):
        self.taken.append(data)
        return True

    def send_all(self):
        if len(self.taken) > self.answers:
            return False
        self.client.send(b"answer")
        return True


async def list_taken_before_another_task_runs(answers):
    """Receive from a quick client; return what is taken until the test itself can go on."""
    with opened_pair() as (client, transport):
        quick = QuickClient(client, answers)
        async with trio.open_nursery() as nursery:
            with calling_after_reading(quick.send_all):
                nursery.start_soon(transport.receive, quick.take)
                await trio.testing.wait_all_tasks_blocked()
                client.send(b"first")
                for _ in range(10):
                    await trio.lowlevel.checkpoint()
                    if quick.taken:
                        break
                nursery.cancel_scope.cancel()
    return quick.taken


async def test_answers_that_have_come_when_frames_are_sent_are_read_at_once():
    taken = await list_taken_before_another_task_runs(answers=5)
    assert taken == [b"first", *5 * [b"answer"]]


async def test_a_quick_client_does_not_keep_other_tasks_waiting():
    taken = await list_taken_before_another_task_runs(answers=10 * MAX_BATCH)
    assert len(taken) <= 2 * MAX_BATCH  # the reader may run twice before the test


async def test_a_function_is_not_called_after_its_block():
    calls = []
    with calling_after_reading(lambda: calls.append("sent")):
        pass
    with opened_pair() as (client, transport):
        client.send(b"now")
        assert await transport.receive(lambda _: False) == b"now"
    assert calls == []


async def test_every_loop_has_one_reader():
    await trio.lowlevel.checkpoint()
    assert get_shared_reader() is get_shared_reader()


async def test_a_command_of_one_line_needs_no_task():
    """Other tasks than the one that reads for all do not run for it."""
    async with running() as server:
        talker = await server.connect()
        assert (await talker.ask(cmd="ping", id=1))["id"] == 1
        await trio.testing.wait_all_tasks_blocked()
        ran = TasksThatRun()
        trio.lowlevel.add_instrument(ran)
        assert (await talker.ask(cmd="ping", id=2))["id"] == 2
        trio.lowlevel.remove_instrument(ran)
        assert {name for name in ran.names if "test" not in name} == {
            "tabnet.server.net.shared_reader.SharedReader._run"
        }


class SlowStore:
    """A store that never ends a commit; it notes the tasks that have begun one."""

    def __init__(self):
        self.begun_by = []

    def begin_commit(self, _rows, _report):
        self.begun_by.append(trio.lowlevel.current_task().name)

    async def find(self, _wanted):
        await trio.lowlevel.checkpoint()

    def check(self):
        pass


async def test_a_commit_begins_when_its_command_is_executed():
    """It would begin later if it began when the loop is about to wait."""
    hub = Hub(store=SlowStore())
    with opened_pair() as (client, transport), hub.outbox.active():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hub.commit)
            nursery.start_soon(JsonLines(hub).converse, transport, "127.0.0.1:1")
            client.send(b'{"cmd":"ping"}\n')
            await trio.testing.wait_all_tasks_blocked()
            client.send(b'{"cmd":"join","kind":"draughts"}\n')
            await until_async(lambda: hub.store.begun_by)
            nursery.cancel_scope.cancel()
    assert hub.store.begun_by == ["tabnet.server.net.shared_reader.SharedReader._run"]


class TasksThatRun(trio.abc.Instrument):
    def __init__(self):
        self.names = []

    def before_task_step(self, task):
        self.names.append(task.name)
