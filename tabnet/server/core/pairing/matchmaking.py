"""Matchmaking: the interface, and the lobby, invites and house bots of an ordinary server. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import define, evolve

from tabnet.errors import CODES, Refused
from tabnet.protocol.frames import Failed
from tabnet.protocol.messages import TURNS, Join
from tabnet.server.core.effects import Effect, Send
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import (
    Terms,
    read_salt_hash,
    read_terms,
    read_wish,
    require_no_terms,
    require_public,
)
from tabnet.server.core.pairing.lobby import Table, WaitingPlayer
from tabnet.server.core.pairing.quota_checks import require_quotas
from tabnet.server.core.pairing.seating import (
    GAME_BYTES,
    give_seat,
    make_guest_nick,
    make_joined,
    seat_player,
)
from tabnet.server.core.players.nick_rules import GUEST, HOUSE
from tabnet.server.core.queries import announce_presence, send_due_turns
from tabnet.server.core.sender_and_game_of_command import (
    Request,
    authenticate_sender,
    find_seat_to_play_again,
)
from tabnet.server.core.update_frames import make_update

if TYPE_CHECKING:
    from tabnet.server.core.service import Service

INVITE_BYTES = 8


class Matchmaking(Protocol):
    """The rules by which a server seats players, and what it learns of their games."""

    def join(self, request: Request[Join]) -> list[Effect]:
        """Execute a join."""
        ...

    def get_listed_games(self) -> GameIndex:
        """Return the games that all clients may list."""
        ...

    def on_malformed(self, session: int, failed: Failed) -> list[Effect]:
        """React to a malformed line, which the server has refused."""
        ...

    def on_disconnected(self, session: int) -> None:
        """Forget a connection that has ended."""
        ...

    def on_changed(self, match: Match, since: int) -> None:
        """React to the events of a match after number `since`."""
        ...


@define(eq=False)
class OpenGames:
    """The matchmaking of a server on which everybody may join, and see all games."""

    service: Service

    def get_listed_games(self) -> GameIndex:
        return self.service.games

    def on_malformed(self, session: int, failed: Failed) -> list[Effect]:  # noqa: ARG002 - an interface
        return []

    def on_disconnected(self, session: int) -> None:
        self.service.opponents.forget_session(session)

    def on_changed(self, match: Match, since: int) -> None:  # noqa: ARG002 - an interface
        if match.result is not None:
            self.service.opponents.end_game(match.id, match.nicks)

    def join(self, request: Request[Join]) -> list[Effect]:
        service = self.service
        if request.session.nick in service.opponents.nicks:
            return self._join_as_house_bot(request, request.session.nick)
        if service.stopping:
            raise Refused("stopping", CODES["stopping"])
        nick, terms, wish, invited = self._read_join(request)
        join = request.command
        player = WaitingPlayer(
            nick=make_guest_nick(service) if nick is None else nick,
            ranked=nick is not None and not nick.startswith(GUEST),
            auto=bool(join.auto),
            wish=wish,
            salt_hash=read_salt_hash(join, terms),
            origin=None if request.session.origin.is_exempt else request.session.origin.key,
        )
        require_quotas(service, request, player.nick, terms, invited)
        table = self._seat_at_table(request, terms, player, invited)
        invite = None if table.is_again else table.invite
        token, make_reply = service.draw_token(), make_joined(player.nick, invite)
        effects = seat_player(
            service,
            request,
            table,
            player.nick,
            lambda game: give_seat(service, request, game, player.nick, token, make_reply),
        )
        if table.is_full and service.games.rooms.find_name(table.id) is None:
            for waiting in table.nicks:
                service.quotas.waits.release(table.id, waiting)
        return effects

    def _read_join(
        self, request: Request[Join]
    ) -> tuple[str | None, Terms, int | None, Table | None]:
        """Return the nick, None for a new guest; the terms, the wish, and the table asked for."""
        service, join = self.service, request.command
        nick = authenticate_sender(request, service.accounts)
        require_no_terms(join)
        if join.again is not None:
            match, seat = self._find_seat_to_play_again(request, join.again)
            rotated = (seat - 1) % match.terms.seats
            return match.nicks[seat], match.terms, rotated, service.games.lobby.find_again(match.id)
        if join.invite is not None:
            table = service.games.lobby.find_invited(join.invite)
            return nick, table.terms, read_wish(join, table.terms), table
        if join.opponent is not None:
            require_public(join)
        terms = read_terms(join)
        return nick, terms, read_wish(join, terms), None

    def _seat_at_table(
        self, request: Request[Join], terms: Terms, player: WaitingPlayer, invited: Table | None
    ) -> Table:
        """Return the table where the player has been seated."""
        service, lobby = self.service, self.service.games.lobby
        if request.command.again is not None:
            game = service.entropy(GAME_BYTES).hex()
            return lobby.join_again(request.command.again, terms, player, game, request.now)
        if invited is not None:
            if invited.has_secret_invite and player.wish is not None:
                text = "the invite determines the seat: leave seat out"
                raise Refused("bad_value", text, field="seat")
            if player.wish is None and service.games.rooms.find_name(invited.id):
                player = evolve(player, wish=invited.lowest_free_seat)
            return lobby.join_invited(invited, player)
        game, opponent = service.entropy(GAME_BYTES).hex(), request.command.opponent
        if opponent is not None:
            holders = request.session.holders
            bots = service.opponents.reserve(opponent, game, terms, service.games, holders)
            return Table(game, terms, request.now, [player, *bots])
        if not request.command.private:
            return lobby.join(terms, player, game, request.now)
        return lobby.join_privately(
            terms, player, game, lambda: service.entropy(INVITE_BYTES).hex(), request.now
        )

    def _find_seat_to_play_again(self, request: Request[Join], finished: str) -> tuple[Match, int]:
        """Return a finished match of people, and the sender's seat in it."""
        service = self.service
        match, seat = find_seat_to_play_again(request, finished, service.accounts, service.games)
        if any(nick.startswith(HOUSE) for nick in match.nicks):
            text = "a house bot does not answer: join with opponent instead"
            raise Refused("bad_value", text, field="again")
        return match, seat

    def _join_as_house_bot(self, request: Request[Join], nick: str) -> list[Effect]:
        """Seat the process of a house bot in the game that has a seat for it, or let it wait."""
        service = self.service
        games = [id for id in service.games.list_games_of(nick) if id in service.games.playing]
        if not games:
            service.opponents.add_waiting(nick, request)
            return []
        match = service.games.playing[games[0]]
        latest = Send((request.session.id,), make_update(match, match.seq))
        service.opponents.call_next(nick, service.games)
        effects = give_seat(service, request, match, nick, service.draw_token(), make_joined(nick))
        turns = send_due_turns(service, request, match) if request.command.feed == TURNS else []
        return [*effects, announce_presence(service, match), latest, *turns]
