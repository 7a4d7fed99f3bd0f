"""What is answered over HTTP: a status, headers, a body. Pure."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import orjson
from attrs import frozen

CREDENTIALS = ("wrong_password", "not_registered", "banned", "who_are_you", "bad_token")
OWN_STATUS = {
    "line_too_long": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "stopping": HTTPStatus.SERVICE_UNAVAILABLE,
    "server_error": HTTPStatus.INTERNAL_SERVER_ERROR,
}

CORS = (("Access-Control-Allow-Origin", "*"),)
"""Any page may ask: there are no cookies, so none can use a right that it was not given."""
PREFLIGHT = (
    ("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
    ("Access-Control-Allow-Headers", "*, Authorization"),
    ("Access-Control-Max-Age", "86400"),
)
FRESH = (("Cache-Control", "no-store"),)


@frozen
class Answer:
    """A response, but for what belongs to its connection."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


def status_of(code: str, retry_after: int | None = None) -> int:
    """The status that tells a refusal: 429 if it is for asking too much, 401 for who asks."""
    if retry_after is not None:
        return HTTPStatus.TOO_MANY_REQUESTS
    if code in CREDENTIALS:
        return HTTPStatus.UNAUTHORIZED
    return OWN_STATUS.get(code, HTTPStatus.BAD_REQUEST)


def json_answer(status: int, body: bytes, retry_after: int | None = None) -> Answer:
    """JSON that a page from anywhere may read."""
    later = () if retry_after is None else (("Retry-After", str(retry_after)),)
    kind = ("Content-Type", "application/json")
    return Answer(status, (kind, *FRESH, *CORS, *later), body)


def problem(status: int, error: str, **headers: str) -> Answer:
    """What is wrong with a request as such."""
    answer = json_answer(status, orjson.dumps({"error": error}))
    more = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(status, answer.headers + more, answer.body)


def native(line: bytes) -> Answer:
    """A reply of the protocol, as it is."""
    reply: dict[str, Any] = orjson.loads(line)
    if "error" not in reply:
        return json_answer(HTTPStatus.OK, line)
    later = reply.get("retry_after")
    return json_answer(status_of(reply["code"], later), line, later)


def preflight() -> Answer:
    """What a page from elsewhere may send."""
    return Answer(HTTPStatus.NO_CONTENT, CORS + PREFLIGHT)
