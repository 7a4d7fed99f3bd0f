"""The content of a bot: its files as bytes, which a referee receives instead of a local path.

A bot is one file, or a folder with all its files except hidden ones and `__pycache__`. The digest
of a file is the SHA-256 of its bytes. The digest of a folder is the SHA-256 of, for each file in
the order of the paths: the SHA-256 of the path in UTF-8 (with `*` behind an executable file), and
the SHA-256 of the bytes.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from attrs import frozen

from tabnet.client.bot_file import MAIN_FILE, BotSource
from tabnet.errors import StartError

MAX_FILES = 1000
MAX_BYTES = 32 * 1024 * 1024
"""The bytes of all files of a bot together."""
USE_COMMAND = "start a larger bot with cmd:"


@frozen
class BotFile:
    path: str
    """The path inside the bot's folder, with `/` between its parts."""
    data: bytes
    is_executable: bool = False


@frozen
class BotContent:
    files: tuple[BotFile, ...]
    """In the order of their paths."""
    digest: str
    named_folder: str
    """The folder of the files as the user named it; `.` for the current folder."""
    folder_name: str = ""
    """The name of a bot's own folder; empty for a single file."""
    neighbours: tuple[str, ...] = ()
    """The modules beside a single file that its text mentions: the bot does not have them."""

    @property
    def main_file(self) -> str:
        """The path of the file with the bot's class or function, inside the bot's folder."""
        return MAIN_FILE if self.folder_name else self.files[0].path

    def convert_to_user_path(self, path: str) -> str:
        """Return a path inside the bot's folder as the user would name it."""
        return str(Path(self.named_folder, path or "x")).removesuffix("" if path else "x")

    @property
    def is_intact(self) -> bool:
        """True if the files have the digest."""
        return compute_digest(self.files, is_folder=bool(self.folder_name)) == self.digest


def read_content(found: BotSource) -> BotContent:
    """Read all files of a bot; raises `StartError` for a file that cannot be passed on."""
    folder = found.path.parent
    try:
        if found.is_folder:
            files = tuple(sorted(_read_folder(folder), key=lambda file: file.path))
        else:
            files = (read_file(found.path, found.path.name, MAX_BYTES),)
    except OSError as error:
        raise StartError(f"{error.filename} cannot be read: {error.strerror}") from None
    return BotContent(
        files=files,
        digest=compute_digest(files, is_folder=found.is_folder),
        named_folder=str(folder),
        folder_name=found.name if found.is_folder else "",
        neighbours=() if found.is_folder else tuple(_find_neighbours(found.path, files[0].data)),
    )


def compute_digest(files: Iterable[BotFile], *, is_folder: bool) -> str:
    digests = [(file, sha256(file.data)) for file in files]
    if not is_folder:
        return digests[0][1].hexdigest()
    whole = sha256()
    for file, digest in digests:
        mark = b"*" if file.is_executable else b""
        whole.update(sha256(os.fsencode(file.path) + mark).digest() + digest.digest())
    return whole.hexdigest()


def _read_folder(folder: Path) -> Iterator[BotFile]:
    left = MAX_BYTES
    for number, path in enumerate(_find_files(folder)):
        if number == MAX_FILES:
            raise StartError(
                f"the folder {folder} has more than {MAX_FILES} files",
                hint="a bot needs a folder of its own; hidden files and __pycache__ do not count",
            )
        file = read_file(path, path.relative_to(folder).as_posix(), left)
        left -= len(file.data)
        yield file


def _find_files(root: Path) -> Iterator[Path]:
    """Yield the files of a folder and of the folders in it, without hidden ones."""
    for parent, folders, names in os.walk(root, onerror=_raise_error):
        folders[:] = filter(_is_visible, folders)
        for name in folders:
            if (path := Path(parent, name)).is_symlink():
                raise StartError(f"{path} is a symbolic link to a folder", hint="copy the folder")
        for name in filter(_is_visible, names):
            path = Path(parent, name)
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(
                os.path.realpath(root)
            ):
                raise StartError(
                    f"{path} is a symbolic link that leaves the folder", hint="copy the file"
                )
            yield path


def _is_visible(name: str) -> bool:
    return not name.startswith(".") and name != "__pycache__"


def _raise_error(error: OSError) -> None:
    raise error


def read_file(path: Path, name: str, max_bytes: int, hint: str = USE_COMMAND) -> BotFile:
    """Read a file of at most `max_bytes`; `name` is its path inside the bot's folder."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):  # reading a pipe might never end
        raise StartError(f"{path} is not a regular file")
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise StartError(
            f"a bot has at most {MAX_BYTES // 2**20} MiB of files, and {path} exceeds that",
            hint=hint,
        )
    return BotFile(name, data, bool(status.st_mode & stat.S_IXUSR))


def _find_neighbours(path: Path, data: bytes) -> list[str]:
    words = set(re.findall(r"\w+", data.decode(errors="replace"))) - {path.stem}
    try:
        beside = [each for each in path.parent.iterdir() if each.suffix == ".py" or each.is_dir()]
    except OSError:  # a folder that cannot be listed, with a file that can be read
        return []
    return sorted(words.intersection(each.stem for each in beside))
