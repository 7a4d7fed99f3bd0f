"""Plays the tournament that parsed options describe: a new one, or one that is resumed."""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabnet.cli.options.bot_process_options import read_process_settings
from tabnet.cli.options.dask_option import open_cluster
from tabnet.cli.options.server_options import run_alone
from tabnet.cli.options.tournament_options import DEFAULT_BOTS, read_tournament_settings
from tabnet.client.address import find_data_folder
from tabnet.errors import StartError
from tabnet.server.net.certificate import Identity, ensure_own_files

if TYPE_CHECKING:
    from tabnet.tournament.play.bots.process_settings import ProcessSettings
    from tabnet.tournament.play.referee_slots import RunSettings
    from tabnet.tournament.play.tournament_folder import OpenTournament
    from tabnet.tournament.report.progress_display import Display

    Play = Callable[[OpenTournament, RunSettings, Display | None], Coroutine[Any, Any, bool]]

log = logging.getLogger("tabnet.tournament")


@contextmanager
def explain_os_errors() -> Iterator[None]:
    """Turn an `OSError`, as of a full disk, into a `StartError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        about = f"{error.filename}: " if error.filename else ""
        raise StartError(f"the tournament cannot go on: {about}{error.strerror}") from None


def choose_folder(args: argparse.Namespace) -> Path:
    """Return the folder of the tournament, which is named by the time if no option names it."""
    folder: Path | None = args.resume or args.out
    return folder or Path(time.strftime("tournament-%Y%m%d-%H%M%S"))


def play_with_options(
    args: argparse.Namespace,
    folder: Path,
    play: Play,
    display: Display | None = None,
    client: Any = None,
) -> bool:
    """Return the result of `play`; raises a `TabnetError` if the options are wrong.

    Sentences for the user go to the display, or else to the log. With `client`, a Dask client,
    the games are played on its cluster.
    """
    from attrs import evolve

    from tabnet.server.net.server_clock import ServerClock
    from tabnet.tournament.live_run import announce_terms

    if args.concurrency < 1:
        raise StartError(f"{args.concurrency} concurrent games are too few: at least 1")
    processes = read_process_settings(args)  # before anything is created
    opened = _open_tournament(args, folder, processes)
    say = log.info if display is None else display.say
    run_settings = _make_run_settings(args, folder, processes, say)
    with (
        open_cluster(args.dask, client) as create_cluster,
        opened as tournament,
        display or nullcontext(),
    ):
        run_settings = evolve(run_settings, create_cluster=create_cluster)
        announce_terms(tournament, run_settings)
        return run_alone(partial(play, tournament, run_settings, display), ServerClock())


def _open_tournament(
    args: argparse.Namespace, folder: Path, processes: ProcessSettings
) -> AbstractContextManager[OpenTournament]:
    from tabnet.tournament.play.tournament_folder import create_tournament, resume_tournament

    if args.resume is not None:
        if args.bots or args.out:
            raise StartError(
                "--resume uses the bots and the folder of the tournament", hint="--add adds a bot"
            )
        return resume_tournament(folder, args.add, processes)
    if args.add:
        raise StartError("--add needs a tournament to resume", hint="--resume DIR")
    settings = read_tournament_settings(args)
    return create_tournament(folder, settings, args.bots or DEFAULT_BOTS, processes)


def _make_run_settings(
    args: argparse.Namespace, folder: Path, processes: ProcessSettings, say: Callable[[str], None]
) -> RunSettings:
    from tabnet.tournament.play.referee.remote_ports import RemotePorts
    from tabnet.tournament.play.referee_process.parent import divide_processors
    from tabnet.tournament.play.referee_slots import RunSettings

    @cache
    def load_identity() -> Identity:
        return Identity(ensure_own_files(find_data_folder()))

    remote_ports = RemotePorts(load_identity, say, args.host)
    return RunSettings(
        *(folder, args.concurrency, processes, remote_ports),
        shares=divide_processors(args.concurrency),
        say=say,
    )
