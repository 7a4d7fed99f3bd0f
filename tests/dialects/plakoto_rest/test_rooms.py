"""Rooms over real HTTP connections: seats, moves, errors, resets and limits."""

from __future__ import annotations

import json
import random
import ssl

import pytest
import trio

from tabnet.server.core.costs.limits import Limits
from tests.dialects.plakoto_rest.rest import Client, checkers, seated, visit
from tests.dialects.web.raw import Wire
from tests.harness import running

NO_TOKEN = "token is not set."
NO_PLAYER = "You are not a player of this game."
NOT_PLAYING = "Game is not in action."
NOT_YOUR_TURN = "It is not your turn."
CANNOT_MOVE = "This piece cannot move."
ILLEGAL = "This move is illegal. "


async def test_get_requests_create_nothing():
    async with running() as server:
        client = await visit(server, "club")
        for path in ("/status", "/players", "/players/W", "/board", "/board/piece/1/1"):
            await client.get(path)
        await client.refused("GET", "/board/piece/1/16", status=404)
        assert await client.refused("PUT", "/board/piece/1/15", x=3) == NO_TOKEN
        stranger = Client(client.wire, client.prefix, "0" * 32)
        assert await stranger.refused("PUT", "/board/piece/1/15", x=3) == NO_PLAYER
        games = server.hub.service.games
        assert (list(games.lobby.tables), list(games.playing)) == ([], [])
        assert (await client.request("POST", "/board")).json == await client.get("/board")


async def test_two_players_take_their_seats_and_white_begins():
    async with running() as server:
        client = await visit(server)
        assert (await client.status())["status"] == "not active"
        black = await client.sit_down("B", "Ben", color="B")
        assert (await client.status())["status"] == "initialized"
        assert [row["username"] for row in await client.get("/players")] == [None, "Ben"]
        text = "Player B is already set. Please select another color."
        assert await client.refused("PUT", "/players/B", username="Carol") == text
        assert await black.refused("PUT", "/board/piece/24/15", x=20) == NOT_PLAYING
        white = await client.sit_down("W", "Anna", piece_color="W")
        for colour in "WB":
            text = f"Player {colour} is already set. Please select another color."
            assert await client.refused("PUT", f"/players/{colour}", username="Carol") == text
        (row,) = await client.get("/players/W")
        assert row.keys() == {"username", "piece_color", "last_action"}
        status = await white.status()
        assert (status["status"], status["p_turn"]) == ("started", "W")
        assert sorted({status["dice1"], status["dice2"]}) == sorted({*status["moves_left"]})
        assert len({white.token, black.token, None}) == 3
        assert {len(white.token), len(black.token)} == {32}


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"color": "W"}, "No username given."),
        ({"username": " "}, "No username given."),
        ({"username": "x", "color": "B"}, "color is 'B', but the path names player W."),
        ({"username": "x", "bot": True}, "Unknown opponent 'x' (this server offers none)."),
        ({"username": "x", "bot": "yes"}, "bot is not true or false."),
        ({"username": "x", "token": 7}, "token is not a string."),
    ],
)
async def test_a_refused_player_changes_nothing(fields, text):
    async with running() as server:
        client = await visit(server)
        assert await client.refused("PUT", "/players/W", **fields) == text
        assert (await client.status())["status"] == "not active"


async def test_the_errors_of_a_move_are_checked_in_order():
    async with running("errors") as server:
        white, black = await seated(server)
        die = (await white.status())["moves_left"][0]
        nobody, stranger = [Client(white.wire, white.prefix, token) for token in (None, "x")]
        other, _ = await seated(server, "other")
        wrong = {"x": 99}
        assert await nobody.refused("PUT", "/board/piece/1/3", **wrong) == NO_TOKEN
        assert await stranger.refused("PUT", "/board/piece/1/3", **wrong) == NO_PLAYER
        outsider = Client(white.wire, white.prefix, other.token)
        assert await outsider.refused("PUT", "/board/piece/1/3", **wrong) == NO_PLAYER
        assert await black.refused("PUT", "/board/piece/1/3", **wrong) == NOT_YOUR_TURN
        for place in ("1/3", "1/14", "24/15", "2/1"):
            assert await white.refused("PUT", f"/board/piece/{place}", **wrong) == CANNOT_MOVE
        assert await white.refused("PUT", "/board/piece/1/15", y=1) == "No x given."
        for to in (99, "x", 25, 0, 1, 20):
            text = await white.refused("PUT", "/board/piece/1/15", x=to)
            assert text.startswith(ILLEGAL)
            assert text[len(ILLEGAL)].isupper() or text[len(ILLEGAL)] == "x"
        for client in (white, nobody):
            await client.refused("PUT", "/board/piece/1/16", status=404, x=2)
        await white.refused("PUT", "/board/piece/25/1", status=404, x=2)
        assert (await white.status())["moves_left"][0] == die
        await white.request("POST", "/board")
        assert await white.refused("PUT", "/board/piece/1/15", **wrong) == NO_PLAYER


