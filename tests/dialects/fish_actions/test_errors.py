"""Every error of Fish clients: its type, and whom it costs the game."""

from __future__ import annotations

import pytest

from tabnet.dialects.fish_actions.actions import ACTIONS, FishSettings
from tests.dialects.fish_actions.clients import connect, fish_server, fish_terms, join, route

BOARD = [[1] * 5, [1] * 5, [1, 1, 0, 1, 1], [1] * 5, [1] * 5]
THREE = FishSettings(fish_terms(3, board=BOARD))
PLACES = [(0, 0), (2, 0), (0, 4), (0, 2), (1, 4), (2, 4), (4, 4), (3, 4), (4, 1)]
"""The placements of three players, in turns."""
WRONG_TYPES = ["1", 1.0, True, None, [1], {"row": 1}]
COORDINATE, ACTION, TOKEN = "Invalid_Coordinate", "Invalid_Action", "Incorrect_Token"
TOURNAMENT = "Tournament_Error"


async def placed(server, settings=THREE):
    """Return three players who have placed all penguins; red is to move."""
    clients = await join(server, settings.terms.seats)
    for number, place in enumerate(PLACES):
        assert "result_state" in await clients[number % 3].place(*place)
    return clients


def fields_of(start, end, **changes):
    """Return the fields of a move, some with other values; ... removes a field."""
    fields = route(start, end) | changes
    return {name: value for name, value in fields.items() if value is not ...}


async def assert_out(client, others, board=BOARD):
    """The player is out: no penguins, the tiles stay, queries are answered, actions are refused."""
    state = await client.state()
    players = {player["color"]: player for player in state["players"]}
    assert len(players) == 1 + len(others)
    assert players[client.color]["places"] == []
    assert state["board"] == board
    for response in (
        await client.place(1, 1),
        await client.place("x", None),
        await client.move((0, 0), (1, 0)),
    ):
        assert response["error_type"] == ACTION
    assert await client.ask("check_placement", row=1, col=1) == {"is_valid": False}
    assert (await client.ask("check_turn"))["color"] in (None, *(each.color for each in others))
    moves = await others[0].ask("get_moves_for_color", color=client.color)
    assert moves == {"reachable_locations": []}


# The two actions

BAD_PLACEMENTS = [
    *[
        ({"row": row, "col": col}, COORDINATE)
        for row, col in [(5, 0), (-1, 0), (0, 5), (10**40, 1)]
    ],
    ({"row": 2, "col": 2}, COORDINATE),  # a hole
    ({"row": 0, "col": 0}, COORDINATE),  # occupied
    *[({"row": value, "col": 1}, ACTION) for value in WRONG_TYPES],
    *[({"row": 1, "col": value}, ACTION) for value in WRONG_TYPES],
    ({"row": 1}, ACTION),
    ({"col": 1}, ACTION),
    ({}, ACTION),
]


@pytest.mark.parametrize(("fields", "error_type"), BAD_PLACEMENTS)
async def test_a_bad_placement_costs_the_player_the_game(fields, error_type):
    async with fish_server(THREE) as server:
        red, white, brown = await join(server, 3)
        await red.place(0, 0)
        response = await white.ask("place_penguin", **fields)
        assert response["error_type"] == error_type
        assert response["error_message"]
        await assert_out(white, [red, brown])
        assert await red.ask("check_turn") == {"color": "brown"}
        assert "result_state" in await brown.place(0, 1)


LEGAL = ((0, 0), (1, 0))
BAD_MOVES = [
    (fields_of((-2, 0), (0, 0)), COORDINATE),
    (fields_of((0, 0), (-2, 0)), COORDINATE),
    (fields_of((9, 9), (0, 0)), COORDINATE),
    (fields_of((2, 2), (3, 2)), COORDINATE),  # from a hole
    (fields_of((0, 2), (2, 2)), ACTION),  # to a hole
    (fields_of((0, 2), (4, 2)), ACTION),  # over a hole
    (fields_of((0, 0), (2, 0)), ACTION),  # to an occupied tile
    (fields_of((0, 0), (4, 0)), ACTION),  # over a penguin
    (fields_of((0, 0), (0, 1)), ACTION),  # not straight
    (fields_of((0, 0), (0, 0)), ACTION),
    (fields_of((1, 1), (2, 1)), ACTION),  # from an empty tile
    (fields_of((2, 0), (3, 0)), ACTION),  # another player's penguin
]
MALFORMED_MOVES = [
    fields_of(*LEGAL, **{name: value})
    for name, value in zip([*route(*LEGAL)] * 2, [*WRONG_TYPES, ..., ...], strict=True)
]


