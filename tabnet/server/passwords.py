"""Hashing passwords: slow on purpose, so in a worker thread, and few at a time."""

from __future__ import annotations

import hashlib
import secrets

import trio

from tabnet.server.accounts import Accounts, Proof

SALT_BYTES = 16
AT_A_TIME = 1
"""More would stall the games while many log in at once."""


def scrypt(password: str, salt: bytes) -> bytes:
    """The digest that is kept instead of a password: 16 MiB and about 0.1 s of work."""
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=5, maxmem=64 * 1024 * 1024)


class Passwords:
    """Makes the proofs that the service compares."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._limiter = trio.CapacityLimiter(AT_A_TIME)

    async def prove(self, nick: str, password: str, *, new: bool) -> Proof | None:
        """The password's proof under the salt of its nick; None if the nick is not registered.

        `new`: the nick may be registered with it. If somebody else registers the nick while this
        one is being hashed, it is hashed again under the salt that holds now.
        """
        while True:
            salt = self._accounts.salt_of(nick)
            if salt is None and not new:
                return None
            salt = salt or secrets.token_bytes(SALT_BYTES)
            digest = await trio.to_thread.run_sync(scrypt, password, salt, limiter=self._limiter)
            if self._accounts.salt_of(nick) in (None, salt):
                return Proof(salt, digest)
