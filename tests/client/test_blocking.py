"""The client without trio, against a server in a process of its own."""

from __future__ import annotations

import random
import socket
import threading
from types import SimpleNamespace

import pytest

from tabnet import state_of
from tabnet.client import blocking_connection
from tabnet.client.address import CERTIFICATE
from tabnet.client.blocking import connect
from tabnet.errors import Disconnected, Refused, WireError
from tabnet.protocol import messages as m
from tests.cli.processes import serving
from tests.polling import TIMEOUT_S


@pytest.fixture
def server(tmp_path):
    """A server for one test."""
    with serving(tmp_path) as process:
        yield process


def tcp(server):
    return f"tcp://{server.tcp}"


def play(client, seed, **terms):
    """One whole game at random; its last update."""
    rng = random.Random(seed)
    seat = client.join(auto=True, **terms)
    for update in client.updates(seat.game):
        if update.turn == seat.nick and update.expects == "notify":
            assert state_of(update).actions()
            choices = client.moves(seat.game, player=seat.nick)
            client.notify(seat.game, **rng.choice(choices.moves))
    return update


@pytest.mark.parametrize(
    "terms",
    [{"group": 1, "size": 7}, {"group": 1, "size": 7, "salted": True}, {"kind": "draughts"}],
)
def test_a_whole_game_between_two_threads_over_tls(server, tmp_path, terms):
    ends = []

    def seat(seed):
        with connect(server.tls, ca=tmp_path / CERTIFICATE) as client:
            ends.append(play(client, seed, **terms))

    threads = [threading.Thread(target=seat, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_S)
    assert ends[0] == ends[1]
    assert ends[0].over
    salts = ends[0].position.get("dice_salts", {}).values()
    assert all(salts) if terms.get("salted") else not any(salts)


def test_a_draw_offer_can_be_withdrawn_and_accepted(server):
    with connect(tcp(server)) as client, connect(tcp(server)) as other:
        invite = client.join(kind="draughts", private=True, seat=0).invite
        seat = other.join(invite=invite)
        client.draw()
        client.draw(offer=False)
        other.draw()
        client.draw()
        told = [update.position["draw_offers"] for update in other.updates(seat.game)]
        me, you = client.state(seat.game).update["players"]
        assert told == [[], [me], [], [you], [me, you]]
        result = client.state(seat.game).update["result"]
        assert (result["winners"], result["reason"]) == ([], "agreed")


def test_the_client_sends_every_command(server):
    with connect(tcp(server)) as client, connect(tcp(server)) as other:
        client.register("zp", "secret")
        waiting = client.join(group=5, size=7)
        assert client.state().status == "waiting"
        client.leave()
        assert [update.winner for update in client.updates(waiting.game)] == [None]
        assert client.ranking(group=5, size=7) == ()
        with pytest.raises(Refused, match="invalid size '8'"):
            client.join(group=5, size=8)
        one, two = client.join(group=5, size=7), other.join(group=5, size=7)
        client.roll()
        with pytest.raises(Refused, match="Not your turn to play"):
            other.pass_turn()
        other.follow(two.game, since=0)
        updates = other.updates(one.game)
        assert [next(updates).seq for _ in range(2)] == [1, 2]
        other.leave(two.game)
        assert client.state(one.game, text=True).text
        assert client.ask(m.Ping()).cmd == "ping"


def test_a_wrong_fingerprint_is_refused(server):
    with pytest.raises(Disconnected, match="another fingerprint"):
        connect(server.tls, fingerprint="00" * 32)
    with connect(server.tls, fingerprint=server.fingerprint) as client:
        assert client.ask(m.Ping()).cmd == "ping"


def test_an_unverified_certificate_is_refused(server, tmp_path):
    with pytest.raises(Disconnected, match="is not trusted"):
        connect(server.tls, data=tmp_path / "elsewhere")


def lose(client):
    """Break the connection under the client's feet."""
    client._wire._socket.shutdown(socket.SHUT_RDWR)


def test_a_client_reconnects_without_missing_an_update(server):
    with connect(tcp(server)) as client, connect(tcp(server)) as other:
        client.register("zp", "secret")
        seat, theirs = client.join(group=1, size=7), other.join(group=1, size=7)
        updates = client.updates(seat.game)
        assert next(updates).seq == 1
        lose(client)
        other.leave(theirs.game)
        assert next(updates).winner == "zp"
        lose(client)
        with pytest.raises(Disconnected, match="lost before ping was answered"):
            client.ask(m.Ping())
        with pytest.raises(Refused, match="registered with a different password"):
            client.register("zp", "guess")


def test_following_a_missing_game_is_refused(server):
    with connect(tcp(server)) as client:
        client.client_state.keep_updates("nonsense")
        lose(client)
        with pytest.raises(Refused, match="Invalid game reference"):
            next(client.updates("nonsense"))


def test_a_client_gives_up_on_a_stopped_server(server, monkeypatch):
    pauses, clock = [], iter(range(100))
    time = SimpleNamespace(sleep=pauses.append, monotonic=lambda: next(clock) / 10)
    monkeypatch.setattr(blocking_connection, "time", time)
    with connect(tcp(server), retry_for=0.2) as client:
        seat = client.join(group=1, size=7)
        server.process.kill()
        server.process.wait(TIMEOUT_S)
        with pytest.raises(Disconnected, match=r"cannot connect to .*; gave up"):
            next(client.updates(seat.game))
    assert pauses == [0.1]


def test_a_full_server_is_reported(tmp_path):
    with serving(tmp_path, "--max-per-address", "1") as server, connect(tcp(server)):
        with pytest.raises(Disconnected) as refused:
            connect(tcp(server))
        assert refused.value.text == (
            f"{tcp(server)} refuses connections: "
            "the server, or the client's address, has too many connections"
        )


def test_a_line_without_an_end_is_refused(monkeypatch):
    monkeypatch.setattr(blocking_connection, "LONGEST_FRAME", 1000)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer():
            accepted, _ = listening.accept()
            with accepted:
                accepted.sendall(b" " * 1000)

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(WireError, match="1000 bytes at most"):
            connect(f"tcp://127.0.0.1:{listening.getsockname()[1]}")
        thread.join()


@pytest.mark.parametrize(
    "message", [b"", b"half a line", b'{"type":"update","game":"x","seq":1}\n']
)
def test_a_peer_without_a_welcome_is_not_a_server(message):
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer():
            accepted, _ = listening.accept()
            with accepted:
                accepted.sendall(message)

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(Disconnected, match="closed the connection, or is not a tabnet server"):
            connect(f"tcp://127.0.0.1:{listening.getsockname()[1]}")
        thread.join()
