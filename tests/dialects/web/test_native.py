"""Any command of the protocol as a POST: by whom, how often, and on whose account."""

from __future__ import annotations

import ipaddress
import json

import pytest
import trio

from tabnet.games import GAMES
from tabnet.server.core.costs.limits import Limits
from tabnet.server.core.players.accounts import Proof
from tabnet.server.core.players.login_failures import FREE_FAILURES
from tabnet.server.net.password_cache import LIFE_MS
from tests.dialects.web.raw import dial, post
from tests.harness import running
from tests.memory_connection import connect

ZP = {"nick": "zp", "password": "secret"}
TERMS = {"group": 1, "size": 7}


async def ask(wire, headers=None, **command):
    return await wire.request("POST", "/v1", json.dumps(command).encode(), **(headers or {}))


async def test_a_reply_is_the_body_and_a_refusal_also_has_a_status():
    async with running() as server:
        done = await post(server, "/v1", cmd="register", id=7, **ZP)
        assert (done.status, done.json) == (200, {"type": "reply", "cmd": "register", "id": 7})
        for status, code, command in (
            (400, "unknown_command", {"cmd": "dance"}),
            (400, "unknown_field", {"cmd": "games", "x": 1}),
            (400, "unknown_game", {"cmd": "state", "game": "x"}),
            (401, "wrong_password", {"cmd": "join", **ZP, "password": "x", **TERMS}),
            (401, "not_registered", {"cmd": "leave", "nick": "no", "password": "x"}),
            (401, "bad_token", {"cmd": "leave", "token": "x"}),
            (401, "who_are_you", {"cmd": "leave"}),
        ):
            refused = await post(server, "/v1", id="x", **command)
            assert (refused.status, refused.json["code"]) == (status, code)
            assert refused.json["id"] == "x"


async def test_a_request_returns_the_hello_of_other_connections():
    async with running() as server:
        wire = await dial(server)
        hello = await wire.request("GET", "/v1")
        assert hello.status == 200
        assert hello.json == {
            "type": "hello",
            "server": "tabnet",
            "protocol": 1,
            "games": list(GAMES),
            "feeds": ["updates", "turns"],
        }
        assert (await ask(wire, cmd="ping")).status == 200


async def test_a_command_may_span_several_lines():
    async with running() as server:
        wire = await dial(server)
        body = json.dumps({"cmd": "ping", "id": 1}, indent=2).encode() + b"\n"
        assert (await wire.request("POST", "/v1", body)).json["id"] == 1


@pytest.mark.parametrize("command", [{"cmd": "update", "game": "x"}, {"cmd": "quit"}])
async def test_commands_that_need_a_connection_are_refused(command):
    async with running() as server:
        refused = await post(server, "/v1", **command, id=3)
        assert (refused.status, refused.json["code"]) == (400, "needs_connection")
        assert (refused.json["cmd"], refused.json["id"]) == (command["cmd"], 3)
        assert ("hint" in refused.json) == (command["cmd"] == "update")


async def test_a_login_does_not_stay_on_a_connection():
    async with running() as server:
        wire = await dial(server)
        assert (await ask(wire, cmd="register", **ZP)).status == 200
        joined = (await ask(wire, cmd="join", **TERMS)).json
        assert joined["nick"].startswith("guest-")
        assert (await ask(wire, cmd="leave")).json["code"] == "who_are_you"
        assert (await ask(wire, cmd="leave", token=joined["token"])).status == 200


async def test_a_seat_is_played_with_its_token_alone():
    async with running() as server:
        wire = await dial(server)
        seats = [(await ask(wire, cmd="join", **TERMS)).json for _ in range(2)]
        assert seats[0]["game"] == seats[1]["game"]
        refused = await ask(wire, cmd="roll", token=seats[1]["token"])
        assert refused.json["code"] == "not_your_turn"
        assert (await ask(wire, cmd="roll", token=seats[0]["token"])).status == 200
        state = (await ask(wire, cmd="state", token=seats[1]["token"])).json
        assert state["update"]["event"]["player"] == seats[0]["nick"]


# Passwords


