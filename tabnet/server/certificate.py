"""The server's certificate: made on first start, kept in the data folder."""

from __future__ import annotations

import hashlib
import os
import ssl
from pathlib import Path

from tabnet.errors import StartError

CERTIFICATE = "cert.pem"
KEY = "key.pem"
YEARS = 10
"""Clients recognise the certificate itself, not who signed it, so it is not renewed."""


def tls_context(folder: Path) -> ssl.SSLContext:
    """The TLS settings of a server whose certificate lies in `folder`; made if it is missing."""
    certificate, key = folder / CERTIFICATE, folder / KEY
    if not (certificate.exists() and key.exists()):
        _make(certificate, key)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise StartError(
            f"cannot use the certificate in {folder}: {error}",
            hint=f"remove {CERTIFICATE} and {KEY} there to have them made anew",
        ) from None
    return context


def fingerprint(folder: Path) -> str:
    """What clients compare: SHA-256 of the certificate, in hex."""
    pem = (folder / CERTIFICATE).read_text(encoding="ascii")
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()


def _make(certificate: Path, key: Path) -> None:
    """A self-signed certificate for this machine's loopback addresses."""
    certificate_pem, key_pem = _self_signed()
    try:
        certificate.parent.mkdir(parents=True, exist_ok=True)
        _write(key, key_pem, 0o600)
        _write(certificate, certificate_pem, 0o644)
    except OSError as error:
        raise StartError(
            f"cannot write to the data folder {certificate.parent}: {error.strerror}",
            hint="choose another folder with --data",
        ) from None


def _write(path: Path, content: bytes, mode: int) -> None:
    """Write a file that nobody ever sees half written, or with a wider mode than meant."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
    draft.replace(path)


def _self_signed() -> tuple[bytes, bytes]:
    # Imported here: it takes longer than the rest of a start, which needs it only once.
    import datetime
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "tabnet")])
    addresses = [ipaddress.ip_address(text) for text in ("127.0.0.1", "::1")]
    names = [x509.DNSName("localhost"), *map(x509.IPAddress, addresses)]
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=365 * YEARS))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    key_pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return certificate.public_bytes(serialization.Encoding.PEM), key_pem
