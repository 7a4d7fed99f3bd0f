"""The yardstick of tournaments: the same three processes, which exchange lines without a game.

A referee and two bots, all on trio, share one processor. The referee sends a line to
one bot after the other, each when the answer to the last one has come. The lines are as long as
those of a real game, and contain neither JSON nor a game. It runs in its own process:
`python -m tabnet.bench.bare_tournament`, with its settings as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

import trio

from tabnet.bench.server import make_module_command, read_cpu_seconds

JSON = dict[str, Any]


def start(processor: int, lines: list[int], answer: int, seconds: float) -> subprocess.Popen[str]:
    """Start a referee with two bots on a processor; it prints its cost as JSON.

    `lines` has the length of each line for a bot, and `answer` that of every answer.
    """
    settings = {"processor": processor, "lines": lines, "answer": answer, "seconds": seconds}
    command = make_module_command("tabnet.bench.bare_tournament", json.dumps(settings))
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def referee(settings: JSON) -> None:
    """Play for some seconds, and print the decisions, the seconds, and the CPU time of both."""
    os.sched_setaffinity(0, {settings["processor"]})  # also for the bots
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    options = (str(port), str(settings["answer"]))
    command = make_module_command("tabnet.bench.bare_tournament", *options)
    bots = [subprocess.Popen(command) for _ in range(2)]  # noqa: ASYNC220 - before the measurement
    streams = [await listener.accept() for _ in bots]
    lines = [b"x" * (size - 1) + b"\n" for size in settings["lines"]]
    pids = [os.getpid(), *(bot.pid for bot in bots)]
    decisions, start = 0, time.monotonic()
    before = [read_cpu_seconds(pid) for pid in pids]
    while time.monotonic() - start < settings["seconds"]:
        for line in lines:
            stream = streams[decisions % 2]
            await stream.send_all(line)
            while not (await stream.receive_some(65536)).endswith(b"\n"):
                pass
            decisions += 1
    elapsed = time.monotonic() - start
    after = [read_cpu_seconds(pid) for pid in pids]
    for stream in streams:
        await stream.aclose()
    for bot in bots:
        bot.wait()
    own, *of_bots = (end - begin for begin, end in zip(before, after, strict=True))
    sys.stdout.write(json.dumps([decisions, elapsed, own, sum(of_bots)]))


async def answer_lines(port: int, size: int) -> None:
    """Answer every line with a line of `size` bytes, until the referee hangs up."""
    answer = b"x" * (size - 1) + b"\n"
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        async for data in stream:
            if data.endswith(b"\n"):
                await stream.send_all(answer)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        trio.run(answer_lines, int(sys.argv[1]), int(sys.argv[2]))
    else:
        trio.run(referee, json.loads(sys.argv[1]))
