"""Texts of servers, players and files reach no terminal as escapes or as lines of their own."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from contextlib import contextmanager, suppress

import pytest

from tabnet.client.safe_text import clean_line, clean_lines
from tabnet.protocol.codec import encode
from tests.cli.processes import tabnet
from tests.client.test_verify import written

NASTY = "zp\x1b[2J\x1b]0;title\x07\x9b31m\u202e\r\nforged: line\tend"
GAME = "game\x1b[2J"
ABOVE = "../../game"


def is_safe(text):
    """Return whether an output has no terminal escapes and no forged line."""
    lines = text.split("\n")
    return all(line.isprintable() and not line.startswith("forged") for line in lines)


def test_a_clean_text_is_one_printable_line():
    assert clean_line("Zé 東京 ♞") == "Zé 東京 ♞"
    assert clean_line("a\tb\nc\r") == "a b c "
    assert clean_line("\x1b[2Jzp\u202e\x7f\x9b") == "?[2Jzp???"
    assert clean_lines(["a\nb", "c"]) == "a b\nc"


def frames(game=None):
    """The updates of a match in which a nick is nasty, and perhaps the id of the game."""
    lines = b"".join(map(encode, written("agreed"))).decode()
    if game is not None:
        lines = lines.replace(json.dumps(written("agreed")[0].game), json.dumps(game))
    return [json.loads(line) for line in lines.replace('"ann"', json.dumps(NASTY)).splitlines()]


def answers(command):
    """Yield what the hostile server sends after a command."""
    cmd, updates = command["cmd"], frames(GAME)
    reply = {"type": "reply", "cmd": cmd} | ({"id": command["id"]} if "id" in command else {})
    if cmd == "games":
        running = {"game": GAME, "kind": NASTY, "options": {}, "players": {NASTY: NASTY}}
        waiting = {"kind": NASTY, "options": {NASTY: 1}, "clock": {NASTY: 1.0}, "players": 1}
        running |= {"turn": None, "seq": 1}
        yield reply | {"games": [running], "waiting": [waiting | {"strict": False}]}
    elif cmd == "ranking":
        yield reply | {"ranking": [{"nick": NASTY, "victories": 1, "games": 1}]}
    elif cmd == "state":
        yield reply | {"game": GAME, "status": "ended", "update": updates[-1], "clock": {}}
    elif cmd == "update":
        yield reply
        yield {"type": "notice", "text": NASTY, "code": NASTY}
        yield from updates
    else:
        yield reply | {"error": NASTY, "code": "bad_value", "field": NASTY, "hint": NASTY}


@contextmanager
def hostile():
    """The address of a server that sends nasty texts."""

    def serve():
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            # A client may close its connection before it has read everything.
            with (
                suppress(ConnectionError),
                connection,
                connection.makefile(encoding="utf-8") as lines,
            ):
                hello = {"type": "hello", "server": NASTY, "protocol": 1, "games": ["tab"]}
                connection.sendall(json.dumps(hello).encode() + b"\n")
                for line in lines:
                    sent = [json.dumps(frame) + "\n" for frame in answers(json.loads(line))]
                    connection.sendall("".join(sent).encode())

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (["watch"], "game?[2J"),
        (["watch", GAME], "zp?[2J"),
        (["ranking"], "zp?[2J"),
        (["play", "--nick", "zp", "--password", "x"], "zp?[2J"),
        (["bot", "greedy"], "zp?[2J"),
        (["export", GAME], ""),
        (["verify", GAME], "dice_commit"),
        (["replay", GAME], "zp?[2J"),
    ],
    ids=lambda part: part[0] if isinstance(part, list) else "",
)
def test_texts_of_a_server_are_printed_without_escapes(tmp_path, command, shown):
    with hostile() as address:
        ended = tabnet(
            *command, "--server", address, "--retry-for", 0, cwd=tmp_path, stdin=subprocess.DEVNULL
        )
    printed = ended.stdout + ended.stderr
    assert "Traceback" not in printed
    assert shown in printed
    assert is_safe(printed)


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_texts_of_a_file_are_printed_without_escapes(tmp_path, command):
    path = tmp_path / "match.jsonl"
    path.write_text("".join(json.dumps(frame) + "\n" for frame in frames()))
    ended = tabnet(command, path)
    assert ended.returncode == 0
    assert "zp?[2J" in ended.stdout
    assert is_safe(ended.stdout)


@pytest.mark.parametrize("game", [ABOVE, GAME, "/tmp/game", ".", "", "-", "a\0", "\ud800"])
def test_the_id_of_a_game_does_not_choose_where_an_export_is_written(tmp_path, game):
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    (tmp_path / "match.jsonl").write_text("\n".join(map(json.dumps, frames(game))))
    ended = tabnet("export", tmp_path / "match.jsonl", cwd=inside)
    assert is_safe(ended.stderr)
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.parent != tmp_path]
    if ended.returncode:  # the file is refused
        assert (game, files) == ("\ud800", [])
        return
    assert [path.parent for path in files] == [inside]
    assert files[0].name.startswith("game-")
    assert files[0].name in ended.stderr
