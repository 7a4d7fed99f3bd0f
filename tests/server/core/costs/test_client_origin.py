"""The client that an address counts for."""

from __future__ import annotations

import pytest

from tabnet.server.core.costs.client_origin import (
    ClientOrigin,
    find_network,
    find_origin,
    is_loopback,
)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("192.0.2.1:4567", "192.0.2.1"),
        ("127.0.0.1:1", "127.0.0.1"),
        ("[2001:db8:1:2:3:4:5:6]:4567", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:80", "2001:db8:1:2::/64"),
        ("[2001:db8:1:3::1]:80", "2001:db8:1:3::/64"),
        ("[fe80::1%eth0]:80", "fe80::/64"),
        ("[::ffff:192.0.2.1]:80", "192.0.2.1"),
        ("memory", "memory"),
        ("unknown", "unknown"),
    ],
)
def test_the_origin_of_an_address_is_its_host_or_its_ipv6_network(address, origin):
    assert find_origin(address) == origin


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1:4567", "192.0.2.0/24"),
        ("127.0.0.1:1", "127.0.0.0/24"),
        ("[2001:db8:1:2:3:4:5:6]:4567", "2001:db8:1::/48"),
        ("[::ffff:192.0.2.1]:80", "192.0.2.0/24"),
        ("memory", "memory"),
    ],
)
def test_an_origin_belongs_to_a_network(address, network):
    assert find_network(find_origin(address)) == network


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("127.0.0.1:4567", ClientOrigin("127.0.0.1", is_exempt=True)),
        ("[::1]:4567", ClientOrigin("::/64", is_exempt=True)),
        ("[::ffff:127.0.0.1]:4567", ClientOrigin("127.0.0.1", is_exempt=True)),
        ("127.0.0.2:4567", ClientOrigin("127.0.0.2")),
        ("[::2]:4567", ClientOrigin("::/64")),
        ("192.0.2.1:4567", ClientOrigin("192.0.2.1")),
        ("[2001:db8::1]:4567", ClientOrigin("2001:db8::/64")),
        ("memory", ClientOrigin("memory")),
    ],
)
def test_only_the_two_loopback_addresses_are_exempt(address, origin):
    assert ClientOrigin.from_address(address) == origin
    assert not ClientOrigin.from_address(address, is_own_client=False).is_exempt


def test_an_exempt_origin_is_limited_by_session_only():
    assert ClientOrigin("a", is_exempt=True).list_holders(7) == ("session 7 of a",)
    assert ClientOrigin("a").list_holders(7) == ("session 7 of a", "a")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.2:80", True),
        ("[::1]:80", True),
        ("[::ffff:127.0.0.1]:80", True),
        ("192.0.2.1:80", False),
        ("memory", False),
    ],
)
def test_only_an_address_of_this_machine_is_loopback(address, expected):
    assert is_loopback(address) is expected
