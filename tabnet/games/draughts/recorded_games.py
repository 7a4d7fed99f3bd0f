"""Games of draughts as text files in Portable Draughts Notation. Pure."""

from __future__ import annotations

from tabnet.games.api import Game
from tabnet.games.draughts.board import COLOURS
from tabnet.games.draughts.pdn import RESULTS, PdnGame, export_game, import_game
from tabnet.games.notation import RecordedGame

DRAWN, UNFINISHED = RESULTS[2:]
WON = RESULTS[:2]
"""The results by which each seat has won."""


def write_recorded_game(game: Game, recorded: RecordedGame) -> str:
    """Return the PDN of a game."""
    tags = {"Event": recorded.event, **dict(zip(COLOURS, recorded.nicks, strict=True))}
    winners = recorded.winners
    result = UNFINISHED if winners is None else WON[winners[0]] if winners else DRAWN
    return export_game(game, PdnGame(recorded.start, recorded.moves, result, tags))


def read_recorded_game(game: Game, text: str) -> RecordedGame:
    """Return the game of a PDN text; raises `InvalidPosition` and `InvalidMove`."""
    played = import_game(game, text, past_the_end=True)
    end = len(played.moves) if played.early_end is None else played.early_end.moves
    white, black = (played.tags.get(colour) or colour for colour in COLOURS)
    nicks = (white, black if black != white else f"{black} ({COLOURS[1]})")
    return RecordedGame(
        start=played.start,
        moves=played.moves[:end],
        nicks=nicks,
        winners={WON[0]: (0,), WON[1]: (1,), DRAWN: ()}.get(played.result),
        event=played.tags.get("Event", ""),
        left_out=len(played.moves) - end,
    )
