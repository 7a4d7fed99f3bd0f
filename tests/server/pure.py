"""A referee without sockets, for the tests of the pure server: JSON in, JSON out."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import define, evolve

from tabnet.games.api import Roll
from tabnet.games.tab import TAB
from tabnet.protocol import codec
from tabnet.protocol.dice import Dice
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.frames import Failed, Joined
from tabnet.protocol.messages import Command, Identified, Register
from tabnet.server.admin.requests import execute
from tabnet.server.core.effects import Close, CloseBanned, Effect, Log, SaveRow, Send, SendHistory
from tabnet.server.core.matches.match import Match
from tabnet.server.core.players.accounts import Proof, digest_token
from tabnet.server.core.rows import MatchEvent, Row
from tabnet.server.core.service import Service
from tabnet.server.core.update_frames import make_update
from tabnet.server.storage.restore_service import make_pause_rows, recall, restore
from tests.games.tab.naive import view_of
from tests.server.memory_store import MemoryStore

JSON = dict[str, Any]

STICKS = {6: 0b0000, 1: 0b0010, 2: 0b1010, 3: 0b0111, 4: 0b1111}
PASSWORDS = {"zp": "secret", "jpleal": "another"}


def entropy(seed: str = "") -> Callable[[int], bytes]:
    """Random bytes that are the same every time."""
    calls = itertools.count()
    return lambda size: hashlib.shake_256(f"{seed} {next(calls)}".encode()).digest(size)


def fix_throws(
    monkeypatch: pytest.MonkeyPatch, blue: Sequence[int] = (), red: Sequence[int] = ()
) -> None:
    """Let the seats throw these values, and nothing after them."""
    script = (blue, red)

    def throw(_dice: Dice, _rules: Any, seat: int, number: int) -> Roll:
        return Roll(STICKS[script[seat][number]])

    monkeypatch.setattr(Dice, "throw", throw)


class Referee:
    """A service, a clock that the tests set, and what every session has been told.

    Whatever is said through it must be answered as the protocol promises: one reply, with the id,
    before anything it causes; a refusal causes nothing; and all that happens in a match is kept.
    """

    def __init__(self, seed: str = "") -> None:
        self.service = Service(entropy(seed))
        self.now = 0
        self.lines: dict[int, list[bytes]] = defaultdict(list)
        """The unread lines of each session, without replies."""
        self.closed: set[int] = set()
        self.banned_closed = 0
        """How often the connections of banned addresses were to be closed."""
        self.logs: list[Log] = []
        self.rows: list[Row] = []
        """The rows that the service has stored."""
        self.store = MemoryStore()
        """The store that they make."""
        self.tokens: dict[str, tuple[str, str]] = {}
        """The game and the nick of every token that a reply has given."""
        self._sessions = itertools.count(1)
        self._ids = itertools.count(1)
        self._auditor = self.connect()

    # Connections and time

    def connect(self) -> int:
        """Open a new session."""
        session = next(self._sessions)
        self.service.connect(session)
        return session

    def login(self, nick: str) -> int:
        """A new session of that player."""
        session = self.connect()
        password = PASSWORDS.get(nick, nick)
        assert self.say(session, "register", nick=nick, password=password) == {}
        return session

    def disconnect(self, session: int) -> None:
        self.perform(self.service.disconnect(session))

    def apply_timeouts(self) -> None:
        self.perform(self.service.apply_timeouts(self.now))
        self._nothing_is_due()

    def wait(self, seconds: float) -> None:
        """Let that time go by, as the hub does: nothing is done later than it is due."""
        end = self.now + round(seconds * 1000)
        while (deadline := self.service.deadline) is not None and deadline <= end:
            assert deadline >= self.now
            self.now = deadline
            self.apply_timeouts()
        self.now = end

    # Talking

    def say(self, session: int, cmd: str, /, **fields: Any) -> JSON:
        """Send a command; gives back its reply, without what every reply has."""
        id = next(self._ids)
        reply = self.send(session, json.dumps({"cmd": cmd, "id": id, **fields}).encode())
        assert reply.pop("cmd") == cmd
        assert reply.pop("id") == id
        return reply

    def send(self, session: int, line: bytes) -> JSON:
        """Send a line; gives back the reply."""
        command = codec.decode(line)
        if isinstance(command, Failed):
            effects: list[Effect] = [Send((session,), command)]
        else:
            due = self.service.deadline
            effects = self.service.handle(session, command, self.now, self._proof(command))
            if due is None or due > self.now:
                self._check_order(session, effects)
            self._nothing_is_due()
        ((to, reply),) = self.perform(effects)
        assert to == session
        if "error" in reply:
            assert reply["code"] in CODES
        assert reply.pop("type") == "reply"
        return reply

    def refused(self, session: int, cmd: str, /, **fields: Any) -> tuple[str, str]:
        """Send a command that must be refused and change nothing; gives back code and text."""
        self.apply_timeouts()
        before, kept = self.picture(), len(self.rows)
        reply = self.say(session, cmd, **fields)
        assert self.picture() == before
        assert len(self.rows) == kept
        return reply["code"], reply["error"]

    def received(self, session: int) -> list[JSON]:
        """Return the frames that the session was sent since the last call, without replies."""
        lines, self.lines[session] = self.lines[session], []
        return [json.loads(line) for line in lines]

    def updates(self, session: int) -> list[JSON]:
        return [frame for frame in self.received(session) if frame["type"] == "update"]

    def update(self, session: int) -> JSON:
        """The one frame it was sent."""
        (update,) = self.received(session)
        assert update["type"] == "update"
        return update

    def order(self, do: str, **order: Any) -> JSON:
        """Execute a request of the operator; return its response, with `done` or the `error`."""
        before, due = (len(self.rows), len(self.closed)), self.service.deadline
        answer, effects = execute(self.service, {"do": do, **order}, self.now)
        assert self.perform(effects) == []
        if "error" in answer and (due is None or due > self.now):
            assert (len(self.rows), len(self.closed)) == before
        return answer

    # What the next server makes of it

    def stop(self) -> None:
        """The server says how much of each match's time has passed."""
        self.perform(make_pause_rows(self.service, self.now))

    def revived(self, seed: str = "") -> Referee:
        """Another server that goes on at this moment with what was kept of this one."""
        other = Referee(seed)
        other.now, other.store = self.now, self.store.copy()
        other.tokens = self.tokens.copy()
        assert restore(other.service, other.store.saved(other.now), other.now) == []
        return other

    def recall(self, game: str) -> None:
        """Bring a finished match back from what was kept, as the hub does."""
        saved = self.store.find(game)
        assert saved is not None
        self.perform(recall(self.service, saved, self.now))

    # Looking inside

    def match(self, game: str) -> Match:
        found = self.service.games.find(game)
        assert isinstance(found, Match)
        return found

    def place(self, game: str, pieces: str, turn: int = 0) -> None:
        """Set the position of a running game of Tab: `b0 B25 R*3`."""
        match = self.match(game)
        state = TAB.load(view_of(pieces, turn))
        self.change(match, state=state, clocks=match.clocks.end_action(turn, self.now))

    def change(self, match: Match, **fields: Any) -> None:
        """Let a running match have these fields, however it may have come to that."""
        self.service.games.replace(evolve(match, **fields))

    def picture(self) -> list[Any]:
        """All that can be seen, and what will be seen later."""
        service = self.service
        index = service.games
        games = [*index.playing, *index.lobby.tables, *index.finished]
        ask = [("games", {})]
        ask += [("state", {"game": game, "text": True}) for game in games]
        ask += [("moves", {"game": game}) for game in games]
        ask += [("ranking", {"group": 99, "size": size}) for size in (7, 9)]
        seen: list[Any] = [self.say(self._auditor, cmd, **fields) for cmd, fields in ask]
        seen += [(match.seq, match.held, match.throws) for match in index.playing.values()]
        seen += [(table.expires, list(table.players)) for table in index.lobby.tables.values()]
        seen += [service.sessions.followers(game) for game in games]
        seen += [repr(service.accounts), repr(service.sessions), service.deadline]
        seen += [{session: len(lines) for session, lines in self.lines.items() if lines}]
        return seen

    # Inside

    def _proof(self, command: Command) -> Proof | None:
        """Like the hub's, but fast."""
        if not isinstance(command, Register | Identified):
            return None
        if command.nick is None or command.password is None:
            return None
        salt = self.service.accounts.get_salt(command.nick)
        if salt is None and not isinstance(command, Register):
            return None
        return self.prove(command.nick, command.password)

    def prove(self, nick: str, password: str) -> Proof:
        """Hash a password under the salt of its nick."""
        salt = self.service.accounts.get_salt(nick) or nick.encode()
        return Proof(salt, hashlib.sha256(salt + password.encode()).digest())

    def _check_order(self, session: int, effects: list[Effect]) -> None:
        frames = [effect for effect in effects if isinstance(effect, Send)]
        assert frames[0].to == (session,)
        assert frames[0].frame.type == "reply"
        failed = frames[0].frame
        if isinstance(failed, Failed) and failed.code != "server_error" and not _punished(effects):
            # perhaps the connection is closed
            assert [type(effect) for effect in effects] in ([Send, Log], [Send, Log, Close])

    def perform(self, effects: list[Effect]) -> list[tuple[int, JSON]]:
        """Do what the service wants; gives back the replies and whom they went to."""
        replies = []
        for effect in effects:
            if isinstance(effect, Close | CloseBanned):
                self._close(effect)
            elif isinstance(effect, Log):
                self._log(effect)
            elif isinstance(effect, SaveRow):
                self.rows.append(effect.row)
                self.store.keep([effect.row], self.now)
            elif isinstance(effect, SendHistory):
                for seq in range(effect.first, effect.last + 1):
                    self.lines[effect.to].append(codec.encode(make_update(effect.match, seq)))
            else:
                line = codec.encode(effect.frame)
                assert line.endswith(b"\n")
                assert line.count(b"\n") == 1
                if effect.frame.type == "reply":
                    (to,) = effect.to
                    if isinstance(effect.frame, Joined):
                        self.tokens[effect.frame.token] = (effect.frame.game, effect.frame.nick)
                    replies.append((to, json.loads(line)))
                    continue
                assert len(set(effect.to)) == len(effect.to)
                for session in effect.to:
                    self.lines[session].append(line)
        self._check_stored_rows()
        return replies

    def _log(self, effect: Log) -> None:
        assert not {"password", "token"} & set(effect.fields)
        self.logs.append(effect)

    def _close(self, effect: Close | CloseBanned) -> None:
        if isinstance(effect, Close):
            self.closed.add(effect.to)
        else:
            self.banned_closed += 1

    def _check_stored_rows(self) -> None:
        """Check that the stored rows are those of all unfinished games and their valid tokens."""
        games, accounts = self.service.games, self.service.accounts
        assert list(self.store.tables) == list(games.lobby.tables)
        over = {*self.store.ended, *self.store.set_aside_ended}
        assert set(self.store.matches) - over == set(games.playing)
        for match in games.playing.values():
            assert len(self.store.histories[match.id]) == match.seq
        for table in games.lobby.tables.values():
            kept = self.store.tables[table.id].players
            assert [player["nick"] for player in kept] == table.nicks
        stored = {row.token: seat for seat, row in self.store.tokens.items()}
        unfinished = {*games.playing, *games.lobby.tables}
        for token, seat in self.tokens.items():
            if seat[0] in unfinished:
                assert accounts.knows_token(token) == (stored.get(digest_token(token)) == seat)
                assert not accounts.knows_token(token) or accounts.find_seat_of_token(token) == seat

    def _nothing_is_due(self) -> None:
        deadline = self.service.deadline
        assert deadline is None or deadline > self.now


