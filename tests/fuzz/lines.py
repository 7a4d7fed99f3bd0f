"""Bytes for a server and for a client to read, and what must come of them whatever they are."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st

from tabnet.errors import WireError
from tabnet.protocol.codec import decode, decode_frame, encode, encode_command
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.frames import Failed, Frame
from tabnet.protocol.help_reply import describe_fields
from tabnet.protocol.line_splitter import MAX_LINE, Lines
from tabnet.protocol.messages import COMMANDS, Command
from tests.protocol.strategies import (
    FIELD_NAMES,
    any_command,
    any_frame,
    every_command,
    json_values,
    texts,
)
from tests.server.pure import JSON, PASSWORDS, Referee

TOO_LONG_S = 1.0
"""A time that only a quadratic algorithm exceeds; a linear one needs a thousandth of it."""

seeds = st.integers(0, 2**32)


# Bytes


def mutated(data: bytes, seed: int) -> bytes:
    """Some of it replaced, removed, doubled, or moved."""
    luck, mutant = random.Random(seed), bytearray(data)
    for _ in range(luck.randrange(1, 6)):
        at = luck.randrange(len(mutant) + 1)
        upto = min(len(mutant), at + luck.choice([0, 1, 1, 2, 8]))
        piece = mutant[at:upto]
        mutant[at:upto] = luck.choice(
            [b"", piece * 2, luck.randbytes(1), luck.choice(TOKENS), piece[::-1]]
        )
    return bytes(mutant)


TOKENS = [
    *(b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"\n", b"\r\n", b"\0", b"\xff", b" "),
    *(b"null", b"true", b"NaN", b"-", b"1e999", b"0.5", b"9" * 30, b"\\u0000", b"\\ud800"),
    *(b'"cmd":', b'"id":', b"{}", b"[]", b'{"cmd":"ping"}', "é".encode(), "\u2028".encode()),
]

commands = any_command.map(encode_command)
frames = any_frame.map(encode)
streams = st.lists(
    st.binary(max_size=60) | commands | st.builds(mutated, commands, seeds), max_size=8
).map(b"\n".join)
monotone = st.builds(
    lambda head, piece, tail: head + piece * (MAX_LINE // len(piece)) + tail,
    st.sampled_from([b"", *TOKENS]),
    st.sampled_from(TOKENS) | st.binary(min_size=1, max_size=6),
    st.sampled_from([b"", *TOKENS]),
).map(lambda line: line.replace(b"\n", b"")[: MAX_LINE - 1])
"""The longest lines there may be, which say the same again and again."""


def check_answered(line: bytes) -> None:
    """A line is a command, or a refusal that says why; and that soon."""
    start = time.thread_time()
    answer = decode(line)
    assert time.thread_time() - start < TOO_LONG_S
    if isinstance(answer, Failed):
        assert answer.code in CODES
        assert encode(answer).count(b"\n") == 1
        assert len(encode(answer)) < 4096
    else:
        assert isinstance(answer, Command)
        assert decode(encode_command(answer).rstrip(b"\n")) == answer


def check_frame(line: bytes) -> None:
    """A line is a frame, or refused."""
    start = time.thread_time()
    with suppress(WireError):
        assert isinstance(decode_frame(line), Frame)
    assert time.thread_time() - start < TOO_LONG_S


def an_arbitrary_stream_is_split_and_answered(stream: bytes, cuts: list[int]) -> None:
    lines, start = Lines(), 0
    for cut in [*sorted(cuts), len(stream)]:
        for line in lines.feed(stream[start:cut]):
            check_answered(line)
        start = max(start, cut)


def a_mutated_command_gets_a_response(line: bytes) -> None:
    check_answered(line)


def a_line_of_maximum_length_gets_a_prompt_response(line: bytes) -> None:
    check_answered(line)
    check_frame(line)


def a_mutated_frame_is_a_frame_or_refused(line: bytes) -> None:
    check_frame(line)


# JSON


class Busy:
    """A referee with games of every sort, its people, and values that mean something to it.

    Each is like every other one, so that what is known of one holds for all.
    """

    def __init__(self) -> None:
        self.referee = referee = Referee("busy")
        zp, jpleal, guest, spectator = referee.login("zp"), referee.login("jpleal"), 0, 0
        guest, spectator = referee.connect(), referee.connect()
        self.people = [zp, jpleal, guest, spectator]
        tab, salted = {"group": 99, "size": 7}, {"group": 1, "size": 9, "salt_hash": SALT_HASH}
        draughts: JSON = {"kind": "draughts"}
        wanted = [(zp, draughts), (jpleal, draughts), (zp, salted), (jpleal, salted), (zp, tab)]
        wanted += [(guest, tab), (jpleal, tab), (zp, {**tab, "private": True})]
        joined = [referee.say(session, "join", **terms) for session, terms in wanted]
        games = [reply["game"] for reply in joined]
        referee.say(zp, "leave", game=games[0])
        for session in (zp, guest):
            referee.say(session, "roll", game=games[4])
        self.known: dict[str, list[Any]] = {
            "game": [*dict.fromkeys(games)],
            "again": [*dict.fromkeys(games)],
            "token": [reply["token"] for reply in joined],
            "invite": [joined[-1]["invite"]],
            "nick": [*PASSWORDS, joined[5]["nick"], "nobody"],
            "player": [*PASSWORDS, joined[5]["nick"]],
            "password": [*PASSWORDS.values()],
            "kind": ["tab", "draughts", "fish", "plakoto"],
            "rows": [5],
            "cols": [5],
            "group": [1, 99],
            "size": [7, 9],
            "clock": [{"move": 120}, {"total": 600, "increment": 1}],
            "seat": [0, 1],
            "auto": [True, False],
            "strict": [False],
            "private": [True, False],
            "salt_hash": [SALT_HASH],
            "salt": [SALT],
            "offer": [True, False],
            "since": [0, 1, 2],
            "cell": [5, 6, 20],
            "to": [7],
            "route": [["c3", "d4"], ["a1"]],
            "command": ["roll", "pass", "notify"],
            "about": every_command,
            "text": [True],
        }


SALT = "00" * 16
SALT_HASH = hashlib.sha256(b"tabnet-salt-1" + bytes(16)).hexdigest()


def known(values: dict[str, list[Any]]) -> st.SearchStrategy[JSON]:
    """Fields of a command, some with a value that fits, some with any."""
    any_value = json_values | st.sampled_from([2**63, -(2**63) - 1, 1e308, "x" * 300, [[]] * 40])
    fields = {
        name: st.sampled_from(values[name]) | any_value if name in values else any_value
        for name in FIELD_NAMES
    }
    return st.sampled_from(every_command).flatmap(
        lambda cmd: st.fixed_dictionaries(
            {"cmd": st.just(cmd)},
            optional={
                name: fields[name] for name in [*describe_fields(COMMANDS[cmd]), "cell", "nick"]
            },
        )
    )


objects = st.deferred(lambda: known(Busy().known)) | st.dictionaries(texts, json_values, max_size=4)


def arbitrary_json_gets_one_response_and_a_refusal_changes_nothing(
    said: list[tuple[int, JSON]],
) -> None:
    busy = Busy()
    referee = busy.referee
    for who, value in said:
        line = json.dumps(value).encode()
        check_answered(line)
        before, kept = referee.picture(), len(referee.rows)
        reply = referee.send(busy.people[who], line)
        if "error" in reply:
            assert referee.picture() == before
            assert len(referee.rows) == kept
            assert reply["code"] in CODES


PROPERTIES: dict[Callable[..., None], tuple[st.SearchStrategy[Any], ...]] = {
    an_arbitrary_stream_is_split_and_answered: (
        streams,
        st.lists(st.integers(0, 500), max_size=6),
    ),
    a_mutated_command_gets_a_response: (st.builds(mutated, commands, seeds),),
    a_line_of_maximum_length_gets_a_prompt_response: (monotone,),
    a_mutated_frame_is_a_frame_or_refused: (
        st.binary(max_size=80) | st.builds(mutated, frames, seeds),
    ),
    arbitrary_json_gets_one_response_and_a_refusal_changes_nothing: (
        st.lists(st.tuples(st.integers(0, 3), objects), max_size=8),
    ),
}
"""The properties, with the examples that they are checked for."""
