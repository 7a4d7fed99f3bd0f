"""The list of `tabnet admin list`: matches, waits, players and set-aside matches. Pure."""

from __future__ import annotations

from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.rows import JSON
from tabnet.server.core.service import Service


def list_server(service: Service, now: int) -> JSON:
    """Return everything that an operator can see, as `tabnet admin list --json` prints it."""
    games = service.games
    return {
        "version": 1,
        "matches": [_describe_match(service, match) for match in games.playing.values()],
        "waits": [_describe_wait(table, now) for table in games.lobby.tables.values()],
        "players": _list_players(service),
        "banned_addresses": [
            {"range": str(banned), "reason": reason}
            for banned, reason in service.banned_addresses.reasons.items()
        ],
        "set_aside": [
            {"game": match.id, "players": list(match.nicks), "reason": match.reason}
            for match in games.set_aside_matches.values()
        ],
    }


def _describe_match(service: Service, match: Match) -> JSON:
    return {
        **_describe_terms(match),
        "players": list(match.nicks),
        "turn": match.get_nick(match.turn),
        "seq": match.seq,
        "connected": [nick for nick in match.nicks if service.sessions.is_present(match.id, nick)],
    }


def _describe_wait(table: Table, now: int) -> JSON:
    return {
        **_describe_terms(table),
        "players": table.nicks,
        "seats": table.terms.seats,
        "private": table.invite is not None,
        "expires_s": max(0, (table.expires - now) // 1000),
    }


def _describe_terms(game: Match | Table) -> JSON:
    terms = game.terms
    return {
        "game": game.id,
        "kind": terms.kind,
        "options": terms.options_json,
        "group": terms.group,
        "strict": terms.strict,
        "clock": terms.clock_json,
    }


def _list_players(service: Service) -> list[JSON]:
    """Return the nicks with a connection, a seat or a ban, in order."""
    connections = service.sessions.count_connections()
    banned = service.accounts.banned
    games: list[Match | Table] = [*service.games.playing.values()]
    games += service.games.lobby.tables.values()
    nicks = {*connections, *banned, *(nick for game in games for nick in game.nicks)}
    return [
        {
            "nick": nick,
            "connections": connections.get(nick, 0),
            "games": service.games.list_games_of(nick),
            "banned": banned.get(nick),
        }
        for nick in sorted(nicks)
    ]
