"""Tournaments in their folders: creates or resumes one, ready to be played."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import frozen

from tabnet.errors import StartError
from tabnet.tournament.plan.game_queue import GameQueue
from tabnet.tournament.plan.game_terms import require_playable
from tabnet.tournament.plan.plan import ELIMINATION, Plan, make_plan_of_journal
from tabnet.tournament.play import journal_file as journal
from tabnet.tournament.play.bots.bot_access import require_hidden
from tabnet.tournament.play.bots.entrants import BotProgram, find_bot, find_bots, require_unchanged
from tabnet.tournament.play.bots.process_settings import USUAL, ProcessSettings
from tabnet.tournament.play.journal_file import JournalWriter
from tabnet.tournament.records.journal_lines import (
    GAMES,
    LOGS,
    Journal,
    encode_entrant,
    encode_secret,
    encode_settings,
)
from tabnet.tournament.records.throw_secrets import SECRET_BYTES, TournamentSecret, hash_seed


@frozen
class OpenTournament:
    bots: tuple[BotProgram, ...]
    queue: GameQueue
    journal: JournalWriter


@contextmanager
def create_tournament(
    folder: Path,
    settings: Mapping[str, Any],
    sources: Sequence[str],
    processes: ProcessSettings = USUAL,
) -> Iterator[OpenTournament]:
    """Create a tournament in a folder that has none; raises `StartError`."""
    entered = tuple(find_bots(sources))
    new = Journal(dict(settings), {bot.name: bot.entrant for bot in entered})
    secret = _choose_secret(new)
    new.secrets.append(TournamentSecret(secret))
    plan = make_plan_of_journal(new)
    require_playable(plan)
    _require_outside(entered, folder)
    require_hidden(folder, entered, processes)
    _require_new(folder)
    try:
        for part in (GAMES, LOGS):
            (folder / part).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"{error.filename} cannot be made: {error.strerror}") from None
    with journal.open_journal(folder) as writer:
        _require_new(folder)  # nobody else can begin one now
        writer.clear()
        writer.make_private()
        writer.add_line(encode_secret(secret))
        for each in entered:
            writer.add_line(encode_entrant(each.entrant))
        writer.add_line(
            encode_settings(plan.export_settings())
        )  # last: then all entrants are there
        writer.flush()
        yield OpenTournament(entered, _make_queue(plan, entered, new), writer)


def _choose_secret(journal: Journal) -> bytes:
    """Return a secret for these entrants: of the named seed, or random bits if one is remote."""
    seed = journal.settings["seed"]
    if seed is None or any(each.is_remote for each in journal.entrants.values()):
        return secrets.token_bytes(SECRET_BYTES)
    return hash_seed(seed)


def _require_outside(bots: Sequence[BotProgram], folder: Path) -> None:
    """Refuse a tournament inside the folder of a bot, which would change with every game."""
    for bot in bots:
        if bot.content is not None and bot.content.folder_name:
            own = Path(bot.content.named_folder).resolve()
            if folder.resolve().is_relative_to(own):
                raise StartError(
                    f"the tournament's folder {folder} is inside the folder of {bot.name}",
                    hint="copy the bot into a folder without tournaments",
                )


def _require_new(folder: Path) -> None:
    if journal.has_tournament(folder):
        raise StartError(
            f"there is a tournament in {folder} already",
            hint=f"to go on with it: --resume {folder}",
        )


@contextmanager
def resume_tournament(
    folder: Path, added: Sequence[str] = (), processes: ProcessSettings = USUAL
) -> Iterator[OpenTournament]:
    """Open the tournament of a folder, with new entrants; its bots must be unchanged."""
    journal.read_journal_file(folder)  # there is one
    with journal.open_journal(folder) as writer:
        past = journal.read_journal_file(folder)
        if added and past.settings.get("format") == ELIMINATION:
            raise StartError("an elimination that has begun takes no further entrant")
        entered = [find_bot(entrant.name, entrant.source) for entrant in past.entrants.values()]
        for before, now in zip(past.entrants.values(), entered, strict=True):
            require_unchanged(before, now)
        new = list(find_bots(added, past.names))
        _require_outside(new, folder)
        require_hidden(folder, (*entered, *new), processes)
        everybody = (*entered, *new)
        if any(bot.is_remote for bot in new) and not past.has_random_throws:
            secret = secrets.token_bytes(SECRET_BYTES)
            past.secrets.append(TournamentSecret(secret, len(past.entrants)))
            writer.make_private()
            writer.add_line(encode_secret(secret))
        past.entrants |= {bot.name: bot.entrant for bot in new}
        plan = make_plan_of_journal(past)
        for each in new:
            writer.add_line(encode_entrant(each.entrant))
        writer.flush()
        yield OpenTournament(everybody, _make_queue(plan, everybody, past), writer)


def _make_queue(plan: Plan, bots: Sequence[BotProgram], past: Journal) -> GameQueue:
    return GameQueue(
        plan,
        past.results,
        one_at_a_time=frozenset(bot.name for bot in bots if bot.is_remote),
        failures=past.failures,
    )
