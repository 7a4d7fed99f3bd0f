"""Bots on the machine of their referee: the folder of each process, and its command line."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from tempfile import mkdtemp

from attrs import frozen

from tabnet.client.bot_file import MAIN_FILE, PACKAGE, load_bot
from tabnet.errors import StartError
from tabnet.tournament.play.bots.bot_files import BotContent
from tabnet.tournament.play.bots.command_files import (
    CommandFile,
    find_program,
    list_installed_paths,
    write_command_files,
)
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.sandbox.host import list_package_folders

PYTHON_PATH = "python"
"""The folder, beside a program's files, in which a program in Python finds an editable tabnet."""
FILES = "bot"
"""The folder of a bot's files, in the private folder of its process."""
BOT_LOOP = """\
import sys
from importlib.util import module_from_spec, spec_from_file_location
bot, package, *folders = sys.argv[1:]
sys.path += [folder for folder in folders if folder not in sys.path]
init = f"{package}/__init__.py"
spec = spec_from_file_location("tabnet", init, submodule_search_locations=[package])
sys.modules["tabnet"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["tabnet"])
from tabnet.client.bot import main
sys.exit(main(bot))
"""
"""The program that plays with a bot file. It uses the tabnet that runs, and the packages of the
runner, also those in the user's home. It does not list the folder that contains tabnet."""
ABSENT_MODULE = re.compile(r"ModuleNotFoundError: No module named '(\w+)[^']*'")


@frozen
class LocalBot:
    """A bot for one process on this machine, with a folder of its own."""

    command: tuple[str, ...]
    private: Path
    """The folder of the process: copies of the bot's files, and its `home` and `tmp`."""
    content: BotContent | None = None
    """The files of a bot that is a file or folder."""
    command_files: tuple[CommandFile, ...] = ()
    """The files of a command line."""
    installed_paths: tuple[Path, ...] = ()
    """The files and folders of an installed program."""

    @property
    def files(self) -> Path:
        """The copies of the bot's files."""
        return self.private / FILES

    @property
    def variables(self) -> dict[str, str]:
        """The variables that a program needs because of where tabnet is installed."""
        folder = self.files / PYTHON_PATH
        return {"PYTHONPATH": str(folder)} if self.is_command and folder.is_dir() else {}

    @property
    def is_command(self) -> bool:
        """True for the command line of a `cmd:` bot."""
        return self.content is None

    def require_loadable(self) -> None:
        """Raise `StartError` if the bot file or folder cannot be loaded."""
        try:
            load_bot(self.command[4])
        except StartError as error:
            raise StartError(self.convert_to_user_paths(error.text), hint=error.hint) from None

    def convert_to_user_paths(self, text: str) -> str:
        """Return a text that the bot wrote, with the paths of its files as the user named them.

        An error about a file beside a bot file gets the advice to name the folder.
        """
        for each in self.command_files:
            text = text.replace(str(self.files / str(each.index) / each.file.path), each.named)
        if self.content is None:
            return text
        folder = self.files / self.content.folder_name
        named, here = self.content.convert_to_user_path(""), f"{folder}{os.sep}"
        if not self.content.folder_name:
            text = _explain_missing_files(text, self.content, here)
        return text.replace(here, named).replace(str(folder), self.content.named_folder)

    def remove(self) -> None:
        """Remove the folder of the process, when the process has ended."""
        shutil.rmtree(self.private, ignore_errors=True)


def install_bot(bot: BotProgram, private: Path) -> LocalBot:
    """Write the files of a bot into the new folder of a process, and return how to start it.

    Raises `RefereeFailed` if the files do not have their digest, and `StartError` if the program
    of a command line does not exist here.
    """
    content = bot.content
    if content is None:
        words = [find_program(bot.entrant.source, bot.words), *bot.words[1:]]
        paths = tuple(list_installed_paths(words[0]))
        write_command_files(bot.command_files, words, private / FILES)
        _link_editable_package(private / FILES / PYTHON_PATH)
        return LocalBot(tuple(words), private, None, bot.command_files, paths)
    if not content.is_intact:
        raise RefereeFailed(f"the files of {bot.entrant.source} do not have their digest")
    place = private / FILES / content.folder_name
    for file in content.files:
        path = place / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
        path.chmod(0o700 if file.is_executable else 0o600)
    source = f"{place}/" if content.folder_name else f"{place / content.main_file}"
    if bot.options:
        source += f":{bot.options}"
    # -P: a bot imports its own modules, and none from the runner's current folder.
    program = (sys.executable, "-P", "-c", BOT_LOOP)
    return LocalBot((*program, source, str(PACKAGE), *list_package_folders()), private, content)


def _link_editable_package(folder: Path) -> None:
    """Let Python find tabnet in this folder if a checkout contains it.

    In a sandbox, the folder of a checkout cannot be listed, as Python does to find a package.
    """
    if str(PACKAGE.parent) not in list_package_folders():
        folder.mkdir(parents=True)
        (folder / PACKAGE.name).symlink_to(PACKAGE)


class LocalBots:
    """The folders of a referee's processes, in a folder of the referee."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process_count = 0

    @classmethod
    def create(cls) -> LocalBots:
        """Return no bots yet, in a new folder that only this user can read."""
        return cls(Path(mkdtemp(prefix="tabnet-bots-")).resolve())

    def install(self, bot: BotProgram) -> LocalBot:
        """Write the files of a bot for one process, as they were when the tournament began."""
        self._process_count += 1
        private = self.folder / f"p{self._process_count}"
        private.mkdir(mode=0o700, parents=True)
        return install_bot(bot, private)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _explain_missing_files(text: str, content: BotContent, here: str) -> str:
    """Say in an error that a file does not have the files beside it."""
    main = content.convert_to_user_path(content.main_file)
    folder = content.convert_to_user_path("") or f".{os.sep}"
    advice = f"Name the folder: {folder}"
    if content.main_file != MAIN_FILE:
        advice = f"Rename {content.main_file} to {MAIN_FILE} and name the folder: {folder}"

    def explain_module(match: re.Match[str]) -> str:
        if match[1] not in content.neighbours:
            return match[0]
        return f"{main} imports {match[1]}, a file beside it. {advice}"

    text = ABSENT_MODULE.sub(explain_module, text)
    absent_file = rf"FileNotFoundError: .*'{re.escape(here)}([^']+)'"
    return re.sub(absent_file, rf"{main} opens \1, a file beside it. {advice}", text)
