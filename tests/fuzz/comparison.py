"""The service and the model get the same commands; their replies and frames must be equal."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, ClassVar

from tests.fuzz.commands import check_reply
from tests.fuzz.match import Match
from tests.fuzz.model import Exchange, Model
from tests.server.pure import Referee, entropy

JSON = dict[str, Any]
MOST_SEATS = 4


class Comparison:
    """Sends every command to the server and compares the reply with the model."""

    seen: ClassVar[Counter[str]] = Counter()
    """The number of each reply and each ending, in all comparisons."""

    def __init__(self) -> None:
        self.referee = Referee()
        secrets: list[bytes] = []
        source = entropy("model")

        def drawn(size: int) -> bytes:
            data = source(size)
            if size == 32:
                secrets.append(data)
            return data

        self.referee.service.entropy = drawn
        self.model = Model(secrets, self.order)
        self.sessions: list[int] = []
        self.games: list[str] = []
        self.tokens: list[str] = ["0" * 32]
        self.invites: list[str] = ["nobody"]
        self.agrees = True
        """True while the service and the model agree."""

    # Sessions

    def connect(self) -> int:
        session = self.referee.connect()
        self.model.connect(session)
        self.sessions.append(session)
        return session

    def disconnect(self, number: int) -> None:
        session = self.sessions.pop(number % len(self.sessions))
        self.referee.disconnect(session)
        self.referee.received(session)
        self.model.disconnect(session)
        self.compare()

    def session_at(self, number: int) -> int:
        return self.sessions[number % len(self.sessions)]

    def running(self) -> list[Match]:
        return list(self.model.running().values())

    def finished(self) -> list[Match]:
        return [match for match in self.model.matches.values() if match.result]

    def credentials(self, how: int, game: str, nick: str) -> JSON:
        """Return fields that identify a player: a password, a token or nothing."""
        tokens = [token for token, seat in self.model.tokens.items() if seat == (game, nick)]
        if how % 3 == 0 and nick in self.model.passwords:
            return {"nick": nick, "password": self.model.passwords[nick]}
        return {"token": tokens[0]} if tokens else {}

    def session_of(self, nick: str, number: int) -> int:
        """Return a session of that player, or any session if there is none."""
        own = [session for session, login in self.model.logins.items() if login == nick]
        return own[number % len(own)] if own else self.session_at(number)

    # Commands

    def say(self, session: int, cmd: str, **fields: Any) -> JSON:
        """Send a command to both; compare the replies and the frames."""
        self.agrees = False
        reply = self.referee.say(session, cmd, **fields)
        check_reply(self.model, cmd, Exchange(session, fields, reply, self.referee.now))
        self.seen[f"refused {reply['code']}" if "error" in reply else cmd] += 1
        self.compare()
        return reply

    def compare(self) -> None:
        """Check that each session received the frames of the model, in order for each game."""
        self.agrees = False
        for session in self.sessions:
            actual, due = self.referee.received(session), self.model.due.pop(session, [])
            for game in {frame["game"] for frame in actual + due}:
                actual_frames = [frame for frame in actual if frame["game"] == game]
                wanted = [frame for frame in due if frame["game"] == game]
                assert actual_frames == wanted, f"{session}: {difference(actual_frames, wanted)}"
        deadline = self.model.deadline()
        if deadline is not None:
            known = self.referee.service.deadline
            assert known is not None
            assert known <= deadline
        self.agrees = True

    def order(self, game: str) -> list[str]:
        """Return the players in seat order, from the first update of a new match."""
        lines = (json.loads(line) for lines in self.referee.lines.values() for line in lines)
        return next(
            list(line["players"]) for line in lines if line["game"] == game and "players" in line
        )

    def join(self, session: int, fields: JSON) -> JSON:
        """Send a join, keep what the reply brings, and return the reply."""
        reply = self.say(session, "join", **fields)
        if "game" in reply:
            self.games.append(reply["game"])
            self.tokens.append(reply["token"])
            self.invites += [reply["invite"]] if "invite" in reply else []
        return reply

    def pass_time(self, ms: int) -> None:
        """Let time pass without a command."""
        self.referee.now += ms
        self.referee.apply_timeouts()
        self.model.pass_time(self.referee.now)
        self.compare()

    def close(self) -> None:
        """End every game by timeouts; check that all updates can be read again."""
        for _ in range(MOST_SEATS):  # one timeout after the other
            self.pass_time(10**9)
        assert not self.referee.service.games.playing
        assert not self.referee.service.games.lobby.tables
        witness = self.connect()
        for match in self.model.matches.values():
            assert match.result
            self.say(witness, "update", game=match.game, since=0)
            self.seen[f"ended by {match.result[1]}"] += 1


def difference(actual_frames: list[JSON], wanted: list[JSON]) -> str:
    """Describe the first frame that differs."""
    for one, other in zip(actual_frames, wanted, strict=False):
        names = [name for name in one | other if one.get(name) != other.get(name)]
        if names:
            actual, due = ({name: frame.get(name) for name in names} for frame in (one, other))
            return f"received {actual} instead of {due} in {one['type']} {one.get('seq')}"
    return f"received {len(actual_frames)} frames instead of {len(wanted)}"
