"""A stream of bytes, cut into lines."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.errors import WireError
from tabnet.protocol.line_splitter import MAX_LINE, Lines, is_web_request

FINE, TOO_LONG = "", "line_too_long"


def pieces_of(stream: bytes, cuts: list[int]) -> list[bytes]:
    ends = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    return [stream[start:end] for start, end in itertools.pairwise(ends)]


def read(lines: Lines, pieces: list[bytes]) -> tuple[list[bytes], str]:
    """Return the lines, and the code of the error that ended them."""
    out: list[bytes] = []
    try:
        for piece in pieces:
            for line in lines.feed(piece):
                out.append(line)  # noqa: PERF402 - what came before an error counts
    except WireError as error:
        return out, error.code
    return out, FINE


def naive(stream: bytes, limit: int) -> tuple[list[bytes], str]:
    """The same by definition: split everything at once, then look at the lengths."""
    *whole, rest = stream.split(b"\n")
    fitting = list(itertools.takewhile(lambda line: len(line) + 1 <= limit, whole))
    too_long = len(fitting) < len(whole) or len(rest) >= limit
    lines = [line.removesuffix(b"\r") for line in fitting]
    return lines, TOO_LONG if too_long else FINE


streams = st.lists(st.binary(max_size=6) | st.sampled_from([b"\n", b"\r\n", b"\r"])).map(b"".join)
cuts = st.lists(st.integers(0, 1000))


@given(streams, cuts, st.integers(1, 12) | st.just(MAX_LINE))
def test_any_split_of_a_stream_gives_the_same_lines_up_to_the_limit(
    stream: bytes, cuts: list[int], limit: int
) -> None:
    assert read(Lines(limit), pieces_of(stream, cuts)) == naive(stream, limit)


@pytest.mark.parametrize(
    ("stream", "lines"),
    [
        (b"", []),
        (b"one\ntwo\n", [b"one", b"two"]),
        (b"one\r\ntwo\r\n", [b"one", b"two"]),
        (b"one\r\r\n", [b"one\r"]),
        (b"a\rb\n", [b"a\rb"]),
        (b"\n\r\n\n", [b"", b"", b""]),
        (b"no end", []),
        (b"\xff\x00\n", [b"\xff\x00"]),
    ],
)
def test_lines_end_with_lf_or_crlf(stream: bytes, lines: list[bytes]) -> None:
    assert list(Lines().feed(stream)) == lines


@given(streams, cuts, st.integers(1, 12))
def test_one_whole_line_is_found_without_collecting_it(
    stream: bytes, cuts: list[int], limit: int
) -> None:
    lines, consumed = Lines(limit), b""
    for piece in pieces_of(stream, cuts):
        is_at_start = not consumed or consumed.endswith(b"\n")
        only_line = lines.get_only_line(piece)
        try:
            collected = list(lines.feed(piece))
        except WireError:
            break
        is_whole_line = piece.endswith(b"\n") and piece.count(b"\n") == 1
        assert only_line == (collected[0] if is_at_start and is_whole_line else None)
        consumed += piece


def test_lines_of_a_bytearray_are_bytes() -> None:
    lines = list(Lines().feed(bytearray(b"one\ntwo\n")))
    assert lines == [b"one", b"two"]
    assert [type(line) for line in lines] == [bytes, bytes]


def test_a_line_may_have_64_kib() -> None:
    fits = b"x" * (64 * 1024 - 1)
    assert list(Lines().feed(fits + b"\n")) == [fits]
    assert read(Lines(), [fits + b"x\n"]) == ([], TOO_LONG)


def test_the_refusal_of_a_long_line_names_the_limit() -> None:
    with pytest.raises(WireError) as caught:
        list(Lines(8).feed(b"123456789"))
    assert caught.value.code == "line_too_long"
    assert caught.value.text == "a line may have 8 bytes at most, its end included"
    assert caught.value.hint == "end each command with a newline"


class CountingBuffer(bytearray):
    """A buffer that counts the bytes it has been searched through."""

    searched = 0

    def find(self, what: Any, start: Any = 0, end: Any = None) -> int:
        found = super().find(what, start, len(self) if end is None else end)
        self.searched += (len(self) if found < 0 else found + 1) - start
        return found


def lines_with_counted_searches() -> tuple[Lines, CountingBuffer]:
    lines, buffer = Lines(), CountingBuffer()
    lines._buffer = buffer
    return lines, buffer


@given(streams, cuts)
def test_every_byte_is_searched_at_most_once(stream: bytes, cuts: list[int]) -> None:
    lines, buffer = lines_with_counted_searches()
    read(lines, pieces_of(stream, cuts))
    assert buffer.searched <= len(stream)


def test_returned_lines_leave_the_buffer() -> None:
    lines = Lines()
    for _ in range(100):
        assert len(list(lines.feed(b"x" * 999 + b"\n" + b"half"))) == 1
        assert list(lines.feed(b"\n")) == [b"half"]
    assert lines._buffer == b""


@pytest.mark.parametrize(
    "line",
    [
        b"GET / HTTP/1.1",
        b"GET / HTTP/1.1\r",
        b"POST /v1?a={} HTTP/1.0",
        b"get / http/1.1",
        b"OPTIONS * HTTP/1.1",
        b"CONNECT 127.0.0.1:45679 HTTP/1.1",
        b"PRI * HTTP/2.0",
        b"POST http://127.0.0.1:45679/ HTTP/1.1",
        b"M-SEARCH!~ / HTTP/1.1",
        b"POST /cut/off",
        b"GET https://cut.off/",
        b"GET / HT",
        b" \tGET \t / HTTP/1.1",
        b"GET x\xff HTTP/1.1",
        b"\x16\x03\x01\x02\x00\x01",
    ],
)
def test_the_first_line_of_a_browser_request_is_recognised(line: bytes) -> None:
    assert is_web_request(line)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b"hello world",
        b"GET_STATE",
        b"JOIN 550e8400-e29b-41d4-a716-446655440000 550e8400-e29b-41d4-a716-446655440001",
        b"MOVE c3 d4",
        b'{"cmd":"ping"}',
        b'{"cmd":"ping","id":"GET / HTTP/1.1"}',
        b'{ "cmd" : "ping" , "id" : " / HTTP/1.1" }',
        b"\xff\xfe",
    ],
)
def test_commands_and_typing_errors_are_not_browser_requests(line: bytes) -> None:
    assert not is_web_request(line)
