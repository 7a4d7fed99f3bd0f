"""Playing against the house's bots: on a server, through crashes and restarts, and without one."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabnet.cli import make_parser
from tabnet.cli.options.serve_options import list_house_bot_names
from tabnet.client.blocking import connect
from tabnet.errors import Refused
from tabnet.protocol.messages import Ping
from tests.cli.plain_bot import play
from tests.cli.processes import TABNET, call_main, serving
from tests.polling import TIMEOUT_S, until

TERMS = {"group": 1, "size": 7}


def bots_of(server):
    """The process ids of a server's bots, each of which has a guard between it and the server."""
    parents, bots = {}, []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            program, *arguments = (folder / "cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError):
            continue  # it has ended meanwhile
        parents[int(folder.name)] = parent
        is_python = Path(os.fsdecode(program)).parent == Path(sys.executable).parent
        if is_python and arguments[:2] == [b"-P", b"-c"] and b"tabnet.client.bot" in arguments[2]:
            bots.append(int(folder.name))
    return [pid for pid in bots if is_descendant(pid, server.process.pid, parents)]


def is_descendant(pid, ancestor, parents):
    while pid in parents and pid != ancestor:
        pid = parents[pid]
    return pid == ancestor


def are_gone(pids):
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def start_game(client):
    """A game of zp against greedy in which both have moved."""
    client.register("zp", "secret")
    game = client.join(**TERMS, opponent="greedy").game
    play_on(client, game, random.Random(1), most=2)
    return game


def finish_game(server, game):
    """Play it to its end on another connection; its last update."""
    with connect(f"tcp://{server.tcp}") as client:
        client.register("zp", "secret")
        client.follow(game)
        return play_on(client, game, random.Random(2))


def play_on(client, game, rng, most=None):
    """Let zp play at random for so many moves, or until the game is over; the last update."""
    played = 0
    for update in client.updates(game):
        if update.over:
            return update.position
        if update.turn == "zp" and update.expects == "notify":
            if played == most:
                break
            client.notify(game, **rng.choice(client.moves(game).moves))
            played += 1
        elif update.turn == "zp":
            {"roll": client.roll, "pass": client.pass_turn}[update.expects](game)
    return update.position


@pytest.mark.parametrize(
    ("opponent", "terms"),
    [("random", TERMS), ("greedy", TERMS), ("expectimax", {"kind": "draughts"})],
)
def test_every_house_bot_plays_a_whole_game(tmp_path, opponent, terms):
    with serving(tmp_path) as server:
        assert bots_of(server) == []
        for number in range(2):
            with socket.create_connection(("127.0.0.1", server.tcp_port)) as connection:
                last = play(connection, random.Random(number), **terms, opponent=opponent)
            assert list(last["players"])[1].startswith(f"house-{opponent}.")
            assert last["result"]["reason"] in REASONS


REASONS = {"all_captured", "no_pieces", "no_moves", "repetition", "forty_moves"}


def test_a_house_bot_with_its_maximum_of_games_is_busy(tmp_path):
    with (
        serving(tmp_path, "--house", "greedy,first", "--house-games", "1") as server,
        connect(f"tcp://{server.tcp}") as client,
    ):
        game = client.join(**TERMS, opponent="greedy").game
        with pytest.raises(Refused) as refused:
            client.join(**TERMS, opponent="greedy")
        assert (refused.value.code, refused.value.hint) == ("busy", "one of: first")
        client.ask(Ping())  # the connection is still there
        client.leave(game)
        assert client.join(**TERMS, opponent="greedy").game != game


def test_a_custom_bot_is_offered_with_its_option(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(OWN)
    with (
        serving(tmp_path, "--house", f"{mine}:3", "--house", "first") as server,
        connect(f"tcp://{server.tcp}") as client,
    ):
        client.register("zp", "secret")
        game = client.join(**TERMS, opponent="mine:3").game
        last = play_on(client, game, random.Random(1))
        assert last["result"]["reason"] == "all_captured"


OWN = """
class Mine:
    def __init__(self, number=1):
        self.number = number
    def choose(self, state, moves, left):
        assert self.number == 3
        return moves[0]
"""


def test_a_new_bot_process_continues_the_game_of_a_killed_one(tmp_path):
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as before:
        game = start_game(before)
        first = until(lambda: len(bots_of(server)) == 2 and bots_of(server))
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        last = finish_game(server, game)
        assert last["result"]["reason"] == "all_captured"
        assert are_gone(first)
    message = (tmp_path / "stderr").read_text()
    assert re.search(r"house bot nick=house-greedy\.1 ending=.?killed by SIGKILL", message)


def test_games_continue_after_a_killed_server_and_no_process_remains(tmp_path):
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as client:
        game = start_game(client)
        bots = until(lambda: len(bots_of(server)) == 2 and bots_of(server))
        server.process.kill()
        until(lambda: are_gone(bots))
    with serving(tmp_path) as server:
        last = finish_game(server, game)
        assert list(last["players"]) == ["zp", "house-greedy.1"]
        assert last["result"]["reason"] == "all_captured"


def test_no_bot_process_remains_after_a_signal(tmp_path):
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as client:
        start_game(client)
        bots = until(lambda: len(bots_of(server)) == 2 and bots_of(server))
        server.process.terminate()
        assert server.process.wait(TIMEOUT_S) == 0
        assert are_gone(bots)
    assert "house bot" not in (tmp_path / "stderr").read_text()


def test_none_disables_house_bots(tmp_path):
    with serving(tmp_path, "--house", "none") as server, connect(f"tcp://{server.tcp}") as client:
        with pytest.raises(Refused) as refused:
            client.join(**TERMS, opponent="greedy")
        assert refused.value.code == "unknown_opponent"


@pytest.mark.parametrize(
    ("house", "message"),
    [
        ("deep", "there is no bot 'deep'"),
        ("./nothing.py:3", "there is no file ./nothing.py"),
        ("remote:zp", "remote:zp cannot be of the house"),
    ],
)
def test_an_unknown_bot_is_reported_at_the_start(tmp_path, house, message):
    refused = call_main("serve", "--data", tmp_path, "--house", house)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"tabnet: {message}")


@pytest.mark.parametrize(
    ("options", "bots"),
    [
        ([], ["random", "greedy", "expectimax"]),
        (["--house", "none"], []),
        (
            ["--house", "random,expectimax:2,./mine.py:3", "--house", "first"],
            ["random", "expectimax:2", "./mine.py:3", "first"],
        ),
        (
            ["--house", "mine.py:depth=2,width=3,greedy,a.py:x=1"],
            ["mine.py:depth=2,width=3", "greedy", "a.py:x=1"],
        ),
    ],
)
def test_commas_separate_bots_and_the_options_of_one(options, bots):
    assert list_house_bot_names(make_parser().parse_args(["serve", *options])) == bots


def test_a_local_game_against_a_bot_needs_no_server():
    with subprocess.Popen(
        [TABNET, "play", "--opponent", "greedy", "--size", "7", "--seat", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        for line in process.stdout:
            if "your turn: " in line:
                break
        start = time.monotonic()
        message, _ = process.communicate(timeout=TIMEOUT_S)
    assert "The game ends here." in message
    assert time.monotonic() - start < TIMEOUT_S
