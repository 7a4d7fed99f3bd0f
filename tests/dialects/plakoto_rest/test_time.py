"""Rooms over hours and restarts, on a server without sockets: waits, clocks, ends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import define

from tabnet.dialects.plakoto_rest.handlers import find_handlers
from tabnet.dialects.plakoto_rest.room_request import CLOCK, RestRooms, terms_with
from tabnet.dialects.web.http_request import HttpRequest
from tabnet.protocol.messages import Leave
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tests.server.room_referee import RoomReferee

HOUR_S = 3600
WAIT_S = 24 * HOUR_S
NOON = 1_795_089_600_000
MOVE_S = 300


@define
class Rooms:
    """The rooms of a server, as one client sees them."""

    referee: RoomReferee
    rooms: RestRooms

    @classmethod
    def of(cls, referee: RoomReferee) -> Rooms:
        """Return the rooms of a server."""
        find_game = referee.service.games.rooms.game
        return cls(referee, RestRooms(terms_with(CLOCK), find_game, lambda time: NOON + time))

    def ask(self, method: str, path: str, token: str | None = None, **fields: Any) -> Any:
        """Send a request; return the JSON of the response."""
        headers = {} if token is None else {"x-token": token}
        body = json.dumps(fields).encode() if fields else b""
        http = HttpRequest(method, f"/plakoto/{path}", headers, body)
        handler = find_handlers(http.path)[method](http, self.rooms)
        session = self.referee.connect()
        try:
            command = next(handler)
            while True:
                command = handler.send(self.referee.ask(session, command))
        except StopIteration as end:
            return json.loads(end.value.body)

    def sit_down(self, colour: str = "W") -> str:
        """Take a seat; return its token."""
        (row,) = self.ask("PUT", f"players/{colour}", username="Anna")
        token: str = row["token"]
        return token

    def status(self) -> tuple[str, str | None]:
        """Return the status and the result of the room main."""
        (row,) = self.ask("GET", "status/")
        return row["status"], row["result"]


@pytest.fixture
def server():
    """A server with a house bot."""
    referee = RoomReferee()
    referee.service.opponents = HouseBots({"greedy": make_nicks("greedy", 4)})
    return Rooms.of(referee)


def test_a_wait_ends_after_a_day_and_its_seat_is_free_at_once(server):
    token = server.sit_down()
    server.referee.wait(WAIT_S - 1)
    assert server.status() == ("initialized", None)
    server.referee.wait(1)
    assert server.status() == ("not active", None)
    assert server.ask("GET", "players/W")[0]["username"] is None
    text = "You are not a player of this game."
    assert server.ask("PUT", "board/piece/1/15", token, x=2) == {"errormesg": text}
    assert server.sit_down() != token
    assert server.status() == ("initialized", None)
    server.sit_down("B")
    server.referee.wait(2 * HOUR_S)
    assert server.status()[0] == "not active"


def test_a_room_closes_an_hour_after_the_end_of_its_game(server):
    token = server.sit_down()
    server.sit_down("B")
    server.referee.ask(server.referee.connect(), Leave(token=token))
    assert server.status() == ("ended", "B")
    server.referee.wait(HOUR_S - 1)
    assert server.status() == ("ended", "B")
    taken = "Player B is already set. Please select another color."
    assert server.ask("PUT", "players/B", username="Carol") == {"errormesg": taken}
    server.referee.wait(1)
    assert server.status() == ("not active", None)
    server.sit_down("B")


def test_a_player_whose_time_is_over_loses_an_aborted_game(server):
    tokens = [server.sit_down(colour) for colour in "WB"]
    server.referee.wait(MOVE_S - 1)
    (row,) = server.ask("GET", "status/")
    cells = server.ask("PUT", "board/piece/1/15", tokens[0], x=1 + row["moves_left"][0])
    assert cells[0]["piece"] == "W15"
    server.referee.wait(MOVE_S - 1)
    assert server.status() == ("started", None)
    server.referee.wait(1)
    assert server.status() == ("aborded", "B")
    assert server.ask("PUT", "board/piece/1/15", tokens[0], x=2) == {
        "errormesg": "Game is not in action."
    }


def test_a_house_bot_alone_keeps_strangers_from_the_room_until_a_player_comes(server):
    bot = {"username": "greedy", "bot": True}
    (row,) = server.ask("PUT", "players/B", **bot)
    assert row.pop("last_action") is not None
    assert row == {"username": "greedy", "piece_color": "B", "token": None}
    no_token = {"errormesg": "token is not set."}
    assert server.ask("PUT", "players/W", **bot) == no_token
    assert server.ask("POST", "board/") == no_token
    assert server.ask("PUT", "players/B", token="x" * 32, **bot) == {
        "errormesg": "You are not a player of this game."
    }
    token = server.sit_down("W")
    assert server.status() == ("started", None)
    assert len(server.ask("POST", "board/", token)) == 24 * 15
    assert server.status() == ("not active", None)


def test_a_restart_keeps_rooms_tokens_checkers_and_dice(server):
    tokens = [server.sit_down(colour) for colour in "WB"]
    (row,) = server.ask("GET", "status/")
    server.ask("PUT", "board/piece/1/15", tokens[0], x=1 + row["moves_left"][0])
    server.ask("PUT", "club/players/B", username="Carol")
    paths = ("board/", "club/status/", "players/", "club/players/")
    before = [server.ask("GET", path) for path in paths]
    (status,) = server.ask("GET", "status/")
    other = Rooms.of(server.referee.restarted())
    assert [other.ask("GET", path) for path in paths] == before
    assert other.ask("GET", "status/") == [status]
    last = status["moves_left"][0]
    assert other.ask("PUT", "board/piece/1/14", tokens[1], x=2)["errormesg"].startswith("It is not")
    assert other.ask("PUT", "board/piece/1/14", tokens[0], x=1 + last)[0]["piece"] == "W14"
    assert other.ask("POST", "board/", tokens[1])[0]["piece"] == "W1"
    again = Rooms.of(other.referee.restarted())
    assert again.status() == ("not active", None)
