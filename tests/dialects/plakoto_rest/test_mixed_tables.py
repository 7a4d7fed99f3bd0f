"""Players of the dialect beside native players and house bots, and their matches afterwards."""

from __future__ import annotations

import random
import subprocess

import pytest

from tabnet.client.blocking import connect
from tests.cli.processes import TABNET, serving, tabnet
from tests.dialects.plakoto_rest.curl import Curl
from tests.polling import TIMEOUT_S, until

pytestmark = pytest.mark.slow


def test_a_match_with_a_native_player_is_watched_replayed_exported_and_verified(tmp_path):
    luck = random.Random(3)
    with serving(tmp_path, "--http-port", "0", "--house", "none") as server:
        address = f"tcp://{server.tcp}"
        anna = Curl(f"http://{server.http}/plakoto/club/").sit_down("W", "Anna")
        with connect(address) as native:
            seat = native.join(invite="plakoto:club", auto=True)
            game = seat.game
            watcher = start_watching(game, address)
            first_line = watcher.stdout.readline()
            for update in native.updates(game):
                if update.over:
                    break
                if update.seq < native.state(game).update["seq"]:
                    continue
                if update.turn == seat.nick:
                    native.notify(game, **luck.choice(native.moves(game).moves))
                else:
                    anna.move(anna.get("board/"), anna.status())
        assert anna.status()["status"] == "ended"
        assert first_line.startswith("White threw ")
        shown = watcher.communicate(timeout=TIMEOUT_S)[0]
        assert shown.count(" played ") > 50
        assert watcher.returncode == 0
        for arguments in (["verify", game], ["export", game, "--out", tmp_path / "match.jsonl"]):
            assert tabnet(*arguments, "--server", address).returncode == 0
    lines = (tmp_path / "match.jsonl").read_text().splitlines()
    assert len(lines) == update.seq
    assert "verified" in tabnet("verify", tmp_path / "match.jsonl").stdout.lower()
    assert tabnet("replay", tmp_path / "match.jsonl").stdout.count("\n") > len(lines)


def start_watching(game, address):
    """Start `tabnet watch` in a process of its own."""
    return subprocess.Popen(
        [TABNET, "watch", game, "--server", address],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_house_bot_takes_the_other_seat_and_plays_to_the_end(tmp_path):
    with serving(tmp_path, "--http-port", "0", "--house", "greedy") as server:
        anybody = Curl(f"http://{server.http}/plakoto/club/")
        anna = anybody.sit_down("W", "Anna")
        assert anybody.ask("PUT", "players/B", username="greedy", bot=True) == (
            400,
            {"errormesg": "token is not set."},
        )
        assert anna.sit_down("B", "greedy", bot=True).token is None
        assert [row["username"] for row in anna.get("players/")] == ["Anna", "greedy"]
        while until(lambda: anna.status()["p_turn"] != "B") and anna.status()["p_turn"] == "W":
            anna.move(anna.get("board/"), anna.status())
        assert anna.status()["status"] == "ended"
