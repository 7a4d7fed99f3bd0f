"""Restores a service from its stored rows, and finished matches when they are needed. Pure."""

from __future__ import annotations

from ipaddress import ip_network

import attrs

from tabnet.errors import BrokenHistory
from tabnet.protocol.messages import About, Command, Join, Seated
from tabnet.server.core import rows
from tabnet.server.core.effects import Effect, Log, SaveRow
from tabnet.server.core.game_index import GameIndex, SetAside
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.players.accounts import Proof, digest_token
from tabnet.server.core.players.ranking import PlayerTotals
from tabnet.server.core.rows_of_matches import read_nicks
from tabnet.server.core.service import Service
from tabnet.server.storage.replay_match import load_table, replay_match

COME_BACK_MS = 120_000
"""The time in which players come back after a restart to a game that they must be online for."""
MAX_REASON = 500
"""The longest reason, in characters: it may quote a damaged row."""


def restore(service: Service, saved: rows.Saved, now: int) -> list[Effect]:
    """Let a new service go on where the last one ended.

    A match that cannot be replayed is set aside, an unreadable wait ends, and any other unreadable
    row is left out. The effects are one log line for each, and the ends of waits.
    """
    accounts, games = service.accounts, service.games
    for account in saved.accounts:
        accounts.set_proof(account.nick, Proof(account.salt, account.digest))
    for row in saved.login_networks:
        accounts.set_networks(row.nick, row.networks)
    for ban in saved.bans:
        accounts.ban(ban.nick, ban.reason)
    for banned in saved.address_bans:
        service.banned_addresses.ban(ip_network(banned.network), banned.reason or "")
    for line in saved.standings:
        board = (line.kind, line.size, line.group)
        totals = PlayerTotals(line.victories, line.games, line.points)
        service.rankings.restore(board, line.nick, totals)
    effects = _restore_tables(service, saved, now)
    stored_matches: list[rows.SavedMatch | rows.DamagedMatch] = [*saved.matches, *saved.damaged]
    for stored in stored_matches:
        match = _replay(service, stored, now)
        if isinstance(match, Match):
            for seat in match.playing:
                games.take_seat(match.nicks[seat], match.id)
            games.begin(match)
        else:
            games.set_aside(match)
            effects.append(_make_log(match))
    _restore_rooms(games, saved, now)
    return effects


def _restore_rooms(games: GameIndex, saved: rows.Saved, now: int) -> None:
    """Open the rooms again, and give players who must be online some time to come back."""
    for row in saved.rooms:
        if row.game is None:
            games.rooms.announce(row.room)
            continue
        games.rooms.open(row.room, row.game)
        if games.get_unfinished(row.game) is None:
            games.rooms.end(row.game)
    unfinished: list[Match | Table] = [*games.lobby.tables.values(), *games.playing.values()]
    for game in unfinished:
        if game.needs_players_online:
            games.deserted.set(game.id, now + COME_BACK_MS)


def _restore_tables(service: Service, saved: rows.Saved, now: int) -> list[Effect]:
    games, unreadable = service.games, list(saved.unreadable)
    for waiting in saved.tables:
        try:
            table = load_table(waiting, now)
        except Exception as error:  # noqa: BLE001 - whatever the rules raise costs this wait alone
            unreadable.append(rows.UnreadableRow("tables", waiting.waiting.game, repr(error)))
            continue
        games.lobby.add(table)
        for player in table.players:
            games.take_seat(player.nick, table.id)
            if player.origin is not None:
                service.quotas.waits.add(table.id, player.nick, (player.origin,))
    for token in saved.tokens:
        if token.game in games.lobby.tables:
            service.accounts.give_token(token.game, token.nick, token.token)
    logs = [Log("unreadable row", attrs.asdict(row)) for row in unreadable]
    ends = [SaveRow(rows.WaitOver(row.key)) for row in unreadable if row.table == "tables"]
    return [*logs, *ends]


def _replay(
    service: Service, stored: rows.SavedMatch | rows.DamagedMatch, now: int
) -> Match | SetAside:
    """Restore the tokens of a match; return the match, set aside if it cannot be replayed."""
    for token in stored.tokens:
        service.accounts.give_token(token.game, token.nick, token.token)
    if isinstance(stored, rows.DamagedMatch):
        return SetAside(stored.game, stored.players, stored.reason[:MAX_REASON])
    game = stored.begun.game
    try:
        match = replay_match(stored, now)
    except BrokenHistory as error:
        reason = error.text
    except Exception as error:  # noqa: BLE001 - whatever the rules raise costs this match alone
        reason = f"game {game}: {error!r}"
    else:
        if stored.ended == (match.result is not None):
            return match
        reason = f"game {game}: its last event contradicts the end in its stored row"
    return SetAside(game, read_nicks(stored.begun.seats), reason[:MAX_REASON])


def _make_log(match: SetAside) -> Log:
    fields = {"game": match.id, "players": match.nicks, "reason": match.reason}
    return Log("set aside", fields)


ABOUT_A_GAME = (Seated, About, Join)


def find_missing(service: Service, command: Command) -> str | bytes | None:
    """Return the game, or the token's digest, of a command if it is not in memory."""
    if not isinstance(command, ABOUT_A_GAME):
        return None
    game = command.again if isinstance(command, Join) else command.game
    if command.token is not None and not service.accounts.knows_token(command.token):
        return digest_token(command.token)
    if game is not None and not service.games.knows(game):
        return game
    return None


def recall(service: Service, stored: rows.SavedMatch | rows.DamagedMatch, now: int) -> list[Effect]:
    """Load a finished match into memory; one that cannot be replayed is set aside."""
    game = stored.begun.game if isinstance(stored, rows.SavedMatch) else stored.game
    if service.games.knows(game):
        return []
    match = _replay(service, stored, now)
    service.void_tokens(service.games.remember(match))
    return [_make_log(match)] if isinstance(match, SetAside) else []


def make_pause_rows(service: Service, now: int) -> list[SaveRow]:
    """Return the rows that store the time of every running match, so that its clocks can go on."""
    return [
        SaveRow(rows.Paused(match.id, now - match.began))
        for match in service.games.playing.values()
    ]
