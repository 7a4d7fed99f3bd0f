"""The loop of a bot in a process of its own, as a tournament and as people start it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tabnet.cli.bot import name_opponent
from tabnet.client.blocking import connect
from tabnet.protocol.messages import Games
from tests.cli.processes import serving, tabnet
from tests.polling import TIMEOUT_S

FIRST = "def choose(state, moves, left): return moves[0]\n"
RUN = "import tabnet\nif __name__ == '__main__': tabnet.run_bot(__file__)\n"


@pytest.fixture
def server(tmp_path):
    """A server for one test."""
    with serving(tmp_path) as process:
        yield process


def arranged(server, nick, games=1, **terms):
    """Return the environment that a tournament sets for a bot."""
    join = {"cmd": "join", "group": 1, "size": 7, "auto": True, **terms}
    return {
        **os.environ,
        "TABNET_HOST": "127.0.0.1",
        "TABNET_PORT": str(server.tcp_port),
        "TABNET_NICK": nick,
        "TABNET_PASSWORD": nick,
        "TABNET_JOIN": json.dumps(join),
        "TABNET_GAMES": str(games),
    }


def start(source, environ):
    return subprocess.Popen(
        [sys.executable, "-m", "tabnet.client.bot", source],
        env=environ,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process):
    """Exit code and what was said on standard error."""
    message = process.communicate(timeout=TIMEOUT_S)[1]
    return process.returncode, message


@pytest.mark.parametrize("auto", [True, False])
def test_two_bots_play_with_the_settings_of_the_environment(server, auto):
    bots = [start(name, arranged(server, name, 3, auto=auto)) for name in ("greedy", "random")]
    assert [end(bot) for bot in bots] == [(0, ""), (0, "")]
    with connect(f"tcp://{server.tcp}") as client:
        scores = client.ranking(group=1, size=7)
    assert {score.nick: score.games for score in scores} == {"greedy": 3, "random": 3}


def test_two_bots_play_draughts(server):
    join = {"TABNET_JOIN": '{"cmd":"join","kind":"draughts"}'}
    bots = [start(name, arranged(server, name, 3) | join) for name in ("greedy", "random")]
    assert [end(bot) for bot in bots] == [(0, ""), (0, "")]
    with connect(f"tcp://{server.tcp}") as client:
        scores = client.ranking(kind="draughts")
    assert {score.nick: score.games for score in scores} == {"greedy": 3, "random": 3}
    assert scores[0].nick == "greedy"


def against_first(server, tmp_path, text, games=1, **terms):
    """How a bot file ends that plays against the house's first."""
    path = tmp_path / "mine.py"
    path.write_text(text)
    other = start("first", arranged(server, "first", games, **terms))
    try:
        return end(start(str(path), arranged(server, "mine", games, **terms)))
    finally:
        other.kill()
        other.communicate()


def test_a_bot_that_raises_ends_with_the_line_of_its_own_file(server, tmp_path):
    text = "def choose(state, moves, left):\n    raise ValueError('no idea')\n"
    code, message = against_first(server, tmp_path, text)
    place = f"{tmp_path / 'mine.py'}:2"
    assert code == 1
    assert message == f"tabnet: {place}: raise ValueError('no idea'): ValueError: no idea\n"


def test_an_error_inside_tabnet_is_reported_at_the_line_that_called_it(server, tmp_path):
    text = (
        "def choose(state, moves, left):\n    return helper(state)\n"
        "def helper(state):\n    state.apply(None)\n"
    )
    code, message = against_first(server, tmp_path, text)
    first, second, last = message.splitlines()
    assert code == 1
    assert first == f"{tmp_path / 'mine.py'}:2: return helper(state)"
    assert re.search(r"tabnet/games/tab/state.py:\d+: raise ", second)
    assert last.startswith(f"tabnet: {tmp_path / 'mine.py'}:4: state.apply(None): IllegalMove: ")


def test_an_endless_recursion_lists_few_calls(server, tmp_path):
    text = "def choose(state, moves, left):\n    return choose(state, moves, left)\n"
    code, message = against_first(server, tmp_path, text)
    lines = message.splitlines()
    assert code == 1
    assert len(lines) == 17
    assert "more calls)" in lines[5]
    assert "RecursionError: maximum recursion depth exceeded" in lines[-1]


