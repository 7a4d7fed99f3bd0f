"""Guessing passwords, and floods of them: on links in memory, with a clock that jumps."""

from __future__ import annotations

import pytest
import trio

from tabnet.server.core.limits import FIRST_WAIT_MS, FORGET_MS, FREE_FAILURES
from tabnet.server.net import passwords
from tests.memory import call

RIGHT = {"cmd": "register", "nick": "zp", "password": "right"}
WRONG = {**RIGHT, "password": "wrong"}


@pytest.fixture
async def registered(house, nursery, hashed, autojump_clock):
    """A hub on which zp is registered; its own calls are not counted."""
    owner = await call(house, nursery, origin="home")
    await owner.ask(**RIGHT)
    hashed.clear()
    return house


async def guess(hub, nursery, times, **command):
    """Try on one connection after the other; the answers."""
    return [await (await call(hub, nursery)).ask(**{**WRONG, **command}) for _ in range(times)]


async def test_who_keeps_guessing_is_refused_without_hashing_and_cut_off(
    registered, nursery, hashed, autojump_clock
):
    answers = await guess(registered, nursery, FREE_FAILURES)
    assert {answer["code"] for answer in answers} == {"wrong_password"}
    assert len(hashed) == FREE_FAILURES
    talker = await call(registered, nursery)
    refused = await talker.ask(**WRONG, id=7)
    assert (refused["code"], refused["retry_after"], refused["id"]) == ("too_many_logins", 1, 7)
    assert (refused["cmd"], refused["field"]) == ("register", "password")
    assert await talker.receive_line() == b""
    assert len(hashed) == FREE_FAILURES


async def test_the_wait_is_as_long_as_was_said_and_then_doubles(
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
    talker = await call(registered, nursery)
    codes = [(await talker.ask(**WRONG))["code"] for _ in range(FREE_FAILURES + 1)]
    assert codes == ["wrong_password"] * FREE_FAILURES + ["too_many_logins"]


async def test_guesses_sent_all_at_once_are_counted_too(
    registered, nursery, hashed, autojump_clock
):
    talkers = [await call(registered, nursery) for _ in range(3 * FREE_FAILURES)]
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


async def test_the_owner_at_another_address_is_not_kept_out(
    registered, nursery, hashed, autojump_clock
):
    await guess(registered, nursery, FREE_FAILURES + 1)
    owner = await call(registered, nursery, origin="home")
    assert await owner.ask(**RIGHT) == {"type": "reply", "cmd": "register"}


async def test_a_right_password_clears_the_wrong_ones(registered, nursery, hashed, autojump_clock):
    for _ in range(3):
        await guess(registered, nursery, FREE_FAILURES - 1)
        (answer,) = await guess(registered, nursery, 1, password="right")
        assert "error" not in answer


async def test_a_password_that_was_right_on_a_connection_stays_so(
    registered, nursery, hashed, autojump_clock
):
    talker = await call(registered, nursery)
    await talker.ask(**RIGHT)
    await guess(registered, nursery, FREE_FAILURES + 1)
    assert "error" not in await talker.ask(**RIGHT)


async def test_guesses_are_forgotten(registered, nursery, hashed, autojump_clock):
    await guess(registered, nursery, FREE_FAILURES + 1)
    await trio.sleep(FORGET_MS / 1000)
    (answer,) = await guess(registered, nursery, 1)
    assert answer["code"] == "wrong_password"
    assert FIRST_WAIT_MS < FORGET_MS


async def test_a_flood_of_logins_from_one_address_delays_another_by_one(
    house, nursery, hashed, autojump_clock
):
    flood = [await call(house, nursery, origin="flood") for _ in range(50)]
    for number, talker in enumerate(flood):
        await talker.send(cmd="register", nick=f"flood {number}", password="x")
    other, start = await call(house, nursery, origin="home"), trio.current_time()
    assert await other.ask(**RIGHT) == {"type": "reply", "cmd": "register"}
    assert trio.current_time() - start == pytest.approx(0.2)
    assert hashed == ["x", "right"]


async def test_nobody_waits_for_ever_to_be_let_in(house, nursery, hashed, autojump_clock):
    talkers = [await call(house, nursery) for _ in range(400)]
    start = trio.current_time()
    for number, talker in enumerate(talkers):
        await talker.send(cmd="register", nick=f"flood {number}", password="x")
    answers = [await talker.receive() for talker in talkers]
    assert trio.current_time() - start == pytest.approx(passwords.LONGEST_WAIT_S, abs=0.2)
    refused = [answer for answer in answers if "error" in answer]
    assert len(hashed) + len(refused) == 400
    assert len(refused) == pytest.approx(100, abs=2)
    assert {answer["code"] for answer in refused} == {"busy_logins"}
    assert {answer["retry_after"] for answer in refused} == {passwords.LONGEST_WAIT_S}
    assert await talkers[-1].receive_line() == b""


async def test_what_was_counted_for_addresses_is_not_kept(house, nursery, hashed, autojump_clock):
    for number in range(10):
        talker = await call(house, nursery, origin=str(number))
        await talker.ask(cmd="register", nick=f"player {number}", password="x")
    assert len(house._passwords._turns) == 0
    assert len(house._passwords._failures._failures) == 0
