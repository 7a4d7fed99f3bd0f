"""The client of a request that comes through a proxy of the operator. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


def is_trusted(host: str, proxies: Sequence[Network]) -> bool:
    """Return True if a host is one of the operator's proxies."""
    ip = _ip(host)
    return ip is not None and any(ip in network for network in proxies)


def client_behind(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """Return the host for which a trusted proxy has sent a request.

    `forwarded` is the value of X-Forwarded-For. Each proxy adds its client at the end. So the last
    host that is no proxy is the client, and the hosts before it cannot be trusted.
    """
    client = peer
    for host in reversed(forwarded.split(",")):
        if not is_trusted(client, proxies) or _ip(host.strip()) is None:
            break
        client = host.strip()
    return client


def _ip(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
