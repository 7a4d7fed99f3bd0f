"""Events of a game as short sentences. Pure."""

from __future__ import annotations

from tabnet.games import GAMES
from tabnet.protocol.frames import Snapshot

CHANGING = ("start", "move", "leave", "timeout", "illegal")
"""Events that change the board; a removed player's pieces leave it."""

SENTENCES = {
    "select": "{colour} selected {cell}",
    "release": "{colour} released the piece",
    "pass": "{colour} passed",
    "salt": "{colour} sent a salt for the dice",
    "leave": "{colour} left",
    "timeout": "{colour}'s time ran out",
    "illegal": "{colour} made an illegal move",
    "end": "The operator ended the game",
}
"""The sentences of events that need few details."""


def describe_event(update: Snapshot, before: Snapshot | None) -> str:
    """Return the sentence for an update's event; `before` is the previous update."""
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
            return f"{colour} {'offers a draw' if event['offer'] else 'withdrew the draw offer'}"
        case "end" if position.get("result", {}).get("reason") == "error":
            return "The server closed the game after an error"
        case "end" if position.get("result", {}).get("reason") == "abandoned":
            return "All players left the game"
        case "end" if colour:
            return f"{colour}, a bot, failed again and again and is out"
        case "timeout" if not colour:
            return "The time for the salts ran out"
        case other:
            sentence = SENTENCES.get(other, "{colour} {other}")
            return sentence.format(colour=colour, cell=position.get("cell"), other=other)
