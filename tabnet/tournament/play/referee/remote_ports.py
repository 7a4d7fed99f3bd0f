"""The ports for bots that connect from elsewhere, with TLS."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from tabnet.server.net.certificate import Identity
from tabnet.tournament.play.referee.match_server import LOOPBACK


@frozen
class RemotePorts:
    """The address and the certificate of these ports, and their announcement."""

    identity: Callable[[], Identity]
    """The certificate, created on first use."""
    say: Callable[[str], None]
    host: str = LOOPBACK

    def announce(self, nick: str, password: str, port: int, join: str) -> None:
        at = f"[{self.host}]" if ":" in self.host else self.host
        self.say(
            f"waiting for {nick} at {at}:{port} with TLS, certificate sha256:"
            f"{self.identity().fingerprint}, password {password}; to be sent: {join}"
        )
