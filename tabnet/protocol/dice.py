"""Committed dice: the server fixes all throws of a match before the first one.

The secret is drawn before the match. The first update has a commitment to the secret, the last
update has the secret, so that anyone can recompute every throw. Throws are keyed by seat and by the
number of the throw, so that a player who throws more often does not change the opponent's throws.

A player may add a salt. Its hash is fixed together with the commitment, and the salt is revealed
only then. So the server chooses the secret without knowing the salts, and the players choose their
salts without knowing the secret.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from tabnet.games.api import JSON, Game, Roll

SECRET_BYTES = 32
HASH_BYTES = 32
NO_SALT = bytes(32)
"""The part of a throw's key for a seat without a salt."""
NO_SEAT = 2**32 - 1
"""The seat in the key of a dealt layout."""
SALT_BYTES = range(16, 65)
"""The allowed lengths of a salt: too long to be guessed, and short."""


def hash_salt(salt: bytes) -> str:
    """Return the hash that commits a player to a salt, in hex."""
    return hashlib.sha256(b"tabnet-salt-1" + salt).hexdigest()


def mix_salt(salt: bytes | None) -> bytes:
    """Return a seat's part of the key of every throw; `salt` is None without a salt."""
    return NO_SALT if salt is None else hashlib.sha256(b"tabnet-mix-1" + salt).digest()


def parse_hex(digits: Any, sizes: range) -> bytes | None:
    """Return the bytes of hex digits; None if they are not hex, or not of an allowed length."""
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
    """One mix for each seat."""

    def commitment(self) -> str:
        """Return the hash that commits the server to the secret, in hex."""
        return hashlib.sha256(b"tabnet-commit-1" + self.game.encode() + self.secret).hexdigest()

    def throw(self, rules: Game, seat: int, number: int) -> Roll:
        """Return the throw number `number` of `seat`, counted from 0."""
        return rules.read_roll(self.open_byte_stream(seat, number))

    def layout(self, rules: Game, options: Any) -> JSON:
        """Return the dealt layout, which no salt changes; None if the kind deals nothing."""
        unsalted = Dice(self.game, self.secret, (NO_SALT,) * len(self.mixes))
        return rules.deal(options, len(self.mixes), unsalted.open_byte_stream(NO_SEAT, 0))

    def open_byte_stream(self, seat: int, number: int) -> Callable[[], int]:
        """Return a function that returns the next random byte of one throw."""
        return self._generate_bytes(seat, number).__next__

    def _generate_bytes(self, seat: int, number: int) -> Iterator[int]:
        mixes = b"".join(self.mixes)
        retry = 0
        while True:
            key = b"tabnet-dice-1" + mixes + _encode_three_u32(seat, number, retry)
            yield from hmac.digest(self.secret, key, "sha256")
            retry += 1


_encode_three_u32 = struct.Struct(">III").pack
