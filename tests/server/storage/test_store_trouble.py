"""Errors of a data folder: one clear sentence each, and nothing is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
import trio

from tabnet.errors import StartError
from tabnet.server.admin.maintenance import back_up
from tabnet.server.core.rows import Registered
from tabnet.server.storage import migrations as schema
from tabnet.server.storage.database_file import FILE, MixedFiles, open_beside_server
from tabnet.server.storage.store import open_store
from tests.server.memory_store import saved, without_ages
from tests.server.storage.test_store import TIMEOUT_S, committed, loaded
from tests.server.stored_rows import story

ACCOUNT = Registered("ann", b"salt", b"digest")
COMMITTER = (sys.executable, "-m", "tests.server.commit_rows")


async def refusal(folder: Path) -> StartError:
    """How a server says that it cannot use the folder; the database is left as it was."""
    before = (folder / FILE).read_bytes()
    with pytest.raises(StartError) as refused:
        await loaded(folder)
    assert (folder / FILE).read_bytes() == before
    assert str(folder / FILE) in refused.value.text
    assert "\n" not in refused.value.text
    assert "--data" in refused.value.hint
    return refused.value


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)),
        check=False,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )


def mounted(path: Path, script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a shell script that mounts things over the path $1, which nobody else sees."""
    unshare = shutil.which("unshare")
    if not unshare or run(unshare, "-m", "mount", "--bind", path, path).returncode:
        pytest.skip("nothing can be mounted here")
    return run(unshare, "-m", "sh", "-ec", script, "sh", path, *arguments)


# -- the file


async def test_a_file_that_is_not_a_database_is_refused(tmp_path):
    (tmp_path / FILE).write_bytes(b"Dear diary, " * 1000)
    assert "is no database" in (await refusal(tmp_path)).text


async def test_a_garbage_header_is_refused(tmp_path):
    await committed(tmp_path, *story(20))
    with (tmp_path / FILE).open("r+b") as file:
        file.write(b"\xff" * 100)
    assert "is no database" in (await refusal(tmp_path)).text


async def test_a_file_that_is_empty_is_a_new_database(tmp_path):
    (tmp_path / FILE).touch()
    assert (await committed(tmp_path, ACCOUNT)).accounts == (ACCOUNT,)


async def test_a_database_of_another_program_is_refused(tmp_path):
    with apsw.Connection(str(tmp_path / FILE)) as db:
        db.execute("CREATE TABLE accounts (nick TEXT)")
    db.close()
    assert "is another program's database" in (await refusal(tmp_path)).text


async def test_garbage_in_rows_that_a_start_does_not_read_is_reported(tmp_path):
    """It must not go on for weeks until somebody asks for that match."""
    await committed(tmp_path, *story(300))
    with open_beside_server(tmp_path) as db:
        pages = db.execute("SELECT pageno FROM dbstat WHERE name = 'matches' AND pagetype = 'leaf'")
        page, size = pages.get[10], db.pragma("page_size")
    with (tmp_path / FILE).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"garbage!" * (size // 8))
    refused = await refusal(tmp_path)
    assert "is damaged" in refused.text
    assert "backup" in refused.hint


# -- backups


async def make_backup_beside_log(folder: Path) -> None:
    """Put an older backup in the place of the database of a server that was killed."""
    await committed(folder, ACCOUNT)
    back_up(folder, folder / "backup")
    async with open_store(folder) as store:
        await store.commit(story(50))
        logs = {suffix: (folder / f"{FILE}{suffix}").read_bytes() for suffix in ("-wal", "-shm")}
    for suffix, data in logs.items():
        (folder / f"{FILE}{suffix}").write_bytes(data)
    (folder / "backup").replace(folder / FILE)


async def test_a_backup_beside_a_newer_log_is_refused_and_stays_as_it_is(tmp_path):
    await make_backup_beside_log(tmp_path)
    files = (FILE, f"{FILE}-wal", f"{FILE}-shm")
    before = [(tmp_path / name).read_bytes() for name in files]
    refused = await refusal(tmp_path)
    assert f"{FILE} is a backup, but {FILE}-wal and {FILE}-shm beside it belong to" in refused.text
    assert refused.hint.startswith(f"remove {FILE}-wal and {FILE}-shm, or ")
    with pytest.raises(StartError, match=f"{FILE}-shm"), open_beside_server(tmp_path):
        pass
    assert [(tmp_path / name).read_bytes() for name in files] == before
    for name in files[1:]:
        (tmp_path / name).unlink()
    assert (await loaded(tmp_path)).accounts == (ACCOUNT,)


async def test_an_older_copy_of_the_file_beside_a_newer_log_is_refused_with_the_remedy(tmp_path):
    await committed(tmp_path, ACCOUNT)
    older = (tmp_path / FILE).read_bytes()
    await committed(tmp_path, *story(300))
    async with open_store(tmp_path) as store:
        await store.commit([Registered(f"bob {n}", b"salt" * 50, b"digest") for n in range(200)])
        logs = {suffix: (tmp_path / f"{FILE}{suffix}").read_bytes() for suffix in ("-wal", "-shm")}
    (tmp_path / FILE).write_bytes(older)
    for suffix, data in logs.items():
        (tmp_path / f"{FILE}{suffix}").write_bytes(data)
    with pytest.raises(MixedFiles) as refused:
        await loaded(tmp_path)
    assert f"remove {FILE}-wal and {FILE}-shm" in refused.value.hint


# -- the schema


def with_script(monkeypatch: pytest.MonkeyPatch, *scripts: str) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, *scripts))


