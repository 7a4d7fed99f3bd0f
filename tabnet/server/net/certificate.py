"""The server's certificate: made on first start and kept in the data folder, or the operator's."""

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
"""Clients recognise the certificate itself, not who signed it, so it is not renewed."""

PEM_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
PEM_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")


@frozen
class Files:
    """Where a certificate and its key lie."""

    certificate: Path
    key: Path
    remedy: str = "give --cert and --key two files in PEM that belong together"
    """What to do if they are of no use."""


def own_files(folder: Path) -> Files:
    """The certificate in the data folder; made if it is missing."""
    remedy = f"remove {CERTIFICATE} and {KEY} in {folder} to have them made anew"
    files = Files(folder / CERTIFICATE, folder / KEY, remedy)
    if not (files.certificate.exists() and files.key.exists()):
        _make(files.certificate, files.key)
    return files


class Identity:
    """What a server shows of itself; raises `StartError` if the files are of no use."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.read()

    def read(self) -> None:
        """Show what lies in the files now; if that is of no use, what was shown before."""
        self.context, self.fingerprint = tls_context(self._files), fingerprint(self._files)
        self.names = dns_names(self._files)
        """The host names in the certificate; one may begin with `*.`."""


def tls_context(files: Files) -> ssl.SSLContext:
    """The TLS settings of a server with this certificate; raises `StartError`."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if not PEM_CERTIFICATE.search(_text(files.certificate, files)):
        raise StartError(f"no certificate in PEM in {files.certificate}", hint=files.remedy)
    if not PEM_KEY.search(_text(files.key, files)):
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


def fingerprint(files: Files) -> str:
    """What clients compare: SHA-256 of the certificate, in hex."""
    found = PEM_CERTIFICATE.search(_text(files.certificate, files))
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(found[0])).hexdigest() if found else ""


def dns_names(files: Files) -> frozenset[str]:
    """Return the host names of a certificate, in lower case; none if they cannot be read."""
    from cryptography import x509

    found = PEM_CERTIFICATE.search(_text(files.certificate, files))
    try:
        certificate = x509.load_pem_x509_certificate(found[0].encode() if found else b"")
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except (ValueError, x509.ExtensionNotFound, x509.DuplicateExtension):
        return frozenset()
    return frozenset(name.lower() for name in extension.value.get_values_for_type(x509.DNSName))


def _text(path: Path, files: Files) -> str:
    try:
        return path.read_text(encoding="latin-1")
    except OSError as error:
        raise StartError(f"cannot read {path}: {error.strerror}", hint=files.remedy) from None


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
