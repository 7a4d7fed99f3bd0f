"""`tabnet export`: write a match to a file."""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from pathlib import Path

from tabnet.cli.match_loader import SUFFIX, add_match_options, load_updates
from tabnet.cli.notation_files import NOTATIONS, format_game
from tabnet.errors import StartError
from tabnet.protocol.codec import encode

DESCRIPTION = """\
Write a match to a file: one line for each update, with the bytes that its followers received.
`tabnet verify` and `tabnet replay` read the file, and so does every JSON parser. With --format, a
game is written in a notation that other programs read; not every kind has one. An existing file is
never overwritten. Without --out the file is in the current folder. Its name is the id of the game,
or a new name if the id has an unusual form.
"""
EXAMPLE = """\
examples:
  tabnet export fa93b40c7d21e658
  tabnet export fa93b40c7d21e658 --format pdn
  tabnet export fa93b40c7d21e658 --out -
  tabnet export fa93b40c7d21e658 --server tcp://127.0.0.1:45679 --out final.jsonl
"""
FORMATS = ("jsonl", *NOTATIONS)
GAME_ID = re.compile("[0-9a-f]{16}")


def configure(parser: argparse.ArgumentParser) -> None:
    add_match_options(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help="jsonl: one update a line; "
        + "; ".join(f"{each.name}: {each.title}" for each in NOTATIONS.values())
        + " (%(default)s)",
    )
    parser.add_argument(
        "--out", metavar="FILE", help=f"the file, - for standard output (GAME{SUFFIX})"
    )


def run(args: argparse.Namespace) -> int:
    updates = load_updates(args)
    if args.format in NOTATIONS:
        data = format_game(updates, args.format).encode()
    else:
        data = b"".join(map(encode, updates))
    out = args.out or name_exported_file(updates[0].game, f".{args.format}")
    if out == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        write_new_file(Path(out), data)
    so_far = "" if updates[-1].over else " so far: the match is not over"
    where = "standard output" if out == "-" else out
    print(f"{len(updates)} updates written to {where}{so_far}", file=sys.stderr)
    return 0


def name_exported_file(game: str, suffix: str = SUFFIX) -> str:
    """Return the name of a new file for a game.

    The server chooses the game's id, so an id that is not of the usual form is not used.
    """
    if GAME_ID.fullmatch(game):
        return f"{game}{suffix}"
    return f"game-{hashlib.sha256(game.encode(errors='replace')).hexdigest()[:16]}{suffix}"


def write_new_file(path: Path, data: bytes) -> None:
    """Write a new file; raises `StartError` if it exists."""
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise StartError(f"{path} exists already", hint="--out for another name") from None
    except OSError as error:
        raise StartError(f"cannot write {path}: {error.strerror}") from None
