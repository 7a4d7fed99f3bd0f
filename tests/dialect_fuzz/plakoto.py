"""Plakoto over REST: HTTP requests to a few rooms, and an honest client that polls the board."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from http.client import HTTPConnection
from typing import Any

from tests.dialect_fuzz.part import Connect, FuzzedDialect, Ids, Poll

ROOMS = 1000
NOBODY = (b"", b"W", b"")
RESOURCES = ("board/", "board/", "players/", "players/W", "status/", "nothing/")
METHODS = ("GET", "GET", "PUT", "POST", "OPTIONS", "DELETE")
HEAD_END = b"\r\n\r\n"
STATUS_LINE = re.compile(rb"HTTP/1\.1 (\d{3}) [A-Za-z -]+\r\n")
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
BODILESS = ("100", "204", "304")
REFUSED = "400"
FAILED = "5"
"""The first digit of the statuses that no client may cause."""


def request(luck: random.Random, ids: Ids) -> bytes:
    """Return any request; the ids are the rooms, colours and tokens of seats."""
    room, colour, token = (each.decode() for each in luck.choice(ids or [NOBODY]))
    if not ids or luck.random() < 0.3:
        room = f"r{luck.randrange(ROOMS)}"
    path, method = luck.choice(RESOURCES), luck.choice(METHODS)
    fields: dict[str, Any] = {}
    if luck.random() < 0.3:
        path, method = f"players/{luck.choice('WB')}", "PUT"
        is_bot = luck.random() < 0.05
        fields = {"username": "random", "bot": True} if is_bot else {"username": room}
    elif luck.random() < 0.5:
        start = luck.choice([1, 24, luck.randint(0, 25)])
        path, method = f"board/piece/{start}/{luck.choice([15, 15, luck.randint(0, 17)])}", "PUT"
        fields = {"x": start + luck.randint(1, 6) * (1 if colour == "W" else -1), "y": "1"}
    head = [f"{method} /plakoto/{luck.choice(['', 'c.php/'])}{room}/{path} HTTP/1.1"]
    head.append("Host: localhost")
    if token:
        head.append(f"X-Token: {token}")
    body = json.dumps(fields) if fields else ""
    return "\r\n".join([*head, f"Content-Length: {len(body)}", "", body]).encode()


def read_codes(received: bytes) -> Iterable[str]:
    """Return the status of each response, and the first words of a refusal."""
    while HEAD_END in received:
        head, received = received.split(HEAD_END, 1)
        line = STATUS_LINE.match(head + b"\r\n")
        assert line, head[:200]
        status = line[1].decode()
        assert not status.startswith(FAILED), head
        if status in BODILESS:
            yield status
            continue
        size = int(LENGTH.search(head + b"\r\n")[1])
        body, received = received[:size], received[size:]
        if len(body) == size:
            yield f"{status} {refusal_in(body)}".rstrip() if status == REFUSED else status


def refusal_in(body: bytes) -> str:
    """Return the first words of a refusal of the dialect."""
    return " ".join(json.loads(body).get("errormesg", "").split(" ")[:3])


def begin(connect: Connect) -> Poll:
    """Begin a game; White polls the board."""
    client = HTTPConnection("localhost")
    client.sock = connect()

    def ask(method: str, path: str, body: str | None = None) -> Any:
        client.request(method, f"/plakoto/honest/{path}", body)
        response = client.getresponse()
        assert response.status == 200
        return json.loads(response.read())

    for colour in "WB":
        ask("PUT", f"players/{colour}", '{"username":"Anna"}')
    assert ask("GET", "status/")[0]["status"] == "started"

    def poll() -> None:
        assert len(ask("GET", "board/")) == 24 * 15

    return poll


PLAKOTO = FuzzedDialect(
    options=("--http-port", "0", "--plakoto-clock", "1"),
    port="http",
    is_tls=False,
    request=request,
    farewell=HEAD_END,
    id_pattern=re.compile(rb'"username":"(r\d+)","piece_color":"(.)","token":"(\w{32})"'),
    read_codes=read_codes,
    usual_codes=frozenset(
        {"200", "204", "400", "400 token is not", "400 Game is not", "404", "405"}
    ),
    begin=begin,
)
