"""`tabnet serve` as an installed program: its lines, its signals, its errors, games through it."""

from __future__ import annotations

import hashlib
import json
import random
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
import trustme

from tabnet.games import GAMES
from tests.cli.processes import call_main, openssl, serving, tabnet
from tests.commands import required_terms
from tests.polling import TIMEOUT_S, until

PLAIN = Path(__file__).with_name("plain_bot.py")


def test_a_server_prints_the_fingerprint_of_its_certificate(tmp_path):
    with serving(tmp_path) as server:
        host, _, port = server.tls.rpartition(":")
        pem = ssl.get_server_certificate((host, int(port)))
        der = ssl.PEM_cert_to_DER_cert(pem)
        assert hashlib.sha256(der).hexdigest() == server.fingerprint
    with serving(tmp_path) as server:
        assert hashlib.sha256(der).hexdigest() == server.fingerprint


@pytest.mark.parametrize("kind", GAMES)
def test_a_whole_game_between_two_windows_of_openssl(tmp_path, kind):
    with serving(tmp_path) as server:
        ca = tmp_path / "cert.pem"
        with openssl(server.tls, ca) as blue, openssl(server.tls, ca) as red:
            windows = [blue, red]
            for window in windows:
                say(window, cmd="join", kind=kind, **required_terms(kind))
                assert json.loads(window.stdout.readline())["type"] == "hello"
                assert json.loads(window.stdout.readline())["cmd"] == "join"
            rng = random.Random(7)
            last = [play(window, windows, rng) for window in windows][-1]
    game = GAMES[kind]
    position = {**last, "mustPass": None, "turn": None}  # in the rules these are seats
    ended = game.load({name: position[name] for name in game.view_fields}).outcome()
    nicks = list(last["players"])
    assert last["result"]["winners"] == [nicks[seat] for seat in ended.winners]
    assert last["result"]["reason"] == ended.reason


def play(window, windows, rng):
    """Read one window to the end of the game; the first one read types for both."""
    nicks = {}
    while True:
        frame = json.loads(window.stdout.readline())
        if "winner" in frame:
            return frame
        if window is windows[0] and frame["type"] == "update":
            nicks = dict(zip(frame["players"], windows, strict=True))
            act(nicks[frame["turn"]], rng)


def act(window, rng):
    """Ask for the choices, and type one of them."""
    say(window, cmd="moves", id="choices")
    while (frame := json.loads(window.stdout.readline())).get("id") != "choices":
        pass
    action = rng.choice(frame["actions"])
    say(window, cmd=action, **(rng.choice(frame["moves"]) if action == "notify" else {}))


def say(window, **command):
    window.stdin.write(json.dumps(command) + "\n")


@pytest.mark.parametrize("kind", GAMES)
def test_plain_scripts_play_every_kind_to_the_end(tmp_path, kind):
    with serving(tmp_path) as server:
        join = json.dumps({"kind": kind, **required_terms(kind)})
        command = [sys.executable, PLAIN, "--join", join, "--port", str(server.tcp_port)]
        players = [
            subprocess.Popen([*command, "--seed", seed], stdout=subprocess.PIPE, text=True)
            for seed in "12"
        ]
        last = [json.loads(player.communicate(timeout=TIMEOUT_S)[0]) for player in players]
    assert last[0] == last[1]
    assert last[0]["kind"] == kind
    points = last[0]["result"]["points"]
    best = [nick for nick in points if points[nick] and points[nick] == max(points.values())]
    assert last[0]["result"]["winners"] == best


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_an_idle_server_within_a_second(tmp_path, how):
    with serving(tmp_path) as server:
        address = ("127.0.0.1", server.tcp_port)
        with (
            socket.create_connection(address) as talking,
            socket.create_connection(address) as deaf,
        ):
            talking.sendall(b'{"cmd":"join","group":1,"size":7}\n')
            deaf.sendall(b'{"cmd":"join","group":2,"size":7}\n' + b'{"cmd":"schema"}\n' * 500)
            frames = map(json.loads, talking.makefile())
            assert any(frame["type"] == "reply" for frame in frames)
            start = time.monotonic()
            server.process.send_signal(how)
            assert server.process.wait(TIMEOUT_S) == 0
            assert time.monotonic() - start < 1
            last = list(frames)[-1]
    assert last == {"type": "bye", "reason": "the server is stopping", "code": "stopping"}
    assert "Traceback" not in (tmp_path / "stderr").read_text()


