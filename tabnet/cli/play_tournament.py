"""`tabnet.play_tournament`: a tournament as a function of Python."""

from __future__ import annotations

import argparse
import difflib
import gc
import json
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from tabnet.cli import UNIX_MODULES
from tabnet.cli.options.tournament_options import add_tournament_options
from tabnet.cli.tournament_run import choose_folder, explain_os_errors, play_with_options
from tabnet.errors import StartError, TabnetError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabnet.tournament.play.referee_slots import RunSettings
    from tabnet.tournament.play.tournament_folder import OpenTournament
    from tabnet.tournament.report.progress_display import Display

NAME = "play_tournament()"
NUMBERS = {"int": "an integer", "float": "a number"}


def play_tournament(
    bots: Iterable[str | os.PathLike[str]] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    client: Any = None,
    progress: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Let bots play a tournament, and return the content of its `results.json`.

    - `bots`: files, folders, names like "greedy", "cmd:./program" or "remote:NICK", as for
      `tabnet tournament`. Without them, the bots that come with tabnet play.
    - `out`: the folder of the tournament; by default a new one, named by date and time.
    - `client`: a synchronous `distributed.Client`. The games are played on its Dask cluster, over
      a connection of their own: the client stays open, and its futures and default are untouched.
      Without it, the games are played on this machine.
    - `progress`: True prints the live table. Otherwise nothing is printed, and sentences for the
      user go to the log `tabnet.tournament`, with level INFO.
    - `options`: all options of `tabnet tournament`, with underscores, like `pairs=50`,
      `max_moves=300`, `seed="spring"`, `clock="60+0.5"`, `sandbox_read=["weights/"]`. None stands
      for the default. `tolerate` changes nothing: faults are in the results, and raise no error.

    `resume=FOLDER` continues a tournament, and `add=[...]` adds bots to it. `bots` and `out` are
    then left out. Ctrl-C raises `KeyboardInterrupt` when all bots have ended; the folder can be
    resumed. The function works in every thread, also beside a running event loop, and changes no
    signal handler.

    Raises `TypeError` for an option that does not exist or for arguments of a wrong type, and
    `tabnet.errors.StartError` with a sentence for everything else that is wrong.
    """
    if client is not None:
        _require_client(client)
    args = _parse_keywords({"out": out, **options})
    args.bots = _list_bots(bots)
    folder = choose_folder(args)
    stop, ended = _StopRequest(), Future[dict[str, Any]]()
    work = partial(_play_and_report, args, folder, stop, progress, client)
    thread = threading.Thread(
        target=_run_into, args=(ended, work), name="tabnet tournament", daemon=True
    )
    try:
        thread.start()
        return ended.result()
    except KeyboardInterrupt as interrupt:
        stop.send()
        interrupt.add_note(f"To continue: tabnet.play_tournament(resume={str(folder)!r})")
        thread.join()  # a second Ctrl-C does not wait
        raise
    except TabnetError as error:
        hint = f" ({error.hint})" if error.hint else ""
        raise StartError(_name_keywords(error.text + hint)) from None
    except ModuleNotFoundError as error:
        if error.name not in UNIX_MODULES:
            raise
        raise StartError("a tournament needs a Unix system (on Windows use WSL)") from None


# The thread of the tournament


class _StopRequest:
    """Lets another thread stop the tournament, also before its first game."""

    def __init__(self) -> None:
        self._is_sent = False
        self._cancel: Callable[[], object] = bool

    def send(self) -> None:
        self._is_sent = True
        self._cancel()

    async def play(
        self, tournament: OpenTournament, run_settings: RunSettings, display: Display | None
    ) -> bool:
        """Play to the end; return False if the request came before."""
        import trio

        from tabnet.tournament.live_run import play_to_end

        token = trio.lowlevel.current_trio_token()

        def cancel() -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(scope.cancel)

        with trio.CancelScope() as scope:
            self._cancel = cancel
            if self._is_sent:
                return False
            await play_to_end(tournament, run_settings, display)
            return True
        return False


def _run_into(future: Future[dict[str, Any]], work: Callable[[], dict[str, Any]]) -> None:
    """Run a function; the future receives its result, or its exception."""
    try:
        future.set_result(work())
    except Exception as error:  # noqa: BLE001 - the calling thread raises it
        future.set_exception(error)
    finally:
        if not future.done():  # or the calling thread would wait for ever
            future.set_exception(StartError("the thread of the tournament has ended"))


def _play_and_report(
    args: argparse.Namespace, folder: Path, stop: _StopRequest, progress: bool, client: Any
) -> dict[str, Any]:
    """Return the content of `results.json`; nothing if the tournament was stopped."""
    from tabnet.tournament.report.progress_display import Display
    from tabnet.tournament.report.report_files import write_report

    display = Display() if progress else None
    with explain_os_errors(), _without_frozen_objects():
        if not play_with_options(args, folder, stop.play, display, client):
            return {}
        write_report(folder)
        results: dict[str, Any] = json.loads((folder / "results.json").read_bytes())
        return results


@contextmanager
def _without_frozen_objects() -> Iterator[None]:
    """Let the garbage collector see all objects at the end: a report hides them from it."""
    count = gc.get_freeze_count()
    try:
        yield
    finally:
        if not count:
            gc.unfreeze()


# Arguments


class _KeywordParser(argparse.ArgumentParser):
    """Parses keyword arguments as the options of the command line; errors raise `StartError`."""

    def error(self, message: str) -> NoReturn:
        text = re.sub(
            r"invalid (int|float) value: (.*)",
            lambda found: f"{found[2]} is not {NUMBERS[found[1]]}",
            message.removeprefix("argument "),
        )
        raise StartError(_name_keywords(text))


def _parse_keywords(options: Mapping[str, Any]) -> argparse.Namespace:
    parser = _KeywordParser(add_help=False)
    add_tournament_options(parser)
    actions = {
        action.option_strings[-1].removeprefix("--").replace("-", "_"): action
        for action in parser._actions
        if action.option_strings
    }
    words: list[str] = []
    for name, value in options.items():
        if name not in actions:
            close = difflib.get_close_matches(name, actions, 1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise TypeError(f"{NAME} has no option '{name}'{hint}")
        words += _make_words(actions[name], value)
    try:
        return parser.parse_args(words)
    except StartError as error:
        raise StartError(error.text) from None  # without the traceback of argparse


def _make_words(action: argparse.Action, value: Any) -> Iterator[str]:
    """Yield the words of a command line that give an option this value."""
    option = action.option_strings[-1]
    is_flag = action.nargs in (0, "?")
    if value is None or (is_flag and value is False):
        return
    if is_flag and value is True:
        yield option
        return
    if isinstance(action, argparse._AppendAction) and not isinstance(value, str | os.PathLike):
        values = list(value)
    else:
        values = [value]
    for each in values:
        yield f"{option}={os.fspath(each) if isinstance(each, os.PathLike) else each}"


def _name_keywords(text: str) -> str:
    """Return a text about options of the command line as one about keyword arguments."""
    return re.sub(r"--([a-z][a-z0-9-]*)", lambda found: found[1].replace("-", "_"), text)


def _list_bots(bots: Iterable[str | os.PathLike[str]] | None) -> list[str]:
    if isinstance(bots, str | os.PathLike):
        raise TypeError(f"{NAME} needs a list of bots, like ['mine.py', 'greedy']")
    return [os.fspath(bot) for bot in bots or ()]


def _require_client(client: Any) -> None:
    """Raise `TypeError` or `StartError` unless it is an open synchronous client of Dask."""
    try:
        from distributed import Client
    except ImportError:
        is_client = False
    else:
        is_client = isinstance(client, Client)
    if not is_client:
        raise TypeError(
            f"{NAME} needs a distributed.Client as client, and this is of type "
            f"{type(client).__name__}; dask= takes the address of a scheduler"
        )
    if client.asynchronous:
        raise TypeError(f"{NAME} needs a synchronous Dask client: Client(asynchronous=False)")
    if client.status != "running":
        raise StartError(f"the Dask client is not connected to a scheduler: it is {client.status}")
