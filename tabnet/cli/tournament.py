"""`tabnet tournament`: let bots play each other."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabnet.cli.bot_process_options import (
    add_cpu_option,
    add_limit_options,
    add_process_options,
    read_process_settings,
)
from tabnet.cli.dask_option import add_dask_option, open_cluster
from tabnet.cli.kind_options import (
    add_game_options,
    add_kind_option,
    read_game_options,
    require_kind,
)
from tabnet.cli.server_options import run_alone
from tabnet.client.address import find_data_folder
from tabnet.errors import StartError
from tabnet.protocol.fields import is_clock_field
from tabnet.server.net.certificate import Identity, ensure_own_files
from tabnet.tournament.plan.elimination import describe_standings
from tabnet.tournament.plan.plan import ELIMINATION, FORMATS
from tabnet.tournament.plan.revealed_secrets import describe_throws
from tabnet.tournament.records.entrants_and_results import ERROR

if TYPE_CHECKING:
    from tabnet.tournament.play.bots.process_settings import ProcessSettings
    from tabnet.tournament.play.referee_slots import RunSettings
    from tabnet.tournament.play.runner import Runner
    from tabnet.tournament.play.tournament_folder import OpenTournament
    from tabnet.tournament.report.progress_display import Display, Progress

DESCRIPTION = """\
Let bots play each other and print the table. Bots play pairs of games with the same throws and the
seats swapped, or with --seats 3 or 4 groups of games in all orders of the seats. Only games of
remote bots have throws of their own. With --format elimination, groups of up to four play one game
each, and the winners go on.

A bot is a Python file, a folder that contains bot.py, the name of a bot that comes with tabnet
(random, first, greedy, mixed, expectimax), `cmd:./program arguments` in any language, or
`remote:NICK` for a bot that connects from elsewhere. Options follow a file or folder, like
bots/expectimax.py:depth=2 or mybot/:depth=2. Without bots, those that come with tabnet play.

A folder receives the journal, results.json, games.csv, crosstable.csv, report.html, and a log of
each game that ended irregularly. Ctrl-C interrupts the tournament, and --resume continues it.
Bots run in a sandbox, as far as this machine has one: they read their own files, Python, tabnet and
the system's libraries, and write only to a temporary folder. --sandbox-read PATH adds a file or
folder that bots may read. The report says what the sandbox restricts, and what it does not.

