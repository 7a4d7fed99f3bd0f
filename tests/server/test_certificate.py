"""The certificate that a server makes for itself."""

from __future__ import annotations

import ssl
import stat

import pytest
import trio

from tabnet.errors import StartError
from tabnet.server.certificate import CERTIFICATE, KEY, fingerprint, tls_context


def test_the_key_is_for_its_owner_alone(tmp_path):
    tls_context(tmp_path / "new" / "folder")
    mode = (tmp_path / "new" / "folder" / KEY).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == [
        CERTIFICATE,
        KEY,
    ]


def test_a_second_start_finds_the_same_certificate(tmp_path):
    tls_context(tmp_path)
    first = fingerprint(tmp_path)
    tls_context(tmp_path)
    assert fingerprint(tmp_path) == first
    assert len(first) == 64


async def test_a_client_that_trusts_it_finds_it_valid_for_this_machine(tmp_path):
    server = tls_context(tmp_path)
    client = ssl.create_default_context(cafile=tmp_path / CERTIFICATE)
    for name in ("127.0.0.1", "localhost", "::1"):
        ours, theirs = trio.testing.memory_stream_pair()
        tls = trio.SSLStream(ours, client, server_hostname=name)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.SSLStream(theirs, server, server_side=True).do_handshake)
            await tls.do_handshake()
        assert tls.version() == "TLSv1.3"


def test_old_tls_is_refused(tmp_path):
    assert tls_context(tmp_path).minimum_version == ssl.TLSVersion.TLSv1_2


def test_a_broken_certificate_is_one_clear_sentence(tmp_path):
    tls_context(tmp_path)
    (tmp_path / KEY).write_text("nonsense")
    with pytest.raises(StartError, match="cannot use the certificate in") as refused:
        tls_context(tmp_path)
    assert "remove" in refused.value.hint


def test_a_folder_that_cannot_be_made_is_one_clear_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StartError, match="cannot write to the data folder") as refused:
        tls_context(tmp_path / "file" / "folder")
    assert "--data" in refused.value.hint
