"""The store: committed rows survive every end of the server."""

from __future__ import annotations

import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.errors import StartError, StoreError
from tabnet.server.core.rows import (
    AddressBanned,
    Banned,
    LoginNetworks,
    MatchEnded,
    MatchEvent,
    MatchScore,
    MatchStarted,
    Paused,
    Registered,
    Saved,
    SeatToken,
    StoredTotals,
    Unseated,
    WaitingTable,
    WaitOver,
)
from tabnet.server.storage.database_file import FILE, open_beside_server
from tabnet.server.storage.store import open_store
from tests.server.memory_store import MemoryStore, saved, without_ages
from tests.server.stored_rows import PLAYERS, TERMS, happened, rows, story

TIMEOUT_S = 60
BEGUN = MatchStarted("g", TERMS, PLAYERS, b"secret")


async def loaded(folder: Path) -> Saved:
    async with open_store(folder) as store:
        return await store.load()


async def committed(folder: Path, *rows) -> Saved:
    """Return the rows that a new server loads after these rows were committed."""
    async with open_store(folder) as store:
        await store.commit(rows)
    return await loaded(folder)


async def test_a_new_store_is_empty(tmp_path):
    assert await loaded(tmp_path / "new" / "folder") == Saved()


async def test_only_the_owner_can_read_the_files(tmp_path):
    async with open_store(tmp_path) as store:
        await store.commit([Registered("ann", b"salt", b"digest")])
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == dict.fromkeys((FILE, f"{FILE}-wal", f"{FILE}-shm"), 0o600)


# -- each kind of row


async def test_an_account_is_replaced_by_a_newer_one_of_its_nick(tmp_path):
    newer, other = Registered("ann", b"2", b"\0"), Registered("bob", b"", b"3")
    saved = await committed(tmp_path, Registered("ann", b"1", b"1"), other, newer)
    assert saved == Saved(accounts=(newer, other))


async def test_the_networks_of_a_nick_are_replaced_by_newer_ones(tmp_path):
    newer, other = LoginNetworks("ann", ("a", "b")), LoginNetworks("bob", ())
    saved = await committed(tmp_path, LoginNetworks("ann", ("a",)), other, newer)
    assert saved == Saved(login_networks=(newer, other))


async def test_a_ban_holds_until_it_is_lifted(tmp_path):
    assert await committed(tmp_path, Banned("ann", "a bot"), Banned("bob", "rude")) == Saved(
        bans=(Banned("ann", "a bot"), Banned("bob", "rude"))
    )
    saved = await committed(tmp_path, Banned("ann", None), Banned("bob", "very rude"))
    assert saved == Saved(bans=(Banned("bob", "very rude"),))


async def test_a_ban_of_addresses_holds_until_it_is_lifted(tmp_path):
    ban = AddressBanned("192.0.2.0/24", "a flood")
    assert await committed(tmp_path, ban, AddressBanned("::/0", "x")) == Saved(
        address_bans=(ban, AddressBanned("::/0", "x"))
    )
    newer = AddressBanned("192.0.2.0/24", "bots")
    saved = await committed(tmp_path, AddressBanned("::/0", None), newer)
    assert saved == Saved(address_bans=(newer,))


