"""Nicks, password digests and seat tokens. Pure: hashing and randomness happen outside."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from attrs import define, field, frozen

from tabnet.errors import Refused
from tabnet.server.core.players.nick_rules import require_new_nick

MAX_NETWORKS = 4
"""The number of networks that are stored for each nick."""


@frozen
class Proof:
    """The slow digest of a password under a salt: the form in which it is stored."""

    salt: bytes
    digest: bytes


@define
class Accounts:
    """The registered nicks, and the token of each seat."""

    _proofs: dict[str, Proof] = field(factory=dict)
    _banned: dict[str, str] = field(factory=dict)
    _networks: dict[str, tuple[str, ...]] = field(factory=dict)
    """The networks from which each nick has logged in, the latest new network last."""
    _seats: dict[bytes, tuple[str, str]] = field(factory=dict)
    _tokens: dict[tuple[str, str], bytes] = field(factory=dict)

    def knows(self, nick: str) -> bool:
        """Return True if the nick is registered."""
        return nick in self._proofs

    def get_salt(self, nick: str) -> bytes | None:
        """Return the salt under which to hash a password for this nick; None for a new nick."""
        proof = self._proofs.get(nick)
        return proof.salt if proof else None

    def register(self, nick: str, proof: Proof) -> bool:
        """Register a nick or check its password; return True if it is new."""
        if nick in self._proofs:
            self.check(nick, proof)
            return False
        require_new_nick(nick)
        self.set_proof(nick, proof)
        return True

    def set_proof(self, nick: str, proof: Proof) -> None:
        """Replace the nick's password."""
        self._proofs[nick] = proof

    def ban(self, nick: str, reason: str | None) -> None:
        """Ban the nick; without a reason, lift its ban."""
        self._banned.pop(nick, None)
        if reason is not None:
            self._banned[nick] = reason

    @property
    def banned(self) -> Mapping[str, str]:
        """The reason for each banned nick."""
        return self._banned

    def check(self, nick: str, proof: Proof | None) -> None:
        """Refuse a nick that is not registered, or not with this password."""
        known = self._proofs.get(nick)
        if known is None:
            raise Refused(
                "not_registered", f"{nick} is not registered", field="nick", hint="register first"
            )
        if proof is None or not hmac.compare_digest(known.digest, proof.digest):
            raise Refused(
                "wrong_password", "User registered with a different password", field="password"
            )
        if nick in self._banned:
            raise Refused("banned", f"{nick} is banned: {self._banned[nick]}", field="nick")

    def accepts(self, nick: str, proof: Proof) -> bool:
        """Return True if the nick is free, or registered with this password."""
        known = self._proofs.get(nick)
        return known is None or hmac.compare_digest(known.digest, proof.digest)

    def has_network(self, nick: str, network: str) -> bool:
        """Return True if the nick has logged in from the network, and not from many since."""
        return network in self._networks.get(nick, ())

    def add_network(self, nick: str, network: str) -> tuple[str, ...]:
        """Add a network to those of the nick, the oldest of which may go; return them."""
        self._networks[nick] = (*self._networks.get(nick, ()), network)[-MAX_NETWORKS:]
        return self._networks[nick]

    def set_networks(self, nick: str, networks: tuple[str, ...]) -> None:
        """Replace the networks of the nick."""
        self._networks[nick] = networks

    def give_token(self, game: str, nick: str, digest: bytes) -> None:
        """Make the token with that digest valid for the seat; an older token becomes invalid."""
        self.void_token(game, nick)
        self._seats[digest] = (game, nick)
        self._tokens[game, nick] = digest

    def knows_token(self, token: str) -> bool:
        """Return True if the token is valid for a seat."""
        return digest_token(token) in self._seats

    def find_seat_of_token(self, token: str) -> tuple[str, str]:
        """Return the game and nick that a token is valid for."""
        seat = self._seats.get(digest_token(token))
        if seat is None:
            raise Refused("bad_token", "this token belongs to no seat", field="token")
        return seat

    def void_token(self, game: str, nick: str) -> None:
        """Make the token of the seat invalid."""
        digest = self._tokens.pop((game, nick), None)
        if digest is not None:
            del self._seats[digest]


def digest_token(token: str) -> bytes:
    """Return the digest that is stored of a token: nobody who reads it can play the seat."""
    return hashlib.sha256(token.encode()).digest()
