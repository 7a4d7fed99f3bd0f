"""The client that a connection or a request counts for: its address, or its network. Pure."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

from attrs import frozen


@frozen
class ClientOrigin:
    """The client that a session counts for; over HTTP, that a request counts for."""

    key: str
    """The address of an IPv4 host, or the /64 network of an IPv6 host."""
    is_exempt: bool = False
    """The limits per origin do not apply to it."""

    @classmethod
    def from_address(cls, address: str, *, is_own_client: bool = True) -> ClientOrigin:
        """Return the origin of an address like 192.0.2.1:4567.

        This machine's own address is exempt, unless it sends for a proxy or for a foreign web page.
        """
        is_local = find_host(address) in ("127.0.0.1", "::1", "::ffff:127.0.0.1")
        return cls(find_origin(address), is_exempt=is_own_client and is_local)

    def list_holders(self, session: int) -> tuple[str, ...]:
        """Return the names that something opened by this session is counted under."""
        # A proxy sends the requests of several origins over one connection.
        own = f"session {session} of {self.key}"
        return (own,) if self.is_exempt else (own, self.key)


LOCAL = ClientOrigin("", is_exempt=True)
"""The origin of sessions without a connection."""


def find_host(address: str) -> str:
    """Return the host of an address like [::1]:8008."""
    return address.rpartition(":")[0].strip("[]")


def is_loopback(address: str) -> bool:
    """Return True if an address like 127.0.0.1:4567 is one of this machine's own."""
    try:
        ip = ipaddress.ip_address(find_host(address))
    except ValueError:
        return False
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_loopback


def find_origin(address: str) -> str:
    """Return the host of an address like 192.0.2.1:4567, or the /64 network of an IPv6 host."""
    host = find_host(address)
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return address  # no address of the internet
    if isinstance(ip, ipaddress.IPv4Address):
        return host
    return str(ip.ipv4_mapped or ipaddress.IPv6Network((int(ip), 64), strict=False))


@lru_cache(maxsize=10_000)
def find_network(origin: str) -> str:
    """Return the network that an origin belongs to: the /24 of an IPv4 host, the /48 of a /64."""
    try:
        network = ipaddress.ip_network(origin)
    except ValueError:
        return origin  # no address of the internet
    prefix = 24 if isinstance(network, ipaddress.IPv4Network) else 48
    return str(network.supernet(new_prefix=prefix))
