"""The options of `tabnet serve` in a file."""

from __future__ import annotations

import argparse

import pytest

from tabnet.cli.config_file import read_config
from tabnet.cli.options.serve_options import add_serve_options
from tabnet.errors import StartError
from tests.cli.processes import call_main, tabnet


def read(path, text, *arguments):
    path.write_text(text)
    return read_config(path, add_serve_options, arguments)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tabnet.toml"


def test_names_have_dashes_or_underscores(path):
    args = read(
        path,
        "[serve]\n"
        'host = "0.0.0.0"\nhttps-port = 8443\nmax_per_address = 64\nno-http = true\n'
        'allow-plain = false\nfish_clock = 2.5\ndraughts-clock = 60\nhouse = ["greedy", "first"]\n'
        'trusted-proxy = "192.0.2.0/24"\n',
    )
    assert (args.host, args.https_port, args.max_per_address) == ("0.0.0.0", 8443, 64)
    assert (args.http_port, args.allow_plain, args.tls_port) == (None, False, 45678)
    assert (args.fish_clock, args.draughts_clock) == (2.5, 60)
    assert args.house == ["greedy", "first"]
    assert [str(network) for network in args.trusted_proxy] == ["192.0.2.0/24"]


def test_the_command_line_overrides_the_file(path):
    text = (
        '[serve]\ntls-port = 1\nno-http = true\nhouse = ["greedy"]\nsync = "normal"\nfish = true\n'
    )
    args = read(path, text, "--tls-port", "45678", "--http-port=8", "--house", "first")
    assert (args.tls_port, args.http_port, args.house) == (45678, 8, ["first"])
    assert (args.sync, args.fish) == ("normal", True)


@pytest.mark.parametrize(
    ("text", "problem", "hint"),
    [
        (
            "[serve]\ntls-prt = 1",
            "[serve] has the unknown field 'tls-prt'",
            "did you mean tls-port?",
        ),
        (
            "[serve]\nzzz = 1",
            "[serve] has the unknown field 'zzz'",
            "tabnet serve --help lists the options",
        ),
        (
            '[serve]\nconfig = "x"',
            "[serve] has the unknown field 'config'",
            "it is an option of the command line alone",
        ),
        (
            '[serve]\ntls_port = "45678"',
            'tls_port in [serve] is "45678"',
            "it must be a whole number, like 45678",
        ),
        (
            "[serve]\ntls-port = true",
            "tls-port in [serve] is true",
            "it must be a whole number, like 45678",
        ),
        (
            "[serve]\nhost = 1",
            "host in [serve] is 1",
            'it must be a text in quotes, like "127.0.0.1"',
        ),
        ("[serve]\nfish = 'yes'", 'fish in [serve] is "yes"', "it must be true or false"),
        (
            "[serve]\nfish-clock = '1'",
            'fish-clock in [serve] is "1"',
            "it must be a number, like 120",
        ),
        (
            "[serve]\nhouse = ['greedy', 1]",
            "house in [serve] is ['greedy', 1]",
            "it must be a text in quotes, or a list of them",
        ),
        (
            "[serve]\ntls-port = [1]",
            "tls-port in [serve] is [1]",
            "it must be a whole number, like 45678",
        ),
        (
            "[serve]\ntls-port = 99999",
            "tls-port in [serve]: 99999 is not a port: 0 to 65535",
            None,
        ),
        (
            "[serve]\nsync = 'never'",
            "sync in [serve]: invalid choice: 'never' (choose from 'full', 'normal')",
            None,
        ),
        (
            "[serve]\nno-http = true\nno_http = true",
            "[serve] has both no-http and no_http: keep one",
            None,
        ),
        ("", "has no table [serve]", "begin it with a line [serve]"),
        (
            "host = '::'\n[serve]",
            "host is outside of [serve]",
            "write options below a line with [serve]",
        ),
        ("serve = 1", "has no table [serve]", "begin it with a line [serve]"),
        ("[serve\n", "is not TOML: ", None),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_and_the_field(path, text, problem, hint):
    with pytest.raises(StartError) as refused:
        read(path, text)
    assert refused.value.text.startswith(str(path))
    assert problem in refused.value.text
    assert refused.value.hint == hint


def test_a_wrong_value_is_refused_also_if_the_command_line_overrides_it(path):
    with pytest.raises(StartError, match="99999 is not a port"):
        read(path, "[serve]\ntls-port = 99999\n", "--tls-port", "0")


def test_a_missing_file_is_refused_in_one_sentence(tmp_path):
    ended = call_main("serve", "--config", tmp_path / "no.toml")
    text = (
        f"tabnet: cannot read {tmp_path / 'no.toml'}: No such file or directory (--config FILE)\n"
    )
    assert (ended.returncode, ended.stderr) == (1, text)


def test_every_option_of_the_server_can_be_a_field(path):
    parser = argparse.ArgumentParser(add_help=False)
    add_serve_options(parser)
    names = {action.option_strings[-1][2:] for action in parser._actions} - {"config", "print-unit"}
    for name in names:
        with pytest.raises(StartError, match=f"{name} in .serve. is "):
            read(path, f"[serve]\n{name} = {{}}\n")


@pytest.mark.slow
def test_a_server_takes_its_options_from_a_file(tmp_path, path):
    path.write_text(f'[serve]\ndata = "{tmp_path}"\ntls-port = 0\ntcp_port = 99999\n')
    ended = tabnet("serve", "--config", path)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        f"tabnet: {path}: tcp_port in [serve]: 99999 is not a port: 0 to 65535\n"
    )
