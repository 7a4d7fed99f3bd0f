"""`tabnet tournament`: let bots play each other."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from typing import TYPE_CHECKING

from tabnet.cli.json_output import add_json_option, print_json
from tabnet.cli.options.tournament_options import add_tournament_options
from tabnet.cli.tournament_run import choose_folder, explain_os_errors, play_with_options
from tabnet.tournament.records.entrants_and_results import ERROR

if TYPE_CHECKING:
    from tabnet.tournament.play.referee_slots import RunSettings
    from tabnet.tournament.play.tournament_folder import OpenTournament
    from tabnet.tournament.report.progress_display import Display

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
  tabnet tournament --resume trial --add bots/new.py
  tabnet tournament old.py new.py --format sprt --pairs 5000 --elo1 30
  tabnet tournament mine.py greedy expectimax:2 'cmd:./mybot -v' --format gauntlet --clock 60+0.5
"""

INTERRUPTED = 130


def configure(parser: argparse.ArgumentParser) -> None:
    add_tournament_options(parser)
    add_json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Play, and return the exit code; raises `StartError`, also when the disk is full."""
    with explain_os_errors():
        return _play_and_report(args)


def _play_and_report(args: argparse.Namespace) -> int:
    from tabnet.cli.serve import prepare_process
    from tabnet.client.terminal.canvas import print_lines
    from tabnet.tournament.report.progress_display import Display
    from tabnet.tournament.report.report_files import write_report
    from tabnet.tournament.report.text_report import format_report

    prepare_process()
    folder = choose_folder(args)
    display = Display(file=sys.stderr if args.json else None)
    if not play_with_options(args, folder, _play_until_signal, display):
        print(f"\nInterrupted. To continue: tabnet tournament --resume {folder}", file=sys.stderr)
        return INTERRUPTED
    summary = write_report(folder)
    if args.json:
        results = json.loads((folder / "results.json").read_bytes())
        print_json(
            folder=str(folder),
            report=str(folder / "report.html"),
            output_logs={bot: str(folder / path) for bot, path in summary.output_logs.items()},
            results=results,
        )
    else:
        print_lines(*format_report(summary, str(folder)).split("\n"), "")
        print_lines(f"The report is {folder / 'report.html'}")
    crashed = any(row.faults for row in summary.table.rows)
    failed = any(result.cause == ERROR for result in summary.results)
    is_incomplete = summary.elimination is not None and bool(summary.elimination.absent)
    return 1 if (crashed or failed or is_incomplete) and not args.tolerate else 0


async def _play_until_signal(
    tournament: OpenTournament, run_settings: RunSettings, display: Display | None
) -> bool:
    """Play to the end, showing how it goes; False if a signal has broken it off."""
    import trio

    from tabnet.tournament.live_run import play_to_end

    is_complete = False
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def stop_at_signal() -> None:
                async for _ in signals:
                    nursery.cancel_scope.cancel()

            nursery.start_soon(stop_at_signal)
            await play_to_end(tournament, run_settings, display)
            is_complete = True
            nursery.cancel_scope.cancel()
    return is_complete
