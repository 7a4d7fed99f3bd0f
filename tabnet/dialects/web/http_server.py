"""HTTP connections, from their first request to their last byte.

A request is a command in a session of its own; a stream is a session that follows one game. They
have the limits of every other connection.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus

import trio
from attrs import Factory, field, frozen

from tabnet.dialects.json_lines import build_hello
from tabnet.dialects.plakoto_rest.responses import ERROR_FIELD
from tabnet.dialects.plakoto_rest.room_request import CLOCK, RestRooms, terms_with
from tabnet.dialects.web.http_parser import HttpExchange
from tabnet.dialects.web.http_request import HttpRequest
from tabnet.dialects.web.http_responder import HttpConnection
from tabnet.dialects.web.operator_paths import (
    MetricsPort,
    make_operator_response,
    refuse_path,
)
from tabnet.dialects.web.page_files import load_page_files
from tabnet.dialects.web.request_checks import (
    Network,
    RequestCheck,
    RequestRules,
    find_client,
    is_trusted_proxy,
)
from tabnet.dialects.web.responses import (
    Response,
    ResponseHeaders,
    make_bye_response,
    make_native_response,
)
from tabnet.dialects.web.routes import (
    Execute,
    Files,
    Follow,
    Greet,
    RunHandler,
    ShowHealth,
    ShowMetrics,
    find_audience,
    refuse,
    route_request,
)
from tabnet.dialects.web.sse import HEARTBEAT, HEARTBEAT_S, encode_event
from tabnet.dialects.web.utc_clock import UtcClock
from tabnet.protocol.fields import Clock
from tabnet.protocol.frames import Bye, Reply
from tabnet.protocol.messages import Command, Update
from tabnet.server.core.costs.client_origin import (
    ClientOrigin,
    find_host,
    find_origin,
)
from tabnet.server.core.matches.match import Match
from tabnet.server.net.hub import Hub
from tabnet.server.net.server_clock import now
from tabnet.server.net.transport import Transport

log = logging.getLogger("tabnet")

LINGER_S = 2
"""The time for which the rest of a request is read after an early response.

