"""A service and the rows stored of it: how it goes on, and what to store at the end. Pure."""

from __future__ import annotations

from tabnet.protocol.messages import About, Command, Seated
from tabnet.server.core.accounts import Proof, token_digest
from tabnet.server.core.effects import Record
from tabnet.server.core.match import Match
from tabnet.server.core.ranking import PlayerTotals
from tabnet.server.core.rows import Paused, Saved, SavedMatch
from tabnet.server.core.service import Service
from tabnet.server.storage.rebuild import match_from, table_from


def restore(service: Service, saved: Saved, now: int) -> None:
    """Let a new service go on where the last one ended; raises `BrokenHistory`."""
    accounts, games = service.accounts, service.games
    for account in saved.accounts:
        accounts.set_proof(account.nick, Proof(account.salt, account.digest))
    for ban in saved.bans:
        accounts.ban(ban.nick, ban.reason)
    for waiting in saved.tables:
        table = games.lobby.add(table_from(waiting, now))
        for nick in table.nicks:
            games.take_seat(nick, table.id)
    for token in saved.tokens:
        accounts.give_token(token.game, token.nick, token.token)
    for begun in saved.matches:
        match = _match(service, begun, now)
        for seat in match.playing:
            games.take_seat(match.nicks[seat], match.id)
        games.begin(match)
    for line in saved.standings:
        board = (line.kind, line.size, line.group)
        sums = PlayerTotals(line.victories, line.games, line.points)
        service.rankings.restore(board, line.nick, sums)


def missing(service: Service, command: Command) -> str | bytes | None:
    """The game, or the token's digest, that a command names and memory does not hold."""
    if not isinstance(command, Seated | About):
        return None
    if command.token is not None and not service.accounts.knows_token(command.token):
        return token_digest(command.token)
    if command.game is not None and not service.games.knows(command.game):
        return command.game
    return None


def recall(service: Service, saved: SavedMatch, now: int) -> None:
    """Bring a finished match back into memory, so that it can be asked for."""
    if not service.games.knows(saved.begun.game):
        service.forget(service.games.remember(_match(service, saved, now)))


def _match(service: Service, saved: SavedMatch, now: int) -> Match:
    match = match_from(saved, now)
    for token in saved.tokens:
        service.accounts.give_token(token.game, token.nick, token.token)
    return match


def pauses(service: Service, now: int) -> list[Record]:
    """The time of every running match, for its clocks to go on from."""
    return [Record(Paused(match.id, now - match.began)) for match in service.games.playing.values()]
