"""Rooms of draughts in text lines, over TLS: whole games, and players who come and go."""

from __future__ import annotations

import re

import pytest

from tabnet.server.core.costs.limits import Limits
from tabnet.server.net.server_clock import now
from tests.dialects.draughts_text.clients import (
    START,
    alternate,
    connect,
    create,
    room,
    serving,
)

UUID4 = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
NEW = {
    "PLAYER_TURN": "WHITE",
    "WHITE_WANTS_DRAW": "FALSE",
    "BLACK_WANTS_DRAW": "FALSE",
    "BOARD": START,
}


async def test_create_opens_a_room_that_waits_for_the_opponent():
    async with serving() as server:
        client = await connect(server)
        created = await client.ask("CREATE")
        assert re.fullmatch(
            f"ROOM_CREATED ROOM_ID={UUID4} PLAYER_COLOR_ID={UUID4} ENEMY_COLOR_ID={UUID4}", created
        )
        state = await client.values()
        assert state.items() >= (NEW | {"STATE": "WAITING"}).items()
        assert (state["WHITE_TIME"], state["BLACK_TIME"]) == ("600000", "600000")
        assert sorted((state["WHITE_ONLINE"], state["BLACK_ONLINE"])) == ["FALSE", "TRUE"]


async def test_the_colour_of_the_creator_is_random():
    async with serving("colours") as server:
        states = [await (await create(server))[0].values() for _ in range(12)]
        assert {state["WHITE_ONLINE"] for state in states} == {"TRUE", "FALSE"}


async def test_an_opponent_joins_with_the_ids_and_play_begins():
    async with serving() as server:
        creator, ids = await create(server)
        own = "WHITE" if (await creator.values())["WHITE_ONLINE"] == "TRUE" else "BLACK"
        opponent = await connect(server)
        joined = await opponent.ask(f"JOIN {ids['ROOM_ID']} {ids['ENEMY_COLOR_ID']}")
        assert joined == f"ROOM_JOINED COLOR={'BLACK' if own == 'WHITE' else 'WHITE'}"
        state = await creator.values()
        assert state.items() >= {**NEW, "STATE": "PLAYING", "BLACK_TIME": "600000"}.items()
        assert (state["WHITE_ONLINE"], state["BLACK_ONLINE"]) == ("TRUE", "TRUE")


async def test_join_takes_ids_in_upper_case():
    async with serving() as server:
        _, ids = await create(server)
        opponent = await connect(server)
        room_id, colour = ids["ROOM_ID"].upper(), ids["ENEMY_COLOR_ID"].upper()
        assert await opponent.code(f"JOIN {room_id} {colour}") == "ROOM_JOINED"
        assert await opponent.ask("LEAVE") == "ROOM_LEFT"
        assert await opponent.code(f"JOIN {room_id.lower()} {colour}") == "ROOM_JOINED"


async def test_a_colour_that_is_online_or_of_another_room_is_not_found():
    async with serving() as server:
        white, _, (room_id, first, second) = await room(server)
        _, other = await create(server)
        stranger = await connect(server)
        for ids in [
            (room_id, first),
            (room_id, second),
            (room_id, other["ENEMY_COLOR_ID"]),
            (other["ROOM_ID"], other["PLAYER_COLOR_ID"]),
            (other["ROOM_ID"], first),
            (room_id, room_id),
            (first, second),
        ]:
            assert await stranger.code(f"JOIN {' '.join(ids)}") == "ROOM_NOT_FOUND"
        assert (await white.values())["STATE"] == "PLAYING"


GAME = """
e3 d4, b6 a5, d2 e3, f6 g5, e1 d2, g5 h4, g3 f4, a7 b6, c3 b4, a5 c3 e1, c1 d2, e1 c3 e5 g3 e1,
e3 f4, d6 c5, g1 f2, e1 g3 e5, h2 g3, h4 f2, a3 b4, c5 a3 c1, a1 b2, c1 a3
"""
"""A game with captures over several pieces and with kings, in which White loses every piece."""


async def test_a_whole_game():
    async with serving() as server:
        white, black, _ = await room(server)
        await alternate(white, black, GAME)
        for player in (white, black):
            state = await player.values()
            assert state["STATE"] == "BLACK_WON"
            assert state["PLAYER_TURN"] == "WHITE"
            assert state["BOARD"] == (
                "0b0b0b0b00b0b0b00b00000b0000B00000000000B000000000000b0000000000"
            )
            assert (state["WHITE_ONLINE"], state["BLACK_ONLINE"]) == ("TRUE", "TRUE")
        assert await white.ask("MOVE c3 b4") == "MOVE_FAIL - the game is over"
        assert await black.code("REQUEST_A_DRAW") == "DRAW_FAIL"


