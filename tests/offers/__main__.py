"""`python -m tests.offers`: one player offers and withdraws draws as fast as it can.

The opponent reads 1 MB a second. Prints how many offers the server accepted, and whether the
opponent is still connected.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from tests.blocking_client import Client
from tests.cli.processes import serving

READ_BYTES_S = 1_000_000
OFFERS_AT_ONCE = 100
MAX_ACCEPTED = 8


def flood(player: Client, seconds: float) -> tuple[int, int]:
    """Offer and withdraw; return the numbers of accepted and refused commands."""
    replies: list[bool] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for number in range(OFFERS_AT_ONCE):
            player.send(cmd="draw", offer=number % 2 == 0)
        replies += ["error" in player.reply() for _ in range(OFFERS_AT_ONCE)]
        time.sleep(OFFERS_AT_ONCE / 4500)  # the server takes 5,000 commands a second
    return replies.count(False), replies.count(True)


def read_slowly(player: Client, stop: threading.Event, result: dict[str, Any]) -> None:
    """Read until `stop`; count the bytes, and note the time of a disconnect."""
    began, taken = time.monotonic(), 0
    player.socket.settimeout(0.1)
    while not stop.is_set():
        try:
            data = player.socket.recv(20_000)
        except TimeoutError:
            continue
        except OSError:
            data = b""
        if not data:
            result["lost after"] = time.monotonic() - began
            return
        taken += len(data)
        result["bytes"] = taken
        time.sleep(max(0, began + taken / READ_BYTES_S - time.monotonic()))


def main() -> int:
    """Flood a game with offers; return 1 if too many succeed or the opponent is disconnected."""
    parser = argparse.ArgumentParser(prog="python -m tests.offers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    args = parser.parse_args()
    result: dict[str, Any] = {"bytes": 0}
    stop = threading.Event()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), "--memory") as server:
        attacker, opponent = Client(server.tcp_port), Client(server.tcp_port, buffer=65_536)
        for player in (attacker, opponent):
            player.ask(cmd="join", group=1, size=15, clock={"move": 600})
        reader = threading.Thread(target=read_slowly, args=(opponent, stop, result))
        reader.start()
        accepted, refused = flood(attacker, args.seconds)
        stop.set()
        reader.join()
    lost = result.get("lost after")
    state = "still connected" if lost is None else f"disconnected after {lost:.1f} s"
    print(f"{accepted} accepted, {refused} refused; opponent: {result['bytes']} bytes, {state}")
    return 0 if lost is None and accepted <= MAX_ACCEPTED else 1


if __name__ == "__main__":
    sys.exit(main())
