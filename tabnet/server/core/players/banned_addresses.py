"""Ranges of addresses that the operator has banned. Pure.

Clients on the server's own machine are never banned, so that no range locks out the operator and
the house bots.
"""

from __future__ import annotations

import ipaddress
from typing import TypeAlias

from attrs import define, field

from tabnet.errors import Refused

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Range: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

MAPPED_BITS = 96
"""The length of the prefix `::ffff:0:0/96` of IPv4 addresses in the form of IPv6."""


def is_like_range(text: str) -> bool:
    """Return True if a text begins with an address; another text is a nick."""
    try:
        ipaddress.ip_address(text.partition("/")[0])
    except ValueError:
        return False
    return True


def parse_range(text: str) -> Range:
    """Return the range that an operator names: an address, or a network like 192.0.2.0/24."""
    try:
        found = ipaddress.ip_network(text, strict=False)
        if "%" in text:
            raise ValueError
    except ValueError:
        example = "192.0.2.7, 192.0.2.0/24 or 2001:db8::/32"
        raise Refused("bad_value", f"{text} is no range of addresses, like {example}") from None
    address = text.partition("/")[0]
    if found.network_address != ipaddress.ip_address(address):
        text = f"{address} is not the beginning of a range: did you mean {found}?"
        raise Refused("bad_value", text)
    mapped = _unmap(found.network_address)
    if isinstance(mapped, ipaddress.IPv4Address) and found.prefixlen >= MAPPED_BITS:
        found = ipaddress.IPv4Network((mapped, found.prefixlen - MAPPED_BITS))
    if found.is_loopback:
        raise Refused("bad_value", f"{found} is the server's own machine, which cannot be banned")
    return found


@define
class BannedAddresses:
    """The banned ranges, each with its reason."""

    reasons: dict[Range, str] = field(factory=dict)
    """The reason for each banned range."""
    _prefixes: dict[tuple[int, int], dict[int, str]] = field(factory=dict)
    """The same by IP version and length of the prefix, and then by the prefix."""

    def ban(self, banned: Range, reason: str) -> None:
        """Ban a range; a newer reason replaces the older one."""
        self.reasons[banned] = reason
        same_length = self._prefixes.setdefault((banned.version, banned.prefixlen), {})
        same_length[_get_prefix(banned.network_address, banned.prefixlen)] = reason

    def lift(self, banned: Range) -> None:
        """Lift the ban of exactly this range; refuse one that is not banned."""
        if banned not in self.reasons:
            ranges = ", ".join(map(str, self.reasons)) or "none"
            raise Refused("bad_value", f"{banned} is not banned; banned ranges: {ranges}")
        del self.reasons[banned]
        key = banned.version, banned.prefixlen
        del self._prefixes[key][_get_prefix(banned.network_address, banned.prefixlen)]
        if not self._prefixes[key]:
            del self._prefixes[key]

    def find_reason(self, host: str) -> str | None:
        """Return the reason for which a host is banned, or None: the longest prefix decides."""
        if not self.reasons:
            return None
        try:
            address = _unmap(ipaddress.ip_address(host))
        except ValueError:
            return None  # no address of the internet
        if address.is_loopback:
            return None
        for version, length in sorted(self._prefixes, reverse=True):
            if version == address.version:
                reason = self._prefixes[version, length].get(_get_prefix(address, length))
                if reason is not None:
                    return reason
        return None


def _get_prefix(address: Address, length: int) -> int:
    return int(address) >> (address.max_prefixlen - length)


def _unmap(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address stands for, or the address itself."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
