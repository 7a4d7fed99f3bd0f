"""The files on the command line of a `cmd:` bot, stored at the beginning of a tournament.

Each process of the bot runs copies of them. Installed programs, like `python3`, and arguments in
the system's folders are not stored: they run from where they are.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from tabnet.errors import StartError
from tabnet.tournament.play.bots.bot_files import MAX_BYTES, BotFile, read_file
from tabnet.tournament.play.sandbox.policy import (
    LIBRARIES,
    SYSTEM,
    find_containing,
    list_installation,
)

PYTHON_MARKS = ("pyvenv.cfg", "lib/python3*", "lib64/python3*")
"""Each installation and environment of Python has one of them."""


@frozen
class CommandFile:
    """A file on a command line."""

    index: int
    """Which word of the command line it is."""
    named: str
    """The path as the user named it."""
    file: BotFile


def find_program(source: str, words: Sequence[str]) -> str:
    """Return where the program of a command line is on this machine; raises `StartError`."""
    found = shutil.which(words[0])
    if found is None:
        raise StartError(f"{source}: there is no program {words[0]}")
    return found


def read_command_files(source: str, words: Sequence[str]) -> Iterator[CommandFile]:
    """Yield the files of a command line that are stored; raises `StartError`."""
    left = MAX_BYTES
    for index, word in enumerate([find_program(source, words), *words[1:]]):
        path = Path(word)
        if path.is_file() and not _is_installed(path, is_program=index == 0):
            try:
                file = read_file(path, path.name, left, "open it in the program: --sandbox-read")
            except OSError as error:
                raise StartError(f"{path} cannot be read: {error.strerror}") from None
            left -= len(file.data)
            yield CommandFile(index, words[index], file)


def write_command_files(files: Sequence[CommandFile], words: list[str], folder: Path) -> None:
    """Write copies of the files into a folder, and put their paths into a command line."""
    for each in files:
        copy = folder / str(each.index) / each.file.path
        copy.parent.mkdir(parents=True)
        copy.write_bytes(each.file.data)
        copy.chmod(0o700 if each.file.is_executable else 0o600)
        words[each.index] = str(copy)


def list_installed_paths(program: str) -> Iterator[Path]:
    """Yield the files and folders of a program, and of the program that it is a link to.

    An environment of Python has its standard library elsewhere, where its program is a link to. In
    a folder `shims`, a manager of versions starts the program of one version.
    """
    for path in dict.fromkeys((Path(program).absolute(), Path(program).resolve())):
        if path.parent.name in ("bin", "sbin"):
            yield from map(Path, list_installation(str(path.parents[1])))
        elif path.parent.name == "shims":
            yield path.parents[1]
        yield path


def _is_installed(path: Path, *, is_program: bool) -> bool:
    system = [*LIBRARIES, *SYSTEM, sys.prefix, sys.base_prefix]
    if is_program:
        prefix = path.absolute().parents[1] if len(path.absolute().parts) > 2 else path
        if any(next(prefix.glob(mark), None) for mark in PYTHON_MARKS):
            return True
        system += [each for each in os.get_exec_path() if Path(each).is_absolute()]
    return any(find_containing(str(each), system) for each in (path.absolute(), path.resolve()))