@pytest.mark.parametrize(
    ("route", "reason"),
    [
        ("", "a route is a list of two squares or more"),
        ("c3", "a route is a list of two squares or more"),
        ("c3 i9", "'i9' is no square"),
        ("C3 d4", "'C3' is no square"),
        ("c3 \x07", ".* is no square"),
        ("c3 é", ".* is no square"),
        (f"c3 {'x' * 900}", ".* is no square"),
        ("c3 d4 e5", "the move ends on d4: c3 d4"),
        ("b6 a5", "there is no white piece on b6"),
        ("c3 e5", "there is no black piece to jump over on d4"),
        ("e3 e4", "e3 e4 is neither a step nor a jump on a diagonal"),
    ],
)
async def test_an_illegal_move_is_refused_with_the_reason(route, reason):
    async with serving() as server:
        white, _, _ = await room(server)
        response = await white.ask(f"MOVE {route}")
        assert re.fullmatch(f"MOVE_FAIL - {reason}", response), response
        assert (await white.values())["BOARD"] == START


async def test_players_agree_on_a_draw():
    async with serving() as server:
        white, black, _ = await room(server)
        assert await white.ask("REQUEST_A_DRAW") == "DRAW_OK"
        assert await white.code("REQUEST_A_DRAW") == "DRAW_FAIL"
        await alternate(white, black, "c3 d4, b6 a5")
        state = await black.values()
        assert (state["WHITE_WANTS_DRAW"], state["BLACK_WANTS_DRAW"]) == ("TRUE", "FALSE")
        assert await white.ask("CANCEL_DRAW_REQUEST") == "DRAW_CANCEL_OK"
        assert await white.code("CANCEL_DRAW_REQUEST") == "DRAW_CANCEL_FAIL"
        assert await black.ask("REQUEST_A_DRAW") == "DRAW_OK"
        assert (await black.values())["STATE"] == "PLAYING"
        assert await white.ask("REQUEST_A_DRAW") == "DRAW_OK"
        state = await black.values()
        assert (state["STATE"], state["PLAYER_TURN"]) == ("DRAW", "WHITE")
        assert await white.code("CANCEL_DRAW_REQUEST") == "DRAW_CANCEL_FAIL"


async def test_offers_of_a_draw_have_a_limit():
    async with serving() as server:
        white, _, _ = await room(server)
        for number in range(8):
            request = "CANCEL_DRAW_REQUEST" if number % 2 else "REQUEST_A_DRAW"
            assert (await white.code(request)).endswith("_OK")
        assert await white.code("REQUEST_A_DRAW") == "DRAW_FAIL"


async def test_nothing_can_be_played_before_the_opponent_joins():
    async with serving() as server:
        creator, _ = await create(server)
        waits = "the game has not begun: an opponent is still to come"
        assert await creator.ask("MOVE c3 d4") == f"MOVE_FAIL - {waits}"
        assert await creator.ask("REQUEST_A_DRAW") == f"DRAW_FAIL - {waits}"
        assert await creator.ask("CANCEL_DRAW_REQUEST") == f"DRAW_CANCEL_FAIL - {waits}"


@pytest.mark.parametrize(("moves", "state"), [("c3 d4", "WHITE_WON"), ("", "BLACK_WON")])
async def test_a_player_whose_time_is_over_loses(moves, state):
    async with serving() as server:
        white, _, _ = await room(server)
        if moves:
            await white.play(moves)
        server.hub.perform(server.hub.service.apply_timeouts(now() + 600_000))
        values = await white.values()
        assert values["STATE"] == state
        late = "WHITE" if state == "BLACK_WON" else "BLACK"
        assert (values["PLAYER_TURN"], values[f"{late}_TIME"]) == (late, "0")


async def test_a_player_leaves_and_comes_back_while_the_clock_runs():
    async with serving() as server:
        white, black, (room_id, white_id, _) = await room(server)
        assert await white.ask("LEAVE") == "ROOM_LEFT"
        assert await white.ask("GET_STATE") == "INVALID_SYNTAX - please join or create room"
        away = await black.values()
        assert (away["STATE"], away["WHITE_ONLINE"]) == ("PLAYING", "FALSE")
        while (await black.values())["WHITE_TIME"] >= away["WHITE_TIME"]:
            pass
        assert await white.ask(f"JOIN {room_id} {white_id}") == "ROOM_JOINED COLOR=WHITE"
        assert (await black.values())["WHITE_ONLINE"] == "TRUE"
        await alternate(white, black, "c3 d4, b6 a5")


