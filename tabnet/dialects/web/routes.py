"""Which request means what: a command to ask, a game to follow, or what is answered. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from attrs import frozen

from tabnet.dialects.web import sse as events
from tabnet.dialects.web import tab_api as seed_api
from tabnet.dialects.web.responses import Answer, native, preflight, problem
from tabnet.errors import WireError, cut
from tabnet.protocol import codec
from tabnet.protocol.frames import Failed
from tabnet.protocol.messages import Command, Quit, Update

Files: TypeAlias = Mapping[str, Answer]
"""Path -> what is there."""

LONGEST_NUMBER = 18
"""As many digits as an integer of 64 bits has whatever they are."""


@frozen
class Request:
    """One request, as far as anybody looks at it."""

    method: str
    target: str
    headers: dict[str, str]
    """Their names in lower case."""
    body: bytes = b""

    @property
    def path(self) -> str:
        """The path alone; a slash too much is no matter."""
        return "/" + self.target.partition("?")[0].strip("/")

    @property
    def query(self) -> dict[str, str]:
        """The last value of each field."""
        fields = parse_qs(self.target.partition("?")[2], keep_blank_values=True)
        return {name: values[-1] for name, values in fields.items()}


@frozen
class Ask:
    """A command for the service, and how its reply is told."""

    command: Command | Failed
    answer: Callable[[bytes], Answer]


@frozen
class Follow:
    """A game to follow, and how its frames are told."""

    command: Update | Failed
    event: events.Maker
    refusal: Callable[[bytes], Answer]
    again: bool = False
    """It goes on with a stream that was lost."""
    nick: str | None = None
    """Who is there, as the original API says it: without a password."""


@frozen
class Greet:
    """What the server says first over other doors."""


Meaning: TypeAlias = Ask | Follow | Greet | Answer


def route(request: Request, files: Files) -> Meaning:
    """What is asked for."""
    methods = API.get(request.path)
    if methods is None:
        return _file(request, files)
    if request.method == "OPTIONS":
        return preflight()
    if request.method not in methods:
        return _wrong_method(request, [*methods, "OPTIONS"])
    return methods[request.method](request)


def _file(request: Request, files: Files) -> Answer:
    found = files.get(request.path)
    if found is None:
        return problem(HTTPStatus.NOT_FOUND, f"there is nothing at {cut(request.path)}")
    if request.method not in ("GET", "HEAD"):
        return _wrong_method(request, ["GET", "HEAD"])
    headers = dict(found.headers)
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Answer(HTTPStatus.NOT_MODIFIED, found.headers)
    return found


def _wrong_method(request: Request, methods: list[str]) -> Answer:
    right = ", ".join(methods)
    text = f"{cut(request.method)} is not for {request.path}: {right}"
    return problem(HTTPStatus.METHOD_NOT_ALLOWED, text, Allow=right)


def _seed(cmd: str, request: Request) -> Ask:
    return Ask(seed_api.command(cmd, request.body), seed_api.answer)


def _native(request: Request) -> Ask:
    command = codec.decode(request.body)
    if isinstance(command, Update | Quit):
        error = WireError(
            "needs_connection",
            f"{command.cmd} makes no sense over HTTP, where no connection stays",
            field="cmd",
            hint="GET /v1/updates follows a game" if isinstance(command, Update) else None,
        )
        command = codec.refusal(error, command.cmd, command.id)
    return Ask(command, native)


def _seed_updates(request: Request) -> Follow:
    query = request.query
    command = _update(request, {"game": query.get("game")})
    return Follow(command, events.seed_event, seed_api.answer, _seen(request), query.get("nick"))


def _native_updates(request: Request) -> Follow:
    query = request.query
    fields = {name: query.get(name) for name in ("game", "since", "token")}
    return Follow(_update(request, fields), events.native_event, native, _seen(request))


def _update(request: Request, texts: dict[str, str | None]) -> Update | Failed:
    """What to follow; what a stream that was lost has seen last outranks where it began."""
    fields: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
    if _seen(request):
        fields["since"] = request.headers["last-event-id"]
    if _is_number(fields.get("since", "")):
        fields["since"] = int(fields["since"])
    try:
        if "game" not in fields:
            raise WireError("undefined_field", "undefined game", field="game")
        update: Update = codec.command_from({"cmd": Update.cmd, **fields})  # type: ignore[assignment]
    except WireError as error:
        return codec.refusal(error, Update.cmd)
    return update


def _seen(request: Request) -> bool:
    return _is_number(request.headers.get("last-event-id", ""))


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= LONGEST_NUMBER


API: dict[str, dict[str, Callable[[Request], Meaning]]] = {
    **{f"/{cmd}": {"POST": partial(_seed, cmd)} for cmd in seed_api.FIELDS},
    "/update": {"GET": _seed_updates},
    "/v1": {"GET": lambda _: Greet(), "POST": _native},
    "/v1/updates": {"GET": _native_updates},
}
