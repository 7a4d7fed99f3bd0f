"""Rooms of draughts in text lines with native players, spectators and house bots."""

from __future__ import annotations

import json
import random

import pytest

from tabnet.client.blocking import connect as connect_natively
from tabnet.games.draughts import DRAUGHTS
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tests.cli.processes import openssl, tabnet
from tests.cli.processes import serving as serving_process
from tests.dialects.draughts_text.clients import connect, create, room, serving, values_of
from tests.polling import until


async def join_natively(server, invite, **fields):
    """A native client that has sent a join with an invite, and the reply."""
    talker = await server.connect()
    return talker, await talker.ask(cmd="join", invite=invite, **fields)


@pytest.mark.parametrize("case", [str.lower, str.upper])
async def test_a_native_player_joins_with_the_id_of_the_free_colour(case):
    async with serving() as server:
        text, ids = await create(server)
        invite = case(f"{ids['ROOM_ID']}:{ids['ENEMY_COLOR_ID']}")
        native, joined = await join_natively(server, invite)
        assert joined["game"] == ids["ROOM_ID"]
        update = await native.until(type="update", seq=1)
        state = await text.values()
        assert (state["STATE"], state["PLAYER_TURN"]) == ("PLAYING", "WHITE")
        assert (state["WHITE_ONLINE"], state["BLACK_ONLINE"]) == ("TRUE", "TRUE")
        if update["turn"] == joined["nick"]:
            await native.ask(cmd="notify", route=["c3", "d4"])
            assert await text.ask("MOVE b6 a5") == "MOVE_OK"
        else:
            assert await text.ask("MOVE c3 d4") == "MOVE_OK"
            await native.ask(cmd="notify", route=["b6", "a5"])
        state = await text.values()
        assert state["PLAYER_TURN"] == "WHITE"
        assert state["BOARD"] == "0b0b0b0bb0b0b0b0000b0b0bb0000000000w0000w000w0w00w0w0w0ww0w0w0w0"


async def test_the_id_of_a_colour_is_void_when_a_native_player_has_taken_it():
    async with serving() as server:
        _, ids = await create(server)
        invite = f"{ids['ROOM_ID']}:{ids['ENEMY_COLOR_ID']}"
        native, joined = await join_natively(server, invite)
        assert (await join_natively(server, invite))[1]["code"] == "unknown_invite"
        own = f"{ids['ROOM_ID']}:{ids['PLAYER_COLOR_ID']}"
        assert (await join_natively(server, own))[1]["code"] == "unknown_invite"
        void = await native.ask(cmd="update", token=ids["ENEMY_COLOR_ID"])
        assert void["code"] == "bad_token"
        stranger = await connect(server)
        for token in (ids["ENEMY_COLOR_ID"], ids["PLAYER_COLOR_ID"]):
            assert await stranger.code(f"JOIN {ids['ROOM_ID']} {token}") == "ROOM_NOT_FOUND"
        assert joined["token"] != ids["ENEMY_COLOR_ID"]
        assert "error" not in await native.ask(cmd="update", token=joined["token"])


async def test_a_native_player_cannot_choose_a_seat():
    async with serving() as server:
        text, ids = await create(server)
        invite = f"{ids['ROOM_ID']}:{ids['ENEMY_COLOR_ID']}"
        for seat in (0, 1):
            _, refused = await join_natively(server, invite, seat=seat)
            assert (refused["code"], refused["field"]) == ("bad_value", "seat")
        assert (await text.values())["STATE"] == "WAITING"


async def test_the_clock_decides_when_all_have_left_a_room_with_a_native_player():
    async with serving() as server:
        text, ids = await create(server)
        native, _ = await join_natively(server, f"{ids['ROOM_ID']}:{ids['ENEMY_COLOR_ID']}")
        await native.stream.aclose()
        while list((await text.values()).values()).count("TRUE") == 2:
            pass  # the server has not noticed yet that the native player is gone
        assert await text.ask("LEAVE") == "ROOM_LEFT"
        rejoin = f"JOIN {ids['ROOM_ID']} {ids['PLAYER_COLOR_ID']}"
        assert await text.code(rejoin) == "ROOM_JOINED"
        assert (await text.values())["STATE"] == "PLAYING"


