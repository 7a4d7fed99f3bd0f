"""The sender of a command and the game that it is about, and the replies to it. Pure."""

from __future__ import annotations

from typing import Generic, TypeVar

import attrs

from tabnet.errors import Refused, TabnetError
from tabnet.protocol.codec import make_refusal
from tabnet.protocol.frames import Reply
from tabnet.protocol.frozen_values import frozen
from tabnet.protocol.messages import About, Command, Identified, Join, Seated
from tabnet.server.core.effects import Send
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.players.accounts import Accounts, Proof
from tabnet.server.core.sessions import Session

C_co = TypeVar("C_co", bound=Command, covariant=True)


@frozen
class Request(Generic[C_co]):
    """A command, its session, and the time when it came."""

    session: Session
    command: C_co
    now: int
    proof: Proof | None = None
    """The command's password, hashed under the salt of its nick."""

    def confirm(self) -> Send:
        """Return the reply without fields of its own."""
        return Send((self.session.id,), Reply(cmd=self.command.cmd, id=self.command.id))

    def answer(self, reply: Reply) -> Send:
        """Return the reply with the id of the command."""
        if self.command.id is not None:
            reply = attrs.evolve(reply, id=self.command.id)
        return Send((self.session.id,), reply)

    def refuse(self, error: TabnetError) -> Send:
        """Return the reply that refuses the command."""
        return Send((self.session.id,), make_refusal(error, self.command.cmd, self.command.id))


def authenticate_sender(request: Request[Identified], accounts: Accounts) -> str | None:
    """Return the nick that a command is sent under: by its own credentials, or by the login."""
    nick, password = request.command.nick, request.command.password
    if nick is None:
        if password is not None:
            raise Refused("undefined_field", "undefined nick", field="nick")
        return request.session.nick
    if password is not None:
        accounts.check(nick, request.proof)
    elif nick != request.session.nick:
        raise Refused("undefined_field", "undefined password", field="password")
    return nick


def find_addressed_seat(
    request: Request[Seated], accounts: Accounts, games: GameIndex
) -> tuple[Match | Table, str]:
    """Return the game that a command is about, and the player there who sends it."""
    game, player = _find_seat(request, request.command.game, accounts, games)
    if isinstance(game, Match) and not game.result and game.nicks.index(player) in game.out:
        raise Refused("no_seat", f"{player} is out of this game", field="game")
    return game, player


def find_seat_to_play_again(
    request: Request[Join], finished: str, accounts: Accounts, games: GameIndex
) -> tuple[Match, int]:
    """Return the finished match that a join asks for again, and the sender's seat in it."""
    try:
        game, player = _find_seat(request, finished, accounts, games)
    except Refused as error:
        error.field = "again" if error.field == "game" else error.field
        raise
    if isinstance(game, Table) or game.result is None:
        text = "this game is not over: only a finished game can be played again"
        raise Refused("bad_value", text, field="again")
    return game, game.nicks.index(player)


def _find_seat(
    request: Request[Seated] | Request[Join], id: str | None, accounts: Accounts, games: GameIndex
) -> tuple[Match | Table, str]:
    """Return the game of that id, by default the sender's only one, and the sender's nick in it."""
    command = request.command
    if command.token is None:
        player = authenticate_sender(request, accounts)
        if player is None:
            hint = "register first, or send nick and password, or the token that join gave you"
            raise Refused("who_are_you", "who are you?", hint=hint)
        game = games.find_for(player, id or games.find_only_game_of(player))
        if player not in game.nicks:
            raise Refused("no_seat", f"{player} has no seat in this game", field="game")
        return game, player
    if command.nick is None and command.password is None:
        return _find_seat_of_token(command.token, id, accounts, games)
    text = "send a token, or nick and password, not both"
    raise Refused("bad_value", text, field="token")


def find_addressed_game(
    request: Request[About], accounts: Accounts, games: GameIndex
) -> tuple[Match | Table, str | None]:
    """Return the game that a question is about, and the nick that asks, if that is known."""
    game, nick = request.command.game, request.session.nick
    if request.command.token is not None:
        return _find_seat_of_token(request.command.token, game, accounts, games)
    return games.find_for(nick, game or games.find_only_game_of(nick)), nick


def _find_seat_of_token(
    token: str, game: str | None, accounts: Accounts, games: GameIndex
) -> tuple[Match | Table, str]:
    game_of_token, nick = accounts.find_seat_of_token(token)
    if game not in (None, game_of_token):
        raise Refused("bad_token", "this token belongs to another game", field="token")
    return games.find(game_of_token), nick


def require_match(game: Match | Table) -> Match:
    """Return the match; refuse a game that has not begun."""
    if isinstance(game, Table):
        raise Refused("waiting", "the game has not begun: an opponent is still to come")
    return game
