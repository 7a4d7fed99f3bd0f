"""A bot with data outside of its own files: an error names the option that lets it read them."""

from __future__ import annotations

import sys

import pytest

from tabnet.client.bot_file import find_bot_file
from tests.tournament.play.hostile.attempts import find_missing
from tests.tournament.run_games import nobody_left, play

pytestmark = pytest.mark.slow

NEEDS_DATA = """
def choose(state, moves, left):
    with open("{folder}/weights.txt") as file:
        return moves[int(file.read())]
"""
PROGRAM = """
import sys
print(open("{folder}/weights.txt").read())
sys.exit("it could read")
"""


@pytest.fixture(params=["landlock", "bwrap"])
def sandbox(request):
    if missing := find_missing(request.param):
        pytest.skip(missing)
    return request.param


@pytest.fixture
def weights(tmp_path):
    path = tmp_path / "data" / "weights.txt"
    path.parent.mkdir()
    path.write_text("0")
    return path


async def test_a_bot_file_reads_its_data_only_with_the_option(
    sandbox, weights, tmp_path, monkeypatch
):
    bot = tmp_path / "mine.py"
    bot.write_text(NEEDS_DATA.replace("{folder}", str(weights.parent)))
    with nobody_left(monkeypatch):
        denied = await play(tmp_path / "denied", ["first", str(bot)], sandbox=sandbox)
        allowed = await play(
            tmp_path / "it",
            ["first", str(bot)],
            sandbox=sandbox,
            readable=(str(weights.parent),),
        )
    for result in denied.queue.results.values():
        assert result.cause == "crash"
        assert f"'{weights}' (sandbox: --sandbox-read PATH" in result.detail
    assert {result.cause for result in allowed.queue.results.values()} == {"normal"}
    assert all(sandbox == each["used"] for each in denied._hosts.values())


async def test_a_program_reads_its_data_only_with_the_option(
    sandbox, weights, tmp_path, monkeypatch
):
    program = tmp_path / "mine.py"
    program.write_text(PROGRAM.replace("{folder}", str(weights.parent)))
    source = f"cmd:{sys.executable} {program}"
    with nobody_left(monkeypatch):
        denied = await play(tmp_path / "denied", ["first", source], sandbox=sandbox)
        allowed = await play(
            tmp_path / "it", ["first", source], sandbox=sandbox, readable=(str(weights),)
        )
    details = {result.detail for result in denied.queue.results.values()}
    assert all("--sandbox-read PATH" in detail for detail in details)
    details = {result.detail for result in allowed.queue.results.values()}
    assert details == {"exit code 1: it could read"}


async def test_a_program_in_python_finds_the_tabnet_of_a_checkout(sandbox, tmp_path, monkeypatch):
    program = find_bot_file("first").path
    with nobody_left(monkeypatch):
        played = await play(tmp_path, ["first", f"cmd:{sys.executable} {program}"], sandbox=sandbox)
    assert {result.cause for result in played.queue.results.values()} == {"normal"}
