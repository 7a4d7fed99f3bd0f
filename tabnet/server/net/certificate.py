"""The server's certificate: the operator's, or one that is made for the data folder."""

from __future__ import annotations

import hashlib
import os
import re
import ssl
from pathlib import Path

from attrs import frozen

from tabnet.errors import StartError

CERTIFICATE = "cert.pem"
KEY = "key.pem"
YEARS = 10
"""Clients recognise the certificate itself, not its issuer, so it is not renewed."""

PEM_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
PEM_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")


@frozen
class Files:
    """The files of a certificate and its key."""

    certificate: Path
    key: Path
    remedy: str = "give --cert and --key two files in PEM that belong together"
    """The hint of errors about the files."""


def ensure_own_files(folder: Path) -> Files:
    """Return the files in the data folder; make them if they are missing."""
    remedy = f"remove {CERTIFICATE} and {KEY} in {folder} to have them made anew"
    files = Files(folder / CERTIFICATE, folder / KEY, remedy)
    if not (files.certificate.exists() and files.key.exists()):
        _make_files(files.certificate, files.key)
    return files


class Identity:
    """The TLS identity of a server, from the files of its certificate."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.read()

    def read(self) -> None:
        """Read the files; raise `StartError` and keep the old identity if they are unusable."""
        pem = _read_certificate(self._files)
        self.context = make_tls_context(self._files)
        self.fingerprint = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()
        """The SHA-256 of the certificate in hexadecimal, which clients compare."""
        self.names = read_dns_names(pem)
        """The host names in the certificate; one may begin with `*.`."""


def make_tls_context(files: Files) -> ssl.SSLContext:
    """Return the TLS settings of a server with this certificate; raise `StartError`."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    _read_certificate(files)
    if not PEM_KEY.search(_read_text(files.key, files)):
        raise StartError(f"no private key in PEM in {files.key}", hint=files.remedy)

    def refuse_to_ask() -> str:
        raise StartError(f"the key {files.key} has a password", hint="remove it from the key")

    try:
        context.load_cert_chain(files.certificate, files.key, refuse_to_ask)
    except ssl.SSLError as error:
        text = f"cannot use the certificate {files.certificate} with the key {files.key}: {error}"
        if error.reason == "KEY_VALUES_MISMATCH":
            text = f"the key {files.key} does not belong to the certificate {files.certificate}"
        raise StartError(text, hint=files.remedy) from None
    return context


def read_dns_names(pem: str) -> frozenset[str]:
    """Return the host names of a certificate, in lower case; none if they cannot be read."""
    from cryptography import x509

    try:
        certificate = x509.load_pem_x509_certificate(pem.encode())
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except (ValueError, x509.ExtensionNotFound, x509.DuplicateExtension):
        return frozenset()
    return frozenset(name.lower() for name in extension.value.get_values_for_type(x509.DNSName))


def _read_certificate(files: Files) -> str:
    found = PEM_CERTIFICATE.search(_read_text(files.certificate, files))
    if found is None:
        raise StartError(f"no certificate in PEM in {files.certificate}", hint=files.remedy)
    return found[0]


def _read_text(path: Path, files: Files) -> str:
    try:
        return path.read_text(encoding="latin-1")
    except OSError as error:
        raise StartError(f"cannot read {path}: {error.strerror}", hint=files.remedy) from None


def _make_files(certificate: Path, key: Path) -> None:
    """Make a self-signed certificate for this machine's loopback addresses."""
    certificate_pem, key_pem = _make_self_signed()
    try:
        certificate.parent.mkdir(parents=True, exist_ok=True)
        _write(key, key_pem, 0o600)
        _write(certificate, certificate_pem, 0o644)
    except OSError as error:
        text = f"cannot write to the data folder {certificate.parent}: {error.strerror}"
        raise StartError(text, hint="choose another folder with --data") from None


def _write(path: Path, content: bytes, mode: int) -> None:
    """Write a file that is never visible half written, or with a wider mode."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
    draft.replace(path)


def _make_self_signed() -> tuple[bytes, bytes]:
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
