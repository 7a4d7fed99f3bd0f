"""Whom a request counts for, when it has come through the operator's own proxy. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


def is_trusted(host: str, proxies: Sequence[Network]) -> bool:
    """Whether a host is one of the operator's proxies."""
    ip = _ip(host)
    return ip is not None and any(ip in network for network in proxies)


def client_behind(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """The host that a trusted proxy has asked for.

    `forwarded` is what X-Forwarded-For says: each proxy adds at the end whom it was asked by, so
    the last one that is no proxy is the client, and what stands before it is anybody's word.
    """
    client = peer
    for host in reversed(forwarded.split(",")):
        asking = host.strip()
        if not is_trusted(client, proxies) or _ip(asking) is None:
            break
        client = asking
    return client


def _ip(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
