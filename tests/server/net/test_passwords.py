"""Guessing passwords, and floods of them: on links in memory, with a clock that jumps."""

from __future__ import annotations

import pytest
import trio

from tabnet.server.core.players.login_failures import FIRST_DELAY_MS, FORGET_MS, FREE_FAILURES
from tabnet.server.core.players.login_queue import MAX_OF_NETWORK
from tabnet.server.net.passwords import LONGEST_WAIT_S
from tests.memory_connection import connect

RIGHT = {"cmd": "register", "nick": "zp", "password": "right"}
WRONG = {**RIGHT, "password": "wrong"}


@pytest.fixture
async def registered(house, nursery, hashed, autojump_clock):
    """A hub on which zp is registered; its own calls are not counted."""
    owner = await connect(house, nursery, origin="home")
    await owner.ask(**RIGHT)
    hashed.clear()
    return house


async def guess(hub, nursery, times, **command):
    """Try on one connection after the other; the answers."""
    return [await (await connect(hub, nursery)).ask(**{**WRONG, **command}) for _ in range(times)]


async def test_a_guessing_client_is_refused_without_hashing_and_disconnected(
    registered, nursery, hashed, autojump_clock
):
    answers = await guess(registered, nursery, FREE_FAILURES)
    assert {answer["code"] for answer in answers} == {"wrong_password"}
    assert len(hashed) == FREE_FAILURES
    talker = await connect(registered, nursery)
    refused = await talker.ask(**WRONG, id=7)
    assert (refused["code"], refused["retry_after"], refused["id"]) == ("too_many_logins", 1, 7)
    assert (refused["cmd"], refused["field"]) == ("register", "password")
    assert await talker.receive_line() == b""
    assert len(hashed) == FREE_FAILURES


async def test_the_delay_lasts_as_announced_and_then_doubles(
    registered, nursery, hashed, autojump_clock
):
    await guess(registered, nursery, FREE_FAILURES)
    for wait in (1, 2, 4, 8):
        (refused,) = await guess(registered, nursery, 1)
        assert (refused["code"], refused["retry_after"]) == ("too_many_logins", wait)
        await trio.sleep(wait)
        (answer,) = await guess(registered, nursery, 1)
        assert answer["code"] == "wrong_password"
    assert len(hashed) == FREE_FAILURES + 4


async def test_the_same_wrong_password_on_one_connection_counts_each_time(
    registered, nursery, hashed, autojump_clock
):
    talker = await connect(registered, nursery)
    codes = [(await talker.ask(**WRONG))["code"] for _ in range(FREE_FAILURES + 1)]
    assert codes == ["wrong_password"] * FREE_FAILURES + ["too_many_logins"]


async def test_simultaneous_guesses_are_all_counted(registered, nursery, hashed, autojump_clock):
    talkers = [await connect(registered, nursery) for _ in range(3 * FREE_FAILURES)]
    for number, talker in enumerate(talkers):
        await talker.send(cmd="register", nick="zp", password=str(number))
    codes = [(await talker.receive())["code"] for talker in talkers]
    assert codes.count("wrong_password") == len(hashed) == FREE_FAILURES
    assert codes.count("too_many_logins") == 2 * FREE_FAILURES


async def test_every_command_with_a_password_is_a_guess(
    registered, nursery, hashed, autojump_clock
):
    answers = await guess(registered, nursery, FREE_FAILURES + 1, cmd="leave")
    assert answers[-1]["code"] == "too_many_logins"


async def test_guesses_from_another_address_do_not_delay_the_owner(
    registered, nursery, hashed, autojump_clock
):
    await guess(registered, nursery, FREE_FAILURES + 1)
    owner = await connect(registered, nursery, origin="home")
    assert await owner.ask(**RIGHT) == {"type": "reply", "cmd": "register"}


async def test_a_right_password_clears_the_wrong_ones(registered, nursery, hashed, autojump_clock):
    for _ in range(3):
        await guess(registered, nursery, FREE_FAILURES - 1)
        (answer,) = await guess(registered, nursery, 1, password="right")
        assert "error" not in answer


async def test_a_correct_password_stays_accepted_on_its_connection(
    registered, nursery, hashed, autojump_clock
):
    talker = await connect(registered, nursery)
    await talker.ask(**RIGHT)
    await guess(registered, nursery, FREE_FAILURES + 1)
    assert "error" not in await talker.ask(**RIGHT)


async def test_guesses_are_forgotten(registered, nursery, hashed, autojump_clock):
    await guess(registered, nursery, FREE_FAILURES + 1)
    await trio.sleep(FORGET_MS / 1000)
    (answer,) = await guess(registered, nursery, 1)
    assert answer["code"] == "wrong_password"
    assert FIRST_DELAY_MS < FORGET_MS


async def test_a_flood_of_logins_from_one_address_delays_another_by_one(
    house, nursery, hashed, autojump_clock
):
    flood = [await connect(house, nursery, origin="flood") for _ in range(50)]
    for number, talker in enumerate(flood):
        await talker.send(cmd="register", nick=f"flood {number}", password="x")
    other, start = await connect(house, nursery, origin="home"), trio.current_time()
    assert await other.ask(**RIGHT) == {"type": "reply", "cmd": "register"}
    assert trio.current_time() - start == pytest.approx(0.2)
    assert hashed == ["x", "right"]


