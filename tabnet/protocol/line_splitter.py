"""Splitting a stream of bytes into lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import define, field

from tabnet.errors import WireError

MAX_LINE = 64 * 1024
"""The greatest length of a line, its end included; every command is far shorter."""

WEB_REQUEST = re.compile(
    rb"\s*[!#$%&'*+.^_`|~0-9A-Z-]+[ \t]+(/|https?://|\S+[ \t]+HTTP/)|\x16\x03", re.IGNORECASE
)
"""The start of an HTTP request or of a TLS handshake.

A request line has a method, a target and a version. A line that is cut off after its path matches.
"""


def is_web_request(first_line: bytes) -> bool:
    """Return whether the first line of a connection comes from a browser.

    A web page can make a browser connect to any port, and decides what the later lines are: the
    headers, the body, or the data of a TLS session. A dialect in lines must execute none of them.
    """
    return WEB_REQUEST.match(first_line) is not None


@define
class Lines:
    """Collects bytes and returns whole lines, without their LF or CRLF.

    Each byte is searched only once, however small the pieces are.
    """

    limit: int = MAX_LINE
    _buffer: bytearray = field(factory=bytearray, init=False)
    _searched: int = field(default=0, init=False)

    def feed(self, data: bytes | bytearray) -> Iterable[bytes]:
        """Return the complete lines; iterating raises `WireError` at one that is too long."""
        if not self._buffer and data.endswith(b"\n") and len(data) <= self.limit:
            lines = bytes(data[:-1]).split(b"\n")  # most often, whole lines come
            return [line.removesuffix(b"\r") for line in lines] if b"\r" in data else lines
        return self._feed_buffer(data)

    def get_only_line(self, data: bytes) -> bytes | None:
        """Return the line if the data is one whole line, else None; nothing is collected."""
        is_whole = data.endswith(b"\n") and data.find(b"\n") == len(data) - 1
        if not is_whole or self._buffer or len(data) > self.limit:
            return None
        return data[:-1].removesuffix(b"\r")

    def _feed_buffer(self, data: bytes | bytearray) -> Iterator[bytes]:
        self._buffer += data
        start = 0
        while (end := self._buffer.find(b"\n", max(start, self._searched))) >= 0:
            if end - start >= self.limit:
                raise self._make_too_long_error()
            line = bytes(self._buffer[start:end])
            start = end + 1
            yield line.removesuffix(b"\r")
        del self._buffer[:start]
        self._searched = len(self._buffer)
        if self._searched >= self.limit:
            raise self._make_too_long_error()

    def _make_too_long_error(self) -> WireError:
        return WireError(
            "line_too_long",
            f"a line may have {self.limit} bytes at most, its end included",
            hint="end each command with a newline",
        )
