"""A referee and the model of it, told the same; whatever the one does the other has to do."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, ClassVar

from tests.fuzz.commands import check_reply
from tests.fuzz.match import Match
from tests.fuzz.world import Exchange, World
from tests.server.pure import Referee, entropy

JSON = dict[str, Any]
MOST_SEATS = 4


class Court:
    """Sends every command to the server and compares the reply with the model."""

    seen: ClassVar[Counter[str]] = Counter()
    """How often each answer was given and each match ended so, in all courts."""

    def __init__(self) -> None:
        self.referee = Referee()
        secrets: list[bytes] = []
        source = entropy("court")

        def drawn(size: int) -> bytes:
            data = source(size)
            if size == 32:
                secrets.append(data)
            return data

        self.referee.service.entropy = drawn
        self.world = World(secrets, self.order)
        self.people: list[int] = []
        self.games: list[str] = []
        self.tokens: list[str] = ["0" * 32]
        self.invites: list[str] = ["nobody"]
        self.agrees = True
        """Up to now, the referee and the model."""

    # Who there is

    def connect(self) -> int:
        session = self.referee.connect()
        self.world.connect(session)
        self.people.append(session)
        return session

    def disconnect(self, number: int) -> None:
        session = self.people.pop(number % len(self.people))
        self.referee.disconnect(session)
        self.referee.received(session)
        self.world.disconnect(session)
        self.compare()

    def somebody(self, number: int) -> int:
        return self.people[number % len(self.people)]

    def running(self) -> list[Match]:
        return list(self.world.running().values())

    def credentials(self, how: int, game: str, nick: str) -> JSON:
        """One of the ways to say who one is."""
        tokens = [token for token, seat in self.world.tokens.items() if seat == (game, nick)]
        if how % 3 == 0 and nick in self.world.passwords:
            return {"nick": nick, "password": self.world.passwords[nick]}
        return {"token": tokens[0]} if tokens else {}

    def session_of(self, nick: str, number: int) -> int:
        """A connection of that player, if there is one."""
        own = [session for session, login in self.world.logins.items() if login == nick]
        return own[number % len(own)] if own else self.somebody(number)

    # Commands

    def say(self, session: int, cmd: str, **fields: Any) -> JSON:
        """Say it to both, and compare what follows."""
        self.agrees = False
        reply = self.referee.say(session, cmd, **fields)
        check_reply(self.world, cmd, Exchange(session, fields, reply, self.referee.now))
        self.seen[f"refused {reply['code']}" if "error" in reply else cmd] += 1
        self.compare()
        return reply

    def compare(self) -> None:
        """Everybody was told what the model says, game by game in that order."""
        self.agrees = False
        for session in self.people:
            actual, due = self.referee.received(session), self.world.due.pop(session, [])
            for game in {frame["game"] for frame in actual + due}:
                heard = [frame for frame in actual if frame["game"] == game]
                wanted = [frame for frame in due if frame["game"] == game]
                assert heard == wanted, f"{session} was {difference(heard, wanted)}"
        deadline = self.world.deadline()
        if deadline is not None:
            known = self.referee.service.deadline()
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
        """Nobody says anything for so long."""
        self.referee.now += ms
        self.referee.tick()
        self.world.pass_time(self.referee.now)
        self.compare()

    def close(self) -> None:
        """All time passes, everything is over, and can be seen again as it was."""
        for _ in range(MOST_SEATS):  # one flag after the other
            self.pass_time(10**9)
        assert not self.referee.service.games.playing
        assert not self.referee.service.games.lobby.tables
        witness = self.connect()
        for match in self.world.matches.values():
            assert match.result
            self.say(witness, "update", game=match.game, since=0)
            self.seen[f"ended by {match.result[1]}"] += 1


def difference(heard: list[JSON], wanted: list[JSON]) -> str:
    """The first frame that is another one, as far as it is."""
    for one, other in zip(heard, wanted, strict=False):
        names = [name for name in one | other if one.get(name) != other.get(name)]
        if names:
            actual, due = ({name: frame.get(name) for name in names} for frame in (one, other))
            return f"told {actual} instead of {due} in {one['type']} {one.get('seq')}"
    return f"told {len(heard)} frames instead of {len(wanted)}"
