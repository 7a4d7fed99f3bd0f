"""The whole server without a socket: commands and time in, effects out. Pure.

The hub tells what happens (`connect`, `handle`, `tick`, `disconnect`) and does what comes back.
`now` is any clock that only goes forward, in milliseconds. A refusal changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from tabnet.errors import Refused, TabnetError
from tabnet.games import GAMES
from tabnet.protocol import messages as m
from tabnet.protocol.codec import refusal
from tabnet.protocol.dice import NO_SALT, SECRET_BYTES
from tabnet.protocol.frames import Hello, Joined, Presence, Scores, Snapshot
from tabnet.protocol.guide import guide
from tabnet.protocol.schema import schemas
from tabnet.server import answers
from tabnet.server.accounts import GUEST, Accounts, Proof
from tabnet.server.effects import Close, Effect, Log, Send
from tabnet.server.hall import Hall
from tabnet.server.lobby import Player, Table
from tabnet.server.match import Match, Seat
from tabnet.server.ranking import Rankings
from tabnet.server.request import Request, about, begun, seat, who
from tabnet.server.sessions import Sessions
from tabnet.server.terms import board_of, game_named, terms_of
from tabnet.server.updates import update

GUEST_BYTES = 4
GAME_BYTES = 8
TOKEN_BYTES = 16
"""128 bits: nobody guesses a seat."""


@define
class Service:
    """The referee. `entropy` gives that many random bytes: ids, tokens and dice come from there."""

    entropy: Callable[[int], bytes]
    accounts: Accounts = field(factory=Accounts)
    hall: Hall = field(factory=Hall)
    rankings: Rankings = field(factory=Rankings)
    sessions: Sessions = field(factory=Sessions)

    # What the hub tells

    def connect(self, session: int) -> list[Effect]:
        """A connection is there: the server speaks first."""
        self.sessions.open(session)
        return [Send((session,), Hello(games=tuple(GAMES)))]

    def handle(
        self, session: int, command: m.Command, now: int, proof: Proof | None = None
    ) -> list[Effect]:
        """Serve one command; `proof` is its password, hashed under the salt of its nick."""
        passed = self.tick(now)
        try:
            return passed + HANDLERS[type(command)](
                self, Request(self.sessions[session], command, now, proof)
            )
        except TabnetError as error:
            reply = refusal(error, command.cmd, command.id)
            told = {"session": session, "cmd": command.cmd, "code": error.code}
            return [*passed, Send((session,), reply), Log("refuse", told)]

    def tick(self, now: int) -> list[Effect]:
        """Let flags fall and waits end, whose time is over."""
        deadline = self.deadline()
        if deadline is None or now < deadline:
            return []
        effects: list[Effect] = []
        for table in self.hall.lobby.expired(now):
            effects += self._end_wait(table, table.nicks)
        for match in self.hall.fallen(now):
            effects += self._news(match, match.seq - 1)
        return effects

    def deadline(self) -> int | None:
        """When `tick` has something to do next."""
        return self.hall.deadline()

    def disconnect(self, session: int) -> list[Effect]:
        """A connection is gone. Its seats stay, and their clocks run on; but a guest who only
        waited would keep somebody else from an opponent who is there.
        """
        left = self.sessions.close(session)
        games = dict.fromkeys(game for game, _ in left)
        playing = [self.hall.playing[game] for game in games if game in self.hall.playing]
        effects: list[Effect] = [self._presence(match) for match in playing]
        for game, nick in left:
            table = self.hall.lobby.tables.get(game)
            if table is not None and nick.startswith(GUEST):
                effects += self._stop_waiting(table, nick)
        return effects

    # Coming and going

    def _register(self, ask: Request[m.Register]) -> list[Effect]:
        nick = ask.command.nick
        if ask.proof is None:
            raise TypeError("a register comes with the proof of its password")
        new = self.accounts.register(nick, ask.proof)
        ask.session.nick = nick
        return [ask.done(), Log("register", {"session": ask.session.id, "nick": nick, "new": new})]

    def _join(self, ask: Request[m.Join]) -> list[Effect]:
        nick = who(ask, self.accounts)
        terms = terms_of(ask.command)
        if nick is None:
            nick = ask.session.nick = GUEST + self.entropy(GUEST_BYTES).hex()
        player = Player(nick, not nick.startswith(GUEST), bool(ask.command.auto), ask.command.seat)
        table = self.hall.lobby.join(terms, player, self.entropy(GAME_BYTES).hex(), ask.now)
        token = self.entropy(TOKEN_BYTES).hex()
        self.accounts.give_token(table.id, nick, token)
        self.hall.take_seat(nick, table.id)
        self.sessions.follow(ask.session, table.id)
        self.sessions.sit(ask.session, table.id, nick)
        reply = ask.answer(Joined(cmd=m.Join.cmd, game=table.id, nick=nick, token=token))
        return [reply, *(self._begin(table, ask.now) if table.is_full else [])]

    def _begin(self, table: Table, now: int) -> list[Effect]:
        seats = tuple(Seat(player.nick, player.ranked, player.auto) for player in table.seated())
        secret = self.entropy(SECRET_BYTES)
        match = Match.start(table.id, table.terms, seats, secret, (NO_SALT,) * len(seats), now)
        self.hall.begin(match)
        told = {"game": match.id, "kind": match.terms.kind, "players": match.nicks}
        effects = [Log("pair", told), *self._news(match, 0)]
        everybody = all(self.sessions.is_present(match.id, nick) for nick in match.nicks)
        return effects if everybody else [*effects, self._presence(match)]

    def _leave(self, ask: Request[m.Leave]) -> list[Effect]:
        game, nick = seat(ask, self.accounts, self.hall)
        if isinstance(game, Match):
            before = game.seq
            game.leave(game.nicks.index(nick), ask.now)
            return [ask.done(), *self._news(game, before)]
        return [ask.done(), *self._stop_waiting(game, nick)]

    def _stop_waiting(self, table: Table, nick: str) -> list[Effect]:
        """One player waits no more; with the last one the wait is over."""
        self.hall.lobby.leave(table, nick)
        if not table.players:
            return self._end_wait(table, [nick])
        self._forget_seat(table.id, nick)
        return []

    def _end_wait(self, table: Table, nicks: list[str]) -> list[Effect]:
        """A wait is over without a match: whoever follows it learns that nobody won."""
        ended = Snapshot(game=table.id, seq=1, position={"winner": None})
        followers = self.sessions.followers(table.id)
        for nick in nicks:
            self._forget_seat(table.id, nick)
        self.sessions.end(table.id)
        return [Send(followers, ended)]

    def _forget_seat(self, game: str, nick: str) -> None:
        self.hall.give_up_seat(nick, game)
        self.accounts.void_token(game, nick)

    # Playing

    def _play(self, ask: Request[m.Seated]) -> list[Effect]:
        game, nick = seat(ask, self.accounts, self.hall)
        match = begun(game)
        before = match.seq
        match.play(match.nicks.index(nick), ask.command.cmd, m.move_fields(ask.command), ask.now)
        arrived = self.sessions.sit(ask.session, match.id, nick)
        presence = [self._presence(match)] if arrived else []
        return [ask.done(), *presence, *self._news(match, before)]

    def _news(self, match: Match, since: int) -> list[Effect]:
        """The updates after number `since`, and what follows from the match's end."""
        followers = self.sessions.followers(match.id)
        numbers = range(since + 1, match.seq + 1)
        effects: list[Effect] = [Send(followers, update(match, number)) for number in numbers]
        if match.result is None:
            self.hall.watch(match)
            return effects
        winners = [match.nicks[seat] for seat in match.result.winners]
        if all(seat.ranked for seat in match.seats):
            self.rankings.record(match.terms.board, match.nicks, winners)
        self.sessions.end(match.id)
        for forgotten in self.hall.finish(match):
            for nick in forgotten.nicks:
                self.accounts.void_token(forgotten.id, nick)
        told = {"game": match.id, "winners": winners, "reason": match.result.reason}
        return [*effects, Log("end", {**told, "seq": match.seq})]

    # Following and asking

    def _update(self, ask: Request[m.Update]) -> list[Effect]:
        game, nick = about(ask, self.accounts, self.hall)
        latest = game.seq
        since = max(latest - 1, 0) if ask.command.since is None else ask.command.since
        if since > latest:
            text = f"since is more than {latest}, the number of the latest update"
            raise Refused("bad_value", text, field="since", hint="the last seq you have seen")
        if isinstance(game, Table) or game.result is None:
            self.sessions.follow(ask.session, game.id)
            arrived = nick in game.nicks and self.sessions.sit(ask.session, game.id, nick)
        if isinstance(game, Table):
            return [ask.done()]
        me = (ask.session.id,)
        missed = [Send(me, update(game, number)) for number in range(since + 1, latest + 1)]
        presence = [self._presence(game)] if game.result is None and arrived else []
        return [ask.done(), *missed, *presence]

    def _presence(self, match: Match) -> Send:
        return Send(
            self.sessions.followers(match.id), Presence(game=match.id, online=self._online(match))
        )

    def _online(self, game: Match | Table) -> dict[str, bool]:
        return {nick: self.sessions.is_present(game.id, nick) for nick in game.nicks}

    def _state(self, ask: Request[m.State]) -> list[Effect]:
        game, _ = about(ask, self.accounts, self.hall)
        text = bool(ask.command.text)
        return [ask.answer(answers.standing(game, self._online(game), ask.now, text=text))]

    def _moves(self, ask: Request[m.Moves]) -> list[Effect]:
        match = begun(about(ask, self.accounts, self.hall)[0])
        return [ask.answer(answers.choices(match, ask.command.player, m.move_fields(ask.command)))]

    def _check(self, ask: Request[m.Check]) -> list[Effect]:
        tried = answers.tried(ask.command)
        game, nick = seat(ask, self.accounts, self.hall)
        return [ask.answer(answers.check(game, nick, tried, m.move_fields(ask.command)))]

    def _ranking(self, ask: Request[m.Ranking]) -> list[Effect]:
        best = self.rankings.best(board_of(ask.command))
        return [ask.answer(Scores(cmd=m.Ranking.cmd, ranking=best))]

    def _games(self, ask: Request[m.Games]) -> list[Effect]:
        kind = game_named(ask.command.kind).kind if ask.command.kind else None
        return [ask.answer(answers.listing(self.hall, kind))]

    def _help(self, ask: Request[m.Help]) -> list[Effect]:
        return [ask.answer(guide(ask.command.about))]

    def _schema(self, ask: Request[m.Schema]) -> list[Effect]:
        return [ask.answer(schemas())]

    def _ping(self, ask: Request[m.Ping]) -> list[Effect]:
        return [ask.done()]

    def _quit(self, ask: Request[m.Quit]) -> list[Effect]:
        return [ask.done(), Close(ask.session.id)]


HANDLERS: dict[type[m.Command], Callable[[Service, Request[Any]], list[Effect]]] = {
    m.Register: Service._register,
    m.Join: Service._join,
    m.Leave: Service._leave,
    m.Roll: Service._play,
    m.Notify: Service._play,
    m.Pass: Service._play,
    m.Update: Service._update,
    m.Ranking: Service._ranking,
    m.State: Service._state,
    m.Moves: Service._moves,
    m.Check: Service._check,
    m.Games: Service._games,
    m.Help: Service._help,
    m.Schema: Service._schema,
    m.Ping: Service._ping,
    m.Quit: Service._quit,
}
