"""`tabnet replay`: a match that was played, step by step."""

from __future__ import annotations

import argparse

from tabnet.cli.recorded import add_match, updates_of
from tabnet.cli.server_options import run_alone

SUMMARY = "show a match step by step"
DESCRIPTION = """\
Show a match in this terminal, step by step: Enter, the space bar or the right arrow go on, b or
the left arrow back, a number and Enter to that update, q ends. Where input or output is no
terminal all of it is printed.
"""
EXAMPLE = """\
examples:
  tabnet replay fa93b40c7d21e658.jsonl
  tabnet replay fa93b40c7d21e658 --server tcp://127.0.0.1:45679
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet replay`."""
    add_match(parser)


def run(args: argparse.Namespace) -> int:
    """Show it; the exit code comes back."""
    from rich.console import Console

    from tabnet.cli.stepping import Stepping
    from tabnet.client.terminal.canvas import is_canvas, say
    from tabnet.client.terminal.replay import Replay

    replay = Replay(updates_of(args))
    if is_canvas():
        return run_alone(Stepping(replay).run)
    for text in replay.text(Console().width):
        say(*text.split("\n"))
    return 0
