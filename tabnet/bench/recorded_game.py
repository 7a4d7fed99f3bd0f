"""A random game of Tab with every frame of the real service."""

from __future__ import annotations

import random
from typing import Any

from attrs import define

from tabnet.protocol import messages as m
from tabnet.protocol.codec import build_command, dump_frame
from tabnet.server.core.effects import Send
from tabnet.server.core.service import Service

BLUE, RED = "guest-00000000", "guest-11111111"
"""Nicks as long as those of guests."""


@define
class RecordedUpdate:
    """An update, and the reply to `moves` after it."""

    update: dict[str, Any]
    moves: dict[str, Any]


def record_random_game(rng: random.Random) -> list[RecordedUpdate]:
    """Return a whole game, one element for each update."""
    service = Service(rng.randbytes)
    for session, nick in enumerate((BLUE, RED)):
        service.connect(session)
        service.sessions.log_in(service.sessions[session], nick)
        started = service.handle(session, m.Join(group=1, options={"size": 9}), 0)
    steps = [_record_update(service, started)]
    while (turn := steps[-1].update["turn"]) is not None:
        moves = steps[-1].moves
        action = rng.choice(moves["actions"])
        fields = rng.choice(moves["moves"]) if action == "notify" else {}
        command = build_command({"cmd": action, **fields})
        effects = service.handle((BLUE, RED).index(turn), command, 0)
        steps.append(_record_update(service, effects))
    return steps


def _record_update(service: Service, effects: list[Any]) -> RecordedUpdate:
    frames = [dump_frame(effect.frame) for effect in effects if isinstance(effect, Send)]
    (update,) = [frame for frame in frames if frame["type"] == "update"]
    if "winner" in update:
        return RecordedUpdate(update, {})
    (asked,) = service.handle(0, m.Moves(game=update["game"]), 0)
    return RecordedUpdate(update, dump_frame(asked.frame) if isinstance(asked, Send) else {})
