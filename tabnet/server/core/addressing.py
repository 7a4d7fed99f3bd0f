"""One command as the service sees it, and the replies to it. Pure."""

from __future__ import annotations

from typing import Generic, TypeVar

import attrs

from tabnet.errors import Refused, TabnetError
from tabnet.protocol.codec import refusal
from tabnet.protocol.frames import Reply
from tabnet.protocol.messages import About, Command, Identified, Seated
from tabnet.protocol.values import frozen
from tabnet.server.core.effects import Send
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.players.accounts import Accounts, Proof
from tabnet.server.core.sessions import Session

C_co = TypeVar("C_co", bound=Command, covariant=True)


@frozen
class Request(Generic[C_co]):
    """A command, who sent it and when."""

    session: Session
    command: C_co
    now: int
    proof: Proof | None = None
    """The command's password, hashed under the salt of its nick."""

    def done(self) -> Send:
        """The reply that only says so."""
        return self.answer(Reply(cmd=self.command.cmd))

    def answer(self, reply: Reply) -> Send:
        """The reply, with the id of the command."""
        if self.command.id is not None:
            reply = attrs.evolve(reply, id=self.command.id)
        return Send((self.session.id,), reply)

    def refused(self, error: TabnetError) -> Send:
        """The reply that says why not."""
        return Send((self.session.id,), refusal(error, self.command.cmd, self.command.id))


def who(ask: Request[Identified], accounts: Accounts) -> str | None:
    """The nick a command is sent under; None for nobody. Its own credentials outrank the login."""
    nick, password = ask.command.nick, ask.command.password
    if nick is None:
        if password is not None:
            raise Refused("undefined_field", "undefined nick", field="nick")
        return ask.session.nick
    if password is not None:
        accounts.check(nick, ask.proof)
    elif nick != ask.session.nick:
        raise Refused("undefined_field", "undefined password", field="password")
    return nick


def seat(ask: Request[Seated], accounts: Accounts, games: GameIndex) -> tuple[Match | Table, str]:
    """The game a command is about, and the player there who sends it."""
    game, player = _seat(ask, accounts, games)
    if isinstance(game, Match) and not game.result and game.nicks.index(player) in game.out:
        raise Refused("no_seat", f"{player} is out of this game", field="game")
    return game, player


def _seat(ask: Request[Seated], accounts: Accounts, games: GameIndex) -> tuple[Match | Table, str]:
    command = ask.command
    if command.token is not None:
        if command.nick is not None or command.password is not None:
            text = "send a token, or nick and password, not both"
            raise Refused("bad_value", text, field="token")
        return by_token(command.token, command.game, accounts, games)
    player = who(ask, accounts)
    if player is None:
        raise Refused(
            "who_are_you",
            "who are you?",
            hint="register first, or send nick and password, or the token that join gave you",
        )
    found = games.find(command.game or games.only_game_of(player))
    if player not in found.nicks:
        raise Refused("no_seat", f"{player} has no seat in this game", field="game")
    return found, player


def about(
    ask: Request[About], accounts: Accounts, games: GameIndex
) -> tuple[Match | Table, str | None]:
    """The game a question is about, and who asks, if that is known."""
    game, nick = ask.command.game, ask.session.nick
    if ask.command.token is not None:
        return by_token(ask.command.token, game, accounts, games)
    return games.find(game or games.only_game_of(nick)), nick


def by_token(
    token: str, game: str | None, accounts: Accounts, games: GameIndex
) -> tuple[Match | Table, str]:
    """The game and the player that a seat's token stands for."""
    its_game, nick = accounts.seat_of_token(token)
    if game not in (None, its_game):
        raise Refused("bad_token", "this token belongs to another game", field="token")
    return games.find(its_game), nick


def begun(game: Match | Table) -> Match:
    """The match, if it has begun."""
    if isinstance(game, Table):
        raise Refused("waiting", "the game has not begun: an opponent is still to come")
    return game