async def test_a_wait_keeps_its_place_and_its_age_when_it_changes(tmp_path):
    await committed(tmp_path, WaitingTable("g", TERMS, PLAYERS[:1]), WaitingTable("a", TERMS, ()))
    with open_beside_server(tmp_path) as db:
        db.execute("UPDATE tables SET opened_ms = opened_ms - 5000 WHERE game = 'g'")
    changed = WaitingTable("g", {"kind": "draughts"}, PLAYERS, "invite")
    saved = await committed(tmp_path, changed)
    assert [table.waiting for table in saved.tables] == [changed, WaitingTable("a", TERMS, ())]
    assert [table.age_ms // 5000 for table in saved.tables] == [1, 0]


async def test_a_wait_that_ends_removes_its_tokens(tmp_path):
    stays, goes = SeatToken("g", "ann", b"1"), SeatToken("h", "ann", b"2")
    tables = WaitingTable("g", TERMS, ()), WaitingTable("h", TERMS, ())
    saved = await committed(tmp_path, *tables, stays, goes, WaitOver("h"))
    assert [table.waiting for table in saved.tables] == [tables[0]]
    assert saved.tokens == (stays,)
    saved = await committed(tmp_path, WaitingTable("h", TERMS, ()))
    assert saved.tokens == (stays,)


async def test_only_the_newest_token_of_a_seat_is_valid(tmp_path):
    ann, bob = SeatToken("g", "ann", b"2"), SeatToken("g", "bob", b"3")
    table = WaitingTable("g", TERMS, ())
    saved = await committed(tmp_path, table, SeatToken("g", "ann", b"1"), ann, bob)
    assert saved.tokens == (ann, bob)
    assert (await committed(tmp_path, Unseated("g", "ann"))).tokens == (bob,)


async def test_a_loaded_match_has_its_events_and_tokens_and_no_wait(tmp_path):
    token = SeatToken("g", "ann", b"1")
    await committed(tmp_path, WaitingTable("g", TERMS, ()), token, BEGUN, happened("g", 1))
    saved = await committed(tmp_path, happened("g", 2))
    assert saved.tables == saved.tokens == ()
    (match,) = saved.matches
    assert match.begun == BEGUN
    assert match.history == (happened("g", 1), happened("g", 2))
    assert (match.tokens, match.paused_at) == ((token,), None)


@pytest.mark.parametrize(
    ("after", "paused_at"),
    [((), 7), ((happened("h", 1),), 7), ((happened("g", 1),), None), ((Paused("g", 9),), 9)],
)
@pytest.mark.parametrize("at_once", [True, False])
async def test_an_event_of_a_match_ends_its_pause(tmp_path, after, paused_at, at_once):
    begun = BEGUN, MatchStarted("h", TERMS, PLAYERS, b"")
    if at_once:
        saved = await committed(tmp_path, *begun, happened("g", 0), Paused("g", 7), *after)
    else:
        await committed(tmp_path, *begun, happened("g", 0), Paused("g", 7))
        saved = await committed(tmp_path, *after)
    assert [match.paused_at for match in saved.matches] == [paused_at, None]


async def test_a_match_that_has_ended_can_be_found_and_is_counted_once(tmp_path):
    events, token = (
        (happened("g", 1), MatchEvent("g", 2, 9, "leave", 0, None)),
        SeatToken("g", "é", b"1"),
    )
    scores = (
        MatchScore("tab", 9, None, "é", True, 2),
        MatchScore("draughts", None, 4, "bob", False, -1),
    )
    result = {"winners": [0], "points": [2, 0], "reason": "leave"}
    saved = await committed(
        tmp_path, BEGUN, token, *events, MatchEnded("g", result, events, scores)
    )
    assert saved.matches == saved.tokens == ()
    assert set(saved.standings) == {
        StoredTotals("tab", 9, None, "é", 1, 1, 2),
        StoredTotals("draughts", None, 4, "bob", 0, 1, -1),
    }
    async with open_store(tmp_path) as store:
        match = await store.find("g")
        assert match is not None
        assert (match.begun, match.history, match.tokens) == (BEGUN, events, (token,))
        assert await store.find(b"1") == match
        assert await store.find("h") is await store.find(b"2") is None
    with open_beside_server(tmp_path) as db:
        assert db.execute("SELECT result ->> 'reason' FROM matches").get == "leave"


async def test_the_journal_can_be_read_by_people(tmp_path):
    await committed(tmp_path, BEGUN, happened("g", 1), MatchEvent("g", 2, 9, "leave", None, None))
    with open_beside_server(tmp_path) as db:
        shown = db.execute("SELECT game, seq, at, event, seat, detail ->> 'from' FROM happened")
        assert shown.fetchall() == [
            ("g", 1, 1000, "move", 1, "c3"),
            ("g", 2, 9, "leave", None, None),
        ]


# -- any rows


@pytest.mark.slow
@settings(max_examples=60)
@given(rows=rows(), data=st.data())
def test_the_store_agrees_with_a_list_of_its_rows(rows, data):
    cuts = data.draw(st.lists(st.integers(0, len(rows)), max_size=8).map(sorted))
    pieces = [rows[a:b] for a, b in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
    restarts = data.draw(st.sets(st.sampled_from(range(len(pieces)))))

    async def main(folder: Path) -> None:
        done: list = []
        while done is not None:
            async with open_store(folder, sync="normal") as store:
                assert without_ages(await store.load()) == saved(done)
                for number in range(len(pieces)):
                    if pieces[number] is None:
                        continue
                    await store.commit(pieces[number])
                    done += pieces[number]
                    pieces[number] = None
                    if number in restarts:
                        break
                else:
                    model = MemoryStore()
                    model.keep(rows, 0)
                    for game in model.matches:
                        assert await store.find(game) == model.find(game)
                    assert without_ages(await store.load()) == saved(rows)
                    return

    with tempfile.TemporaryDirectory() as folder:
        trio.run(main, Path(folder))


async def test_the_journal_drops_only_entries_that_no_match_needs(tmp_path):
    async with open_store(tmp_path, sync="normal") as store:
        lasting = [MatchStarted("lasting", TERMS, PLAYERS, b""), happened("lasting", 1)]
        for number in range(100):
            if number == 50:
                await store.commit(lasting)
            game, event = f"game {number}", happened(f"game {number}", 1)
            await store.commit([MatchStarted(game, TERMS, PLAYERS, b""), event])
            await store.commit([MatchEnded(game, {}, (event,), ())])
            with open_beside_server(tmp_path) as db:
                entries = db.execute("SELECT count(*) FROM journal").get
            assert entries <= (1 if number < 50 else number - 48)
        (match,) = (await store.load()).matches
        assert match.history == tuple(lasting[1:])
        await store.commit([happened("lasting", 2)])
        await store.commit([MatchEnded("lasting", {}, (*lasting[1:], happened("lasting", 2)), ())])
        with open_beside_server(tmp_path) as db:
            assert db.execute("SELECT count(*) FROM journal").get == 1


async def test_events_after_the_journal_was_emptied_are_loaded(tmp_path):
    """An entry's number that came twice would hide what happened from the match."""
    async with open_store(tmp_path) as store:
        await store.commit([BEGUN, happened("g", 1)])
        await store.commit([happened("g", 2)])
        await store.commit([MatchStarted("h", TERMS, PLAYERS, b"")])
        await store.commit([MatchEnded("g", {}, (happened("g", 1), happened("g", 2)), ())])
        await store.commit([happened("h", 1)])
        (match,) = (await store.load()).matches
    assert match.history == (happened("h", 1),)


# -- all or nothing


async def test_a_batch_that_fails_stores_no_row(tmp_path):
    async with open_store(tmp_path) as store:
        await store.commit([BEGUN])
        with pytest.raises(StoreError, match=r"tabnet\.db cannot be written: .*matches.game"):
            await store.commit([Registered("ann", b"", b""), happened("g", 1), BEGUN])
        assert await store.load() == saved([BEGUN])
        await store.commit([happened("g", 1)])
        assert await store.load() == saved([BEGUN, happened("g", 1)])


async def test_a_commit_cannot_be_cancelled(tmp_path):
    async with open_store(tmp_path) as store:
        with trio.CancelScope() as scope:
            scope.cancel()
            await store.commit([Registered("ann", b"", b"")])
        assert (await store.load()).accounts == (Registered("ann", b"", b""),)


async def test_the_write_ahead_log_is_overwritten_and_does_not_grow(tmp_path):
    """To overwrite a file takes half as long as to extend it."""
    log, sizes = tmp_path / f"{FILE}-wal", []
    async with open_store(tmp_path, sync="normal") as store:
        await store.commit([BEGUN])
        assert (await store.load()).matches
        assert await store.find("g")
        for first in (1, 601):  # each commit writes two pages, and SQLite starts again after 1000
            for number in range(first, first + 600):
                await store.commit([happened("g", number)])
            sizes.append(log.stat().st_size)
    assert sizes[0] == sizes[1] < 5_000_000


async def test_a_read_does_not_wait_for_a_write(tmp_path):
    async with open_store(tmp_path) as store:
        await store.commit([BEGUN, SeatToken("g", "ann", b"1")])
        with open_beside_server(tmp_path) as db, db:  # somebody writes, and takes his time
            db.execute("UPDATE matches SET game = 'h'")
            match = await store.find("g")
            assert match is not None
            assert await store.find(b"1") == match
            assert (await store.load()).matches == (match,)


def test_acknowledged_rows_survive_a_kill(tmp_path):
    command = [sys.executable, "-m", "tests.server.commit_rows", tmp_path]
    for wanted in (1, 40):
        for path in tmp_path.iterdir():
            path.unlink()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                if int(line) == wanted:
                    break
            process.kill()
            acknowledged = int((process.stdout.read().split() or [wanted])[-1])
        found = without_ages(trio.run(loaded, tmp_path))
        assert found in [saved(story(acknowledged + more)) for more in (0, 1)]


# -- one server


def test_a_second_server_is_refused_while_the_first_runs(tmp_path):
    command = [sys.executable, "-m", "tests.server.commit_rows", tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        with pytest.raises(StartError, match=f"another server is using {tmp_path}") as refused:
            trio.run(loaded, tmp_path)
        assert "--data" in refused.value.hint
        second = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=TIMEOUT_S
        )
        assert second.stderr.startswith("FolderInUse: another server is using")
        process.kill()
    trio.run(loaded, tmp_path)


async def test_a_second_store_in_the_same_process_is_refused_and_does_no_harm(tmp_path):
    async with open_store(tmp_path):
        for _ in range(2):
            with pytest.raises(StartError, match="another server is using"):
                await loaded(tmp_path)
    await loaded(tmp_path)


async def test_the_lock_survives_deletions_in_the_folder(tmp_path):
    async with open_store(tmp_path):
        for path in tmp_path.iterdir():
            path.unlink()
        with pytest.raises(StartError, match="another server is using"):
            await loaded(tmp_path)
    await loaded(tmp_path)


# -- files that are deleted or replaced


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
@pytest.mark.parametrize("is_replaced", [False, True])
async def test_nothing_is_acknowledged_in_a_file_that_is_deleted_or_replaced(
    tmp_path, suffix, is_replaced
):
    async with open_store(tmp_path) as store:
        await store.commit([BEGUN])
        store.check()
        path = tmp_path / f"{FILE}{suffix}"
        copy = path.with_name("copy")
        copy.write_bytes(path.read_bytes())
        path.unlink()
        if is_replaced:
            copy.rename(path)
        with pytest.raises(StoreError, match=f"{path} was deleted or replaced"):
            store.check()
        with pytest.raises(StoreError, match=f"{path} was deleted or replaced"):
            await store.commit([happened("g", 1)])


async def test_a_folder_that_is_replaced_is_noticed(tmp_path):
    folder = tmp_path / "data"
    async with open_store(folder) as store:
        folder.rename(tmp_path / "moved")
        with pytest.raises(StoreError, match="was deleted or replaced"):
            store.check()
        await loaded(folder)  # which is another one, with a lock of its own
        with pytest.raises(StoreError, match="was deleted or replaced"):
            store.check()