async def test_an_older_database_is_upgraded(tmp_path, monkeypatch):
    rows = story(20)
    await committed(tmp_path, *rows)
    with_script(monkeypatch, "ALTER TABLE accounts ADD COLUMN mail TEXT; CREATE TABLE clubs (a)")
    with pytest.raises(StartError, match="older tabnet"), open_beside_server(tmp_path):
        pass
    for _ in range(2):
        assert without_ages(await loaded(tmp_path)) == saved(rows)
        with open_beside_server(tmp_path) as db:
            assert db.pragma("user_version") == len(schema.MIGRATIONS)
            assert db.execute("SELECT count(mail) FROM accounts").get == 0


async def test_a_failed_upgrade_script_leaves_the_database_of_the_script_before(
    tmp_path, monkeypatch
):
    await committed(tmp_path, ACCOUNT)
    with monkeypatch.context() as context:
        with_script(context, "CREATE TABLE clubs (a)", "DROP TABLE accounts; nonsense")
        with pytest.raises(StartError, match="nonsense"):
            await loaded(tmp_path)
    with_script(monkeypatch, "fails")
    with open_beside_server(tmp_path) as db:
        assert db.table_exists("main", "clubs")
    assert (await loaded(tmp_path)).accounts == (ACCOUNT,)


async def test_a_database_of_a_newer_tabnet_is_refused(tmp_path, monkeypatch):
    with monkeypatch.context() as context:
        with_script(context, "CREATE TABLE clubs (a)")
        await committed(tmp_path, ACCOUNT)
    refused = await refusal(tmp_path)
    known = len(schema.MIGRATIONS)
    assert f"version {known + 1} of the schema, and this tabnet knows {known}" in refused.text
    with pytest.raises(StartError, match="newer tabnet"), open_beside_server(tmp_path):
        pass


# -- the folder


async def test_a_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StartError, match=f"cannot write to {tmp_path}/file/folder") as refused:
        await loaded(tmp_path / "file" / "folder")
    assert "--data" in refused.value.hint


async def test_a_database_locked_by_another_program_is_reported(tmp_path, monkeypatch):
    await committed(tmp_path, ACCOUNT)
    monkeypatch.setattr("tabnet.server.storage.database_file.BUSY_MS", 1)
    with apsw.Connection(str(tmp_path / FILE)) as db:
        db.pragma("locking_mode", "exclusive")
        db.execute("UPDATE accounts SET nick = 'bob'")
        with pytest.raises(StartError, match=f"{FILE} is in use by another program"):
            await loaded(tmp_path)
    db.close()


def test_a_read_only_folder_is_reported(tmp_path):
    trio.run(committed, tmp_path, ACCOUNT)
    script = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; shift; exec "$@"'
    for missing in ("", FILE):
        (tmp_path / missing).unlink() if missing else None
        ended = mounted(tmp_path, script, *COMMITTER, tmp_path)
        assert (ended.returncode, ended.stdout) == (1, "")
        assert ended.stderr.startswith(f"StartError: cannot write to {tmp_path / FILE}: ")
        assert ended.stderr.count("\n") == 1


def test_a_read_only_database_is_reported(tmp_path):
    trio.run(committed, tmp_path, ACCOUNT)
    script = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; shift; exec "$@"'
    ended = mounted(tmp_path / FILE, script, *COMMITTER, tmp_path)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(
        f"StartError: cannot write to {tmp_path / FILE}: it is read-only"
    )


def test_a_folder_without_permission_is_reported(tmp_path):
    trio.run(committed, tmp_path, ACCOUNT)
    as_others = []
    if os.geteuid() == 0:  # whom nothing is forbidden, but for these
        as_others = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
        if not shutil.which("setpriv") or run(*as_others, "true").returncode:
            pytest.skip("root cannot be kept from anything here")
    tmp_path.chmod(0)
    ended = run(*as_others, *COMMITTER, tmp_path)
    tmp_path.chmod(0o700)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(f"StartError: cannot write to {tmp_path}: Permission")


# -- the disk


def test_a_full_disk_at_the_start_is_reported(tmp_path):
    script = 'mount -t tmpfs -o size=8k none "$1"; shift; exec "$@"'
    ended = mounted(tmp_path, script, *COMMITTER, tmp_path)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(f"StartError: no space is left for {tmp_path / FILE}")
    assert "make room" in ended.stderr


def test_a_disk_that_fills_up_stops_the_server(tmp_path):
    """Nothing that was acknowledged is lost, and nothing is there by halves."""
    disk, after = tmp_path / "disk", tmp_path / "after"
    disk.mkdir()
    script = """
        mount -t tmpfs -o size=600k none "$1"; disk=$1; after=$2; shift 2
        "$@" || code=$?
        cp -R "$disk" "$after"
        exit $code
    """
    ended = mounted(disk, script, after, *COMMITTER, disk)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"StoreError: {disk / FILE} cannot be written: ")
    assert ended.stderr.endswith("(make room on its disk)\n")
    acknowledged = int(ended.stdout.split()[-1])
    found = without_ages(trio.run(loaded, after))
    assert found == saved(story(acknowledged))


@pytest.mark.parametrize("most", [300_000, 1_000_000])
def test_a_file_that_cannot_grow_stops_the_server(tmp_path, most):
    ended = run(*COMMITTER, tmp_path, most)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"StoreError: {tmp_path / FILE} cannot be written: ")
    acknowledged = int(ended.stdout.split()[-1])
    found = without_ages(trio.run(loaded, tmp_path))
    assert found == saved(story(acknowledged))
