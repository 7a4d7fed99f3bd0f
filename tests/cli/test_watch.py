"""`tabnet watch`: the list, and a game to its end, on the screen and in a pipe."""

from __future__ import annotations

import random
import subprocess
from contextlib import contextmanager

from tabnet.client.blocking import connect
from tests.cli.processes import TABNET, call_main, serving, tabnet
from tests.cli.terminals import terminal
from tests.polling import TIMEOUT_S


@contextmanager
def two(address):
    """Two clients that have just begun a game of draughts."""
    with connect(address) as white, connect(address) as black:
        seat = white.join(kind="draughts", group=5)
        black.join(kind="draughts", group=5)
        yield white, black, seat


def test_running_games_and_waits_are_listed(tmp_path):
    with serving(tmp_path) as server:
        address = f"tcp://{server.tcp}"
        assert call_main("watch", "--server", address).stdout == (
            "No game is being played, and no player waits.\n"
        )
        with two(address) as (_, _, seat), connect(address) as third:
            third.register("carol", "x")
            third.join(group=7, size=11, clock={"total": 300, "increment": 5})
            shown = call_main("watch", "--server", address)
    assert shown.returncode == 0
    playing, waiting = shown.stdout.splitlines()
    assert playing.startswith(f"{seat.game}  draughts group 5  {seat.nick} - guest-")
    assert waiting.split(maxsplit=1) == [
        *("waiting", "tab size 11 group 7, total 300 increment 5"),
    ]


def test_a_spectator_follows_a_game_to_the_end_in_a_pipe(tmp_path):
    rng = random.Random(2)
    with serving(tmp_path) as server:
        address = f"tcp://{server.tcp}"
        with (
            two(address) as (white, black, seat),
            subprocess.Popen(
                [TABNET, "watch", seat.game, "--server", address],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
            ) as watcher,
        ):
            first = watcher.stdout.readline()
            for update in white.updates(seat.game):
                if update.over:
                    break
                player = white if update.turn == seat.nick else black
                player.notify(seat.game, **rng.choice(player.moves(seat.game).moves))
            text = first + watcher.stdout.read()
            assert watcher.wait(TIMEOUT_S) == 0
        again = tabnet("watch", seat.game, "--server", address)
    assert first.startswith("Draughts: White (guest-")
    assert f"White ({seat.nick}) won: the other side " in text
    assert text.count("w b men   W B kings") == update.seq
    assert "\x1b" not in text
    assert again.returncode == 0
    assert again.stdout.splitlines()[-1] == text.splitlines()[-1]


def test_a_spectator_follows_a_game_on_the_screen(tmp_path):
    with serving(tmp_path) as server:
        address = f"tcp://{server.tcp}"
        with (
            two(address) as (white, black, seat),
            terminal("watch", seat.game, "--server", address) as screen,
        ):
            text = screen.until("White is to move.")
            assert "[" not in text  # nothing can be played here
            assert "10:00" in text
            screen.type("roll\r")
            screen.until("you are watching")
            black.close()
            screen.until("away")
            white.notify(seat.game, route=["c3", "d4"])
            screen.until("White played c3 to d4")
            assert "(w)" in screen.text
            screen.type("moves\r")
            screen.until("\n b6 a5, ")
            screen.type("q\r")
            assert screen.end() == 0
            assert (
                f"To continue watching: tabnet watch {seat.game} --server {address}" in screen.text
            )


def test_a_missing_game_is_reported_in_one_sentence(tmp_path):
    with serving(tmp_path) as server:
        ended = call_main("watch", "nothing", "--server", f"tcp://{server.tcp}")
    assert (ended.returncode, ended.stderr) == (1, "tabnet: Invalid game reference\n")


def test_an_invalid_address_is_explained():
    ended = call_main("watch", "--server", "http://127.0.0.1")
    assert ended.returncode == 2
    assert "http://127.0.0.1 is not a server address: write tls:// or tcp://" in ended.stderr
