"""A player who continues on the next server whenever a server is killed."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import trio

from tests.kill.connection import Connection, ServerLost, connect
from tests.kill.killed_server import KilledServer
from tests.kill.traffic import JSON, Traffic

SILENCE_S = 1
"""The maximum silence of an opponent whose join may have been lost with a server."""


@dataclass
class Shared:
    """The state that all players share."""

    server: KilledServer
    traffic: Traffic
    invites: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Group -> unused invites."""
    known: set[str] = field(default_factory=set)
    """The nicks of players who know that they play."""
    finished: int = 0
    """The number of seats that have received the last update of their match."""
    closing: bool = False
    """True when no more games are started."""


@dataclass
class Bot:
    """Asks for games and plays them at random, one after the other, until `shared.closing`."""

    shared: Shared
    group: int
    luck: random.Random
    nick: str | None
    """None for a guest."""
    me: str = ""
    wanted: JSON | None = None
    """The join that is being tried."""
    in_doubt: bool = False
    """A join may have succeeded."""
    token: str | None = None
    game: str | None = None
    seen: int = 0
    latest: JSON | None = None
    acted: int = -1
    """The number of the update that was acted on."""
    salt: str | None = None
    """The salt that is still to be sent."""
    played: bool = False
    """An action was accepted, and its update is still to come."""
    is_peaceful: bool = False
    """True if the player agrees to draws."""
    is_hasty: bool = False
    """True if the player leaves matches early, so that there are many."""
    leaving: bool = False
    logged_in: bool = False
    has_gone: bool = False

    async def play(self) -> None:
        """Play until `shared.closing`."""
        done = False
        while not done:
            await self.shared.server.up.wait()
            try:
                async with connect(self.shared.server.port, self.shared.traffic) as connection:
                    self.logged_in, self.played, self.acted = False, False, -1
                    done = await self._play_on(connection)
            except ServerLost:
                if self.nick is None and self.game is None:
                    # The next connection is another guest; a join of this one may have been lost.
                    self.shared.known.discard(self.me)
                    self.me = ""
        self.has_gone = True
        self.shared.traffic.count()

    async def _play_on(self, connection: Connection) -> bool:
        if self.game is not None:
            await self._come_back(connection)
        elif self.in_doubt:
            await self._look_for_seat(connection)
        while True:
            if self.game is not None:
                await self._play_match(connection)
            elif self.shared.closing and not self.in_doubt:
                return True
            else:
                await self._join(connection)

    async def say(self, connection: Connection, **command: Any) -> JSON:
        """Send a command with the login or the token of the player; return its reply."""
        self.leaving |= command["cmd"] == "leave"
        if command["cmd"] not in ("register", "join", "state"):
            command["game"] = self.game
        if self.token is not None and not self.logged_in:
            command["token"] = self.token
        return await connection.ask(self.me, self.seen, **command)

    # Coming and coming back

    async def _log_in(self, connection: Connection) -> None:
        if self.nick is not None and not self.logged_in:
            self.me = self.nick
            self.shared.known.add(self.nick)
            reply = await connection.ask(self.nick, 0, cmd="register", **self._credentials())
            if "error" in reply:
                self.shared.traffic.report(f"{self.nick} cannot log in: {reply}")
            self.logged_in = True

    def _credentials(self) -> JSON:
        return {"nick": self.nick, "password": f"{self.nick}'s"}

    async def _come_back(self, connection: Connection) -> None:
        if self.token is None or self.luck.random() < 0.3:
            await self._log_in(connection)
        reply = await self.say(connection, cmd="update", since=self.seen)
        if "error" in reply and self.leaving and self.latest is None:
            self.game = self.token = self.wanted = None  # the wait is over
            return
        if "error" in reply:
            self.shared.traffic.report(f"{self.me} cannot come back: {reply}")
        await self.say(connection, cmd="state")  # what was missed comes before this reply

    async def _look_for_seat(self, connection: Connection) -> None:
        """Find the seat of a join whose reply was lost."""
        await self._log_in(connection)
        if self.nick is not None:
            reply = await connection.ask(self.me, 0, cmd="state")
            is_waiting = reply.get("status") == "waiting"
            if "error" not in reply and (self.shared.closing or not is_waiting):
                self._sit_down(reply["game"], None)
                await self._come_back(connection)
        self.in_doubt = False

    async def _join(self, connection: Connection) -> None:
        await self._log_in(connection)
        if self.wanted is None:
            self.wanted = self._wish()
        self.in_doubt = True
        command = {"cmd": "join", **self.wanted}
        if self.nick is not None and self.luck.random() < 0.2:
            command |= self._credentials()
        reply = await connection.ask(self.me, 0, **command)
        if "invite" in reply and "invite" not in command and self.luck.random() < 0.5:
            self.me = reply["nick"]
            reply = await connection.ask(self.me, 0, **command)  # the same game, another token
        self.in_doubt = False
        if "error" in reply:
            self.wanted = None
            return
        self.me = reply["nick"]
        self.shared.known.add(self.me)
        self._sit_down(reply["game"], reply["token"])
        if "invite" in reply:
            self.shared.invites[self.group].append(reply["invite"])

    def _wish(self) -> JSON:
        luck, wish = self.luck, {}
        self.salt = None
        invites = self.shared.invites[self.group]
        if invites and luck.random() < 0.8:
            return {"invite": invites.pop(0)}
        kind = luck.choice(["tab", "tab", "draughts", "fish", "plakoto"])
        wish = {"kind": kind, "group": self.group}
        wish |= {"size": 7} if kind == "tab" else {}
        wish |= {"seats": 2 + self.group % 2} if kind == "fish" else {}
        if kind in ("tab", "plakoto") and luck.random() < 0.3:
            self.salt = luck.randbytes(16).hex()
            hashed = hashlib.sha256(b"tabnet-salt-1" + bytes.fromhex(self.salt))
            wish["salt_hash"] = hashed.hexdigest()
        wish |= {"auto": True} if luck.random() < 0.3 else {}
        wish |= {"seat": luck.randrange(2)} if luck.random() < 0.2 else {}
        if luck.random() < 0.2:
            wish |= {"private": True, "strict": luck.random() < 0.5}
        return wish

    def _sit_down(self, game: str, token: str | None) -> None:
        self.game, self.token, self.seen = game, token, 0
        self.latest, self.acted, self.leaving = None, -1, False
        self.played = False
        self.is_peaceful, self.is_hasty = self.luck.random() < 0.2, self.luck.random() < 0.3

    # Playing

    async def _play_match(self, connection: Connection) -> None:
        """Act until the match is over."""
        while self.game is not None:
            if not await self._act(connection) and self.game is not None:
                with trio.move_on_after(SILENCE_S) as silence:
                    await connection.receive()
                if silence.cancelled_caught and self._is_alone():
                    await self.say(connection, cmd="leave")
            self._look(connection)

    def _look(self, connection: Connection) -> None:
        news, connection.news = connection.news, []
        for update, _ in news:
            if update["game"] != self.game:
                continue
            self.latest, self.seen = update, update["seq"]
            event = update.get("event", {})
            if event.get("player") == self.me:
                self.played = False
                self.salt = None if event["type"] == "salt" else self.salt
            is_out = event.get("player") == self.me and event["type"] == "leave"
            if "winner" in update or is_out:
                self.shared.finished += "kind" in update
                self.game = self.wanted = self.token = None
                return

    def _is_alone(self) -> bool:
        """Return True if an opponent does not know of the match: its join reply was lost."""
        if self.latest is None:
            return self.shared.closing
        others = set(self.latest["players"]) - {self.me}
        return not others <= self.shared.known

    async def _act(self, connection: Connection) -> bool:
        """Send a command if one is due; return whether it succeeded."""
        self._look(connection)
        update = self.latest
        if update is None or self.game is None or self.played or self.acted == self.seen:
            return False
        self.acted = self.seen
        command = self._sometimes_other(update)
        if command is None or "error" in await self.say(connection, **command):
            command = await self._due(connection, update)
            if command is None or "error" in await self.say(connection, **command):
                return False
        self.played = True
        return True

    async def _due(self, connection: Connection, update: JSON) -> JSON | None:
        """The command that the player has to send now."""
        if self.salt is not None:
            return {"cmd": "salt", "salt": self.salt}
        if update["turn"] != self.me or update["expects"] in (None, "salt"):
            return None
        if update["expects"] != "notify":
            return {"cmd": update["expects"]}
        reply = await self.say(connection, cmd="moves")
        return self._move(reply["moves"]) if reply.get("moves") else None

    def _move(self, moves: list[JSON]) -> JSON:
        """Return a random move, in one step or in two."""
        move = dict(self.luck.choice(moves))
        if "cell" in move and self.luck.random() < 0.5:
            is_held = self.latest is not None and self.latest["step"] == "to"
            move = {"cell": move[self.luck.choice(["cell", "to"] if is_held else ["cell"])]}
        return {"cmd": "notify", **move}

    def _sometimes_other(self, update: JSON) -> JSON | None:
        """Return sometimes a command that is not due."""
        luck, offers = self.luck.random(), update["draw_offers"]
        is_answer = bool(offers) and self.me not in offers
        if luck < 0.02 and (self.is_peaceful or not is_answer):
            return {"cmd": "draw", "offer": self.me not in offers}
        if luck < 0.07 and not update["strict"] and update["turn"] != self.me:
            return self.luck.choice(
                [{"cmd": "roll"}, {"cmd": "pass"}, {"cmd": "notify", "cell": 3}]
            )
        return {"cmd": "leave"} if luck > (0.95 if self.is_hasty else 0.9995) else None