def test_an_exception_in_new_game_names_its_line(server, tmp_path):
    text = f"def new_game(rng):\n    rng.x()\n{FIRST}"
    code, message = against_first(server, tmp_path, text)
    assert code == 1
    assert message.startswith(f"tabnet: {tmp_path / 'mine.py'}:2: rng.x(): AttributeError: ")


def test_a_bot_that_returns_no_move_gets_an_explanation(server, tmp_path):
    text = "def choose(state, moves, left):\n    return 'e4'\n"
    code, message = against_first(server, tmp_path, text)
    assert code == 1
    assert message == ("tabnet: mine: choose() returned ''e4'' (it must return one of `moves`)\n")


ILLEGAL = (
    "def choose(state, moves, left):\n    return type(moves[0])(moves[0].cell, moves[0].cell)\n"
)


def test_an_illegal_move_is_sent_and_refused(server, tmp_path):
    code, message = against_first(server, tmp_path, ILLEGAL)
    assert code == 1
    assert message == "tabnet: notify was refused: Invalid move: must play the dice's value\n"


def test_an_illegal_move_loses_a_strict_game(server, tmp_path):
    code, message = against_first(server, tmp_path, ILLEGAL, games=2, strict=True)
    assert code == 0
    assert message == "notify was refused: Invalid move: must play the dice's value\n" * 2
    with connect(f"tcp://{server.tcp}") as client:
        best = client.ranking(group=1, size=7)[0]
    assert (best.nick, best.victories) == ("first", 2)


def test_the_seed_of_a_bot_consists_of_game_id_and_seat(server, tmp_path):
    text = (
        "class Seeded:\n"
        "    def new_game(self, rng): raise SystemExit(repr(rng.random()))\n"
        "    def choose(self, state, moves, left): ...\n"
    )
    code, message = against_first(server, tmp_path, text)
    with connect(f"tcp://{server.tcp}") as client:
        (game,) = client.ask(Games()).games
    seat = list(game.players).index("mine")
    assert (code, float(message)) == (1, Random(f"{game.game} {seat}").random())


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"TABNET_PORT": ""}, "TABNET_PORT is missing from the environment (or use `tabnet bot`)"),
        ({"TABNET_PORT": "x"}, "TABNET_PORT is a number, not x"),
        ({"TABNET_JOIN": ""}, "TABNET_JOIN is missing from the environment (or use `tabnet bot`)"),
        ({"TABNET_JOIN": "join"}, "TABNET_JOIN is a JSON object, not 'join'"),
        ({"TABNET_JOIN": "[1]"}, "TABNET_JOIN is a JSON object, not '[1]'"),
        (
            {"TABNET_JOIN": '{"cmd":"join","size":8,"group":1}'},
            "join was refused: invalid size '8'",
        ),
    ],
)
def test_an_invalid_environment_variable_is_reported(server, changes, told):
    bot = start("first", {**arranged(server, "first"), **changes})
    assert end(bot) == (1, f"tabnet: {told}\n")


def test_a_bot_reports_an_unreachable_server(server):
    environ = arranged(server, "first")
    server.process.kill()
    server.process.wait(TIMEOUT_S)
    code, message = end(start("first", environ))
    assert code == 1
    assert "Connection refused" in message


def test_the_bot_command_plays_on_a_server(server, tmp_path):
    options = ["--server", f"tcp://{server.tcp}", "--size", "7", "--games", "2", "--clock", "60"]
    other = subprocess.Popen(
        [sys.executable, "-m", "tabnet", "bot", "first", *options],
        stdout=subprocess.DEVNULL,
    )
    played = tabnet("bot", "greedy", *options, "--nick", "zp", "--password", "secret")
    assert (played.returncode, played.stderr) == (0, "")
    *lines, last = played.stdout.splitlines()
    pattern = r"(won|lost) against guest-\w+ \(all_captured\), game \w+"
    assert [bool(re.fullmatch(pattern, line)) for line in lines] == [True, True]
    won = sum(line.startswith("won") for line in lines)
    counts = f"{won} won, 0 drawn, {2 - won} lost of 2"
    assert re.fullmatch(rf"greedy against (guest-\w+|others): {counts}", last)
    assert other.wait(TIMEOUT_S) == 0


