"""Shows the games of dialects, and plays in them. Pure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import evolve

from tabnet.errors import Refused
from tabnet.server.core.effects import Effect
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.queries import announce_presence
from tabnet.server.core.rooms.room_commands import Forfeit, Look, Play, Seen, Sit
from tabnet.server.core.sender_and_game_of_command import (
    Request,
    find_addressed_game,
    find_addressed_seat,
)

if TYPE_CHECKING:
    from tabnet.server.core.service import Service


def make_seen(
    service: Service,
    request: Request[Any],
    game: Match | Table,
    nick: str | None,
    *,
    seq: int | None = None,
    token: str | None = None,
) -> Seen:
    """Return the reply that shows a game; `nick` is its player who asks.

    A table is copied, because it may have changed when the reply is sent.
    """
    return Seen(
        cmd=request.command.cmd,
        game=evolve(game) if isinstance(game, Table) else game,
        seat=_find_seat_number(game, nick),
        seq=game.seq if seq is None else seq,
        online={each: service.sessions.is_present(game.id, each) for each in game.nicks},
        now=request.now,
        token=token,
    )


def _find_seat_number(game: Match | Table, nick: str | None) -> int | None:
    if nick not in game.nicks:
        return None
    place = game.nicks.index(nick)
    return place if isinstance(game, Match) else game.players[place].wish


def _require_kind(game: Match | Table, kind: str | None) -> None:
    if kind not in (None, game.terms.kind):
        text = f"this token is for a game of {game.terms.kind}, not of {kind}"
        raise Refused("bad_token", text, field="token")


def look(service: Service, request: Request[Look]) -> list[Effect]:
    """Show a game."""
    game, nick = find_addressed_game(request, service.accounts, service.games)
    _require_kind(game, request.command.kind)
    return [request.answer(make_seen(service, request, game, nick))]


def sit(service: Service, request: Request[Sit]) -> list[Effect]:
    """Let the connection play a seat, and show the game."""
    game, nick = find_addressed_seat(request, service.accounts, service.games)
    has_arrived = False
    if isinstance(game, Table) or game.result is None:
        service.sessions.follow(request.session, game.id)
        has_arrived = service.sessions.sit(request.session, game.id, nick)
    reply = request.answer(make_seen(service, request, game, nick))
    return [reply, announce_presence(service, game)] if has_arrived else [reply]


def play(service: Service, request: Request[Play]) -> list[Effect]:
    """Play a move, and show the game after it, before the forced actions that follow."""
    match, nick, number = service.find_playing_seat(request)
    _require_kind(match, request.command.kind)
    change, error = service.prepare_play(match, number, request, request.command.move)
    reply = request.answer(make_seen(service, request, change.match, nick, seq=match.seq + 1))
    if error is not None:
        reply = request.refuse(error)
    return [reply, *service.apply_action(request, nick, change)]


def forfeit(service: Service, request: Request[Forfeit]) -> list[Effect]:
    """Remove a seat that is out on any error."""
    match, nick, number = service.find_playing_seat(request)
    if match.result is not None:
        raise Refused("game_over", "the game is over")
    if not match.seats[number].out_on_error:
        raise TypeError(f"{nick} is not out on any error")
    punish = partial(match.punish, number, request.command.code, request.now)
    change = service.prepare_change(match, punish)
    return [request.confirm(), *service.apply_action(request, nick, change)]
