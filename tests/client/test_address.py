"""Where a server is, and why a client believes it."""

from __future__ import annotations

import ssl

import pytest

from tabnet.client.address import DEFAULT, Address, Trust, make_connection_error
from tabnet.errors import Disconnected


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:5", Address("127.0.0.1", 5)),
        ("example.org", Address("example.org", 45678)),
        ("tls://example.org:1", Address("example.org", 1)),
        ("tcp://localhost:45", Address("localhost", 45, tls=False)),
        ("tcp://localhost", Address("localhost", 45679, tls=False)),
        ("[::1]:45", Address("::1", 45)),
        ("tls://[::1]", Address("::1", 45678)),
        (DEFAULT, Address("127.0.0.1", 45678)),
    ],
)
def test_common_ways_of_writing_an_address_are_read(text, address):
    assert Address.parse(text) == address
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize("text", ["", ":5", "host:", "host:no", "host:65536", "http://host:5"])
def test_an_invalid_address_is_refused(text):
    with pytest.raises(ValueError, match="is not a server address: write"):
        Address.parse(text)


@pytest.mark.parametrize(
    ("host", "here"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("192.0.2.1", False), ("a.b", False)],
)
def test_loopback_addresses_are_recognised(host, here):
    assert Address(host, 5).is_loopback is here


def test_a_remote_server_is_verified_by_its_certificate():
    context = Trust().make_tls_context(Address("example.org", 5))
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname


def test_an_unreadable_certificate_is_reported_in_one_sentence(tmp_path):
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(Disconnected, match="cannot read the certificate"):
            Trust(ca=path).make_tls_context(Address("example.org", 5))


def test_common_ways_of_writing_a_fingerprint_compare_equal():
    certificate = b"certificate"
    digits = "d1fe3ac1ea0bcc2cb3c1ee4d6a2df0ba5d8b1d1a9d2b8d6ab1cdd0c6de2d5ae5"
    with pytest.raises(Disconnected, match="another fingerprint: sha256:") as refused:
        Trust(fingerprint=digits).require_fingerprint(certificate)
    real = refused.value.text.rpartition(":")[2]
    pairs = ":".join(real[i : i + 2] for i in range(0, 64, 2)).upper()
    for written in (real, f"sha256:{real}", pairs):
        Trust(fingerprint=written).require_fingerprint(certificate)
    with pytest.raises(Disconnected):
        Trust(fingerprint=real).require_fingerprint(None)


def test_trust_without_a_fingerprint_checks_nothing_more():
    assert Trust().require_fingerprint(b"certificate") is None


def test_a_connection_failure_is_described_in_one_sentence():
    address = Address("127.0.0.1", 5, tls=False)
    text = make_connection_error(address, ConnectionRefusedError(111, "Connection refused")).text
    assert text == "cannot connect to tcp://127.0.0.1:5: Connection refused"
    assert make_connection_error(address, TimeoutError()).text.endswith(": TimeoutError")
