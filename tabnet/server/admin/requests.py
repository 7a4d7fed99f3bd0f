"""Executes requests of the operator on the service. Pure: requests and time in, effects out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

from attrs import frozen

from tabnet.errors import Refused, TabnetError
from tabnet.protocol.frames import Bye
from tabnet.server.admin.listing import list_server
from tabnet.server.core.effects import Close, CloseBanned, Effect, Log, SaveRow, Send
from tabnet.server.core.matches.match import Match
from tabnet.server.core.players.accounts import Proof
from tabnet.server.core.players.banned_addresses import parse_range
from tabnet.server.core.rows import (
    JSON,
    AddressBanned,
    Banned,
    Registered,
    RoomOpened,
    SetAsideEnded,
)
from tabnet.server.core.service import Service

Handler: TypeAlias = Callable[[Service, JSON, int], tuple[Any, list[Effect]]]


def execute(service: Service, request: Any, now: int) -> tuple[JSON, list[Effect]]:
    """Execute a request; the response has `done`, or an `error`, and then nothing has changed."""
    timeouts = service.apply_timeouts(now)
    try:
        request_type = _require_type(request)
        done, effects = request_type.execute(service, request, now)
    except TabnetError as error:
        return {"error": error.text}, timeouts
    if request_type.changes:
        effects = [Log("admin", {"do": request["do"], "done": done}), *effects]
    return {"done": done}, [*timeouts, *effects]


def _require_type(request: Any) -> RequestType:
    """Return the type of a well-formed request."""
    do = request.get("do") if isinstance(request, dict) else None
    request_type = REQUESTS.get(do) if isinstance(do, str) else None
    if request_type is None:  # from a newer tabnet
        raise Refused("bad_value", f"this server cannot {do}")
    for name, types in request_type.fields.items():
        if not isinstance(request.get(name), types):
            raise Refused("bad_value", f"the {name} of {do} is missing or has a wrong type")
    return request_type


def _list_server(service: Service, _: JSON, now: int) -> tuple[JSON, list[Effect]]:
    """List matches, waits, players and set-aside matches."""
    return list_server(service, now), []


def _end_game(service: Service, request: JSON, now: int) -> tuple[str, list[Effect]]:
    """End a match, or a wait, without a winner."""
    id, games = request["game"], service.games
    if id in games.finished:
        raise Refused("game_over", "the game is over")
    if id in games.set_aside_matches:
        nicks: Iterable[str] = games.set_aside_matches[id].nicks
        service.void_tokens(games.end_set_aside(id))
        effects: list[Effect] = [SaveRow(SetAsideEnded(id))]
    else:
        game = games.find(id)
        nicks = game.nicks
        if isinstance(game, Match):
            effects = service.change_match(game, now, partial(game.end, now))
        else:
            games.lobby.remove(game)
            effects = service.end_wait(game, game.nicks)
            return f"the wait of {' and '.join(nicks)} is over", effects
    return f"the game of {' and '.join(nicks)} is over", effects


def _add_nick(service: Service, request: JSON, _: int) -> tuple[str, list[Effect]]:
    """Register a nick, also while registration is closed for clients."""
    nick = request["nick"]
    if service.accounts.knows(nick):
        raise Refused(
            "bad_value", f"{nick} is registered already; reset-password changes its password"
        )
    proof = _read_proof(request)
    service.accounts.register(nick, proof)
    return f"{nick} is registered", [SaveRow(Registered(nick, proof.salt, proof.digest))]


def _reset_password(service: Service, request: JSON, _: int) -> tuple[str, list[Effect]]:
    """Replace the password of a nick, and close its connections."""
    nick = request["nick"]
    _require_registered(service, nick)
    proof = _read_proof(request)
    service.accounts.set_proof(nick, proof)
    row = SaveRow(Registered(nick, proof.salt, proof.digest))
    reason = f"the operator has given {nick} another password: log in with that one"
    bye = Bye(reason=reason, code="password_changed")
    return f"{nick} has a new password", [row, *_log_out(service, nick, bye)]


def _read_proof(request: JSON) -> Proof:
    try:
        return Proof(bytes.fromhex(request["salt"]), bytes.fromhex(request["digest"]))
    except ValueError:
        raise Refused("bad_value", "salt and digest must be hexadecimal") from None


def _ban(service: Service, request: JSON, now: int) -> tuple[str, list[Effect]]:
    """Ban a nick and resign its games; without a reason, lift the ban."""
    nick, reason = request["nick"], request.get("reason")
    _require_registered(service, nick)
    service.accounts.ban(nick, reason)
    row = SaveRow(Banned(nick, reason))
    if reason is None:
        return f"{nick} is not banned any more", [row]
    effects: list[Effect] = [row]
    for id in service.games.list_games_of(nick):
        game = service.games.find(id)
        if isinstance(game, Match):
            leave = partial(game.leave, game.nicks.index(nick), now)
            effects += service.change_match(game, now, leave)
        else:
            effects += service.stop_waiting(game, nick)
    bye = Bye(reason=f"{nick} is banned: {reason}", code="banned")
    return f"{nick} is banned", [*effects, *_log_out(service, nick, bye)]


def _ban_addresses(service: Service, request: JSON, _: int) -> tuple[str, list[Effect]]:
    """Ban a range of addresses and close its connections; without a reason, lift the ban."""
    banned, reason = parse_range(request["range"]), request.get("reason")
    row = SaveRow(AddressBanned(str(banned), reason))
    if reason is None:
        service.banned_addresses.lift(banned)
        return f"{banned} is not banned any more", [row]
    service.banned_addresses.ban(banned, reason)
    return f"{banned} is banned", [row, CloseBanned()]


def _log_out(service: Service, nick: str, bye: Bye) -> list[Effect]:
    """Close every connection of a nick, with the reason as its last frame."""
    sessions = tuple(service.sessions.list_logged_in(nick))
    return [Send(sessions, bye), *map(Close, sessions)]


def _announce_room(service: Service, request: JSON, _: int) -> tuple[str, list[Effect]]:
    """Let players open a room, on a server where only announced rooms can be opened."""
    room, rooms = request["room"], service.games.rooms
    if rooms.game(room) is not None:
        text = f"{room} has a game already; its name is free one hour after the game has ended"
        raise Refused("bad_value", text)
    rooms.announce(room)
    return f"players can join {room} now", [SaveRow(RoomOpened(room, None))]


def _require_registered(service: Service, nick: str) -> None:
    if service.accounts.get_salt(nick) is None:
        raise Refused("not_registered", f"{nick} is not registered", field="nick")


@frozen
class RequestType:
    """A type of request: its handler, and the types of its fields."""

    execute: Handler
    fields: dict[str, type | tuple[type, ...]]
    changes: bool = True
    """The request changes something, so it is logged."""


REQUESTS = {
    "list": RequestType(_list_server, {}, changes=False),
    "end": RequestType(_end_game, {"game": str}),
    "add": RequestType(_add_nick, {"nick": str, "salt": str, "digest": str}),
    "reset-password": RequestType(_reset_password, {"nick": str, "salt": str, "digest": str}),
    "announce-room": RequestType(_announce_room, {"room": str}),
    "ban": RequestType(_ban, {"nick": str, "reason": (str, type(None))}),
    "ban-addresses": RequestType(_ban_addresses, {"range": str, "reason": (str, type(None))}),
}