@pytest.mark.parametrize("end", ["time", "leave", "signal"])
def test_a_signal_stops_a_server_with_a_game_within_five_seconds(tmp_path, end):
    with serving(tmp_path) as server:
        address = ("127.0.0.1", server.tcp_port)
        with (
            socket.create_connection(address) as talking,
            socket.create_connection(address) as deaf,
        ):
            talking.sendall(b'{"cmd":"join","group":1,"size":7}\n')
            deaf.sendall(b'{"cmd":"join","group":1,"size":7}\n' + b'{"cmd":"schema"}\n' * 500)
            frames = map(json.loads, talking.makefile())
            assert any(frame["type"] == "update" for frame in frames)
            start = time.monotonic()
            server.process.terminate()
            notice = next(frame for frame in frames if frame["type"] == "notice")
            assert notice["code"] == "stopping"
            if end == "leave":
                talking.sendall(b'{"cmd":"leave"}\n')
            elif end == "signal":
                server.process.terminate()
            assert server.process.wait(TIMEOUT_S) == 0
            took = time.monotonic() - start
            last = list(frames)
    assert (3 <= took < 5) if end == "time" else took < 1.5
    assert any("winner" in frame for frame in last) == (end == "leave")
    assert last[-1] == {"type": "bye", "reason": "the server is stopping", "code": "stopping"}


@pytest.mark.parametrize("option", ["--tls-port", "--tcp-port", "--http-port", "--https-port"])
def test_a_taken_port_is_one_sentence_and_exit_code_1(tmp_path, option):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ports = {"--tls-port": 0, "--tcp-port": 0, "--http-port": 0} | {option: port}
        options = [text for pair in ports.items() for text in pair]
        ended = tabnet("serve", "--data", tmp_path, *options)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr == (
        f"tabnet: port {port} on 127.0.0.1 is taken "
        f"(choose another with {option}, or 0 for any free one)\n"
    )


def test_plain_tcp_uses_loopback_by_default(tmp_path):
    with serving(tmp_path, "--host", "0.0.0.0") as server:
        assert server.tls.startswith("0.0.0.0:")
        assert server.tcp.startswith("127.0.0.1:")


def test_public_plain_tcp_needs_an_option_and_logs_a_warning(tmp_path):
    options = ["--tls-port", 0, "--tcp-port", 0, "--tcp-host", "0.0.0.0"]
    ended = tabnet("serve", "--data", tmp_path, *options)
    assert ended.returncode == 1
    assert ended.stderr == (
        "tabnet: 0.0.0.0 is no loopback address: passwords would travel in the clear "
        "(leave --tcp-host out, or add --allow-plain)\n"
    )
    with serving(tmp_path, "--tcp-host", "0.0.0.0", "--allow-plain") as server:
        assert server.tcp.startswith("0.0.0.0:")
        stop(server)
    (warning,) = [line for line in logged(tmp_path) if " warning " in line]
    assert server.tcp in warning


def test_http_and_optional_https_have_their_own_ports(tmp_path):
    command = [sys.executable, "-m", "tabnet", "serve", "--memory", "--data", tmp_path]
    ports = ["--tls-port", "0", "--tcp-port", "0", "--http-port", "0", "--https-port", "0"]
    with subprocess.Popen([*command, *ports], stdout=subprocess.PIPE, text=True) as process:
        try:
            lines = [process.stdout.readline().split() for _ in range(5)]
            assert [line[:2] for line in lines[2:]] == [
                ["listening", "http"],
                ["listening", "https"],
                ["ready"],
            ]
            ask = {"data": b'{"cmd":"ping"}', "timeout": TIMEOUT_S}
            trust = ssl.create_default_context(cafile=tmp_path / "cert.pem")
            for line, more in ((lines[2], {}), (lines[3], {"context": trust})):
                with urllib.request.urlopen(f"{line[1]}://{line[2]}/v1", **ask, **more) as reply:
                    assert json.loads(reply.read()) == {"type": "reply", "cmd": "ping"}
            process.terminate()
            assert process.wait(TIMEOUT_S) == 0
        finally:
            process.kill()


def test_public_plain_http_needs_an_option_and_logs_a_warning(tmp_path):
    options = ["--tls-port", 0, "--tcp-port", 0, "--http-host", "0.0.0.0", "--http-port", 0]
    ended = tabnet("serve", "--data", tmp_path, *options)
    assert ended.returncode == 1
    assert ended.stderr == (
        "tabnet: 0.0.0.0 is no loopback address: passwords would travel in the clear "
        "(leave --http-host out, or add --allow-plain)\n"
    )


def stop(server):
    server.process.terminate()
    assert server.process.wait(TIMEOUT_S) == 0


def logged(folder):
    return (folder / "stderr").read_text().splitlines()


