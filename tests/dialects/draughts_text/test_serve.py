"""`tabnet serve` with a port for draughts in text lines, and clients in processes of their own."""

from __future__ import annotations

import socket

import pytest

from tabnet.cli import parser
from tabnet.cli.dialect_options import dialect_ports
from tests.cli.processes import openssl, serving, tabnet
from tests.patience import PATIENCE_S

DRAUGHTS = ("--draughts-port", "0")


@pytest.fixture
def ask(tmp_path):
    """Send a request in a window of openssl; return the response."""

    def ask(window, request):
        window.stdin.write(f"{request}\n")
        return window.stdout.readline().rstrip("\n")

    return ask


def values(response):
    return dict(word.split("=") for word in response.split(" ")[1:])


def test_two_windows_of_openssl_play(tmp_path, ask):
    with serving(tmp_path, *DRAUGHTS, "--draughts-clock", "90") as server:
        address, ca = server.addresses["draughts"], tmp_path / "cert.pem"
        with openssl(address, ca) as first, openssl(address, ca) as second:
            ids = values(ask(first, "CREATE"))
            joined = ask(second, f"JOIN {ids['ROOM_ID']} {ids['ENEMY_COLOR_ID']}")
            assert joined.startswith("ROOM_JOINED COLOR=")
            white, black = (second, first) if joined.endswith("WHITE") else (first, second)
            assert ask(white, "MOVE c3 d4") == "MOVE_OK"
            assert ask(black, "MOVE b6 c5") == "MOVE_OK"
            state = values(ask(white, "GET_STATE"))
            assert state["STATE"] == "PLAYING"
            assert 0 < int(state["WHITE_TIME"]) <= 90_000


def plain_request(server, data):
    """Send data without TLS; return the first bytes of the response, none if it is refused."""
    host, _, port = server.addresses["draughts"].rpartition(":")
    with socket.create_connection((host, int(port)), PATIENCE_S) as connection:
        connection.sendall(data)
        try:
            return connection.recv(1024)
        except ConnectionResetError:
            return b""


def test_the_port_is_never_plain_without_an_option(tmp_path):
    with serving(tmp_path, *DRAUGHTS) as server:
        assert not plain_request(server, b"CREATE\n").startswith(b"ROOM_CREATED")


def test_an_option_lets_plain_clients_of_this_machine_into_the_same_rooms(tmp_path, ask):
    with serving(tmp_path, *DRAUGHTS, "--allow-plain") as server:
        assert plain_request(server, b"CREATE\n").startswith(b"ROOM_CREATED ROOM_ID=")
        with openssl(server.addresses["draughts"], tmp_path / "cert.pem") as window:
            ids = values(ask(window, "CREATE"))
            own = f"JOIN {ids['ROOM_ID']} {ids['PLAYER_COLOR_ID']}\n".encode()
            assert plain_request(server, own).startswith(b"ROOM_NOT_FOUND")
            other = f"JOIN {ids['ROOM_ID']} {ids['ENEMY_COLOR_ID']}\n".encode()
            assert plain_request(server, other).startswith(b"ROOM_JOINED COLOR=")


def test_all_dialects_open_the_ports_of_their_documents():
    ports = dialect_ports(parser().parse_args(["serve", "--all-dialects"]))
    assert ("draughts", 44322, True) in [(each.name, each.number, each.is_tls) for each in ports]
    assert dialect_ports(parser().parse_args(["serve"])) == []


@pytest.mark.parametrize("clock", ["0", "-1", "nan", "inf", "86401", "long"])
def test_a_clock_is_a_number_of_seconds(tmp_path, clock):
    ended = tabnet("serve", "--data", tmp_path, "--draughts-clock", clock)
    assert ended.returncode == 2
    assert "--draughts-clock" in ended.stderr
