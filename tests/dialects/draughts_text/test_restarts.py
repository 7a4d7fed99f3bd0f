"""Rooms of draughts in text lines after a restart of the server: players come back, or do not."""

from __future__ import annotations

import math

import pytest

from tests.dialects.draughts_text.clients import alternate, connect, create, room, serving

TWO_MINUTES_S = 120


@pytest.fixture
def folder(tmp_path, mock_clock):
    """The folder of a server on a clock that stands still."""
    return tmp_path


def serve(folder):
    """Run a server on the folder; time that a test lets pass does not make it late."""
    return serving(folder=folder, timeout_s=math.inf)


async def play_until_restart(folder, text="c3 d4, b6 a5"):
    """Play moves, and stop the server; return the ids of the room and of its colours."""
    async with serve(folder) as server:
        white, black, ids = await room(server)
        await alternate(white, black, text)
        return ids


async def test_both_players_go_on_after_a_restart(folder):
    room_id, *colours = await play_until_restart(folder)
    async with serve(folder) as server:
        players = [await connect(server) for _ in colours]
        for player, colour in zip(players, colours, strict=True):
            assert await player.code(f"JOIN {room_id} {colour}") == "ROOM_JOINED"
        await alternate(*players, "g3 h4, f6 g5")


async def test_a_player_comes_back_just_before_two_minutes_are_over(folder, mock_clock):
    room_id, white_id, black_id = await play_until_restart(folder)
    async with serve(folder) as server:
        mock_clock.jump(TWO_MINUTES_S - 1)
        player = await connect(server)
        assert await player.code(f"JOIN {room_id} {black_id}") == "ROOM_JOINED"
        mock_clock.jump(2)
        state = await player.values()
        assert (state["STATE"], state["WHITE_ONLINE"]) == ("PLAYING", "FALSE")
        assert await (await connect(server)).code(f"JOIN {room_id} {white_id}") == "ROOM_JOINED"


async def test_a_room_is_deleted_when_nobody_has_come_back_for_two_minutes(folder, mock_clock):
    room_id, *colours = await play_until_restart(folder)
    async with serve(folder) as server:
        mock_clock.jump(TWO_MINUTES_S + 1)
        player = await connect(server)
        for colour in colours:
            assert await player.code(f"JOIN {room_id} {colour}") == "ROOM_NOT_FOUND"
        spectator = await server.connect()
        ended = (await spectator.ask(cmd="state", game=room_id))["update"]
        assert ended["result"]["reason"] == "abandoned"


async def test_a_creator_who_waits_comes_back_after_a_restart(folder):
    async with serve(folder) as server:
        _, ids = await create(server)
    async with serve(folder) as server:
        creator, opponent = await connect(server), await connect(server)
        room_id = ids["ROOM_ID"]
        assert await creator.code(f"JOIN {room_id} {ids['PLAYER_COLOR_ID']}") == "ROOM_JOINED"
        assert (await creator.values())["STATE"] == "WAITING"
        assert await opponent.code(f"JOIN {room_id} {ids['ENEMY_COLOR_ID']}") == "ROOM_JOINED"
        assert (await creator.values())["STATE"] == "PLAYING"


async def test_the_room_of_a_creator_who_does_not_come_back_is_deleted(folder, mock_clock):
    async with serve(folder) as server:
        _, ids = await create(server)
    async with serve(folder) as server:
        mock_clock.jump(TWO_MINUTES_S + 1)
        client = await connect(server)
        for colour in ("PLAYER_COLOR_ID", "ENEMY_COLOR_ID"):
            joined = await client.code(f"JOIN {ids['ROOM_ID']} {ids[colour]}")
            assert joined == "ROOM_NOT_FOUND"


async def agree_and_restart(folder, leaving=0):
    """Agree on a draw, let so many players leave, and stop the server; return the ids."""
    async with serve(folder) as server:
        *players, ids = await room(server)
        for player in players:
            assert await player.ask("REQUEST_A_DRAW") == "DRAW_OK"
        for player in players[:leaving]:
            assert await player.ask("LEAVE") == "ROOM_LEFT"
        return ids


async def test_players_come_back_to_a_game_that_was_over_before_a_restart(folder, mock_clock):
    room_id, *colours = await agree_and_restart(folder, leaving=1)
    async with serve(folder) as server:
        players = [await connect(server) for _ in colours]
        for player, colour in zip(players, colours, strict=True):
            assert await player.code(f"JOIN {room_id} {colour}") == "ROOM_JOINED"
            assert (await player.values())["STATE"] == "DRAW"
        mock_clock.jump(TWO_MINUTES_S + 1)
        assert await players[0].ask("LEAVE") == "ROOM_LEFT"
        assert await players[0].code(f"JOIN {room_id} {colours[0]}") == "ROOM_JOINED"


async def test_both_players_leave_a_game_that_was_over_before_a_restart(folder):
    room_id, *colours = await agree_and_restart(folder)
    async with serve(folder) as server:
        player = await connect(server)
        assert await player.code(f"JOIN {room_id} {colours[0]}") == "ROOM_JOINED"
        assert await player.ask("LEAVE") == "ROOM_LEFT"
        for colour in colours:
            assert await player.code(f"JOIN {room_id} {colour}") == "ROOM_NOT_FOUND"


async def test_nobody_comes_back_to_a_game_that_was_over_two_minutes_after_a_restart(
    folder, mock_clock
):
    room_id, white_id, _ = await agree_and_restart(folder)
    async with serve(folder) as server:
        await connect(server)  # the server is running now
        mock_clock.jump(TWO_MINUTES_S + 1)
        player = await connect(server)
        assert await player.code(f"JOIN {room_id} {white_id}") == "ROOM_NOT_FOUND"


async def test_a_room_that_both_have_left_does_not_exist_after_a_restart(folder):
    async with serve(folder) as server:
        white, black, (room_id, *colours) = await room(server)
        for player in (white, black):
            assert await player.ask("LEAVE") == "ROOM_LEFT"
    async with serve(folder) as server:
        player = await connect(server)
        for colour in colours:
            assert await player.code(f"JOIN {room_id} {colour}") == "ROOM_NOT_FOUND"
