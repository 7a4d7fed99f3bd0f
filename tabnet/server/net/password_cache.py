"""A cache of correct passwords, so that one that comes with every command is hashed once. Pure.

Times are milliseconds on a clock that only goes forward.
"""

from __future__ import annotations

import hashlib

from attrs import define, field

from tabnet.server.core.players.accounts import Proof

LIFE_MS = 10 * 60 * 1000
"""The time for which a password is cached after it was hashed."""
MAX_SIZE = 10_000
"""The number of passwords that are cached."""


@define
class PasswordCache:
    """Proofs by a digest of origin, nick and password under a secret key.

    A password is cached for its origin only: nobody elsewhere can try it without a hash.
    """

    _key: bytes
    """Up to 64 random bytes."""
    _proofs: dict[bytes, tuple[Proof, int]] = field(factory=dict)
    """Each with the time when it expires; the oldest first."""

    def __len__(self) -> int:
        return len(self._proofs)

    def find(self, origin: str, nick: str, password: str, now: int) -> Proof | None:
        """Return the proof of this password, or None."""
        proof, expires = self._proofs.get(self._digest(origin, nick, password), (None, 0))
        return proof if now < expires else None

    def add(self, origin: str, nick: str, password: str, proof: Proof, now: int) -> None:
        """Add a correct password."""
        digest = self._digest(origin, nick, password)
        self._proofs.pop(digest, None)
        self._proofs[digest] = proof, now + LIFE_MS
        oldest = next(iter(self._proofs))
        if len(self._proofs) > MAX_SIZE or self._proofs[oldest][1] <= now:
            del self._proofs[oldest]

    def _digest(self, origin: str, nick: str, password: str) -> bytes:
        text = f"{origin}\n{nick}\n{password}"
        return hashlib.blake2b(text.encode(), key=self._key, digest_size=32).digest()
