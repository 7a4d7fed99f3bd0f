"""`tabnet perft`: count the leaves of a game's tree."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from tabnet.cli.json_output import add_json_option, print_json
from tabnet.cli.options.kind_options import (
    add_game_options,
    add_kind_argument,
    read_game_options,
    require_kind,
)
from tabnet.client.client_state import state_of
from tabnet.errors import StartError
from tabnet.games.api import Game, State
from tabnet.games.perft import perft
from tabnet.protocol.frames import Snapshot

DESCRIPTION = """\
Count the leaves of the tree of actions. Prints a line for each depth: depth, leaves, leaves a
second. Every outcome of a throw, a pass and a whole move is one ply. If two implementations of the
rules differ by one move, their counts differ.
"""
EXAMPLE = "examples:\n"


def configure(parser: argparse.ArgumentParser) -> None:
    add_kind_argument(parser)
    parser.add_argument("--depth", type=int, required=True, help="the number of plies")
    parser.add_argument(
        "--position",
        metavar="FILE",
        help="start from this position, - for standard input: the JSON of an update or of a "
        "view, or text that the game reads, like a FEN",
    )
    add_json_option(parser)
    add_game_options(parser)


def run(args: argparse.Namespace) -> int:
    game = require_kind(args.kind)
    if args.depth < 1:
        raise StartError(f"the depth {args.depth} is too small", hint="--depth 1 or more")
    state = _load_first_state(game, args)
    for depth in range(1, args.depth + 1):
        start = time.perf_counter()
        count = perft(state, depth)
        seconds = time.perf_counter() - start
        if args.json:
            print_json(kind=args.kind, depth=depth, leaves=count, seconds=round(seconds, 6))
        else:
            print(f"{depth:2} {count:14} {count / max(seconds, 1e-9):12.0f}/s", flush=True)
    return 0


def _load_first_state(game: Game, args: argparse.Namespace) -> State:
    if args.position is None:
        return game.start(game.make_options(read_game_options(args)))
    position = _read_position_file(args.position)
    if isinstance(position, dict) and position.get("type") == "update":
        return state_of(Snapshot(game="", seq=0, position=position))
    return game.load(position)


def _read_position_file(source: str) -> Any:
    """Return the contents of a file: JSON, or text in the notation of the game."""
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StartError(f"cannot read {source}: {error}") from None
    text = text.strip()
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise StartError(f"{source} is not JSON: {error}") from None
