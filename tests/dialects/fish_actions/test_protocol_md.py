"""The chapter of protocol.md on Fish in JSON actions: its transcripts are replayed."""

from __future__ import annotations

import json
import re

import pytest
from attrs import Factory, frozen

from tabnet.dialects.fish_actions.actions import ACTIONS, FishSettings
from tabnet.dialects.fish_actions.refusals import ERROR_TYPES, TOURNAMENT_ERROR, UNKNOWN_COLOR
from tests.dialects.fish_actions.clients import connect, fish_server, fish_terms
from tests.protocol_page import TEXT, expanded, matches, section

LINE = re.compile(r"^(\w+)([<>]) (.*)$")
TOKEN = "TOKEN"


@frozen
class Transcript:
    """The requests and responses of some clients, on a server of their own."""

    seed: str
    options: dict[str, int]
    lines: list[tuple[str, str, str]] = Factory(list)


def transcripts():
    found = []
    pattern = r"<!-- fish server: (\w+) (.*?) -->|```fish\n(.*?)```"
    for seed, options, block in re.findall(pattern, TEXT, re.DOTALL):
        if seed:
            pairs = (option.split("=") for option in options.split())
            found.append(Transcript(seed, {name: int(value) for name, value in pairs}))
        for line in block.splitlines():
            match = LINE.match(line)
            assert match, f"no line of a transcript: {line}"
            found[-1].lines.append(match.groups())
    return found


@pytest.mark.parametrize("transcript", transcripts(), ids=lambda transcript: transcript.seed)
async def test_a_server_responds_as_in_the_transcript(transcript):
    settings = FishSettings(fish_terms(**transcript.options))
    async with fish_server(settings, seed=f"fish {transcript.seed}") as server:
        clients = {}
        for name, arrow, text in transcript.lines:
            if name not in clients:
                clients[name] = await connect(server)
            client = clients[name]
            if arrow == ">":
                request = text.replace(TOKEN, client.token or TOKEN)
                await client.stream.send_all(request.encode())
                continue
            response = await client.receive()
            if "user_token" in response:
                client.token, response["user_token"] = response["user_token"], TOKEN
            assert matches(expanded(text), response), f"{text}\nreally: {json.dumps(response)}"


def test_every_action_and_every_error_is_in_a_table_and_in_a_transcript():
    lines = [line for transcript in transcripts() for line in transcript.lines]
    sent = {json.loads(text)["action"] for _, arrow, text in lines if arrow == ">"}
    errors = {expanded(text).get("error_type") for _, arrow, text in lines if arrow == "<"}
    rows = set(re.findall(r"^\| `(\w+)` \|", section("Fish in JSON actions"), re.MULTILINE))
    types = {*ERROR_TYPES.values(), UNKNOWN_COLOR, TOURNAMENT_ERROR}
    assert sent >= set(ACTIONS)
    assert errors - {None} == types
    assert rows - {"action", "error_type"} == {*ACTIONS, *types}
