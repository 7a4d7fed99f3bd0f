"""The address of a server, and the settings by which a client trusts it."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import os
import ssl
from pathlib import Path

from attrs import field, frozen
from attrs.converters import optional

from tabnet.errors import Disconnected

TLS_PORT = 45678
TCP_PORT = 45679
DEFAULT = f"127.0.0.1:{TLS_PORT}"
CERTIFICATE = "cert.pem"
"""The file in a server's data folder that clients on the same machine trust."""


def find_data_folder() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tabnet"


@frozen
class Address:
    """The host and port of a server, over TLS or plain TCP."""

    host: str
    port: int
    tls: bool = True
    local_socket: str | None = None
    """The path of the server's local socket (AF_UNIX); it replaces the host and the port."""

    @classmethod
    def parse(cls, text: str) -> Address:
        """Parse `host`, `host:port`, `tls://host:port` or `tcp://host:port`.

        Raises `ValueError`.
        """
        scheme, _, rest = text.rpartition("://")
        if scheme not in ("", "tls", "tcp"):
            raise ValueError(f"{text} is not a server address: write tls:// or tcp://")
        tls = scheme != "tcp"
        host, colon, port = rest.rpartition(":")
        if not colon or rest.endswith("]"):
            host, port = rest, str(TLS_PORT if tls else TCP_PORT)
        host = host.removeprefix("[").removesuffix("]")
        if not host or not port.isdecimal() or int(port) > 65535:
            raise ValueError(f"{text} is not a server address: write host:port")
        return cls(host, int(port), tls)

    def __str__(self) -> str:
        if self.local_socket is not None:
            return self.local_socket
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'tls' if self.tls else 'tcp'}://{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


@frozen
class Trust:
    """The certificate to trust, or the fingerprint that the server's certificate must have.

    With neither, a server on this machine is trusted by the certificate in `data`, and any other
    server as browsers do it.
    """

    ca: Path | None = field(default=None, converter=optional(Path))
    fingerprint: str | None = None
    data: Path | None = field(default=None, converter=optional(Path))

    def make_tls_context(self, address: Address) -> ssl.SSLContext:
        """Return the TLS settings for a connection; raises `Disconnected` if `ca` is unreadable."""
        if self.fingerprint is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE  # `require_fingerprint` compares it
        else:
            context = self._make_verifying_context(address)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context

    def _make_verifying_context(self, address: Address) -> ssl.SSLContext:
        local = (self.data or find_data_folder()) / CERTIFICATE
        ca = self.ca or (local if address.is_loopback and local.exists() else None)
        try:
            return ssl.create_default_context(cafile=ca)
        except (OSError, ssl.SSLError) as error:
            hint = "--ca FILE names the server's cert.pem"
            raise Disconnected(f"cannot read the certificate {ca}: {error}", hint=hint) from None

    def require_fingerprint(self, certificate: bytes | None) -> None:
        """Raise `Disconnected` if `certificate` (DER) does not have the required fingerprint."""
        if self.fingerprint is None:
            return
        wanted = self.fingerprint.lower().removeprefix("sha256:").replace(":", "")
        found = hashlib.sha256(certificate or b"").hexdigest()
        if not hmac.compare_digest(wanted.encode(), found.encode()):
            raise Disconnected(
                f"the server's certificate has another fingerprint: sha256:{found}",
                hint="compare --fingerprint with the line that the server printed at its start, "
                "or name its cert.pem with --ca FILE",
            )


def make_connection_error(address: Address, error: BaseException) -> Disconnected:
    """Return a failure to connect as an error with a readable cause."""
    cause = error.__cause__ or error
    while isinstance(cause, BaseExceptionGroup):  # an attempt for each address of the host
        cause = cause.exceptions[0]
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Disconnected(
            f"the certificate of {address} is not trusted: {cause.verify_message}",
            hint="name the fingerprint that the server prints with --fingerprint HEX, "
            "or its cert.pem with --ca FILE",
        )
    if isinstance(cause, ConnectionError) and cause.errno:
        reason = os.strerror(cause.errno)  # without the address, which trio puts before it
    else:
        reason = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return Disconnected(f"cannot connect to {address}: {reason}")
