"""Splits a stream of bytes into JSON objects, and reads them. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import orjson
from attrs import define, field

from tabnet.errors import WireError
from tabnet.protocol.codec import MAX_DEPTH
from tabnet.protocol.line_splitter import MAX_LINE

WHITE_SPACE = b" \t\r\n"
FLAT_OBJECT = re.compile(rb'\{(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+\}', re.DOTALL)
"""An object without objects and lists inside, as nearly every request is."""
OUTSIDE_STRINGS = re.compile(rb'["{}\[\]]')
INSIDE_STRING = re.compile(rb'["\\]')
LONG_NUMBER = re.compile(rb"\d{19}")
MAX_DIGITS = 64
"""The digits of an integer that is read exactly."""


@define
class JsonObjects:
    """Collects bytes and returns whole JSON objects; between them only white space is allowed.

    A byte is searched at most twice, however small the pieces are.
    """

    limit: int = MAX_LINE
    _buffer: bytearray = field(factory=bytearray, init=False)
    _searched: int = field(default=0, init=False)
    _depth: int = field(default=0, init=False)
    """The number of open brackets; 0 before an object."""
    _in_string: bool = field(default=False, init=False)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the complete objects; raise `WireError` for anything else, and beyond a limit."""
        self._buffer += data
        while self._depth or self._begins_object():
            end = self._end_of_object()
            if (len(self._buffer) + 1 if end is None else end) > self.limit:
                text = f"a request may have {self.limit} bytes at most"
                raise WireError("line_too_long", text)
            if end is None:
                return
            yield bytes(self._buffer[:end])
            del self._buffer[:end]

    def _begins_object(self) -> bool:
        """Remove white space; return True if there is the begin of an object after it."""
        buffer, start = self._buffer, 0
        while start < len(buffer) and buffer[start] in WHITE_SPACE:
            start += 1
        del buffer[:start]
        if buffer and not buffer.startswith(b"{"):
            raise WireError("not_object", "a request is a JSON object: it begins with {")
        self._searched, self._in_string = 0, False
        return bool(buffer)

    def _end_of_object(self) -> int | None:
        """Return the length of the first object, or None if it is not complete."""
        buffer, at, depth, in_string = self._buffer, self._searched, self._depth, self._in_string
        if not depth and (flat := FLAT_OBJECT.match(buffer)):
            return flat.end()
        while token := (INSIDE_STRING if in_string else OUTSIDE_STRINGS).search(buffer, at):
            at = token.end()
            if token[0] == b'"':
                in_string = not in_string
            elif token[0] == b"\\":
                at += 1
            elif token[0] in b"{[":
                depth += 1
                if depth > MAX_DEPTH:
                    text = f"JSON may be nested {MAX_DEPTH} levels deep at most"
                    raise WireError("too_deep", text)
            else:
                depth -= 1
                if not depth:
                    self._depth = 0
                    return at
        self._searched, self._depth, self._in_string = max(at, len(buffer)), depth, in_string
        return None


def read_object(data: bytes) -> dict[str, Any]:
    """Return the JSON object; raise `WireError` if it is not JSON. The last of equal keys counts.

    Unlike orjson, read a long integer exactly: it can be the id of a tournament.
    """
    try:
        value: dict[str, Any] = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise WireError("not_json", f"this is not JSON: {error.msg}") from None
    if LONG_NUMBER.search(data):
        value = _EXACT.decode(data.decode())
    return value


def _integer(digits: str) -> int | float:
    """Return an integer, as a float if it has more digits than any value may have."""
    return int(digits) if len(digits) <= MAX_DIGITS else float(digits)


_EXACT = json.JSONDecoder(parse_int=_integer)
