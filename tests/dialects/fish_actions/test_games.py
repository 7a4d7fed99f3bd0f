"""Whole games of Fish clients over real sockets: signing up, tokens, turns and results."""

from __future__ import annotations

import math

import pytest

from tabnet.dialects.fish_actions.actions import FishSettings
from tabnet.games.fish.board import COLOURS
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tests.dialects.fish_actions.clients import (
    BOARD,
    connect,
    fish_server,
    fish_terms,
    join,
    play_to_the_end,
)

HOUR_S = 3600


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_players_play_a_whole_game(seats):
    terms = fish_terms(seats, rows=4, cols=4, holes=1)
    async with fish_server(FishSettings(terms), seed=f"whole {seats}") as server:
        clients = await join(server, seats)
        assert [client.color for client in clients] == list(COLOURS[:seats])
        state = await play_to_the_end(clients)
        assert [player["color"] for player in state["players"]] == list(COLOURS[:seats])
        (match,) = server.hub.service.games.finished.values()
        scores = tuple(player["score"] for player in state["players"])
        assert (match.result.points, match.result.reason) == (scores, "no_moves")
        assert await clients[0].ask("check_turn") == {"color": None}
        for color in COLOURS[:seats]:
            moves = await clients[0].ask("get_moves_for_color", color=color)
            assert moves == {"reachable_locations": []}


async def test_a_board_with_short_rows_is_a_rectangle():
    terms = fish_terms(board=[[1] * 5, [2, 2], [], [3] * 4])
    async with fish_server(FishSettings(terms)) as server:
        (client, _) = await join(server, 2)
        board = [[1, 1, 1, 1, 1], [2, 2, 0, 0, 0], [0, 0, 0, 0, 0], [3, 3, 3, 3, 0]]
        assert (await client.state())["board"] == board


async def test_players_are_listed_from_the_first_one_whose_turn_ever_it_is():
    async with fish_server() as server:
        clients = await join(server, 2)
        for client in clients:
            placed = await client.place(0, clients.index(client))
            assert [each["color"] for each in placed["result_state"]["players"]] == ["red", "white"]


# Signing up


async def test_ids_are_strings_or_integers_and_an_integer_is_its_digits():
    async with fish_server() as server:
        clients = [await connect(server) for _ in range(6)]
        long = int("9" * 64)
        ids = ["cup", 7, "cup", "7", long, str(long)]
        for client, id in zip(clients, ids, strict=True):
            await client.join(id)
        colors = ["red", "red", "white", "white", "red", "white"]
        assert [client.color for client in clients] == colors


@pytest.mark.parametrize(
    "id", ["", "x" * 65, "a\nb", "\x00", int("9" * 65), 1.0, True, None, ["cup"], {}]
)
async def test_other_ids_are_refused(id):
    async with fish_server() as server:
        client = await connect(server)
        assert (await client.join(id))["error_type"] == "Tournament_Error"
        assert not server.hub.service.games.lobby.tables


async def test_an_id_is_required():
    async with fish_server() as server:
        client = await connect(server)
        assert (await client.ask("join_tournament"))["error_type"] == "Tournament_Error"


async def test_a_full_game_takes_no_more_players():
    async with fish_server() as server:
        await join(server, 2)
        late = await connect(server)
        response = await late.join()
        assert response == {
            "error_type": "Tournament_Error",
            "error_message": "the game of this tournament has begun, or is over",
        }


async def test_an_operator_can_require_that_ids_are_opened():
    settings = FishSettings(fish_terms(), is_invited_only=True)
    async with fish_server(settings) as server:
        client = await connect(server)
        for id in ("cup", "bot:greedy"):
            assert await client.join(id) == {
                "error_type": "Tournament_Error",
                "error_message": "there is no tournament with this id",
            }
        server.hub.service.games.rooms.announce("fish:cup")
        assert [(await client.join("cup"))["color"] for _ in range(2)] == ["red", "white"]


