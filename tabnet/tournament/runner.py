"""Plays the games of a tournament that have not been played, several at once, and keeps them.

Which game ends first decides nothing: the same bots, seed and settings give the same results,
whatever the concurrency, and whenever it was stopped and resumed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import trio
from attrs import frozen

from tabnet.errors import StartError
from tabnet.server.seating import Reservation
from tabnet.tournament.arena import Arena, Playing
from tabnet.tournament.docket import Docket
from tabnet.tournament.entrants import Contender
from tabnet.tournament.folder import GAMES, LOGS, Timing, result_line, void_line
from tabnet.tournament.journal import Writer
from tabnet.tournament.judge import Seen, ended, not_begun
from tabnet.tournament.plan import secret_of
from tabnet.tournament.player import Player
from tabnet.tournament.pool import USUAL, Patience, Pool
from tabnet.tournament.process import Fence
from tabnet.tournament.reception import Reception
from tabnet.tournament.record import compact
from tabnet.tournament.results import Game, Result
from tabnet.tournament.terms import terms_of

TRIAL = ("", -1)
"""The pair of nobody: a process is started to see whether it can be."""


@frozen
class House:
    """How games are played here; no result depends on it."""

    folder: Path
    concurrency: int
    """How many games at once."""
    fence: Fence
    reception: Reception
    patience: Patience = USUAL


class Runner:
    """Plays what is on the docket."""

    def __init__(
        self,
        docket: Docket,
        contenders: Sequence[Contender],
        house: House,
        journal: Writer,
        most: int | None,
    ) -> None:
        self.docket = docket
        self.arena = Arena()
        self.played = 0
        """How many games have ended."""
        self._contenders = {contender.name: contender for contender in contenders}
        self._house = house
        self._journal = journal
        self._terms = terms_of(docket.plan)
        self._most = most
        self._change = trio.Event()

    async def run(self) -> None:
        """Play until nothing is missing; games that are running when it is cancelled are lost."""
        if self.docket.is_over:
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.arena.run)
            nursery.start_soon(self._journal.run)
            house = self._house
            pool = Pool(
                self.arena, nursery, self._terms, house.fence, house.reception, house.patience
            )
            await self._try_out(pool)
            await self._play_all(pool)
            await pool.close()
            nursery.cancel_scope.cancel()

    async def _try_out(self, pool: Pool) -> None:
        """Start each bot file once; raises `StartError` that names those that cannot be loaded."""
        unfit: dict[str, str] = {}

        async def start(contender: Contender) -> None:
            async with limiter:
                player = await pool.take(contender, TRIAL)
            pool.give_back(player)
            if player.process is not None and player.process.ending:
                unfit[contender.name] = player.process.speech.last_line.removeprefix("tabnet: ")

        limiter = trio.CapacityLimiter(2 * self._house.concurrency)
        async with trio.open_nursery() as nursery:
            for contender in self._contenders.values():
                if contender.is_file:
                    nursery.start_soon(start, contender)
        if unfit:
            raise StartError("; ".join(unfit[name] for name in self._contenders if name in unfit))

    async def _play_all(self, pool: Pool) -> None:
        async with trio.open_nursery() as nursery:
            while (game := self._next()) or (self.docket.running and not self.docket.decided):
                if game is not None:
                    nursery.start_soon(self._play, pool, game)
                else:
                    self._change = trio.Event()
                    await self._change.wait()
            nursery.cancel_scope.cancel()  # what still runs does not count any more

    def _next(self) -> Game | None:
        """The game to begin now; what is decided without being played is kept at once."""
        while len(self.docket.running) < self._house.concurrency:
            game = self.docket.next()
            forfeit = self.docket.forfeit(game) if game is not None else None
            if forfeit is None:
                return game
            self._keep(forfeit, time.time())
        return None

    async def _play(self, pool: Pool, game: Game) -> None:
        players = await self._gather(pool, game)
        began = time.time()
        faults = [player.fault for player in players]
        if any(faults):
            result = not_begun(game, faults)
        else:
            playing = await self.arena.play(self._reservation(game, players), players)
            result = _result(game, playing)
            if playing.match is not None:
                self._save(GAMES, f"{game.id}.json", compact(playing.match, game.seats))
        if result.went_wrong:
            self._save(LOGS, f"{game.id}.log", _log(result, players).encode())
        for player in players:
            pool.give_back(player)
        self._keep(result, began)
        self.played += 1
        self._change.set()

    async def _gather(self, pool: Pool, game: Game) -> tuple[Player, ...]:
        """The players of a game, in seat order."""
        found: dict[str, Player] = {}
        pair = (" ".join(sorted(game.seats)), game.pair)

        async def take(name: str) -> None:
            found[name] = await pool.take(self._contenders[name], pair)

        async with trio.open_nursery() as nursery:
            for name in game.seats:
                nursery.start_soon(take, name)
        return tuple(found[name] for name in game.seats)

    def _reservation(self, game: Game, players: Sequence[Player]) -> Reservation:
        return Reservation(
            id=game.id,
            terms=self._terms,
            nicks=tuple(player.nick for player in players),
            secret=secret_of(self.docket.plan, game.seats, game.pair),
            most=self._most,
        )

    def _keep(self, result: Result, began: float) -> None:
        if self.docket.decided:
            return
        for each in self.docket.settle(result):
            self._journal.add(result_line(each, Timing(began, time.time())))
        if surplus := self.docket.drop_surplus():
            self._journal.add(void_line(surplus))

    def _save(self, folder: str, name: str, data: bytes) -> None:
        (self._house.folder / folder / name).write_bytes(data)


def _result(game: Game, playing: Playing) -> Result:
    """What has become of a game."""
    match = playing.match
    if match is None or match.result is None:
        return not_begun(game, [player.fault for player in playing.players])
    return ended(game, match, match.result, Seen(playing.faults, playing.said))


def _log(result: Result, players: Sequence[Player]) -> str:
    """What was said in a game that did not end as it should."""
    seats = result.game.seats
    parts = [f"game {result.game.id}: {' - '.join(seats)}"]
    parts += (f"{each.cause} of {seats[each.seat]}: {each.detail}" for each in result.blamed)
    for player in players:
        parts.append(f"\n--- {player.nick}: what it sent (>) and was sent (<)\n{player.tape}")
        if player.process is not None:
            parts.append(f"\n--- {player.nick}: what it wrote\n{player.process.speech}")
    return "\n".join(parts) + "\n"
