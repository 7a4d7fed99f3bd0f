"""Players who log in while each of many addresses of this machine waits with one login."""

from __future__ import annotations

import contextlib
import tempfile
import time
from pathlib import Path

import trio
from attrs import frozen

from tests.cli.processes import serving
from tests.harness import Talker

PASSWORD = "right"
HOME, NEIGHBOUR, ELSEWHERE, NOWHERE = "127.200.0.1", "127.200.0.2", "127.201.0.1", "127.202.0.1"
"""The address at which both known players register, and those from which players come later."""
ANSWER_S = 60


@frozen
class Flood:
    """The logins of the attackers."""

    addresses: str
    """`networks`: each address is in a network of its own; `network`: all are in one."""
    nicks: str
    """`new`: each login is a new nick; `guesses`: all are guesses for the nick of a player."""

    def address(self, number: int) -> str:
        """Return the address of an attacker."""
        if self.addresses == "network":
            return f"127.1.1.{1 + number % 254}"
        return f"127.{2 + number // 200}.{number % 200}.1"

    def login(self, number: int) -> dict[str, str]:
        """Return the command of an attacker."""
        nick = f"attacker {number}" if self.nicks == "new" else "returning"
        return {"cmd": "register", "nick": nick, "password": "x"}


FLOODS = [Flood(where, what) for where in ("networks", "network") for what in ("new", "guesses")]


@frozen
class Login:
    """A player's login in a flood: the seconds that it took, and its error code."""

    player: str
    seconds: float
    code: str | None


async def dial(port: int, address: str) -> Talker:
    """Connect from an address of this machine."""
    talker = Talker(await trio.open_tcp_stream("127.0.0.1", port, local_address=address))
    await talker.receive()
    return talker


async def measure(flood: Flood, clients: int) -> list[Login]:
    """Return the logins of three players: a returning one, a known one from elsewhere, a new one.

    The server is started anew before the flood, so it has no password in its cache.
    """
    logins: list[Login] = []
    with tempfile.TemporaryDirectory() as folder:
        with serving(Path(folder)) as server:
            owner = await dial(server.tcp_port, HOME)
            for nick in ("returning", "known"):
                await owner.ask(cmd="register", nick=nick, password=PASSWORD)
        with serving(Path(folder)) as server:
            attackers = [await dial(server.tcp_port, flood.address(n)) for n in range(clients)]
            players = {
                "returning": await dial(server.tcp_port, NEIGHBOUR),
                "known": await dial(server.tcp_port, ELSEWHERE),
                "new": await dial(server.tcp_port, NOWHERE),
            }
            for number, attacker in enumerate(attackers):
                await attacker.send(**flood.login(number))
            async with trio.open_nursery() as nursery:
                for nick, talker in players.items():
                    nursery.start_soon(log_in, nick, talker, logins)
    return logins


async def log_in(nick: str, talker: Talker, logins: list[Login]) -> None:
    """Log a player in, and note how long that takes."""
    start, code = time.monotonic(), "no answer"
    with trio.move_on_after(ANSWER_S), contextlib.suppress(trio.BrokenResourceError):
        code = (await talker.ask(cmd="register", nick=nick, password=PASSWORD)).get("code")
    logins.append(Login(nick, time.monotonic() - start, code))
