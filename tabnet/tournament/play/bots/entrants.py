"""The bots that the command line names, as entrants of a tournament."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from attrs import frozen

from tabnet.client.bot_file import find_bot_file
from tabnet.errors import StartError
from tabnet.tournament.play.bots.bot_files import BotContent, read_content
from tabnet.tournament.play.bots.command_files import (
    CommandFile,
    find_program,
    read_command_files,
)
from tabnet.tournament.records.entrants_and_results import REMOTE, Entrant

COMMAND = "cmd:"
LONGEST_NAME = 22
"""The longest name; a nick has room for it, for `house-` and for the number of a process."""
LONGEST_NICK = 32


@frozen
class BotProgram:
    """An entrant and its program, in plain values that no machine has to know.

    Its files are those of the beginning of the tournament; every process gets new copies of them.
    """

    entrant: Entrant
    words: tuple[str, ...] = ()
    """The command line of a `cmd:` bot; the machine of the referee has its installed program."""
    command_files: tuple[CommandFile, ...] = ()
    """The files on this command line that are not installed programs."""
    content: BotContent | None = None
    """The files of a bot that is a file or folder."""
    options: str = ""
    """The options of these files."""
    is_house_bot: bool = False
    """True for a bot that comes with tabnet."""

    @property
    def name(self) -> str:
        return self.entrant.name

    @property
    def is_file(self) -> bool:
        """True for a bot file, which can be tried before the first game."""
        return not self.entrant.source.startswith((COMMAND, REMOTE))

    @property
    def program(self) -> str | None:
        """The installed program that a command line starts; None if its files have it."""
        is_file = any(file.index == 0 for file in self.command_files)
        return self.words[0] if self.words and not is_file else None

    @property
    def is_remote(self) -> bool:
        """True for a bot that connects from elsewhere. It plays one game at a time."""
        return self.entrant.is_remote

    @property
    def nick(self) -> str:
        """The nick of a bot that connects from elsewhere."""
        return self.entrant.source.removeprefix(REMOTE)


def find_bots(sources: Sequence[str], taken: Iterable[str] = ()) -> Iterator[BotProgram]:
    """Yield the bots that the command line names, each under its own name; raises `StartError`."""
    names = set(taken)
    for source in sources:
        letters = (each if each.isprintable() else "?" for each in _choose_name(source))
        base = "".join(letters).strip() or "?"
        name, number = base[:LONGEST_NAME], 1
        while name in names:
            number += 1
            name = f"{base[: LONGEST_NAME - 3]} {number}"
        names.add(name)
        yield find_bot(name, source)


def find_bot(name: str, source: str) -> BotProgram:
    """Return the bot of an argument as an entrant with this name; raises `StartError`."""
    if source.startswith(REMOTE):
        _require_nick(source.removeprefix(REMOTE))
        return BotProgram(Entrant(name, source))
    if source.startswith(COMMAND):
        words = _split_command(source)
        files = tuple(read_command_files(source, words))
        digest = _compute_digest(source, _hash_command(source, words, files))
        return BotProgram(Entrant(name, source, digest), words, files)
    found = find_bot_file(source)
    content = read_content(found)
    digest = _compute_digest(source, [bytes.fromhex(content.digest)])
    return BotProgram(
        Entrant(name, source, digest),
        content=content,
        options=found.options,
        is_house_bot=found.is_house_bot,
    )


def _choose_name(source: str) -> str:
    if source.startswith(REMOTE):
        return source.removeprefix(REMOTE)
    if source.startswith(COMMAND):
        return " ".join(Path(word).name for word in _split_command(source))
    found = find_bot_file(source)
    return f"{found.name}:{found.options}" if found.options else found.name


def _split_command(source: str) -> tuple[str, ...]:
    try:
        program, *arguments = shlex.split(source.removeprefix(COMMAND))
    except ValueError:
        raise StartError(f"{source} names no command", hint="like cmd:./mybot arg") from None
    return (program, *arguments)


def _require_nick(nick: str) -> None:
    if not (1 <= len(nick) <= LONGEST_NICK and nick.isprintable() and nick == nick.strip()):
        raise StartError(
            f"remote:{nick} names nobody", hint=f"1 to {LONGEST_NICK} printable characters"
        )


def _compute_digest(source: str, digests: Iterable[bytes]) -> str:
    """Return the digest of an entrant: of its command-line argument, and of its files."""
    return sha256(b"".join((source.encode(), *digests))).hexdigest()


def _hash_command(
    source: str, words: Sequence[str], files: Sequence[CommandFile]
) -> Iterator[bytes]:
    """Yield the digest of each word of a command line that is a file, stored or not."""
    stored = {each.index: each.file.data for each in files}
    for index, word in enumerate([find_program(source, words), *words[1:]]):
        if index in stored:
            yield sha256(stored[index]).digest()
        elif Path(word).is_file():
            yield sha256(Path(word).read_bytes()).digest()


def require_unchanged(before: Entrant, now: BotProgram) -> None:
    """Raise `StartError` if a bot has changed since the tournament began."""
    if before.digest != now.entrant.digest:
        repair = "finish it with that version of tabnet" if now.is_house_bot else "put it back"
        raise StartError(
            f"{before.source} has changed since the tournament began",
            hint=f"{repair}, or begin a new tournament",
        )
