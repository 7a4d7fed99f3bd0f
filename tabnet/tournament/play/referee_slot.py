"""A slot for one referee, in this process or in its own: a failed referee is replaced."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

import trio
from attrs import define, field

from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.referee_interface import FailedStart, PlayedGame, RefereeInterface
from tabnet.tournament.records.entrants_and_results import ScheduledGame

T = TypeVar("T")


@define(eq=False)
class _PendingCall:
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    failure: RefereeFailed | None = None


class RefereeSlot:
    """Starts a referee on demand, and another one after each failure.

    When a referee fails, all pending calls raise `RefereeFailed`.
    """

    def __init__(self, create: Callable[[], RefereeInterface]) -> None:
        self.referee: RefereeInterface | None = None
        """The current referee, or the last one."""
        self._create = create
        self._calls: list[_PendingCall] = []
        self._wanted = trio.Event()
        self._ready = trio.Event()

    async def run(self) -> None:
        """Run one referee after another until one is closed."""
        while True:
            await self._wanted.wait()
            self.referee = self._create()
            try:
                await self.referee.run(self._ready.set)
            except RefereeFailed as failure:
                self._fail(failure)
            else:
                return

    async def try_out(self, name: str) -> FailedStart | None:
        return await self._call(lambda referee: referee.try_out(name))

    async def play(self, game: ScheduledGame) -> PlayedGame:
        return await self._call(lambda referee: referee.play(game))

    def count_moves(self, game: str) -> int:
        return 0 if self.referee is None else self.referee.moves.get(game, 0)

    @property
    def cpu_s(self) -> float:
        """The processor time of a referee process that has been closed."""
        return 0.0 if self.referee is None else self.referee.cpu_s

    async def close(self) -> None:
        """End the referee with all its players, if there is one."""
        if self._ready.is_set():
            with suppress(RefereeFailed):
                await self._call(lambda referee: referee.close())

    async def _call(self, function: Callable[[RefereeInterface], Awaitable[T]]) -> T:
        call = _PendingCall()
        self._calls.append(call)
        self._wanted.set()
        try:
            with call.scope:
                await self._ready.wait()
                assert self.referee is not None, "it is ready"  # noqa: S101
                return await function(self.referee)
        finally:
            if call in self._calls:
                self._calls.remove(call)
        assert call.failure is not None, "nothing else cancels it"  # noqa: S101
        raise call.failure

    def _fail(self, failure: RefereeFailed) -> None:
        calls, self._calls = self._calls, []
        self._wanted, self._ready = trio.Event(), trio.Event()
        for call in calls:
            call.failure = failure
            call.scope.cancel()
