"""`tabnet verify`: check a finished match from its updates."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from tabnet.cli.match_loader import add_match_options, load_updates
from tabnet.client.safe_text import clean_lines
from tabnet.client.terminal.game_screen import GameScreen
from tabnet.client.verify import Verified, verify
from tabnet.errors import StartError
from tabnet.games import GAMES
from tabnet.protocol.dice import SECRET_BYTES, parse_hex

if TYPE_CHECKING:
    from tabnet.tournament.records.replay_record import GameRecord

DESCRIPTION = """\
Check a finished match from its updates alone: every event by the rules, every throw from the
secret that the server committed to, every position, clock and number. The exit code is 0 if all is
right. Otherwise the first error is printed, and the exit code is 1.

A game of a tournament is games/GAME.json in its folder: every action is checked by the rules, and
every throw by the secret in results.json beside it.
"""
EXAMPLE = """\
examples:
  tabnet verify trial/games/fa93b40c7d21e658.json
  tabnet verify fa93b40c7d21e658.jsonl
  tabnet verify fa93b40c7d21e658 --server example.org:45678
"""


RECORD_SUFFIX = ".json"
"""The suffix of the games of a tournament."""
RESULTS = "results.json"


def configure(parser: argparse.ArgumentParser) -> None:
    add_match_options(parser)


def run(args: argparse.Namespace) -> int:
    if args.match.endswith(RECORD_SUFFIX):
        return _verify_tournament_game(Path(args.match))
    updates = load_updates(args)
    verified = verify(updates)
    screen = GameScreen()
    screen.show_update(updates[-1], 0)
    print(clean_lines([*describe_verified_match(verified), screen.result_sentence]))
    return 0


def describe_verified_match(verified: Verified) -> list[str]:
    game = GAMES[verified.kind]
    options = "".join(f", {name} {value}" for name, value in verified.options.items())
    players = " against ".join(f"{colour} ({nick})" for nick, colour in verified.players.items())
    lines = [
        f"Verified: {verified.game}, {game.title}{options}: {players}",
        f"{verified.events} updates: none is missing, every event and every position is right.",
    ]
    if game.has_dice:
        throws = f"{verified.throws} throws: the server committed to all of them before the first."
        lines += [throws, _describe_salts(verified.salted)]
    elif game.uses_chance:
        lines.append("The dealt board is the one that the server committed to.")
    return lines


def _describe_salts(nicks: tuple[str, ...]) -> str:
    if not nicks:
        return "No player salted the dice: you have to trust that the server drew them at random."
    names = " and ".join(nicks)
    return f"Salted by {names} after the commitment: the server could not foresee the throws."


def _verify_tournament_game(path: Path) -> int:
    """Check a game record by the secret in the results of its tournament; raises `TabnetError`."""
    from tabnet.tournament.records.replay_record import decode_record
    from tabnet.tournament.records.verified_record import verify_record

    try:
        record = decode_record(_read_file(path))
    except ValueError as error:
        raise StartError(f"{path} cannot be read: {error}") from None
    rules, secret = GAMES.get(record.kind), b""
    if rules is None or rules.uses_chance:
        secret = _find_secret(path.resolve().parents[1] / RESULTS, record.game)
    throws = verify_record(record, secret)
    print(clean_lines(_describe_verified_record(record, throws)))
    return 0


def _describe_verified_record(record: GameRecord, throws: int) -> list[str]:
    rules = GAMES[record.kind]
    options = "".join(f", {name} {value}" for name, value in record.options.items())
    lines = [
        f"Verified: {record.game}, {rules.title}{options}: {' against '.join(record.players)}",
        f"{len(record.actions)} actions: every one is legal.",
    ]
    if rules.has_dice:
        lines.append(f"{throws} throws: all follow from the secret in {RESULTS}.")
    elif rules.uses_chance:
        lines.append(f"The dealt board follows from the secret in {RESULTS}.")
    if rules.uses_chance:
        lines.append(
            "If you have kept the first update of a player, compare its dice_commit: "
            f"{record.dice_commit}"
        )
    return lines


def _find_secret(path: Path, game: str) -> bytes:
    """Return the secret of a game's throws; raises `StartError` if the results do not have it."""
    try:
        rows = {row["id"]: row for row in json.loads(_read_file(path))["games"]}
        digits = rows[game]["dice_secret"]
    except (ValueError, LookupError, TypeError):
        hint = f"write it again: tabnet report {path.parent}"
        raise StartError(f"{path} has no secret of game {game}", hint=hint) from None
    secret = parse_hex(digits, range(SECRET_BYTES, SECRET_BYTES + 1))
    if secret is None:
        hint = f"when all games with its throws are over: tabnet report {path.parent}"
        raise StartError(f"{path} does not reveal the secret of game {game} yet", hint=hint)
    return secret


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StartError(f"cannot read {path}: {error.strerror}") from None
