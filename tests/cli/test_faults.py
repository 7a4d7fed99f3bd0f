"""Disks and data folders that fail: a clear sentence, a safe stop, nothing acknowledged lost."""

from __future__ import annotations

import os
import resource
import subprocess

import pytest

from tabnet.client.blocking import connect
from tabnet.errors import Disconnected, Refused
from tests.cli.processes import TABNET, open_database, serving, tabnet
from tests.polling import TIMEOUT_S

SERVE = ("serve", "--tls-port", "0", "--tcp-port", "0", "--no-http", "--data")
ROOM = 2_000_000
"""How large a file may become on the disk that is soon full."""


def test_a_full_disk_stops_the_server_and_loses_nothing_acknowledged(tmp_path):
    command = [TABNET, *SERVE, tmp_path]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        address = [process.stdout.readline().split()[2] for _ in range(2)][-1]
        # No file of the process may be larger: writing beyond that fails, as on a full disk.
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (ROOM, ROOM))
        try:
            played = until_it_ends(f"tcp://{address}")
            _, message = process.communicate(timeout=TIMEOUT_S)
        finally:
            process.kill()
    assert process.returncode == 1
    assert message.splitlines()[-1].startswith(
        f"tabnet: {tmp_path / 'tabnet.db'} cannot be written: "
    )
    assert "Traceback" not in message
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as client:
        client.follow(played[0].game, since=0)
        kept = client.updates(played[0].game)
        assert [next(kept) for _ in played] == played


def until_it_ends(address):
    """Play one game of Tab after the other until the server stops; the updates of the last one."""
    with connect(address, retry_for=0) as blue, connect(address, retry_for=0) as red:
        blue.register("zp", "secret")
        red.register("jpleal", "secret")
        came = []
        while not came or came[-1].over:
            came = []
            try:
                invite = blue.join(group=1, size=15, private=True).invite
                play(red.join(invite=invite).game, {"zp": blue, "jpleal": red}, came)
            except Disconnected:
                return came
    return came


def play(game, players, came):
    """Make the first move there is until the game is over; `came` gets its updates."""
    for update in players["zp"].updates(game):
        came.append(update)
        if update.over:
            return
        player = players[update.turn]
        if update.expects == "notify":
            player.notify(game, **player.moves(game).moves[0])
        else:
            {"roll": player.roll, "pass": player.pass_turn}[update.expects](game)


def refusal(*arguments, **options):
    """The one line that a command says instead of doing it."""
    refused = tabnet(*arguments, **options)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.startswith("tabnet: ")
    assert refused.stderr.count("\n") == 1
    return refused.stderr


def test_a_second_server_on_the_same_folder_is_refused(tmp_path):
    with serving(tmp_path) as server:
        assert "another server is using" in refusal(*SERVE, tmp_path)
        for path in tmp_path.iterdir():
            if path.name not in ("stderr", "tabnet.db", "tabnet.db-wal", "tabnet.db-shm"):
                path.unlink()
        assert "another server is using" in refusal(*SERVE, tmp_path)
        with connect(f"tcp://{server.tcp}") as client:
            client.register("zp", "secret")


def test_a_read_only_folder_is_reported(tmp_path):
    file = tmp_path / "file"
    file.touch()
    assert str(file) in refusal(*SERVE, file)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("garbage", "is no database"),
        ("newer", "was written by a newer tabnet"),
        ("holed", "is damaged"),
    ],
)
def test_an_unusable_database_is_not_changed(tmp_path, damage, sentence):
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as client:
        for number in range(40):
            client.join(kind="draughts", private=True, group=number + 1)
    path = tmp_path / "tabnet.db"
    with open_database(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    DAMAGES[damage](path)
    before = path.read_bytes()
    assert sentence in refusal(*SERVE, tmp_path)
    assert path.read_bytes() == before


def newer(path):
    with open_database(path) as database:
        database.execute("PRAGMA user_version = 1000")


def holed(path):
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(4096 * 3))


def garbage(path):
    path.write_bytes(b"no database at all" * 300)


DAMAGES = {"garbage": garbage, "newer": newer, "holed": holed}


def damaged(folder, statement):
    """Change the database of a server that was killed."""
    with open_database(folder / "tabnet.db") as database:
        assert database.execute(statement).rowcount


def log_of(folder, server):
    """The log of a server, written to its end."""
    server.process.terminate()
    server.process.wait(TIMEOUT_S)
    return (folder / "stderr").read_text()


def test_an_impossible_match_is_set_aside_and_others_go_on(tmp_path):
    with serving(tmp_path) as server:
        address = f"tcp://{server.tcp}"
        with connect(address) as client, connect(address) as other:
            victim, _ = client.join(group=1, size=7), other.join(group=1, size=7)
            client.roll(victim.game)
            sound, _ = client.join(kind="draughts"), other.join(kind="draughts")
    change = """UPDATE journal SET events = replace(events, '"roll",0,', '"roll",1,')"""
    damaged(tmp_path, f"{change} WHERE events LIKE '%roll%'")
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as client:
        with pytest.raises(Refused, match="is set aside") as refused:
            client.state(victim.game)
        assert refused.value.code == "set_aside"
        assert client.state(sound.game).status == "playing"
        lines = [line for line in log_of(tmp_path, server).splitlines() if "set aside" in line]
    assert len(lines) == 1
    assert victim.game in lines[0]


def test_only_the_damaged_finished_match_is_refused(tmp_path):
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as client:
        game = client.join(kind="draughts").game
        with connect(f"tcp://{server.tcp}") as other:
            other.join(kind="draughts")
        client.leave(game)
    damaged(tmp_path, "UPDATE matches SET history = replace(history, 'leave', 'start')")
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as client:
        with pytest.raises(Refused, match="is set aside"):
            client.state(game)
        assert client.join(kind="draughts").game
        assert "set aside" in log_of(tmp_path, server)


@pytest.mark.parametrize("is_idle", [True, False])
def test_a_server_stops_when_its_database_is_deleted(tmp_path, is_idle):
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}", retry_for=0) as client:
        for path in tmp_path.iterdir():
            if path.name != "stderr":
                path.unlink()
        if not is_idle:
            with pytest.raises(Disconnected):
                client.join(kind="draughts")
        assert server.process.wait(TIMEOUT_S) == 1
    message = (tmp_path / "stderr").read_text()
    sentence = f"tabnet: {tmp_path / 'tabnet.db'} was deleted or replaced while the server used it"
    assert message.splitlines()[-1].startswith(sentence)
    assert "Traceback" not in message
