"""HTTP on a transport: parses requests and encodes responses, with limits on size and time."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

import h11
import trio
from attrs import evolve

from tabnet.dialects.web.http_request import HttpRequest
from tabnet.dialects.web.responses import Response, ResponseHeaders
from tabnet.dialects.web.routes import refuse
from tabnet.server.net.transport import Transport

HEAD_BYTES = 16 * 1024
"""The longest head of a request."""
BETWEEN_S = 75
"""The time that a client may be silent between two requests."""
REQUEST_S = 20
"""The time that a request may take from its first byte to its last."""
NO_REQUEST = HttpRequest("", "", {})
BODILESS = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


class HttpExchange:
    """The requests and responses of one client, one after the other."""

    def __init__(
        self,
        transport: Transport,
        max_body: int,
        cors_headers: Callable[[HttpRequest], ResponseHeaders],
        write: Callable[[bytes], object] | None = None,
    ) -> None:
        self.receive = transport.receive
        self.request = NO_REQUEST
        """The latest request, as far as it has been read."""
        self._max_body = max_body
        self._cors_headers = cors_headers
        self.cors: ResponseHeaders = ()
        """Headers of every response to the latest request."""
        self._write = write
        """Sends `100 Continue` in the middle of a request; without it, nothing is sent."""
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._is_head = False
        """The latest request asks for the head of the response alone."""

    async def receive_request(self) -> HttpRequest | Response | None:
        """Return the next request, or None at the end of the connection.

        Return the last `Response` instead if the bytes are no valid request. Raise `OSError` if the
        connection breaks.
        """
        try:
            if not self._http.trailing_data[0]:
                with trio.move_on_after(BETWEEN_S) as silence:
                    self._http.receive_data(await self.receive())
                if silence.cancelled_caught:
                    return None
            self.request, self.cors = NO_REQUEST, ()
            with trio.fail_after(REQUEST_S):
                return await self._parse_request()
        except trio.TooSlowError:
            text = f"a request may take {REQUEST_S} seconds at most"
            return refuse(self.request, HTTPStatus.REQUEST_TIMEOUT, text)
        except h11.RemoteProtocolError as error:
            text = f"this is not valid HTTP: {error}"
            return refuse(self.request, error.error_status_hint, text)

    async def _parse_request(self) -> HttpRequest | Response | None:
        head = await self._next_http_event()
        if not isinstance(head, h11.Request):
            return None  # the client has disconnected
        self._is_head = head.method == b"HEAD"
        headers = {name.decode("ascii"): value.decode("latin-1") for name, value in head.headers}
        request = HttpRequest(head.method.decode(), head.target.decode("latin-1"), headers)
        self.request = request
        self.cors = self._cors_headers(request)
        if "content-length" in headers and "transfer-encoding" in headers:
            text = "a request has Content-Length or Transfer-Encoding, not both"
            return refuse(request, HTTPStatus.BAD_REQUEST, text)
        if self._write is not None and self._http.they_are_waiting_for_100_continue:
            proceed = h11.InformationalResponse(status_code=HTTPStatus.CONTINUE, headers=[])
            self._write(self._encode_event(proceed))
        body = bytearray()
        while isinstance(event := await self._next_http_event(), h11.Data):
            body += event.data
            if len(body) > self._max_body:
                text = f"a body may have {self._max_body} bytes at most"
                return refuse(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text)
        return evolve(request, body=bytes(body))

    async def _next_http_event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self.receive())
        return event

    def encode_response(self, response: Response, *, last: bool = False) -> bytes:
        """Return the response to the latest request as bytes; `last` closes the connection."""
        headers = [*response.headers, *self.cors]
        if response.status not in BODILESS:
            headers.append(("Content-Length", str(len(response.body))))
        if last:
            headers.append(("Connection", "close"))
        reason = HTTPStatus(response.status).phrase
        head = h11.Response(status_code=response.status, headers=headers, reason=reason)
        body = h11.Data(b"" if self._is_head else response.body)
        return (
            self._encode_event(head)
            + self._encode_event(body)
            + self._encode_event(h11.EndOfMessage())
        )

    def _encode_event(self, event: h11.Event) -> bytes:
        return self._http.send(event) or b""

    def prepare_next_request(self) -> bool:
        """Prepare for the next request; return False if the connection has to be closed instead."""
        if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
            return False
        self._http.start_next_cycle()
        return True
