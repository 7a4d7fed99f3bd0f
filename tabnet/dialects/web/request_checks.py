"""The web pages that may use the server, and the clients behind proxies, by headers. Pure.

A browser sends requests of any web page to any address, also to this server on its user's loopback.
It names the page's origin in the header Origin. A page whose own host name resolves to this server
(DNS rebinding) counts as same-origin for the browser; the header Host shows that foreign name.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from http import HTTPStatus
from typing import TypeAlias

from attrs import frozen

from tabnet.dialects.web.responses import Response, ResponseHeaders, make_error_response
from tabnet.errors import shorten

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
Headers: TypeAlias = Mapping[str, str]
"""The headers of a request; their names are in lower case."""

AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{0,5}))?", re.IGNORECASE)
HOST_NAME = re.compile(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
DEFAULT_PORTS = {"http": 80, "https": 443}
FOREIGN_SITES = ("cross-site", "same-site")
"""The values of Sec-Fetch-Site for other origins; requests for images have no Origin."""
FORWARDING_HEADERS = ("forwarded", "via", "x-real-ip")
"""The headers that proxies add, besides those that begin with X-Forwarded-."""
CACHED = 64
"""The number of hosts and origins whose parts are cached: most requests repeat them."""


class Audience(Enum):
    """The web pages that may use a path."""

    ANY_PAGE = "any page"
    """Neither Host nor Origin is checked: clients of the original APIs are pages from anywhere."""
    OWN_PAGES = "own pages"
    """Host and Origin are checked."""
    VISITORS = "visitors"
    """Host is checked: these are files, and a link on any page may lead to them."""


@frozen
class Origin:
    """The scheme, host and port of a web page, or of this server as a browser sees it."""

    scheme: str
    host: str
    port: int | None
    """None if the scheme has no default port and the origin names none."""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        is_default = self.port == DEFAULT_PORTS.get(self.scheme)
        return f"{self.scheme}://{host}" + ("" if is_default else f":{self.port}")


@frozen
class RequestRules:
    """The host names of the server, and the pages that may use it."""

    own_names: Collection[str] = ()
    """The names of the machine and of the certificate; one may begin with `*.`, for any label."""
    http_names: Collection[str] = ()
    """The names that the operator added; behind a proxy, their pages are own pages."""
    allowed_origins: Collection[Origin] = ()


@frozen
class RequestCheck:
    """The headers of a request, to be checked by the rules of the server."""

    headers: Headers
    rules: RequestRules
    scheme: str = "http"
    """The scheme of the connection on which the request arrived."""
    is_proxied: bool = False
    """The request came through a proxy that the operator trusts."""

    def make_refusal(self, audience: Audience) -> Response | None:
        """Return the response that refuses the request because of its Host or Origin, or None."""
        if audience is Audience.ANY_PAGE:
            return None
        if not self._accepts_host():
            text = (
                f"this server is not {shorten(self.headers['host'])}: use its address, localhost or"
                " one of its names; its operator adds a name with --http-name NAME"
            )
            return make_error_response(HTTPStatus.MISDIRECTED_REQUEST, text)
        if audience is Audience.OWN_PAGES and self.is_foreign():
            page = shorten(self.headers.get("origin", "another site"))
            text = (
                f"pages of {page} may not use this path; the operator of the server allows them"
                " with --allow-origin ORIGIN"
            )
            return make_error_response(HTTPStatus.FORBIDDEN, text)
        return None

    def make_cors_headers(self, audience: Audience) -> ResponseHeaders:
        """Return the headers that let the page that sent the request read the response."""
        if audience is Audience.ANY_PAGE:
            return (("Access-Control-Allow-Origin", "*"),)
        if audience is Audience.VISITORS:
            return ()
        vary = (("Vary", "Origin"),)
        if "origin" not in self.headers or self.is_foreign():
            return vary
        return (("Access-Control-Allow-Origin", self.headers["origin"]), *vary)

    def is_foreign(self) -> bool:
        """Return True if the request comes from a page that is neither the server's nor allowed.

        A page under a host name that is not the server's is foreign. Clients that are no browsers
        send neither Origin nor Sec-Fetch-Site; they are not foreign.
        """
        if not self._accepts_host():
            return True
        if "origin" not in self.headers:
            return self.headers.get("sec-fetch-site") in FOREIGN_SITES
        origin = read_origin(self.headers["origin"])
        if origin is None:
            return True
        if origin in self.rules.allowed_origins or origin == self._own_origin():
            return False
        has_default_port = (origin.scheme, origin.port) in DEFAULT_PORTS.items()
        is_named = has_default_port and _matches_name(origin.host, self.rules.http_names)
        return not (self.is_proxied and is_named)

    @property
    def is_forwarded(self) -> bool:
        """Return True if a proxy has sent the request for another client, trusted or not."""
        return self.is_proxied or any(
            name in FORWARDING_HEADERS or name.startswith("x-forwarded-") for name in self.headers
        )

    def _accepts_host(self) -> bool:
        """Return True if Host is the server's. A request without Host is no browser's."""
        if self.is_proxied or "host" not in self.headers:
            return True
        host_port = _read_authority(self.headers["host"])
        if host_port is None:
            return False
        host, _ = host_port
        return (
            f".{host}".endswith(".localhost")
            or _matches_name(host, self.rules.own_names)
            or _matches_name(host, self.rules.http_names)
            or _parse_ip(host) is not None
        )

    def _own_origin(self) -> Origin | None:
        """Return the server's origin as the sender of the request sees it."""
        host, scheme = self.headers.get("host", ""), self.scheme
        if self.is_proxied:
            host = _first_value(self.headers.get("x-forwarded-host", "")) or host
            scheme = _first_value(self.headers.get("x-forwarded-proto", "")) or scheme
        return read_origin(f"{scheme}://{host}")


