"""The options of `tabnet serve` in a file: TOML with one table, [serve].

Each field is checked alone, as the option of the same name, so that an error names the field.
"""

from __future__ import annotations

import argparse
import difflib
import re
import tomllib
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tabnet.errors import StartError, quote

TABLE = "serve"
ONLY_COMMAND_LINE = ("config", "print-unit")

AddOptions = Callable[[argparse.ArgumentParser], None]


class _FieldParser(argparse.ArgumentParser):
    """Parses the options of a file; an error raises `StartError` without the option's name."""

    def error(self, message: str) -> NoReturn:
        raise StartError(re.sub(r"^argument [^:]*: ", "", message))


def read_config(
    path: Path, add_options: AddOptions, arguments: Sequence[str]
) -> argparse.Namespace:
    """Return the options of a file and of the command line, which overrides the file.

    Raise `StartError` for every field that is no option, or has a wrong value.
    """
    parser = _FieldParser(add_help=False)
    add_options(parser)
    actions = {
        name: action
        for action in parser._actions
        if (name := action.option_strings[-1].removeprefix("--")) not in ONLY_COMMAND_LINE
    }
    given = _find_given(add_options, arguments)
    words: list[str] = []
    seen: dict[str, str] = {}
    for field, value in _load_table(path).items():
        name = field.replace("_", "-")
        if name not in actions:
            raise _make_unknown_error(path, field, actions)
        if name in seen:
            raise StartError(f"{path}: [{TABLE}] has both {seen[name]} and {field}: keep one")
        seen[name] = field
        made = _make_words(path, field, actions[name], value)
        try:
            parser.parse_args(made)
        except StartError as error:
            raise StartError(f"{path}: {field} in [{TABLE}]: {error.text}") from None
        if actions[name].dest not in given:
            words += made
    return parser.parse_args([*words, *arguments])


def _load_table(path: Path) -> dict[str, Any]:
    """Return the only table of the file."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StartError(f"cannot read {path}: {error.strerror}", hint="--config FILE") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StartError(f"{path} is not TOML: {error}") from None
    for name in tables:
        if name != TABLE:
            hint = f"write options below a line with [{TABLE}]"
            raise StartError(f"{path}: {name} is outside of [{TABLE}]", hint=hint)
    table = tables.get(TABLE)
    if not isinstance(table, dict):
        raise StartError(f"{path} has no table [{TABLE}]", hint=f"begin it with a line [{TABLE}]")
    return table


def _find_given(add_options: AddOptions, arguments: Sequence[str]) -> set[str]:
    """Return the values that the command line names."""
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    for action in parser._actions:
        action.default = argparse.SUPPRESS
    return set(vars(parser.parse_args(arguments)))


def _make_unknown_error(path: Path, field: str, names: Collection[str]) -> StartError:
    close = difflib.get_close_matches(field.replace("_", "-"), names, 1)
    if field.replace("_", "-") in ONLY_COMMAND_LINE:
        hint = "it is an option of the command line alone"
    elif close:
        hint = f"did you mean {close[0]}?"
    else:
        hint = "tabnet serve --help lists the options"
    return StartError(f"{path}: [{TABLE}] has the unknown field {quote(field)}", hint=hint)


def _make_words(path: Path, field: str, action: argparse.Action, value: Any) -> list[str]:
    """Return the words of a command line that give an option this value."""
    option = action.option_strings[-1]
    types, wanted = _describe_type(action)
    if isinstance(action, argparse._AppendAction):
        wanted, values = f"{wanted}, or a list of them", value
    else:
        values = [value]
    values = values if isinstance(values, list) else [values]
    if any(type(each) not in types for each in values):
        is_shown = isinstance(action.default, int | str) and action.nargs != 0
        example = f", like {_format_example(action.default)}" if is_shown else ""
        text = f"{path}: {field} in [{TABLE}] is {_format_value(value)}"
        raise StartError(text, hint=f"it must be {wanted}{example}")
    if action.nargs == 0:
        return [option] if value else []
    return [f"{option}={each}" for each in values]


def _describe_type(action: argparse.Action) -> tuple[tuple[type, ...], str]:
    """Return the types of TOML that an option takes, and their name."""
    if action.nargs == 0:
        return (bool,), "true or false"
    read = action.type
    returns = getattr(read, "__annotations__", {}).get("return", read)
    if returns in (int, "int"):
        return (int,), "a whole number"
    if returns in (float, "float"):
        return (int, float), "a number"
    return (str,), "a text in quotes"


def _format_example(value: int | str) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _format_value(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return str(value).lower() if isinstance(value, bool) else str(value)
