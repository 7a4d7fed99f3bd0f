"""Hashes passwords in a thread, one at a time, in the order of `LoginQueue`."""

from __future__ import annotations

import hashlib
import itertools
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import ceil

import trio

from tabnet.errors import Refused
from tabnet.protocol.messages import Command, Identified, Register
from tabnet.server.core.costs.client_origin import find_network
from tabnet.server.core.effects import Effect, SaveRow
from tabnet.server.core.players.accounts import Accounts, Proof
from tabnet.server.core.players.login_failures import LoginFailures
from tabnet.server.core.players.login_queue import LoginQueue, Priority, WaitingLogin
from tabnet.server.core.rows import LoginNetworks
from tabnet.server.net.password_cache import PasswordCache
from tabnet.server.net.server_clock import now

CARRY_PASSWORDS = (Register, Identified)

SALT_BYTES = 16
MAX_THREADS = 1
"""More threads would stall the games while many players log in at once."""
KEY_BYTES = 32
MAX_CACHED = 8
"""The number of hashed passwords that a connection caches."""

LONGEST_WAIT_S = 30
"""The time that a password may wait for its turn."""


def digest_password(password: str, salt: bytes) -> bytes:
    """Return the digest that is stored of a password: 16 MiB and about 0.1 s of work."""
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=5, maxmem=64 * 1024 * 1024)


class Passwords:
    """Makes the proofs of passwords that the service compares."""

    def __init__(
        self, accounts: Accounts, digest: Callable[[str, bytes], bytes] = digest_password
    ) -> None:
        self._accounts = accounts
        self._digest = digest
        self._limiter = trio.CapacityLimiter(MAX_THREADS)
        self._turns = LoginTurns()
        self._failures = LoginFailures()
        self._network_failures = LoginFailures()
        """Wrong passwords by network instead of origin."""
        self._cache = PasswordCache(secrets.token_bytes(KEY_BYTES))

    async def make_proof(
        self, origin: str, command: Register | Identified, known: dict[bytes, Proof]
    ) -> Proof | None:
        """Return the proof of a command's password; `known` are those of its connection.

        A password may come with every command. A correct one is hashed once for its connection, and
        cached for some time for other connections of its origin.
        """
        nick, password = command.nick, command.password
        if nick is None or password is None:
            return None
        key = hashlib.sha256(f"{nick}\n{password}".encode()).digest()
        proof = known.get(key)
        if proof is not None and proof.salt == self._accounts.get_salt(nick):
            return proof
        proof = self._cached(origin, nick, password)
        if proof is None:
            proof = await self.prove(origin, nick, password, new=isinstance(command, Register))
        if proof is not None and self._accounts.accepts(nick, proof):
            if len(known) >= MAX_CACHED:
                known.clear()
            known[key] = proof
        return proof

    def _cached(self, origin: str, nick: str, password: str) -> Proof | None:
        """Return the cached proof of a password; None during a delay, so that guesses fail."""
        if self._failures.compute_delay(origin, nick, now()):
            return None
        proof = self._cache.find(origin, nick, password, now())
        if proof is None or proof.salt != self._accounts.get_salt(nick):
            return None
        self._clear_failures(origin, nick)
        return proof

    async def prove(self, origin: str, nick: str, password: str, *, new: bool) -> Proof | None:
        """Hash a password under the salt of its nick; return None if the nick is not registered.

        With `new`, the nick may be registered by it. Raise `Refused` after too many wrong
        passwords, or if too many logins wait.
        """
        if not new and self._accounts.get_salt(nick) is None:
            return None
        self._require_no_delay(origin, nick)
        async with self._turns.take_turn(origin, self._priority(origin, nick)):
            self._require_no_delay(origin, nick)  # wrong ones may have come before its turn
            proof = await self._hash(nick, password, new=new)
            if proof is not None:
                self._note_result(origin, nick, password, proof)
            return proof

    def note_login(self, origin: str, command: Command, proof: Proof | None) -> list[Effect]:
        """Note the network of a login, if `proof` is correct and the network is new."""
        nick = command.nick if isinstance(command, CARRY_PASSWORDS) else None
        if nick is None or proof is None or self._accounts.get_salt(nick) is None:
            return []
        network = find_network(origin)
        if self._accounts.has_network(nick, network) or not self._accounts.accepts(nick, proof):
            return []
        return [SaveRow(LoginNetworks(nick, self._accounts.add_network(nick, network)))]

    def _priority(self, origin: str, nick: str) -> Priority:
        """Return the class of a login; many wrong passwords make its network unfamiliar."""
        if self._accounts.get_salt(nick) is None:
            return Priority.NEW
        network = find_network(origin)
        is_guessing = self._network_failures.are_many(network, nick, now())
        if self._accounts.has_network(nick, network) and not is_guessing:
            return Priority.FAMILIAR
        return Priority.KNOWN

    async def _hash(self, nick: str, password: str, *, new: bool) -> Proof | None:
        """Hash a password; hash it again if the salt of the nick has changed meanwhile."""
        while True:
            salt = self._accounts.get_salt(nick)
            if salt is None and not new:
                return None
            salt = salt or secrets.token_bytes(SALT_BYTES)
            digest = await trio.to_thread.run_sync(
                self._digest, password, salt, limiter=self._limiter
            )
            if self._accounts.get_salt(nick) in (None, salt):
                return Proof(salt, digest)

    def _require_no_delay(self, origin: str, nick: str) -> None:
        if delay := self._failures.compute_delay(origin, nick, now()):
            text = f"too many wrong passwords for {nick}"
            raise Refused("too_many_logins", text, field="password", retry_after=ceil(delay / 1000))

    def _note_result(self, origin: str, nick: str, password: str, proof: Proof) -> None:
        if self._accounts.accepts(nick, proof):
            self._clear_failures(origin, nick)
            self._cache.add(origin, nick, password, proof, now())
        else:
            self._failures.add(origin, nick, now())
            self._network_failures.add(find_network(origin), nick, now())

    def _clear_failures(self, origin: str, nick: str) -> None:
        self._failures.clear(origin, nick)
        self._network_failures.clear(find_network(origin), nick)


class LoginTurns:
    """The logins that wait, and the one whose turn it is."""

    def __init__(self) -> None:
        self._queue = LoginQueue()
        self._numbers = itertools.count()
        self._decisions: dict[WaitingLogin, trio.Event] = {}
        """Each is set when it is the login's turn, or when the login is dropped."""
        self._served: WaitingLogin | None = None

    @asynccontextmanager
    async def take_turn(self, origin: str, priority: Priority) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the block; raise `Refused` if none comes."""
        login = WaitingLogin(next(self._numbers), priority, find_network(origin), origin)
        self._decisions[login] = decision = trio.Event()
        surplus = self._queue.add(login)
        if surplus is not None:
            self._decisions[surplus].set()
        self._serve_next()
        try:
            with trio.move_on_after(LONGEST_WAIT_S):
                await decision.wait()
            if self._served is not login:
                text = "the server has too many passwords to check"
                raise Refused("busy_logins", text, retry_after=LONGEST_WAIT_S)
            yield
        finally:
            self._queue.remove(login)
            del self._decisions[login]
            if self._served is login:
                self._served = None
                self._serve_next()

    def _serve_next(self) -> None:
        if self._served is None:
            self._served = self._queue.take()
            if self._served is not None:
                self._decisions[self._served].set()
