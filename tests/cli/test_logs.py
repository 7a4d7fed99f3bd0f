"""The lines on stderr: no value forges another one, and with `--log json` each line is JSON."""

from __future__ import annotations

import io
import json
import logging
import socket
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.cli.logs import log_failure, logging_to_stderr
from tabnet.errors import StoreError
from tests.cli.processes import tabnet

log = logging.getLogger("tabnet")


def logged(style, act):
    """Return the output on stderr."""
    stderr, sys.stderr = sys.stderr, io.StringIO()
    try:
        with logging_to_stderr(style, "info"):
            act()
        return sys.stderr.getvalue()
    finally:
        sys.stderr = stderr


def logged_fields(**fields):
    """The line with these fields, without the time."""
    line = logged("human", lambda: log.info("pair", extra={"fields": fields}))
    return line.partition(" ")[2].removeprefix("info    pair ")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("zp", "zp"),
        (3, "3"),
        ("127.0.0.1:45679", "127.0.0.1:45679"),
        (["zp", "jpleal"], "zp,jpleal"),
        ("zp game=1", '"zp game=1"'),
        ("game=1", '"game=1"'),
        (["zp,game", "a b"], '"zp,game","a b"'),
        ('"', r'"\""'),
        ("", '""'),
        ("zp\n12:00:00.000 info    end", r'"zp\n12:00:00.000 info    end"'),
        ("\x1b[2Jzp", r'"\u001b[2Jzp"'),
        ("z\u202ep", r'"z\u202ep"'),
        ("é p", '"é p"'),
    ],
)
def test_an_ambiguous_value_is_quoted(value, written):
    assert logged_fields(nick=value, game="x") == f"nick={written} game=x\n"


@given(st.text())
def test_every_value_is_one_part_of_one_line(value):
    line = logged_fields(nick=value)
    assert line.removesuffix("\n").isprintable()
    text = line.removeprefix("nick=").removesuffix("\n")
    assert (json.loads(text) if text.startswith('"') else text) == value


def test_a_traceback_cannot_forge_a_line():
    def fail():
        try:
            raise ValueError("planted\n12:00:00.000 info    end game=1\x1b[2J")
        except ValueError:
            log.exception("failed", extra={"fields": {}})

    first, *rest = logged("human", fail).splitlines()
    assert first.endswith(" failed")
    assert all(line.startswith("    ") and line.isprintable() for line in rest)
    assert rest[-1].endswith(r"end game=1\x1b[2J")


EVERYTHING = """
import logging, sys, threading, warnings
from tabnet.cli import main, serve

class Unraisable:
    def __del__(self):
        raise ValueError("deleted")

def crash(args):
    async def never_awaited(): pass
    never_awaited()
    warnings.warn("two\\nlines")
    Unraisable()
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    logging.getLogger("trio.abc").error("from trio\\nitself")
    logging.getLogger("tabnet").info("pair", extra={"fields": {"players": ["a\\nb", object()]}})
    raise RuntimeError("planted\\nfailure")

serve._serve = crash
sys.exit(main(["serve", "--log", "json"]))
"""


def test_json_logs_are_json_throughout():
    ended = subprocess.run(
        [sys.executable, "-c", EVERYTHING], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    shown = [line["event"] + line.get("exception", "") for line in lines]
    expected = ("never awaited", "two\nlines", "deleted", "ZeroDivision", "from trio", "pair")
    for part, text in zip((*expected, "planted\nfailure"), shown, strict=True):
        assert part in text


def test_json_logs_include_the_reason_for_not_starting(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        options = ["--tls-port", 0, "--tcp-port", port, "--log", "json"]
        ended = tabnet("serve", "--data", tmp_path, *options)
    assert (ended.returncode, ended.stdout) == (1, "")
    (line,) = map(json.loads, ended.stderr.splitlines())
    assert (line["level"], line["event"]) == ("error", "stopped")
    assert line["error"] == f"port {port} on 127.0.0.1 is taken"
    assert "--tcp-port" in line["hint"]


def test_json_logs_include_the_reason_for_stopping():
    def stop():
        raise StoreError("the disk is full")

    line = json.loads(logged("json", lambda: log_failure(stop)))
    assert (line["event"], line["error"]) == ("stopped", "the disk is full")
    assert "hint" not in line


def test_a_closed_stdout_is_not_a_failure():
    def close():
        raise BrokenPipeError

    def run():
        with pytest.raises(BrokenPipeError):
            log_failure(close)

    assert logged("json", run) == ""


def test_the_logger_is_as_before_when_the_server_has_ended():
    logger = logging.getLogger("tabnet")
    before = logger.level, logger.propagate
    with logging_to_stderr("json", "debug"):
        assert (logger.level, logger.propagate) == (logging.DEBUG, False)
    assert (logger.level, logger.propagate) == before