@lru_cache(CACHED)
def read_origin(text: str) -> Origin | None:
    """Return the origin in a text like https://example.org:8443; None for anything else."""
    scheme, separator, authority = text.lower().partition("://")
    host_port = _read_authority(authority)
    if not (scheme and separator and host_port):
        return None
    host, port = host_port
    return Origin(scheme, host, DEFAULT_PORTS.get(scheme) if port is None else port)


def parse_allowed_origin(text: str) -> Origin:
    """Return the origin that an operator allows; raises `ValueError` with a sentence."""
    origin = read_origin(text)
    if origin is None:
        raise ValueError(f"{text!r} is no origin of web pages, like https://example.org")
    return origin


def parse_host_name(text: str) -> str:
    """Return a host name as browsers send it; raises `ValueError` with a sentence."""
    try:
        name = text.encode("idna").decode("ascii").lower().removesuffix(".")
    except UnicodeError:
        name = ""
    if not HOST_NAME.fullmatch(name):
        raise ValueError(f"{text!r} is no host name, like example.org or *.example.org")
    return name


def is_trusted_proxy(host: str, proxies: Sequence[Network]) -> bool:
    """Return True if a host is one of the operator's proxies."""
    ip = _parse_ip(host)
    return ip is not None and any(ipaddress.ip_address(ip) in network for network in proxies)


def find_client(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """Return the host for which a trusted proxy has sent a request.

    `forwarded` is the value of X-Forwarded-For. Each proxy adds its client at the end. So the last
    host that is no proxy is the client, and the hosts before it cannot be trusted.
    """
    client = peer
    for host in reversed(forwarded.split(",")):
        if not is_trusted_proxy(client, proxies) or _parse_ip(host.strip()) is None:
            break
        client = host.strip()
    return client


def _first_value(values: str) -> str:
    """Return the value of the outermost proxy."""
    return values.partition(",")[0].strip()


def _matches_name(host: str, names: Collection[str]) -> bool:
    return host in names or "*." + host.partition(".")[2] in names


@lru_cache(CACHED)
def _read_authority(text: str) -> tuple[str, int | None] | None:
    """Return the host and the port of a text like example.org:8008; None for anything else."""
    found = AUTHORITY.fullmatch(text)
    if found is None:
        return None
    host, port = found[1].lower(), int(found[2]) if found[2] else None
    if not host.startswith("["):
        return host.removesuffix("."), port
    ip = _parse_ip(host.strip("[]"))
    return None if ip is None else (ip, port)


@lru_cache(CACHED)
def _parse_ip(host: str) -> str | None:
    """Return an IP address in its usual form; None for a name."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None
