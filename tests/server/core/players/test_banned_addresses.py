"""Ranges of banned addresses."""

from __future__ import annotations

import pytest

from tabnet.errors import Refused
from tabnet.server.core.players.banned_addresses import (
    BannedAddresses,
    is_like_range,
    parse_range,
)


def ban(*ranges: str) -> BannedAddresses:
    """Return bans of these ranges; the reason is the range."""
    banned = BannedAddresses()
    for text in ranges:
        banned.ban(parse_range(text), text)
    return banned


@pytest.mark.parametrize(
    ("text", "is_range"),
    [
        ("192.0.2.7", True),
        ("192.0.2.7/24", True),
        ("192.0.2.0/x", True),
        ("2001:db8::/32", True),
        ("zp", False),
        ("192.0.2", False),
        ("10", False),
        ("zp/24", False),
        ("", False),
    ],
)
def test_a_target_that_begins_with_an_address_is_a_range(text: str, is_range: bool) -> None:
    assert is_like_range(text) == is_range


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        ("192.0.2.0/24", "192.0.2.0/24"),
        ("192.0.2.0/255.255.255.0", "192.0.2.0/24"),
        ("0.0.0.0/0", "0.0.0.0/0"),
        ("2001:db8::1", "2001:db8::1/128"),
        ("2001:DB8::/32", "2001:db8::/32"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
        ("::/0", "::/0"),
    ],
)
def test_a_range_has_one_form(text: str, normal: str) -> None:
    assert str(parse_range(text)) == normal


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("192.0.2.0/33", "192.0.2.0/33 is no range of addresses, like 192.0.2.7, 192.0.2.0/24 or"),
        ("zp", "zp is no range of addresses"),
        ("fe80::1%eth0", "fe80::1%eth0 is no range of addresses"),
        ("192.0.2.7/24", "192.0.2.7 is not the beginning of a range: did you mean 192.0.2.0/24?"),
        ("2001:db8::1/64", "did you mean 2001:db8::/64?"),
        ("127.0.0.1", "127.0.0.1/32 is the server's own machine, which cannot be banned"),
        ("127.0.0.0/8", "127.0.0.0/8 is the server's own machine"),
        ("::1", "::1/128 is the server's own machine"),
        ("::ffff:127.0.0.1", "127.0.0.1/32 is the server's own machine"),
    ],
)
def test_a_wrong_range_is_refused(text: str, problem: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_range(text)
    assert problem in refused.value.text


def test_addresses_in_a_range_are_banned_in_every_form() -> None:
    banned = ban("192.0.2.0/24", "2001:db8::/32", "203.0.113.7")
    for host in ("192.0.2.0", "192.0.2.255", "::ffff:192.0.2.7"):
        assert banned.find_reason(host) == "192.0.2.0/24"
    assert banned.find_reason("2001:db8:ffff::1") == "2001:db8::/32"
    assert banned.find_reason("203.0.113.7") == "203.0.113.7"
    for host in ("192.0.3.0", "203.0.113.8", "2001:db9::1", "::c000:207", "gone", ""):
        assert banned.find_reason(host) is None
    assert BannedAddresses().find_reason("192.0.2.7") is None


def test_the_smallest_range_gives_the_reason() -> None:
    banned = ban("192.0.2.0/24", "192.0.2.7", "192.0.0.0/16", "::/0")
    assert banned.find_reason("192.0.2.7") == "192.0.2.7"
    assert banned.find_reason("192.0.2.8") == "192.0.2.0/24"
    assert banned.find_reason("192.0.3.8") == "192.0.0.0/16"
    assert banned.find_reason("2001:db8::1") == "::/0"


def test_the_server_s_own_machine_is_never_banned() -> None:
    banned = ban("0.0.0.0/0", "::/0")
    assert [banned.find_reason(host) for host in ("127.0.0.1", "::1", "::ffff:127.0.0.2")] == [
        None
    ] * 3
    assert banned.find_reason("192.0.2.7") == "0.0.0.0/0"


def test_a_ban_holds_until_exactly_its_range_is_lifted() -> None:
    banned = ban("192.0.2.0/24", "198.51.100.0/24")
    banned.ban(parse_range("192.0.2.0/24"), "another reason")
    assert banned.find_reason("192.0.2.7") == "another reason"
    with pytest.raises(Refused) as refused:
        banned.lift(parse_range("192.0.2.7"))
    ranges = "192.0.2.0/24, 198.51.100.0/24"
    assert refused.value.text == f"192.0.2.7/32 is not banned; banned ranges: {ranges}"
    banned.lift(parse_range("192.0.2.0/24"))
    assert banned.find_reason("192.0.2.7") is None
    assert banned.find_reason("198.51.100.7") == "198.51.100.0/24"
    banned.lift(parse_range("198.51.100.0/24"))
    assert banned == BannedAddresses()
    with pytest.raises(Refused, match="banned ranges: none"):
        banned.lift(parse_range("192.0.2.0/24"))