@pytest.mark.parametrize(
    ("fields", "error_type"),
    [*BAD_MOVES, *[(fields, ACTION) for fields in MALFORMED_MOVES]],
)
async def test_a_bad_move_costs_the_player_the_game(fields, error_type):
    async with fish_server(THREE) as server:
        red, white, brown = await placed(server)
        response = await red.ask("move_penguin", **fields)
        assert response["error_type"] == error_type
        assert response["error_message"]
        await assert_out(red, [white, brown])
        assert await red.ask("check_turn") == {"color": "white"}
        assert "result_state" in await white.move((2, 0), (3, 0))


@pytest.mark.parametrize(("fields", "error_type"), BAD_MOVES)
async def test_a_check_of_a_bad_move_costs_nothing(fields, error_type):
    async with fish_server(THREE) as server:
        red, *others = await placed(server)
        assert await red.ask("check_move", **fields) == {"is_valid": False}
        for client in others:
            assert await client.ask("check_move", **route(*LEGAL)) == {"is_valid": False}
        assert await red.ask("check_move", **route(*LEGAL)) == {"is_valid": True}
        assert "result_state" in await red.move(*LEGAL)


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("place_penguin", {"row": 0, "col": 0}),
        ("place_penguin", {"row": "x"}),
        ("move_penguin", route(*LEGAL)),
    ],
)
async def test_an_action_out_of_turn_costs_the_player_the_game(action, fields):
    async with fish_server(THREE) as server:
        red, white, brown = await join(server, 3)
        assert (await brown.ask(action, **fields))["error_type"] == ACTION
        await assert_out(brown, [red, white])
        assert "result_state" in await red.place(0, 0)


async def test_an_action_of_the_wrong_phase_costs_the_player_the_game():
    async with fish_server(THREE) as server:
        red, white, brown = await join(server, 3)
        await red.place(0, 0)
        assert (await white.move((0, 0), (1, 0)))["error_type"] == ACTION
        await assert_out(white, [red, brown])
    async with fish_server(THREE) as server:
        red, white, brown = await placed(server)
        assert (await red.place(1, 1))["error_type"] == ACTION
        await assert_out(red, [white, brown])


async def test_the_last_player_wins_although_a_player_who_is_out_has_more_fish():
    async with fish_server(THREE) as server:
        red, white, brown = await placed(server)
        assert "result_state" in await red.move(*LEGAL)
        board = [[0, 1, 1, 1, 1], *BOARD[1:]]
        assert (await red.place(0, 0))["error_type"] == ACTION
        await assert_out(red, [white, brown], board)
        assert (await white.move((2, 0), (2, 0)))["error_type"] == ACTION
        for client in (red, white, brown):
            assert await client.ask("is_game_over") == {"is_game_over": True}
            state = await client.state()
            scores = [each["score"] for each in state["players"]]
            penguins = [len(each["places"]) for each in state["players"]]
            assert (scores, penguins) == ([1, 0, 0], [0, 0, 3])
        (match,) = server.hub.service.games.finished.values()
        assert match.result.winners == (2,)
        await assert_out(white, [red, brown], board)
        assert (await brown.move((0, 4), (1, 3)))["error_type"] == ACTION


async def test_a_player_whose_time_runs_out_is_out():
    async with fish_server(FishSettings(fish_terms(2, move_s=0.05))) as server:
        red, white = await join(server, 2)
        while not (await white.ask("is_game_over"))["is_game_over"]:
            pass
        (match,) = server.hub.service.games.finished.values()
        assert (match.result.winners, match.result.reason) == ((1,), "timeout")
        assert (await red.place(0, 0))["error_type"] == ACTION


# Queries, tokens and requests


@pytest.mark.parametrize("action", [action for action in ACTIONS if action != "join_tournament"])
async def test_before_the_game_is_full_no_request_costs_a_player_the_game(action):
    async with fish_server(THREE) as server:
        clients = await join(server, 2)
        for fields in ({}, {"row": "x", "start_row": []}, {"row": 0, "col": 0}):
            response = await clients[0].ask(action, **fields)
            if action == "is_game_over":
                assert response == {"is_game_over": False}
            else:
                assert response == {
                    "error_type": TOURNAMENT,
                    "error_message": "the game has not begun: 2 of 3 players are here",
                }
        clients += await join(server, 1)
        assert clients[2].color == "brown"
        assert "result_state" in await clients[0].place(0, 0)


