"""The content of a bot: which files it has, their digest, and the files that are refused."""

from __future__ import annotations

import os
from hashlib import sha256

import attrs
import pytest

from tabnet.client.bot_file import find_bot_file
from tabnet.errors import StartError
from tabnet.tournament.play.bots import bot_files
from tabnet.tournament.play.bots.bot_files import read_content
from tabnet.tournament.play.bots.entrants import find_bot, find_bots
from tabnet.tournament.play.bots.local_bots import FILES, install_bot
from tabnet.tournament.play.referee_failure import RefereeFailed

CHOOSE = "def choose(state, moves, left):\n    return moves[0]\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def mybot(tmp_path):
    """Returns a folder that is a bot."""
    folder = tmp_path / "mybot"
    (folder / "data").mkdir(parents=True)
    (folder / "bot.py").write_text(CHOOSE)
    (folder / "data" / "book.txt").write_text("a book")
    return folder


def content():
    return read_content(find_bot_file("mybot/"))


def refusal():
    with pytest.raises(StartError) as refused:
        content()
    return refused.value.text


def test_a_folder_has_its_files_in_the_order_of_their_paths(mybot):
    (mybot / "data.txt").touch()
    (mybot / "Zoo.py").touch()
    paths = [file.path for file in content().files]
    assert paths == ["Zoo.py", "bot.py", "data.txt", "data/book.txt"]


def test_hidden_files_and_caches_are_left_out(mybot):
    before = content()
    for name in (".git", "__pycache__", "data/__pycache__"):
        (mybot / name).mkdir()
        (mybot / name / "x").touch()
    (mybot / ".bot.py.swp").touch()
    (mybot / ".#bot.py").symlink_to("nowhere")
    assert content() == before


def test_the_digest_of_a_folder_depends_on_every_path_byte_and_mode(mybot):
    changes = [
        lambda: (mybot / "data" / "book.txt").write_text("a cook"),
        lambda: (mybot / "data" / "book.txt").rename(mybot / "data" / "cook.txt"),
        (mybot / "new").touch,
        lambda: (mybot / "new").chmod(0o700),
    ]
    digests = {content().digest}
    for number, change in enumerate(changes):
        change()
        digests.add(content().digest)
        assert len(digests) == number + 2


def test_the_digest_of_a_file_is_the_same_as_ever(mybot):
    """Journals of earlier versions have it, and `--resume` compares it."""
    (mybot.parent / "mine.py").write_text(CHOOSE)
    source = "mine.py:depth=2"
    digest = sha256(source.encode() + sha256(CHOOSE.encode()).digest()).hexdigest()
    assert find_bot("mine", source).entrant.digest == digest


def test_a_folder_of_too_many_files_is_refused(mybot, monkeypatch):
    monkeypatch.setattr(bot_files, "MAX_FILES", 2)
    assert content()
    (mybot / "one_more").touch()
    assert refusal() == "the folder mybot has more than 2 files"


def test_a_bot_of_too_many_bytes_is_refused(mybot, monkeypatch):
    size = sum(len(file.data) for file in content().files)
    monkeypatch.setattr(bot_files, "MAX_BYTES", size)
    assert content()
    (mybot / "data" / "book.txt").write_text("a longer book")
    assert refusal().startswith("a bot has at most 0 MiB of files, and mybot/data/book.txt exceeds")


def test_a_link_that_leaves_the_folder_is_refused(mybot):
    (mybot / "book.txt").symlink_to("data/book.txt")
    assert content().files[0].data == b"a book"
    (mybot / "passwords").symlink_to("/etc/passwd")
    assert refusal() == "mybot/passwords is a symbolic link that leaves the folder"


def test_a_link_to_a_folder_is_refused(mybot):
    (mybot / "again").symlink_to(mybot)
    assert refusal() == "mybot/again is a symbolic link to a folder"


