"""Plakoto a second time, written for obviousness instead of speed, to compare the real rules with.

It shares nothing with `tabnet`: a point is a text with a letter for each checker, from the bottom
to the top, and what may be played first is found by playing whole turns in all orders of the dice.
Only views, as JSON values, go in and out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any

Stacks = tuple[str, ...]
Step = tuple[int, int]
Ply = tuple[Any, ...]

WAY = {"W": 1, "B": -1}
FIRST = {"W": 1, "B": 24}
OFF = {"W": 25, "B": 0}
HOME = {"W": range(19, 25), "B": range(1, 7)}
NAME = {"W": "White", "B": "Black"}
OTHER = {"W": "B", "B": "W"}


def stacks_of(view: dict[str, Any]) -> Stacks:
    """Return the checkers on points 0 to 25; checkers borne off are on 25 and 0."""
    stacks = []
    for point in view["points"]:
        if point is None:
            stacks.append("")
        else:
            colour = point["owner"][0]
            stacks.append(OTHER[colour] * point["pinned"] + colour * point["count"])
    white, black = view["off"]
    return ("B" * black, *stacks, "W" * white)


def place_to_go(stacks: Stacks, colour: str, start: int, die: int) -> int | None:
    """Where a die takes the top checker of a point; None if it may not go."""
    if not stacks[start].endswith(colour):
        return None
    to = start + WAY[colour] * die
    if 1 <= to <= 24:
        held_by_two = stacks[to].count(OTHER[colour]) >= 2
        pins_me = stacks[to] == colour + OTHER[colour]
        return None if held_by_two or pins_me else to
    return OFF[colour] if can_bear_off(stacks, colour, start, to) else None


def can_bear_off(stacks: Stacks, colour: str, start: int, to: int) -> bool:
    mine = [point for point in range(1, 25) if colour in stacks[point]]
    if any(point not in HOME[colour] or not stacks[point].endswith(colour) for point in mine):
        return False
    farthest = min(mine) if colour == "W" else max(mine)
    return to == OFF[colour] or start == farthest


def after_step(stacks: Stacks, start: int, to: int) -> Stacks:
    after = list(stacks)
    after[to] = after[to] + after[start][-1]
    after[start] = after[start][:-1]
    return tuple(after)


def result_of(stacks: Stacks) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Winning seats and points, or None while the game goes on."""
    white_caught, black_caught = stacks[1].startswith("WB"), stacks[24].startswith("BW")
    if white_caught and black_caught:
        return (), (0, 0)
    if black_caught and "W" not in stacks[1]:
        return (0,), (2, 0)
    if white_caught and "B" not in stacks[24]:
        return (1,), (0, 2)
    if len(stacks[25]) == 15:
        return (0,), (1 if stacks[0] else 2, 0)
    if len(stacks[0]) == 15:
        return (1,), (0, 1 if stacks[25] else 2)
    return None


def steps_with(stacks: Stacks, colour: str, die: int) -> list[Step]:
    found = []
    for start in range(1, 25):
        to = place_to_go(stacks, colour, start, die)
        if to is not None:
            found.append((start, to))
    return found


@lru_cache(200_000)
def most_played(stacks: Stacks, colour: str, dice: tuple[int, ...]) -> int:
    """How many of the dice can be played in this order; the end of the game plays them all."""
    if not dice or result_of(stacks):
        return len(dice)
    after = [after_step(stacks, *step) for step in steps_with(stacks, colour, dice[0])]
    return max((1 + most_played(board, colour, dice[1:]) for board in after), default=0)


def first_steps(stacks: Stacks, colour: str, dice: tuple[int, ...]) -> set[Step]:
    """The steps with which a turn may begin that plays as much as possible."""
    turns = []
    for order in set(permutations(dice)):
        for step in steps_with(stacks, colour, order[0]):
            after = after_step(stacks, *step)
            turns.append((1 + most_played(after, colour, order[1:]), order[0], step))
    most = max((played for played, _, _ in turns), default=0)
    longest = [(die, step) for played, die, step in turns if played == most]
    if most == 1:
        largest = max(die for die, _ in longest)
        longest = [(die, step) for die, step in longest if die == largest]
    return {step for _, step in longest}


@dataclass(frozen=True)
class NaivePlakoto:
    stacks: Stacks
    colour: str = "W"
    dice: tuple[int, ...] = ()

    @staticmethod
    def start() -> NaivePlakoto:
        return NaivePlakoto(("", "W" * 15, *[""] * 22, "B" * 15, ""))

    @staticmethod
    def from_view(view: dict[str, Any]) -> NaivePlakoto:
        colour = "B" if view["turn"] == 1 else "W"
        return NaivePlakoto(stacks_of(view), colour, tuple(view["dice"] or ()))

    def plies(self) -> list[Ply]:
        if result_of(self.stacks):
            return []
        if not self.dice:
            return [("roll", high, low) for high in range(1, 7) for low in range(1, high + 1)]
        steps = first_steps(self.stacks, self.colour, self.dice)
        return [("move", *step) for step in sorted(steps)] or [("pass",)]

    def play(self, ply: Ply) -> NaivePlakoto:
        if ply[0] == "pass":
            return NaivePlakoto(self.stacks, OTHER[self.colour])
        if ply[0] == "roll":
            dice = ply[1:] if ply[1] != ply[2] else (ply[1],) * 4
            return NaivePlakoto(self.stacks, self.colour, tuple(sorted(dice, reverse=True)))
        after, distance = after_step(self.stacks, *ply[1:]), abs(ply[2] - ply[1])
        used = distance if distance in self.dice else min(d for d in self.dice if d > distance)
        left = list(self.dice)
        left.remove(used)
        if left:
            return NaivePlakoto(after, self.colour, tuple(left))
        return NaivePlakoto(after, OTHER[self.colour])

    def view(self) -> dict[str, Any]:
        over = result_of(self.stacks)
        turn = None if over else "WB".index(self.colour)
        points = []
        for stack in self.stacks[1:25]:
            if not stack:
                points.append(None)
                continue
            top = stack[-1]
            pinned = OTHER[top] in stack
            points.append({"owner": NAME[top], "count": stack.count(top), "pinned": pinned})
        return {
            "points": points,
            "off": [len(self.stacks[25]), len(self.stacks[0])],
            "won": list(over[1]) if over else [0, 0],
            "turn": turn,
            "dice": list(self.dice) if self.dice and not over else None,
            "mustPass": turn if self.plies() == [("pass",)] else None,
        }


def naive_perft(naive: NaivePlakoto, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(naive_perft(naive.play(ply), depth - 1) for ply in naive.plies())


def naive_of(text: str, turn: int = 0, dice: tuple[int, ...] = ()) -> NaivePlakoto:
    """Return a position from texts like `W1:13 B7:2*`: 13 on 1, and 2 on 7 that pin a checker.

    All other checkers are borne off.
    """
    stacks = [""] * 26
    for entry in text.split():
        point, count = entry[1:].rstrip("*").split(":")
        pinned = OTHER[entry[0]] * entry.endswith("*")
        stacks[int(point)] = pinned + entry[0] * int(count)
    for colour in "WB":
        stacks[OFF[colour]] = colour * (15 - "".join(stacks).count(colour))
    return NaivePlakoto(tuple(stacks), "WB"[turn], dice)
