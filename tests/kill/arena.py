"""A whole run: players, people who watch and people who register, and a server that is killed."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import trio

from tests.kill.bot import Arena, Bot
from tests.kill.ledger import Ledger, SentCommand
from tests.kill.line import Gone, Line, connected
from tests.kill.verdict import Truth, acknowledged_tokens, is_done, name
from tests.kill.victim import Victim

GROUP_OF = 10
"""As many players as a ranking shows."""
STUCK_S = 60
"""How long it may take until anybody hears something."""
ROUNDS = 2
"""How many matches each player has at least, on average."""
REGISTER_EVERY_S = 0.3
KINDS = (("tab", 7), ("draughts", None), ("fish", None), ("plakoto", None))


async def run(folder: Path, kills: int, games: int, seed: int) -> tuple[Ledger, Truth, Victim]:
    """Play, kill, and ask the last server for the truth."""
    luck, ledger, victim = random.Random(seed), Ledger(), Victim(folder)
    arena = Arena(victim, ledger)
    bots = [
        make_bot(arena, number, random.Random(f"{seed} {number}")) for number in range(2 * games)
    ]
    strangers = trio.CancelScope()
    async with trio.open_nursery() as players:
        players.start_soon(stop_at_fault, ledger, players.cancel_scope)
        players.start_soon(watch_and_register, arena, seed, strangers)
        for bot in bots:
            players.start_soon(bot.play)
        for _ in range(kills):
            async with victim.living():
                await hear(ledger, luck.choice([luck.randrange(60), luck.randrange(900)]))
                if luck.random() < 0.3:  # else right after an answer
                    await trio.sleep(luck.random() / 50)
        strangers.cancel()  # what is heard from here on is heard by players
        async with victim.living():
            await finish(arena, games, bots)
        players.cancel_scope.cancel()
    async with victim.living(), connected(victim.port, ledger) as line:
        truth = await ask_for_truth(line, ledger, sorted({bot.group for bot in bots}))
    return ledger, truth, victim


async def stop_at_fault(ledger: Ledger, scope: trio.CancelScope) -> None:
    """Nobody needs to play on when something is lost."""
    await ledger.broken.wait()
    scope.cancel()


async def hear(ledger: Ledger, more: int) -> None:
    """Wait until the players have been told so much more."""
    with trio.move_on_after(STUCK_S) as scope:
        await ledger.hear(more)
    if scope.cancelled_caught:
        ledger.fault(f"nobody has been told anything for {STUCK_S} s")
    await trio.lowlevel.checkpoint()


def make_bot(arena: Arena, number: int, luck: random.Random) -> Bot:
    """Every fifth one is a guest."""
    group = 1 + number // GROUP_OF
    return Bot(arena, group, luck, None if number % 5 == 4 else name(number, group))


async def finish(arena: Arena, games: int, bots: list[Bot]) -> None:
    """Let everybody play to the end, and go."""
    while not all(bot.has_gone for bot in bots):
        arena.closing = arena.finished >= 2 * ROUNDS * games
        await hear(arena.ledger, 1)


# Other people


async def watch_and_register(arena: Arena, seed: int, scope: trio.CancelScope) -> None:
    """Until the scope is cancelled."""
    with scope:
        async with trio.open_nursery() as nursery:
            for task in (watch, register):
                nursery.start_soon(task, arena, random.Random(f"{seed} {task.__name__}"))


async def forever(arena: Arena, visit: Callable[[Line], Awaitable[None]]) -> None:
    """Visit one server after the other."""
    while True:
        await arena.victim.up.wait()
        with suppress(Gone):
            async with connected(arena.victim.port, arena.ledger) as line:
                await visit(line)
        await trio.lowlevel.checkpoint()


async def watch(arena: Arena, luck: random.Random) -> None:
    """Follow a match for a while from somewhere in it, then another one."""

    async def visit(line: Line) -> None:
        for _ in range(20):
            games = arena.ledger.games()
            if games:
                game = luck.choice(games[-20:])
                since = luck.choice([0, luck.randrange(len(arena.ledger.updates[game]) + 1)])
                await line.ask("", 0, cmd="update", game=game, since=since)
            with trio.move_on_after(0.1):
                while True:
                    await line.receive()
            line.news.clear()

    await forever(arena, visit)


async def register(arena: Arena, luck: random.Random) -> None:
    """One new player after the other."""
    number = 0

    async def visit(line: Line) -> None:
        nonlocal number
        while True:
            nick = f"new{number}"
            await line.ask("", 0, cmd="register", nick=nick, password=f"{nick}'s")
            number += 1
            await trio.sleep(luck.random() * REGISTER_EVERY_S)

    await forever(arena, visit)


# In the end


async def ask_for_truth(line: Line, ledger: Ledger, groups: list[int]) -> Truth:
    """Return the last server's view of every game in the ledger."""
    truth, sent = Truth(), list(ledger.sent)
    for game in ledger.games():
        truth.histories[game] = await history(line, game)
    for token in acknowledged_tokens(ledger).values():
        truth.seats[token] = (await line.ask("", 0, cmd="state", token=token)).get("game")
    for kind, size in KINDS:
        for group in groups:
            terms = {"kind": kind, "group": group} | ({} if size is None else {"size": size})
            reply = await line.ask("", 0, cmd="ranking", **terms)
            truth.rankings[kind, size, group] = reply["ranking"]
    truth.running = (await line.ask("", 0, cmd="games"))["games"]
    for nick, password in registered(sent).items():
        claim = {"nick": nick, "password": password}
        reply = await line.ask("", 0, cmd="check", command="roll", **claim)
        if reply.get("code") in ("not_registered", "wrong_password"):
            truth.refused_logins.add(nick)
    return truth


def registered(sent: list[SentCommand]) -> dict[str, str]:
    """Everybody who was told that he is: nick -> password."""
    commands = [
        each.command for each in sent if each.command["cmd"] == "register" and is_done(each)
    ]
    return {command["nick"]: command["password"] for command in commands}


async def history(line: Line, game: str) -> list[bytes]:
    """Return all updates of a match, as the server sends them now."""
    state = await line.ask("", 0, cmd="state", game=game)
    if "update" not in state:
        return []
    line.news.clear()
    await line.ask("", 0, cmd="update", game=game, since=0)
    with trio.move_on_after(STUCK_S):  # what has not come by then has vanished
        while len(line.news) < state["update"]["seq"]:
            await line.receive()
    return [update for _, update in line.news]