def test_a_pipe_and_a_broken_link_are_refused(mybot):
    os.mkfifo(mybot / "pipe")
    assert refusal() == "mybot/pipe is not a regular file"
    (mybot / "pipe").unlink()
    (mybot / "broken").symlink_to("nowhere")
    assert refusal() == "mybot/broken cannot be read: No such file or directory"


def test_a_bot_has_the_name_of_its_folder(mybot, monkeypatch):
    assert [bot.name for bot in find_bots(["mybot/", "./mybot", "./mybot/:depth=2"])] == [
        "mybot",
        "mybot 2",
        "mybot:depth=2",
    ]
    monkeypatch.chdir(mybot)
    assert [bot.name for bot in find_bots(["./", "../mybot/"])] == ["mybot", "mybot 2"]


def test_files_are_written_as_they_were_read(mybot, tmp_path):
    (mybot / "engine").write_text("#!/bin/sh\n")
    (mybot / "engine").chmod(0o755)
    local = install_bot(find_bot("mine", "mybot/:depth=2"), tmp_path / "elsewhere")
    place = tmp_path / "elsewhere" / FILES
    assert local.command[4] == f"{place}/mybot/:depth=2"
    assert read_content(find_bot_file(f"{place}/mybot/")).files == content().files
    assert os.access(place / "mybot" / "engine", os.X_OK)


def test_files_without_their_digest_are_not_written(mybot, tmp_path):
    bot = find_bot("mine", "mybot/")
    changed = attrs.evolve(bot.content.files[0], data=b"another bot")
    bad = attrs.evolve(bot.content, files=(changed, *bot.content.files[1:]))
    with pytest.raises(RefereeFailed, match="the files of mybot/ do not have their digest"):
        install_bot(attrs.evolve(bot, content=bad), tmp_path / "elsewhere")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("source", "said", "read"),
    [
        ("mybot/", "{place}/mybot/bot.py:3: no", "mybot/bot.py:3: no"),
        ("./mybot/", "in {place}/mybot", "in mybot"),
        ("mybot/bot.py", "{place}/bot.py:3", "mybot/bot.py:3"),
        ("mine.py", "in {place}: {place}/mine.py", "in .: mine.py"),
    ],
)
def test_a_text_has_the_paths_that_the_user_named(mybot, tmp_path, source, said, read):
    (mybot.parent / "mine.py").write_text(CHOOSE)
    local = install_bot(find_bot("mine", source), tmp_path / "elsewhere")
    place = tmp_path / "elsewhere" / FILES
    assert local.convert_to_user_paths(said.format(place=place)) == read


RENAME = "Rename mine.py to bot.py and name the folder: ./"
ABSENT = "ModuleNotFoundError: No module named 'helpers'"


@pytest.mark.parametrize(
    ("source", "said", "read"),
    [
        (
            "mine.py",
            ABSENT,
            f"mine.py imports helpers, a file beside it. {RENAME}",
        ),
        (
            "mybot/bot.py",
            ABSENT,
            "mybot/bot.py imports helpers, a file beside it. Name the folder: mybot/",
        ),
        (
            "mybot/bot.py",
            "FileNotFoundError: [Errno 2] No such file or directory: '{place}/data/book.txt'",
            "mybot/bot.py opens data/book.txt, a file beside it. Name the folder: mybot/",
        ),
        ("mybot/", ABSENT, ABSENT),
        ("mybot/bot.py", ABSENT.replace("helpers", "numpy"), ABSENT.replace("helpers", "numpy")),
    ],
)
def test_a_file_that_needs_its_neighbours_is_explained(mybot, tmp_path, source, said, read):
    for folder in (mybot, mybot.parent):
        (folder / "helpers.py").touch()
        (folder / "unused.py").touch()
    (mybot / "bot.py").write_text(f"import numpy, helpers\n{CHOOSE}")
    (mybot.parent / "mine.py").write_text(f"import helpers\n{CHOOSE}")
    local = install_bot(find_bot("mine", source), tmp_path / "elsewhere")
    place = tmp_path / "elsewhere" / FILES
    assert local.convert_to_user_paths(said.format(place=place)) == read
