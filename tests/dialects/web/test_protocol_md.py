"""Every HTTP request and response in protocol.md is replayed on a server."""

from __future__ import annotations

import json
import re

import pytest
from attrs import Factory, frozen

from tabnet.dialects.web import tab_api as seed_api
from tabnet.dialects.web.routes import API
from tests.dialects.web.raw import dial
from tests.harness import running
from tests.protocol_page import TEXT, expanded, matches

LINE = re.compile(r"^(\w+)([<>]) (\S+) ?(.*)$")
REQUEST = re.compile(r"(\S+)(?: X-Token: (\S+))?(?: (\{.*))?")
"""The target of a request, a token and a body."""


@frozen
class Transcript:
    """The requests and responses of some clients, on a server of their own."""

    seed: str
    lines: list[tuple[str, str, str, str]] = Factory(list)


def transcripts():
    found = []
    for seed, block in re.findall(
        r"<!-- web server: (.*?) -->\n```http\n(.*?)```", TEXT, re.DOTALL
    ):
        found.append(Transcript(seed))
        for line in block.splitlines():
            match = LINE.match(line)
            assert match, f"no line of a transcript: {line}"
            found[-1].lines.append(match.groups())
    return found


@pytest.mark.parametrize("transcript", transcripts(), ids=lambda transcript: transcript.seed)
async def test_a_server_responds_as_in_the_transcript(transcript):
    async with running(transcript.seed) as server:
        streams = {}
        for name, arrow, word, rest in transcript.lines:
            if arrow == ">":
                wire = await dial(server)
                target, token, body = REQUEST.fullmatch(rest).groups()
                headers = {"X_Token": token} if token else {}
                await wire.send(word, target, body.encode() if body else None, **headers)
            elif word == "id:":
                event = await streams[name].event()
                assert event.id == rest
            elif word == "data:":
                if event is None:
                    event = await streams[name].event()
                    assert event.id is None
                assert matches(expanded(rest), event.data), f"{rest}\nreally: {event}"
                event = None
            elif word == "200" and not rest:
                status, _ = await wire.head()
                streams[name], event = wire, None
                assert status == 200
            else:
                answer = await wire.response()
                assert str(answer.status) == word
                shown = expanded(rest) if rest else None
                assert matches(shown, json.loads(answer.body or b"null")), answer.body


def test_there_are_transcripts():
    assert len(transcripts()) == 4


def test_every_path_is_documented_with_its_fields():
    section = TEXT.split("\n## The original web API\n")[1].split("\n## ")[0]
    rows = {
        path: re.findall(r"`(\w+)`", fields)
        for path, fields in re.findall(r"^\| `(/\w+)` \| (.*?) \|", section, re.MULTILINE)
    }
    taken = {f"/{cmd}": list(fields) for cmd, fields in seed_api.FIELDS.items()}
    assert rows == taken | {"/notify": [*taken["/notify"], "move"]}
    for path, route in API.items():
        for method in route.methods:
            assert f"`{method} {path}" in TEXT or path in rows