async def test_a_move_returns_the_destination_first_and_then_all_other_cells():
    async with running("moves") as server:
        white, black = await seated(server)
        before, (high, low) = await white.get("/board"), (await white.status())["moves_left"]
        cells = await white.move(1, str(1 + high), y="3", dice1=1)
        assert cells[0] == {
            "x": 1 + high,
            "y": 1,
            "b_color": "BW"[high % 2],
            "piece_color": "W",
            "piece": "W15",
        }
        assert await white.get(f"/board/piece/{1 + high}/1") == cells[:1]
        assert sorted(cells, key=lambda cell: (cell["x"], cell["y"])) == await black.get("/board")
        gone = set(checkers(before)) - set(checkers(cells))
        assert gone == {(1, 15, "W15")}
        assert (await black.status())["moves_left"] == [low]
        in_body = Client(white.wire, white.prefix)
        await in_body.move(1, 1 + low, token=white.token)
        assert (await black.status())["p_turn"] == "B"


async def test_a_whole_game_ends_with_a_result():
    luck = random.Random(4)
    async with running("whole game") as server:
        players = await seated(server, "club")
        games = server.hub.service.games
        while (status := await players[0].status())["status"] == "started":
            match = games.playing[games.rooms.game("plakoto:club")]
            move = luck.choice(match.state.actions())
            player = players["WB".index(status["p_turn"])]
            cells = await player.move(move.start, move.to)
            assert len(cells) in (360, 361)
            assert (move.to in (0, 25)) == (cells[0]["x"] != move.to)
        assert status["status"] == "ended"
        assert status["result"] in ("W", "B", "D")
        assert await players[0].refused("PUT", "/board/piece/1/1", x=2) == NOT_PLAYING
        text = "Player W is already set. Please select another color."
        assert await players[0].refused("PUT", "/players/W", username="Carol") == text
        anybody = await visit(server, "club")
        assert (await anybody.request("POST", "/board")).status == 200
        assert (await anybody.status())["status"] == "not active"


async def test_a_reset_needs_the_token_of_a_player_while_a_seat_is_taken():
    async with running() as server:
        client = await visit(server)
        nulls = Client(client.wire, client.prefix, "null")
        assert (await nulls.request("POST", "/board")).status == 200
        white = await client.sit_down("W", "Anna")
        assert await client.refused("POST", "/board") == NO_TOKEN
        assert await nulls.refused("POST", "/board") == NO_TOKEN
        stranger = Client(client.wire, client.prefix, "0" * 32)
        assert await stranger.refused("POST", "/board") == NO_PLAYER
        assert (await white.request("POST", "/board")).status == 200
        assert (await client.status())["status"] == "not active"
        white, black = await seated(server)
        game = server.hub.service.games.rooms.game("plakoto:main")
        assert await client.refused("POST", "/board") == NO_TOKEN
        board = (await client.request("POST", "/board", token=black.token)).json
        assert board == await client.get("/board")
        assert len(checkers(board)) == 30
        assert (await client.status())["status"] == "not active"
        talker = await server.connect()
        result = (await talker.ask(cmd="state", game=game))["update"]["result"]
        assert result["reason"] == "leave"
        assert list(result["points"].values()) == [1, 0]
        assert await white.refused("PUT", "/board/piece/1/15", x=2) == NO_PLAYER


async def test_rooms_are_separate():
    async with running() as server:
        await seated(server, "one")
        for room, status in (("one", "started"), ("One", "not active"), ("", "not active")):
            assert (await (await visit(server, room)).status())["status"] == status
        await (await visit(server)).sit_down("W", "Anna")
        assert (await (await visit(server, "main")).status())["status"] == "initialized"


