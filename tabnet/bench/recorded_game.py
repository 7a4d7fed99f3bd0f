"""A random game of Tab with every frame of the real service."""

from __future__ import annotations

import random
from typing import Any

from attrs import define

from tabnet.protocol import messages as m
from tabnet.protocol.codec import build_command, dump_frame
from tabnet.protocol.frames import PlayerTurn, Snapshot
from tabnet.server.core.effects import Send
from tabnet.server.core.service import Service

BLUE, RED = "guest-00000000", "guest-11111111"
"""Nicks as long as those of guests."""


@define
class RecordedStep:
    """The frames that follow a command, each with the seats that receive it."""

    frames: list[tuple[tuple[int, ...], dict[str, Any]]]
    moves: dict[str, Any]
    """The reply to `moves` after them; empty at the end."""


def record_random_game(rng: random.Random, feed: str) -> list[RecordedStep]:
    """Return a whole game, one element for each action, as followers with that feed see it."""
    service = Service(rng.randbytes)
    for seat, nick in enumerate((BLUE, RED)):
        service.connect(seat)
        service.sessions.log_in(service.sessions[seat], nick)
        started = service.handle(seat, m.Join(group=1, options={"size": 9}, feed=feed), 0)
    (game,) = service.games.playing
    steps = [_record_step(service, started, game)]
    while game in service.games.playing:
        match, moves = service.games.playing[game], steps[-1].moves
        action = rng.choice(moves["actions"])
        fields = rng.choice(moves["moves"]) if action == "notify" else {}
        command = build_command({"cmd": action, **fields})
        effects = service.handle(match.turn or 0, command, 0)
        steps.append(_record_step(service, effects, game))
    return steps


def _record_step(service: Service, effects: list[Any], game: str) -> RecordedStep:
    frames = [
        (effect.to, dump_frame(effect.frame))
        for effect in effects
        if isinstance(effect, Send) and isinstance(effect.frame, Snapshot | PlayerTurn)
    ]
    if game not in service.games.playing:
        return RecordedStep(frames, {})
    (asked,) = service.handle(0, m.Moves(game=game), 0)
    return RecordedStep(frames, dump_frame(asked.frame) if isinstance(asked, Send) else {})
