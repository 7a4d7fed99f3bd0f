"""Games as text files in a notation of their kind: written from updates, and read as updates."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabnet.client.client_state import state_of
from tabnet.errors import StartError, TabnetError
from tabnet.games import GAMES
from tabnet.games.api import Game
from tabnet.games.notation import RecordedGame
from tabnet.protocol.frames import Snapshot

if TYPE_CHECKING:
    from tabnet.server.core.matches.match import Match

NOTATIONS = {game.notation.name: game.notation for game in GAMES.values() if game.notation}
SUFFIXES = tuple(f".{name}" for name in NOTATIONS)


def format_game(updates: Sequence[Snapshot], name: str) -> str:
    """Return a match in a notation; raises `StartError` if it does not have its kind."""
    first, last = updates[0].position, updates[-1].position
    notation, game = NOTATIONS[name], GAMES.get(first["kind"])
    if game is None or game.notation is not notation:
        raise StartError(f"{first['kind']} has no notation {name}", hint="--format jsonl")
    events = [update.position["event"] for update in updates]
    moves = tuple(
        game.parse_move({field: event[field] for field in game.fields.notify if field in event})
        for event in events
        if event["type"] == "move"
    )
    nicks = tuple(first["players"])
    winners = tuple(map(nicks.index, last["result"]["winners"])) if "winner" in last else None
    event = f"tabnet game {updates[0].game}"
    recorded = RecordedGame(state_of(updates[0]), moves, nicks, winners, event)
    return notation.write(recorded)


def load_updates_of_notation(path: Path) -> list[Snapshot]:
    """Return the updates of a match with the moves of a file; raises `StartError`.

    Moves after the end by the rules are left out, and a sentence on stderr says so.
    """
    from tabnet.server.core.update_frames import make_update

    (game,) = (g for g in GAMES.values() if g.notation and f".{g.notation.name}" == path.suffix)
    try:
        recorded = NOTATIONS[path.suffix[1:]].read(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise StartError(f"cannot read {path}: {error}") from None
    except TabnetError as error:
        raise StartError(f"{path}: {error.text}", hint=error.hint) from None
    if recorded.left_out:
        text = f"the rules end the game after {len(recorded.moves)} moves"
        print(f"tabnet: {text}; {recorded.left_out} more are not shown", file=sys.stderr)
    match = _play_match(path.stem, game, recorded)
    return [make_update(match, seq) for seq in range(1, match.seq + 1)]


def _play_match(id: str, game: Game, recorded: RecordedGame) -> Match:
    """Return a match with the recorded moves and result."""
    from tabnet.protocol.messages import Join
    from tabnet.server.core.matches.match import Match
    from tabnet.server.core.matches.match_parts import Seat
    from tabnet.server.core.matches.terms import read_terms

    terms = read_terms(Join(kind=game.kind))
    seats = tuple(map(Seat, recorded.nicks))
    match = Match.start(id, terms, seats, bytes(32), 0, position=recorded.start)
    for move in recorded.moves:
        match = match.play(match.state.turn or 0, "notify", game.dump_move(move), 0)
    if match.result is not None or recorded.winners is None:
        return match
    for seat in range(len(seats)):
        if not recorded.winners:
            match = match.offer_draw(seat, True, 0)
        elif seat not in recorded.winners:
            match = match.leave(seat, 0)
    return match
