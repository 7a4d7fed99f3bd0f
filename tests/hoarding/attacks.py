"""Clients that try to hold all that a server keeps for its clients, each from one address."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any

from attrs import frozen

BOTS = ("random", "greedy", "expectimax")
ATTACKER, OTHER, LOOPBACK = "127.0.0.2", "127.0.0.3", "127.0.0.1"
LONGEST_CLOCK = {"move": 86400}
HOUSE_CLOCK = {"move": 600}
TIMEOUT_S = 30
"""How long to wait for a house bot."""
GUESS_EVERY_S = 0.02
BOARD = [[5] * 15] * 15


class Client:
    """A client over HTTP, from an address of this machine."""

    def __init__(self, address: str, source: str) -> None:
        host, _, port = address.rpartition(":")
        self._connection = http.client.HTTPConnection(
            host, int(port), timeout=TIMEOUT_S, source_address=(source, 0)
        )

    def ask(self, **command: Any) -> dict[str, Any]:
        """Send one command; return its reply."""
        self._connection.request("POST", "/v1", json.dumps(command))
        return json.loads(self._connection.getresponse().read())

    def close(self) -> None:
        """Hang up; the next command connects again."""
        self._connection.close()


@frozen
class Held:
    """The resources that an attack holds."""

    tried: int
    held: int
    seconds: float
    codes: Counter[str]
    """The refusals."""


def hold(address: str, joins: Sequence[dict[str, Any]], source: str = ATTACKER) -> Held:
    """Send every join from one address."""
    codes, held, start = Counter[str](), 0, time.monotonic()
    with closing(Client(address, source)) as client:
        for join in joins:
            reply = client.ask(cmd="join", **join)
            held += "game" in reply
            codes.update([reply["code"]] if "code" in reply else [])
    return Held(len(joins), held, time.monotonic() - start, codes)


def private_waits(number: int) -> list[dict[str, Any]]:
    """Return joins to private games on big boards."""
    terms = {"kind": "fish", "board": BOARD, "private": True, "clock": LONGEST_CLOCK}
    return [terms] * number


def house_games(number: int, clock: dict[str, float]) -> list[dict[str, Any]]:
    """Return joins to games with each house bot."""
    return [
        {"kind": "draughts", "opponent": bot, "clock": clock} for bot in BOTS for _ in range(number)
    ]


def bots_left(address: str) -> list[str]:
    """Return the house bots that play with a client of another address."""
    joins = house_games(1, HOUSE_CLOCK)
    return [join["opponent"] for join in joins if hold(address, [join], OTHER).held]


def wait_for_bot(address: str) -> float | None:
    """Join a game with greedy; return the seconds until its process is there, None for never."""
    host, _, port = address.rpartition(":")
    start = time.monotonic()
    with (
        socket.create_connection((host, int(port)), source_address=(OTHER, 0)) as connection,
        connection.makefile() as lines,
        suppress(TimeoutError),
    ):
        connection.settimeout(TIMEOUT_S)
        connection.sendall(b'{"cmd":"join","kind":"draughts","opponent":"greedy"}\n')
        for line in lines:
            frame = json.loads(line)
            online = frame.get("online", {}) if frame["type"] == "presence" else {}
            if any(online[nick] for nick in online if nick.startswith("house-")):
                return time.monotonic() - start
    return None


@contextmanager
def guessing(address: str, nick: str, clients: int) -> Iterator[Counter[str]]:
    """Let clients guess the password of a nick, from the address of the house bots' processes.

    The counter has the codes of the replies.
    """
    stop, codes = threading.Event(), Counter[str]()

    def guess(number: int) -> None:
        with closing(Client(address, LOOPBACK)) as client:
            while not stop.wait(GUESS_EVERY_S):
                try:
                    reply = client.ask(cmd="register", nick=nick, password=f"guess {number}")
                except (OSError, http.client.HTTPException):
                    client.close()
                else:
                    codes[reply.get("code", "accepted")] += 1

    threads = [threading.Thread(target=guess, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield codes
    finally:
        stop.set()
        for thread in threads:
            thread.join()
