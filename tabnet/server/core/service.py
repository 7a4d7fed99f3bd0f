"""The whole server without a socket: commands and time in, effects out. Pure.

The hub calls `connect`, `handle`, `apply_timeouts` and `disconnect`, and performs the effects that
come back.
`now` is any clock that only goes forward, in milliseconds. A refused command changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import Factory, define, field

from tabnet.errors import Refused, RulesError, TabnetError
from tabnet.games.api import Outcome
from tabnet.protocol import messages as m
from tabnet.protocol.frames import Failed
from tabnet.protocol.help_reply import make_guide
from tabnet.protocol.schema_reply import make_schemas
from tabnet.server.core import queries
from tabnet.server.core.costs.client_origin import LOCAL, ClientOrigin
from tabnet.server.core.costs.quotas import Quotas
from tabnet.server.core.effects import Close, Effect, Log, SaveRow, Send
from tabnet.server.core.frames_to_followers import make_frames
from tabnet.server.core.game_index import GameIndex, SetAside
from tabnet.server.core.match_changes import (
    Change,
    MatchFailed,
    prepare_change,
    prepare_closing,
    prepare_start,
)
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import parse_hex
from tabnet.server.core.matches.turn_limits import offer_draw_within_limits, play_within_limits
from tabnet.server.core.pairing.house_bots import HouseBots
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.pairing.matchmaking import Matchmaking, OpenGames
from tabnet.server.core.pairing.quota_checks import require_registration
from tabnet.server.core.players.absent_players import end_if_deserted, report_absent
from tabnet.server.core.players.accounts import Accounts, Proof, digest_token
from tabnet.server.core.players.banned_addresses import BannedAddresses
from tabnet.server.core.players.nick_rules import GUEST
from tabnet.server.core.players.ranking import Rankings
from tabnet.server.core.queries import announce_presence
from tabnet.server.core.rooms.room_handlers import ROOM_HANDLERS
from tabnet.server.core.rows import Registered, RoomClosed, Unseated, WaitOver
from tabnet.server.core.rows_of_matches import make_waiting_row
from tabnet.server.core.sender_and_game_of_command import (
    Request,
    find_addressed_seat,
    require_match,
)
from tabnet.server.core.sessions import Sessions
from tabnet.server.core.update_frames import make_end_of_wait

TOKEN_BYTES = 16
"""128 bits: nobody guesses the token of a seat."""

GAME_CLOSED = "the server failed at this command; the game is closed, and nobody has won"
COMMAND_FAILED = "the server failed at this command; nothing has changed"


@define
class Service:
    """The referee. `entropy` returns so many random bytes, for ids, tokens and dice."""

    entropy: Callable[[int], bytes]
    accounts: Accounts = field(factory=Accounts)
    banned_addresses: BannedAddresses = field(factory=BannedAddresses)
    games: GameIndex = field(factory=GameIndex)
    rankings: Rankings = field(factory=Rankings)
    sessions: Sessions = field(factory=Sessions)
    quotas: Quotas = field(factory=Quotas)
    stopping: bool = False
    """No client can join any more."""
    registration_is_closed: bool = False
    """Only the operator registers new nicks."""
    is_stored: bool = True
    """The rows of matches are wanted; there is a store for them."""
    opponents: HouseBots = field(factory=HouseBots)
    """The bots that can be asked for."""
    matchmaking: Matchmaking = field(default=Factory(OpenGames, takes_self=True))
    """The rules by which players are seated."""

    # Connections

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
        deadline = self.games.deadline
        timeouts = [] if deadline is None or now < deadline else self.apply_timeouts(now)
        request = Request(self.sessions[session], command, now, proof)
        try:
            request = self.opponents.authenticate(request)
            effects = HANDLERS[type(command)](self, request)
            return timeouts + effects if timeouts else effects
        except TabnetError as error:
            refused = Log("refuse", {**_make_log_fields(request), "code": error.code})
            return [*timeouts, request.refuse(error), refused]
        except MatchFailed as failed:
            reply = request.refuse(Refused("server_error", GAME_CLOSED))
            return [*timeouts, reply, *self._close_failed(failed, now, **_make_log_fields(request))]
        except Exception as error:  # noqa: BLE001 - it concerns this session alone
            reply = request.refuse(Refused("server_error", COMMAND_FAILED))
            return [*timeouts, reply, Log("failed", _make_log_fields(request), error)]

    def refuse_malformed(self, session: int, failed: Failed) -> list[Effect]:
        """Refuse a line that is no command."""
        fields = {"session": session, "cmd": failed.cmd, "code": failed.code}
        refusal: list[Effect] = [Send((session,), failed), Log("refuse", fields)]
        return refusal + self.matchmaking.on_malformed(session, failed)

    def apply_timeouts(self, now: int) -> list[Effect]:
        """Apply every timeout that is due at `now`."""
        effects: list[Effect] = []
        for table in self.games.lobby.pop_expired(now):
            effects += self.end_wait(table, table.nicks)
        for match in self.games.pop_due(now):
            effects += self.change_match(match, now, partial(_expire_match, match, now))
        while (game := self.games.deserted.pop_due(now)) is not None:
            effects += end_if_deserted(self, game, now)
        effects += [SaveRow(RoomClosed(room)) for room in self.games.rooms.pop_due(now)]
        return effects

    @property
    def deadline(self) -> int | None:
        """Return the time of the next timeout, or None."""
        return self.games.deadline

    def disconnect(self, session: int) -> list[Effect]:
        """Forget a connection. Its player keeps the seats, and the clocks run on."""
        absent = self.sessions.close(session)
        self.matchmaking.on_disconnected(session)
        return report_absent(self, absent)

    def stop_following(self, session: int, game: str) -> list[Effect]:
        """Send a connection no more updates of a game; its player is not present there any more."""
        absent = self.sessions.stop_following(self.sessions[session], game)
        return report_absent(self, absent)

    # Registering, joining and leaving

    def _register(self, request: Request[m.Register]) -> list[Effect]:
        nick = request.command.nick
        require_registration(self, request.session, nick, request.now)
        if request.proof is None:
            raise TypeError("a register comes with the proof of its password")
        new = self.accounts.register(nick, request.proof)
        self.sessions.log_in(request.session, nick)
        effects: list[Effect] = [request.confirm()]
        if new:
            self.quotas.registrations.add(request.session.holders, request.now)
            effects.append(SaveRow(Registered(nick, request.proof.salt, request.proof.digest)))
        fields = {"session": request.session.id, "nick": nick, "new": new}
        return [*effects, Log("register", fields)]

    def draw_token(self) -> str:
        """Return a token for a seat."""
        return self.entropy(TOKEN_BYTES).hex()

    def take_seat(self, request: Request[m.Command], game: str, nick: str, token: str) -> None:
        """Give the player a seat with this token, played from the connection that asks.

        A connection that joins without a login is logged in as the guest that it is now.
        """
        session, is_join = request.session, isinstance(request.command, m.Join)
        if session.nick is None and is_join and nick.startswith(GUEST):
            self.sessions.log_in(session, nick)
        self.accounts.give_token(game, nick, digest_token(token))
        self.games.take_seat(nick, game)
        by_turns = isinstance(request.command, m.Join) and request.command.feed == m.TURNS
        self.sessions.follow(request.session, game, by_turns=by_turns)
        self.sessions.sit(request.session, game, nick)

    def prepare_start(self, match: Match) -> Change:
        """Return the change that begins a match; raise any exception of its code."""
        return prepare_start(match, stored=self.is_stored)

    def begin_match(self, change: Change) -> list[Effect]:
        """Begin a match whose players are seated."""
        match = change.match
        self.games.begin(match)
        fields = {"game": match.id, "kind": match.terms.kind, "players": match.nicks}
        effects = [Log("pair", fields), *self._apply(change)]
        if not all(self.sessions.is_present(match.id, nick) for nick in match.nicks):
            effects.append(announce_presence(self, match))
        return effects

    def _leave(self, request: Request[m.Leave]) -> list[Effect]:
        game, nick = find_addressed_seat(request, self.accounts, self.games)
        if isinstance(game, Match):
            leave = partial(game.leave, game.nicks.index(nick), request.now)
            return [request.confirm(), *self._apply(self.prepare_change(game, leave))]
        return [request.confirm(), *self.stop_waiting(game, nick)]

    def stop_waiting(self, table: Table, nick: str) -> list[Effect]:
        """Remove a player from a wait, which ends with its last player."""
        self.games.lobby.leave(table, nick)
        if not table.players:
            return self.end_wait(table, [nick])
        self._forget_seat(table.id, nick)
        ended = Send(self.sessions.leave_seat(table.id, nick), make_end_of_wait(table))
        rows = [SaveRow(make_waiting_row(table)), SaveRow(Unseated(table.id, nick))]
        return [ended, *rows, announce_presence(self, table)]

    def end_wait(self, table: Table, nicks: list[str]) -> list[Effect]:
        """End a wait without a match; its followers receive an update without a winner."""
        followers = self.sessions.followers(table.id)
        for nick in nicks:
            self._forget_seat(table.id, nick)
        self.sessions.end(table.id)
        self.games.rooms.end(table.id)
        self.opponents.end_game(table.id, nicks)
        return [Send(followers, make_end_of_wait(table)), SaveRow(WaitOver(table.id))]

    def _forget_seat(self, game: str, nick: str) -> None:
        self.quotas.waits.release(game, nick)
        self.games.give_up_seat(nick, game)
        self.accounts.void_token(game, nick)

    # Playing

    def _play(self, request: Request[m.Seated]) -> list[Effect]:
        match, nick, number = self.find_playing_seat(request)
        fields = m.get_move_fields(request.command)
        change, error = self.prepare_play(match, number, request, fields)
        reply = request.confirm() if error is None else request.refuse(error)
        return [reply, *self.apply_action(request, nick, change)]

    def prepare_play(
        self, match: Match, seat: int, request: Request[Any], fields: Mapping[str, Any]
    ) -> tuple[Change, TabnetError | None]:
        """Return the change that a roll, pass or notify makes; raise its refusal.

        If the refusal costs the seat the match, return that change, and the refusal.
        """
        cmd, now = request.command.cmd, request.now
        try:
            action = partial(play_within_limits, match, seat, cmd, fields, now)
            return self.prepare_change(match, action), None
        except TabnetError as error:
            is_punishable = isinstance(error, RulesError) or match.seats[seat].out_on_error
            if not (is_punishable and match.may_punish(seat)):
                raise
            return self.prepare_change(match, partial(match.punish, seat, error.code, now)), error

    def _reveal_salt(self, request: Request[m.Salt]) -> list[Effect]:
        match, nick, number = self.find_playing_seat(request)
        salt = parse_hex(request.command.salt, "salt")
        change = self.prepare_change(match, partial(match.reveal, number, salt, request.now))
        return [request.confirm(), *self.apply_action(request, nick, change)]

    def _offer_draw(self, request: Request[m.Draw]) -> list[Effect]:
        match, nick, number = self.find_playing_seat(request)
        offer = partial(offer_draw_within_limits, match, number, request.command.offer, request.now)
        change = self.prepare_change(match, offer)
        return [request.confirm(), *self.apply_action(request, nick, change)]

    def find_playing_seat(self, request: Request[Any]) -> tuple[Match, str, int]:
        """Return the match of a command, and the player there with the seat."""
        game, nick = find_addressed_seat(request, self.accounts, self.games)
        match = require_match(game)
        return match, nick, match.nicks.index(nick)

    def apply_action(self, request: Request[Any], nick: str, change: Change) -> list[Effect]:
        """Apply a change that a player has caused; the player is present now."""
        if not self.sessions.sit(request.session, change.match.id, nick):
            return self._apply(change)
        return [announce_presence(self, change.match), *self._apply(change)]

    # Changes of matches

    def change_match(self, match: Match, now: int, action: Callable[[], Match]) -> list[Effect]:
        """Replace a match by what `action` makes of it; raise its refusal.

        If the code of the match raises any other exception, close the match.
        """
        try:
            return self._apply(self.prepare_change(match, action))
        except MatchFailed as failed:
            return self._close_failed(failed, now)

    def prepare_change(self, match: Match, action: Callable[[], Match]) -> Change:
        """Return the change that `action` makes of a match; raise its refusal or `MatchFailed`."""
        has_turn_followers = bool(self.sessions.list_turn_feeds(match.id))
        return prepare_change(
            match,
            action,
            stored=self.is_stored,
            has_update_followers=not has_turn_followers
            or self.sessions.has_update_followers(match.id),
            has_turn_followers=has_turn_followers,
        )

    def _close_failed(self, failed: MatchFailed, now: int, **fields: Any) -> list[Effect]:
        """Close a match whose code has raised an exception, and log the exception."""
        closing = prepare_closing(failed.match, now, stored=self.is_stored)
        log = Log("failed", {"game": failed.match.id, **fields}, failed.__cause__)
        return [log, *self._apply(closing)]

    def _apply(self, change: Change) -> list[Effect]:
        """Put the next value of a match in its place; return its rows and updates."""
        match = change.match
        effects: list[Effect] = [SaveRow(row) for row in change.rows]
        effects += make_frames(change, self.sessions, self.games)
        if match.result is None:
            self.games.replace(match)
            for seat in match.out:
                self.games.give_up_seat(match.nicks[seat], match.id)
        else:
            effects.append(self._finish(match, match.result))
        self.matchmaking.on_changed(match, change.since)
        return effects

    def _finish(self, match: Match, result: Outcome) -> Log:
        winners = [match.nicks[seat] for seat in result.winners]
        if match.is_ranked:
            self.rankings.record(match.terms.board, match.nicks, winners, result.points)
        self.sessions.end(match.id)
        for nick in match.nicks:
            self.quotas.waits.release(match.id, nick)
        self.void_tokens(self.games.finish(match))
        fields = {"game": match.id, "winners": winners, "reason": result.reason}
        return Log("end", {**fields, "seq": match.seq})

    def void_tokens(self, forgotten: Sequence[Match | SetAside]) -> None:
        """Make the tokens of finished matches invalid that have left the games."""
        for match in forgotten:
            for nick in match.nicks:
                self.accounts.void_token(match.id, nick)


def _make_log_fields(request: Request[m.Command]) -> dict[str, Any]:
    """Return the fields of a command in the log."""
    return {"session": request.session.id, "cmd": request.command.cmd}


def _expire_match(match: Match, now: int) -> Match:
    return match.expire(now) or match


HANDLERS: dict[type[m.Command], Callable[[Service, Request[Any]], list[Effect]]] = {
    m.Register: Service._register,
    m.Join: lambda service, request: service.matchmaking.join(request),
    m.Leave: Service._leave,
    m.RollCommand: Service._play,
    m.Notify: Service._play,
    m.PassCommand: Service._play,
    m.Draw: Service._offer_draw,
    m.Salt: Service._reveal_salt,
    m.Update: queries.follow_game,
    m.Ranking: queries.list_best_players,
    m.StateCommand: queries.show_state,
    m.Moves: queries.list_moves,
    m.Check: queries.check_command,
    m.Games: queries.list_games,
    m.Help: lambda _, request: [request.answer(make_guide(request.command.about))],
    m.Schema: lambda _, request: [request.answer(make_schemas())],
    m.Ping: lambda _, request: [request.confirm()],
    m.Quit: lambda _, request: [request.confirm(), Close(request.session.id)],
    **ROOM_HANDLERS,
}
