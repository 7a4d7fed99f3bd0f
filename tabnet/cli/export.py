"""`tabnet export`: a match as a file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tabnet.cli.recorded import SUFFIX, add_match, updates_of

SUMMARY = "write a match to a file, one update a line"
DESCRIPTION = """\
Write a match to a file: one line for each update, the very bytes that its followers were sent.
`tabnet verify` and `tabnet replay` read it; so does whatever reads JSON. A file that exists is
never overwritten.
"""
EXAMPLE = """\
examples:
  tabnet export fa93b40c7d21e658
  tabnet export fa93b40c7d21e658 --server tcp://127.0.0.1:45679 --out final.jsonl
  tabnet export fa93b40c7d21e658 --out -
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet export`."""
    add_match(parser)
    parser.add_argument(
        "--out", metavar="FILE", help=f"where to write it, - for standard output (GAME{SUFFIX})"
    )


def run(args: argparse.Namespace) -> int:
    """Write the file; the exit code comes back."""
    from tabnet.protocol.codec import encode

    updates = updates_of(args)
    data = b"".join(map(encode, updates))
    out = args.out or f"{updates[0].game}{SUFFIX}"
    if out == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        write_new(Path(out), data)
    so_far = "" if updates[-1].over else " so far: the match is not over"
    where = "standard output" if out == "-" else out
    print(f"{len(updates)} updates written to {where}{so_far}", file=sys.stderr)
    return 0


def write_new(path: Path, data: bytes) -> None:
    """Write a file that did not exist."""
    from tabnet.errors import StartError

    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise StartError(f"{path} exists already", hint="--out for another name") from None
    except OSError as error:
        raise StartError(f"cannot write {path}: {error.strerror}") from None