def test_a_bot_plays_a_match_against_a_named_opponent_without_a_server(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(f"print('loaded')\n{FIRST}")
    options = ["--opponent", "random", "--games", "2", "--size", "7"]
    played = tabnet("bot", str(path), *options)
    first, *games, last = played.stdout.splitlines()
    assert (played.returncode, played.stderr, first) == (0, "", "loaded")
    assert len(games) == 2
    assert all(re.match(r"(won|lost) against random \(all_captured\), game ", g) for g in games)
    assert re.fullmatch(r"mine against random: \d won, 0 drawn, \d lost of 2", last)


def test_a_bot_plays_against_a_house_bot_of_a_server_in_both_seats(tmp_path):
    with serving(tmp_path, "--house", "first") as server:
        options = ["--opponent", "first", "--games", "2", "--kind", "draughts"]
        played = tabnet("bot", "first", *options, "--server", f"tcp://{server.tcp}")
        *games, last = played.stdout.splitlines()
        results = [game.split()[0] for game in games]
        # The same two deterministic bots: the game repeats itself with the seats swapped.
        assert results in (["won", "lost"], ["lost", "won"], ["drawn", "drawn"])
    assert last.startswith("first against first: ")


def test_options_of_a_server_need_a_server():
    refused = tabnet("bot", "first", "--opponent", "random", "--nick", "zp")
    assert refused.returncode == 1
    assert refused.stderr == "tabnet: --nick is for a game on a server (--server)\n"
    assert "at least 1" in tabnet("bot", "first", "--games", "0").stderr


def test_a_house_bot_is_named_by_the_name_of_its_bot():
    assert name_opponent("house-expectimax:depth=2.11") == "expectimax:depth=2"
    assert name_opponent("zp.1") == "zp.1"


def test_a_bot_file_runs_as_a_program(server, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "class Mine:\n"
        "    def __init__(self, which=0): self.which = which\n"
        "    def choose(self, state, moves, left): return moves[self.which]\n" + RUN
    )
    options = ["--server", server.tls, "--fingerprint", server.fingerprint, "--size", "7"]
    bots = [
        subprocess.Popen(
            [sys.executable, path, *which, *options], stdout=subprocess.PIPE, text=True
        )
        for which in ([], ["which=-1"])
    ]
    message = [bot.communicate(timeout=TIMEOUT_S)[0].split() for bot in bots]
    assert {words[0] for words in message} == {"won", "lost"}


def test_a_bot_file_started_by_a_tournament_plays_in_it(server, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(FIRST + RUN)
    mine = subprocess.Popen([sys.executable, path], env=arranged(server, "mine"))
    assert end(start("random", arranged(server, "other"))) == (0, "")
    assert mine.wait(TIMEOUT_S) == 0


def test_an_early_disconnect_is_reported():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        bot = subprocess.Popen(
            [sys.executable, "-m", "tabnet", "bot", "first", "--server", server],
            stderr=subprocess.PIPE,
            text=True,
        )
        accepted, _ = listening.accept()
        with accepted, accepted.makefile("rwb", buffering=0) as talk:
            talk.write(b'{"type":"hello","games":["tab"]}\n')
            assert json.loads(talk.readline())["cmd"] == "join"
            talk.write(b'{"type":"bye","reason":"the server is stopping","code":"stopping"}\n')
    text = "the server closed the connection after 0 of 1 games: the server is stopping"
    assert end(bot) == (1, f"tabnet: {text}\n")


def test_the_bots_of_the_checkout_need_nothing_but_tabnet():
    for path in sorted((Path(__file__).parents[2] / "bots").glob("*.py")):
        imported = re.findall(r"^(?:from|import) ([^\s.]+)", path.read_text(), re.MULTILINE)
        assert set(imported) - set(sys.stdlib_module_names) == {"tabnet"}
