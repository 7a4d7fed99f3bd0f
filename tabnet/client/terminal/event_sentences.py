"""What happened in a game, in a few words. Pure."""

from __future__ import annotations

from tabnet.games import GAMES
from tabnet.protocol.frames import Snapshot

CHANGING = ("start", "move", "leave", "timeout", "illegal")
"""Events after which the board is another one: who is out takes the pieces along."""

SENTENCES = {
    "select": "{colour} holds {cell}",
    "release": "{colour} lets the piece go",
    "pass": "{colour} passed",
    "salt": "{colour} put salt into the dice",
    "leave": "{colour} left",
    "timeout": "{colour}'s time ran out",
    "illegal": "{colour} played what the rules forbid",
    "end": "The operator ended the game",
}
"""Events that need few details."""


def describe(update: Snapshot, before: Snapshot | None) -> str:
    """The event of an update; `before` is the one before it."""
    position = update.position
    event, players = position["event"], position["players"]
    colour = players[event["player"]] if "player" in event else ""
    terminal = GAMES[position["kind"]].terminal
    match event["type"]:
        case "start":
            names = " against ".join(f"{name} ({nick})" for nick, name in players.items())
            return f"{GAMES[position['kind']].title}: {names}"
        case "roll":
            return f"{colour} threw {terminal.describe_roll(position.get('dice'))}"
        case "move":
            earlier = before.position if before else None
            return f"{colour} {terminal.describe_move(event, position, earlier)}"
        case "draw":
            return f"{colour} {'offers a draw' if event['offer'] else 'offers no draw any more'}"
        case "end" if position.get("result", {}).get("reason") == "error":
            return "The server closed the game after an error"
        case "timeout" if not colour:
            return "The time for the salts ran out"
        case other:
            sentence = SENTENCES.get(other, "{colour} {other}")
            return sentence.format(colour=colour, cell=position.get("cell"), other=other)