async def test_a_password_is_not_hashed_with_every_request(visit, hashed, autojump_clock):
    wire, other = visit(), visit()
    for each in (wire, other, wire, visit()):
        assert (await ask(each, cmd="register", **ZP)).status == 200
        assert (await ask(each, cmd="leave", **ZP)).json["code"] == "which_game"
    assert hashed == ["secret"]


async def test_a_password_is_hashed_again_for_another_address_and_after_a_while(
    visit, hashed, autojump_clock
):
    await ask(visit(), cmd="register", **ZP)
    await ask(visit(origin="192.0.2.1"), cmd="register", **ZP)
    assert hashed == ["secret"] * 2
    await trio.sleep(LIFE_MS / 1000)
    await ask(visit(), cmd="register", **ZP)
    assert hashed == ["secret"] * 3


async def test_a_new_password_ends_the_old_one_at_once(visit, house, hashed, autojump_clock):
    wire = visit()
    await ask(wire, cmd="register", **ZP)
    house.service.accounts.set_proof("zp", Proof(b"other salt", b"other digest"))
    for each in (wire, visit()):
        assert (await ask(each, cmd="leave", **ZP)).status == 401
    assert hashed == ["secret"] * 3


async def test_a_ban_applies_at_once(visit, house, hashed, autojump_clock):
    wire = visit()
    await ask(wire, cmd="register", **ZP)
    house.service.accounts.ban("zp", "cheating")
    for each in (wire, visit()):
        refused = await ask(each, cmd="join", **ZP, **TERMS)
        assert (refused.status, refused.json["code"]) == (401, "banned")


async def test_guesses_learn_nothing_from_cached_passwords(
    visit, house, nursery, hashed, autojump_clock
):
    wire = visit()
    await ask(wire, cmd="register", **ZP)
    for number in range(FREE_FAILURES):
        await ask(visit(), cmd="register", nick="zp", password=str(number))
    assert (await ask(visit(), cmd="register", **ZP)).status == 429
    assert (await (await connect(house, nursery)).ask(cmd="register", **ZP)).get("error") is None
    assert (await ask(wire, cmd="register", **ZP)).status == 200


# Behind a proxy


PROXIES = [ipaddress.ip_network("127.0.0.0/8")]


async def test_a_trusted_proxy_s_requests_count_for_its_clients():
    async with running(limits=Limits(per_address=1), proxies=PROXIES) as server:
        wires = [await dial(server) for _ in range(3)]
        game = (await ask(wires[0], cmd="join", **TERMS)).json["game"]
        for number, wire in enumerate(wires[:2]):
            client = {"X_Forwarded_For": f"192.0.2.9, 192.0.2.{number}"}
            await wire.send("GET", f"/v1/updates?game={game}", **client)
            assert (await wire.head())[0] == 200
        refused = await ask(wires[2], {"X_Forwarded_For": "192.0.2.1"}, cmd="ping")
        assert (refused.status, refused.headers["retry-after"]) == (429, "10")
        answer = await ask(wires[2], {"X_Forwarded_For": "192.0.2.2"}, cmd="ping")
        assert answer.status == 200


async def test_wrong_passwords_delay_only_their_client_behind_a_proxy():
    async with running(proxies=PROXIES) as server:
        wire = await dial(server)
        await ask(wire, cmd="register", **ZP)
        for _ in range(FREE_FAILURES):
            wrong = await ask(
                wire, {"X_Forwarded_For": "192.0.2.1"}, cmd="register", nick="zp", password="x"
            )
            assert wrong.status == 401
        refused = await ask(wire, {"X_Forwarded_For": "192.0.2.1"}, cmd="register", **ZP)
        assert refused.status == 429
        wire = await dial(server)
        answer = await ask(wire, {"X_Forwarded_For": "192.0.2.2"}, cmd="register", **ZP)
        assert answer.status == 200


async def test_forwarded_addresses_of_untrusted_clients_are_ignored():
    async with running(limits=Limits(per_address=1)) as server:
        wire = await dial(server)
        assert (await ask(wire, {"X_Forwarded_For": "192.0.2.1"}, cmd="ping")).status == 200
        other = await dial(server)
        answer = await ask(other, {"X_Forwarded_For": "192.0.2.2"}, cmd="ping")
        assert answer.status == 429
