"""Bot files: how they are found and loaded, their options, and the errors in them.

A bot is named by its file, by a folder that contains `bot.py`, or by the bare name of a bot that
comes with tabnet. Options follow a colon: `bots/expectimax.py:depth=2`, `mybot/:depth=2`, `greedy`,
`expectimax:2`.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NoReturn

from attrs import frozen

from tabnet.client.bot_errors import BotFailed, describe_bot_error
from tabnet.errors import StartError, quote
from tabnet.games.api import Move, State

METHOD = "choose"
PARAMETERS = ("state", "moves", "left")
SIGNATURE = f"({', '.join(PARAMETERS)})"
MAIN_FILE = "bot.py"
"""The file of a folder that has the bot's class or function."""

PACKAGE = Path(__file__).parents[1]
"""The folder of the package tabnet."""
HOUSE_BOT_FOLDERS = (PACKAGE / "bots", PACKAGE.parent / "bots")
"""The folders of the bots that come with tabnet: in an installation, and in a checkout."""


@frozen
class BotSource:
    """A bot that exists, and is not loaded yet."""

    path: Path
    """The file with the bot's class or function."""
    options: str
    is_folder: bool = False
    """True if the user named the folder of the file."""
    is_house_bot: bool = False
    """True if the user named a bot that comes with tabnet."""

    @property
    def name(self) -> str:
        if not self.is_folder:
            return self.path.stem.rstrip("_")
        folder = self.path.parent
        return folder.resolve().name if folder.name in ("", "..") else folder.name


@frozen
class Bot:
    """A loaded bot."""

    name: str
    choose: Callable[[State, tuple[Move, ...], float], Move]
    """Returns one of the moves, given a position, its legal moves and the seconds left."""
    new_game: Callable[[Random], object]
    """Called before each game."""
    describe_error: Callable[[Exception], BotFailed]
    """Returns the failure that an exception of `choose` or `new_game` is."""


def load_bot(source: str) -> Bot:
    """Load the bot of a file with its options; raises `StartError` with the faulty line."""
    found = find_bot_file(source)
    path = found.path
    _add_to_import_path(found)
    module = _execute_bot_file(found)
    factory = _find_bot_class_or_function(module, path)
    bot: Any = module
    if isinstance(factory, type):
        bot = _create_bot(factory, _parse_options(factory, found.options, path), found)
    if bot is module and found.options:
        raise StartError(f"{path} is a function", hint="it takes no options")
    name = getattr(factory, "name", None) or found.name
    return Bot(
        str(name),
        _get_choose_method(bot, path),
        getattr(bot, "new_game", lambda _: None),
        partial(describe_bot_error, path=path, is_folder=found.is_folder),
    )


def find_bot_file(source: str) -> BotSource:
    """Find a bot by its file, folder or name; raises `StartError` if there is none."""
    name, colon, options = source.rpartition(":")
    if not colon or source.endswith((".py", "/", os.sep)):
        name, options = source, ""
    path = Path(name)
    if path.suffix != ".py" and path.name == name:
        return BotSource(_find_house_bot(name), options, is_house_bot=True)
    if path.is_dir():
        if not (path / MAIN_FILE).is_file():
            raise StartError(
                f"there is no {MAIN_FILE} in the folder {name}",
                hint=f"a bot is a Python file, or a folder that contains {MAIN_FILE}",
            )
        return BotSource(path / MAIN_FILE, options, is_folder=True)
    if not path.is_file():
        thing = "folder" if name.endswith(("/", os.sep)) else "file"
        raise StartError(f"there is no {thing} {name}")
    return BotSource(path, options)


def list_house_bots() -> dict[str, Path]:
    """Return the bots that come with tabnet, by name.

    If a file would hide a module of Python's, its name ends in an underscore, which is not part of
    the bot's name.
    """
    for folder in HOUSE_BOT_FOLDERS:
        if folder.is_dir():
            return {path.stem.rstrip("_"): path for path in sorted(folder.glob("*.py"))}
    return {}


