"""Bot files: where they are, what they offer, and what is wrong with those that cannot be loaded.

A bot is named by its file, or as one of the house by its bare name; options may stand behind it:
`bots/expectimax.py:depth=2`, `greedy`, `expectimax:2`.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from attrs import frozen

from tabnet.errors import StartError, shown
from tabnet.games.api import Move, State

METHOD = "choose"
ASKED = ("state", "moves", "left")
"""What `choose` is given."""

_PACKAGE = Path(__file__).parents[1]
HOUSES = (_PACKAGE / "bots", _PACKAGE.parent / "bots")
"""Where the bots are that come with tabnet: installed with it, or in its checkout."""


@frozen
class Bot:
    """A bot that is ready to play."""

    name: str
    choose: Callable[[State, tuple[Move, ...], float], Move]
    """Given a position, the legal moves and the seconds left, one of the moves."""
    new_game: Callable[[Random], object]
    """Called before each game."""


def load(source: str) -> Bot:
    """The bot of a file, made with its options; raises `StartError` saying where it is wrong."""
    path, options = find(source)
    module = _run(path)
    maker = _maker(module, path)
    bot = _made(maker, _options(maker, options, path), path) if isinstance(maker, type) else module
    if bot is module and options:
        raise StartError(f"{path} is a function", hint="it takes no options")
    name = getattr(maker, "name", None) or path.stem.rstrip("_")
    return Bot(str(name), _choose(bot, path), getattr(bot, "new_game", _ignore))


def find(source: str) -> tuple[Path, str]:
    """The file that is meant, and the options behind it."""
    name, colon, options = source.rpartition(":")
    if not colon or source.endswith(".py"):
        name, options = source, ""
    path = Path(name)
    if path.suffix != ".py" and path.name == name:
        return _of_the_house(name), options
    if not path.is_file():
        raise StartError(f"there is no file {name}")
    return path, options


def house() -> dict[str, Path]:
    """The bots that come with tabnet, by name.

    A file whose name would hide a module of Python's has an underscore that its name has not.
    """
    for folder in HOUSES:
        if folder.is_dir():
            return {path.stem.rstrip("_"): path for path in sorted(folder.glob("*.py"))}
    return {}


def _of_the_house(name: str) -> Path:
    bots = house()
    if name not in bots:
        known = ", ".join(bots)
        raise StartError(
            f"there is no bot {shown(name)}", hint=f"a file like ./mine.py, or one of: {known}"
        )
    return bots[name]


def _run(path: Path) -> ModuleType:
    """The module of a file. What it imports from its own folder is found, after all else."""
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    loader = SourceFileLoader(f"bot_{path.stem}", str(path))
    module = ModuleType(loader.name)
    module.__file__ = loader.path
    sys.modules[loader.name] = module  # where classes look for the names in their annotations
    try:
        loader.exec_module(module)
    except SyntaxError as error:
        raise _unfit(error.filename or path, error.lineno, error.msg) from None
    except Exception as error:  # noqa: BLE001 - it runs what somebody else has written
        raise _failed(error, path) from None
    return module


def _maker(module: ModuleType, path: Path) -> Any:
    """The class of a bot, or its function."""
    classes = [
        cls
        for cls in vars(module).values()
        if isinstance(cls, type) and cls.__module__ == module.__name__ and hasattr(cls, METHOD)
    ]
    if len(classes) > 1:
        names = " and ".join(cls.__name__ for cls in classes)
        raise _unfit(path, _line(classes[1]), f"{names} both have a method {METHOD}: which is it?")
    if classes:
        return classes[0]
    function = vars(module).get(METHOD)
    if not inspect.isfunction(function):
        raise _unfit(path, None, f"there is no class with a method {METHOD}{_signature()}")
    return function


def _made(maker: type, options: dict[str, Any], path: Path) -> Any:
    try:
        return maker(**options)
    except Exception as error:  # noqa: BLE001 - as above
        raise _failed(error, path) from None


def _choose(bot: Any, path: Path) -> Callable[[State, tuple[Move, ...], float], Move]:
    choose: Callable[[State, tuple[Move, ...], float], Move] = getattr(bot, METHOD)
    try:
        inspect.signature(choose).bind(*ASKED)
    except TypeError:
        raise _unfit(
            path, _line(choose), f"{METHOD} is called as {METHOD}{_signature()}, and takes others"
        ) from None
    return choose


def _signature() -> str:
    return f"({', '.join(ASKED)})"


def _options(maker: type, text: str, path: Path) -> dict[str, Any]:
    """The options that `text` writes down, each of the type of its default."""
    known = {
        name: parameter.default
        for name, parameter in inspect.signature(maker).parameters.items()
        if parameter.default is not parameter.empty
    }
    given: dict[str, Any] = {}
    for number, part in enumerate(filter(None, text.split(","))):
        name, equals, value = part.partition("=")
        if not equals and number == 0 and known:
            name, value = next(iter(known)), part
        if name not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no options"
            raise StartError(f"{path} has no option {shown(name)}", hint=f"it {takes}")
        given[name] = _converted(name, value, known[name], path)
    return given


def _converted(name: str, value: str, default: Any, path: Path) -> Any:
    if isinstance(default, bool):
        if value in ("true", "false"):
            return value == "true"
        raise StartError(f"{path}: {name} is true or false, not {shown(value)}")
    if not isinstance(default, int | float):
        return value
    try:
        return type(default)(value)
    except ValueError:
        number = "an integer" if isinstance(default, int) else "a number"
        raise StartError(f"{path}: {name} is {number}, not {shown(value)}") from None


def _ignore(_: Random) -> None:
    """What a bot without `new_game` does before a game."""


# What is wrong, and where


def _failed(error: Exception, path: Path) -> StartError:
    """The last line of the file that was run when it failed."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == path
    ]
    return _unfit(path, lines[-1] if lines else None, f"{type(error).__name__}: {error}")


def _line(thing: Any) -> int | None:
    """Where a class or function begins."""
    try:
        return inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):
        return None


def _unfit(path: Path | str, line: int | None, problem: str) -> StartError:
    where = f"{path}:{line}" if line else f"{path}"
    return StartError(f"{where}: {problem}")
