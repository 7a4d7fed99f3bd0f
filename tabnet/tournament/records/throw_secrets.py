"""The secrets of a tournament's throws. Pure.

A tournament has a secret of 32 bytes: random bits, or the hash of a named seed. The secrets of its
games and, without a seed, their ids are HMACs of it. None of them reveals the tournament's secret
or another one. protocol.md documents the formulas.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

SECRET_BYTES = 32
SEED_LABEL = b"tabnet-seed-1"
PAIR_LABEL = b"tabnet-pair-1"
GAME_LABEL = b"tabnet-game-1"
ID_LABEL = b"tabnet-id-1"
ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


@frozen
class TournamentSecret:
    """A secret of a tournament, which nobody may learn who plays in it."""

    value: bytes = field(repr=False)
    first: int = 0
    """The number of entrants that entered before it. It holds for the games of all later ones."""


@frozen
class Throws:
    """The source of the throws of one game."""

    secret: bytes = field(repr=False)
    nonce: str = ""
    """See `Result.nonce`."""


def hash_seed(seed: str) -> bytes:
    """Return the tournament's secret that follows from a named seed: 32 bytes."""
    return hashlib.sha256(SEED_LABEL + seed.encode()).digest()


def derive_pair_secret(secret: bytes, names: Sequence[str], pair: int) -> bytes:
    """Return the secret of the throws of all games of a pair or group: 32 bytes."""
    return _compute_hmac(secret, PAIR_LABEL, sorted(names), pair)


def derive_game_secret(secret: bytes, seats: Sequence[str], pair: int, nonce: str) -> bytes:
    """Return the secret of the throws of one game, for a game with throws of its own: 32 bytes."""
    return _compute_hmac(secret, GAME_LABEL, seats, pair, nonce)


def derive_id(secret: bytes, names: Sequence[str], pair: int, number: int) -> str:
    """Return the id of game `number` of a pair or group: 16 hex digits."""
    return _compute_hmac(secret, ID_LABEL, sorted(names), pair, number).hex()[:16]


def _compute_hmac(secret: bytes, label: bytes, *values: Any) -> bytes:
    return hmac.digest(secret, label + ENCODER.encode(values).encode(), "sha256")