def _find_house_bot(name: str) -> Path:
    bots = list_house_bots()
    if name not in bots:
        known = ", ".join(bots)
        example = f"the folder {name}/" if Path(name).is_dir() else "a folder like ./mybot/"
        raise StartError(
            f"there is no bot {quote(name)}",
            hint=f"a file like ./mine.py, {example}, or one of: {known}",
        )
    return bots[name]


def _add_to_import_path(found: BotSource) -> None:
    """Let a bot import the modules of its folder.

    A folder that the user named is the bot, so its modules hide others. The modules beside a single
    file are found last.
    """
    folder = str(found.path.parent)
    if folder not in sys.path:
        sys.path.insert(0 if found.is_folder else len(sys.path), folder)


def _execute_bot_file(found: BotSource) -> ModuleType:
    path = found.path
    loader = SourceFileLoader(f"bot_{path.stem}", str(path))
    module = ModuleType(loader.name)
    module.__file__ = loader.path
    sys.modules[loader.name] = module  # where classes look for the names in their annotations
    try:
        loader.exec_module(module)
    except Exception as error:  # noqa: BLE001 - it runs what somebody else has written
        raise describe_bot_error(error, path, is_folder=found.is_folder) from None
    return module


def _find_bot_class_or_function(module: ModuleType, path: Path) -> Any:
    classes = [
        cls
        for cls in vars(module).values()
        if isinstance(cls, type) and cls.__module__ == module.__name__ and hasattr(cls, METHOD)
    ]
    if len(classes) > 1:
        names = " and ".join(cls.__name__ for cls in classes)
        _raise_start_error(
            path,
            _find_first_line(classes[1]),
            f"{names} both have a method {METHOD}; only one class may",
        )
    if classes:
        return classes[0]
    function = vars(module).get(METHOD)
    if not inspect.isfunction(function):
        _raise_start_error(path, None, f"there is no class with a method {METHOD}{SIGNATURE}")
    return function


def _create_bot(factory: type, options: dict[str, Any], found: BotSource) -> Any:
    try:
        return factory(**options)
    except Exception as error:  # noqa: BLE001 - as above
        raise describe_bot_error(error, found.path, is_folder=found.is_folder) from None


def _get_choose_method(bot: Any, path: Path) -> Callable[[State, tuple[Move, ...], float], Move]:
    choose: Callable[[State, tuple[Move, ...], float], Move] = getattr(bot, METHOD)
    try:
        inspect.signature(choose).bind(*PARAMETERS)
    except TypeError:
        problem = f"{METHOD} must have the parameters {SIGNATURE}"
        _raise_start_error(path, _find_first_line(choose), problem)
    return choose


def _parse_options(factory: type, text: str, path: Path) -> dict[str, Any]:
    """Parse options; each value has the type of its default."""
    known = {
        name: parameter.default
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.default is not parameter.empty
    }
    values: dict[str, Any] = {}
    for number, part in enumerate(filter(None, text.split(","))):
        name, equals, value = part.partition("=")
        if not equals and number == 0 and known:
            name, value = next(iter(known)), part
        if name not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no options"
            raise StartError(f"{path} has no option {quote(name)}", hint=f"it {takes}")
        values[name] = _convert_option(name, value, known[name], path)
    return values


def _convert_option(name: str, value: str, default: Any, path: Path) -> Any:
    if isinstance(default, bool):
        if value in ("true", "false"):
            return value == "true"
        raise StartError(f"{path}: {name} is true or false, not {quote(value)}")
    if not isinstance(default, int | float):
        return value
    try:
        return type(default)(value)
    except ValueError:
        number = "an integer" if isinstance(default, int) else "a number"
        raise StartError(f"{path}: {name} is {number}, not {quote(value)}") from None


def _find_first_line(thing: Any) -> int | None:
    try:
        return inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):
        return None


def _raise_start_error(path: Path | str, line: int | None, problem: str) -> NoReturn:
    where = f"{path}:{line}" if line else f"{path}"
    raise StartError(f"{where}: {problem}") from None
