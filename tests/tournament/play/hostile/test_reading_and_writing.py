"""Bots that read, write, connect or signal where they must not: each sandbox prevents it."""

from __future__ import annotations

import socket
import sys

import pytest

from tabnet.tournament.play.sandbox.landlock import HAS_SCOPES, find_abi
from tests.tournament.play.hostile.attempts import ALLOWED, find_missing, make_program
from tests.tournament.run_games import nobody_left, play

pytestmark = pytest.mark.slow

HONEST = ["first", "random"]
FORMS = ["file", "folder", "command"]


@pytest.fixture
def udp():
    """A port for TCP and UDP on which the test listens."""
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
    ):
        udp.bind(tcp.getsockname())
        udp.setblocking(False)
        yield udp


def has_arrived(udp):
    """True if anything was sent to the port; a bot cannot tell."""
    try:
        return udp.recv(100) == b"the seed"
    except BlockingIOError:
        return False


def make_source(form, tmp_path, udp):
    """Write the bot into a folder with other files; return how the command line names it."""
    program = make_program(tmp_path, udp.getsockname()[1])
    (tmp_path / "beside.txt").write_text("weights")
    (tmp_path / "mine").mkdir()
    for path in (tmp_path / "bot.py", tmp_path / "mine" / "bot.py"):
        path.write_text(program)
    commands = {"file": "bot.py", "folder": "mine/", "command": f"cmd:{sys.executable} bot.py"}
    return commands[form]


def list_done(runner, name):
    """Return what a bot could do; it has crashed three times, and was out of the fourth game."""
    results = [each for each in runner.queue.results.values() if name in each.game.seats]
    causes = sorted(each.cause for each in results)
    assert causes in (["crash"] * 3 + ["out"], ["out"] + ["start_failed"] * 3)
    (detail,) = {each.detail for each in results if each.cause != "out"}
    return detail.removeprefix("exit code 1: could: ").split(", ")


async def play_with(source, sandbox, tmp_path, monkeypatch):
    """Play a tournament with two honest bots, which are not disturbed; return what it could do."""
    with nobody_left(monkeypatch):
        runner = await play(tmp_path / "it", [source, *HONEST], sandbox=sandbox)
    hostile, *honest = runner.queue.plan.names
    others = [each for each in runner.queue.results.values() if hostile not in each.game.seats]
    assert [each.cause for each in others] == ["normal"] * 2
    assert honest == HONEST
    return list_done(runner, hostile)


@pytest.mark.parametrize("form", FORMS)
async def test_without_a_sandbox_a_bot_has_the_rights_of_its_user(form, tmp_path, monkeypatch, udp):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKEN_OF_TEST", "a secret")
    done = await play_with(make_source(form, tmp_path, udp), "none", tmp_path, monkeypatch)
    assert set(done) > {"read journal", "read beside", "write folder", "signal guard", "TCP"}
    for path in (tmp_path / "bot.py", tmp_path / "mine" / "bot.py"):
        assert path.read_text() == make_program(tmp_path, udp.getsockname()[1])


@pytest.mark.skipif(find_abi() < HAS_SCOPES, reason="this kernel's Landlock has no scopes")
@pytest.mark.parametrize("form", FORMS)
async def test_landlock_prevents_all_but_udp(form, tmp_path, monkeypatch, udp):
    monkeypatch.chdir(tmp_path)
    source = make_source(form, tmp_path, udp)
    assert await play_with(source, "landlock", tmp_path, monkeypatch) == ["UDP", *ALLOWED]
    assert has_arrived(udp)


@pytest.mark.skipif(bool(find_missing("bwrap")), reason=find_missing("bwrap"))
@pytest.mark.parametrize("form", FORMS)
async def test_bubblewrap_prevents_udp_too_unless_a_command_may_use_tcp(
    form, tmp_path, monkeypatch, udp
):
    monkeypatch.chdir(tmp_path)
    done = await play_with(make_source(form, tmp_path, udp), "bwrap", tmp_path, monkeypatch)
    assert done == ["UDP", *ALLOWED]
    assert has_arrived(udp) is (form == "command")
