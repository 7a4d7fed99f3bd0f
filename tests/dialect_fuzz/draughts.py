"""Draughts in text lines: requests in rooms, and an honest client that polls the state."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from tabnet.dialects.draughts_text.requests import INSIDE, OUTSIDE
from tests.dialect_fuzz.part import Connect, FuzzedDialect, Ids, Poll

ENDS = (b"\n", b"\r", b"\r\n")
SQUARES = [f"{column}{row}".encode() for column in "abcdefgh" for row in range(1, 9)]
STATE = (
    r"STATUS_OK STATE=\w+ PLAYER_TURN=\w+ WHITE_WANTS_DRAW=\w+ BLACK_WANTS_DRAW=\w+ "
    r"BLACK_TIME=\d+ WHITE_TIME=\d+ WHITE_ONLINE=\w+ BLACK_ONLINE=\w+ BOARD=[0bBwW]{64}"
)
CREATED = r"ROOM_CREATED ROOM_ID=\S{36} PLAYER_COLOR_ID=\S{36} ENEMY_COLOR_ID=\S{36}( COLOR=WHITE)?"
RESPONSE = re.compile(
    rf"{STATE}|{CREATED}|ROOM_JOINED COLOR=(WHITE|BLACK)|ROOM_LEFT|MOVE_OK|DRAW_OK|DRAW_CANCEL_OK|"
    r"(INVALID_SYNTAX|ROOM_NOT_FOUND|MOVE_FAIL|DRAW_FAIL|DRAW_CANCEL_FAIL) - [ -~]+"
)


def request(luck: random.Random, ids: Ids) -> bytes:
    """Return any request; the ids are those of a room and of its two colours."""
    name = luck.choice(["CREATE", "JOIN", "JOIN", "MOVE", "MOVE", *INSIDE, *OUTSIDE]).encode()
    words = [name]
    if name == b"JOIN" and ids:
        room, own, enemy = luck.choice(ids)
        words += [room, luck.choice([own, enemy, enemy])]
    elif name == b"MOVE":
        words += luck.choice([[b"c3", b"d4"], [b"b6", b"a5"], luck.sample(SQUARES, 3)])
    elif name == b"CREATE" and luck.random() < 0.1:
        words.append(luck.choice([b"random", b"nosuchbot"]))
    return b" ".join(words) + luck.choice(ENDS)


def read_codes(received: bytes) -> Iterable[str]:
    """Return the code of each line."""
    for line in received.decode("ascii").split("\n")[:-1]:
        assert RESPONSE.fullmatch(line), line[:200]
        yield line.split(" ")[0]


def begin(connect: Connect) -> Poll:
    """Begin a game; White polls its state."""
    white, black = connect().makefile("rwb"), connect().makefile("rwb")

    def ask(client: object, line: bytes) -> bytes:
        client.write(line + b"\n")
        client.flush()
        return client.readline()

    room, _, enemy = DRAUGHTS.id_pattern.search(ask(white, b"CREATE")).groups()
    assert ask(black, b"JOIN %b %b" % (room, enemy)).startswith(b"ROOM_JOINED")

    def poll() -> None:
        assert ask(white, b"GET_STATE").startswith(b"STATUS_OK STATE=PLAYING")

    return poll


DRAUGHTS = FuzzedDialect(
    options=("--draughts-port", "0"),
    port="draughts",
    is_tls=True,
    request=request,
    farewell=b"\nQUIT\n",
    id_pattern=re.compile(rb"ROOM_ID=(\S+) PLAYER_COLOR_ID=(\S+) ENEMY_COLOR_ID=(\S+)"),
    read_codes=read_codes,
    usual_codes=frozenset({"ROOM_CREATED", "ROOM_JOINED", "INVALID_SYNTAX", "ROOM_NOT_FOUND"}),
    begin=begin,
)