async def test_a_player_comes_back_whatever_limit_is_reached():
    async with serving(limits=Limits(waits=1)) as server:
        white, black, (room_id, *colours) = await room(server)
        for player, colour in zip((white, black), colours, strict=True):
            assert await player.ask("LEAVE") == "ROOM_LEFT"
            refused = "INVALID_SYNTAX - your connection or address already holds 1 waits.*"
            assert re.fullmatch(refused, await player.ask("CREATE"))
            assert await player.code(f"JOIN {room_id} {colour}") == "ROOM_JOINED"


async def test_a_lost_connection_is_a_leave():
    async with serving() as server:
        white, black, (room_id, white_id, _) = await room(server)
        await white.stream.transport_stream.aclose()
        while (await black.values())["WHITE_ONLINE"] == "TRUE":
            pass
        again = await connect(server)
        assert await again.code(f"JOIN {room_id} {white_id}") == "ROOM_JOINED"


async def test_quit_leaves_the_room_and_closes_the_connection_without_a_response():
    async with serving() as server:
        white, _, (room_id, white_id, _) = await room(server)
        await white.send(b"QUIT\nGET_STATE\n")
        assert await white.receive() == ""
        again = await connect(server)
        assert await again.code(f"JOIN {room_id} {white_id}") == "ROOM_JOINED"
        outside = await connect(server)
        await outside.send(b"QUIT\n")
        assert await outside.receive() == ""


async def test_the_room_is_deleted_when_both_have_left():
    async with serving() as server:
        white, black, (room_id, white_id, black_id) = await room(server)
        assert await white.ask("LEAVE") == "ROOM_LEFT"
        assert await black.ask("LEAVE") == "ROOM_LEFT"
        for colour in (white_id, black_id):
            assert await white.code(f"JOIN {room_id} {colour}") == "ROOM_NOT_FOUND"
        spectator = await server.connect()
        ended = (await spectator.ask(cmd="state", game=room_id))["update"]
        assert ended["winner"] is None
        assert ended["result"]["reason"] == "abandoned"


async def test_a_creator_who_leaves_while_waiting_deletes_the_room():
    async with serving() as server:
        creator, ids = await create(server)
        assert await creator.ask("LEAVE") == "ROOM_LEFT"
        for colour in ("PLAYER_COLOR_ID", "ENEMY_COLOR_ID"):
            joined = await creator.code(f"JOIN {ids['ROOM_ID']} {ids[colour]}")
            assert joined == "ROOM_NOT_FOUND"


async def test_the_room_of_an_ended_game_lasts_until_both_have_left():
    async with serving() as server:
        white, black, (room_id, white_id, black_id) = await room(server)
        for player in (white, black):
            assert await player.ask("REQUEST_A_DRAW") == "DRAW_OK"
        assert await white.ask("LEAVE") == "ROOM_LEFT"
        assert (await black.values())["WHITE_ONLINE"] == "FALSE"
        assert await white.code(f"JOIN {room_id} {black_id}") == "ROOM_NOT_FOUND"
        assert await white.code(f"JOIN {room_id} {white_id}") == "ROOM_JOINED"
        assert (await white.values())["STATE"] == "DRAW"
        for player in (white, black):
            assert await player.ask("LEAVE") == "ROOM_LEFT"
        assert await white.code(f"JOIN {room_id} {white_id}") == "ROOM_NOT_FOUND"


async def test_a_client_is_in_one_room_at_a_time_and_can_open_another():
    async with serving() as server:
        creator, ids = await create(server)
        refused = "INVALID_SYNTAX - please leave the room first"
        assert await creator.ask("CREATE") == refused
        assert await creator.ask(f"JOIN {ids['ROOM_ID']} {ids['ENEMY_COLOR_ID']}") == refused
        assert await creator.ask("LEAVE") == "ROOM_LEFT"
        assert await creator.code("CREATE") == "ROOM_CREATED"


async def test_a_room_whose_wait_is_over_is_closed():
    async with serving() as server:
        creator, _ = await create(server)
        server.hub.perform(server.hub.service.apply_timeouts(now() + 24 * 3600 * 1000))
        assert await creator.code("MOVE c3 d4") == "MOVE_FAIL"
        closed = "INVALID_SYNTAX - the room is closed; please join or create room"
        assert await creator.ask("GET_STATE") == closed
        assert await creator.code("CREATE") == "ROOM_CREATED"


async def test_of_two_clients_that_return_to_a_colour_at_once_one_is_let_in():
    async with serving() as server:
        white, _, (room_id, white_id, _) = await room(server)
        assert await white.ask("LEAVE") == "ROOM_LEFT"
        clients = [await connect(server) for _ in range(5)]
        for client in clients:
            await client.send(f"JOIN {room_id} {white_id}\n".encode())
        codes = [(await client.receive()).split(" ")[0] for client in clients]
        assert sorted(codes) == ["ROOM_JOINED", *["ROOM_NOT_FOUND"] * 4]
