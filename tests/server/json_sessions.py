"""A service spoken to in JSON by sessions, who are told at once what it sends them."""

from __future__ import annotations

import json

from tabnet.protocol import codec
from tabnet.server.core.costs.client_origin import LOCAL
from tabnet.server.core.effects import Send, SendHistory
from tabnet.server.core.players.accounts import Proof
from tabnet.server.core.service import Service
from tabnet.server.core.update_frames import make_update

PASSWORD = "x"
PROOF = Proof(b"salt", b"digest")
"""Everybody has the same password."""


class JsonSessions:
    """Speaks to a service for any number of sessions."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.sent: dict = {}
        self.others: list = []
        """The other effects of the service."""

    def enter(self, session, nick=None, origin=LOCAL):
        """Open a session, and register it if a nick is given."""
        self.sent[session] = []
        self.service.connect(session, origin=origin)
        if nick is not None:
            assert "code" not in self.say(session, cmd="register", nick=nick, password=PASSWORD)[0]
        self.sent[session].clear()
        return session

    def say(self, session, **fields):
        """Send a command; gives back what that session was sent at once."""
        before = len(self.sent[session])
        command = codec.decode(json.dumps(fields).encode())
        self.perform(self.service.handle(session, command, 0, PROOF))
        return self.sent[session][before:]

    def perform(self, effects):
        for effect in effects:
            if isinstance(effect, SendHistory):
                numbers = range(effect.first, effect.last + 1)
                self.perform(
                    [Send((effect.to,), make_update(effect.match, seq)) for seq in numbers]
                )
            elif isinstance(effect, Send):
                for to in effect.to:
                    self.sent[to].append(codec.dump_frame(effect.frame))
            else:
                self.others.append(effect)
