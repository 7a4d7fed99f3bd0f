"""A database file beside a write-ahead log: those of one moment fit, an older file is noticed."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from attrs import frozen

from tabnet.errors import StartError
from tabnet.server.core.rows import Registered
from tabnet.server.storage import database_file, log_marks
from tabnet.server.storage.database_file import FILE, MixedFiles, open_beside_server
from tabnet.server.storage.log_marks import Checkpoints
from tabnet.server.storage.store import open_store

LOG = f"{FILE}-wal"
PAGE = 4096


@frozen
class Moment:
    """The files of a server that is killed at one moment, and the accounts that it has stored."""

    file: bytes
    log: bytes
    accounts: int


class Server:
    """A server that registers players, and the files of its moments."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.moments: list[Moment] = []
        self.stored = 0

    def note_moment(self, file: bytes | None = None, more: int = 0) -> None:
        path, log = self.folder / FILE, self.folder / LOG
        data = log.read_bytes() if log.exists() else b""
        self.moments.append(Moment(file or path.read_bytes(), data, self.stored + more))

    async def run(self, luck: random.Random, commits: int) -> None:
        """Run from a start to a clean end."""
        async with open_store(self.folder, sync="normal") as store:
            for _ in range(commits):
                salt = b"salt" * luck.choice([1, 50, 900])
                await store.commit([Registered(f"nick {self.stored}", salt, b"digest")])
                self.stored += 1
                self.note_moment()
                if luck.random() < 0.1:
                    with open_beside_server(self.folder) as tool:
                        tool.execute(
                            "INSERT OR REPLACE INTO bans (nick, reason) VALUES ('x', ?)",
                            ("x" * 5000 * luck.randrange(9),),
                        )
        self.note_moment()

    def copy(self) -> bytes:
        """Return a copy of the running server's database, as other programs make it."""
        path = self.folder / "copy"
        with (
            closing(apsw.Connection(str(self.folder / FILE))) as source,
            closing(apsw.Connection(str(path))) as target,
            target.backup("main", source, "main") as backup,
        ):
            backup.step()
        data = path.read_bytes()
        path.unlink()
        return data


@pytest.fixture
def small_logs(monkeypatch):
    monkeypatch.setattr(log_marks, "PAGES", 6)


def put_files(folder: Path, file: bytes, log: bytes) -> None:
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    (folder / FILE).write_bytes(file)
    (folder / LOG).write_bytes(log)


async def count_accounts(folder: Path, file: bytes, log: bytes) -> int:
    """Return the accounts that a server finds in these files."""
    put_files(folder, file, log)
    async with open_store(folder, sync="normal") as store:
        return len((await store.load()).accounts)


def split_pages(data: bytes) -> list[bytes]:
    return [data[at : at + PAGE] for at in range(0, len(data), PAGE)]


@pytest.mark.usefixtures("small_logs")
async def test_a_server_that_is_killed_at_any_moment_starts_again(tmp_path, monkeypatch):
    luck, server = random.Random(1), Server(tmp_path / "server")
    copy_all = Checkpoints._copy_all

    def copy_and_note(checkpoints: Checkpoints) -> bool:
        path = server.folder / FILE
        before = split_pages(path.read_bytes())
        copied = copy_all(checkpoints)
        after = split_pages(path.read_bytes())
        changed = [n for n, page in enumerate(after) if before[n : n + 1] != [page]]
        for written in (changed[: len(changed) // 2], luck.sample(changed, len(changed) // 2)):
            pages = [*before, *[bytes(PAGE)] * (len(after) - len(before))]
            for number in written:
                pages[number] = after[number]
            # A checkpoint that a commit has caused has the account of this commit.
            server.note_moment(b"".join(pages), more=started)
        return copied

    monkeypatch.setattr(Checkpoints, "_copy_all", copy_and_note)
    started = 0
    for _ in range(3):
        await server.run(luck, 15)
    monkeypatch.undo()
    assert len(server.moments) > 100
    for moment in server.moments:
        found = await count_accounts(tmp_path / "again", moment.file, moment.log)
        assert found in (moment.accounts, moment.accounts + 1)


@pytest.mark.usefixtures("small_logs")
async def test_an_older_file_beside_a_newer_log_is_refused_and_both_stay_as_they_are(tmp_path):
    luck, server = random.Random(2), Server(tmp_path / "server")
    await server.run(luck, 1)
    server.moments.clear()
    copies = []
    for _ in range(3):
        await server.run(luck, 8)
        copies.append(server.moments[-1].file)  # of a stopped server
        async with open_store(server.folder):
            copies.append(server.copy())
        await server.run(luck, 8)
        copies += [luck.choice(server.moments).file]
    server.moments.clear()
    await server.run(luck, 20)
    for file in copies:
        for moment in luck.sample(server.moments[:-1], 6):
            folder = tmp_path / "again"
            with pytest.raises(StartError) as refused:
                await count_accounts(folder, file, moment.log)
            assert f"remove {LOG} and {FILE}-shm" in refused.value.hint
            files = (folder / FILE).read_bytes(), (folder / LOG).read_bytes()
            assert files == (file, moment.log)


async def test_a_copy_beside_the_rest_of_the_same_log_becomes_the_newest_state(tmp_path):
    server = Server(tmp_path / "server")
    async with open_store(server.folder) as store:
        await store.commit([Registered("ann", b"salt", b"digest")])
        copy = server.copy()
        await store.commit([Registered("bob", b"salt", b"digest")])
        log = (server.folder / LOG).read_bytes()
    assert await count_accounts(tmp_path / "again", copy, log) == 2


async def test_a_copy_of_a_stopped_server_is_refused_after_the_next_start(tmp_path):
    server = Server(tmp_path / "server")
    await server.run(random.Random(3), 3)
    async with open_store(server.folder):
        log = (server.folder / LOG).read_bytes()
    with pytest.raises(MixedFiles):
        await count_accounts(tmp_path / "again", server.moments[-1].file, log)


async def test_tools_refuse_mixed_files_only_at_rest(tmp_path, monkeypatch):
    """Beside a running server, the marks are read while they change."""
    async with open_store(tmp_path) as store:
        await store.commit([Registered("ann", b"salt", b"digest")])
        monkeypatch.setattr(database_file, "is_mixed", lambda _: True)
        with open_beside_server(tmp_path) as database:
            assert database.execute("SELECT count(*) FROM accounts").get == 1
        log = (tmp_path / LOG).read_bytes()
    (tmp_path / LOG).write_bytes(log)
    with pytest.raises(MixedFiles), open_beside_server(tmp_path):
        raise AssertionError("it was opened")
    assert (tmp_path / LOG).read_bytes() == log


async def test_a_log_stays_as_short_as_before(tmp_path):
    async with open_store(tmp_path, sync="normal") as store:
        for number in range(40):
            await store.commit([Registered(f"nick {number}", b"salt" * 50_000, b"digest")])
        assert (tmp_path / LOG).stat().st_size < 2 * log_marks.PAGES * PAGE
