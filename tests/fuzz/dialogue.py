"""Dialogues that the model judges: situations that random commands reach rarely.

A file in `dialogues` holds dialogues: a title, and below it, indented, a line for each command:

    zp join group=99 size=9
    a roll game=GAME -> not_your_turn: Not your turn to play

- A line begins with a connection. `zp`, `jpleal`, `rui` and single letters are players that log in
  when they are first named; `zp/2` is a second connection of zp; other connections do not log in.
- A refusal is announced by `->` and its code, perhaps with its text; such a command must change
  nothing. With `=>` the refusal may have effects. A command without an arrow must succeed.
- `GAME`, `TOKEN` and `INVITE` are the latest ones, `GAME-1` the one before; `SALT0` and `HASH0`
  are a salt and its hash.
- `PAIR name=value ...`: zp and jpleal join a game. `wait SECONDS`: time passes, and every timeout
  applies when it is due. `later SECONDS`: time passes, and the server notices it with the next
  command. `play COUNT`: the players of the latest game play random legal actions.
  `CONNECTION disconnect`: the connection ends.

The model knows every reply and every update, so a dialogue needs no other expected results.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

from tests.fuzz.comparison import Comparison
from tests.fuzz.machine import SALTS, choose_move, hash_salt
from tests.server.pure import PASSWORDS

JSON = dict[str, Any]
NAMED = re.compile(r"(GAME|TOKEN|INVITE)(?:-(\d+))?")
SALTED = {f"SALT{number}": salt for number, salt in enumerate(SALTS)} | {
    f"HASH{number}": hash_salt(salt) for number, salt in enumerate(SALTS)
}


def read_dialogues() -> dict[str, list[str]]:
    """Return the lines of every dialogue by title."""
    found: dict[str, list[str]] = {}
    title = ""
    for path in sorted((Path(__file__).parent / "dialogues").glob("*.txt")):
        for line in path.read_text().splitlines():
            if line.startswith("    "):
                found[title].append(line.strip())
            elif line:
                title = f"{path.stem}: {line}"
                found[title] = []
    return found


class Dialogue:
    """A dialogue with the server's core and with the model."""

    def __init__(self) -> None:
        self.comparison = Comparison()
        self.sessions: dict[str, int] = {}

    def run(self, lines: list[str]) -> None:
        """Send every line; raise AssertionError where the server and the model differ."""
        for line in lines:
            self._execute(*line.split(maxsplit=1))
        self.comparison.close()

    def _execute(self, first: str, rest: str = "") -> None:
        if first == "PAIR":
            for nick in ("zp", "jpleal"):
                self._say(nick, f"join {rest or 'group=99 size=9'}")
        elif first == "wait":
            self._wait(round(1000 * float(rest)))
        elif first == "later":
            self.comparison.referee.now += round(1000 * float(rest))
        elif first == "play":
            self._play(int(rest))
        elif rest == "disconnect":
            self.comparison.disconnect(self.comparison.sessions.index(self.sessions.pop(first)))
        else:
            self._say(first, rest)

    def _say(self, connection: str, text: str) -> None:
        command, arrow, refusal = re.fullmatch(r"(.*?)(?: ([-=]>) (.*))?", text).groups()  # type: ignore[union-attr]
        cmd, *words = command.split()
        session, comparison = self._session(connection), self.comparison
        fields = dict(map(self._parse_field, words))
        if arrow == "->":
            comparison.pass_time(0)
            before = comparison.referee.picture()
        joining = cmd == "join"
        reply = (
            comparison.join(session, fields) if joining else comparison.say(session, cmd, **fields)
        )
        if arrow == "->":
            assert comparison.referee.picture() == before
        code, _, error = (refusal or "").partition(": ")
        refused = {name.removeprefix("reason_"): value for name, value in reply.items()}
        refused["error"] = reply.get("error", reply.get("reason"))
        assert refused.get("code", "") == code, f"{text} gets {reply}"
        assert error in ("", refused["error"])

    def _session(self, connection: str) -> int:
        """Return the session of a connection, which logs in if it has the name of a player."""
        if connection not in self.sessions:
            session = self.sessions[connection] = self.comparison.connect()
            nick = connection.partition("/")[0]
            if nick in ("zp", "jpleal", "rui") or len(nick) == 1:
                password = PASSWORDS.get(nick, nick)
                self.comparison.say(session, "register", nick=nick, password=password)
        return self.sessions[connection]

    def _parse_field(self, word: str) -> tuple[str, Any]:
        """Return the name and the value of `name=value`; a value that is not JSON is a string."""
        name, _, value = word.partition("=")
        if named := NAMED.fullmatch(value):
            known = {
                "GAME": list(dict.fromkeys(self.comparison.games)),
                "TOKEN": self.comparison.tokens,
                "INVITE": list(dict.fromkeys(self.comparison.invites)),
            }[named[1]]
            return name, known[-1 - int(named[2] or 0)]
        try:
            return name, SALTED[value] if value in SALTED else json.loads(value)
        except ValueError:
            return name, value

    def _wait(self, ms: int) -> None:
        end = self.comparison.referee.now + ms
        while (deadline := self.comparison.model.deadline()) is not None and deadline <= end:
            self.comparison.pass_time(deadline - self.comparison.referee.now)
        self.comparison.pass_time(end - self.comparison.referee.now)

    def _play(self, count: int) -> None:
        luck = random.Random(count)
        match = self.comparison.running()[-1]
        for _ in range(count):
            if match.turn is None:
                return
            nick, cmd = match.nicks[match.turn], match.position.expects()
            fields = choose_move(match, luck) if cmd == "notify" else {}
            self.comparison.say(self.comparison.session_of(nick, 0), cmd, game=match.game, **fields)
