"""Responses over HTTP: a status, headers and a body. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import TypeAlias

import orjson
from attrs import frozen

from tabnet.protocol import codec
from tabnet.protocol.frames import Bye, Failed, Hello, Reply

CREDENTIALS = (
    *("wrong_password", "password_changed", "not_registered", "banned"),
    *("who_are_you", "bad_token"),
)
OWN_STATUS = {
    "line_too_long": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "stopping": HTTPStatus.SERVICE_UNAVAILABLE,
    "server_error": HTTPStatus.INTERNAL_SERVER_ERROR,
}

PREFLIGHT = (
    ("Access-Control-Allow-Headers", "*, Authorization"),
    ("Access-Control-Max-Age", "86400"),
)
FRESH = (("Cache-Control", "no-store"),)


ResponseHeaders: TypeAlias = tuple[tuple[str, str], ...]


@frozen
class Response:
    """A response, without the headers that belong to its connection."""

    status: int
    headers: ResponseHeaders = ()
    body: bytes = b""


def find_status(code: str, retry_after: int | None = None) -> int:
    """Return the status for an error: 429 if it can be tried again later, 401 for credentials."""
    if retry_after is not None:
        return HTTPStatus.TOO_MANY_REQUESTS
    if code in CREDENTIALS:
        return HTTPStatus.UNAUTHORIZED
    return OWN_STATUS.get(code, HTTPStatus.BAD_REQUEST)


def make_json_response(status: int, body: bytes, retry_after: int | None = None) -> Response:
    """Return a response in JSON."""
    later = () if retry_after is None else (("Retry-After", str(retry_after)),)
    content_type = ("Content-Type", "application/json")
    return Response(status, (content_type, *FRESH, *later), body)


def make_error_response(status: int, text: str, field: str = "error", **headers: str) -> Response:
    """Return the response to a request that is no valid command, with the text in this field."""
    response = make_json_response(status, orjson.dumps({field: text}))
    more = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(status, response.headers + more, response.body)


def make_native_response(reply: Hello | Reply) -> Response:
    """Return a frame of the protocol as it is."""
    body = codec.encode(reply)
    if not isinstance(reply, Failed):
        return make_json_response(HTTPStatus.OK, body)
    return make_json_response(find_status(reply.code, reply.retry_after), body, reply.retry_after)


def make_bye_response(bye: Bye, field: str = "error") -> Response:
    """Return the response to a request that gets no reply any more."""
    return make_error_response(find_status(bye.code), bye.reason, field)


def make_preflight_response(methods: Iterable[str]) -> Response:
    """Return the response to a preflight request of a page of another origin."""
    allowed = ("Access-Control-Allow-Methods", ", ".join(methods))
    return Response(HTTPStatus.NO_CONTENT, (allowed, *PREFLIGHT))
