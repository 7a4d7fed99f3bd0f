"""A full disk is reported in a sentence, and a torn journal can always be continued."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tabnet.cli import main
from tabnet.errors import StartError
from tabnet.tournament.play import journal_file as journal
from tabnet.tournament.play.tournament_folder import create_tournament, resume_tournament
from tabnet.tournament.records.entrants_and_results import Entrant
from tabnet.tournament.records.journal_lines import (
    GAMES,
    JOURNAL,
    GameTiming,
    encode_entrant,
    encode_failure,
    encode_result,
    encode_void,
)
from tabnet.tournament.records.results_of_matches import make_failed_result
from tests.tournament.run_games import settings

pytestmark = pytest.mark.slow

BOTS = ["first", "random"]
COMMAND = ["tournament", *BOTS, "--size", "7", "--pairs", "10", "--concurrency", "1"]
LINES = [b'{"a":1}\n', b'{"b":2}\n', b'{"c":3}\n']


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 64 KiB, where this user may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]
    try:
        subprocess.run(mounted, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user cannot mount a file system")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_disk_that_fills_up_ends_the_tournament_with_a_sentence(small_disk):
    folder = small_disk / "it"
    ended = subprocess.run(
        [sys.executable, "-m", "tabnet", *COMMAND, "--out", folder],
        check=False,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert re.fullmatch(
        rf"tabnet: {folder}/\S+ cannot be written: No space left on device "
        rf"\(when it can: tabnet tournament --resume {folder}\)\n",
        ended.stderr,
    )
    before = journal.read_journal_file(folder).results
    subprocess.run(["mount", "-o", "remount,size=16m", small_disk], check=True)
    assert main(["tournament", "--resume", str(folder)]) == 0
    results = journal.read_journal_file(folder).results
    assert len(results) == 20
    assert before.items() <= results.items()


@pytest.mark.parametrize("file", [JOURNAL, f"{GAMES}/"])
def test_a_failed_write_is_a_sentence_for_every_file(file, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "it"
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if file == JOURNAL:
        monkeypatch.setattr(os, "fdatasync", raising(full, after=2))
    else:
        write_bytes = Path.write_bytes

        def write(path, data):
            if path.is_relative_to(folder):  # bots are written elsewhere
                raise full
            return write_bytes(path, data)

        monkeypatch.setattr(Path, "write_bytes", write)
    assert main([*COMMAND, "--out", str(folder)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"tabnet: {folder}/{file}")
    assert "No space left on device" in error
    assert error.count("\n") == 1
    monkeypatch.undo()
    assert main(["tournament", "--resume", str(folder)]) == 0
    assert len(journal.read_journal_file(folder).results) == 20


def raising(error, after):
    """Stand in for a function that fails from some call on; the calls before do nothing."""
    calls = iter(range(after))

    def function(*_):
        if next(calls, None) is None:
            raise error

    return function


def test_a_failed_read_is_a_sentence(tmp_path, capsys):
    (tmp_path / JOURNAL).mkdir()
    assert main(["tournament", "--resume", str(tmp_path)]) == 1
    assert capsys.readouterr().err.endswith(f"{tmp_path / JOURNAL}: Is a directory\n")


class FullDisk:
    """Stands in for `os.write` and `os.ftruncate` on a disk with room for so many bytes."""

    def __init__(self, monkeypatch, room, *, can_truncate):
        self.room = room
        self.can_truncate = can_truncate
        self._write, self._truncate = os.write, os.ftruncate
        monkeypatch.setattr(os, "write", self.write)
        monkeypatch.setattr(os, "ftruncate", self.truncate)

    def write(self, file, data):
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = self._write(file, data[: self.room])
        self.room -= written
        return written

    def truncate(self, file, size):
        if not self.can_truncate:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._truncate(file, size)


@pytest.mark.parametrize("room", range(16))
@pytest.mark.parametrize("can_truncate", [True, False])
def test_no_line_is_lost_or_torn_when_there_is_room_again(
    room, can_truncate, tmp_path, monkeypatch
):
    path = tmp_path / JOURNAL
    with journal.open_journal(tmp_path) as writer:
        writer.add_line(LINES[0])
        writer.flush()
        disk = FullDisk(monkeypatch, room, can_truncate=can_truncate)
        writer.add_line(LINES[1])
        writer.add_line(LINES[2])
        with pytest.raises(StartError, match="cannot be written: No space left on device"):
            writer.flush()
        if can_truncate:
            assert path.read_bytes() == LINES[0]
        disk.room, disk.can_truncate = 100, True
    assert path.read_bytes() == b"".join(LINES)


# What a killed runner leaves


@pytest.fixture
def folder(tmp_path):
    """A tournament that has begun."""
    with create_tournament(tmp_path, settings(), BOTS):
        return tmp_path


def last_lines(folder):
    """A line of every sort that a runner appends."""
    with resume_tournament(folder) as tournament:
        game = tournament.queue.take_next()
    result = make_failed_result(game, "ValueError: größer als 7")
    return {
        "entrant": encode_entrant(Entrant("later", "cmd:none", "d")),
        "result": encode_result(result, GameTiming(1, 2)),
        "failure": encode_failure(game.id, "ValueError: größer als 7"),
        "void": encode_void([game.id]),
    }


@pytest.mark.parametrize("sort", ["entrant", "result", "failure", "void"])
def test_a_torn_last_line_never_keeps_a_tournament_from_being_resumed(sort, folder):
    whole = (folder / JOURNAL).read_bytes()
    line = last_lines(folder)[sort]
    for length in range(len(line)):
        (folder / JOURNAL).write_bytes(whole + line[:length])
        with resume_tournament(folder) as tournament:
            assert not tournament.queue.results
            assert not tournament.queue.failures
        assert (folder / JOURNAL).read_bytes() == whole


def test_a_tournament_that_was_torn_at_its_beginning_can_be_begun_again(folder):
    whole = (folder / JOURNAL).read_bytes()
    for length in range(len(whole)):
        (folder / JOURNAL).write_bytes(whole[:length])
        with (
            pytest.raises(StartError, match="was stopped before it began"),
            resume_tournament(folder),
        ):
            pass
        with create_tournament(folder, settings(), BOTS) as tournament:
            assert [each.name for each in tournament.bots] == BOTS
        assert (folder / JOURNAL).read_bytes() == whole


def test_journals_with_the_settings_first_can_be_resumed(folder):
    *entrants, last = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    (folder / JOURNAL).write_bytes(b"".join([last, *entrants]))
    with resume_tournament(folder) as tournament:
        assert [each.name for each in tournament.bots] == BOTS
