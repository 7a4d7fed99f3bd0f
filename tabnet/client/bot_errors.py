"""Errors in the code of a bot: the line of its own files where they happened."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from traceback import FrameSummary, extract_tb

from tabnet.errors import StartError

FIRST_CALLS, LAST_CALLS = 5, 10
"""The calls that are listed if there are more, as in an endless recursion."""


class BotFailed(StartError):
    """A bot has raised an exception."""

    def __init__(self, text: str, calls: Iterable[str] = ()) -> None:
        super().__init__(text)
        self.calls = tuple(calls)
        """The calls that led to the line of the text, each as `FILE:LINE: CODE`."""


def describe_bot_error(error: Exception, path: Path, *, is_folder: bool) -> BotFailed:
    """Return the failure of the bot of a file, or of the folder of this file.

    The text names the innermost line of the bot's own files, its code, and the exception:
    `mine.py:7: return list_of_moves[9]: IndexError: list index out of range`.
    """
    frames = extract_tb(error.__traceback__)
    own = [index for index, frame in enumerate(frames) if _is_own(frame, path, is_folder)]
    problem = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, SyntaxError):  # of a module of the bot's, which tells its place itself
        return BotFailed(f"{error.filename or path}:{error.lineno}: {error.msg}")
    if not own:
        return BotFailed(f"{path}: {problem}")
    innermost = frames[own[-1]]
    calls = [_format_call(frame) for frame in frames[own[0] :] if frame is not innermost]
    if len(calls) > FIRST_CALLS + LAST_CALLS:
        left_out = f"({len(calls) - FIRST_CALLS - LAST_CALLS} more calls)"
        calls = [*calls[:FIRST_CALLS], left_out, *calls[-LAST_CALLS:]]
    return BotFailed(f"{_format_call(innermost)}: {problem}", calls)


def _is_own(frame: FrameSummary, path: Path, is_folder: bool) -> bool:
    file = Path(frame.filename)
    return file == path or (is_folder and file.is_relative_to(path.parent))


def _format_call(frame: FrameSummary) -> str:
    return f"{frame.filename}:{frame.lineno}: {frame.line}".removesuffix(": ")
