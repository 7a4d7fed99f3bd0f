"""Seats players at tables, and begins the matches of full tables. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from tabnet.errors import Refused
from tabnet.protocol.dice import SECRET_BYTES
from tabnet.protocol.frames import Joined, Reply
from tabnet.protocol.messages import Join
from tabnet.server.core.effects import Effect, Log, SaveRow
from tabnet.server.core.match_changes import Change
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.players.accounts import digest_token
from tabnet.server.core.players.nick_rules import GUEST
from tabnet.server.core.queries import announce_presence
from tabnet.server.core.rows import SeatToken
from tabnet.server.core.rows_of_matches import make_waiting_row
from tabnet.server.core.sender_and_game_of_command import Request

if TYPE_CHECKING:
    from tabnet.server.core.service import Service

GAME_BYTES = 8
GUEST_BYTES = 8
"""64 bits, so that a name is hardly ever drawn twice."""

MakeReply: TypeAlias = Callable[[Match | Table, str], Reply]
"""Makes the reply to a player who has a seat now, from the game and the token of the seat."""


def make_guest_nick(service: Service) -> str:
    """Return a nick for a guest that no player and no connection has."""
    while True:
        nick = GUEST + service.entropy(GUEST_BYTES).hex()
        has_games = service.games.number_of_games(nick) > 0
        if not (has_games or service.accounts.knows(nick) or service.sessions.list_logged_in(nick)):
            return nick


def seat_player(
    service: Service,
    request: Request[Any],
    table: Table,
    nick: str,
    give: Callable[[Match | Table], list[Effect]],
) -> list[Effect]:
    """Let `give` give a player the seat at a table; begin the match if the table is full."""
    bots = _draw_bot_tokens(service, table)
    start = None
    if table.is_full:
        try:
            start = _prepare_match(service, table, request.now)
        except Exception as error:  # noqa: BLE001 - whatever the code of the game raises
            return _cancel_wait(service, request, table, nick, error)
    effects = give(start.match if start else table)
    if start is not None:
        return [*effects, *_seat_house_bots(service, table, bots), *service.begin_match(start)]
    service.quotas.waits.add(table.id, nick, request.session.holders)
    effects.append(SaveRow(make_waiting_row(table)))
    return [*effects, announce_presence(service, table)] if len(table.players) > 1 else effects


def give_seat(
    service: Service,
    request: Request[Any],
    game: Match | Table,
    nick: str,
    token: str,
    make_reply: MakeReply,
) -> list[Effect]:
    """Give the player the seat, and the token with the reply."""
    service.take_seat(request, game.id, nick, token)
    row = SaveRow(SeatToken(game.id, nick, digest_token(token)))
    return [request.answer(make_reply(game, token)), row]


def make_joined(nick: str, invite: str | None = None) -> MakeReply:
    """Return the function that makes the reply to a join."""
    return lambda game, token: Joined(
        cmd=Join.cmd,
        game=game.id,
        nick=nick,
        token=token,
        invite=invite if isinstance(game, Table) else None,
    )


def _draw_bot_tokens(service: Service, table: Table) -> dict[str, str]:
    """Return a token for each house bot at the table whose process waits for a game."""
    opponents = service.opponents
    bots = [bot for bot in table.nicks if bot in opponents.nicks and opponents.is_waiting(bot)]
    return {bot: service.draw_token() for bot in bots}


def _prepare_match(service: Service, table: Table, now: int) -> Change:
    """Return the change that begins the match of a full table."""
    seats = tuple(player.without_wish() for player in table.order_by_seat(service.entropy))
    secret = service.entropy(SECRET_BYTES)
    return service.prepare_start(Match.start(table.id, table.terms, seats, secret, now))


def _cancel_wait(
    service: Service, request: Request[Any], table: Table, nick: str, error: Exception
) -> list[Effect]:
    """Refuse a join whose match cannot begin; the wait of the other players is over."""
    fields = {"game": table.id, "kind": table.terms.kind, "players": table.nicks}
    text = "the server failed to begin this game; its wait is over"
    reply = request.refuse(Refused("server_error", text))
    effects: list[Effect] = [reply, Log("failed", fields, error)]
    opponents = service.opponents
    waiting = [other for other in table.nicks if other not in {nick, *opponents.nicks}]
    opponents.end_game(table.id, ())
    return [*effects, *service.end_wait(table, waiting)] if waiting else effects


def _seat_house_bots(service: Service, table: Table, tokens: dict[str, str]) -> list[Effect]:
    """Give house bots their seats; a bot without a process gets its token later."""
    opponents, games = service.opponents, service.games
    effects: list[Effect] = []
    for nick in [nick for nick in table.nicks if nick in opponents.nicks]:
        join = opponents.take_join(nick)
        if join is None:
            games.take_seat(nick, table.id)
        else:
            effects += give_seat(service, join, table, nick, tokens[nick], make_joined(nick))
            opponents.call_next(nick, games)
    return effects
