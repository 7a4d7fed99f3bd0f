"""`tabnet replay`: show a match step by step."""

from __future__ import annotations

import argparse

from tabnet.cli.match_loader import add_match_options, load_updates
from tabnet.cli.options.server_options import run_alone

DESCRIPTION = """\
Show a match in this terminal, step by step. Enter, the space bar and the right arrow go forward, b
and the left arrow go back, a number and Enter go to that update, q quits. If input or output is not
a terminal, the whole match is printed.
"""
EXAMPLE = """\
examples:
  tabnet replay fa93b40c7d21e658.jsonl
  tabnet replay game.pdn
  tabnet replay fa93b40c7d21e658 --server tcp://127.0.0.1:45679
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_match_options(parser)


def run(args: argparse.Namespace) -> int:
    from rich.console import Console

    from tabnet.cli.replay_session import ReplaySession
    from tabnet.client.terminal.canvas import can_draw_canvas, print_lines
    from tabnet.client.terminal.replay_screen import Replay

    replay = Replay(load_updates(args))
    if can_draw_canvas():
        return run_alone(ReplaySession(replay).run)
    for text in replay.format_steps(Console().width):
        print_lines(*text.split("\n"))
    return 0
