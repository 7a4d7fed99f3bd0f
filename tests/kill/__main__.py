"""`python -m tests.kill --kills 100 --games 20`: does a killed server lose events?"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import trio

from tabnet.cli.options.server_options import find_first_error
from tests.kill.killed_server import ServerDoesNotStart
from tests.kill.losses import find_losses
from tests.kill.run import run


def main() -> int:
    """Play and kill; 1 if something was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.kill", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how often (%(default)s)")
    parser.add_argument("--games", type=int, default=20, help="how many at a time (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the players' luck (%(default)s)")
    args = parser.parse_args()
    start = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="tabnet-kill-"))
    try:
        traffic, state, server = trio.run(run, folder, args.kills, args.games, args.seed)
    except BaseExceptionGroup as group:
        if not isinstance(find_first_error(group), ServerDoesNotStart):
            raise
        print(f"LOST: {folder}: the server does not start: {find_first_error(group)}")
        return 1
    traffic.save(folder / "traffic.jsonl")
    lost = [sent for sent in traffic.sent if sent.reply is None]
    lasts = [json.loads(history[-1]) for history in state.histories.values() if history]
    ended = dict(Counter(last["result"]["reason"] for last in lasts if "result" in last))
    print(f"{len(server.pids)} servers killed, {len(state.histories)} matches ended,")
    print(f"{len(traffic.sent)} commands sent, {len(lost)} of them without an answer,")
    print(f"{sum(map(len, traffic.updates.values()))} updates received and compared,")
    print(f"matches ended by {ended}")
    print(f"{len(state.seats)} tokens and {len(state.rankings)} rankings checked,")
    print(f"in {time.monotonic() - start:.0f} s; all files are in {folder}")
    problems = [*find_losses(traffic, state), *server.log_lines()]
    for problem in problems:
        print(f"LOST: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
