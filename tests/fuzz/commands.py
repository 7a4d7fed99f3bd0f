"""The model's answer to each command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabnet.protocol.messages import COMMANDS
from tests.fuzz.match import Match, No
from tests.fuzz.world import Said, Wait, World
from tests.protocol_page import errors_of, errors_of_every_command

JSON = dict[str, Any]

DOCUMENTED = {cmd: {*errors_of(cmd), *errors_of_every_command()} for cmd in COMMANDS}
"""The codes with which protocol.md says that a command can be refused."""


def hear(world: World, cmd: str, said: Said) -> None:
    """The server has been told a command and has answered: was that the answer?"""
    world.pass_time(said.now)
    codes: tuple[str, ...] = ()
    try:
        expected = ANSWERS[cmd](world, said)
    except No as refused:
        codes = refused.codes
    if codes:
        assert said.reply.get("code") in codes, f"{said.reply} should be {codes}"
        assert said.reply["code"] in DOCUMENTED[cmd], f"protocol.md, {cmd}: {said.reply}"
    else:
        assert said.reply == expected, f"{said.reply} should be {expected}"


def register(world: World, said: Said) -> JSON:
    nick, password = said.fields["nick"], said.fields["password"]
    if nick.startswith(("guest-", "house-")):
        raise No("reserved_nick")
    if world.passwords.setdefault(nick, password) != password:
        raise No("wrong_password")
    world.logins[said.session] = nick
    return {}


def join(world: World, said: Said) -> JSON:
    return world.join(world.who(said), said)


def leave(world: World, said: Said) -> JSON:
    game, nick = world.seat(said)
    if isinstance(game, Wait):
        world.stop_waiting(game, nick)
    else:
        before = len(game.updates)
        game.leave(game.nicks.index(nick), said.now)
        world.tell_news(game, before)
    return {}


def begun(game: Wait | Match) -> Match:
    if isinstance(game, Wait):
        raise No("waiting")
    return game


def done(world: World, said: Said, match: Match, nick: str, before: int) -> JSON:
    """Mark the player as present, and push an update."""
    if world.sit(said.session, match.game, nick):
        world.tell_presence(match)
    world.tell_news(match, before)
    return {}


def play(world: World, said: Said, cmd: str) -> JSON:
    game, nick = world.seat(said)
    match = begun(game)
    before = len(match.updates)
    try:
        match.play(
            match.nicks.index(nick), cmd, moves_of(said.fields), said.reply.get("code"), said.now
        )
    except No:
        if len(match.updates) > before:
            done(world, said, match, nick, before)
        raise
    return done(world, said, match, nick, before)


def moves_of(fields: JSON) -> JSON:
    return {
        name: fields[name] for name in ("cell", "place", "from", "to", "route") if name in fields
    }


def salt(world: World, said: Said) -> JSON:
    game, nick = world.seat(said)
    match = begun(game)
    before = len(match.updates)
    match.salt(match.nicks.index(nick), said.fields["salt"], said.now)
    return done(world, said, match, nick, before)


def draw(world: World, said: Said) -> JSON:
    game, nick = world.seat(said)
    match = begun(game)
    before = len(match.updates)
    match.draw(match.nicks.index(nick), said.fields["offer"], said.now)
    return done(world, said, match, nick, before)


def update(world: World, said: Said) -> JSON:
    game, nick = world.about(said)
    updates = game.updates if isinstance(game, Match) else []
    since = said.fields.get("since", max(len(updates) - 1, 0))
    if since > len(updates):
        raise No("bad_value")
    arrived = False
    if isinstance(game, Wait) or not game.result:
        world.follows[said.session].add(game.game)
        arrived = nick in game.nicks and world.sit(said.session, game.game, nick)
    world.due[said.session] += updates[since:]
    if arrived and isinstance(game, Match):
        world.tell_presence(game)
    return {}


def state(world: World, said: Said) -> JSON:
    game, _ = world.about(said)
    online = {nick: world.is_there(game.game, nick) for nick in game.nicks}
    if isinstance(game, Wait):
        return {"game": game.game, "status": "waiting", "online": online}
    told = {"game": game.game, "update": game.updates[-1], "clock": game.clock(said.now)}
    if game.result:
        return told | {"status": "ended"}
    return told | {"status": "playing", "online": online}


def moves(world: World, said: Said) -> JSON:
    match = begun(world.about(said)[0])
    player = said.fields.get("player")
    if player is not None and player not in match.nicks:
        raise No("no_seat")
    if match.turn is None or match.owing():
        return {"moves": [], "actions": []}
    seat = match.turn if player is None else match.nicks.index(player)
    told = said.reply.get("moves", [])
    legal = match.position.could_play(seat)
    assert sorted(map(str, told)) == sorted(map(str, legal))
    return {"moves": told, "actions": [match.position.expects()] if seat == match.turn else []}


def check(world: World, said: Said) -> JSON:
    game, nick = world.seat(said)
    codes = {"waiting"}
    if isinstance(game, Match):
        seat, fields = game.nicks.index(nick), moves_of(said.fields)
        codes = game.why_not(seat, said.fields["command"], fields)
    if not codes:
        return {"ok": True}
    assert said.reply.get("reason_code") in codes, f"{said.reply} should be {codes}"
    return {"ok": False, "reason": said.reply["reason"], "reason_code": said.reply["reason_code"]}


def ranking(world: World, said: Said) -> JSON:
    fields = said.fields
    board = (fields.get("kind", "tab"), fields.get("size"), fields.get("group"))
    by_points = board[0] == "plakoto"
    lines = [
        (-points if by_points else 0, -won, games, nick)
        for nick, (won, games, points) in world.scores[board].items()
    ]
    best = [
        {"nick": nick, "victories": -won, "games": games}
        | ({"points": -points} if by_points else {})
        for points, won, games, nick in sorted(lines)[:10]
    ]
    return {"ranking": best}


def games(world: World, said: Said) -> JSON:
    kind = said.fields.get("kind")
    running = [
        {
            "game": match.game,
            **terms_of(match),
            "players": match.updates[0]["players"],
            "turn": match.nicks[match.turn] if match.turn is not None else None,
            "seq": len(match.updates),
        }
        for match in reversed(world.running().values())
        if kind in (None, match.terms.kind)
    ]
    waiting = [
        {
            **terms_of(wait),
            "clock": dict(wait.terms.clock),
            "strict": wait.terms.strict,
            "players": len(wait.players),
            **({"seats": wait.terms.seats} if wait.terms.kind == "fish" else {}),
        }
        for wait in reversed(world.waits.values())
        if wait.invite is None and kind in (None, wait.terms.kind)
    ]
    return {"games": running[:100], "waiting": waiting[:100]}


def terms_of(game: Wait | Match) -> JSON:
    group = {} if game.terms.group is None else {"group": game.terms.group}
    return {"kind": game.terms.kind, "options": game.terms.options, **group}


ANSWERS: dict[str, Callable[[World, Said], JSON]] = {
    "register": register,
    "join": join,
    "leave": leave,
    "roll": lambda world, said: play(world, said, "roll"),
    "pass": lambda world, said: play(world, said, "pass"),
    "notify": lambda world, said: play(world, said, "notify"),
    "salt": salt,
    "draw": draw,
    "update": update,
    "state": state,
    "moves": moves,
    "check": check,
    "ranking": ranking,
    "games": games,
    "ping": lambda _world, _said: {},
}
