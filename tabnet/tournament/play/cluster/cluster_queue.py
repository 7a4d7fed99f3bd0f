"""The games that wait for Dask workers, and the tasks that the workers have. Pure.

The games of a pair or group stay together. A task has several pairs, so that it lasts about
`TASK_S`. Towards the end tasks have fewer pairs, so that no worker plays long after the others.
Each task is for one worker. A worker has at most `TASKS_PER_SLOT` tasks for each slot: one that
runs, and one that begins as soon as the first ends.

Dask estimates the duration of a task by the words at the beginning of its key. So the keys of games
and of bots begin with different words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count

from attrs import define, field

from tabnet.tournament.records.entrants_and_results import Group, ScheduledGame

TASK_S = 3.0
"""The time that a task should last."""
TASKS_PER_SLOT = 2
MAX_PAIRS = 500
"""The largest number of pairs or groups in a task."""
MIN_ROOM = 8
"""The number of games to hold before any worker is there."""
MAX_WANTED_SLOTS = 20
"""The largest number of slots that are wanted at a time: new workers want more."""
SMOOTHING = 0.3
"""The weight of the latest task in the mean time of a pair."""


@define(eq=False)
class Task:
    """The work of one worker: games, or a bot that is started once before the first game."""

    key: str
    worker: str
    """The address of the Dask worker."""
    pairs: tuple[tuple[ScheduledGame, ...], ...] = ()
    bot: str | None = None
    has_begun: bool = False

    @property
    def games(self) -> tuple[ScheduledGame, ...]:
        return tuple(game for pair in self.pairs for game in pair)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the games, or the name of the bot."""
        return tuple(game.id for game in self.games) if self.bot is None else (self.bot,)


@define
class Worker:
    """A Dask worker that may play."""

    address: str
    host: str
    slots: int
    """The number of tasks that it runs at the same time."""
    tasks: dict[str, Task] = field(factory=dict)
    pair_s: float | None = None
    """The mean time of a pair or group; None before its first task has ended."""

    @property
    def pairs_per_task(self) -> int:
        if self.pair_s is None:
            return 1
        return max(1, min(MAX_PAIRS, int(TASK_S / max(self.pair_s, 0.001))))

    @property
    def can_take_more(self) -> bool:
        return len(self.tasks) < self.slots * TASKS_PER_SLOT


@define
class ClusterQueue:
    """Distributes games over workers."""

    prefix: str
    """A part of the keys of all tasks."""
    workers: dict[str, Worker] = field(factory=dict)
    tasks: dict[str, Task] = field(factory=dict)
    _waiting: dict[Group, list[ScheduledGame]] = field(factory=dict)
    _waiting_bots: deque[str] = field(factory=deque)
    _slots: int = 0
    """The slots of all workers. Nothing here takes longer with more workers."""
    _pairs: int = 0
    """The pairs of one task for each slot of all workers."""
    _able: dict[str, Worker] = field(factory=dict)
    """The workers that can take one more task."""
    _lost_once: set[str] = field(factory=set)
    """The games that a worker has lost: each is played in a task of its own pair alone."""
    _games_per_pair: int = 2
    _numbers: Iterator[int] = field(factory=lambda: count(1))

    @property
    def room(self) -> int:
        """The number of games to hold, running and waiting, so that no worker is idle."""
        return max(MIN_ROOM, (TASKS_PER_SLOT + 1) * self._pairs * self._games_per_pair)

    @property
    def wanted_slots(self) -> int:
        """The number of further slots for the games that wait; at least one without workers."""
        pairs_per_task = max((each.pairs_per_task for each in self.workers.values()), default=1)
        tasks = -(-len(self._waiting) // pairs_per_task)
        return min(MAX_WANTED_SLOTS, max(tasks, 0 if self.workers else 1))

    # Games and workers

    def add_game(self, game: ScheduledGame) -> None:
        pair = self._waiting.setdefault(game.group, [])
        pair.append(game)
        self._games_per_pair = max(self._games_per_pair, len(pair))

    def add_bot(self, name: str) -> None:
        self._waiting_bots.append(name)

    def return_task(self, task: Task) -> None:
        """Let the work of a task that nobody does any more wait again."""
        for game in task.games:
            self.add_game(game)
        if task.bot is not None:
            self.add_bot(task.bot)

    def mark_lost(self, games: Iterable[str]) -> None:
        """Play these games apart from others from now on: one of them may have ended a worker."""
        self._lost_once.update(games)

    def add_worker(self, address: str, host: str, slots: int) -> None:
        if address not in self.workers:
            worker = Worker(address, host, slots)
            self.workers[address] = self._able[address] = worker
            self._slots += slots
            self._pairs += slots * worker.pairs_per_task

    def remove_worker(self, address: str) -> list[Task]:
        """Remove a worker, if there is one with this address; return its tasks."""
        worker = self.workers.pop(address, None)
        if worker is None:
            return []
        self._able.pop(address, None)
        self._slots -= worker.slots
        self._pairs -= worker.slots * worker.pairs_per_task
        for key in worker.tasks:
            del self.tasks[key]
        return list(worker.tasks.values())

    # Tasks

    def assign(self) -> list[Task]:
        """Return new tasks for the workers that can take one, the least busy ones first."""
        tasks = []
        for level in range(1, TASKS_PER_SLOT + 1):
            for worker in self._able.values():
                while len(worker.tasks) < worker.slots * level and (
                    self._waiting or self._waiting_bots
                ):
                    tasks.append(self._make_task(worker))
        self._able = {each.address: each for each in self._able.values() if each.can_take_more}
        return tasks

    def note_report(self, key: str) -> None:
        """Note a report of a task, and thereby that it has begun."""
        if key in self.tasks:
            self.tasks[key].has_begun = True

    def end_task(self, key: str, seconds: float | None) -> Task | None:
        """Remove a task, which lasted so long if it is known; return None for an unknown one."""
        task = self.tasks.pop(key, None)
        if task is None:
            return None
        worker = self.workers[task.worker]
        del worker.tasks[key]
        self._able[worker.address] = worker
        if seconds is not None and task.pairs:
            latest = seconds / len(task.pairs)
            mean = latest if worker.pair_s is None else worker.pair_s
            self._pairs -= worker.slots * worker.pairs_per_task
            worker.pair_s = mean + SMOOTHING * (latest - mean)
            self._pairs += worker.slots * worker.pairs_per_task
        return task

    def _make_task(self, worker: Worker) -> Task:
        number = f"{self.prefix}-{next(self._numbers)}"
        if self._waiting_bots:
            task = Task(f"bots-{number}", worker.address, bot=self._waiting_bots.popleft())
        else:
            share = len(self._waiting) // (TASKS_PER_SLOT * self._slots)
            groups = list(self._choose_groups(max(1, min(worker.pairs_per_task, share))))
            pairs = tuple(tuple(self._waiting.pop(group)) for group in groups)
            task = Task(f"games-{number}", worker.address, pairs)
        worker.tasks[task.key] = self.tasks[task.key] = task
        return task

    def _choose_groups(self, number: int) -> Iterator[Group]:
        """Yield up to so many of the groups that wait; a group with a lost game is alone."""
        for taken, (group, games) in enumerate(self._waiting.items()):
            is_lost = not self._lost_once.isdisjoint(game.id for game in games)
            if taken == number or (taken and is_lost):
                return
            yield group
            if is_lost:
                return
