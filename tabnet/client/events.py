"""What happened in a game, in a few words. Pure."""

from __future__ import annotations

from typing import Any

from tabnet.client.typed import route_of
from tabnet.games import GAMES
from tabnet.games.tab.view import NAMES
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
    match event["type"]:
        case "start":
            names = " against ".join(f"{name} ({nick})" for nick, name in players.items())
            return f"{GAMES[position['kind']].title}: {names}"
        case "roll":
            return f"{colour} threw {_throw(position.get('dice'))}"
        case "move" if "place" in event:
            return f"{colour} placed a penguin on {route_of(event)[0]}"
        case "move":
            return f"{colour} played {_move(event, update, before)}"
        case "draw":
            return f"{colour} {'offers a draw' if event['offer'] else 'offers no draw any more'}"
        case "end" if position.get("result", {}).get("reason") == "error":
            return "The server closed the game after an error"
        case "timeout" if not colour:
            return "The time for the salts ran out"
        case other:
            sentence = SENTENCES.get(other, "{colour} {other}")
            return sentence.format(colour=colour, cell=position.get("cell"), other=other)


def _throw(dice: dict[str, Any] | list[int] | None) -> str:
    if dice is None:
        return "the dice"
    if isinstance(dice, list):
        return " and ".join(map(str, dice[:2]))
    sides = " ".join("light" if light else "dark" for light in dice["stickValues"])
    return f"{dice['value']} ({NAMES[dice['value']]}): {sides}"


def _move(event: dict[str, Any], update: Snapshot, before: Snapshot | None) -> str:
    played = " to ".join(route_of(event))
    if before is None:
        return played
    if "state" in update.position:
        return f"{played}, for {_fish(update) - _fish(before)} fish"
    if "points" in update.position:
        return f"{played}, a pin" if _pins(update) > _pins(before) else played
    taken = sum(_pieces(before)) - sum(_pieces(update))
    sign = {0: "", 1: ", a capture"}.get(taken, f", {taken} captures")
    return f"{played}{sign}"


def _fish(update: Snapshot) -> int:
    """How many all players have."""
    return sum(player["score"] for player in update.position["state"]["players"])


def _pins(update: Snapshot) -> int:
    return sum(point["pinned"] for point in update.position["points"] if point)


def _pieces(update: Snapshot) -> list[bool]:
    position = update.position
    if "pieces" in position:
        return [piece is not None for piece in position["pieces"]]
    return [square != "0" for square in position["board"]]
