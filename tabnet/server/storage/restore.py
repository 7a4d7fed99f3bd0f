"""A service and the rows stored of it: how it goes on, and what to store at the end. Pure."""

from __future__ import annotations

import attrs

from tabnet.errors import BrokenHistory
from tabnet.protocol.messages import About, Command, Seated
from tabnet.server.core.effects import Effect, Log, SaveRow
from tabnet.server.core.game_index import SetAside
from tabnet.server.core.matches.match import Match
from tabnet.server.core.players.accounts import Proof, token_digest
from tabnet.server.core.players.ranking import PlayerTotals
from tabnet.server.core.row_mapping import players_in
from tabnet.server.core.rows import (
    DamagedMatch,
    Paused,
    Saved,
    SavedMatch,
    UnreadableRow,
    WaitOver,
)
from tabnet.server.core.service import Service
from tabnet.server.storage.rebuild import match_from, table_from

MAX_REASON = 500
"""The longest reason, in characters: it may quote a damaged row."""


def restore(service: Service, saved: Saved, now: int) -> list[Effect]:
    """Let a new service go on where the last one ended.

    A match that cannot be replayed is set aside, a wait that cannot be read is over, any other
    unreadable row is left out. The effects are one log line for each, and the ends of waits.
    """
    accounts, games = service.accounts, service.games
    for account in saved.accounts:
        accounts.set_proof(account.nick, Proof(account.salt, account.digest))
    for row in saved.login_networks:
        accounts.set_networks(row.nick, row.networks)
    for ban in saved.bans:
        accounts.ban(ban.nick, ban.reason)
    for line in saved.standings:
        board = (line.kind, line.size, line.group)
        sums = PlayerTotals(line.victories, line.games, line.points)
        service.rankings.restore(board, line.nick, sums)
    effects = _restore_tables(service, saved, now)
    stored_matches: list[SavedMatch | DamagedMatch] = [*saved.matches, *saved.damaged]
    for stored in stored_matches:
        match = _replayed(stored, now)
        for token in stored.tokens:
            accounts.give_token(token.game, token.nick, token.token)
        if isinstance(match, Match):
            for seat in match.playing:
                games.take_seat(match.nicks[seat], match.id)
            games.begin(match)
        else:
            games.set_aside(match)
            effects.append(_log(match))
    return effects


def _restore_tables(service: Service, saved: Saved, now: int) -> list[Effect]:
    games, unreadable = service.games, list(saved.unreadable)
    for waiting in saved.tables:
        try:
            table = table_from(waiting, now)
        except Exception as error:  # noqa: BLE001 - whatever the rules raise costs this wait alone
            unreadable.append(UnreadableRow("tables", waiting.waiting.game, repr(error)))
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
    ends = [SaveRow(WaitOver(row.key)) for row in unreadable if row.table == "tables"]
    return [*logs, *ends]


def _replayed(stored: SavedMatch | DamagedMatch, now: int) -> Match | SetAside:
    """Return the match, or what is known of it if it cannot be replayed."""
    if isinstance(stored, DamagedMatch):
        return SetAside(stored.game, stored.players, stored.reason[:MAX_REASON])
    game = stored.begun.game
    try:
        match = match_from(stored, now)
    except BrokenHistory as error:
        reason = error.text
    except Exception as error:  # noqa: BLE001 - whatever the rules raise costs this match alone
        reason = f"game {game}: {error!r}"
    else:
        if stored.ended == (match.result is not None):
            return match
        reason = f"game {game}: its last event and its stored row disagree on if it has ended"
    return SetAside(game, players_in(stored.begun.seats), reason[:MAX_REASON])


def _log(match: SetAside) -> Log:
    fields = {"game": match.id, "players": match.nicks, "reason": match.reason}
    return Log("set aside", fields)


def missing(service: Service, command: Command) -> str | bytes | None:
    """The game, or the token's digest, that a command names and memory does not hold."""
    if not isinstance(command, Seated | About):
        return None
    if command.token is not None and not service.accounts.knows_token(command.token):
        return token_digest(command.token)
    if command.game is not None and not service.games.knows(command.game):
        return command.game
    return None


def recall(service: Service, stored: SavedMatch | DamagedMatch, now: int) -> list[Effect]:
    """Bring a finished match back into memory, so that commands can ask about it.

    If it cannot be replayed, they are refused as for a match that was set aside.
    """
    game = stored.begun.game if isinstance(stored, SavedMatch) else stored.game
    if service.games.knows(game):
        return []
    match = _replayed(stored, now)
    for token in stored.tokens:
        service.accounts.give_token(token.game, token.nick, token.token)
    if isinstance(match, Match):
        service.forget(service.games.remember(match))
        return []
    service.forget(service.games.remember_unreadable(match))
    return [_log(match)]


def pauses(service: Service, now: int) -> list[SaveRow]:
    """The time of every running match, for its clocks to go on from."""
    return [
        SaveRow(Paused(match.id, now - match.began)) for match in service.games.playing.values()
    ]