async def test_games_lists_a_room_while_its_game_is_played():
    async with serving() as server:
        spectator = await server.connect()
        await create(server)
        assert (await spectator.ask(cmd="games"))["waiting"] == []
        white, black, (room_id, *_) = await room(server)
        (listed,) = (await spectator.ask(cmd="games"))["games"]
        assert listed["game"] == room_id
        for player in (white, black):
            assert await player.ask("REQUEST_A_DRAW") == "DRAW_OK"
        assert (await spectator.ask(cmd="games"))["games"] == []
        assert (await spectator.ask(cmd="state", game=room_id))["status"] == "ended"


async def test_the_id_of_the_colour_of_a_house_bot_opens_nothing():
    async with serving() as server:
        server.hub.service.opponents = HouseBots({"greedy": make_nicks("greedy", 4)})
        text = await connect(server)
        created = await text.ask("CREATE greedy")
        assert created.endswith(" COLOR=WHITE")
        ids = values_of(created)
        enemy = ids["ENEMY_COLOR_ID"]
        _, refused = await join_natively(server, f"{ids['ROOM_ID']}:{enemy}")
        assert refused["code"] == "unknown_invite"
        spectator = await server.connect()
        assert (await spectator.ask(cmd="update", token=enemy))["code"] == "bad_token"
        stranger = await connect(server)
        assert await stranger.code(f"JOIN {ids['ROOM_ID']} {enemy}") == "ROOM_NOT_FOUND"
        assert (await text.values())["STATE"] == "PLAYING"


class Window:
    """A text player in a window of openssl, who plays any legal moves."""

    def __init__(self, window):
        self.window = window

    def ask(self, request):
        """Send a request; return the response."""
        self.window.stdin.write(f"{request}\n")
        return self.window.stdout.readline().rstrip("\n")

    def find_state_to_act_in(self):
        """Return the state if White is to move or the game is over, else None."""
        state = values_of(self.ask("GET_STATE"))
        return state if state["PLAYER_TURN"] == "WHITE" or state["STATE"] != "PLAYING" else None

    def play(self, luck):
        """Play White to the end of the game; return the last state."""
        while (state := until(self.find_state_to_act_in))["STATE"] == "PLAYING":
            position = DRAUGHTS.load({"board": state["BOARD"], "turn": 0})
            route = DRAUGHTS.dump_move(luck.choice(position.actions()))["route"]
            assert self.ask(f"MOVE {' '.join(route)}") == "MOVE_OK"
        return state


def test_a_game_of_a_text_player_with_a_house_bot_is_watched_exported_and_verified(tmp_path):
    with (
        serving_process(tmp_path, "--draughts-port", "0", "--house", "greedy") as server,
        openssl(server.addresses["draughts"], tmp_path / "cert.pem") as window,
        connect_natively(f"tcp://{server.tcp}") as spectator,
    ):
        player = Window(window)
        game = values_of(player.ask("CREATE greedy"))["ROOM_ID"]
        spectator.follow(game, since=0)
        last = player.play(random.Random(1))
        *_, seen = spectator.updates(game)
        assert seen.position["board"] == last["BOARD"]
        address = ("--server", f"tcp://{server.tcp}")
        watched = tabnet("watch", game, *address)
        assert (watched.returncode, watched.stderr) == (0, "")
        exported = tabnet("export", game, *address, "--out", tmp_path / "game.jsonl")
        assert exported.returncode == 0, exported.stderr
    rows = [json.loads(line) for line in (tmp_path / "game.jsonl").read_text().splitlines()]
    assert (rows[0]["game"], rows[-1]["board"]) == (game, last["BOARD"])
    verified = tabnet("verify", tmp_path / "game.jsonl")
    assert verified.returncode == 0, verified.stderr
    assert game in verified.stdout
    assert tabnet("replay", tmp_path / "game.jsonl").returncode == 0
