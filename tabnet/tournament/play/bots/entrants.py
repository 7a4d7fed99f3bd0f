"""Who takes part: what the command line names, as entrants and how to start them."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from attrs import frozen

from tabnet.client.botfile import find
from tabnet.errors import StartError
from tabnet.tournament.records.results import Entrant

COMMAND, REMOTE = "cmd:", "remote:"
LONGEST_NAME = 22
"""A nick has room for it, for `house-` and for the number of a process."""
LONGEST_NICK = 32


@frozen
class BotProgram:
    """An entrant and how to start it."""

    entrant: Entrant
    command: tuple[str, ...] = ()
    """Empty for who connects from elsewhere."""

    @property
    def name(self) -> str:
        """What it is called in the tournament."""
        return self.entrant.name

    @property
    def is_file(self) -> bool:
        """It is a bot file, of which can be said before whether it can be loaded."""
        return not self.entrant.source.startswith((COMMAND, REMOTE))

    @property
    def is_remote(self) -> bool:
        """It connects from elsewhere, to play one game at a time."""
        return self.entrant.source.startswith(REMOTE)

    @property
    def nick(self) -> str:
        """Under which name somebody comes from elsewhere."""
        return self.entrant.source.removeprefix(REMOTE)


def find_bots(sources: Sequence[str], taken: Iterable[str] = ()) -> Iterator[BotProgram]:
    """Those whom the command line names, each with a name of its own; or a `StartError`."""
    names = set(taken)
    for source in sources:
        base = _printable(_name(source))
        name, number = base[:LONGEST_NAME], 1
        while name in names:
            number += 1
            name = f"{base[: LONGEST_NAME - 3]} {number}"
        names.add(name)
        yield find_bot(name, source)


def find_bot(name: str, source: str) -> BotProgram:
    """An entrant of that name."""
    if source.startswith(REMOTE):
        _require_nick(source.removeprefix(REMOTE))
        return BotProgram(Entrant(name, source))
    if source.startswith(COMMAND):
        command = _words(source)
        return BotProgram(Entrant(name, source, _digest(source, command)), command)
    path, _ = find(source)
    command = (sys.executable, "-m", "tabnet.client.bot", source)
    return BotProgram(Entrant(name, source, _digest(source, [str(path)])), command)


def _name(source: str) -> str:
    if source.startswith(REMOTE):
        return source.removeprefix(REMOTE)
    if source.startswith(COMMAND):
        return " ".join(Path(word).name for word in _words(source))
    path, options = find(source)
    name = path.stem.rstrip("_")
    return f"{name}:{options}" if options else name


def _words(source: str) -> tuple[str, ...]:
    try:
        program, *arguments = shlex.split(source.removeprefix(COMMAND))
    except ValueError:
        raise StartError(f"{source} names no command", hint="like cmd:./mybot arg") from None
    found = shutil.which(program)
    if found is None:
        raise StartError(f"{source}: there is no program {program}")
    return (found, *arguments)


def _require_nick(nick: str) -> None:
    if not (1 <= len(nick) <= LONGEST_NICK and nick.isprintable() and nick == nick.strip()):
        raise StartError(
            f"remote:{nick} names nobody", hint=f"1 to {LONGEST_NICK} printable characters"
        )


def _printable(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name).strip() or "?"


def _digest(source: str, parts: Sequence[str]) -> str:
    """Of what is said on the command line, and of the files named there."""
    digest = hashlib.sha256(source.encode())
    for part in parts:
        if Path(part).is_file():
            digest.update(hashlib.sha256(Path(part).read_bytes()).digest())
    return digest.hexdigest()


def require_unchanged(before: Entrant, now: Entrant) -> None:
    """Who has changed is not who has played before."""
    if before.digest != now.digest:
        raise StartError(
            f"{before.source} has changed since the tournament began",
            hint="put it back, or begin a new tournament",
        )
