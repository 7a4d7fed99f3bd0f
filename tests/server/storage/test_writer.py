"""The thread that writes: it never delays the event loop, and finishes what was begun."""

from __future__ import annotations

import threading

import apsw
import pytest
import trio
import trio.testing

from tabnet.server.storage.database_file import FILE, make_private
from tabnet.server.storage.writer import open_writer
from tests.polling import TIMEOUT_S


@pytest.fixture
def path(tmp_path):
    path = tmp_path / FILE
    make_private(path)
    return path


def insert(database: apsw.Connection) -> None:
    database.execute("INSERT INTO login_networks VALUES ('zp', '[]')")


def count(database: apsw.Connection) -> int:
    found: int = database.execute("SELECT count(*) FROM login_networks").get
    return found


async def test_the_event_loop_goes_on_during_a_piece_of_work(path):
    may_end, threads = threading.Event(), []

    def work(database: apsw.Connection) -> None:
        threads.append(threading.current_thread())
        assert may_end.wait(TIMEOUT_S)
        insert(database)

    async with open_writer(path, "full") as writer, trio.open_nursery() as nursery:
        nursery.start_soon(writer.run, work)
        await trio.testing.wait_all_tasks_blocked()
        may_end.set()
    assert threads[0] is not threading.current_thread()
    assert count(apsw.Connection(str(path))) == 1


async def test_work_that_was_begun_is_done_before_the_writer_is_closed(path):
    may_end, errors = threading.Event(), []

    def work(database: apsw.Connection) -> None:
        assert may_end.wait(TIMEOUT_S)
        insert(database)

    with trio.CancelScope() as scope:
        async with open_writer(path, "full") as writer:
            writer.begin(work, errors.append)
            writer.begin(insert, errors.append)
            scope.cancel()
            may_end.set()
    assert errors[0] is None
    assert isinstance(errors[1], apsw.ConstraintError)  # the same nick again
    assert count(apsw.Connection(str(path))) == 1


async def test_an_exception_of_a_piece_of_work_is_raised(path):
    async with open_writer(path, "full") as writer:
        await writer.run(insert)
        with pytest.raises(apsw.ConstraintError):
            await writer.run(insert)
        await writer.run(lambda database: database.execute("DELETE FROM login_networks"))
    assert not [thread for thread in threading.enumerate() if thread.name == "database writer"]
