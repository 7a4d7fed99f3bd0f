"""Which Host and which Origin a request may have."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from tabnet.dialects.web.request_checks import (
    Audience,
    Origin,
    RequestCheck,
    RequestRules,
    parse_allowed_origin,
    parse_host_name,
    read_origin,
)

RULES = RequestRules(
    own_names=frozenset({"vm", "vm.example.net", "*.cert.example"}),
    http_names=["games.example.org", "*.wild.example"],
    allowed_origins=[
        Origin("https", "friend.example", 443),
        Origin("chrome-extension", "abcdef", None),
    ],
)
JSON = dict[str, Any]
DIRECT: JSON = {}
TLS: JSON = {"scheme": "https"}
PROXIED: JSON = {"is_proxied": True}


def check(headers: dict[str, str], arrival: JSON) -> RequestCheck:
    return RequestCheck(headers, RULES, **arrival)


def status(headers: dict[str, str], audience: Audience, arrival: JSON = DIRECT) -> int | None:
    refused = check(headers, arrival).make_refusal(audience)
    return None if refused is None else refused.status


def error_text(headers: dict[str, str], audience: Audience, arrival: JSON = DIRECT) -> str:
    refused = check(headers, arrival).make_refusal(audience)
    assert refused is not None
    text: Any = orjson.loads(refused.body)["error"]
    assert isinstance(text, str)
    return text


# Host


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.0.0.1:8008", "127.0.0.1.", "192.0.2.1:80", "0.0.0.0:8008"),
        *("[::1]", "[::1]:8008", "[2001:DB8::1]:1"),
        *("localhost", "LocalHost:8008", "localhost.", "localhost:", "a.b.localhost:1"),
        *("vm", "VM:8008", "vm.example.net", "vm.example.net.:8008"),
        *("www.cert.example", "games.example.org:8443", "any.wild.example"),
    ],
)
@pytest.mark.parametrize("audience", [Audience.OWN_PAGES, Audience.VISITORS])
def test_names_and_addresses_of_the_server_are_accepted(host: str, audience: Audience) -> None:
    assert status({"host": host}, audience) is None


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8008", "localhost.evil.example", "notlocalhost"),
        *("127.0.0.1.evil.example", "127.1", "1.2.3.4.5", "0x7f000001"),
        *("cert.example", "a.b.cert.example", "wild.example", ".wild.example.evil"),
        *("", ":8008", "[::1", "::1", "[evil]", "[:::]", "localhost:80:80", "localhost:x"),
        *(
            "evil@localhost",
            "localhost/",
            "localhost, evil.example",
            "lo calhost",
            "*.wild.example",
        ),
        "localhost:123456",
    ],
)
@pytest.mark.parametrize("audience", [Audience.OWN_PAGES, Audience.VISITORS])
def test_other_hosts_are_misdirected(host: str, audience: Audience) -> None:
    assert status({"host": host}, audience) == 421
    assert status({"host": host}, audience, TLS) == 421
    assert "--http-name" in error_text({"host": host}, audience)


def test_a_long_host_is_cut_in_the_error() -> None:
    assert len(error_text({"host": "x" * 5000}, Audience.VISITORS)) < 400


def test_a_trusted_proxy_may_name_any_host() -> None:
    for audience in Audience:
        assert status({"host": "evil.example"}, audience, PROXIED) is None


def test_a_request_without_host_is_not_from_a_page() -> None:
    assert status({}, Audience.OWN_PAGES) is None
    assert status({"origin": "http://localhost"}, Audience.OWN_PAGES) == 403


def test_any_page_may_use_the_original_apis_under_any_host() -> None:
    for headers in ({"host": "evil.example"}, {"host": "localhost", "origin": "null"}):
        assert status(headers, Audience.ANY_PAGE) is None


# Origin


@pytest.mark.parametrize(
    ("host", "origin", "arrival"),
    [
        ("127.0.0.1:8008", "http://127.0.0.1:8008", DIRECT),
        ("[::1]:8008", "http://[0:0::1]:8008", DIRECT),
        ("localhost", "http://localhost", DIRECT),
        ("localhost:80", "http://LOCALHOST", DIRECT),
        ("vm:443", "https://vm", TLS),
        ("vm:8443", "https://vm:8443", TLS),
        ("localhost:8008", "https://friend.example", DIRECT),
        ("localhost:8008", "chrome-extension://abcdef", DIRECT),
    ],
)
def test_own_and_allowed_pages_may_use_native_paths(host: str, origin: str, arrival: JSON) -> None:
    headers = {"host": host, "origin": origin}
    assert status(headers, Audience.OWN_PAGES, arrival) is None
    assert not check(headers, arrival).is_foreign()
    assert check(headers, arrival).make_cors_headers(Audience.OWN_PAGES) == (
        ("Access-Control-Allow-Origin", origin),
        ("Vary", "Origin"),
    )


@pytest.mark.parametrize(
    ("host", "origin", "arrival"),
    [
        ("localhost:8008", "null", DIRECT),
        ("localhost:8008", "", DIRECT),
        ("localhost:8008", "localhost:8008", DIRECT),
        ("localhost:8008", "://localhost:8008", DIRECT),
        ("localhost:8008", "http://localhost:8008/", DIRECT),
        ("localhost:8008", "http://localhost:8008 http://localhost:8008", DIRECT),
        ("localhost:8008", "http://localhost:8009", DIRECT),
        ("localhost:8008", "https://localhost:8008", DIRECT),
        ("localhost:8008", "http://localhost:8008", TLS),
        ("localhost:8008", "http://localhost", DIRECT),
        ("localhost:8008", "http://127.0.0.1:8008", DIRECT),
        ("localhost:8008", "http://a.localhost:8008", DIRECT),
        ("localhost:8008", "http://evil.example:8008", DIRECT),
        ("localhost:8008", "http://friend.example", DIRECT),
        ("localhost:8008", "https://friend.example:8443", DIRECT),
        ("localhost:8008", "https://games.example.org", DIRECT),
        ("localhost:8008", "chrome-extension://other", DIRECT),
    ],
)
def test_other_pages_are_refused_on_native_paths_only(
    host: str, origin: str, arrival: JSON
) -> None:
    headers = {"host": host, "origin": origin}
    assert status(headers, Audience.OWN_PAGES, arrival) == 403
    assert "--allow-origin" in error_text(headers, Audience.OWN_PAGES, arrival)
    assert check(headers, arrival).is_foreign()
    assert check(headers, arrival).make_cors_headers(Audience.OWN_PAGES) == (("Vary", "Origin"),)
    for audience in (Audience.ANY_PAGE, Audience.VISITORS):
        assert status(headers, audience, arrival) is None


def test_a_page_under_a_foreign_host_name_is_foreign() -> None:
    headers = {"host": "evil.example:8008", "origin": "http://evil.example:8008"}
    assert check(headers, DIRECT).is_foreign()
    assert check({"host": "evil.example:8008"}, DIRECT).is_foreign()


def test_a_client_that_is_not_a_browser_is_not_foreign() -> None:
    headers = {"host": "localhost:8008"}
    assert not check(headers, DIRECT).is_foreign()
    assert check(headers, DIRECT).make_cors_headers(Audience.OWN_PAGES) == (("Vary", "Origin"),)


@pytest.mark.parametrize(
    ("site", "is_foreign"),
    [("cross-site", True), ("same-site", True), ("same-origin", False), ("none", False)],
)
def test_a_request_without_origin_is_judged_by_its_site(site: str, is_foreign: bool) -> None:
    headers = {"host": "localhost:8008", "sec-fetch-site": site}
    assert check(headers, DIRECT).is_foreign() == is_foreign
    assert status(headers, Audience.OWN_PAGES) == (403 if is_foreign else None)
    assert status(headers, Audience.VISITORS) is None
    allowed = {**headers, "origin": "https://friend.example"}
    assert not check(allowed, DIRECT).is_foreign()


# Behind a proxy


@pytest.mark.parametrize(
    ("origin", "forwarded", "is_foreign"),
    [
        ("https://other.example", {"host": "other.example", "proto": "https"}, False),
        ("https://other.example:8443", {"host": "other.example:8443", "proto": "https"}, False),
        ("https://other.example", {"host": " other.example , inner", "proto": "https,http"}, False),
        ("http://other.example", {"host": "other.example"}, False),
        ("http://other.example", {"host": "other.example", "proto": "https"}, True),
        ("https://other.example", {"host": "other.example"}, True),
        ("https://other.example:8443", {"host": "other.example", "proto": "https"}, True),
        ("https://evil.example", {"host": "other.example", "proto": "https"}, True),
        ("http://backend:8008", {"host": "other.example", "proto": "https"}, True),
        ("https://other.example", {"host": "not a host", "proto": "https"}, True),
        ("http://backend:8008", {}, False),
        ("https://backend:8008", {"proto": "https"}, False),
        ("https://games.example.org", {}, False),
        ("http://games.example.org", {}, False),
        ("https://any.wild.example", {}, False),
        ("https://games.example.org:8443", {}, True),
        ("ftp://games.example.org", {}, True),
        ("https://vm", {}, True),
        ("https://friend.example", {}, False),
        ("null", {}, True),
    ],
)
def test_behind_a_proxy_the_own_origin_of_a_page_is_the_forwarded_one(
    origin: str, forwarded: dict[str, str], is_foreign: bool
) -> None:
    headers = {"host": "backend:8008", "origin": origin}
    headers |= {f"x-forwarded-{name}": value for name, value in forwarded.items()}
    assert check(headers, PROXIED).is_foreign() == is_foreign
    assert status(headers, Audience.OWN_PAGES, PROXIED) == (403 if is_foreign else None)


def test_forwarded_hosts_of_untrusted_clients_are_ignored() -> None:
    headers = {"host": "localhost:8008", "origin": "http://evil.example"}
    headers |= {"x-forwarded-host": "evil.example", "x-forwarded-proto": "http"}
    assert status(headers, Audience.OWN_PAGES) == 403


# CORS


def test_any_page_reads_the_original_apis_and_only_the_own_page_reads_files() -> None:
    headers = {"host": "localhost", "origin": "http://localhost"}
    anybody = (("Access-Control-Allow-Origin", "*"),)
    assert check(headers, DIRECT).make_cors_headers(Audience.ANY_PAGE) == anybody
    assert check(headers, DIRECT).make_cors_headers(Audience.VISITORS) == ()


# What operators write


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://example.org", Origin("https", "example.org", 443)),
        ("HTTP://Example.org:8008", Origin("http", "example.org", 8008)),
        ("http://[::1]:80", Origin("http", "::1", 80)),
        ("moz-extension://abc", Origin("moz-extension", "abc", None)),
    ],
)
def test_an_origin_is_read_and_written(text: str, origin: Origin) -> None:
    assert parse_allowed_origin(text) == origin
    assert read_origin(str(origin)) == origin


@pytest.mark.parametrize("text", ["null", "*", "example.org", "https://example.org/", "https://"])
def test_an_impossible_origin_cannot_be_allowed(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no origin of web pages, like https://example\.org"):
        parse_allowed_origin(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("example.org", "example.org"),
        ("Games.Example.ORG.", "games.example.org"),
        ("*.example.org", "*.example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("my_host-1", "my_host-1"),
    ],
)
def test_a_host_name_takes_the_form_that_browsers_send(text: str, name: str) -> None:
    assert parse_host_name(text) == name


@pytest.mark.parametrize(
    "text", ["", "https://example.org", "example.org:443", "a..b", "*", "a b", "x" * 64 + ".org"]
)
def test_an_invalid_host_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no host name, like example\.org"):
        parse_host_name(text)
