"""The `tabnet` command: its help, its errors, and `tabnet perft`."""

from __future__ import annotations

import io
import json
import platform
import runpy
import shlex
import subprocess
import sys

import pytest

from tabnet import __version__
from tabnet.cli import SUBCOMMANDS, main, make_parser
from tabnet.cli.logs import logging_to_stderr
from tabnet.cli.options.server_options import port
from tabnet.client.address import find_data_folder
from tabnet.games import GAMES
from tests.cli.processes import call_main, tabnet


def test_help_lists_every_subcommand_and_an_example():
    shown = tabnet("--help")
    assert shown.returncode == 0
    assert "examples:" in shown.stdout
    for summary in SUBCOMMANDS.values():
        assert summary in " ".join(shown.stdout.split())


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_help_of_a_subcommand_has_examples_that_parse(name, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    shown = capsys.readouterr().out
    examples = [
        line.split("tabnet ")[1].partition(" > ")[0]
        for line in shown.splitlines()
        if f"  tabnet {name}" in line
    ]
    assert examples
    for example in examples:
        run = make_parser().parse_args(shlex.split(example)).run
        assert run.__module__ == f"tabnet.cli.{name}"


def test_help_does_not_load_the_server():
    code = "import sys, tabnet.cli as cli; cli.make_parser(); print('trio' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "False\n"


def test_version_names_tabnet_python_and_the_platform(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    shown = capsys.readouterr().out
    assert shown.startswith(f"tabnet {__version__}, ")
    assert platform.python_version() in shown
    assert platform.platform() in shown


def test_python_m_tabnet_runs_the_command(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["tabnet", "perft", "tab", "--depth", "1"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("tabnet", run_name="__main__")
    assert capsys.readouterr().out.split()[:2] == ["1", "5"]


def counts(text):
    return [tuple(map(int, line.split()[:2])) for line in text.splitlines()]


def test_perft_prints_a_line_for_each_depth(capsys):
    assert main(["perft", "draughts", "--depth", "4"]) == 0
    shown = capsys.readouterr().out
    assert counts(shown) == [(1, 7), (2, 49), (3, 302), (4, 1469)]
    assert all(line.endswith("/s") for line in shown.splitlines())


def test_perft_of_tab_takes_a_size(capsys):
    main(["perft", "tab", "--depth", "8", "--size", "7"])
    assert counts(capsys.readouterr().out)[-1] == (8, 8067)


def test_perft_reads_a_fen_from_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("B:W17,18,26:B13,14,30\n"))
    main(["perft", "draughts", "--depth", "6", "--position", "-"])
    assert [count for _, count in counts(capsys.readouterr().out)] == [3, 6, 11, 32, 66, 190]


def test_perft_reads_a_view_from_a_file(capsys, tmp_path):
    (tmp_path / "view").write_text(json.dumps(GAMES["tab"].start().view()))
    main(["perft", "tab", "--depth", "2", "--position", str(tmp_path / "view")])
    assert counts(capsys.readouterr().out) == [(1, 5), (2, 13)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft", "chess", "--depth", "1"], f"unknown kind 'chess' (one of: {' '.join(GAMES)})"),
        (["perft", "tab", "--depth", "0"], "the depth 0 is too small (--depth 1 or more)"),
        (["perft", "tab", "--depth", "1", "--size", "8"], "invalid size '8' (an odd integer from"),
        (["perft", "draughts", "--depth", "1", "--size", "7"], "draughts has no option 'size'"),
        (["perft", "tab", "--depth", "1", "--position", "/none"], "cannot read /none: "),
    ],
)
def test_errors_are_one_line_and_exit_code_1(arguments, message, capsys):
    assert main(arguments) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith(f"tabnet: {message}")
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_an_invalid_position_is_reported_in_one_line(capsys, tmp_path):
    (tmp_path / "view").write_text("{nonsense")
    assert main(["perft", "tab", "--depth", "1", "--position", str(tmp_path / "view")]) == 1
    assert "is not JSON" in capsys.readouterr().err


def test_a_missing_subcommand_is_explained():
    ended = call_main()
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert "COMMAND" in ended.stderr


def test_a_closed_pipe_and_ctrl_c_end_quietly(monkeypatch):
    for error, code in ((BrokenPipeError, 141), (KeyboardInterrupt, 130)):

        def fail(_, error=error):
            raise error

        monkeypatch.setattr("tabnet.cli.perft.run", fail)
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        assert main(["perft", "tab", "--depth", "1"]) == code


@pytest.mark.parametrize("text", ["-1", "65536"])
def test_a_port_out_of_range_is_refused(text, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "--tcp-port", text])
    assert "is not a port: 0 to 65535" in capsys.readouterr().err
    assert port("0") == 0


def test_the_default_data_folder_follows_xdg_data_home(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert str(find_data_folder()) == "/somewhere/tabnet"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/of")
    assert str(find_data_folder()) == "/home/of/.local/share/tabnet"


def test_a_failure_is_logged_with_its_traceback(capsys):
    import logging

    for style in ("human", "json"):
        with logging_to_stderr(style, "info"):
            try:
                raise RuntimeError("planted")
            except RuntimeError:
                logging.getLogger("tabnet").exception("failed", extra={"fields": {"session": 3}})
        shown = capsys.readouterr().err
        assert "RuntimeError: planted" in shown
        assert "session" in shown


def test_the_options_of_a_kind_come_from_its_fields(capsys):
    with pytest.raises(SystemExit):
        main(["tournament", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for game in GAMES.values():
        for name, field in game.fields.join.items():
            described = f"--{name} N {game.name}: {field.wire.help} ({field.usual})"
            assert (described in shown) == (field.type is int)


def test_perft_of_fish_takes_its_options(capsys):
    options = ["--fish", "1", "--rows", "4", "--cols", "2"]
    assert main(["perft", "fish", "--depth", "2", *options]) == 0
    assert counts(capsys.readouterr().out) == [(1, 8), (2, 56)]


def test_only_the_subcommand_that_runs_is_configured():
    code = "import sys, tabnet.cli as cli; cli.make_parser(['serve']); print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = ended.stdout.split()
    assert "tabnet.cli.serve" in modules
    assert "tabnet.cli.play" not in modules
