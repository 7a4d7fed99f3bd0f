"""Routes each request: to a command, to the stream of a game, or to a response at once. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, TypeAlias

from attrs import frozen

from tabnet.dialects.plakoto_rest.handlers import Handler, find_handlers
from tabnet.dialects.plakoto_rest.requests import is_own
from tabnet.dialects.plakoto_rest.responses import ERROR_FIELD
from tabnet.dialects.plakoto_rest.room_request import RestRooms
from tabnet.dialects.web import tab_api
from tabnet.dialects.web.http_request import HttpRequest
from tabnet.dialects.web.request_checks import Audience
from tabnet.dialects.web.responses import (
    Response,
    make_error_response,
    make_native_response,
    make_preflight_response,
)
from tabnet.dialects.web.sse import encode_event
from tabnet.errors import WireError, shorten
from tabnet.protocol import codec
from tabnet.protocol.frames import Failed, Frame, Reply
from tabnet.protocol.messages import Command, Quit, Update

Files: TypeAlias = Mapping[str, Response]
"""The response for each path of a file."""

MAX_DIGITS = 18
"""Every number of so many digits fits into 64 bits."""


@frozen
class Execute:
    """A command for the service."""

    command: Command | Failed
    to_response: Callable[[Reply], Response]


@frozen
class Follow:
    """A game to follow as server-sent events."""

    command: Update | Failed
    encoder: Callable[[Frame], bytes | None]
    to_response: Callable[[Reply], Response]
    """Makes the response to a refusal."""
    resumes: bool = False
    """The client continues a stream whose connection was lost."""
    nick: str | None = None
    """The nick that a client of the original API claims, without a password."""


@frozen
class Greet:
    """The `hello` of line-based ports."""


@frozen
class ShowHealth:
    """The state of the server, for supervisors and proxies."""


@frozen
class ShowMetrics:
    """The numbers of the server, for its operator."""


@frozen
class RunHandler:
    """A request that may take several commands; each may depend on the replies before it."""

    begin: Callable[[RestRooms], Handler]


Routed: TypeAlias = Execute | Follow | Greet | ShowHealth | ShowMetrics | RunHandler | Response


@frozen
class Route:
    """A path of an API: the methods that it takes, and the pages that may use it."""

    methods: Mapping[str, Callable[[HttpRequest], Routed]]
    audience: Audience = Audience.OWN_PAGES
    preflight: Iterable[str] = ("GET", "POST", "OPTIONS")
    """The methods that the response to a preflight request names."""
    error_field: str = "error"
    """The field of an error's text."""
    refusal_status: int | None = None
    """The status of every refused request, whatever the reason; None for one that tells it."""


def find_route(path: str) -> Route | None:
    """Return the route of a path; None for a file. A route without methods does not exist."""
    if not is_own(path):
        return API.get(path)
    handlers = find_handlers(path)
    methods = {method: partial(_run_handler, handler) for method, handler in handlers.items()}
    return Route(
        methods, Audience.ANY_PAGE, [*methods, "OPTIONS"], ERROR_FIELD, HTTPStatus.BAD_REQUEST
    )


def find_audience(request: HttpRequest) -> Audience:
    """Return which pages may send a request."""
    found = find_route(request.path)
    return Audience.VISITORS if found is None else found.audience


def route_request(request: HttpRequest, files: Files) -> Routed:
    """Return what a request asks for."""
    found = find_route(request.path)
    if found is None:
        return _respond_with_file(request, files)
    if not found.methods:
        return _refuse_path(request)
    if request.method == "OPTIONS":
        return make_preflight_response(found.preflight)
    if request.method not in found.methods:
        return _refuse_method(request, [*found.methods, "OPTIONS"])
    return found.methods[request.method](request)


def find_error_field(request: HttpRequest) -> str:
    """Return the field in which the clients of a path read the text of an error."""
    found = find_route(request.path)
    return "error" if found is None else found.error_field


def refuse(request: HttpRequest, status: int, text: str, **headers: str) -> Response:
    """Return the response to a request that is no valid command, or that costs too much."""
    found = find_route(request.path)
    if found is not None and found.refusal_status is not None:
        status = found.refusal_status
    return make_error_response(status, text, find_error_field(request), **headers)


