"""Bots on the machine of their referee: their files in a new folder, and their command lines."""

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
from tabnet.tournament.play.bots.entrants import BotProgram, find_program
from tabnet.tournament.play.referee_failure import RefereeFailed

BOT_LOOP = """\
import sys
sys.path.insert(0, sys.argv.pop(1))
import tabnet
del sys.path[0]
from tabnet.client.bot import main
sys.exit(main(sys.argv[1]))
"""
"""The program that plays with a bot file. It uses the tabnet that runs, installed or not."""
ABSENT_MODULE = re.compile(r"ModuleNotFoundError: No module named '(\w+)[^']*'")


@frozen
class LocalBot:
    """A bot that this machine can start."""

    command: tuple[str, ...]
    content: BotContent | None = None
    """The files that were passed to this machine; None for a bot that was here already."""
    folder: Path | None = None
    """The folder of these files."""

    def require_loadable(self) -> None:
        """Raise `StartError` if the bot file or folder cannot be loaded."""
        try:
            load_bot(self.command[-1])
        except StartError as error:
            raise StartError(self.convert_to_user_paths(error.text), hint=error.hint) from None

    def convert_to_user_paths(self, text: str) -> str:
        """Return a text that the bot wrote, with the paths of its files as the user named them.

        An error about a file beside a bot file gets the advice to name the folder.
        """
        if self.content is None:
            return text
        named, here = self.content.convert_to_user_path(""), f"{self.folder}{os.sep}"
        if not self.content.folder_name:
            text = _explain_missing_files(text, self.content, here)
        return text.replace(here, named).replace(str(self.folder), self.content.named_folder)


def install_bot(bot: BotProgram, folder: Path) -> LocalBot:
    """Write the files of a bot into an empty folder, and return how to start it.

    Raises `RefereeFailed` if the files do not have their digest, and `StartError` if the program
    of a command line does not exist here.
    """
    content = bot.content
    if content is None:
        return LocalBot(make_command(bot))
    if not content.is_intact:
        raise RefereeFailed(f"the files of {bot.entrant.source} do not have their digest")
    place = folder / content.folder_name
    for file in content.files:
        path = place / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
        path.chmod(0o700 if file.is_executable else 0o600)
    source = f"{place}/" if content.folder_name else f"{place / content.main_file}"
    if bot.options:
        source += f":{bot.options}"
    return LocalBot(_make_python_command(source), content, place)


class LocalBots:
    """The bots that a referee has started at least once, and the folder of their files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._bots: dict[str, LocalBot] = {}
        self._process_count = 0

    @classmethod
    def create(cls) -> LocalBots:
        """Return no bots yet, in a new folder that only this user can read."""
        return cls(Path(mkdtemp(prefix="tabnet-bots-")).resolve())

    def install(self, bot: BotProgram) -> LocalBot:
        """Return how to start a bot; its files are written the first time."""
        if bot.name not in self._bots:
            self._bots[bot.name] = install_bot(bot, self.folder / str(len(self._bots)))
        return self._bots[bot.name]

    def create_process_folder(self) -> Path:
        """Create the private folder of a process; the caller removes it."""
        self._process_count += 1
        folder = self.folder / f"p{self._process_count}"
        folder.mkdir(mode=0o700, parents=True)
        return folder

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def make_command(bot: BotProgram) -> tuple[str, ...]:
    """Return the command line that starts a bot from where it is; raises `StartError`."""
    if bot.words:
        return (find_program(bot.entrant.source, bot.words), *bot.words[1:])
    return _make_python_command(bot.entrant.source)


def _make_python_command(source: str) -> tuple[str, ...]:
    # -P: a bot imports its own modules, and none from the runner's current folder.
    return (sys.executable, "-P", "-c", BOT_LOOP, str(PACKAGE.parent), source)


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
