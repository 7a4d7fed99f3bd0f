"""The refusals of joins and registrations whose session, origin or nick has too many. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabnet.errors import Refused
from tabnet.protocol.messages import Identified, Join, Register
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.players.nick_rules import require_new_nick
from tabnet.server.core.sender_and_game_of_command import Request
from tabnet.server.core.sessions import Session

if TYPE_CHECKING:
    from tabnet.server.core.service import Service


def needs_proof(service: Service, session: int, command: Register | Identified, now: int) -> bool:
    """Return True if the command has a password that must be hashed before `Service.handle`.

    A command that `handle` refuses whatever its password is not worth a hash.
    """
    if command.password is None or command.nick in service.opponents.nicks:
        return False
    if isinstance(command, Register):
        try:
            require_registration(service, service.sessions[session], command.nick, now)
        except Refused:
            return False
    return True


def require_registration(service: Service, session: Session, nick: str, now: int) -> None:
    """Refuse a new nick that cannot be registered, or one too many."""
    if not service.accounts.knows(nick):
        require_new_nick(nick)
        if service.registration_is_closed:
            text = f"{nick} is not registered, and this server registers no new nicks"
            hint = "play as a guest, without nick and password, or ask the operator for a nick"
            raise Refused("registration_closed", text, field="nick", hint=hint)
        service.quotas.require_registration(session.holders, now)


def require_quotas(
    service: Service, request: Request[Join], nick: str, terms: Terms, invited: Table | None
) -> None:
    """Refuse a game or a wait too many; a player who joins the same wait again adds none."""
    join, games = request.command, service.games
    waiting = invited
    if invited is None and join.again is None and join.opponent is None:
        waiting = games.lobby.find_waiting(terms, nick, private=bool(join.private))
    if waiting is not None and join.invite is None and nick in waiting.nicks:
        return
    players = 0 if invited is None else len(invited.players)
    waits = join.opponent is None and players + 1 < terms.seats
    if waits:
        service.quotas.require_wait(request.session.holders)
    service.quotas.require_game(nick, games.number_of_games(nick))
