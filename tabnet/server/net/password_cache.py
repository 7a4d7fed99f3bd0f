"""Passwords that were right a moment ago: who sends one with each command has it hashed once. Pure.

Times are milliseconds on a clock that only goes forward.
"""

from __future__ import annotations

import hashlib

from attrs import define, field

from tabnet.server.core.players.accounts import Proof

LIFE_MS = 10 * 60 * 1000
"""How long a password is remembered after it was hashed."""
MOST = 10_000
"""How many passwords are remembered."""


@define
class PasswordCache:
    """Proofs by origin, nick and password; of those only a digest under a secret key is held.

    The origin belongs to it: so nobody can try passwords that somebody elsewhere has just used.
    """

    _key: bytes
    """Up to 64 random bytes."""
    _proofs: dict[bytes, tuple[Proof, int]] = field(factory=dict)
    """With the time until which they are remembered; the oldest first."""

    def __len__(self) -> int:
        return len(self._proofs)

    def find(self, origin: str, nick: str, password: str, now: int) -> Proof | None:
        """The proof of this password, if it was right lately."""
        proof, until = self._proofs.get(self._digest(origin, nick, password), (None, 0))
        return proof if now < until else None

    def keep(self, origin: str, nick: str, password: str, proof: Proof, now: int) -> None:
        """This password was right."""
        digest = self._digest(origin, nick, password)
        self._proofs.pop(digest, None)
        self._proofs[digest] = proof, now + LIFE_MS
        oldest = next(iter(self._proofs))
        if len(self._proofs) > MOST or self._proofs[oldest][1] <= now:
            del self._proofs[oldest]

    def _digest(self, origin: str, nick: str, password: str) -> bytes:
        text = f"{origin}\n{nick}\n{password}"
        return hashlib.blake2b(text.encode(), key=self._key, digest_size=32).digest()
