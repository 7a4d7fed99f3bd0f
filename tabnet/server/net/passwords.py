"""Hashes passwords: slow on purpose, so in a worker thread, one at a time, each in its turn."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from math import ceil

import trio

from tabnet.errors import Refused
from tabnet.protocol.messages import Command, Identified, Register
from tabnet.server.core.costs.client_origin import network_of
from tabnet.server.core.effects import Effect, SaveRow
from tabnet.server.core.players.accounts import Accounts, Proof
from tabnet.server.core.players.login_failures import LoginFailures
from tabnet.server.core.players.login_queue import Priority
from tabnet.server.core.rows import LoginNetworks
from tabnet.server.net.login_turns import LoginTurns
from tabnet.server.net.password_cache import PasswordCache

CARRY_PASSWORDS = (Register, Identified)

SALT_BYTES = 16
AT_A_TIME = 1
"""More would stall the games while many log in at once."""
KEY_BYTES = 32
PROOFS_KEPT = 8
"""How many hashed passwords a connection remembers."""


def scrypt(password: str, salt: bytes) -> bytes:
    """The digest that is kept instead of a password: 16 MiB and about 0.1 s of work."""
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=5, maxmem=64 * 1024 * 1024)


class Passwords:
    """Makes the proofs that the service compares; `LoginQueue` says whose password is next."""

    def __init__(self, accounts: Accounts, digest: Callable[[str, bytes], bytes] = scrypt) -> None:
        self._accounts = accounts
        self._digest = digest
        self._limiter = trio.CapacityLimiter(AT_A_TIME)
        self._turns = LoginTurns()
        self._failures = LoginFailures()
        self._network_failures = LoginFailures()
        """The same, by network instead of origin."""
        self._remembered = PasswordCache(secrets.token_bytes(KEY_BYTES))

    async def proof(
        self, origin: str, command: Register | Identified, known: dict[bytes, Proof]
    ) -> Proof | None:
        """The proof of a command's password; `known` are those of its connection.

        A command may carry its password every time: one that was right is hashed once, and again
        after a while on another connection.
        """
        nick, password = command.nick, command.password
        if nick is None or password is None:
            return None
        key = hashlib.sha256(f"{nick}\n{password}".encode()).digest()
        proof = known.get(key)
        if proof is not None and proof.salt == self._accounts.salt_of(nick):
            return proof
        proof = self._right_lately(origin, nick, password)
        if proof is None:
            proof = await self.prove(origin, nick, password, new=isinstance(command, Register))
        if proof is not None and self._accounts.accepts(nick, proof):
            if len(known) >= PROOFS_KEPT:
                known.clear()
            known[key] = proof
        return proof

    def _right_lately(self, origin: str, nick: str, password: str) -> Proof | None:
        """The proof of a password that needs no hashing; who guesses learns nothing from it."""
        if self._failures.delay(origin, nick, _now()):
            return None
        proof = self._remembered.find(origin, nick, password, _now())
        if proof is None or proof.salt != self._accounts.salt_of(nick):
            return None
        self._clear_failures(origin, nick)
        return proof

    async def prove(self, origin: str, nick: str, password: str, *, new: bool) -> Proof | None:
        """The password's proof under the salt of its nick; None if the nick is not registered.

        `new`: the nick may be registered with it. Raises `Refused` if there were too many wrong
        ones, or there is too much to do.
        """
        if not new and self._accounts.salt_of(nick) is None:
            return None
        self._require_patience(origin, nick)
        async with self._turns.turn(origin, self._priority(origin, nick)):
            self._require_patience(origin, nick)  # it may have waited for wrong ones
            proof = await self._hash(nick, password, new=new)
            if proof is not None:
                self._take_note(origin, nick, password, proof)
            return proof

    def note_login(self, origin: str, command: Command, proof: Proof | None) -> list[Effect]:
        """Make the command's nick familiar in its network, if `proof` is that of its password."""
        nick = command.nick if isinstance(command, CARRY_PASSWORDS) else None
        if nick is None or proof is None or self._accounts.salt_of(nick) is None:
            return []
        network = network_of(origin)
        if self._accounts.has_network(nick, network) or not self._accounts.accepts(nick, proof):
            return []
        return [SaveRow(LoginNetworks(nick, self._accounts.add_network(nick, network)))]

    def _priority(self, origin: str, nick: str) -> Priority:
        """Return the class of a login; guesses from a network make nobody familiar there."""
        if self._accounts.salt_of(nick) is None:
            return Priority.NEW
        network = network_of(origin)
        guessing = self._network_failures.are_many(network, nick, _now())
        if self._accounts.has_network(nick, network) and not guessing:
            return Priority.FAMILIAR
        return Priority.KNOWN

    async def _hash(self, nick: str, password: str, *, new: bool) -> Proof | None:
        """If somebody else registers the nick meanwhile, hash again under the salt that holds."""
        while True:
            salt = self._accounts.salt_of(nick)
            if salt is None and not new:
                return None
            salt = salt or secrets.token_bytes(SALT_BYTES)
            digest = await trio.to_thread.run_sync(
                self._digest, password, salt, limiter=self._limiter
            )
            if self._accounts.salt_of(nick) in (None, salt):
                return Proof(salt, digest)

    def _require_patience(self, origin: str, nick: str) -> None:
        wait = self._failures.delay(origin, nick, _now())
        if wait:
            text = f"too many wrong passwords for {nick}"
            raise Refused("too_many_logins", text, field="password", retry_after=ceil(wait / 1000))

    def _take_note(self, origin: str, nick: str, password: str, proof: Proof) -> None:
        if self._accounts.accepts(nick, proof):
            self._clear_failures(origin, nick)
            self._remembered.keep(origin, nick, password, proof, _now())
        else:
            self._failures.add(origin, nick, _now())
            self._network_failures.add(network_of(origin), nick, _now())

    def _clear_failures(self, origin: str, nick: str) -> None:
        self._failures.clear(origin, nick)
        self._network_failures.clear(network_of(origin), nick)


def _now() -> int:
    return int(trio.current_time() * 1000)
