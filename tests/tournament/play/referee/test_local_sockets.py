"""Local sockets: every process has one beside its port, and the loop of bot files prefers it."""

from __future__ import annotations

import sys
import tempfile

from tabnet.server.net.accepted_sockets import LONGEST_PATH
from tests.tournament.run_games import nobody_left, play

WITHOUT_A_PORT = """
import os
assert os.path.exists(os.environ["TABNET_SOCKET"])
os.environ["TABNET_PORT"] = "1"  # nobody listens there
def choose(state, moves, left):
    return moves[0]
"""
WITHOUT_A_SOCKET = """
import os
assert "TABNET_SOCKET" not in os.environ
def choose(state, moves, left):
    return moves[0]
"""
PROGRAM = """
import json, os, socket, sys
if sys.argv[1] == "local":
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.environ["TABNET_SOCKET"])
else:
    connection = socket.create_connection((os.environ["TABNET_HOST"], os.environ["TABNET_PORT"]))
def send(**command):
    connection.sendall(json.dumps(command).encode() + b"\\n")
send(cmd="register", nick=os.environ["TABNET_NICK"], password=os.environ["TABNET_PASSWORD"])
join = json.loads(os.environ["TABNET_JOIN"]) | {"feed": "turns"}
send(**join)
for frame in map(json.loads, connection.makefile()):
    if frame["type"] == "turn":
        send(**frame["moves"][0])
    elif "winner" in frame:
        send(**join)
"""


def list_causes(runner):
    return [result.cause for result in runner.queue.results.values()]


async def test_a_bot_file_plays_on_the_local_socket(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(WITHOUT_A_PORT)
    with nobody_left(monkeypatch):
        runner = await play(tmp_path / "it", [str(tmp_path / "mine.py"), "first"])
    assert list_causes(runner) == ["normal"] * 2


async def test_a_program_plays_on_either(tmp_path, monkeypatch):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    sources = [f"cmd:{sys.executable} {path} {way}" for way in ("local", "tcp")]
    with nobody_left(monkeypatch):
        runner = await play(tmp_path / "it", sources)
    assert list_causes(runner) == ["normal"] * 2


async def test_bots_use_the_port_if_the_path_of_a_socket_is_too_long(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(WITHOUT_A_SOCKET)
    folder = tmp_path / ("x" * LONGEST_PATH)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with nobody_left(monkeypatch):
        runner = await play(tmp_path / "it", [str(tmp_path / "mine.py"), "first"])
    assert list_causes(runner) == ["normal"] * 2
