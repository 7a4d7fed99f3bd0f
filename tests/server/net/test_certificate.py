"""The certificate that a server makes for itself, and one that it is given."""

from __future__ import annotations

import datetime
import hashlib
import os
import ssl
import stat

import pytest
import trio
import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tabnet.errors import StartError
from tabnet.server.net.certificate import (
    CERTIFICATE,
    KEY,
    Files,
    Identity,
    ensure_own_files,
    make_tls_context,
    read_dns_names,
)

YEAR = datetime.timedelta(days=365)


def test_only_the_owner_can_read_the_key(tmp_path):
    before = os.umask(0)
    try:
        ensure_own_files(tmp_path / "new" / "folder")
    finally:
        os.umask(before)
    mode = (tmp_path / "new" / "folder" / KEY).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == [
        CERTIFICATE,
        KEY,
    ]


def test_a_second_start_finds_the_same_certificate(tmp_path):
    first = Identity(ensure_own_files(tmp_path))
    second = Identity(ensure_own_files(tmp_path))
    assert second.fingerprint == first.fingerprint
    assert len(first.fingerprint) == 64


async def shake_hands(server, client, name):
    """A handshake in memory; the client's end."""
    ours, theirs = trio.testing.memory_stream_pair()
    tls = trio.SSLStream(ours, client, server_hostname=name)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.SSLStream(theirs, server, server_side=True).do_handshake)
        await tls.do_handshake()
    return tls


async def test_a_client_that_trusts_it_finds_it_valid_for_this_machine(tmp_path):
    server = make_tls_context(ensure_own_files(tmp_path))
    client = ssl.create_default_context(cafile=tmp_path / CERTIFICATE)
    for name in ("127.0.0.1", "localhost", "::1"):
        tls = await shake_hands(server, client, name)
        assert tls.version() == "TLSv1.3"


def test_old_tls_is_refused(tmp_path):
    assert make_tls_context(ensure_own_files(tmp_path)).minimum_version == ssl.TLSVersion.TLSv1_2


def test_a_folder_that_cannot_be_created_is_reported_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StartError, match="cannot write to the data folder") as refused:
        ensure_own_files(tmp_path / "file" / "folder")
    assert "--data" in refused.value.hint


def test_a_damaged_certificate_is_refused_with_a_remedy(tmp_path):
    (ensure_own_files(tmp_path)).key.write_text("nonsense")
    with pytest.raises(StartError, match="no private key in PEM in ") as refused:
        Identity(ensure_own_files(tmp_path))
    assert refused.value.hint == (
        f"remove cert.pem and key.pem in {tmp_path} to have them made anew"
    )


# -- the operator's own


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture
def given(tmp_path, authority):
    """A certificate with its chain, and its key, as an authority hands them out."""
    return write(authority.issue_cert("example.org"), tmp_path, "given")


def write(leaf, folder, name):
    files = Files(folder / f"{name}.pem", folder / f"{name}.key")
    chain = [*leaf.cert_chain_pems, trustme.CA().cert_pem]
    files.certificate.write_bytes(b"A remark\n" + b"".join(pem.bytes() for pem in chain))
    files.key.write_bytes(leaf.private_key_pem.bytes())
    return files


async def test_a_certificate_can_be_given(given, authority):
    client = ssl.create_default_context()
    authority.configure_trust(client)
    tls = await shake_hands(Identity(given).context, client, "example.org")
    shown = ssl.DER_cert_to_PEM_cert(tls.getpeercert(binary_form=True))
    assert shown.strip() in given.certificate.read_text()


def test_the_fingerprint_is_that_of_the_first_certificate_in_the_chain(given, authority):
    leaf = ssl.PEM_cert_to_DER_cert(
        "-----BEGIN" + given.certificate.read_text().split("-----BEGIN")[1]
    )
    assert Identity(given).fingerprint == hashlib.sha256(leaf).hexdigest()


def missing_certificate(files):
    files.certificate.unlink()
    return f"cannot read {files.certificate}: No such file or directory"


def missing_key(files):
    files.key.unlink()
    return f"cannot read {files.key}: No such file or directory"


def unreadable_key(files):
    files.key.unlink()
    files.key.mkdir()
    return f"cannot read {files.key}: Is a directory"


def no_certificate(files):
    files.certificate.write_bytes(files.key.read_bytes())
    return f"no certificate in PEM in {files.certificate}"


def no_key(files):
    files.key.write_bytes(files.certificate.read_bytes())
    return f"no private key in PEM in {files.key}"


def key_in_der(files):
    files.key.write_bytes(b"\x30\x81\xff\x00")
    return f"no private key in PEM in {files.key}"


def foreign_key(files):
    files.key.write_bytes(trustme.CA().private_key_pem.bytes())
    return f"the key {files.key} does not belong to the certificate {files.certificate}"


def locked_key(files):
    key = serialization.load_pem_private_key(files.key.read_bytes(), None)
    files.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )
    return f"the key {files.key} has a password"


def damaged_certificate(files):
    pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    files.certificate.write_text(pem)
    return f"cannot use the certificate {files.certificate} with the key {files.key}: "


BREAKS = [
    *(missing_certificate, missing_key, unreadable_key, no_certificate, no_key, key_in_der),
    *(foreign_key, locked_key, damaged_certificate),
]


@pytest.mark.parametrize("spoil", BREAKS, ids=lambda spoil: spoil.__name__)
def test_an_error_in_new_files_keeps_the_old_identity(given, spoil):
    identity = Identity(given)
    before = identity.context, identity.fingerprint
    text = spoil(given)
    with pytest.raises(StartError) as refused:
        identity.read()
    assert refused.value.text.startswith(text)
    assert refused.value.hint in (given.remedy, "remove it from the key")
    assert (identity.context, identity.fingerprint) == before


def test_the_host_names_of_the_certificate_are_known(tmp_path, given, authority):
    assert Identity(ensure_own_files(tmp_path / "own")).names == {"localhost"}
    identity = Identity(given)
    write(authority.issue_cert("Play.example.org", "*.example.com", "192.0.2.1"), tmp_path, "given")
    identity.read()
    assert identity.names == {"play.example.org", "*.example.com"}


def test_a_certificate_without_names_has_none():
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "example.org")])
    start = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, start, start + YEAR)
    pem = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    assert read_dns_names(pem.decode()) == set()


def test_another_certificate_is_read(given, authority, tmp_path):
    identity = Identity(given)
    before = identity.context, identity.fingerprint
    later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=9)
    write(authority.issue_cert("example.org", not_after=later), tmp_path, "given")
    identity.read()
    assert identity.fingerprint != before[1]
    assert identity.context is not before[0]
