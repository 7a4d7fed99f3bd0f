"""`tabnet serve` with a port for draughts in text lines, and clients in processes of their own."""

from __future__ import annotations

import socket
from contextlib import contextmanager

import pytest

from tabnet.cli import make_parser
from tabnet.cli.options.dialect_options import list_dialect_ports
from tests.cli.processes import openssl, serving, tabnet
from tests.polling import TIMEOUT_S

DRAUGHTS = ("--draughts-port", "0")


MOVES = ["c3 d4", "b6 a5", "g3 h4", "f6 g5", "h4 f6"]
DOUBLE_JUMP = "g7 e5 c3"
AFTER_JUMP = "0b0b0b0bb0b0b000000b000bb000000000000000w0b0w0000w0w0w0ww0w0w0w0"


def ask(window, request):
    """Send a request in a window of openssl; return the response."""
    window.stdin.write(f"{request}\n")
    return window.stdout.readline().rstrip("\n")


def values(response):
    return dict(word.split("=") for word in response.split(" ")[1:])


@contextmanager
def two_windows(server, folder):
    """Two windows of openssl, connected to the port."""
    address, ca = server.addresses["draughts"], folder / "cert.pem"
    with openssl(address, ca) as first, openssl(address, ca) as second:
        yield first, second


def enter_room(first, second):
    """Open a room; return the windows of White and Black, and the ids for each to join again."""
    ids = values(ask(first, "CREATE"))
    own, enemy = (f"{ids['ROOM_ID']} {ids[name]}" for name in ("PLAYER_COLOR_ID", "ENEMY_COLOR_ID"))
    joined = ask(second, f"JOIN {enemy}")
    if joined == "ROOM_JOINED COLOR=WHITE":
        return (second, first), (enemy, own)
    assert joined == "ROOM_JOINED COLOR=BLACK"
    return (first, second), (own, enemy)


def play(players, moves):
    """Play moves in turn, White first."""
    for number, move in enumerate(moves):
        assert ask(players[number % 2], f"MOVE {move}") == "MOVE_OK"


def test_two_windows_of_openssl_play_a_double_jump_and_agree_on_a_draw(tmp_path):
    with (
        serving(tmp_path, *DRAUGHTS, "--draughts-clock", "90") as server,
        two_windows(server, tmp_path) as windows,
    ):
        (white, black), _ = enter_room(*windows)
        play((white, black), MOVES)
        assert ask(black, "MOVE g7 e5").startswith("MOVE_FAIL - the capture must go on from e5")
        assert ask(black, f"MOVE {DOUBLE_JUMP}") == "MOVE_OK"
        state = values(ask(white, "GET_STATE"))
        assert (state["STATE"], state["BOARD"]) == ("PLAYING", AFTER_JUMP)
        assert 0 < int(state["WHITE_TIME"]) <= 90_000
        assert ask(white, "REQUEST_A_DRAW") == ask(black, "REQUEST_A_DRAW") == "DRAW_OK"
        assert values(ask(white, "GET_STATE"))["STATE"] == "DRAW"


def test_both_players_go_on_after_the_server_is_killed(tmp_path):
    with serving(tmp_path, *DRAUGHTS) as server, two_windows(server, tmp_path) as windows:
        players, ids = enter_room(*windows)
        play(players, MOVES)
        assert ask(players[0], "REQUEST_A_DRAW") == "DRAW_OK"
        server.process.kill()
        server.process.wait()
    with serving(tmp_path, *DRAUGHTS) as server, two_windows(server, tmp_path) as (white, black):
        assert ask(white, f"JOIN {ids[0]}") == "ROOM_JOINED COLOR=WHITE"
        assert ask(black, f"JOIN {ids[1]}") == "ROOM_JOINED COLOR=BLACK"
        assert values(ask(white, "GET_STATE"))["WHITE_WANTS_DRAW"] == "TRUE"
        assert ask(black, f"MOVE {DOUBLE_JUMP}") == "MOVE_OK"
        assert values(ask(white, "GET_STATE"))["BOARD"] == AFTER_JUMP


def plain_request(server, data):
    """Send data without TLS; return the first bytes of the response, none if it is refused."""
    host, _, port = server.addresses["draughts"].rpartition(":")
    with socket.create_connection((host, int(port)), TIMEOUT_S) as connection:
        connection.sendall(data)
        try:
            return connection.recv(1024)
        except ConnectionResetError:
            return b""


def test_the_port_is_never_plain_without_an_option(tmp_path):
    with serving(tmp_path, *DRAUGHTS) as server:
        assert not plain_request(server, b"CREATE\n").startswith(b"ROOM_CREATED")


def test_an_option_lets_plain_clients_of_this_machine_into_the_same_rooms(tmp_path):
    with serving(tmp_path, *DRAUGHTS, "--allow-plain") as server:
        assert plain_request(server, b"CREATE\n").startswith(b"ROOM_CREATED ROOM_ID=")
        with openssl(server.addresses["draughts"], tmp_path / "cert.pem") as window:
            ids = values(ask(window, "CREATE"))
            own = f"JOIN {ids['ROOM_ID']} {ids['PLAYER_COLOR_ID']}\n".encode()
            assert plain_request(server, own).startswith(b"ROOM_NOT_FOUND")
            other = f"JOIN {ids['ROOM_ID']} {ids['ENEMY_COLOR_ID']}\n".encode()
            assert plain_request(server, other).startswith(b"ROOM_JOINED COLOR=")


def test_all_dialects_open_the_ports_of_their_documents():
    ports = list_dialect_ports(make_parser().parse_args(["serve", "--all-dialects"]))
    assert ("draughts", 44322, True) in [(each.name, each.number, each.is_tls) for each in ports]
    assert list_dialect_ports(make_parser().parse_args(["serve"])) == []


@pytest.mark.parametrize("clock", ["0", "-1", "nan", "inf", "86401", "long"])
def test_a_clock_is_a_number_of_seconds(tmp_path, clock):
    ended = tabnet("serve", "--data", tmp_path, "--draughts-clock", clock)
    assert ended.returncode == 2
    assert "--draughts-clock" in ended.stderr
