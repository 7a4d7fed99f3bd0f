"""The model of the server: its players, waits, matches and followers, and the frames it must send.

The model is written from protocol.md, and as plainly as possible. It takes from the server's
replies only the facts that the server alone can know: ids, tokens, the names of guests, and the
reason that a refusal names if several apply.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.fuzz.match import Asked, Match, Refusal, Terms

JSON = dict[str, Any]

DEFAULT_CLOCK = {"draughts": {"total": 600}}
OPTIONS = {"tab": {}, "draughts": {}, "fish": {"rows": 5, "cols": 5, "holes": 0}, "plakoto": {}}
"""The default options of each kind."""
CHOICES = ("size", "rows", "cols", "fish", "holes")
TERMS = ("kind", "group", *CHOICES, "seats", "clock", "strict", "private", "opponent")
PUBLIC_WAIT_MS = 120_000
PRIVATE_WAIT_MS = 24 * 3600 * 1000
AGAIN_WAIT_MS = 600_000
SENDER = ("nick", "password", "token")
MAX_GAMES = 50
"""The limit of one nick."""


@dataclass
class Wait:
    """A game that waits for its players."""

    game: str
    terms: Terms
    ends: int
    invite: str | None = None
    again: str | None = None
    """The finished game that its players want to play again."""
    players: dict[str, Asked] = field(default_factory=dict)

    @property
    def nicks(self) -> list[str]:
        return list(self.players)

    def clashes(self, asked: Asked) -> bool:
        """Return whether another player wants the same seat."""
        others = [other for other in self.players.values() if other.nick != asked.nick]
        return asked.wish is not None and asked.wish in [other.wish for other in others]


@dataclass
class Exchange:
    """A command and the reply of the server."""

    session: int
    fields: JSON
    reply: JSON
    now: int


@dataclass
class Model:
    """The state that the server must have after all commands so far."""

    secrets: list[bytes]
    """The secrets that the server has drawn for matches."""
    draw_seats: Callable[[str], list[str]]
    """Return the players of a private game, in the order that the server drew."""
    logins: dict[int, str | None] = field(default_factory=dict)
    follows: dict[int, set[str]] = field(default_factory=dict)
    sits: dict[int, set[tuple[str, str]]] = field(default_factory=dict)
    passwords: dict[str, str] = field(default_factory=dict)
    waits: dict[str, Wait] = field(default_factory=dict)
    matches: dict[str, Match] = field(default_factory=dict)
    tokens: dict[str, tuple[str, str]] = field(default_factory=dict)
    scores: dict[Any, dict[str, list[int]]] = field(default_factory=lambda: defaultdict(dict))
    due: dict[int, list[JSON]] = field(default_factory=lambda: defaultdict(list))
    """Return the frames that each session must receive besides its replies."""

    # Connections and time

    def connect(self, session: int) -> None:
        self.logins[session], self.follows[session], self.sits[session] = None, set(), set()

    def disconnect(self, session: int) -> None:
        left = self.sits.pop(session)
        del self.logins[session], self.follows[session]
        gone = [(game, nick) for game, nick in left if not self.is_there(game, nick)]
        for game in {game for game, _ in gone} & set(self.running()):
            self.tell_presence(self.matches[game])
        for game, nick in gone:
            wait = self.waits.get(game)
            if wait is not None and nick.startswith("guest-") and wait.invite is None:
                self.stop_waiting(wait, nick)

    def deadline(self) -> int | None:
        ends = [wait.ends for wait in self.waits.values()]
        flags = [match.deadline() for match in self.running().values()]
        return min(ends + flags, default=None)

    def pass_time(self, now: int) -> None:
        for wait in [wait for wait in self.waits.values() if wait.ends <= now]:
            self.end_wait(wait)
        for match in [match for match in self.running().values() if match.deadline() <= now]:
            before = len(match.updates)
            match.expire(now)
            self.tell_news(match, before)

    # Players and games

    def running(self) -> dict[str, Match]:
        return {game: match for game, match in self.matches.items() if not match.result}

    def games_of(self, nick: str | None) -> list[str]:
        waits = [wait.game for wait in self.waits.values() if nick in wait.nicks]
        playing = {
            game: [match.nicks[seat] for seat in match.playing()]
            for game, match in self.running().items()
        }
        return waits + [game for game, nicks in playing.items() if nick in nicks]

    def is_there(self, game: str, nick: str) -> bool:
        return any((game, nick) in sits for sits in self.sits.values())

    def login_of(self, exchange: Exchange) -> str | None:
        nick, password = exchange.fields.get("nick"), exchange.fields.get("password")
        login = self.logins[exchange.session]
        if nick is None:
            if password is not None:
                raise Refusal("undefined_field")
            return login
        if password is None and nick != login:
            raise Refusal("undefined_field")
        if password is not None and nick not in self.passwords:
            raise Refusal("not_registered")
        if password is not None and password != self.passwords[nick]:
            raise Refusal("wrong_password")
        return nick

    def find(self, game: str | None, nick: str | None) -> Wait | Match:
        if game is None:
            if len(self.games_of(nick)) != 1:
                raise Refusal("which_game")
            (game,) = self.games_of(nick)
        found = self.waits.get(game) or self.matches.get(game)
        if found is None:
            raise Refusal("unknown_game")
        return found

    def by_token(self, exchange: Exchange) -> tuple[Wait | Match, str]:
        game, nick = self.tokens.get(exchange.fields["token"], ("", ""))
        if not game or exchange.fields.get("game", game) != game:
            raise Refusal("bad_token")
        return self.find(game, nick), nick

    def seat(self, exchange: Exchange) -> tuple[Wait | Match, str]:
        """Return the game of a command and the nick of its player."""
        found, nick = self._seat(exchange)
        out = found.out if isinstance(found, Match) and not found.result else []
        if found.nicks.index(nick) in out:
            raise Refusal("no_seat")
        return found, nick

    def _seat(self, exchange: Exchange) -> tuple[Wait | Match, str]:
        if "token" in exchange.fields:
            if "nick" in exchange.fields or "password" in exchange.fields:
                raise Refusal("bad_value")
            return self.by_token(exchange)
        nick = self.login_of(exchange)
        if nick is None:
            raise Refusal("who_are_you")
        found = self.find(exchange.fields.get("game"), nick)
        if nick not in found.nicks:
            raise Refusal("no_seat")
        return found, nick

    def about(self, exchange: Exchange) -> tuple[Wait | Match, str | None]:
        """Return the game of a query and the nick of its sender."""
        if "token" in exchange.fields:
            return self.by_token(exchange)
        login = self.logins[exchange.session]
        return self.find(exchange.fields.get("game"), login), login

    # Frames

    def tell(self, game: str, frame: JSON) -> None:
        for session, games in self.follows.items():
            if game in games:
                self.due[session].append(frame)

    def tell_presence(self, game: Match | Wait) -> None:
        online = {nick: self.is_there(game.game, nick) for nick in game.nicks}
        self.tell(game.game, {"type": "presence", "game": game.game, "online": online})

    def tell_news(self, match: Match, before: int) -> None:
        for update in match.updates[before:]:
            self.tell(match.game, update)
        if match.result is None:
            return
        self.forget(match.game)
        if not any(nick.startswith("guest-") for nick in match.nicks):
            winners = [match.nicks[seat] for seat in match.result[0]]
            for nick, points in zip(match.nicks, match.result[2], strict=True):
                score = self.scores[match.terms.board].setdefault(nick, [0, 0, 0])
                score[0] += nick in winners
                score[1] += 1
                score[2] += points

    def stop_waiting(self, wait: Wait, nick: str) -> None:
        """Remove a player from a wait; end the wait if it is empty."""
        del wait.players[nick]
        if not wait.players:
            self.end_wait(wait)
            return
        self.tokens = {key: seat for key, seat in self.tokens.items() if seat != (wait.game, nick)}
        for session, seats in self.sits.items():
            if (wait.game, nick) in seats:
                seats.discard((wait.game, nick))
                if all(game != wait.game for game, _ in seats):
                    self.follows[session].discard(wait.game)
                    self.due[session].append(over(wait.game))
        self.tell_presence(wait)

    def end_wait(self, wait: Wait) -> None:
        del self.waits[wait.game]
        self.tell(wait.game, over(wait.game))
        self.tokens = {key: seat for key, seat in self.tokens.items() if seat[0] != wait.game}
        self.forget(wait.game)

    def forget(self, game: str) -> None:
        """Drop the followers and seats of a game that is over."""
        for games in self.follows.values():
            games.discard(game)
        for seats in self.sits.values():
            seats -= {seat for seat in seats if seat[0] == game}

    def sit(self, session: int, game: str, nick: str) -> bool:
        """Seat a session; return whether the player was absent before."""
        arrived = not self.is_there(game, nick)
        self.sits[session].add((game, nick))
        return arrived

    # Joining

    def join(self, nick: str | None, exchange: Exchange) -> JSON:
        """Apply a join, and return the reply that the server must send."""
        fields, reply = exchange.fields, exchange.reply
        wait = self._require_invited(exchange) if "invite" in fields else None
        if "opponent" in fields and fields.get("private"):
            raise Refusal("bad_value")
        terms = wait.terms if wait else self._terms(fields)
        hashed = fields.get("salt_hash")
        self._check(fields, terms)
        own = self._own_wait(nick, fields, terms)
        if nick is not None and own is None and len(self.games_of(nick)) >= MAX_GAMES:
            raise Refusal("too_many_games")
        if "opponent" in fields:  # nobody is offered
            raise Refusal("unknown_opponent")
        named = nick is not None
        if nick is None:
            nick = reply.get("nick", "guest-")
            assert nick.startswith("guest-")
            assert nick not in self.logins.values()
        asked = Asked(nick, fields.get("seat"), fields.get("auto", False), hashed)
        if wait is not None:
            self._check_invited(wait, asked)
        elif fields.get("private"):
            wait = own
        else:
            wait = own or self._waiting(lambda wait: welcomes(wait, asked), terms)
        if wait is not None and wait.clashes(asked):
            raise Refusal("bad_value")
        if wait is None:
            wait = self._open(terms, bool(fields.get("private")), exchange)
        if not named:
            self.logins[exchange.session] = nick
        return self._seated(wait, asked, exchange)

    def join_again(self, exchange: Exchange) -> JSON:
        """Apply a join that asks for a finished game again."""
        fields = exchange.fields
        if "invite" in fields or "seat" in fields or any(name in fields for name in TERMS):
            raise Refusal("bad_value")
        found, nick = self._seat(Exchange(exchange.session, self._as_seated(fields), {}, 0))
        if isinstance(found, Wait) or not found.result:
            raise Refusal("bad_value")
        self._check(fields, found.terms)
        wait = self._waiting(lambda wait: wait.again == found.game, found.terms)
        joined = wait is not None and nick in wait.players
        if not joined and len(self.games_of(nick)) >= MAX_GAMES:
            raise Refusal("too_many_games")
        if wait is None:
            game = exchange.reply["game"]
            ends = exchange.now + AGAIN_WAIT_MS
            wait = self.waits[game] = Wait(game, found.terms, ends, "again", found.game)
        seat = (found.nicks.index(nick) + found.terms.seats - 1) % found.terms.seats
        asked = Asked(nick, seat, fields.get("auto", False), fields.get("salt_hash"))
        if self.logins[exchange.session] is None and nick.startswith("guest-"):
            self.logins[exchange.session] = nick
        reply = self._seated(wait, asked, exchange)
        reply.pop("invite", None)
        return reply

    def _as_seated(self, fields: JSON) -> JSON:
        """Return the fields of a command about the finished game."""
        return {"game": fields["again"], **{key: fields[key] for key in fields if key in SENDER}}

    def _own_wait(self, nick: str | None, fields: JSON, terms: Terms) -> Wait | None:
        """Return the wait that the player joins again, or None."""
        if "invite" in fields or "opponent" in fields:
            return None
        private = bool(fields.get("private"))
        return self._waiting(
            lambda wait: (
                (wait.invite is not None) == private and not wait.again and nick in wait.nicks
            ),
            terms,
        )

    def _check(self, fields: JSON, terms: Terms) -> None:
        if terms.kind not in ("tab", "plakoto") and "salt_hash" in fields:
            raise Refusal("bad_value")
        if fields.get("seat", 0) >= terms.seats:
            raise Refusal("bad_value")

    def _waiting(self, fits: Any, terms: Terms) -> Wait | None:
        found = (wait for wait in self.waits.values() if wait.terms == terms and fits(wait))
        return next(found, None)

    def _terms(self, fields: JSON) -> Terms:
        kind = fields.get("kind", "tab")
        clock = dict(fields.get("clock", DEFAULT_CLOCK.get(kind, {"move": 120})))
        if not clock.get("increment"):
            clock.pop("increment", None)
        chosen = {name: fields[name] for name in CHOICES if name in fields}
        return Terms(
            kind,
            tuple(sorted((OPTIONS[kind] | chosen).items())),
            fields.get("seats", 2),
            fields.get("group"),
            tuple(clock.items()),
            fields.get("strict", False),
        )

    def _require_invited(self, exchange: Exchange) -> Wait:
        if any(name in exchange.fields for name in TERMS):
            raise Refusal("bad_value")
        return self.find_invited(exchange)

    def find_invited(self, exchange: Exchange) -> Wait:
        for wait in self.waits.values():
            if wait.invite == exchange.fields["invite"] and not wait.again:
                return wait
        raise Refusal("unknown_invite")

    def _check_invited(self, wait: Wait, asked: Asked) -> None:
        if asked.nick in wait.players:
            raise Refusal("own_invite")

    def _open(self, terms: Terms, private: bool, exchange: Exchange) -> Wait:
        game, invite = exchange.reply["game"], exchange.reply["invite"] if private else None
        assert game not in self.waits
        assert game not in self.matches
        ends = exchange.now + (PRIVATE_WAIT_MS if private else PUBLIC_WAIT_MS)
        self.waits[game] = Wait(game, terms, ends, invite)
        return self.waits[game]

    def _seated(self, wait: Wait, asked: Asked, exchange: Exchange) -> JSON:
        token = exchange.reply["token"]
        assert token not in self.tokens
        seat = (wait.game, asked.nick)
        self.tokens = {key: other for key, other in self.tokens.items() if other != seat}
        self.tokens[token] = seat
        self.follows[exchange.session].add(wait.game)
        self.sit(exchange.session, *seat)
        reply = {"game": wait.game, "nick": asked.nick, "token": token}
        wait.players[asked.nick] = asked
        if len(wait.players) == wait.terms.seats:
            self._begin(wait, exchange.now)
            return reply
        if len(wait.players) > 1:
            self.tell_presence(wait)
        return reply | ({} if wait.invite is None else {"invite": wait.invite})

    def _begin(self, wait: Wait, now: int) -> None:
        del self.waits[wait.game]
        rest = [asked for asked in wait.players.values() if asked.wish is None]
        if wait.invite is not None:
            order = self.draw_seats(wait.game)
            rest.sort(key=lambda asked: order.index(asked.nick))
        wished = {asked.wish: asked for asked in wait.players.values() if asked.wish is not None}
        seats = [wished.get(seat) or rest.pop(0) for seat in range(wait.terms.seats)]
        match = Match(wait.game, wait.terms, seats, self.secrets[-1], now)
        self.matches[wait.game] = match
        self.tell_news(match, 0)
        if not all(self.is_there(match.game, nick) for nick in match.nicks):
            self.tell_presence(match)


def welcomes(wait: Wait, asked: Asked) -> bool:
    return wait.invite is None and asked.nick not in wait.players and not wait.clashes(asked)


def over(game: str) -> JSON:
    """Return the update of a wait that ended without a match."""
    return {"type": "update", "game": game, "seq": 1, "winner": None}