def _respond_with_file(request: HttpRequest, files: Files) -> Response:
    file = files.get(request.path)
    if file is None:
        return _refuse_path(request)
    if request.method not in ("GET", "HEAD"):
        return _refuse_method(request, ["GET", "HEAD"])
    if dict(file.headers)["ETag"] in request.headers.get("if-none-match", ""):
        return Response(HTTPStatus.NOT_MODIFIED, file.headers)
    return file


def _refuse_path(request: HttpRequest) -> Response:
    text = f"there is nothing at {shorten(request.path)}"
    return make_error_response(HTTPStatus.NOT_FOUND, text, find_error_field(request))


def _refuse_method(request: HttpRequest, methods: list[str]) -> Response:
    allowed = ", ".join(methods)
    text = f"{shorten(request.method)} is not for {shorten(request.path)}: {allowed}"
    field = find_error_field(request)
    return make_error_response(HTTPStatus.METHOD_NOT_ALLOWED, text, field, Allow=allowed)


def _read_original_command(cmd: str, request: HttpRequest) -> Execute:
    return Execute(tab_api.read_command(cmd, request.body), tab_api.make_response)


def _run_handler(
    begin: Callable[[HttpRequest, RestRooms], Handler], request: HttpRequest
) -> RunHandler:
    return RunHandler(partial(begin, request))


def _read_native_command(request: HttpRequest) -> Execute:
    command = codec.decode(request.body)
    if isinstance(command, Update | Quit):
        error = WireError(
            "needs_connection",
            f"{command.cmd} makes no sense over HTTP, where no connection stays",
            field="cmd",
            hint="GET /v1/updates follows a game" if isinstance(command, Update) else None,
        )
        command = codec.make_refusal(error, command.cmd, command.id)
    return Execute(command, make_native_response)


def _follow_original(request: HttpRequest) -> Follow:
    query = request.query
    command = _read_update(request, {"game": query.get("game")})
    return Follow(
        command,
        tab_api.encode_update,
        tab_api.make_response,
        _is_resumed(request),
        query.get("nick"),
    )


def _follow_native(request: HttpRequest) -> Follow:
    query = request.query
    fields = {name: query.get(name) for name in ("game", "since", "token", "feed")}
    return Follow(
        _read_update(request, fields), encode_event, make_native_response, _is_resumed(request)
    )


def _read_update(request: HttpRequest, texts: dict[str, str | None]) -> Update | Failed:
    """Return the command of a stream; a continued stream begins after its last event."""
    fields: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
    if _is_resumed(request):
        fields["since"] = request.headers["last-event-id"]
    if _is_number(fields.get("since", "")):
        fields["since"] = int(fields["since"])
    try:
        if "game" not in fields:
            raise WireError("undefined_field", "undefined game", field="game")
        update: Update = codec.build_command({"cmd": Update.cmd, **fields})  # type: ignore[assignment]
    except WireError as error:
        return codec.make_refusal(error, Update.cmd)
    return update


def _is_resumed(request: HttpRequest) -> bool:
    return _is_number(request.headers.get("last-event-id", ""))


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= MAX_DIGITS


def _show(shown: ShowHealth | ShowMetrics, audience: Audience) -> Route:
    methods: dict[str, Callable[[HttpRequest], Routed]] = {
        method: lambda _: shown for method in ("GET", "HEAD")
    }
    return Route(methods, audience, [*methods, "OPTIONS"])


HEALTH, METRICS = "/health", "/metrics"

API: dict[str, Route] = {
    **{
        f"/{cmd}": Route({"POST": partial(_read_original_command, cmd)}, Audience.ANY_PAGE)
        for cmd in tab_api.FIELDS
    },
    "/update": Route({"GET": _follow_original}, Audience.ANY_PAGE),
    "/v1": Route({"GET": lambda _: Greet(), "POST": _read_native_command}),
    "/v1/updates": Route({"GET": _follow_native}),
    HEALTH: _show(ShowHealth(), Audience.ANY_PAGE),
    METRICS: _show(ShowMetrics(), Audience.OWN_PAGES),
}
