"""Has the games of a tournament played that have not been played, several at once, and keeps them.

Which game ends first decides nothing: the same bots, seed and settings give the same results,
whatever the concurrency, and whenever it was stopped and resumed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import trio
from attrs import frozen

from tabnet.errors import StartError
from tabnet.tournament.branch import Branch
from tabnet.tournament.docket import Docket
from tabnet.tournament.entrants import Contender
from tabnet.tournament.folder import GAMES, LOGS, Timing, result_line, void_line
from tabnet.tournament.journal import Writer
from tabnet.tournament.pool import USUAL, Patience
from tabnet.tournament.process import Fence
from tabnet.tournament.reception import Reception
from tabnet.tournament.referee import Charge, Referee
from tabnet.tournament.results import Game, Result


@frozen
class House:
    """How games are played here; no result depends on it."""

    folder: Path
    concurrency: int
    """How many games at once."""
    fence: Fence
    reception: Reception
    patience: Patience = USUAL
    shares: tuple[tuple[int, ...], ...] = ()
    """The processors of each referee that has a process of its own; without any this one does."""


class Runner:
    """Has played what is on the docket."""

    def __init__(
        self,
        docket: Docket,
        contenders: Sequence[Contender],
        house: House,
        journal: Writer,
        most: int | None,
    ) -> None:
        self.docket = docket
        self.played = 0
        """How many games have ended."""
        self.branches: list[Branch] = []
        """The referees in processes of their own."""
        self._contenders = tuple(contenders)
        self._remote = {each.name for each in contenders if each.is_remote}
        self._house = house
        self._journal = journal
        self._charge = Charge(docket.plan, self._contenders, most, house.fence, house.patience)
        self._here: list[Referee] = []
        """The one of this process, if it has one: who comes from elsewhere plays there."""
        self._games: dict[str, Referee | Branch] = {}
        """Who has which of the running games."""
        self._change = trio.Event()

    def moves(self, game: str) -> int:
        """How far a running game has come."""
        return self._games[game].moves(game) if game in self._games else 0

    async def run(self) -> None:
        """Play until nothing is missing; games that are running when it is cancelled are lost."""
        if self.docket.is_over:
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._journal.run)
            is_local = len(self._contenders) - len(self._remote) > 1
            for share in self._house.shares if is_local else ():
                self.branches.append(Branch(self._charge, share))
                await nursery.start(self.branches[-1].live)
            if self._remote or not self.branches:
                self._here.append(Referee(self._charge, nursery, self._house.reception))
            await self._try_out()
            await self._play_all()
            await self._close()
            nursery.cancel_scope.cancel()

    async def _try_out(self) -> None:
        """Start each bot file once; raises `StartError` that names those that cannot be loaded."""
        unfit: dict[str, str] = {}

        async def start(referee: Referee | Branch, name: str) -> None:
            async with limiter:
                complaint = await referee.try_out(name)
            if complaint is not None:
                unfit[name] = complaint

        limiter = trio.CapacityLimiter(2 * self._house.concurrency)
        able: Sequence[Referee | Branch] = self.branches or self._here
        files = [each.name for each in self._contenders if each.is_file]
        async with trio.open_nursery() as nursery:
            for name, referee in zip(files, cycle(able), strict=False):
                nursery.start_soon(start, referee, name)
        if unfit:
            raise StartError("; ".join(unfit[name] for name in files if name in unfit))

    async def _play_all(self) -> None:
        async with trio.open_nursery() as nursery:
            while (game := self._next()) or (self.docket.running and not self.docket.decided):
                if game is not None:
                    nursery.start_soon(self._play, game)
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

    async def _play(self, game: Game) -> None:
        referee = self._referee_of(game)
        self._games[game.id] = referee
        try:
            played = await referee.play(game)
        finally:
            del self._games[game.id]
        if played.record is not None:
            self._save(GAMES, f"{game.id}.json", played.record)
        if played.log is not None:
            self._save(LOGS, f"{game.id}.log", played.log.encode())
        self._keep(played.result, played.began)
        self.played += 1
        self._change.set()

    def _referee_of(self, game: Game) -> Referee | Branch:
        """The one with the fewest games, of those who can play it."""
        is_local = self._remote.isdisjoint(game.seats)
        able: Sequence[Referee | Branch] = (self.branches if is_local else ()) or self._here
        return min(able, key=list(self._games.values()).count)

    async def _close(self) -> None:
        async with trio.open_nursery() as nursery:
            for branch in self.branches:
                nursery.start_soon(branch.close)
            for referee in self._here:
                nursery.start_soon(referee.close)

    def _keep(self, result: Result, began: float) -> None:
        if self.docket.decided:
            return
        for each in self.docket.settle(result):
            self._journal.add(result_line(each, Timing(began, time.time())))
        if surplus := self.docket.drop_surplus():
            self._journal.add(void_line(surplus))

    def _save(self, folder: str, name: str, data: bytes) -> None:
        (self._house.folder / folder / name).write_bytes(data)
