"""All updates of a match, from a file, a server or a data folder."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tabnet.cli.notation_files import SUFFIXES, load_updates_of_notation
from tabnet.cli.options.server_options import add_server_options, run_with_client
from tabnet.errors import StartError, WireError
from tabnet.protocol.codec import decode_frame, read_object
from tabnet.protocol.frames import Snapshot

if TYPE_CHECKING:
    from tabnet.client.trio_client import Client

SUFFIX = ".jsonl"
"""The suffix of files written by `tabnet export`; each line is an update."""


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """Add the match, and the options that say where it is."""
    help = f"a game of the server, or a file: of `tabnet export` (GAME{SUFFIX}), or in a notation "
    help += f"(FILE{', FILE'.join(SUFFIXES)})"
    parser.add_argument("match", metavar="GAME|FILE", help=help)
    add_server_options(parser)
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="read from this data folder, not from a server"
    )


def load_updates(args: argparse.Namespace) -> list[Snapshot]:
    """Return the updates of the match on the command line, from the first to the latest."""
    if args.match.endswith(SUFFIXES):
        return load_updates_of_notation(Path(args.match))
    if args.match.endswith(SUFFIX) or os.sep in args.match or Path(args.match).is_file():
        return load_updates_from_file(Path(args.match))
    if args.data is not None:
        return load_updates_from_data_folder(args.data, args.match)
    return load_updates_from_server(args.match, args)


def load_updates_from_file(path: Path) -> list[Snapshot]:
    """Read a file written by `tabnet export`; raises `StartError`."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise StartError(f"cannot read {path}: {error.strerror}") from None
    updates = []
    for number, line in enumerate(lines, 1):
        try:
            read_object(line)  # refuses duplicate keys, which readers interpret differently
            update = decode_frame(line)
        except WireError as error:
            raise StartError(f"{path}, line {number}: {error.text}") from None
        if not isinstance(update, Snapshot):
            raise StartError(f"{path}, line {number}: this frame is not an update")
        updates.append(update)
    if not updates:
        raise StartError(f"{path} holds no updates")
    return updates


def load_updates_from_data_folder(folder: Path, game: str) -> list[Snapshot]:
    """Return the updates of a match in a data folder; raises `StartError`."""
    from tabnet.server.admin.maintenance import find_match
    from tabnet.server.core.rows import DamagedMatch
    from tabnet.server.core.update_frames import make_update
    from tabnet.server.storage.replay_match import replay_match

    saved = find_match(folder, game)
    if saved is None:
        raise StartError(f"there is no match {game} in {folder}")
    if isinstance(saved, DamagedMatch):
        raise StartError(f"match {game} cannot be read: {saved.reason}")
    match = replay_match(saved, 0)
    return [make_update(match, seq) for seq in range(1, match.seq + 1)]


def load_updates_from_server(game: str, args: argparse.Namespace) -> list[Snapshot]:
    async def request_updates(client: Client) -> list[Snapshot]:
        standing = await client.state(game)
        if standing.update is None:
            raise StartError(f"{game} has not begun: an opponent is still missing")
        await client.follow(game, since=0)
        updates: list[Snapshot] = []
        async for update in client.updates(game):
            updates.append(update)
            if update.seq >= standing.update["seq"]:
                break
        return updates

    return run_with_client(args, request_updates)
