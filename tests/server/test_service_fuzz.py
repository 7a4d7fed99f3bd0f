"""Two players and a spectator say anything in any order, and every promise is kept.

`Referee` itself checks after each command that there is one reply, that it comes first, that a
refusal pushes nothing, that all frames encode, and that nothing is overdue.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from tabnet.protocol.codec import encode
from tabnet.server.updates import update
from tests.server.pure import JSON, PASSWORDS, Referee

COMMANDS = 2500

JUNK: list[Any] = [None, True, -1, 0, 3, 2**63 - 1, 1.5, "", "x", "zp", [], ["a1"], {}, {"move": 1}]
FIELDS = ("nick", "password", "game", "token", "cell", "to", "route", "size", "group", "since", "x")


class Fuzz:
    """The people, and what was seen of each game."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)
        self.referee = Referee(f"fuzz {seed}")
        self.people = {nick: self.referee.login(nick) for nick in PASSWORDS}
        self.people["spectator"] = self.referee.connect()
        self.witness = self.referee.connect()
        self.games: list[str] = []
        self.tokens: list[str] = ["0" * 32]
        self.seen: dict[str, list[bytes]] = defaultdict(list)
        self.ended: set[str] = set()
        self.replies: Counter[str] = Counter()

    # What is said

    def command(self, who: str) -> tuple[str, JSON]:
        luck, kinds = self.luck, [self.sensible] * 12 + [self.plausible] * 6 + [self.nonsense]
        kind: Callable[[str], tuple[str, JSON]] = luck.choice(kinds)
        return kind(who)

    def sensible(self, who: str) -> tuple[str, JSON]:
        """What can be played in one of the games, if it is one's turn; or a new game."""
        hall = self.referee.service.hall
        running = [match for match in hall.playing.values() if match.nick(match.turn) == who]
        if not running:
            terms: JSON = {"group": 99, "size": 7}
            if self.luck.random() < 0.4:
                terms = {"kind": "draughts"}
            if self.luck.random() < 0.3:
                terms["auto"] = True
            is_player = who in PASSWORDS and len(hall.playing) < 3
            return ("join", terms) if is_player else self.plausible(who)
        match = self.luck.choice(running)
        chosen = self.referee.say(self.witness, "moves", game=match.id)
        action = self.luck.choice(chosen["actions"] or ["roll"])  # its flag may just have fallen
        fields = dict(self.luck.choice(chosen["moves"])) if action == "notify" else {}
        if "to" in fields and self.luck.random() < 0.5:
            cell = self.luck.choice([fields["cell"], fields.pop("to")] if match.held else [None])
            fields = {"cell": fields["cell"] if cell is None else cell}
        return action, {"game": match.id, **fields}

    def plausible(self, who: str) -> tuple[str, JSON]:
        """Right in its form, and perhaps out of place."""
        luck = self.luck
        cell, to = luck.randrange(36), luck.randrange(36)
        route = [luck.choice("aceg") + luck.choice("1357"), luck.choice("bdfh") + luck.choice("24")]
        move: JSON = luck.choice([{"cell": cell}, {"cell": cell, "to": to}, {"route": route}])
        nick = luck.choice([*PASSWORDS, "nobody"])
        password = luck.choice([*PASSWORDS.values()])
        said: list[tuple[str, JSON]] = [
            *((cmd, {}) for cmd in ("roll", "pass", "update", "state", "moves", "games", "help")),
            ("ping", {}),
            ("notify", move),
            ("check", {"command": "notify", **move}),
            ("check", {"command": luck.choice(["roll", "pass", "leave"])}),
            ("join", {"group": 99, "size": 7, "seat": luck.randrange(3)}),
            ("register", {"nick": nick, "password": password}),
            ("update", {"since": luck.randrange(40)}),
            ("state", {"text": True}),
            ("moves", {"cell": cell, "player": nick}),
            ("ranking", {"group": 99, "size": 7}),
        ]
        if luck.random() < 0.01:
            said = [("leave", {})]
        cmd, fields = luck.choice(said)
        if cmd not in ("ping", "help", "games", "join", "ranking", "register"):
            if self.games and luck.random() < 0.8:
                running = list(self.referee.service.hall.playing)
                fields["game"] = luck.choice(running + self.games[-4:])
            if cmd in ("roll", "pass", "notify", "leave", "check") and luck.random() < 0.3:
                fields["token"] = luck.choice(self.tokens[-6:])
        if who == "spectator" and cmd == "register":
            return "schema", {}
        return cmd, fields

    def nonsense(self, who: str) -> tuple[str, JSON]:
        cmd, fields = self.plausible(who)
        fields[self.luck.choice(FIELDS)] = self.luck.choice(JUNK)
        return cmd, fields

    # What happens

    def step(self) -> None:
        luck, referee = self.luck, self.referee
        who = luck.choice(list(self.people))
        if luck.random() < 0.01:
            referee.disconnect(self.people[who])
            new = referee.login(who) if who in PASSWORDS else referee.connect()
            self.people[who] = new
        cmd, fields = self.command(who)
        referee.now += luck.choice([0, 0, 1, 100, 500, 60_000 if luck.random() < 0.01 else 0])
        reply = referee.say(self.people[who], cmd, **fields)
        self.replies[reply.get("code", cmd)] += 1
        if cmd == "join" and "game" in reply:
            self.tokens.append(reply["token"])
            if reply["game"] not in self.games:
                self.games.append(reply["game"])
                assert referee.say(self.witness, "update", game=reply["game"], since=0) == {}
        self.look()

    def look(self) -> None:
        """Every game goes on by one number after the other, and after its end no more."""
        lines, self.referee.lines[self.witness] = self.referee.lines[self.witness], []
        for line in lines:
            frame = json.loads(line)
            game = frame["game"]
            assert game not in self.ended
            if frame["type"] == "presence":
                continue
            self.seen[game].append(line)
            assert frame["seq"] == len(self.seen[game])
            if "winner" in frame:
                self.ended.add(game)
        for session in self.people.values():
            self.referee.told(session)

    def finish(self) -> Counter[str]:
        """Every game ends, is what was seen of it, and stays so; gives back why they ended."""
        referee, hall = self.referee, self.referee.service.hall
        referee.tick()
        referee.wait(10_000)
        self.look()
        assert hall.playing == hall.lobby.tables == {}
        assert self.ended == set(self.games)
        reasons = Counter[str]()
        for game in self.games:
            lines = self.seen[game]
            if game not in hall.finished:  # a wait that nobody came to
                over = {"type": "update", "game": game, "seq": 1, "winner": None}
                assert [json.loads(line) for line in lines] == [over]
                continue
            match = hall.finished[game]
            assert [encode(update(match, seq)) for seq in range(1, match.seq + 1)] == lines
            assert referee.say(self.witness, "state", game=game)["status"] == "ended"
            reasons[json.loads(lines[-1])["result"]["reason"]] += 1
        return reasons


def test_anything_in_any_order() -> None:
    replies, reasons = Counter[str](), Counter[str]()
    for seed in range(4):
        fuzz = Fuzz(seed)
        for _ in range(COMMANDS):
            fuzz.step()
        replies += fuzz.replies
        reasons += fuzz.finish()
    # and there was something to see
    assert {"leave", "timeout"} <= set(reasons)
    played = {"join", "roll", "notify", "pass", "leave", "update", "state", "moves", "check"}
    refused = {"not_your_turn", "must_move", "must_roll", "game_over", "bad_token", "wrong_type"}
    assert played | refused <= set(replies)
