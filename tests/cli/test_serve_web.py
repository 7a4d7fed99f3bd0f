"""The options of `tabnet serve` about host names, web pages and proxies."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request

from tests.cli.processes import call_main, serving
from tests.cli.test_serve import hang_up, make_certificate
from tests.polling import TIMEOUT_S


def http_status(server, path="/v1", **headers):
    """The status of a request to a server, with these headers."""
    request = urllib.request.Request(f"http://{server.http}{path}", b'{"cmd":"ping"}', headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
            return response.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_host_names_and_origins_are_options(tmp_path):
    names = ["--http-name", "Games.example.org", "--http-name", "*.example.com"]
    options = [*names, "--allow-origin", "https://friend.example", "--http-port", "0"]
    with serving(tmp_path, *options) as server:
        for host in ("games.example.org", "play.example.com:1", socket.gethostname(), "localhost"):
            assert http_status(server, Host=host) == 200
        assert http_status(server, Host="example.com") == 421
        assert http_status(server, Origin="https://friend.example") == 200
        assert http_status(server, Origin="http://friend.example") == 403


def test_the_names_of_a_replaced_certificate_are_accepted(tmp_path):
    certificate, key = make_certificate(tmp_path)
    options = ["--cert", certificate, "--key", key, "--http-port", "0"]
    with serving(tmp_path, *options) as server:
        assert http_status(server, Host="www.example.org") == 421
        assert make_certificate(tmp_path, names=["www.example.org"]) == (certificate, key)
        assert " info " in hang_up(server, tmp_path)
        assert http_status(server, Host="www.example.org") == 200


def test_invalid_host_names_and_origins_are_refused():
    for option, value, text in (
        ("--http-name", "https://a.b", "is no host name, like example.org or *.example.org"),
        ("--allow-origin", "null", "is no origin of web pages, like https://example.org"),
    ):
        ended = call_main("serve", option, value)
        assert ended.returncode == 2
        assert ended.stderr.endswith(f"argument {option}: '{value}' {text}\n")


def test_a_trusted_proxy_is_an_address_or_a_network():
    ended = call_main("serve", "--trusted-proxy", "example.org")
    assert ended.returncode == 2
    assert ended.stderr.endswith(
        "argument --trusted-proxy: 'example.org' is neither an address, like 192.0.2.1, "
        "nor a network, like 192.0.2.0/24\n"
    )


def test_the_port_of_metrics_is_an_option(tmp_path):
    with serving(tmp_path, "--http-port", "0", "--metrics-port", "0") as server:
        metrics = f"http://{server.addresses['metrics']}/metrics"
        with urllib.request.urlopen(metrics, timeout=TIMEOUT_S) as response:
            assert b'\ntabnet_house_bot_places{bot="greedy"} 8\n' in response.read()
        assert http_status(server, "/metrics") == 404


def test_the_port_of_metrics_may_be_open_to_others_without_further_options(tmp_path):
    options = ["--metrics-port", "0", "--metrics-host", "0.0.0.0"]
    with serving(tmp_path, *options) as server:
        assert server.addresses["metrics"].startswith("0.0.0.0:")
        assert "plain" not in (tmp_path / "stderr").read_text()