A connection that is closed with unread bytes loses its response.
"""
SEND_AWAY_S = 1
"""The time to wait for the request that is refused because there is no room."""


@frozen
class Web:
    """HTTP; see `Dialect`."""

    hub: Hub
    proxies: Sequence[Network] = ()
    """The addresses whose X-Forwarded-For is trusted."""
    rules: Callable[[], RequestRules] = RequestRules
    """Returns the host names and origins that are accepted now."""
    scheme: str = "http"
    files: Files = Factory(load_page_files)
    metrics: MetricsPort = MetricsPort.SHARED
    rooms_clock: Clock = CLOCK
    """The clock of every match in `rooms`."""
    rooms: RestRooms = field()
    streams: set[HttpConnection] = Factory(set)

    @rooms.default
    def _open_rooms(self) -> RestRooms:
        find_game = self.hub.service.games.rooms.game
        return RestRooms(terms_with(self.rooms_clock), find_game, UtcClock().to_utc)

    @contextmanager
    def admit(self, address: str) -> Iterator[bool]:
        """See `Dialect`; a proxy is not counted, but each of its requests is."""
        if is_trusted_proxy(find_host(address), self.proxies):
            yield True
        else:
            with self.hub.connection_counts.admit(find_origin(address)) as has_room:
                yield has_room

    def is_banned(self, address: str) -> bool:
        """See `Dialect`; of a proxy, each request has the address of its client."""
        is_proxy = is_trusted_proxy(find_host(address), self.proxies)
        return not is_proxy and self.hub.find_ban(find_host(address)) is not None

    async def send_away(self, transport: Transport, address: str) -> None:
        """Refuse the first request because the client is banned, or because there is no room."""
        with suppress(OSError), trio.move_on_after(SEND_AWAY_S):
            exchange = HttpExchange(transport, 0, partial(self.make_cors_headers, address))
            await exchange.receive_request()
            response = refuse_client(exchange.request, self.hub.make_refusal(address))
            transport.send(exchange.encode_response(response, last=True))

    async def run(self) -> None:
        """Send every stream a comment now and then, which shows that the connection is alive."""
        while True:
            await trio.sleep(HEARTBEAT_S)
            for connection in self.streams:
                if connection.is_streaming:
                    connection.write(HEARTBEAT)
                    self.hub.outbox.touch(connection)

    async def converse(self, transport: Transport, address: str) -> None:
        """Serve requests until the client or the hub ends the connection."""
        async with self.hub.register(
            HttpConnection, encode_event, address, transport
        ) as connection:

            def write(data: bytes) -> None:
                connection.write(data)
                self.hub.outbox.touch(connection)

            max_body, cors = self.hub.limits.line_bytes, partial(self.make_cors_headers, address)
            connection.exchange = HttpExchange(transport, max_body, cors, write)
            try:
                await _serve_requests(self, connection)
            finally:
                self.streams.discard(connection)

    def check_request(self, address: str, request: HttpRequest) -> RequestCheck:
        """Return the check of a request from that address."""
        is_proxied = is_trusted_proxy(find_host(address), self.proxies)
        return RequestCheck(request.headers, self.rules(), self.scheme, is_proxied)

    def find_client_origin(self, address: str, request: HttpRequest) -> ClientOrigin:
        """Return the client that a request counts for."""
        check = self.check_request(address, request)
        if check.is_proxied:
            client = self.find_client_host(address, request)
            return ClientOrigin.from_address(f"{client}:0", is_own_client=False)
        return ClientOrigin.from_address(address, is_own_client=not check.is_foreign())

    def find_client_host(self, address: str, request: HttpRequest) -> str:
        """Return the address of the client for which a trusted proxy has sent a request."""
        forwarded = request.headers.get("x-forwarded-for", "")
        return find_client(find_host(address), forwarded, self.proxies)

    def make_cors_headers(self, address: str, request: HttpRequest) -> ResponseHeaders:
        """Return the headers that let a page read the response to its request."""
        return self.check_request(address, request).make_cors_headers(find_audience(request))


async def _serve_requests(web: Web, connection: HttpConnection) -> None:
    """Serve one request after the other, until the client or the hub ends the connection."""
    exchange = connection.exchange
    try:
        while (request := await exchange.receive_request()) is not None and connection.listens:
            if isinstance(request, Response):
                _send_response(web, connection, request, last=True)
                with trio.move_on_after(LINGER_S):
                    while await exchange.receive():
                        pass
                return
            await _count_and_serve(web, connection, request)
            if connection in web.streams or not exchange.prepare_next_request():
                return
    except OSError:
        connection.cut()
    except Exception:
        log.exception("failed", extra={"fields": {"session": connection.number}})
        web.hub.dismiss(connection, "server_error")


async def _count_and_serve(web: Web, connection: HttpConnection, request: HttpRequest) -> None:
    """Serve a request, and count it for its client."""
    origin = web.find_client_origin(connection.address, request)
    if origin != connection.origin:
        connection.origin = origin
        connection.proofs = {}  # they belong to another client, and so does the budget
        connection.budget = web.hub.budgets.open(origin.key, now(), is_exempt=origin.is_exempt)
    if not is_trusted_proxy(find_host(connection.address), web.proxies):
        await _serve(web, connection, request)
        return
    connection.host = web.find_client_host(connection.address, request)
    if (ban := web.hub.find_ban(connection.host)) is not None:
        await _respond_without_command(web, connection, request, refuse_client(request, ban))
        return
    with web.hub.connection_counts.admit(origin.key) as has_room:
        if has_room:
            await _serve(web, connection, request)
        else:
            full = web.hub.make_refusal(f"{connection.host}:0")
            _send_response(web, connection, refuse_client(request, full))


def refuse_client(request: HttpRequest, bye: Bye) -> Response:
    """Return the response for a banned client, or when there are too many connections."""
    if bye.retry_after is None:
        return refuse(request, HTTPStatus.FORBIDDEN, bye.reason)
    text, later = "too many connections", str(bye.retry_after)
    return refuse(request, HTTPStatus.TOO_MANY_REQUESTS, text, Retry_After=later)


async def _serve(web: Web, connection: HttpConnection, request: HttpRequest) -> None:
    check = web.check_request(connection.address, request)
    refusal = check.make_refusal(find_audience(request)) or refuse_path(web.metrics, request.path)
    routed = refusal or route_request(request, web.files)
    if isinstance(routed, Execute):
        await web.hub.execute_alone(
            connection, routed.command, partial(_respond_with_reply, connection, routed)
        )
    elif isinstance(routed, Follow):
        await _stream_game(web, connection, request, routed)
    elif isinstance(routed, RunHandler):
        await _run_handler(web, connection, request, routed)
    else:
        if isinstance(routed, Greet):
            routed = make_native_response(build_hello(web.hub.service))
        elif isinstance(routed, ShowHealth | ShowMetrics):
            address = connection.address
            routed = make_operator_response(web.hub, web.metrics, routed, check, address)
        await _respond_without_command(web, connection, request, routed)


def _respond_with_reply(connection: HttpConnection, execute: Execute, frame: Reply | Bye) -> None:
    """Respond to a request with the reply to its command."""
    response = make_bye_response(frame) if isinstance(frame, Bye) else execute.to_response(frame)
    connection.respond(response, last=not connection.listens)


def _begin_stream(connection: HttpConnection, stream: Follow, frame: Reply | Bye) -> None:
    """Begin a stream with the reply to its command, or respond with its refusal."""
    response = make_bye_response(frame) if isinstance(frame, Bye) else stream.to_response(frame)
    connection.begin_stream(response, stream.encoder)


async def _run_handler(
    web: Web, connection: HttpConnection, request: HttpRequest, run: RunHandler
) -> None:
    """Execute the commands of a handler, each when the one before has its reply, and respond."""
    handler = run.begin(web.rooms)
    try:
        command: Command | None = next(handler)
    except StopIteration as end:
        await web.hub.wait_until_committed()
        await _respond_without_command(web, connection, request, end.value)
        return

    def proceed(frame: Reply | Bye) -> None:
        nonlocal command
        command = None
        if isinstance(frame, Bye):
            connection.respond(make_bye_response(frame, ERROR_FIELD), last=True)
            return
        try:
            command = handler.send(frame)
        except StopIteration as end:
            connection.respond(end.value, last=not connection.listens)

    while command is not None:
        await web.hub.execute_alone(connection, command, proceed)


async def _respond_without_command(
    web: Web, connection: HttpConnection, request: HttpRequest, response: Response
) -> None:
    """Respond without a command, with the limits of a command."""
    await trio.lowlevel.checkpoint()
    if not connection.may_continue:
        await connection.wait_for_turn()
    connection.active_at, connection.has_sent_line = now(), True
    may_respond = connection.allowance.take(now())
    if not may_respond:
        text = "too many requests"
        response = refuse(request, HTTPStatus.TOO_MANY_REQUESTS, text, Retry_After="1")
    _send_response(web, connection, response, last=not may_respond)


async def _stream_game(
    web: Web, connection: HttpConnection, request: HttpRequest, stream: Follow
) -> None:
    """Stream a game until it or the connection ends, unless the client has all of it already."""
    hub, command, receive = web.hub, stream.command, connection.exchange.receive
    if isinstance(command, Update):
        await hub.recall(command)
        if _has_seen_last_update(hub, command, stream):
            no_content = Response(HTTPStatus.NO_CONTENT)
            await _respond_without_command(web, connection, request, no_content)
            return
    hub.service.connect(connection.number, stream.nick, connection.origin)
    web.streams.add(connection)
    connection.expect_reply(partial(_begin_stream, connection, stream))
    await hub.execute(connection, command)
    await receive()  # the client disconnects, or sends bytes that are not HTTP
    connection.cut()


def _has_seen_last_update(hub: Hub, command: Update, stream: Follow) -> bool:
    """Return True if the client has seen the last update."""
    game = command.game or ""
    if not hub.service.games.knows(game):
        return stream.resumes  # a wait that has ended
    ended = hub.service.games.finished.get(game)
    seen = -1 if command.since is None else command.since
    return isinstance(ended, Match) and seen >= ended.seq


def _send_response(
    web: Web, connection: HttpConnection, response: Response, *, last: bool = False
) -> None:
    connection.respond(response, last=last)
    web.hub.outbox.touch(connection)
