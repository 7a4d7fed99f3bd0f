"""What `tabnet admin list` shows: matches, waits, players and set-aside matches. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tabnet.server.core.game_index import SetAside
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.service import Service

JSON = dict[str, Any]


def list_server(service: Service, now: int) -> JSON:
    """Return everything that an operator can see, as `tabnet admin list --json` prints it."""
    games = service.games
    return {
        "version": 1,
        "matches": [_match(service, match) for match in games.playing.values()],
        "waits": [_wait(table, now) for table in games.lobby.tables.values()],
        "players": _players(service),
        "set_aside": [_set_aside(match) for match in games.set_aside_matches.values()],
    }


def _match(service: Service, match: Match) -> JSON:
    present = [nick for nick in match.nicks if service.sessions.is_present(match.id, nick)]
    return {
        **_terms(match),
        "players": list(match.nicks),
        "turn": match.nick(match.turn),
        "seq": match.seq,
        "connected": present,
    }


def _wait(table: Table, now: int) -> JSON:
    return {
        **_terms(table),
        "players": table.nicks,
        "seats": table.terms.seats,
        "private": table.invite is not None,
        "expires_s": max(0, (table.expires - now) // 1000),
    }


def _terms(game: Match | Table) -> JSON:
    terms = game.terms
    return {
        "game": game.id,
        "kind": terms.kind,
        "options": terms.options_json,
        "group": terms.group,
        "strict": terms.strict,
        "clock": terms.clock_json,
    }


def _players(service: Service) -> list[JSON]:
    """Return the nicks with a connection, a seat or a ban, in order."""
    connections = service.sessions.connections_by_nick()
    banned = service.accounts.banned
    nicks = {*connections, *banned, *_seated(service)}
    return [
        {
            "nick": nick,
            "connections": connections.get(nick, 0),
            "games": service.games.games_of(nick),
            "banned": banned.get(nick),
        }
        for nick in sorted(nicks)
    ]


def _seated(service: Service) -> Iterable[str]:
    for match in service.games.playing.values():
        yield from match.nicks
    for table in service.games.lobby.tables.values():
        yield from table.nicks


def _set_aside(match: SetAside) -> JSON:
    return {"game": match.id, "players": list(match.nicks), "reason": match.reason}
