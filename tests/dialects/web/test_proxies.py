"""The client that a request counts for."""

from __future__ import annotations

import ipaddress

import pytest

from tabnet.dialects.web.request_checks import find_client, is_trusted_proxy

PROXIES = [ipaddress.ip_network(text) for text in ("192.0.2.1", "10.0.0.0/8", "2001:db8::1")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("198.51.100.1", "", "198.51.100.1"),
        ("198.51.100.1", "203.0.113.5", "198.51.100.1"),
        ("192.0.2.1", "203.0.113.5", "203.0.113.5"),
        ("192.0.2.1", "2001:db8::5", "2001:db8::5"),
        ("2001:db8::1", " 203.0.113.5 ", "203.0.113.5"),
        ("192.0.2.1", "198.51.100.7,203.0.113.5", "203.0.113.5"),
        ("192.0.2.1", "203.0.113.5, 10.1.2.3", "203.0.113.5"),
        ("192.0.2.1", "203.0.113.5, 203.0.113.6, 10.1.2.3", "203.0.113.6"),
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "nobody", "192.0.2.1"),
        ("192.0.2.1", "203.0.113.5, unknown", "192.0.2.1"),
        ("192.0.2.1", "10.0.0.1, 10.0.0.2", "10.0.0.1"),
        ("gone", "203.0.113.5", "gone"),
    ],
)
def test_the_client_is_the_last_address_that_is_not_a_proxy(peer, forwarded, client):
    assert find_client(peer, forwarded, PROXIES) == client


def test_only_listed_addresses_are_trusted():
    assert is_trusted_proxy("10.255.0.1", PROXIES)
    assert not is_trusted_proxy("11.0.0.1", PROXIES)
    assert not is_trusted_proxy("gone", PROXIES)
    assert not is_trusted_proxy("10.0.0.1", [])
