"""Backups and pruning, beside a server that goes on."""

from __future__ import annotations

import stat
from itertools import count

import pytest
import trio

from tabnet.errors import StartError
from tabnet.server.admin import maintenance
from tabnet.server.admin.maintenance import Pruned, back_up, prune
from tabnet.server.core.rows import (
    MatchEnded,
    MatchScore,
    MatchStarted,
    SeatToken,
    StoredTotals,
)
from tabnet.server.storage.database_file import FILE, open_beside_server
from tabnet.server.storage.store import open_store
from tests.server.memory_store import saved, without_ages
from tests.server.storage.test_store import committed, loaded
from tests.server.stored_rows import PLAYERS, TERMS, batch, happened, story


async def test_a_backup_during_commits_holds_whole_batches(tmp_path):
    target, committed = tmp_path / "copy" / FILE, 0
    target.parent.mkdir()
    enough = trio.Event()

    async def go_on(store) -> None:
        nonlocal committed
        for committed in count():
            await store.commit(batch(committed))
            await trio.lowlevel.checkpoint()  # which a commit is not
            if committed == 10:
                enough.set()

    async with (
        open_store(tmp_path / "data", sync="normal") as store,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(go_on, store)
        await enough.wait()
        before = committed
        await trio.to_thread.run_sync(back_up, tmp_path / "data", target)
        after = committed
        nursery.cancel_scope.cancel()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [path.name for path in target.parent.iterdir()] == [FILE]
    found = without_ages(await loaded(target.parent))
    assert found in [saved(story(number)) for number in range(before, after + 2)]


async def test_a_backup_replaces_nothing(tmp_path):
    await committed(tmp_path, *story(1))
    target = tmp_path / "copy"
    target.write_text("precious")
    with pytest.raises(StartError, match=f"{target} exists already"):
        back_up(tmp_path, target)
    assert target.read_text() == "precious"


async def test_a_backup_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    await committed(tmp_path, *story(1))
    before = sorted(tmp_path.iterdir())
    (tmp_path / f".copy.{maintenance.os.getpid()}").touch()  # in the way
    with pytest.raises(StartError, match="cannot write to"):
        back_up(tmp_path, tmp_path / "copy")
    assert sorted(tmp_path.iterdir()) == before
    with pytest.raises(StartError, match=f"cannot write to {tmp_path}/no/folder: No such"):
        back_up(tmp_path, tmp_path / "no" / "folder")


@pytest.mark.parametrize(
    "job", [lambda folder: back_up(folder, folder / "copy"), lambda f: prune(f, 1)]
)
def test_a_folder_without_a_database_is_refused(tmp_path, job):
    with pytest.raises(StartError, match=f"there is no database in {tmp_path}"):
        job(tmp_path)
    assert list(tmp_path.iterdir()) == []


async def test_pruned_matches_still_count_in_standings(tmp_path, monkeypatch):
    monkeypatch.setattr(maintenance, "BATCH", 2)
    monkeypatch.setattr(maintenance, "PAUSE_S", 0)
    async with open_store(tmp_path) as store:
        for number in range(6):
            game = f"game {number}"
            await store.commit(
                [MatchStarted(game, TERMS, PLAYERS, b""), SeatToken(game, "ann", game.encode())]
            )
            await store.commit([happened(game, 1)])
            if number < 5:
                score = MatchScore("tab", 9, 1, "ann", True, 2)
                await store.commit([MatchEnded(game, {}, (happened(game, 1),), (score,))])
        with open_beside_server(tmp_path) as db:
            for days in range(5):
                back = (days * 86400 + 60, f"game {days}")
                db.execute("UPDATE matches SET ended = ended - ? WHERE game = ?", back)
        assert prune(tmp_path, 2) == Pruned(3, 3)
        assert prune(tmp_path, 2) == Pruned(0, 0)
        kept = [number for number in range(6) if await store.find(f"game {number}")]
        assert kept == [0, 1, 5]
        assert [bool(await store.find(f"game {n}".encode())) for n in (1, 2, 5)] == [
            True,
            False,
            True,
        ]
        again = await store.load()
    assert again.standings == (StoredTotals("tab", 9, 1, "ann", 5, 5, 10),)
    assert [match.history for match in again.matches] == [(happened("game 5", 1),)]
