"""`tabnet export`, `verify` and `replay`: matches of a real server, and files of them."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
from contextlib import contextmanager

import pytest

from tabnet.client.blocking import connect
from tabnet.protocol.codec import encode
from tests.cli.processes import call_main, serving, tabnet
from tests.cli.terminals import terminal
from tests.client.test_verify import written


@contextmanager
def played(folder, *, to_the_end=True, **terms):
    """A server, and a match on it that was played at random."""
    luck = random.Random(8)
    with serving(folder) as server, connect(f"tcp://{server.tcp}") as one:
        with connect(f"tcp://{server.tcp}") as two:
            seat = one.join(auto=True, **terms)
            two.join(auto=True, **terms)
            for update in one.updates(seat.game):
                if update.over or not to_the_end:
                    break
                player = one if update.turn == seat.nick else two
                if update.expects == "notify":
                    player.notify(seat.game, **luck.choice(player.moves(seat.game).moves))
        yield f"tcp://{server.tcp}", server.tcp_port, seat.game


def file_of(folder, name="agreed", change=lambda lines: lines):
    path = folder / "match.jsonl"
    path.write_bytes(b"".join(change([encode(update) for update in written(name)])))
    return path


def pushed(port, game):
    """The lines that a follower is sent, as they are."""
    with socket.create_connection(("127.0.0.1", port)) as follower, follower.makefile("rb") as come:
        come.readline()
        follower.sendall(json.dumps({"cmd": "update", "game": game, "since": 0}).encode() + b"\n")
        come.readline()
        lines = []
        while not lines or b'"winner":' not in lines[-1]:
            lines.append(come.readline())
        return lines


@pytest.mark.parametrize("terms", [{"group": 1, "size": 7}, {"kind": "draughts"}])
def test_a_match_of_a_server_is_exported_verified_and_replayed(tmp_path, terms):
    with played(tmp_path, **terms) as (address, port, game):
        exported = tabnet("export", game, "--server", address, cwd=tmp_path)
        lines = pushed(port, game)
        told = f"{len(lines)} updates written to {game}.jsonl\n"
        assert (exported.returncode, exported.stdout, exported.stderr) == (0, "", told)
        path = tmp_path / f"{game}.jsonl"
        assert path.read_bytes() == b"".join(lines)
        piped = tabnet("export", game, "--server", address, "--out", "-")
        assert piped.stdout.encode() == path.read_bytes()
        assert piped.stderr == f"{len(lines)} updates written to standard output\n"
        of_server = call_main("verify", game, "--server", address)
        live = call_main("replay", game, "--server", address)
    verified = call_main("verify", path)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert verified.stdout == of_server.stdout
    message = verified.stdout.splitlines()
    assert message[0].startswith(f"Verified: {game}, ")
    assert message[1].startswith(f"{len(lines)} updates: none is missing")
    throws = sum(b'"type":"roll"' in line for line in lines)
    if throws:
        assert message[2].startswith(f"{throws} throws: ")
        assert message[3].startswith("No player salted the dice: ")
    assert len(message) == (5 if throws else 3)
    replayed = call_main("replay", path)
    assert (replayed.returncode, replayed.stdout) == (0, live.stdout)
    assert replayed.stdout.splitlines()[-1] == message[-1]
    assert "\x1b" not in replayed.stdout


def test_a_running_match_is_exported_but_not_verified(tmp_path):
    with played(tmp_path, to_the_end=False, kind="draughts") as (address, _, game):
        exported = tabnet("export", game, "--server", address, cwd=tmp_path)
        verified = call_main("verify", game, "--server", address)
        with connect(address) as waiting:
            table = waiting.join(group=3, size=7).game
            waits = call_main("verify", table, "--server", address)
        unknown = call_main("verify", "nothing", "--server", address)
    assert exported.stderr == (f"1 updates written to {game}.jsonl so far: the match is not over\n")
    assert (verified.returncode, verified.stdout) == (1, "")
    assert verified.stderr.startswith(
        "tabnet: update 1: the match is not over; it can be verified "
    )
    assert waits.stderr == f"tabnet: {table} has not begun: an opponent is still missing\n"
    assert unknown.stderr == "tabnet: Invalid game reference\n"


def test_an_existing_file_is_not_overwritten(tmp_path):
    path = file_of(tmp_path)
    before = path.read_bytes()
    for out, message in (
        (path, f"{path} exists already (--out for another name)"),
        (tmp_path / "none" / "x", f"cannot write {tmp_path}/none/x: No such file or directory"),
    ):
        refused = call_main("export", path, "--out", out)
        assert (refused.returncode, refused.stderr) == (1, f"tabnet: {message}\n")
    assert path.read_bytes() == before


def test_verify_names_the_players_with_salts(tmp_path):
    message = call_main("verify", file_of(tmp_path, "salted")).stdout.splitlines()
    assert message[3].startswith("Salted by ann and bob after the commitment: ")


def test_verify_reports_the_first_error(tmp_path):
    def change(lines):
        at = next(n for n, line in enumerate(lines) if b'"stickValues":[true' in line)
        lines[at] = lines[at].replace(b'"stickValues":[true', b'"stickValues":[false')
        return lines

    told = call_main("verify", file_of(tmp_path, "salted", change))
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr.endswith(": dice.stickValues[0] is 'false', and should be 'true'\n")
    assert told.stderr.startswith("tabnet: update ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read {path}: No such file or directory"),
        (b"", "{path} holds no updates"),
        (b"{}\n", "{path}, line 1: this is no frame of the protocol: 'type'"),
        (b"hello\n", "{path}, line 1: this is not JSON: "),
        (b'{"type":"update","type":"hello"}\n', "{path}, line 1: type is given twice"),
        (b'{"type":"bye","reason":"x","code":"y"}', "{path}, line 1: this frame is not an upd"),
    ],
)
@pytest.mark.parametrize("command", ["verify", "replay", "export"])
def test_an_invalid_match_file_is_reported_in_one_sentence(tmp_path, command, content, message):
    path = tmp_path / "match.jsonl"
    if content is not None:
        path.write_bytes(content)
    ended = call_main(command, path)
    assert ended.returncode == 1
    assert ended.stderr.startswith("tabnet: " + message.format(path=path))
    assert ended.stderr.count("\n") == 1


def test_a_file_may_have_any_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file_of(tmp_path).rename(tmp_path / "final")
    assert call_main("verify", "final").returncode == 0
    assert call_main("verify", tmp_path / "none").stderr.startswith("tabnet: cannot read ")


# -- on the screen


def test_a_replay_is_stepped_through_on_the_screen(tmp_path):
    with terminal("replay", file_of(tmp_path)) as screen:
        before = screen.modes()
        screen.until("1 of 51 >")
        screen.type("\r")
        screen.until("Blue sent a salt for the dice")
        assert "2 of 51 >" in screen.text
        screen.type("\x1b[D")
        screen.until("1 of 51 >")
        screen.type("51")
        screen.until("1 of 51 > 51")
        screen.type("\n")
        screen.until("The game is a draw: the players agreed.")
        screen.resize(70, 24)
        screen.until(lambda text: max(map(len, text.split("\n"))) <= 70 and "51 of 51 >" in text)
        screen.type("\x0cb")
        screen.until("50 of 51 >")
        screen.type("q")
        assert screen.end() == 0
        assert "Blue ann" in screen.text  # the position stays
        assert "50 of 51" not in screen.text
        assert screen.modes() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_replay_and_restores_the_terminal(tmp_path, number):
    with terminal("replay", file_of(tmp_path)) as screen:
        before = screen.modes()
        screen.until("1 of 51 >")
        screen.process.send_signal(number)
        assert screen.end() == 128 + number
        assert screen.modes() == before


def test_a_replay_can_be_suspended(tmp_path):
    with terminal("replay", file_of(tmp_path)) as screen:
        before = screen.modes()
        screen.until("1 of 51 >")
        during = screen.modes()
        screen.type("\x1a")
        os.waitpid(screen.process.pid, os.WUNTRACED)
        assert screen.modes() == before
        screen.process.send_signal(signal.SIGCONT)
        screen.type("n")
        screen.until("2 of 51 >")
        assert screen.modes() == during
        screen.type("q")
        assert screen.end() == 0


def test_a_replay_without_colour_is_plain(tmp_path):
    with terminal("replay", file_of(tmp_path), NO_COLOR="1") as screen:
        screen.until("The game is a draw: the players agreed.")
        assert screen.end() == 0
        assert "\x1b" not in screen.raw


def test_a_match_of_a_data_folder_equals_the_match_of_the_server(tmp_path):
    data = ["--data", tmp_path]
    with played(tmp_path, kind="draughts") as (_, port, game):
        told = pushed(port, game)
        running = tabnet("export", game, *data, "--out", "-").stdout
    assert running.encode() == b"".join(told)
    assert tabnet("export", game, *data, "--out", "-").stdout == running
    assert tabnet("verify", game, *data).returncode == 0
    unknown = tabnet("verify", "nothing", *data)
    assert unknown.stderr == f"tabnet: there is no match nothing in {tmp_path}\n"
