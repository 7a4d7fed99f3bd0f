"""Fish in JSON actions: any requests, with and without tokens, and honest players who poll."""

from __future__ import annotations

import json
import random
import re
import socket
from collections.abc import Iterable
from typing import Any

from tabnet.dialects.fish_actions.actions import ACTIONS, JOIN
from tabnet.dialects.fish_actions.refusals import ERROR_TYPES, TOURNAMENT_ERROR, UNKNOWN_COLOR
from tests.dialect_fuzz.part import Connect, FuzzedDialect, Ids, Poll

TOURNAMENTS = 500
TLS_ALERT = b"\x15\x03"
"""The beginning of the response to a client whose first bytes are nearly a TLS handshake."""
BETWEEN = (b"", b"", b"\n", b" ", b"\r\n")
FIELDS = ("row", "col", "start_row", "start_col", "end_row", "end_col")
STRANGE = (None, True, -1, 1.5, "1", 10**30, [], {}, [[[1]]], "\0", "\ud7ff" * 30)
COLORS = ("red", "white", "brown", "black", "Red", 1)

RESULTS = {
    ("user_token", "color"): "token",
    ("result_state",): "result",
    ("current_state",): "state",
    ("is_valid",): "validity",
    ("color",): "turn",
    ("reachable_locations",): "moves",
    ("is_game_over",): "game over",
}
"""The name of each response by its fields."""
ERRORS = {*ERROR_TYPES.values(), UNKNOWN_COLOR, TOURNAMENT_ERROR}


def request(luck: random.Random, ids: Ids) -> bytes:
    """Return any request; the ids are tokens."""
    action = luck.choice([JOIN, JOIN, *ACTIONS])
    fields: dict[str, Any] = {"action": action}
    if action == JOIN:
        number = luck.randrange(TOURNAMENTS)
        id = "bot:random" if luck.random() < 0.02 else luck.choice([number, f"cup {number}"])
        fields |= {"tournament_id": id, "credit_card": "0000-0000-0000-0000"}
    else:
        if ids and luck.random() < 0.9:
            fields["user_token"] = luck.choice(ids)[0].decode()
        fields |= {name: luck.randrange(-1, 6) for name in FIELDS}
        fields["color"] = luck.choice(COLORS)
    if luck.random() < 0.2:
        fields[luck.choice([*fields])] = luck.choice(STRANGE)
    if luck.random() < 0.1:
        del fields[luck.choice([*fields])]
    return json.dumps(fields).encode() + luck.choice(BETWEEN)


def read_codes(received: bytes) -> Iterable[str]:
    """Return the type of each error, and the name of each other response."""
    if received.startswith(TLS_ALERT):
        yield "TLS alert"
        return
    for line in received.split(b"\n")[:-1]:
        response = json.loads(line)
        if "error_type" in response:
            assert set(response) == {"error_type", "error_message"}, line[:200]
            assert response["error_type"] in ERRORS, line[:200]
            yield response["error_type"]
        else:
            yield RESULTS[tuple(response)]


def begin(connect: Connect) -> Poll:
    """Begin a game; the players poll its state in turn."""
    clients = [connect().makefile("rwb") for _ in range(2)]

    def ask(client: socket.SocketIO, **fields: Any) -> dict[str, Any]:
        client.write(json.dumps(fields).encode())
        client.flush()
        response: dict[str, Any] = json.loads(client.readline())
        return response

    tokens = [ask(each, action=JOIN, tournament_id="honest")["user_token"] for each in clients]

    def poll() -> None:
        clients.reverse()
        response = ask(clients[0], action="get_state", user_token=tokens[0])
        assert len(response["current_state"]["players"]) == 2

    return poll


FISH = FuzzedDialect(
    options=("--fish", "--fish-clock", "3600"),
    port="fish",
    is_tls=False,
    request=request,
    farewell=b"",
    id_pattern=re.compile(rb'"user_token":"([0-9a-f]{32})"'),
    read_codes=read_codes,
    usual_codes=frozenset(
        {"token", "game over", "Tournament_Error", "Incorrect_Token", "Unknown_Action"}
    ),
    begin=begin,
)
