"""Committed dice: the server fixes all throws of a match before the first one.

The secret is drawn before the match, its commitment travels in the first update and the secret
itself in the last, so that every throw can be recomputed by anyone. Keyed by seat and by the
number of the throw, so that who rolls more often does not change what the other will get.

A player may add a salt: its hash is fixed together with the commitment, and it is told only then.
So the server chose the secret without knowing the salts, and the players theirs without knowing it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from tabnet.games.api import JSON, Game, Roll

SECRET_BYTES = 32
HASH_BYTES = 32
NO_SALT = bytes(32)
"""Stands in a throw's key for a seat that brought no salt."""
NO_SEAT = 2**32 - 1
"""Stands for a seat in the key of what is dealt to all."""
SALT_BYTES = range(16, 65)
"""How long a salt may be: longer than can be guessed, and short."""


def salt_hash(salt: bytes) -> str:
    """What binds a player to the salt before it is told, in hex."""
    return hashlib.sha256(b"tabnet-salt-1" + salt).hexdigest()


def mix(salt: bytes | None) -> bytes:
    """What a seat's salt, or its having none, puts into the key of every throw."""
    return NO_SALT if salt is None else hashlib.sha256(b"tabnet-mix-1" + salt).digest()


def from_hex(digits: Any, sizes: range) -> bytes | None:
    """The bytes that hex digits write down; None if they do not, or are not so many bytes."""
    if type(digits) is not str or not re.fullmatch("([0-9a-fA-F]{2})*", digits):
        return None
    found = bytes.fromhex(digits)
    return found if len(found) in sizes else None


@frozen
class Dice:
    """The throws of one match."""

    game: str
    secret: bytes
    mixes: tuple[bytes, ...]
    """One for each seat."""

    def commitment(self) -> str:
        """What binds the server to the secret, in hex."""
        return hashlib.sha256(b"tabnet-commit-1" + self.game.encode() + self.secret).hexdigest()

    def throw(self, rules: Game, seat: int, number: int) -> Roll:
        """The throw that `seat` makes as its `number`th, counted from 0."""
        return rules.read_roll(self.stream(seat, number))

    def layout(self, rules: Game, options: Any) -> JSON:
        """The board that is dealt to all seats, before any salt is told; None if there is none."""
        unsalted = Dice(self.game, self.secret, (NO_SALT,) * len(self.mixes))
        return rules.deal(options, len(self.mixes), unsalted.stream(NO_SEAT, 0))

    def stream(self, seat: int, number: int) -> Callable[[], int]:
        """The bytes that one throw is read from, one a call."""
        return self._bytes(seat, number).__next__

    def _bytes(self, seat: int, number: int) -> Iterator[int]:
        key = b"tabnet-dice-1" + b"".join(self.mixes) + _u32(seat) + _u32(number)
        retry = 0
        while True:
            yield from hmac.digest(self.secret, key + _u32(retry), "sha256")
            retry += 1


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")