async def test_an_id_is_free_again_an_hour_after_its_game(mock_clock):
    async with fish_server(timeout_s=math.inf) as server:
        (red, _) = await join(server, 2)
        assert (await red.place(99, 0))["error_type"] == "Invalid_Coordinate"
        assert await red.ask("is_game_over") == {"is_game_over": True}
        for seconds, is_free in ((0, False), (HOUR_S - 1, False), (2, True)):
            mock_clock.jump(seconds)
            client = await connect(server)
            assert ((await client.join()).get("color") == "red") is is_free
        client.token = red.token
        assert await client.ask("is_game_over") == {"is_game_over": True}


async def test_a_game_that_is_not_full_ends_after_a_day(
    mock_clock,
):
    async with fish_server(timeout_s=math.inf) as server:
        (red,) = await join(server, 1)
        mock_clock.jump(24 * HOUR_S - 1)
        assert await red.ask("is_game_over") == {"is_game_over": False}
        for seconds, is_free in ((2, False), (HOUR_S - 3, False), (3, True)):
            mock_clock.jump(seconds)
            client = await connect(server)
            assert (await client.ask("get_state", user_token=red.token))["error_type"] == (
                "Incorrect_Token"
            )
            assert ((await client.join()).get("color") == "red") is is_free


@pytest.mark.parametrize(
    "card",
    [
        {},
        {"credit_card": None},
        {"credit_card": int("4" * 30)},
        {"credit_card": ["4111", {"x": 1}]},
        {"credit_card": "4111-1111"},
    ],
)
async def test_a_credit_card_in_any_form_is_ignored(card):
    async with fish_server() as server:
        client = await connect(server)
        response = await client.ask("join_tournament", tournament_id="cup", **card)
        assert response["color"] == "red"


async def test_one_connection_can_play_several_seats_and_any_connection_any_seat():
    async with fish_server() as server:
        one, other = await connect(server), await connect(server)
        tokens = [(await one.join())["user_token"] for _ in range(2)]
        assert len(set(tokens)) == 2
        assert all(len(token) == 32 and int(token, 16) for token in tokens)
        for client, token, col in [(other, tokens[0], 0), (one, tokens[1], 1)]:
            client.token = token
            assert "result_state" in await client.place(0, col)


async def test_the_end_of_a_connection_costs_no_seat():
    async with fish_server() as server:
        first, second = await join(server, 2)
        await first.stream.aclose()
        again = await connect(server)
        again.token = first.token
        assert "result_state" in await again.place(0, 0)
        assert "result_state" in await second.place(0, 1)


# House bots


async def test_each_sign_up_for_a_bot_opens_a_game_in_which_bots_have_all_other_seats():
    async with fish_server(FishSettings(fish_terms(3, board=BOARD))) as server:
        server.hub.service.opponents = HouseBots({"greedy": make_nicks("greedy", 16)})
        clients = [await connect(server) for _ in range(2)]
        for client in clients:
            assert (await client.join("bot:greedy"))["color"] == "red"
            assert len((await client.place(0, 0))["result_state"]["players"]) == 3
        games = server.hub.service.games.playing.values()
        assert len(games) == 2
        assert all(match.nicks[1].startswith("house-greedy") for match in games)


@pytest.mark.parametrize("name", ["bot:nobody", "bot:"])
async def test_an_unknown_bot_is_refused(name):
    async with fish_server() as server:
        client = await connect(server)
        assert (await client.join(name))["error_type"] == "Tournament_Error"
        assert not server.hub.service.games.playing


async def test_a_busy_bot_is_refused():
    async with fish_server() as server:
        server.hub.service.opponents = HouseBots({"greedy": make_nicks("greedy", 1)})
        client = await connect(server)
        await client.join("bot:greedy")
        second = await connect(server)
        response = await second.join("bot:greedy")
        assert response["error_type"] == "Tournament_Error"
        assert "greedy is busy" in response["error_message"]
