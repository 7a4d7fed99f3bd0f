"""Every request and response of draughts in text lines in protocol.md is replayed on a server."""

from __future__ import annotations

import re

import pytest

from tabnet.dialects.draughts_text.requests import INSIDE, LINE_BYTES, OUTSIDE
from tabnet.dialects.draughts_text.responses import FAILURES, SUCCESSES
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tests.dialects.draughts_text.clients import connect, serving
from tests.protocol_page import TEXT, section

CHAPTER = section("Draughts in text lines")
TIME = re.compile(r"(?<=_TIME=)\d+")


def transcripts():
    blocks = re.findall(r"<!-- draughts server: (.*?) -->\n```lines\n(.*?)```", TEXT, re.DOTALL)
    return [
        (seed, [re.split("([<>]) ", line, maxsplit=1) for line in text.splitlines()])
        for seed, text in blocks
    ]


def without_times(line):
    return TIME.sub("0", line)


@pytest.mark.parametrize(("seed", "lines"), transcripts())
async def test_a_server_responds_as_in_the_transcript(seed, lines):
    async with serving(seed) as server:
        server.hub.service.opponents = HouseBots({"greedy": make_nicks("greedy", 2)})
        clients = {}
        for name, arrow, text in lines:
            if name not in clients:
                clients[name] = await connect(server)
            if arrow == ">":
                await clients[name].send(text.encode() + b"\n")
                if text == "QUIT":
                    assert await clients[name].receive() == ""
            else:
                assert without_times(await clients[name].receive()) == without_times(text)


def test_a_transcript_shows_every_request_and_response():
    lines = [line for _, lines in transcripts() for line in lines]
    requests = {text.split(" ")[0] for _, arrow, text in lines if arrow == ">"}
    responses = {text.split(" ")[0] for _, arrow, text in lines if arrow == "<"}
    assert requests - {"RESIGN"} == {*INSIDE, *OUTSIDE}
    with_values = {"ROOM_CREATED", "ROOM_JOINED", "STATUS_OK"}
    assert responses == {*SUCCESSES.values(), *FAILURES.values(), "INVALID_SYNTAX", *with_values}


def test_the_tables_name_every_request_response_and_value():
    named = set(re.findall(r"[A-Z]+(?:_[A-Z]+)*", CHAPTER))
    assert {*INSIDE, *OUTSIDE, *SUCCESSES.values(), *FAILURES.values()} <= named
    state = next(text for _, lines in transcripts() for *_, text in lines if "BOARD=" in text)
    for value in re.findall(r"(\w+)=", state):
        assert f"`{value}`" in CHAPTER
    assert f"{LINE_BYTES:,} bytes" in CHAPTER