def _punished(effects: list[Effect]) -> bool:
    """In a strict match a refusal can be the end of it."""
    rows = [effect.row for effect in effects if isinstance(effect, SaveRow)]
    return any(isinstance(row, MatchEvent) and row.event == "illegal" for row in rows)


@define
class Pair:
    """A game of zp, who is Blue, and jpleal."""

    referee: Referee
    game: str
    zp: int
    jpleal: int
    tokens: list[str]

    def say(self, nick: str, cmd: str, /, **fields: Any) -> JSON:
        return self.referee.say(getattr(self, nick), cmd, game=self.game, **fields)

    def refused(self, nick: str, cmd: str, /, **fields: Any) -> tuple[str, str]:
        return self.referee.refused(getattr(self, nick), cmd, game=self.game, **fields)

    def done(self, nick: str, cmd: str, /, **fields: Any) -> JSON:
        """Send what must succeed; gives back the one update that both were told."""
        assert self.say(nick, cmd, **fields) == {}
        mine = self.referee.lines[self.zp]
        assert mine == self.referee.lines[self.jpleal]
        self.referee.received(self.zp)
        return self.referee.update(self.jpleal)


def pair(referee: Referee, **terms: Any) -> Pair:
    """Let zp and jpleal begin a game; by default of Tab, size 9, group 99."""
    terms = terms or {"group": 99, "size": 9}
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    first, second = (referee.say(session, "join", **terms) for session in (zp, jpleal))
    assert first["game"] == second["game"]
    for session in (zp, jpleal):
        referee.received(session)
    return Pair(referee, first["game"], zp, jpleal, [first["token"], second["token"]])


def play_out(duel: Pair, luck: random.Random, *, most: int = 3000) -> list[bytes]:
    """Play at random until somebody has won; gives back every line a follower was sent.

    Moves are sent in one step or in two, and selections are sometimes taken back.
    """
    referee = duel.referee
    watcher = referee.connect()
    assert referee.say(watcher, "update", game=duel.game, since=0) == {}
    for _ in range(most):
        state = referee.say(watcher, "state", game=duel.game)
        if state["status"] == "ended":
            return referee.lines[watcher]
        choices = referee.say(watcher, "moves", game=duel.game)
        action, nick = luck.choice(choices["actions"]), state["update"]["turn"]
        fields = luck.choice(choices["moves"]) if action == "notify" else {}
        if fields and "cell" in fields and luck.random() < 0.5:
            held = state["update"]["step"] == "to"
            cells = [fields["cell"], fields["to"]] if held else [fields["cell"]]
            fields = {"cell": luck.choice(cells)}
        assert duel.say(nick, action, **fields) == {}
    raise AssertionError(f"no end after {most} commands")
