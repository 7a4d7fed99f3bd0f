"""The whole server without a socket: commands and time in, effects out. Pure.

The hub tells what happens (`connect`, `handle`, `tick`, `disconnect`) and does what comes back.
`now` is any clock that only goes forward, in milliseconds. A refusal changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from tabnet.errors import CODES, Refused, RulesError, TabnetError
from tabnet.protocol import messages as m
from tabnet.protocol.dice import SECRET_BYTES
from tabnet.protocol.frames import Failed, Joined
from tabnet.server.core import queries as questions
from tabnet.server.core.accounts import Accounts, Proof, token_digest
from tabnet.server.core.addressing import Request, begun, seat, who
from tabnet.server.core.admission import require_registration, require_room
from tabnet.server.core.effects import Close, Effect, Log, Record, Send
from tabnet.server.core.game_index import GameIndex, SetAside
from tabnet.server.core.host import Host
from tabnet.server.core.house_bots import HouseBots
from tabnet.server.core.lobby import Player, Table
from tabnet.server.core.match import Match
from tabnet.server.core.match_parts import Seat
from tabnet.server.core.nick_rules import GUEST
from tabnet.server.core.queries import presence
from tabnet.server.core.quotas import LOCAL, ClientOrigin, Quotas
from tabnet.server.core.ranking import Rankings
from tabnet.server.core.row_mapping import begun_row, ended_row, event_row, waiting_row
from tabnet.server.core.rows import Registered, SeatToken, Unseated, WaitOver
from tabnet.server.core.sessions import Sessions
from tabnet.server.core.terms import (
    Terms,
    from_hex,
    require_bare,
    require_public,
    salt_hash_of,
    terms_of,
    wish_of,
)
from tabnet.server.core.updates import update, wait_over

GUEST_BYTES = 8
"""64 bits, so that a name is hardly ever drawn twice."""
GAME_BYTES = 8
INVITE_BYTES = 8
TOKEN_BYTES = 16
"""128 bits: nobody guesses a seat."""


@define
class Service:
    """The referee. `entropy` gives that many random bytes: ids, tokens and dice come from there."""

    entropy: Callable[[int], bytes]
    accounts: Accounts = field(factory=Accounts)
    games: GameIndex = field(factory=GameIndex)
    rankings: Rankings = field(factory=Rankings)
    sessions: Sessions = field(factory=Sessions)
    quotas: Quotas = field(factory=Quotas)
    stopping: bool = False
    """Nobody joins any more."""
    host: Host | None = None
    """Who seats the players, where they are not paired by what they ask for."""
    opponents: HouseBots = field(factory=HouseBots)
    """The bots that can be asked for."""

    # What the hub tells

    def connect(self, session: int, nick: str | None = None, origin: ClientOrigin = LOCAL) -> None:
        """Open a session; `nick` is the name that the client claims, without a proof."""
        claimed = None if nick in self.opponents.nicks else nick
        self.sessions.log_in(self.sessions.open(session, origin=origin), claimed)

    def connect_for_request(self, session: int, origin: ClientOrigin = LOCAL) -> None:
        """Open a session for one request: it has no login, follows nothing, and is not present."""
        self.sessions.open(session, single_request=True, origin=origin)

    def handle(
        self, session: int, command: m.Command, now: int, proof: Proof | None = None
    ) -> list[Effect]:
        """Serve one command; `proof` is its password, hashed under the salt of its nick."""
        timeouts = self.tick(now)
        ask = Request(self.sessions[session], command, now, proof)
        try:
            ask = self.opponents.authenticated(ask)
            return timeouts + HANDLERS[type(command)](self, ask)
        except TabnetError as error:
            told = {"session": session, "cmd": command.cmd, "code": error.code}
            return [*timeouts, ask.refused(error), Log("refuse", told)]

    def garbled(self, session: int, failed: Failed) -> list[Effect]:
        """A line was no command: it is refused."""
        told = {"session": session, "cmd": failed.cmd, "code": failed.code}
        effects: list[Effect] = [Send((session,), failed), Log("refuse", told)]
        return effects if self.host is None else effects + self.host.garbled(session, failed)

    def tick(self, now: int) -> list[Effect]:
        """Let flags fall and waits end, whose time is over."""
        deadline = self.deadline()
        if deadline is None or now < deadline:
            return []
        effects: list[Effect] = []
        for table in self.games.lobby.expired(now):
            effects += self.end_wait(table, table.nicks)
        for match in self.games.due(now):
            after = match.expire(now)
            if after is not None:
                effects += self.news(after, match.seq)
        return effects

    def deadline(self) -> int | None:
        """When `tick` has something to do next."""
        return self.games.deadline()

    def disconnect(self, session: int) -> list[Effect]:
        """A connection is gone. Its seats stay, and their clocks run on; but a guest who only
        waited would keep somebody else from an opponent who is there.
        """
        left = self.sessions.close(session)
        self.opponents.gone(session)
        if self.host is not None:
            self.host.gone(session)
        games = dict.fromkeys(game for game, _ in left)
        playing = [self.games.playing[game] for game in games if game in self.games.playing]
        effects: list[Effect] = [presence(self, match) for match in playing]
        for game, nick in left:
            table = self.games.lobby.tables.get(game)
            if table is not None and nick.startswith(GUEST) and table.invite is None:
                effects += self.stop_waiting(table, nick)
        return effects

    # Coming and going

    def _register(self, ask: Request[m.Register]) -> list[Effect]:
        nick = ask.command.nick
        require_registration(self, ask.session, nick, ask.now)
        if ask.proof is None:
            raise TypeError("a register comes with the proof of its password")
        new = self.accounts.register(nick, ask.proof)
        if new:
            self.quotas.registrations.add(ask.session.holders, ask.now)
        self.sessions.log_in(ask.session, nick)
        told = Log("register", {"session": ask.session.id, "nick": nick, "new": new})
        kept = Record(Registered(nick, ask.proof.salt, ask.proof.digest))
        return [ask.done(), kept, told] if new else [ask.done(), told]

    def _join(self, ask: Request[m.Join]) -> list[Effect]:
        if ask.session.nick in self.opponents.nicks:
            return self._engage(ask, ask.session.nick)
        if self.stopping:
            raise Refused("stopping", CODES["stopping"])
        if self.host is not None:
            return self.host.join(ask)
        join, nick = ask.command, who(ask, self.accounts)
        invited = None
        if join.invite is not None:
            require_bare(join)
            invited = self.games.lobby.invited(join.invite)
        elif join.opponent is not None:
            require_public(join)
        terms = terms_of(join) if invited is None else invited.terms
        player = Player(
            nick=self._new_guest() if nick is None else nick,
            ranked=nick is not None and not nick.startswith(GUEST),
            auto=bool(join.auto),
            wish=wish_of(join, terms),
            salt_hash=salt_hash_of(join, terms),
            origin=None if ask.session.origin.is_exempt else ask.session.origin.key,
        )
        require_room(self, ask, player.nick, terms, invited)
        table = self._table(ask, terms, player, invited)
        if nick is None:
            self.sessions.log_in(ask.session, player.nick)
        return self._seat(ask, table, player.nick)

    def _new_guest(self) -> str:
        """Return a name for a guest that no player and no connection has."""
        while True:
            nick = GUEST + self.entropy(GUEST_BYTES).hex()
            has_seat = self.games.number_of_games(nick) > 0
            if not has_seat and not self.sessions.logged_in(nick) and not self.accounts.knows(nick):
                return nick

    def _table(
        self, ask: Request[m.Join], terms: Terms, player: Player, invited: Table | None
    ) -> Table:
        """The table where the player has been seated."""
        lobby = self.games.lobby
        if invited is not None:
            return lobby.join_invited(invited, player)
        game, opponent = self.entropy(GAME_BYTES).hex(), ask.command.opponent
        if opponent is not None:
            rivals = self.opponents.engage(opponent, game, terms, self.games, ask.session.holders)
            return Table(game, terms, ask.now, [player, *rivals])
        if not ask.command.private:
            return lobby.join(terms, player, game, ask.now)
        return lobby.join_privately(
            terms, player, game, lambda: self.entropy(INVITE_BYTES).hex(), ask.now
        )

    def _seat(self, ask: Request[m.Join], table: Table, nick: str) -> list[Effect]:
        """Give the player a token, and the game a start if it was waiting for this one."""
        seated = self._admit(ask, table.id, nick, None if table.is_full else table.invite)
        if table.is_full:
            for place in table.nicks:
                self.quotas.waits.release(table.id, place)
            return [*seated, *self._admit_house(table), *self._begin(table, ask.now)]
        self.quotas.waits.add(table.id, nick, ask.session.holders)
        seated.append(Record(waiting_row(table)))
        return [*seated, presence(self, table)] if len(table.players) > 1 else seated

    def _admit(
        self, ask: Request[m.Join], game: str, nick: str, invite: str | None = None
    ) -> list[Effect]:
        """Give the player the seat, and the token with the reply."""
        token = self.take_seat(ask, game, nick)
        reply = Joined(cmd=m.Join.cmd, game=game, nick=nick, token=token, invite=invite)
        return [ask.answer(reply), Record(SeatToken(game, nick, token_digest(token)))]

    def _admit_house(self, table: Table) -> list[Effect]:
        """Give bots of the house their seats; who does not wait for it already comes later."""
        effects: list[Effect] = []
        for nick in [nick for nick in table.nicks if nick in self.opponents.nicks]:
            asked = self.opponents.take(nick)
            if asked is None:
                self.games.take_seat(nick, table.id)
            else:
                effects += self._admit(asked, table.id, nick)
                self.opponents.relieve(nick, self.games)
        return effects

    def _engage(self, ask: Request[m.Join], nick: str) -> list[Effect]:
        """A bot of the house asks for a game: for the one where its seat is, or it has to wait."""
        games = self.games.games_of(nick)
        if not games:
            self.opponents.ask(nick, ask)
            return []
        match = self.games.playing[games[0]]
        self.opponents.relieve(nick, self.games)
        latest = Send((ask.session.id,), update(match, match.seq))
        return [*self._admit(ask, match.id, nick), presence(self, match), latest]

    def take_seat(self, ask: Request[m.Join], game: str, nick: str) -> str:
        """Let the player have a seat, played from the connection that asks; its token."""
        token = self.entropy(TOKEN_BYTES).hex()
        self.accounts.give_token(game, nick, token_digest(token))
        self.games.take_seat(nick, game)
        self.sessions.follow(ask.session, game)
        self.sessions.sit(ask.session, game, nick)
        return token

    def _begin(self, table: Table, now: int) -> list[Effect]:
        seats = tuple(
            Seat(player.nick, player.ranked, player.auto, player.salt_hash)
            for player in table.seated(self.entropy)
        )
        match = Match.start(table.id, table.terms, seats, self.entropy(SECRET_BYTES), now)
        return self.begin(match)

    def begin(self, match: Match) -> list[Effect]:
        """Let a match be played that has just started, its players being seated."""
        self.games.begin(match)
        told = {"game": match.id, "kind": match.terms.kind, "players": match.nicks}
        effects = [Log("pair", told), Record(begun_row(match)), *self.news(match, 0)]
        everybody = all(self.sessions.is_present(match.id, nick) for nick in match.nicks)
        return effects if everybody else [*effects, presence(self, match)]

    def _leave(self, ask: Request[m.Leave]) -> list[Effect]:
        game, nick = seat(ask, self.accounts, self.games)
        if isinstance(game, Match):
            after = game.leave(game.nicks.index(nick), ask.now)
            return [ask.done(), *self.news(after, game.seq)]
        return [ask.done(), *self.stop_waiting(game, nick)]

    def stop_waiting(self, table: Table, nick: str) -> list[Effect]:
        """One player waits no more; with the last one the wait is over."""
        self.games.lobby.leave(table, nick)
        if not table.players:
            return self.end_wait(table, [nick])
        self._forget_seat(table.id, nick)
        ended = Send(self.sessions.stand_up(table.id, nick), wait_over(table))
        kept = [Record(waiting_row(table)), Record(Unseated(table.id, nick))]
        return [ended, *kept, presence(self, table)]

    def end_wait(self, table: Table, nicks: list[str]) -> list[Effect]:
        """A wait is over without a match: whoever follows it learns that nobody won."""
        followers = self.sessions.followers(table.id)
        for nick in nicks:
            self._forget_seat(table.id, nick)
        self.sessions.end(table.id)
        return [Send(followers, wait_over(table)), Record(WaitOver(table.id))]

    def _forget_seat(self, game: str, nick: str) -> None:
        self.quotas.waits.release(game, nick)
        self.games.give_up_seat(nick, game)
        self.accounts.void_token(game, nick)

    # Playing

    def _play(self, ask: Request[m.Seated]) -> list[Effect]:
        game, nick = seat(ask, self.accounts, self.games)
        match = begun(game)
        number = match.nicks.index(nick)
        reply = ask.done()
        try:
            after = match.play(number, ask.command.cmd, m.move_fields(ask.command), ask.now)
        except RulesError as error:
            if not match.may_punish(number):
                raise
            after = match.punish(number, error.code, ask.now)
            reply = ask.refused(error)
        return [reply, *self._done(ask, after, nick, match.seq)]

    def _salt(self, ask: Request[m.Salt]) -> list[Effect]:
        game, nick = seat(ask, self.accounts, self.games)
        match = begun(game)
        salt = from_hex(ask.command.salt, "salt")
        after = match.reveal(match.nicks.index(nick), salt, ask.now)
        return [ask.done(), *self._done(ask, after, nick, match.seq)]

    def _draw(self, ask: Request[m.Draw]) -> list[Effect]:
        game, nick = seat(ask, self.accounts, self.games)
        match = begun(game)
        after = match.offer_draw(match.nicks.index(nick), ask.command.offer, ask.now)
        return [ask.done(), *self._done(ask, after, nick, match.seq)]

    def _done(self, ask: Request[m.Seated], match: Match, nick: str, before: int) -> list[Effect]:
        """Replace the match by what a player has made of it; the player is present now."""
        arrived = self.sessions.sit(ask.session, match.id, nick)
        news = self.news(match, before)
        return [presence(self, match), *news] if arrived else news

    def news(self, match: Match, since: int) -> list[Effect]:
        """Replace a match by its next value, and tell its followers what is new after `since`."""
        self.games.replace(match)
        followers = self.sessions.followers(match.id)
        effects: list[Effect] = []
        for number in range(since + 1, match.seq + 1):
            if self.host is None:  # a host keeps what it wants by itself
                effects.append(Record(event_row(match, number)))
            effects.append(Send(followers, update(match, number)))
            removed = match.moments[number - 1].removes
            if self.host is not None and removed is not None:
                self.host.removed(match, removed)
        if match.result is None:
            for seat in match.out:
                self.games.give_up_seat(match.nicks[seat], match.id)
            return effects
        winners = [match.nicks[seat] for seat in match.result.winners]
        if all(seat.ranked for seat in match.seats):
            self.rankings.record(match.terms.board, match.nicks, winners, match.result.points)
        self.sessions.end(match.id)
        self.forget(self.games.finish(match))
        self.opponents.recall(match.id, match.nicks)
        if self.host is not None:
            self.host.over(match)
        told = {"game": match.id, "winners": winners, "reason": match.result.reason}
        kept = [Record(ended_row(match))] if self.host is None else []
        return [*effects, *kept, Log("end", {**told, "seq": match.seq})]

    def forget(self, forgotten: Sequence[Match | SetAside]) -> None:
        """Of finished matches that have left the games, the tokens go too."""
        for match in forgotten:
            for nick in match.nicks:
                self.accounts.void_token(match.id, nick)

    def _quit(self, ask: Request[m.Quit]) -> list[Effect]:
        return [ask.done(), Close(ask.session.id)]


HANDLERS: dict[type[m.Command], Callable[[Service, Request[Any]], list[Effect]]] = {
    m.Register: Service._register,
    m.Join: Service._join,
    m.Leave: Service._leave,
    m.Roll: Service._play,
    m.Notify: Service._play,
    m.Pass: Service._play,
    m.Draw: Service._draw,
    m.Salt: Service._salt,
    m.Update: questions.update,
    m.Ranking: questions.ranking,
    m.State: questions.state,
    m.Moves: questions.moves,
    m.Check: questions.check,
    m.Games: questions.games,
    m.Help: questions.explain,
    m.Schema: questions.schema,
    m.Ping: questions.ping,
    m.Quit: Service._quit,
}
