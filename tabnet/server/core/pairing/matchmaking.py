"""Matchmaking: the interface, and the lobby, invites and house bots of an ordinary server. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import define, evolve

from tabnet.errors import CODES, Refused
from tabnet.protocol.frames import Failed
from tabnet.protocol.messages import TURNS, Join
from tabnet.server.core.effects import Effect, Send
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.incoming_command import Request, authenticated_nick
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import (
    Terms,
    require_bare,
    require_public,
    salt_hash_of,
    terms_of,
    wish_of,
)
from tabnet.server.core.pairing.lobby import Table, WaitingPlayer
from tabnet.server.core.pairing.quota_checks import require_room
from tabnet.server.core.pairing.seating import GAME_BYTES, give_seat, joined, new_guest, seat_player
from tabnet.server.core.players.nick_rules import GUEST
from tabnet.server.core.queries import due_turns, presence
from tabnet.server.core.updates import update

if TYPE_CHECKING:
    from tabnet.server.core.service import Service

INVITE_BYTES = 8


class Matchmaking(Protocol):
    """The rules by which a server seats players, and what it learns of their games."""

    def join(self, ask: Request[Join]) -> list[Effect]:
        """Execute a join."""
        ...

    def listed_games(self) -> GameIndex:
        """Return the games that all clients may list."""
        ...

    def require_visible(self, game: Match | Table, nick: str | None) -> None:
        """Refuse a question about a game that this player may not see."""
        ...

    def malformed(self, session: int, failed: Failed) -> list[Effect]:
        """React to a malformed line, which the server has refused."""
        ...

    def disconnected(self, session: int) -> None:
        """Forget a connection that has ended."""
        ...

    def changed(self, match: Match, since: int) -> None:
        """React to the events of a match after number `since`."""
        ...


@define(eq=False)
class OpenGames:
    """The matchmaking of a server on which everybody may join, and see all games."""

    service: Service

    def listed_games(self) -> GameIndex:
        """See `Matchmaking`."""
        return self.service.games

    def require_visible(self, game: Match | Table, nick: str | None) -> None:
        """See `Matchmaking`."""

    def malformed(self, session: int, failed: Failed) -> list[Effect]:  # noqa: ARG002 - an interface
        """See `Matchmaking`."""
        return []

    def disconnected(self, session: int) -> None:
        """See `Matchmaking`."""
        self.service.opponents.forget_session(session)

    def changed(self, match: Match, since: int) -> None:  # noqa: ARG002 - an interface
        """See `Matchmaking`."""
        if match.result is not None:
            self.service.opponents.end_game(match.id, match.nicks)

    def join(self, ask: Request[Join]) -> list[Effect]:
        """See `Matchmaking`."""
        service = self.service
        if ask.session.nick in service.opponents.nicks:
            return self._join_as_house_bot(ask, ask.session.nick)
        if service.stopping:
            raise Refused("stopping", CODES["stopping"])
        join, nick = ask.command, authenticated_nick(ask, service.accounts)
        invited = None
        if join.invite is not None:
            require_bare(join)
            invited = service.games.lobby.invited(join.invite)
        elif join.opponent is not None:
            require_public(join)
        terms = terms_of(join) if invited is None else invited.terms
        player = WaitingPlayer(
            nick=new_guest(service) if nick is None else nick,
            ranked=nick is not None and not nick.startswith(GUEST),
            auto=bool(join.auto),
            wish=wish_of(join, terms),
            salt_hash=salt_hash_of(join, terms),
            origin=None if ask.session.origin.is_exempt else ask.session.origin.key,
        )
        require_room(service, ask, player.nick, terms, invited)
        table = self._table(ask, terms, player, invited)
        token, make_reply = service.new_token(), joined(player.nick, table.invite)
        effects = seat_player(
            service,
            ask,
            table,
            player.nick,
            lambda game: give_seat(service, ask, game, player.nick, token, make_reply),
        )
        if table.is_full and service.games.rooms.name_of(table.id) is None:
            for waiting in table.nicks:
                service.quotas.waits.release(table.id, waiting)
        return effects

    def _table(
        self, ask: Request[Join], terms: Terms, player: WaitingPlayer, invited: Table | None
    ) -> Table:
        """Return the table where the player has been seated."""
        service, lobby = self.service, self.service.games.lobby
        if invited is not None:
            if invited.has_secret_invite and player.wish is not None:
                text = "the invite determines the seat: leave seat out"
                raise Refused("bad_value", text, field="seat")
            if player.wish is None and service.games.rooms.name_of(invited.id):
                player = evolve(player, wish=invited.lowest_free_seat)
            return lobby.join_invited(invited, player)
        game, opponent = service.entropy(GAME_BYTES).hex(), ask.command.opponent
        if opponent is not None:
            holders = ask.session.holders
            bots = service.opponents.reserve(opponent, game, terms, service.games, holders)
            return Table(game, terms, ask.now, [player, *bots])
        if not ask.command.private:
            return lobby.join(terms, player, game, ask.now)
        return lobby.join_privately(
            terms, player, game, lambda: service.entropy(INVITE_BYTES).hex(), ask.now
        )

    def _join_as_house_bot(self, ask: Request[Join], nick: str) -> list[Effect]:
        """Seat the process of a house bot in the game that has a seat for it, or let it wait."""
        service = self.service
        games = [id for id in service.games.games_of(nick) if id in service.games.playing]
        if not games:
            service.opponents.add_waiting(nick, ask)
            return []
        match = service.games.playing[games[0]]
        latest = Send((ask.session.id,), update(match, match.seq))
        service.opponents.call_next(nick, service.games)
        effects = give_seat(service, ask, match, nick, service.new_token(), joined(nick))
        turns = due_turns(service, ask, match) if ask.command.feed == TURNS else []
        return [*effects, presence(service, match), latest, *turns]
