"""`--json`: every command that prints results prints them as JSON objects of version 1."""

from __future__ import annotations

import json

import pytest

from tabnet.cli import main
from tabnet.client.blocking import connect
from tabnet.games import GAMES
from tests.cli.processes import call_main, serving


def objects(capsys):
    """Return the objects that were printed; each has the version first."""
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [next(iter(each.items())) for each in found] == [("version", 1)] * len(found)
    return found


def test_perft_prints_an_object_for_each_depth(capsys):
    assert main(["perft", "draughts", "--depth", "2", "--json"]) == 0
    found = objects(capsys)
    assert [(each["depth"], each["leaves"]) for each in found] == [(1, 7), (2, 49)]


def test_check_prints_an_object_for_each_situation(tmp_path, capsys):
    bot = tmp_path / "mine.py"
    bot.write_text("def choose(state, moves, left):\n    print('hello')\n    return [][0]\n")
    assert main(["check", str(bot), "--json"]) == 1
    (result,) = objects(capsys)
    assert result["situation"] == "a whole game, and another one"
    assert result["mistake"] == f"{bot}:3: return [][0]: IndexError: list index out of range"
    assert (result["ends_check"], result["sent_line"]) == (True, None)
    assert result["output"].startswith("hello\n")


def test_bench_prints_its_figures(capsys):
    assert main(["bench", "rules", "--seconds", "0.01", "--json"]) == 0
    (result,) = objects(capsys)
    assert result["benchmark"] == "rules"
    assert [row["kind"] for row in result["figures"]] == list(GAMES)
    for row in result["figures"]:
        assert row["playouts_per_s"] * row["actions_per_playout"] == pytest.approx(
            row["actions_per_s"]
        )


@pytest.mark.slow
def test_a_tournament_prints_its_results_alone(tmp_path, capsys):
    folder = tmp_path / "it"
    command = ["tournament", "first", "random", "--pairs", "1", "--kind", "draughts"]
    assert main([*command, "--out", str(folder), "--json"]) == 0
    (result,) = objects(capsys)
    assert result["folder"] == str(folder)
    assert result["results"] == json.loads((folder / "results.json").read_text())


def test_ranking_watch_and_admin_print_objects(tmp_path, capsys):
    with serving(tmp_path) as server:
        address = f"tcp://{server.tcp}"
        with connect(address) as ann, connect(address) as bob:
            ann.register("ann", "x")
            bob.register("bob", "x")
            game = ann.join(kind="draughts", group=1).game
            bob.join(kind="draughts", group=1)
            assert call_json("watch", "--server", address)[0]["games"][0]["game"] == game
            (listed,) = call_json("admin", "list", "--data", tmp_path)
            assert [each["game"] for each in listed["matches"]] == [game]
            bob.leave(game)
        updates = call_json("watch", game, "--server", address)
        assert [each["update"]["event"]["type"] for each in updates] == ["leave"]
        (ranking,) = call_json("ranking", "--kind", "draughts", "--server", address)
        assert ranking["players"][0] == {"nick": "ann", "victories": 1, "games": 1}
        (done,) = call_json("admin", "ban", "bob", "--data", tmp_path)
        assert done == {"version": 1, "done": "bob is banned"}
        (exported,) = call_json("admin", "export", game, "--data", tmp_path)
        assert exported["rows"]


def call_json(*command):
    """Return the objects that a command prints."""
    shown = call_main(*command, "--json")
    assert (shown.returncode, shown.stderr) == (0, "")
    found = [json.loads(line) for line in shown.stdout.splitlines()]
    assert all(each["version"] == 1 for each in found)
    return found
