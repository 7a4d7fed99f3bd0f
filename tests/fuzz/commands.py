"""The model's answer to each command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabnet.protocol.messages import COMMANDS
from tests.fuzz.match import Match, Refusal
from tests.fuzz.model import Exchange, Model, Wait
from tests.protocol_page import errors_of, errors_of_every_command

JSON = dict[str, Any]

DOCUMENTED = {cmd: {*errors_of(cmd), *errors_of_every_command()} for cmd in COMMANDS}
"""The codes with which protocol.md says that a command can be refused."""


def check_reply(model: Model, cmd: str, exchange: Exchange) -> None:
    """Check the reply of the server to a command."""
    model.pass_time(exchange.now)
    codes: tuple[str, ...] = ()
    try:
        expected = ANSWERS[cmd](model, exchange)
    except Refusal as refused:
        codes = refused.codes
    if codes:
        assert exchange.reply.get("code") in codes, f"{exchange.reply} should be {codes}"
        assert exchange.reply["code"] in DOCUMENTED[cmd], f"protocol.md, {cmd}: {exchange.reply}"
    else:
        assert exchange.reply == expected, f"{exchange.reply} should be {expected}"


def register(model: Model, exchange: Exchange) -> JSON:
    nick, password = exchange.fields["nick"], exchange.fields["password"]
    if nick.startswith(("guest-", "house-")):
        raise Refusal("reserved_nick")
    if model.passwords.setdefault(nick, password) != password:
        raise Refusal("wrong_password")
    model.logins[exchange.session] = nick
    return {}


def join(model: Model, exchange: Exchange) -> JSON:
    nick = model.login_of(exchange)
    if "again" in exchange.fields:
        return model.join_again(exchange)
    if "token" in exchange.fields:
        raise Refusal("bad_value")
    return model.join(nick, exchange)


def leave(model: Model, exchange: Exchange) -> JSON:
    game, nick = model.seat(exchange)
    if isinstance(game, Wait):
        model.stop_waiting(game, nick)
    else:
        before = len(game.updates)
        game.leave(game.nicks.index(nick), exchange.now)
        model.tell_news(game, before)
    return {}


def begun(game: Wait | Match) -> Match:
    if isinstance(game, Wait):
        raise Refusal("waiting")
    return game


def done(model: Model, exchange: Exchange, match: Match, nick: str, before: int) -> JSON:
    """Mark the player as present, and push an update."""
    if model.sit(exchange.session, match.game, nick):
        model.tell_presence(match)
    model.tell_news(match, before)
    return {}


def play(model: Model, exchange: Exchange, cmd: str) -> JSON:
    game, nick = model.seat(exchange)
    match = begun(game)
    before = len(match.updates)
    try:
        match.play(
            match.nicks.index(nick),
            cmd,
            moves_of(exchange.fields),
            exchange.reply.get("code"),
            exchange.now,
        )
    except Refusal:
        if len(match.updates) > before:
            done(model, exchange, match, nick, before)
        raise
    return done(model, exchange, match, nick, before)


def moves_of(fields: JSON) -> JSON:
    return {
        name: fields[name] for name in ("cell", "place", "from", "to", "route") if name in fields
    }


def salt(model: Model, exchange: Exchange) -> JSON:
    game, nick = model.seat(exchange)
    match = begun(game)
    before = len(match.updates)
    match.salt(match.nicks.index(nick), exchange.fields["salt"], exchange.now)
    return done(model, exchange, match, nick, before)


def draw(model: Model, exchange: Exchange) -> JSON:
    game, nick = model.seat(exchange)
    match = begun(game)
    before = len(match.updates)
    match.draw(match.nicks.index(nick), exchange.fields["offer"], exchange.now)
    return done(model, exchange, match, nick, before)


def update(model: Model, exchange: Exchange) -> JSON:
    game, nick = model.about(exchange)
    updates = game.updates if isinstance(game, Match) else []
    since = exchange.fields.get("since", max(len(updates) - 1, 0))
    if since > len(updates):
        raise Refusal("bad_value")
    arrived = False
    if isinstance(game, Wait) or not game.result:
        model.follows[exchange.session].add(game.game)
        arrived = nick in game.nicks and model.sit(exchange.session, game.game, nick)
    model.due[exchange.session] += updates[since:]
    if arrived and isinstance(game, Match):
        model.tell_presence(game)
    return {}


def state(model: Model, exchange: Exchange) -> JSON:
    game: Wait | Match | None
    if "invite" in exchange.fields:
        if "game" in exchange.fields or "token" in exchange.fields:
            raise Refusal("bad_value")
        game = model.find_invited(exchange)
    else:
        game, _ = model.about(exchange)
    online = {nick: model.is_there(game.game, nick) for nick in game.nicks}
    if isinstance(game, Wait):
        wait = describe_wait(game)
        return {"game": game.game, "status": "waiting", "online": online, "wait": wait}
    reply = {"game": game.game, "update": game.updates[-1], "clock": game.clock(exchange.now)}
    if game.result:
        asked = [wait.nicks for wait in model.waits.values() if wait.again == game.game]
        return reply | {"status": "ended"} | ({"again": asked[0]} if asked else {})
    return reply | {"status": "playing", "online": online}


def moves(model: Model, exchange: Exchange) -> JSON:
    match = begun(model.about(exchange)[0])
    player = exchange.fields.get("player")
    if player is not None and player not in match.nicks:
        raise Refusal("no_seat")
    if match.turn is None or match.owing():
        return {"moves": [], "actions": []}
    wanted = moves_of(exchange.fields)
    seats = [match.turn] if not wanted else [*range(len(match.nicks))]
    if player is not None:
        seats = [match.nicks.index(player)]
    legal = [move for seat in seats for move in match.position.could_play(seat)]
    listed = exchange.reply.get("moves", [])
    fitting = [move for move in legal if all(fits(move, *field) for field in wanted.items())]
    assert sorted(map(str, listed)) == sorted(map(str, fitting))
    in_turn = player in (None, match.nicks[match.turn])
    return {"moves": listed, "actions": [match.position.expects()] if in_turn else []}


def fits(move: JSON, name: str, value: Any) -> bool:
    """Return True if a field of a move is the value, or a list that begins like it."""
    if isinstance(value, list):
        return list(move.get(name, []))[: len(value)] == value
    return bool(move.get(name) == value)


def check(model: Model, exchange: Exchange) -> JSON:
    game, nick = model.seat(exchange)
    codes = {"waiting"}
    if isinstance(game, Match):
        seat, fields = game.nicks.index(nick), moves_of(exchange.fields)
        codes = game.why_not(seat, exchange.fields["command"], fields)
    if not codes:
        return {"ok": True}
    assert exchange.reply.get("reason_code") in codes, f"{exchange.reply} should be {codes}"
    return {
        "ok": False,
        "reason": exchange.reply["reason"],
        "reason_code": exchange.reply["reason_code"],
        **{name: exchange.reply[name] for name in ("reason_hint",) if name in exchange.reply},
    }


def ranking(model: Model, exchange: Exchange) -> JSON:
    fields = exchange.fields
    board = (fields.get("kind", "tab"), fields.get("size"), fields.get("group"))
    by_points = board[0] == "plakoto"
    lines = [
        (-points if by_points else 0, -won, games, nick)
        for nick, (won, games, points) in model.scores[board].items()
    ]
    best = [
        {"nick": nick, "victories": -won, "games": games}
        | ({"points": -points} if by_points else {})
        for points, won, games, nick in sorted(lines)[:10]
    ]
    return {"ranking": best}


def games(model: Model, exchange: Exchange) -> JSON:
    kind = exchange.fields.get("kind")
    running = [
        {
            "game": match.game,
            **terms_of(match),
            "players": match.updates[0]["players"],
            "turn": match.nicks[match.turn] if match.turn is not None else None,
            "seq": len(match.updates),
        }
        for match in reversed(model.running().values())
        if kind in (None, match.terms.kind)
    ]
    waiting = [
        describe_wait(wait)
        for wait in reversed(model.waits.values())
        if wait.invite is None and kind in (None, wait.terms.kind)
    ]
    return {"games": running[:100], "waiting": waiting[:100]}


def describe_wait(wait: Wait) -> JSON:
    return {
        **terms_of(wait),
        "clock": dict(wait.terms.clock),
        "strict": wait.terms.strict,
        "players": len(wait.players),
        **({"seats": wait.terms.seats} if wait.terms.kind == "fish" else {}),
    }


def terms_of(game: Wait | Match) -> JSON:
    group = {} if game.terms.group is None else {"group": game.terms.group}
    return {"kind": game.terms.kind, "options": game.terms.options, **group}


ANSWERS: dict[str, Callable[[Model, Exchange], JSON]] = {
    "register": register,
    "join": join,
    "leave": leave,
    "roll": lambda model, exchange: play(model, exchange, "roll"),
    "pass": lambda model, exchange: play(model, exchange, "pass"),
    "notify": lambda model, exchange: play(model, exchange, "notify"),
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
