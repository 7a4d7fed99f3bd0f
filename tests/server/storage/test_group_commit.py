"""Group commits on a store whose commits the tests finish."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from tabnet.server.core.rows import Row, WaitOver
from tabnet.server.storage.group_commit import Commits
from tabnet.server.storage.writer import Report
from tests.polling import TIMEOUT_S


async def rest() -> None:
    """Wait until no task can run."""
    with trio.fail_after(TIMEOUT_S):
        await wait_all_tasks_blocked()


class Store:
    """A store whose commits end when the test says so."""

    def __init__(self) -> None:
        self.commits: list[list[str]] = []
        """The games of the rows of each commit that has begun."""
        self._reports: list[Report] = []

    def begin_commit(self, rows: Sequence[Row], report: Report) -> None:
        self.commits.append([row.game for row in rows if isinstance(row, WaitOver)])
        self._reports.append(report)

    def check(self) -> None:
        pass

    def finish_at_once(self, error: Exception | None = None) -> None:
        """Finish the commit that has begun, if there is one, and let no task run."""
        if self._reports:
            self._reports.pop()(error)

    async def finish(self, error: Exception | None = None) -> None:
        """Finish the commit that has begun, if there is one."""
        self.finish_at_once(error)
        await rest()


class Bench:
    """Commits on a store, and the deliveries that they have released."""

    def __init__(self, store: Store | None) -> None:
        self.released: list[str] = []
        self.commits: Commits[str] = Commits(store, self.released.append)

    def add(self, rows: str, held: str) -> None:
        """Add rows and the deliveries that wait for them, a letter each."""
        self.commits.add([WaitOver(row) for row in rows], list(held))

    def took(self) -> str:
        """Return the deliveries released since the last call."""
        taken, self.released[:] = "".join(self.released), []
        return taken


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
async def bench(store, nursery):
    bench = Bench(store)
    nursery.start_soon(bench.commits.run)
    await rest()
    return bench


async def test_nothing_is_released_before_its_rows_are_committed(bench, store):
    bench.add("1", "ab")
    await rest()
    assert store.commits == [["1"]]
    assert bench.took() == ""
    await store.finish()
    assert bench.took() == "ab"
    assert store.commits == [["1"]]


async def test_deliveries_without_rows_are_released_at_once_between_commits(bench, store):
    bench.add("", "ab")
    assert bench.took() == "ab"
    await rest()
    assert store.commits == []


async def test_deliveries_without_rows_wait_for_earlier_rows(bench, store):
    bench.add("1", "a")
    bench.add("", "b")  # also before the commit has begun
    assert bench.took() == ""
    await rest()
    bench.add("", "c")
    await rest()
    assert bench.took() == ""
    await store.finish()
    assert bench.took() == "abc"
    assert store.commits == [["1"]]  # for no rows there is no commit
    bench.add("", "d")
    assert bench.took() == "d"


async def test_rows_added_during_a_commit_share_the_next_one(bench, store):
    bench.add("12", "a")
    bench.add("3", "b")  # nothing has begun yet
    await rest()
    for row, held in zip("456", "cde", strict=True):
        bench.add(row, held)
        await rest()
    assert store.commits == [["1", "2", "3"]]
    await store.finish()
    assert bench.took() == "ab"
    assert store.commits == [["1", "2", "3"], ["4", "5", "6"]]
    await store.finish()
    assert bench.took() == "cde"
    assert len(store.commits) == 2


async def test_the_rows_of_one_command_are_committed_before_the_loop_waits(bench, store):
    bench.add("12", "a")
    bench.commits.begin_small()
    bench.add("3", "b")
    bench.commits.begin_small()
    assert store.commits == [["1", "2"]]  # one at a time
    await store.finish()
    assert bench.took() == "a"
    assert store.commits == [["1", "2"], ["3"]]


async def test_the_rows_of_several_commands_wait_for_others(bench, store):
    bench.add("123", "a")
    bench.commits.begin_small()
    assert store.commits == []
    bench.add("4", "b")
    await rest()
    assert store.commits == [["1", "2", "3", "4"]]


async def test_rows_and_deliveries_keep_their_order(bench, store):
    taken = ""
    for number, letter in enumerate("abcdefghijklmnopqrst"):
        bench.add("" if number % 3 else letter.upper(), letter)
        if number % 4 == 1:
            await rest()
        if number % 5 == 4:
            await store.finish()
            taken += bench.took()
    assert taken
    for _ in range(20):
        await store.finish()
    assert taken + bench.took() == "abcdefghijklmnopqrst"
    assert "".join(row for rows in store.commits for row in rows) == "ADGJMPS"
    assert 1 < len(store.commits) < 7


async def test_rows_without_deliveries_are_committed(bench, store):
    bench.add("1", "")
    await rest()
    assert store.commits == [["1"]]
    await store.finish()
    assert bench.took() == ""


async def test_a_delivery_added_during_a_release_comes_last(store, nursery):
    bench = Bench(store)

    def release(each):
        bench.released.append(each)
        if each == "a":
            bench.add("", "c")

    bench.commits = Commits(store, release)
    nursery.start_soon(bench.commits.run)
    bench.add("1", "ab")
    await rest()
    await store.finish()
    assert bench.took() == "abc"


async def test_the_deliveries_of_a_commit_are_sent_when_it_ends(store, nursery):
    log = []
    commits = Commits(store, log.append, lambda: log.append("sent"))
    nursery.start_soon(commits.run)
    commits.add([], ["a"])
    commits.add([WaitOver("1")], ["b", "c"])
    await rest()
    assert log == ["a"]
    store.finish_at_once()
    assert log == ["a", "b", "c", "sent"]


async def test_nothing_is_released_after_a_failed_commit(store):
    bench = Bench(store)
    with pytest.RaisesGroup(pytest.RaisesExc(OSError, match="disk full")):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bench.commits.run)
            bench.add("1", "a")
            await rest()
            bench.add("2", "b")
            bench.add("", "c")
            await store.finish(OSError("disk full"))
    bench.add("", "d")
    assert bench.took() == ""
    assert store.commits == [["1"]]


async def test_without_a_store_everything_is_released_at_once():
    bench = Bench(None)
    bench.add("1", "ab")
    bench.add("", "c")
    assert bench.took() == "abc"
    await bench.commits.wait_until_committed()
    await bench.commits.run()


async def test_an_idle_store_is_checked_every_two_seconds(store, autojump_clock):
    bench = Bench(store)
    checks = []

    def check():
        checks.append(trio.current_time())
        if len(checks) == 3:
            raise OSError("the file is gone")

    store.check = check
    start = trio.current_time()
    with pytest.raises(OSError, match="the file is gone"):
        await bench.commits.run()
    assert [time - start for time in checks] == pytest.approx([2, 4, 6])


async def test_committed_waits_for_earlier_rows_only(bench, store, nursery):
    seen = []

    async def wait(name):
        await bench.commits.wait_until_committed()
        seen.append(name)

    with trio.fail_after(0):
        await bench.commits.wait_until_committed()
    bench.add("1", "a")
    nursery.start_soon(wait, "next")
    await rest()
    nursery.start_soon(wait, "current")
    await rest()
    bench.add("2", "b")
    nursery.start_soon(wait, "later")
    await rest()
    assert seen == []
    await store.finish()
    assert set(seen) == {"next", "current"}
    await store.finish()
    assert set(seen) == {"next", "current", "later"}
