"""Players who join, play, offer draws, leave, are banned and come back at random.

All choices follow from the visible state of the server, so that two equal servers get the same
commands with the same random numbers.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from typing import Any

from attrs import define, field

from tabnet.protocol.dice import hash_salt
from tabnet.server.core.matches.match import Match
from tests.server.pure import JSON, Referee

NICKS = ("zp", "jpleal", "rui")
GUESTS = 2
SALTS = {hash_salt(salt): salt for salt in (bytes(16), bytes(range(64)))}

GAMES: list[JSON] = [
    {"group": 99, "size": 7},
    {"group": 99, "size": 7},
    {"kind": "draughts"},
    {"kind": "plakoto"},
]
CLOCKS: list[JSON] = [{}, {}, {"clock": {"move": 5}}, {"clock": {"total": 20, "increment": 1}}]
HABITS = (
    *("play",) * 60,
    *("join",) * 12,
    *("be invited", "illegal", "offer", "come back") * 3,
    *("wait", "leave", "order"),
)
"""The actions to choose from; repeated ones are more frequent."""


@define
class RandomPlayers:
    """Some players, with their sessions, tokens and invites."""

    referee: Referee
    luck: random.Random
    sessions: list[int] = field(init=False)
    """The sessions of the named players, then those of the guests."""
    passwords: dict[str, str] = field(factory=lambda: {nick: nick for nick in NICKS})
    tokens: dict[tuple[str, str], str] = field(factory=dict)
    """By game and nick."""
    invites: list[str] = field(factory=list)
    banned: set[str] = field(factory=set)
    replies: Counter[str] = field(factory=Counter)
    """The number of successes of each command, and of refusals with each code."""

    def __attrs_post_init__(self) -> None:
        self.sessions = [self.come(nick) for nick in (*NICKS, *[None] * GUESTS)]

    def go_on(self, referee: Referee, luck: random.Random) -> RandomPlayers:
        """Return the same players with new connections to a server."""
        known: tuple[Any, ...] = dict(self.passwords), dict(self.tokens), [*self.invites]
        return RandomPlayers(referee, luck, *known, {*self.banned})

    def come(self, nick: str | None) -> int:
        """Open a connection of a player, or of a guest."""
        session = self.referee.connect()
        if nick is not None:
            reply = self.say(session, "register", nick=nick, password=self.passwords[nick])
            assert reply.get("code") == ("banned" if nick in self.banned else None)
        return session

    def go(self) -> None:
        """Disconnect all players."""
        for session in self.sessions:
            self.referee.disconnect(session)

    def say(self, session: int, cmd: str, **fields: Any) -> JSON:
        reply = self.referee.say(session, cmd, **fields)
        self.replies[reply.get("code", cmd)] += 1
        return reply

    def step(self) -> JSON | None:
        """Do one random thing; return the reply."""
        self.referee.now += self.luck.choice([0, 1, 200, 1500])
        habit = self.luck.choice(HABITS)
        happens: Any = getattr(self, habit.replace(" ", "_"))
        return happens()

    # Habits

    def join(self) -> JSON:
        luck = self.luck
        fields = {**luck.choice(GAMES), **luck.choice(CLOCKS)}
        for name in ("strict", "auto", "private"):
            if luck.random() < 0.25:
                fields[name] = True
        return self._join(fields)

    def be_invited(self) -> JSON | None:
        return self._join({"invite": self.luck.choice(self.invites)}) if self.invites else None

    def _join(self, fields: JSON) -> JSON:
        luck = self.luck
        if luck.random() < 0.3:
            fields["seat"] = luck.randrange(2)
        if luck.random() < 0.3:
            fields["salt_hash"] = luck.choice(sorted(SALTS))
        reply = self.say(luck.choice(self.sessions), "join", **fields)
        if "game" in reply:
            self.tokens[reply["game"], reply["nick"]] = reply["token"]
        if "invite" in reply:
            self.invites.append(reply["invite"])
        return reply

    def play(self) -> JSON | None:
        """Make a legal move, in one step or in two."""
        match, luck = self._match(), self.luck
        if match is None:
            return self.join()
        if match.owing:
            seat = luck.choice(match.owing)
            promised = match.seats[seat].salt_hash or ""
            salt = SALTS[promised] if luck.random() < 0.8 else bytes(17)
            return self._act(match, seat, "salt", salt=salt.hex())
        choices = self.say(self.sessions[0], "moves", game=match.id)
        if match.turn is None or not choices["actions"]:
            return None  # the flag has fallen just now
        action = luck.choice(choices["actions"])
        fields = dict(luck.choice(choices["moves"])) if action == "notify" else {}
        if "cell" in fields and luck.random() < 0.5:
            cells = [fields["cell"], fields["to"]] if match.held else [fields["cell"]]
            fields = {"cell": luck.choice(cells)}
        return self._act(match, match.turn, action, **fields)

    def illegal(self) -> JSON | None:
        """Send a command that is hardly ever legal."""
        luck, match = self.luck, self._match()
        if match is None:
            return None
        cell = {"cell": luck.randrange(30)}
        route = {"route": [luck.choice(["a1", "c3", "e5"]), luck.choice(["b2", "d4", "h8"])]}
        cmd, fields = luck.choice([("notify", cell), ("notify", route), ("roll", {}), ("pass", {})])
        return self._act(match, luck.randrange(2), cmd, **fields)

    def offer(self) -> JSON | None:
        match = self._match()
        if match is None:
            return None
        offer = self.luck.random() < 0.6
        return self._act(match, self.luck.randrange(2), "draw", offer=offer)

    def leave(self) -> JSON | None:
        if not self.tokens:
            return None
        game, nick = self.luck.choice(list(self.tokens))
        return self.say(self.sessions[0], "leave", token=self.tokens[game, nick])

    def _match(self) -> Match | None:
        running = list(self.referee.service.games.playing.values())
        return self.luck.choice(running) if running else None

    def _act(self, match: Match, seat: int, cmd: str, **fields: Any) -> JSON:
        token = self.tokens[match.id, match.nicks[seat]]
        return self.say(self.luck.choice(self.sessions), cmd, token=token, **fields)

    def wait(self) -> None:
        self.referee.apply_timeouts()
        self.referee.wait(self.luck.choice([3, 3, 30, 130]))

    def come_back(self) -> None:
        number = self.luck.randrange(len(self.sessions))
        self._replace(number)

    def _replace(self, number: int) -> None:
        self.referee.disconnect(self.sessions[number])
        self.sessions[number] = self.come(NICKS[number] if number < len(NICKS) else None)

    def order(self) -> JSON:
        luck, referee = self.luck, self.referee
        nick, do = luck.choice(NICKS), luck.choice(["end", "ban", "reset-password"])
        if do == "end":
            games = [*referee.service.games.playing, *referee.service.games.lobby.tables, "x"]
            answer = referee.order(do, game=luck.choice(games))
        elif do == "ban":
            reason = None if nick in self.banned else "cheating"
            self.banned ^= {nick}
            answer = referee.order(do, nick=nick, reason=reason)
        else:
            password, salt = str(luck.randrange(1000)), bytes([luck.randrange(256)] * 16)
            digest = hashlib.sha256(salt + password.encode()).hexdigest()
            self.passwords[nick] = password
            answer = referee.order(do, nick=nick, salt=salt.hex(), digest=digest)
        for number, session in enumerate(self.sessions):
            if session in referee.closed:
                self._replace(number)
        return answer