@pytest.mark.parametrize(
    ("action", "fields", "error_type"),
    [
        *[("check_placement", {"row": value, "col": 0}, TOURNAMENT) for value in WRONG_TYPES],
        ("check_placement", {"col": 0}, TOURNAMENT),
        *[("check_move", fields, TOURNAMENT) for fields in MALFORMED_MOVES],
        *[("get_moves_for_location", {"row": 0, "col": x}, TOURNAMENT) for x in WRONG_TYPES],
        ("get_moves_for_location", {"row": 0}, TOURNAMENT),
        ("get_moves_for_location", {"row": 0, "col": 5}, COORDINATE),
        ("get_moves_for_location", {"row": -1, "col": 0}, COORDINATE),
        ("get_moves_for_location", {"row": 2, "col": 2}, COORDINATE),
        ("get_moves_for_color", {"color": "black"}, "Unknown_Color"),
        ("get_moves_for_color", {"color": "Red"}, "Unknown_Color"),
        ("get_moves_for_color", {"color": 1}, TOURNAMENT),
        ("get_moves_for_color", {}, TOURNAMENT),
    ],
)
async def test_a_bad_query_gets_an_error_and_costs_nothing(action, fields, error_type):
    async with fish_server(THREE) as server:
        red, *_ = await join(server, 3)
        response = await red.ask(action, **fields)
        assert response["error_type"] == error_type
        assert response["error_message"]
        assert "result_state" in await red.place(0, 0)


async def test_moves_are_listed_for_every_player_on_every_turn_but_not_during_placement():
    async with fish_server(THREE) as server:
        red, white, brown = await join(server, 3)
        for number, place in enumerate(PLACES):
            assert await brown.ask("get_moves_for_color", color="red") == {
                "reachable_locations": []
            }
            await [red, white, brown][number % 3].place(*place)
        for client in (red, white, brown):
            moves = await client.ask("get_moves_for_color", color="white")
            starts = [move["start"] for move in moves["reachable_locations"]]
            assert {"row": 2, "col": 0} in starts
            assert {"row": 0, "col": 0} not in starts
            moves = await client.ask("get_moves_for_location", row=0, col=0)
            assert moves == {
                "reachable_locations": [
                    {"start": {"row": 0, "col": 0}, "end": {"row": row, "col": col}}
                    for row, col in [(1, 0), (2, 1), (3, 1), (4, 2)]
                ]
            }
            moves = await client.ask("get_moves_for_location", row=1, col=1)
            assert moves == {"reachable_locations": []}


@pytest.mark.parametrize("token", ["", "0" * 32, "x" * 5000, 1, None, ["x"], {}, True])
async def test_an_unknown_token_is_refused(token):
    async with fish_server(THREE) as server:
        red, *_ = await join(server, 3)
        for action in ("get_state", "is_game_over", "place_penguin"):
            response = await red.ask(action, user_token=token, row=0, col=0)
            assert response["error_type"] == TOKEN
        assert "result_state" in await red.place(0, 0)


async def test_the_token_of_another_kind_of_game_is_refused():
    async with fish_server(THREE) as server:
        native = [await server.connect() for _ in range(2)]
        for clients in (native[:1], native[1:]):  # while the game waits, and while it is played
            joined = await clients[0].ask(cmd="join", kind="draughts", group=1)
            client = await connect(server)
            client.token = joined["token"]
            for action in ACTIONS:
                if action != "join_tournament":
                    response = await client.ask(action, row=0, col=0, color="red", **route(*LEGAL))
                    assert response["error_type"] == TOKEN
        (match,) = server.hub.service.games.playing.values()
        assert match.out == ()


async def test_a_token_is_required():
    async with fish_server(THREE) as server:
        client = await connect(server)
        for action in ACTIONS:
            if action != "join_tournament":
                assert (await client.ask(action))["error_type"] == TOKEN


@pytest.mark.parametrize("action", ["", "GET_STATE", "state", "join", 1, None, ["get_state"], {}])
async def test_an_unknown_action_is_refused_before_its_token(action):
    async with fish_server(THREE) as server:
        red, *_ = await join(server, 3)
        for token in ("nobody", red.token):
            response = await red.ask(action, user_token=token)
            assert response["error_type"] == "Unknown_Action"
        await red.stream.send_all(b"{}")
        assert (await red.receive())["error_type"] == "Unknown_Action"
        assert "result_state" in await red.place(0, 0)
