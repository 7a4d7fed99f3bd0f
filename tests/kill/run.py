"""A whole run: players, spectators, registrations, and a server that is killed."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import trio

from tests.kill.bot import Bot, Shared
from tests.kill.connection import Connection, ServerLost, connect
from tests.kill.killed_server import KilledServer
from tests.kill.losses import FinalState, acknowledged_tokens, is_done, name
from tests.kill.traffic import SentCommand, Traffic

GROUP_OF = 10
"""The number of players in a ranking."""
STUCK_S = 60
"""The maximum time without any frame."""
ROUNDS = 2
"""The minimum number of matches of each player, on average."""
REGISTER_EVERY_S = 0.3
KINDS = (("tab", 7), ("draughts", None), ("fish", None), ("plakoto", None))


async def run(
    folder: Path, kills: int, games: int, seed: int
) -> tuple[Traffic, FinalState, KilledServer]:
    """Play, kill, and return the traffic, the final state and the last server."""
    luck, traffic, server = random.Random(seed), Traffic(), KilledServer(folder)
    shared = Shared(server, traffic)
    bots = [
        make_bot(shared, number, random.Random(f"{seed} {number}")) for number in range(2 * games)
    ]
    strangers = trio.CancelScope()
    async with trio.open_nursery() as players:
        players.start_soon(stop_at_fault, traffic, players.cancel_scope)
        players.start_soon(watch_and_register, shared, seed, strangers)
        for bot in bots:
            players.start_soon(bot.play)
        for _ in range(kills):
            async with server.running():
                await wait_for_frames(
                    traffic, luck.choice([luck.randrange(60), luck.randrange(900)])
                )
                if luck.random() < 0.3:  # else right after an answer
                    await trio.sleep(luck.random() / 50)
        strangers.cancel()  # from here on all frames are of players
        async with server.running():
            await finish(shared, games, bots)
        players.cancel_scope.cancel()
    async with server.running(), connect(server.port, traffic) as connection:
        state = await ask_for_final_state(connection, traffic, sorted({bot.group for bot in bots}))
    return traffic, state, server


async def stop_at_fault(traffic: Traffic, scope: trio.CancelScope) -> None:
    """Stop all players at the first fault."""
    await traffic.broken.wait()
    scope.cancel()


async def wait_for_frames(traffic: Traffic, more: int) -> None:
    """Wait for `more` frames; report a fault if none comes."""
    with trio.move_on_after(STUCK_S) as scope:
        await traffic.wait_for_frames(more)
    if scope.cancelled_caught:
        traffic.report(f"no frame has come for {STUCK_S} s")
    await trio.lowlevel.checkpoint()


def make_bot(shared: Shared, number: int, luck: random.Random) -> Bot:
    """Return a player; every fifth one is a guest."""
    group = 1 + number // GROUP_OF
    return Bot(shared, group, luck, None if number % 5 == 4 else name(number, group))


async def finish(shared: Shared, games: int, bots: list[Bot]) -> None:
    """Wait until all players have finished and gone."""
    while not all(bot.has_gone for bot in bots):
        shared.closing = shared.finished >= 2 * ROUNDS * games
        await wait_for_frames(shared.traffic, 1)


# Spectators and registrations


async def watch_and_register(shared: Shared, seed: int, scope: trio.CancelScope) -> None:
    """Watch and register until the scope is cancelled."""
    with scope:
        async with trio.open_nursery() as nursery:
            for task in (watch, register):
                nursery.start_soon(task, shared, random.Random(f"{seed} {task.__name__}"))


async def forever(shared: Shared, visit: Callable[[Connection], Awaitable[None]]) -> None:
    """Call `visit` with a connection to one server after the other."""
    while True:
        await shared.server.up.wait()
        with suppress(ServerLost):
            async with connect(shared.server.port, shared.traffic) as connection:
                await visit(connection)
        await trio.lowlevel.checkpoint()


async def watch(shared: Shared, luck: random.Random) -> None:
    """Follow a match for a while from somewhere in it, then another one."""

    async def visit(connection: Connection) -> None:
        for _ in range(20):
            games = shared.traffic.games()
            if games:
                game = luck.choice(games[-20:])
                since = luck.choice([0, luck.randrange(len(shared.traffic.updates[game]) + 1)])
                await connection.ask("", 0, cmd="update", game=game, since=since)
            with trio.move_on_after(0.1):
                while True:
                    await connection.receive()
            connection.news.clear()

    await forever(shared, visit)


async def register(shared: Shared, luck: random.Random) -> None:
    """Register one new player after the other."""
    number = 0

    async def visit(connection: Connection) -> None:
        nonlocal number
        while True:
            nick = f"new{number}"
            await connection.ask("", 0, cmd="register", nick=nick, password=f"{nick}'s")
            number += 1
            await trio.sleep(luck.random() * REGISTER_EVERY_S)

    await forever(shared, visit)


# The final state


async def ask_for_final_state(
    connection: Connection, traffic: Traffic, groups: list[int]
) -> FinalState:
    """Return the last server's view of every game in the traffic."""
    state, sent = FinalState(), list(traffic.sent)
    for game in traffic.games():
        state.histories[game] = await history(connection, game)
    for token in acknowledged_tokens(traffic).values():
        state.seats[token] = (await connection.ask("", 0, cmd="state", token=token)).get("game")
    for kind, size in KINDS:
        for group in groups:
            terms = {"kind": kind, "group": group} | ({} if size is None else {"size": size})
            reply = await connection.ask("", 0, cmd="ranking", **terms)
            state.rankings[kind, size, group] = reply["ranking"]
    state.running = (await connection.ask("", 0, cmd="games"))["games"]
    for nick, password in registered(sent).items():
        claim = {"nick": nick, "password": password}
        reply = await connection.ask("", 0, cmd="check", command="roll", **claim)
        if reply.get("code") in ("not_registered", "wrong_password"):
            state.refused_logins.add(nick)
    return state


def registered(sent: list[SentCommand]) -> dict[str, str]:
    """Return the password of every nick whose registration was acknowledged."""
    commands = [
        each.command for each in sent if each.command["cmd"] == "register" and is_done(each)
    ]
    return {command["nick"]: command["password"] for command in commands}


async def history(connection: Connection, game: str) -> list[bytes]:
    """Return all updates of a match, as the server sends them now."""
    state = await connection.ask("", 0, cmd="state", game=game)
    if "update" not in state:
        return []
    connection.news.clear()
    await connection.ask("", 0, cmd="update", game=game, since=0)
    with trio.move_on_after(STUCK_S):  # a missing update has vanished
        while len(connection.news) < state["update"]["seq"]:
            await connection.receive()
    return [update for _, update in connection.news]
