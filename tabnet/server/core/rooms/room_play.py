"""Shows the games of dialects, and plays in them. Pure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import evolve

from tabnet.errors import Refused
from tabnet.server.core.effects import Effect
from tabnet.server.core.incoming_command import Request, addressed_seat
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.queries import presence, visible_game
from tabnet.server.core.rooms.room_commands import Forfeit, Look, Play, Seen, Sit

if TYPE_CHECKING:
    from tabnet.server.core.service import Service


def seen(
    service: Service,
    ask: Request[Any],
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
        cmd=ask.command.cmd,
        game=evolve(game) if isinstance(game, Table) else game,
        seat=_seat_of(game, nick),
        seq=game.seq if seq is None else seq,
        online={each: service.sessions.is_present(game.id, each) for each in game.nicks},
        now=ask.now,
        token=token,
    )


def _seat_of(game: Match | Table, nick: str | None) -> int | None:
    if nick not in game.nicks:
        return None
    place = game.nicks.index(nick)
    return place if isinstance(game, Match) else game.players[place].wish


def _require_kind(game: Match | Table, kind: str | None) -> None:
    if kind not in (None, game.terms.kind):
        text = f"this token is for a game of {game.terms.kind}, not of {kind}"
        raise Refused("bad_token", text, field="token")


def look(service: Service, ask: Request[Look]) -> list[Effect]:
    """Show a game."""
    game, nick = visible_game(service, ask)
    _require_kind(game, ask.command.kind)
    return [ask.answer(seen(service, ask, game, nick))]


def sit(service: Service, ask: Request[Sit]) -> list[Effect]:
    """Let the connection play a seat, and show the game."""
    game, nick = addressed_seat(ask, service.accounts, service.games)
    has_arrived = False
    if isinstance(game, Table) or game.result is None:
        service.sessions.follow(ask.session, game.id)
        has_arrived = service.sessions.sit(ask.session, game.id, nick)
    reply = ask.answer(seen(service, ask, game, nick))
    return [reply, presence(service, game)] if has_arrived else [reply]


def play(service: Service, ask: Request[Play]) -> list[Effect]:
    """Play a move, and show the game after it, before the forced actions that follow."""
    match, nick, number = service.playing_seat(ask)
    _require_kind(match, ask.command.kind)
    change, error = service.prepare_play(match, number, ask, ask.command.move)
    reply = ask.answer(seen(service, ask, change.match, nick, seq=match.seq + 1))
    if error is not None:
        reply = ask.refused(error)
    return [reply, *service.apply_action(ask, nick, change)]


def forfeit(service: Service, ask: Request[Forfeit]) -> list[Effect]:
    """Remove a seat that is out on any error."""
    match, nick, number = service.playing_seat(ask)
    if match.result is not None:
        raise Refused("game_over", "the game is over")
    if not match.seats[number].out_on_error:
        raise TypeError(f"{nick} is not out on any error")
    change = service.prepare(match, partial(match.punish, number, ask.command.code, ask.now))
    return [ask.done(), *service.apply_action(ask, nick, change)]
