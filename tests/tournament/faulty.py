"""Bots that do wrong, each in a way of its own: `python faulty.py WAY`.

They play the first legal move until it is time to misbehave.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path


class Connection:
    """A bare client."""

    def __init__(self):
        port = int(os.environ["TABNET_PORT"])
        self.socket = socket.create_connection((os.environ["TABNET_HOST"], port))
        self.lines = self.socket.makefile("rb")
        self.decisions = 0

    def send(self, **command):
        self.say(json.dumps(command).encode())

    def say(self, line):
        self.socket.sendall(line + b"\n")

    def frames(self):
        for line in self.lines:
            yield json.loads(line)

    def enter(self):
        nick, password = os.environ["TABNET_NICK"], os.environ["TABNET_PASSWORD"]
        self.send(cmd="register", nick=nick, password=password)
        self.say(os.environ["TABNET_JOIN"].encode())


NO_MOVE = "no move"


def play(decide):
    """Play for ever; `decide` is called before each move, and may do anything, or play itself."""
    line = Connection()
    line.enter()
    for frame in line.frames():
        if frame["type"] == "update" and "winner" in frame:
            line.say(os.environ["TABNET_JOIN"].encode())
            line.decisions = 0
        elif frame["type"] == "update":
            if frame["turn"] == os.environ["TABNET_NICK"] and frame["expects"] == "notify":
                line.send(cmd="moves", game=frame["game"])
        elif frame.get("cmd") == "moves" and frame.get("moves"):
            line.decisions += 1
            if decide(line) is not NO_MOVE:
                line.send(cmd="notify", **frame["moves"][0])


def hang():
    """Do nothing for longer than any test waits: the parent process has to end it."""
    time.sleep(1000)


def good():
    play(lambda _: None)


def crashes_at_once():
    print("this cannot be", file=sys.stderr)
    sys.exit(3)


def crashes_at_move_20():
    play(lambda line: 1 // (line.decisions < 20))


def dies_of_a_signal():
    play(lambda line: line.decisions < 5 or os.kill(os.getpid(), signal.SIGSEGV))


def never_connects():
    hang()


def connects_and_says_nothing():
    line = Connection()
    hang()
    line.lines.read()


def greets_with_garbage():
    line = Connection()
    line.say(b"good morning")
    hang()


def answers_garbage():
    play(lambda line: line.say(b"e2-e4"))


def sends_a_long_line():
    play(lambda line: line.say(b"x" * 2 * 1024 * 1024))


def plays_an_illegal_move():
    def decide(line):
        if line.decisions != 3:
            return None
        line.send(cmd="notify", cell=35)
        return NO_MOVE

    play(decide)


def is_too_slow_by_10_ms():
    play(lambda line: line.decisions < 3 or time.sleep(float(os.environ["TEST_CLOCK"]) + 0.01))


def ignores_sigterm():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    play(lambda line: line.decisions < 3 or hang())


def leaves_a_child():
    """A child that holds the pipes, and hears no signal that can be ignored."""
    program = "import signal,time; signal.signal(15, signal.SIG_IGN); time.sleep(1000)"

    def decide(line):
        if line.decisions == 3:
            subprocess.Popen([sys.executable, "-c", program])
            sys.exit(4)

    play(decide)


def exits_0_in_mid_game():
    play(lambda line: line.decisions < 5 or sys.exit(0))


def hangs_up():
    def decide(line):
        if line.decisions == 3:
            line.socket.shutdown(socket.SHUT_RDWR)
            hang()

    play(decide)


def shouts():
    """100 MB to stderr, and what has to be seen of them."""
    for _ in range(100):
        sys.stderr.write("x" * 999_999 + "\n")
    play(lambda line: line.decisions < 3 or sys.exit("the last words"))


def eats_memory():
    play(lambda line: line.decisions < 3 or bytearray(10**10))


def is_slow_while_a_file_exists():
    """Take at least 5 ms for a move while the file exists, so that a test can act in mid-game."""
    play(lambda _: Path(os.environ["TEST_FILE"]).exists() and time.sleep(0.005))


def writes_a_large_file():
    def decide(_):
        Path(os.environ["TEST_FILE"]).write_bytes(bytes(10**7))

    play(decide)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