async def test_the_rooms_of_https_are_those_of_http():
    async with running() as server:
        await (await visit(server)).sit_down("W", "Anna")
        context = ssl.create_default_context()
        server.authority.configure_trust(context)
        stream = await trio.open_ssl_over_tcp_stream(*server.https, ssl_context=context)
        server.streams.append(stream)
        black = await Client(Wire(stream)).sit_down("B", "Ben")
        assert (await black.status())["status"] == "started"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/board", "GET, POST, OPTIONS"),
        ("PUT", "/board", "GET, POST, OPTIONS"),
        ("POST", "/board/piece/1/1", "GET, PUT, OPTIONS"),
        ("PUT", "/players", "GET, OPTIONS"),
        ("POST", "/players/W", "GET, PUT, OPTIONS"),
        ("PATCH", "/status", "GET, OPTIONS"),
    ],
)
async def test_a_wrong_method_is_refused_with_the_right_ones(method, path, allowed):
    async with running() as server:
        client = await visit(server)
        response = await client.request(method, path)
        assert response.status == 405
        assert response.headers["allow"] == allowed
        assert response.json.keys() == {"errormesg"}
        preflight = await client.request("OPTIONS", path)
        assert (preflight.status, preflight.body) == (204, b"")
        assert preflight.headers["access-control-allow-methods"] == allowed
        assert preflight.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "path", ["", "/", "/a/b/c", "/board/dice/1/2", "/players/X", "/no%2Fo/status"]
)
async def test_an_unknown_path_is_not_found(path):
    async with running() as server:
        client = await visit(server)
        for method in ("GET", "PUT", "OPTIONS"):
            text = await client.refused(method, path, status=404)
            assert text.startswith("there is nothing at /plakoto")


async def test_pages_from_anywhere_may_use_the_rooms():
    async with running() as server:
        wire = (await visit(server)).wire
        headers = {"Host": "evil.example", "Origin": "https://evil.example"}
        response = await wire.request("GET", "/plakoto/status/", **headers)
        assert response.status == 200
        assert response.headers["access-control-allow-origin"] == "*"
        for path in ("board", "nothing"):
            response = await wire.request("GET", f"/plakoto/{path}", **headers)
            assert response.headers["access-control-allow-origin"] == "*"


async def test_a_request_that_is_too_large_has_the_error_in_its_field():
    async with running() as server:
        client = await visit(server)
        text = await client.refused("PUT", "/players/W", username="x" * 70_000)
        assert text == "a body may have 65536 bytes at most"


@pytest.mark.parametrize("path", ["/status", "/nothing"])
async def test_too_many_requests_of_a_connection_are_refused(path):
    async with running(limits=Limits(commands_per_s=3)) as server:
        client = await visit(server)
        responses = [await client.request("GET", path) for _ in range(4)]
        assert {response.status for response in responses[:3]} <= {200, 404}
        assert (responses[3].status, responses[3].headers["retry-after"]) == (400, "1")
        assert responses[3].json.keys() == {"errormesg"}


async def test_too_many_requests_about_a_game_close_the_connection():
    async with running(limits=Limits(commands_per_s=3)) as server:
        await (await visit(server)).sit_down("W", "Anna")
        client = await visit(server)
        for _ in range(3):
            await client.status()
        response = await client.request("GET", "/status")
        assert (response.status, response.headers["retry-after"]) == (400, "1")
        assert response.json.keys() == {"errormesg"}
        assert await client.wire.closed()
        assert (await (await visit(server)).status())["status"] == "initialized"


async def test_a_room_with_one_player_counts_as_a_wait_of_its_address():
    async with running(limits=Limits(waits=2)) as server:
        clients = [await visit(server, f"r{number}", "127.0.0.2") for number in range(3)]
        seats = [await client.sit_down("W", "Anna") for client in clients[:2]]
        response = await clients[2].request("PUT", "/players/W", username="Anna")
        assert (response.status, response.headers["retry-after"]) == (400, "60")
        assert "wait" in response.json["errormesg"]
        assert (await seats[0].request("POST", "/board")).status == 200
        await clients[2].sit_down("B", "Anna")
        elsewhere = await visit(server, "r9", "127.0.0.3")
        await elsewhere.sit_down("W", "Ben")


async def test_the_room_of_a_request_does_not_end_with_its_connection():
    async with running() as server:
        client = await visit(server)
        white = await client.sit_down("W", "Anna")
        await client.wire.stream.aclose()
        again = await visit(server)
        assert (await again.status())["status"] == "initialized"
        black = await again.sit_down("B", "Ben")
        assert (await black.status())["p_turn"] == "W"
        later = Client(again.wire, again.prefix, white.token)
        die = (await later.status())["moves_left"][0]
        await later.move(1, 1 + die)


async def test_a_malformed_body_is_refused():
    async with running() as server:
        wire = (await visit(server)).wire
        for body in (b"hello", b"[]", b'{"username":"x"', b"\xff\xfe", b"null"):
            response = await wire.request("PUT", "/plakoto/players/W", body)
            assert (response.status, list(response.json)) == (400, ["errormesg"])
        assert json.loads((await wire.request("GET", "/plakoto/status")).body)
