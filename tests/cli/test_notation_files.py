"""`tabnet export --format`, and `tabnet replay` of a file in a notation."""

from __future__ import annotations

import pytest

from tabnet.cli import main
from tabnet.client.blocking import connect
from tests.cli.processes import call_main, serving

PUBLISHED = """
[Black "First, Ada"]
[White "Second, Ben"]
[GameType "21"]
1. 11-15 23-19 2. 8-11 22-17 {result}
"""


@pytest.fixture
def pdn(tmp_path):
    """Writes a file with a result, and returns its path."""

    def write(result, text=PUBLISHED):
        path = tmp_path / "game.pdn"
        path.write_text(text.replace("{result}", result))
        return str(path)

    return write


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ("1-0", "Black (Second, Ben) won: the other side left."),
        ("0-1", "White (First, Ada) won: the other side left."),
        ("1/2-1/2", "The game is a draw: the players agreed."),
        ("*", "The match is not over."),
    ],
)
def test_a_published_game_is_replayed(pdn, capsys, result, sentence):
    assert main(["replay", pdn(result)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Draughts: White (First, Ada) against Black (Second, Ben)" in lines[0]
    assert lines[-1] == sentence


def test_moves_after_the_end_by_the_rules_are_left_out(pdn, capsys):
    shuffle = "1. 1-5 32-28 2. 5-1 28-32"
    text = f'[SetUp "1"]\n[FEN "B:WK32:BK1"]\n{shuffle} {shuffle} 1-5 32-28 {{result}}\n'
    assert main(["replay", pdn("*", text)]) == 0
    shown = capsys.readouterr()
    assert shown.err == "tabnet: the rules end the game after 8 moves; 2 more are not shown\n"
    assert shown.out.splitlines()[-1].startswith("The game is a draw: the position")


def test_a_wrong_move_is_one_sentence(pdn, capsys):
    path = pdn("1-0", PUBLISHED.replace("11-15", "11-20"))
    assert main(["replay", path]) == 1
    refused = capsys.readouterr().err
    assert refused.startswith(f"tabnet: {path}: move 1. 11-20 is no legal move (legal here: ")
    assert refused.count("\n") == 1
    assert main(["replay", "nowhere.pdn"]) == 1
    assert "cannot read nowhere.pdn" in capsys.readouterr().err


def test_an_exported_game_is_replayed_with_the_same_moves(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with serving(tmp_path) as server:
        address = f"tcp://{server.tcp}"
        with connect(address) as ann, connect(address) as bob:
            ann.register("ann", "x")
            bob.register("bob", "x")
            game = ann.join(kind="draughts").game
            bob.join(kind="draughts")
            ann.notify(game, route=["c3", "d4"])
            bob.notify(game, route=["b6", "a5"])
            ann.leave(game)
            tab = ann.join(kind="tab", group=1, size=7).game
            bob.join(kind="tab", group=1, size=7)
        done = call_main("export", game, "--format", "pdn", "--server", address)
        assert (done.returncode, done.stdout) == (0, "")
        refused = call_main("export", tab, "--format", "pdn", "--server", address)
        assert refused.stderr == "tabnet: tab has no notation pdn (--format jsonl)\n"
    text = (tmp_path / f"{game}.pdn").read_text()
    tags = f'[Event "tabnet game {game}"]\n[White "ann"]\n[Black "bob"]\n'
    assert text.startswith(tags)
    assert text.endswith("\n1. 22-18 9-13 0-1\n")
    assert main(["replay", f"{game}.pdn"]) == 0
    shown = capsys.readouterr().out
    assert "White (ann) against Black (bob)" in shown
    assert shown.splitlines()[-1] == "Black (bob) won: the other side left."