async def test_a_login_that_waits_too_long_is_refused(house, nursery, hashed, autojump_clock):
    talkers = [await connect(house, nursery, origin=f"10.0.{n}.1:1") for n in range(400)]
    start = trio.current_time()
    for number, talker in enumerate(talkers):
        await talker.send(cmd="register", nick=f"flood {number}", password="x")
    answers = [await talker.receive() for talker in talkers]
    assert trio.current_time() - start == pytest.approx(LONGEST_WAIT_S, abs=0.2)
    refused = [answer for answer in answers if "error" in answer]
    assert len(hashed) + len(refused) == 400
    assert len(refused) == pytest.approx(100, abs=2)
    assert {answer["code"] for answer in refused} == {"busy_logins"}
    assert {answer["retry_after"] for answer in refused} == {LONGEST_WAIT_S}
    assert await talkers[-1].receive_line() == b""


async def test_one_network_cannot_fill_the_queue(house, nursery, hashed, autojump_clock):
    talkers = [
        await connect(house, nursery, origin=f"10.0.0.{n % 250}:1")
        for n in range(2 * MAX_OF_NETWORK)
    ]
    start = trio.current_time()
    for number, talker in enumerate(talkers):
        await talker.send(cmd="register", nick=f"flood {number}", password="x")
    last = await talkers[-1].receive()
    assert (last["code"], last["retry_after"]) == ("busy_logins", LONGEST_WAIT_S)
    assert await talkers[-1].receive_line() == b""
    assert trio.current_time() == start
    for talker in talkers:
        await talker.receive_line()
    assert len(hashed) == MAX_OF_NETWORK + 1


async def test_a_disconnected_client_leaves_the_login_queue(house, nursery, hashed, autojump_clock):
    for number in range(3):
        talker = await connect(house, nursery, origin=f"10.0.{number}.1:1")
        await talker.send(cmd="register", nick=f"flood {number}", password="x")
    for connection in house.outbox.connections.values():
        connection.cut()
    other, start = await connect(house, nursery, origin="10.1.0.1:1"), trio.current_time()
    assert "error" not in await other.ask(**RIGHT)
    assert trio.current_time() - start <= 0.2


CROWD = 400
"""The clients that log in at the same time, each from an address of its own."""


async def flood(hub, nursery, addresses, nicks):
    """Let one client at each address send a login, and wait until all of them wait."""
    for address, nick in zip(addresses, nicks, strict=True):
        talker = await connect(hub, nursery, origin=f"{address}:1")
        await talker.send(cmd="register", nick=nick, password="x")
    await trio.testing.wait_all_tasks_blocked()


WIDE = [f"10.{n // 200}.{n % 200}.1" for n in range(CROWD)]
NARROW = [f"10.0.0.{n % 250}" for n in range(CROWD)]
IPV6 = [f"[2001:db8:0:{n:x}::1]" for n in range(CROWD)]


@pytest.mark.parametrize("addresses", [WIDE, NARROW, IPV6])
@pytest.mark.parametrize("guess", [False, True])
async def test_a_familiar_player_waits_for_two_logins_at_most(
    house, nursery, hashed, autojump_clock, addresses, guess
):
    player = await connect(house, nursery, origin="192.0.2.1:1")
    await player.ask(**RIGHT)
    nicks = ["zp" if guess else f"flood {n}" for n in range(CROWD)]
    await flood(house, nursery, addresses, nicks)
    again, start = await connect(house, nursery, origin="192.0.2.9:1"), trio.current_time()
    assert await again.ask(**RIGHT) == {"type": "reply", "cmd": "register"}
    assert trio.current_time() - start <= 0.3


async def test_a_known_player_from_elsewhere_goes_before_new_nicks(
    house, nursery, hashed, autojump_clock
):
    player = await connect(house, nursery, origin="192.0.2.1:1")
    await player.ask(**RIGHT)
    await flood(house, nursery, WIDE, [f"flood {n}" for n in range(CROWD)])
    again, start = await connect(house, nursery, origin="198.51.100.1:1"), trio.current_time()
    assert await again.ask(**RIGHT) == {"type": "reply", "cmd": "register"}
    assert trio.current_time() - start <= 0.3


async def test_a_new_player_waits_for_one_login_of_a_crowded_network(
    house, nursery, hashed, autojump_clock
):
    await flood(house, nursery, NARROW, [f"flood {n}" for n in range(CROWD)])
    player, start = await connect(house, nursery, origin="192.0.2.1:1"), trio.current_time()
    assert "error" not in await player.ask(**RIGHT)
    assert trio.current_time() - start <= 0.3


async def test_guesses_from_a_network_make_the_nick_unfamiliar_there(
    house, nursery, hashed, autojump_clock
):
    player = await connect(house, nursery, origin="192.0.2.1:1")
    await player.ask(**RIGHT)
    for number in range(FREE_FAILURES):
        neighbour = await connect(house, nursery, origin=f"192.0.2.{number + 2}:1")
        await neighbour.ask(**WRONG)
    crowd = WIDE[: CROWD // 4]
    await flood(house, nursery, crowd, ["zp"] * len(crowd))
    again, start = await connect(house, nursery, origin="192.0.2.99:1"), trio.current_time()
    assert "error" not in await again.ask(**RIGHT)
    assert trio.current_time() - start >= 0.1 * len(crowd)
    await flood(house, nursery, crowd, ["zp"] * len(crowd))
    again, start = await connect(house, nursery, origin="192.0.2.100:1"), trio.current_time()
    assert "error" not in await again.ask(**RIGHT)
    assert trio.current_time() - start <= 0.3


async def test_loopback_is_not_exempt_from_delays_after_wrong_passwords(
    house, nursery, hashed, autojump_clock
):
    for address in ("127.0.0.1", "[::1]"):
        owner = await connect(house, nursery, origin="192.0.2.1:1")
        await owner.ask(**RIGHT)
        codes = []
        for _ in range(FREE_FAILURES + 1):
            talker = await connect(house, nursery, origin=f"{address}:1")
            codes.append((await talker.ask(**WRONG))["code"])
        assert codes == ["wrong_password"] * FREE_FAILURES + ["too_many_logins"]