def make_certificate(folder, name="given", names=("127.0.0.1",)):
    """A new certificate and its key; their paths."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    leaf = trustme.CA().issue_cert(*names)
    leaf.cert_chain_pems[0].write_to_path(certificate)
    leaf.private_key_pem.write_to_path(key)
    return certificate, key


def shown_by(server):
    """The certificate that a client is shown."""
    host, _, port = server.tls.rpartition(":")
    return ssl.get_server_certificate((host, int(port))).strip()


def test_a_running_server_reloads_a_replaced_certificate(tmp_path):
    certificate, key = make_certificate(tmp_path)
    first = certificate.read_text().strip()
    with serving(tmp_path, "--cert", certificate, "--key", key) as server:
        assert shown_by(server) == first
        make_certificate(tmp_path)
        second = certificate.read_text().strip()
        told = hang_up(server, tmp_path)
        assert f" info    certificate sha256={fingerprint_of(second)}" in told
        assert shown_by(server) == second != first
        key.write_text("nonsense")
        told = hang_up(server, tmp_path)
        assert f' error   certificate error="no private key in PEM in {key}" ' in told
        assert shown_by(server) == second
        stop(server)
    assert "Traceback" not in str(logged(tmp_path))


def hang_up(server, folder):
    """Send SIGHUP, and return the log line that follows."""
    before = len(logged(folder))
    server.process.send_signal(signal.SIGHUP)
    (line,) = until(lambda: [line for line in logged(folder)[before:] if " certificate " in line])
    return line


def fingerprint_of(pem):
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()


def test_an_unusable_certificate_is_reported_in_one_sentence(tmp_path):
    certificate, key = make_certificate(tmp_path)
    _, foreign = make_certificate(tmp_path, "foreign")
    for options, text in (
        (["--cert", certificate], "--cert and --key go together (give both, or neither)"),
        (["--cert", certificate, "--key", foreign], f"the key {foreign} does not belong to "),
        (["--cert", tmp_path / "no", "--key", key], f"cannot read {tmp_path / 'no'}: No such file"),
    ):
        ended = tabnet("serve", "--data", tmp_path, *options)
        assert (ended.returncode, ended.stdout) == (1, "")
        assert ended.stderr.startswith(f"tabnet: {text}")
        assert ended.stderr.count("\n") == 1


def test_limits_are_options(tmp_path):
    options = ["--max-connections", "2", "--max-commands", "3", "--max-line", "50"]
    with serving(tmp_path, *options) as server:
        assert b"line_too_long" in talk(server, b"x" * 50 + b"\n")[-1].encode()
        assert b"too_many_commands" in talk(server, b"x\n" * 4)[-1].encode()
        address = ("127.0.0.1", server.tcp_port)
        with socket.create_connection(address) as one, socket.create_connection(address) as two:
            assert b"hello" in one.recv(4096)
            assert b"hello" in two.recv(4096)
            assert "too_many_connections" in talk(server, b"")[0]
    with (
        serving(tmp_path, "--max-per-address", "1") as server,
        socket.create_connection(("127.0.0.1", server.tcp_port)) as one,
    ):
        assert b"hello" in one.recv(4096)
        assert "too_many_connections" in talk(server, b"")[0]


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_a_limit_is_at_least_1(number):
    ended = call_main("serve", "--max-line", number)
    assert ended.returncode == 2
    assert "--max-line" in ended.stderr


def test_logs_are_text_or_json(tmp_path):
    for style in ("human", "json"):
        with serving(tmp_path, "--log", style, "--log-level", "debug") as server:
            talk(server, b'{"cmd":"register","nick":"zp","password":"topsecret"}\nnonsense\n')
            server.process.terminate()
            assert server.process.wait(TIMEOUT_S) == 0
        lines = (tmp_path / "stderr").read_text().splitlines()
        assert "topsecret" not in str(lines)
        if style == "json":
            events = {line["event"]: line for line in map(json.loads, lines)}
            assert list(events) == ["connect", "register", "refuse", "disconnect"]
            assert events["register"]["nick"] == "zp"
            assert events["refuse"]["code"] == "not_json"
        else:
            assert [line.split()[1:3] for line in lines] == [
                ["info", "connect"],
                ["info", "register"],
                ["debug", "refuse"],
                ["info", "disconnect"],
            ]
            assert "nick=zp" in lines[1]


def talk(server, lines):
    """Type some lines and read until the server has answered them all."""
    with socket.create_connection(("127.0.0.1", server.tcp_port)) as connection:
        connection.sendall(lines)
        connection.shutdown(socket.SHUT_WR)
        return connection.makefile().readlines()


def test_a_stalled_stderr_does_not_stop_the_server(tmp_path):
    command = [sys.executable, "-m", "tabnet", "serve", "--tls-port", "0"]
    command += ["--tcp-port", "0", "--no-http"]
    process = subprocess.Popen(
        [*command, "--data", tmp_path, "--log-level", "debug", "--max-commands", "50000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        port = int([process.stdout.readline() for _ in range(3)][1].rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"nonsense\n" * 20_000 + b'{"cmd":"quit"}\n')
            assert len(connection.makefile().readlines()) == 20_002
        start = time.monotonic()
        process.terminate()
        assert process.wait(TIMEOUT_S) == 0
        assert time.monotonic() - start < 1
    finally:
        process.kill()
        process.communicate()
