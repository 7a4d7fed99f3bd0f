"""Matchmaking: the interface, and the lobby, invites and house bots of an ordinary server. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import define

from tabnet.errors import CODES, Refused
from tabnet.protocol.dice import SECRET_BYTES
from tabnet.protocol.frames import Failed, Joined
from tabnet.protocol.messages import Join
from tabnet.server.core.addressing import Request, authenticated_nick
from tabnet.server.core.effects import Effect, Log, SaveRow, Send
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.match_changes import Change
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import (
    Terms,
    require_bare,
    require_public,
    salt_hash_of,
    terms_of,
    wish_of,
)
from tabnet.server.core.pairing.admission import require_room
from tabnet.server.core.pairing.lobby import Table, WaitingPlayer
from tabnet.server.core.players.accounts import token_digest
from tabnet.server.core.players.nick_rules import GUEST
from tabnet.server.core.queries import presence
from tabnet.server.core.row_mapping import waiting_row
from tabnet.server.core.rows import SeatToken
from tabnet.server.core.updates import update

if TYPE_CHECKING:
    from tabnet.server.core.service import Service

GUEST_BYTES = 8
"""64 bits, so that a name is hardly ever drawn twice."""
GAME_BYTES = 8
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
            nick=self._new_guest() if nick is None else nick,
            ranked=nick is not None and not nick.startswith(GUEST),
            auto=bool(join.auto),
            wish=wish_of(join, terms),
            salt_hash=salt_hash_of(join, terms),
            origin=None if ask.session.origin.is_exempt else ask.session.origin.key,
        )
        require_room(service, ask, player.nick, terms, invited)
        table = self._table(ask, terms, player, invited)
        tokens, start = self._tokens(table, player.nick), None
        if table.is_full:
            try:
                start = self._start(table, ask.now)
            except Exception as error:  # noqa: BLE001 - whatever the code of the game raises
                return self._cancel(ask, table, player.nick, error)
        if nick is None:
            service.sessions.log_in(ask.session, player.nick)
        return self._seat(ask, table, player.nick, tokens, start)

    def _new_guest(self) -> str:
        """Return a nick for a guest that no player and no connection has."""
        service = self.service
        while True:
            nick = GUEST + service.entropy(GUEST_BYTES).hex()
            has_games = service.games.number_of_games(nick) > 0
            if not (has_games or service.accounts.knows(nick) or service.sessions.logged_in(nick)):
                return nick

    def _table(
        self, ask: Request[Join], terms: Terms, player: WaitingPlayer, invited: Table | None
    ) -> Table:
        """Return the table where the player has been seated."""
        service, lobby = self.service, self.service.games.lobby
        if invited is not None:
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

    def _tokens(self, table: Table, nick: str) -> dict[str, str]:
        """Draw a token for the player, and for each house bot that waits for this game."""
        opponents = self.service.opponents
        bots = [bot for bot in table.nicks if bot in opponents.nicks and opponents.is_waiting(bot)]
        return {seated: self.service.new_token() for seated in (nick, *bots)}

    def _start(self, table: Table, now: int) -> Change:
        """Return the change that begins the match of a full table."""
        seats = tuple(
            Seat(player.nick, player.ranked, player.auto, player.salt_hash)
            for player in table.seated(self.service.entropy)
        )
        secret = self.service.entropy(SECRET_BYTES)
        return self.service.start(Match.start(table.id, table.terms, seats, secret, now))

    def _cancel(
        self, ask: Request[Join], table: Table, nick: str, error: Exception
    ) -> list[Effect]:
        """Refuse a join whose match cannot begin; the wait of the other players is over."""
        fields = {"game": table.id, "kind": table.terms.kind, "players": table.nicks}
        text = "the server failed to begin this game; its wait is over"
        reply = ask.refused(Refused("server_error", text))
        effects: list[Effect] = [reply, Log("failed", fields, error)]
        opponents = self.service.opponents
        waiting = [other for other in table.nicks if other not in {nick, *opponents.nicks}]
        opponents.end_game(table.id, ())
        return [*effects, *self.service.end_wait(table, waiting)] if waiting else effects

    def _seat(
        self,
        ask: Request[Join],
        table: Table,
        nick: str,
        tokens: dict[str, str],
        start: Change | None,
    ) -> list[Effect]:
        """Give the player a token, and begin the match that waited for this player."""
        invite = table.invite if start is None else None
        effects = self._give_seat(ask, table.id, nick, tokens[nick], invite)
        waits = self.service.quotas.waits
        if start is not None:
            for waiting in table.nicks:
                waits.release(table.id, waiting)
            return [*effects, *self._seat_house_bots(table, tokens), *self.service.begin(start)]
        waits.add(table.id, nick, ask.session.holders)
        effects.append(SaveRow(waiting_row(table)))
        return [*effects, presence(self.service, table)] if len(table.players) > 1 else effects

    def _give_seat(
        self, ask: Request[Join], game: str, nick: str, token: str, invite: str | None = None
    ) -> list[Effect]:
        """Give the player the seat, and the token with the reply."""
        self.service.take_seat(ask, game, nick, token)
        reply = Joined(cmd=Join.cmd, game=game, nick=nick, token=token, invite=invite)
        return [ask.answer(reply), SaveRow(SeatToken(game, nick, token_digest(token)))]

    def _seat_house_bots(self, table: Table, tokens: dict[str, str]) -> list[Effect]:
        """Give house bots their seats; a bot without a process gets its token later."""
        opponents, games = self.service.opponents, self.service.games
        effects: list[Effect] = []
        for nick in [nick for nick in table.nicks if nick in opponents.nicks]:
            join = opponents.take_join(nick)
            if join is None:
                games.take_seat(nick, table.id)
            else:
                effects += self._give_seat(join, table.id, nick, tokens[nick])
                opponents.call_next(nick, games)
        return effects

    def _join_as_house_bot(self, ask: Request[Join], nick: str) -> list[Effect]:
        """Seat the process of a house bot in the game that has a seat for it, or let it wait."""
        service = self.service
        games = service.games.games_of(nick)
        if not games:
            service.opponents.add_waiting(nick, ask)
            return []
        match = service.games.playing[games[0]]
        latest = Send((ask.session.id,), update(match, match.seq))
        service.opponents.call_next(nick, service.games)
        effects = self._give_seat(ask, match.id, nick, service.new_token())
        return [*effects, presence(service, match), latest]
