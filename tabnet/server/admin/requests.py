"""What the operator orders a running server to do. Pure: orders and time in, effects out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabnet.errors import Refused, TabnetError
from tabnet.server.core.accounts import Proof
from tabnet.server.core.effects import Close, Effect, Log, Record
from tabnet.server.core.match import Match
from tabnet.server.core.rows import Banned, Registered
from tabnet.server.core.service import Service

JSON = dict[str, Any]


def execute(service: Service, order: JSON, now: int) -> tuple[JSON, list[Effect]]:
    """Carry an order out; the answer has `done`, or the `error` for which nothing was changed."""
    timeouts = service.tick(now)
    act = ORDERS.get(order["do"])
    if act is None:  # from a newer tabnet
        return {"error": f"this server cannot {order['do']}"}, timeouts
    try:
        done, effects = act(service, order, now)
    except TabnetError as error:
        return {"error": error.text}, timeouts
    return {"done": done}, [*timeouts, Log("order", {"do": order["do"], "done": done}), *effects]


def _end(service: Service, order: JSON, now: int) -> tuple[str, list[Effect]]:
    """End a game, or a wait, without a winner."""
    game = service.games.find(order["game"])
    if not isinstance(game, Match):
        service.games.lobby.remove(game)
        return f"the wait of {' and '.join(game.nicks)} is over", service.end_wait(game, game.nicks)
    before = game.seq
    game.end(now)
    return f"the game of {' and '.join(game.nicks)} is over", service.news(game, before)


def _reset_password(service: Service, order: JSON, _: int) -> tuple[str, list[Effect]]:
    """Give a nick another password; who is logged in under it has to log in again."""
    nick, proof = order["nick"], Proof(bytes.fromhex(order["salt"]), bytes.fromhex(order["digest"]))
    _require_registered(service, nick)
    service.accounts.set_proof(nick, proof)
    gone: list[Effect] = [Close(session) for session in service.sessions.logged_in(nick)]
    kept = Record(Registered(nick, proof.salt, proof.digest))
    return f"{nick} has a new password", [kept, *gone]


def _ban(service: Service, order: JSON, now: int) -> tuple[str, list[Effect]]:
    """Let a nick in no more: its games are given up, its connections closed. Or let it in again."""
    nick, reason = order["nick"], order["reason"]
    _require_registered(service, nick)
    service.accounts.ban(nick, reason)
    kept = Record(Banned(nick, reason))
    if reason is None:
        return f"{nick} may come in again", [kept]
    effects: list[Effect] = [kept]
    for id in service.games.games_of(nick):
        game = service.games.find(id)
        if isinstance(game, Match):
            before = game.seq
            game.leave(game.nicks.index(nick), now)
            effects += service.news(game, before)
        else:
            effects += service.stop_waiting(game, nick)
    return f"{nick} is banned", [*effects, *map(Close, service.sessions.logged_in(nick))]


def _require_registered(service: Service, nick: str) -> None:
    if service.accounts.salt_of(nick) is None:
        raise Refused("not_registered", f"{nick} is not registered", field="nick")


ORDERS: dict[str, Callable[[Service, JSON, int], tuple[str, list[Effect]]]] = {
    "end": _end,
    "reset-password": _reset_password,
    "ban": _ban,
}
