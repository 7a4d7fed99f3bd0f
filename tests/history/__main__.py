"""`python -m tests.history`: readers of a long history beside clients that play.

Plays a match of Tab on 15 columns without captures, and measures round trips of other clients
without and with readers that request the whole history while the match goes on.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.blocking_client import Client
from tests.cli.processes import serving

TERMS = {"group": 1, "size": 15, "auto": True, "clock": {"total": 86400}}
CLIENTS = 5
PAUSE_S = 0.005
"""Between two requests of a client."""


class MatchOverError(Exception):
    """The match has ended: its players could only capture."""


class LongMatch:
    """A match in which players capture only if they must."""

    def __init__(self, port: int) -> None:
        self.players = [Client(port), Client(port)]
        self.games = [player.ask(cmd="join", **TERMS)["game"] for player in self.players]
        self.game = self.games[0]
        assert self.games[1] == self.game
        self.seq = 0
        self._rng = random.Random(1)

    def play(self, events: int, pause: float = 0.0) -> None:
        """Play until the match has so many events."""
        while self.seq < events:
            self._step()
            if pause:
                time.sleep(pause)

    def _step(self) -> None:
        state = self.players[0].ask(cmd="state", game=self.game)["update"]
        self.seq = state["seq"]
        if state["turn"] is None:
            raise MatchOverError
        turn = self.players[[*state["players"]].index(state["turn"])]
        if state["expects"] != "notify":
            turn.ask(cmd=state["expects"])
            return
        pieces, moves = state["pieces"], turn.ask(cmd="moves")["moves"]
        quiet = [move for move in moves if pieces[move["to"]] is None] or moves
        turn.ask(cmd="notify", **self._rng.choice(quiet))


def long_match(port: int, events: int) -> LongMatch:
    """Play a match of so many events; begin again if one ends before."""
    while True:
        match = LongMatch(port)
        try:
            match.play(events)
        except MatchOverError:
            continue
        return match


def round_trips(port: int, seconds: float) -> list[float]:
    """The times in ms that clients wait for a reply."""
    times: list[float] = []

    def client() -> None:
        connection = Client(port)
        connection.ask(cmd="join", kind="draughts", private=True)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begin = time.perf_counter()
            connection.ask(cmd="state")
            times.append(1000 * (time.perf_counter() - begin))
            time.sleep(PAUSE_S)

    threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def summary(times: list[float]) -> str:
    """The time that one in a hundred exceeds, and the longest."""
    p99 = statistics.quantiles(times, n=100)[98]
    return f"p99 {p99:.1f} ms, longest {max(times):.0f} ms"


def read_history(port: int, game: str, last: int, results) -> None:
    """Request the whole history, and read it until update `last`."""
    connection, begin, expected = Client(port), time.monotonic(), 1
    connection.send(cmd="update", game=game, since=0)
    size = 0
    try:
        while expected <= last:
            line = connection.line()
            size += len(line)
            frame = json.loads(line)
            if frame["type"] == "update":
                if frame["seq"] != expected:
                    results.put(f"update {frame['seq']} came instead of {expected}")
                    return
                expected += 1
    except (OSError, EOFError):
        results.put(f"disconnected at update {expected}")
        return
    seconds = time.monotonic() - begin
    results.put(f"complete: {size / 1e6:.0f} MB in {seconds:.0f} s")


def main() -> int:
    """Print the figures; return 1 if a reader missed anything."""
    parser = argparse.ArgumentParser(prog="python -m tests.history", description=__doc__)
    parser.add_argument("--events", type=int, default=20_000, help="(%(default)s)")
    parser.add_argument("--readers", type=int, default=10, help="(%(default)s)")
    parser.add_argument("--seconds", type=float, default=10, help="of measuring (%(default)s)")
    args = parser.parse_args()
    options = ["--memory", "--house", "none", "--log-level", "warning"]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), *options) as server,
    ):
        port = server.tcp_port
        begin = time.monotonic()
        match = long_match(port, args.events)
        print(f"{match.seq} events in {time.monotonic() - begin:.0f} s", flush=True)
        alone = round_trips(port, args.seconds)
        results = multiprocessing.Queue()
        last = match.seq + 100
        readers = [
            multiprocessing.Process(target=read_history, args=(port, match.game, last, results))
            for _ in range(args.readers)
        ]
        for reader in readers:
            reader.start()
        moves = threading.Thread(target=match.play, args=(last, 0.05))
        moves.start()
        beside = round_trips(port, args.seconds)
        print(f"other clients alone: {summary(alone)}; beside the readers: {summary(beside)}")
        outcomes = [results.get() for _ in readers]
        moves.join()
    for outcome in outcomes:
        print(outcome)
    return 0 if all(outcome.startswith("complete") for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
