"""One player offers and withdraws draws as fast as it can; the opponent reads 1 MB a second.

    python -m tests.offers [--seconds 10] [--tabnet PATH]

Prints how many offers the server accepted, and what became of the opponent's connection.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

READ_BYTES_S = 1_000_000
OFFERS_AT_ONCE = 100


class Player:
    """A connection over plain TCP, with a seat in the game."""

    def __init__(self, port: int, buffer: int = 0) -> None:
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect(("127.0.0.1", port))
        self.lines = self.socket.makefile("rb")
        assert json.loads(self.lines.readline())["type"] == "hello"

    def send(self, **command: Any) -> None:
        self.socket.sendall(json.dumps(command).encode() + b"\n")

    def reply(self) -> dict[str, Any]:
        """Return the next reply; updates before it are dropped."""
        while (frame := json.loads(self.lines.readline()))["type"] != "reply":
            pass
        return dict(frame)


def flood(player: Player, seconds: float) -> tuple[int, int]:
    """Offer and withdraw; return how many commands were accepted and refused."""
    accepted = refused = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for number in range(OFFERS_AT_ONCE):
            player.send(cmd="draw", offer=number % 2 == 0)
        for _ in range(OFFERS_AT_ONCE):
            if "error" in player.reply():
                refused += 1
            else:
                accepted += 1
        time.sleep(OFFERS_AT_ONCE / 4500)  # the server takes 5,000 commands a second
    return accepted, refused


def read_slowly(player: Player, stop: threading.Event, result: dict[str, Any]) -> None:
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--tabnet", default=str(Path(sys.executable).with_name("tabnet")))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [args.tabnet, "serve", "--memory", "--no-http", "--data", folder]
        server = subprocess.Popen(
            [*command, "--tcp-port", "0", "--tls-port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert server.stdout is not None
            output = "".join(iter(server.stdout.readline, "ready\n"))
            found = re.search(r"tcp.*:(\d+)$", output, re.MULTILINE)
            assert found, output
            port = int(found[1])
            attacker, opponent = Player(port), Player(port, buffer=65_536)
            for player in (attacker, opponent):
                player.send(cmd="join", group=1, size=15, clock={"move": 600})
                assert "game" in player.reply()
            result: dict[str, Any] = {"bytes": 0}
            stop = threading.Event()
            reader = threading.Thread(target=read_slowly, args=(opponent, stop, result))
            reader.start()
            accepted, refused = flood(attacker, args.seconds)
            stop.set()
            reader.join()
        finally:
            server.terminate()
            server.wait()
    lost = result.get("lost after")
    fate = "still connected" if lost is None else f"disconnected after {lost:.1f} s"
    print(
        f"{accepted} accepted, {refused} refused; the opponent took {result['bytes']} bytes, {fate}"
    )
    return 0 if lost is None and accepted <= 8 else 1


if __name__ == "__main__":
    sys.exit(main())
