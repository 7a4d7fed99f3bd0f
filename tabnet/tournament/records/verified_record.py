"""Verification of a game record: legal actions, and the throws of a revealed secret. Pure."""

from __future__ import annotations

from collections import Counter

from tabnet.errors import BrokenHistory
from tabnet.games import GAMES
from tabnet.protocol.dice import NO_SALT, Dice
from tabnet.tournament.records.replay_record import (
    THROW,
    GameRecord,
    encode_action,
    replay_actions,
)


def verify_record(record: GameRecord, secret: bytes) -> int:
    """Return the number of throws of a game, after checking the board, each action and each throw.

    Raises `TabnetError` for the first one that is not legal, or that does not follow from the
    secret, and if the secret is not the one that `dice_commit` stands for. Kinds without throws and
    boards ignore the secret.
    """
    if record.kind not in GAMES:
        raise BrokenHistory(record.game, 0, f"this tabnet has no game called {record.kind}")
    rules = GAMES[record.kind]
    dice = Dice(record.game, secret, (NO_SALT,) * len(record.players))
    if rules.uses_chance and record.dice_commit != dice.commitment():
        found = record.dice_commit or "missing"
        text = f"dice_commit is {found}, and should be {dice.commitment()} by the secret"
        raise BrokenHistory(record.game, 0, text)
    if record.layout != dice.layout(rules, rules.make_options(record.options)):
        raise BrokenHistory(record.game, 0, "the board does not follow from the secret")
    throws = Counter[int]()
    for number, step in enumerate(replay_actions(record), 1):
        if step.action.startswith(THROW):
            right = encode_action(rules, dice.throw(rules, step.seat, throws[step.seat]))
            if step.action != right:
                text = f"the throw is {step.action}, and should be {right}"
                raise BrokenHistory(record.game, number, text)
            throws[step.seat] += 1
    return sum(throws.values())