The exit code is 1 if a bot crashed, if it did not connect to an elimination, or if the referee of a
game failed three times, unless --tolerate.
"""
EXAMPLE = """\
examples:
  tabnet tournament
  tabnet tournament bots/*.py --pairs 50 --out trial
  tabnet tournament mine.py greedy expectimax:2 'cmd:./mybot -v' --format gauntlet --clock 60+0.5
  tabnet tournament old.py new.py --format sprt --pairs 5000 --elo1 30
  tabnet tournament --resume trial --add bots/new.py
"""

DEFAULT_BOTS = ("random", "first", "greedy", "mixed", "expectimax:1")
"""The bots of a tournament that names none."""
SEED_HELP = (
    "repeat the throws and boards of this seed; anyone who knows or guesses it knows them all "
    "(256 random bits, also with remote: bots)"
)
DEFAULT_SEATS = 2
DEFAULT_PAIRS = 10
DEFAULT_SPRT_PAIRS = 5000
HYPOTHESES = ("elo0", "elo1", "alpha", "beta")
LOOK_S = 0.25
SWITCH_S = 0.0005
"""The time for which the thread that computes the table may keep the runner waiting."""
MORE_RESULTS = 1.1
"""The growth of the results after which the garbage collector leaves out the new ones."""
"""The interval at which the progress is shown."""
INTERRUPTED = 130


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bots", nargs="*", metavar="BOT", help="the bots (those that come with tabnet)"
    )
    add_kind_option(parser)
    add_game_options(parser)
    parser.add_argument(
        "--format", choices=FORMATS, default="round-robin", help="the pairing of bots (%(default)s)"
    )
    parser.add_argument("--seats", type=int, help=f"players in a game ({DEFAULT_SEATS})")
    parser.add_argument(
        "--pairs",
        type=int,
        metavar="N",
        help="pairs of games for each two bots, or groups for each three or four (10)",
    )
    parser.add_argument("--rounds", type=int, metavar="N", help="rounds of a swiss tournament")
    parser.add_argument(
        "--clock",
        type=parse_clock,
        default={"move": 5.0},
        metavar="S",
        help="seconds: 5 for each move, or 60+0.5 for the game plus each turn (5)",
    )
    parser.add_argument(
        "--max-moves",
        type=int,
        default=2000,
        metavar="N",
        help="throws, moves and passes after which a game is a draw (%(default)s)",
    )
    parser.add_argument("--seed", type=parse_seed, help=SEED_HELP)
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder of the results")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="continue this tournament")
    parser.add_argument(
        "--add", action="append", default=[], metavar="BOT", help="with --resume: one more bot"
    )
    parser.add_argument(
        "--tolerate", action="store_true", help="exit code 0 despite crashes and failed games"
    )
    running = parser.add_argument_group("running")
    _add_running_options(running)
    add_process_options(running)
    add_limit_options(running)
    add_cpu_option(running)
    add_dask_option(running)
    _add_sprt_options(parser.add_argument_group("with --format sprt"))


def _add_running_options(group: argparse._ArgumentGroup) -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    group.add_argument(
        "--concurrency",
        type=int,
        default=cores or 1,
        metavar="N",
        help="concurrent games (%(default)s, the cores of this machine)",
    )
    group.add_argument(
        "--host", default="127.0.0.1", help="the address for remote bots (%(default)s)"
    )


def _add_sprt_options(group: argparse._ArgumentGroup) -> None:
    for option, default, text in (
        ("--elo0", 0, "H0: stronger by this Elo"),
        ("--elo1", 20, "H1: stronger by this Elo"),
        ("--alpha", 0.05, "the probability of a type I error"),
        ("--beta", 0.05, "the probability of a type II error"),
    ):
        group.add_argument(option, type=float, default=default, help=f"{text} (%(default)g)")


def parse_clock(text: str) -> dict[str, float]:
    """Parse a clock, `5` or `60+0.5`, for argparse."""
    seconds, plus, increment = text.partition("+")
    try:
        clock = {"move": float(seconds)}
        if plus:
            clock = {"total": float(seconds), "increment": float(increment)}
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no clock, like 5 or 60+0.5") from None
    if not all(is_clock_field(name, value) for name, value in clock.items()):
        limits = "0.05 to 86400 seconds, and an increment of 0 to 3600"
        raise argparse.ArgumentTypeError(f"{text} is no clock: a clock has {limits}")
    return clock


def parse_seed(text: str) -> str:
    """Return a seed, which is hashed as UTF-8, for argparse."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("a seed is text in UTF-8") from None
    return text


def run(args: argparse.Namespace) -> int:
    """Play, and return the exit code; raises `StartError`, also when the disk is full."""
    try:
        return _play_and_report(args)
    except BrokenPipeError:
        raise
    except OSError as error:
        about = f"{error.filename}: " if error.filename else ""
        raise StartError(f"the tournament cannot go on: {about}{error.strerror}") from None


def _play_and_report(args: argparse.Namespace) -> int:
    from attrs import evolve

    from tabnet.cli.serve import prepare_process
    from tabnet.client.terminal.canvas import print_lines
    from tabnet.server.net.server_clock import ServerClock
    from tabnet.tournament.play.sandbox.host import choose_sandbox
    from tabnet.tournament.play.sandbox.policy import NONE
    from tabnet.tournament.report.progress_display import Display
    from tabnet.tournament.report.report_files import write_report
    from tabnet.tournament.report.text_report import format_report

    if args.concurrency < 1:
        raise StartError(f"{args.concurrency} concurrent games are too few: at least 1")
    prepare_process()
    processes = read_process_settings(args)  # before anything is created
    folder, opened = _open_tournament(args, processes)
    with (
        open_cluster(args.dask) as create_cluster,
        opened as tournament,
        Display() as shown,
    ):
        for sentence in describe_throws(tournament.queue.plan):
            shown.say(sentence)
        if choose_sandbox(processes.sandbox).used == NONE:
            shown.say("Bots run with your rights: there is no sandbox on this machine.")
        run_settings = evolve(
            _make_run_settings(args, folder, processes, shown), create_cluster=create_cluster
        )
        is_complete = run_alone(
            partial(_play_until_signal, tournament, run_settings, shown), ServerClock()
        )
    if not is_complete:
        print(f"\nInterrupted. To continue: tabnet tournament --resume {folder}", file=sys.stderr)
        return INTERRUPTED
    summary = write_report(folder)
    print_lines(*format_report(summary).split("\n"), "")
    print_lines(f"The report is {folder / 'report.html'}")
    crashed = any(row.faults for row in summary.table.rows)
    failed = any(result.cause == ERROR for result in summary.results)
    is_incomplete = summary.elimination is not None and bool(summary.elimination.absent)
    return 1 if (crashed or failed or is_incomplete) and not args.tolerate else 0


def _open_tournament(
    args: argparse.Namespace, processes: ProcessSettings
) -> tuple[Path, AbstractContextManager[OpenTournament]]:
    from tabnet.tournament.play.tournament_folder import create_tournament, resume_tournament

    if args.resume is not None:
        if args.bots or args.out:
            raise StartError(
                "--resume uses the bots and the folder of the tournament", hint="--add adds a bot"
            )
        return args.resume, resume_tournament(args.resume, args.add, processes)
    if args.add:
        raise StartError("--add needs a tournament to resume", hint="--resume DIR")
    folder = args.out or Path(time.strftime("tournament-%Y%m%d-%H%M%S"))
    bots = args.bots or DEFAULT_BOTS
    return folder, create_tournament(folder, _read_settings(args), bots, processes)


def _read_settings(args: argparse.Namespace) -> dict[str, Any]:
    settings = {
        "seed": args.seed or None,
        "kind": args.kind,
        "options": read_game_options(args),
        "clock": args.clock,
        "format": args.format,
        "rounds": args.rounds,
        "max_moves": args.max_moves,
    }
    if args.format == ELIMINATION:
        return settings | _read_elimination_settings(args)
    is_sprt = args.format == "sprt"
    settings["pairs"] = args.pairs or (DEFAULT_SPRT_PAIRS if is_sprt else DEFAULT_PAIRS)
    settings["seats"] = DEFAULT_SEATS if args.seats is None else args.seats
    if is_sprt:
        settings["sprt"] = {name: getattr(args, name) for name in HYPOTHESES}
    return settings


def _read_elimination_settings(args: argparse.Namespace) -> dict[str, Any]:
    for option in ("pairs", "seats", "rounds"):
        if getattr(args, option) is not None:
            raise StartError(
                f"--{option} is not for --format elimination",
                hint="each group of players plays one game, until a final has been played",
            )
    return {"pairs": 1, "seats": require_kind(args.kind).seats[-1]}


def _make_run_settings(
    args: argparse.Namespace, folder: Path, processes: ProcessSettings, display: Display
) -> RunSettings:
    from tabnet.tournament.play.referee.remote_ports import RemotePorts
    from tabnet.tournament.play.referee_process.parent import divide_processors
    from tabnet.tournament.play.referee_slots import RunSettings

    @cache
    def load_identity() -> Identity:
        return Identity(ensure_own_files(find_data_folder()))

    remote_ports = RemotePorts(load_identity, display.say, args.host)
    return RunSettings(
        *(folder, args.concurrency, processes, remote_ports),
        shares=divide_processors(args.concurrency),
        say=display.say,
    )


async def _play_until_signal(
    tournament: OpenTournament, run_settings: RunSettings, display: Display
) -> bool:
    """Play to the end, showing how it goes; False if a signal has broken it off."""
    import trio

    from tabnet.tournament.play.runner import Runner

    runner = Runner(tournament, run_settings)
    is_complete = False
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def stop_at_signal() -> None:
                async for _ in signals:
                    nursery.cancel_scope.cancel()

            nursery.start_soon(stop_at_signal)
            nursery.start_soon(_update_display, runner, display)
            await runner.run()
            is_complete = True
            nursery.cancel_scope.cancel()
    return is_complete


async def _update_display(runner: Runner, display: Display) -> None:
    """Show the progress again and again; the runner stands still for milliseconds only."""
    import trio

    began, collected = time.monotonic(), 0
    with _short_pauses():
        while True:
            if len(runner.queue.results) > MORE_RESULTS * collected:
                gc.collect(1)
                gc.freeze()  # results stay until the end: to search all of them takes a second
                collected = len(runner.queue.results)
            await trio.sleep(LOOK_S)
            if display.is_due:
                await display.update(_read_progress(runner, time.monotonic() - began))


@contextmanager
def _short_pauses() -> Iterator[None]:
    """Let threads take turns more often; at the end, let the garbage collector see all objects."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
        gc.unfreeze()


def _read_progress(runner: Runner, elapsed: float) -> Progress:
    from tabnet.tournament.report.progress_display import Progress, RunningGame

    queue = runner.queue
    results = tuple(queue.results.values())
    return Progress(
        names=queue.plan.names,
        results=results,
        standings=describe_standings(queue.plan, results)
        if queue.plan.format == ELIMINATION
        else None,
        total=queue.total,
        played=runner.played,
        elapsed=elapsed,
        running=tuple(
            RunningGame(game.seats, runner.slots.count_moves(game.id))
            for game in queue.running.values()
        ),
    )
