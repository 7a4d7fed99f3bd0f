"""Nothing is let go before it is kept: group commit with a store that the tests hold back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from tabnet.server.core.rows import Row, WaitOver
from tabnet.server.storage.group_commit import Commits
from tests.patience import PATIENCE_S


async def rest() -> None:
    """Let everything happen that can."""
    with trio.fail_after(PATIENCE_S):
        await wait_all_tasks_blocked()


class Store:
    """Keeps rows when it is told to."""

    def __init__(self) -> None:
        self.commits: list[list[str]] = []
        """What each commit that has begun was asked to keep, by game."""
        self._may_end = trio.Semaphore(0)
        self._fails: Exception | None = None

    async def commit(self, rows: Sequence[Row]) -> None:
        self.commits.append([row.game for row in rows if isinstance(row, WaitOver)])
        await self._may_end.acquire()
        if self._fails:
            raise self._fails

    def check(self) -> None:
        pass

    async def finish(self) -> None:
        """Let one commit be done, and what follows from it happen."""
        self._may_end.release()
        await rest()

    async def fail(self, error: Exception) -> None:
        self._fails = error
        await self.finish()


class Bench:
    """Commits on a store, and what they have let go."""

    def __init__(self, store: Store | None) -> None:
        self.released: list[str] = []
        self.commits: Commits[str] = Commits(store, self.released.append)

    def add(self, rows: str, held: str) -> None:
        """Add rows and what waits for them, a letter each."""
        self.commits.add([WaitOver(row) for row in rows], list(held))

    def took(self) -> str:
        """What was let go since the last time."""
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


async def test_nothing_is_let_go_before_its_rows_are_kept(bench, store):
    bench.add("1", "ab")
    await rest()
    assert store.commits == [["1"]]
    assert bench.took() == ""
    await store.finish()
    assert bench.took() == "ab"
    assert store.commits == [["1"]]


async def test_what_has_no_rows_goes_at_once_when_nothing_is_being_kept(bench, store):
    bench.add("", "ab")
    assert bench.took() == "ab"
    await rest()
    assert store.commits == []


async def test_and_waits_for_what_was_handled_before_it(bench, store):
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


async def test_what_comes_during_a_commit_goes_with_the_next_in_one(bench, store):
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


async def test_everything_keeps_its_order(bench, store):
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


async def test_rows_that_nobody_waits_for_are_kept_too(bench, store):
    bench.add("1", "")
    await rest()
    assert store.commits == [["1"]]
    await store.finish()
    assert bench.took() == ""


async def test_what_is_added_while_something_is_let_go_comes_after_it(store, nursery):
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


async def test_when_a_commit_fails_nothing_is_let_go_and_the_failure_is_told(store):
    bench = Bench(store)
    with pytest.RaisesGroup(pytest.RaisesExc(OSError, match="disk full")):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bench.commits.run)
            bench.add("1", "a")
            await rest()
            bench.add("2", "b")
            bench.add("", "c")
            await store.fail(OSError("disk full"))
    bench.add("", "d")
    assert bench.took() == ""
    assert store.commits == [["1"]]


async def test_settled_waits_until_everything_is_kept(bench, store, nursery):
    seen = []

    async def wait():
        await bench.commits.settled()
        seen.append(bench.took())

    with trio.fail_after(0):
        await bench.commits.settled()  # there is nothing to wait for
    bench.add("1", "a")
    nursery.start_soon(wait)
    await rest()
    bench.add("2", "b")
    await store.finish()
    assert seen == []
    await store.finish()
    assert seen == ["ab"]
    bench.add("3", "c")
    nursery.start_soon(wait)
    await rest()
    assert seen == ["ab"]
    await store.finish()
    assert seen == ["ab", "c"]


async def test_without_a_store_everything_goes_at_once():
    bench = Bench(None)
    bench.add("1", "ab")
    bench.add("", "c")
    assert bench.took() == "abc"
    await bench.commits.settled()
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


async def test_kept_waits_for_what_was_added_before_and_for_nothing_later(bench, store, nursery):
    seen = []

    async def wait(name):
        await bench.commits.kept()
        seen.append(name)

    with trio.fail_after(0):
        await bench.commits.kept()
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
