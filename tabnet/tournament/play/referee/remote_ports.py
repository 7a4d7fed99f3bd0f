"""The door for players who connect from elsewhere, over TLS."""

from __future__ import annotations

from collections.abc import Callable
from ssl import SSLContext

from attrs import frozen

from tabnet.server.net.certificate import Identity
from tabnet.tournament.play.referee.match_server import LOOPBACK


@frozen
class RemotePorts:
    """Where they come in, and how they are told."""

    identity: Callable[[], Identity]
    """The certificate; made when the first is needed."""
    say: Callable[[str], None]
    host: str = LOOPBACK
    grace_s: float = 30
    """How long they may take to come back after a lost connection."""

    def context(self) -> SSLContext:
        """The settings of TLS."""
        return self.identity().context

    def announce(self, nick: str, password: str, port: int, join: str) -> None:
        """Tell where somebody is waited for."""
        at = f"[{self.host}]" if ":" in self.host else self.host
        self.say(
            f"waiting for {nick} at {at}:{port} with TLS, certificate sha256:"
            f"{self.identity().fingerprint}, password {password}; to be sent: {join}"
        )
