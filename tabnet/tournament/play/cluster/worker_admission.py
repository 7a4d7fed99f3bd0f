"""The admission of Dask workers: each is asked for its versions, and receives the tournament.

A worker with another version is refused: its games could have other results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Protocol

import attrs
from attrs import define, field, frozen

from tabnet.tournament.play.bots.bot_files import BotContent
from tabnet.tournament.play.cluster import worker_tasks
from tabnet.tournament.play.cluster.host_probe import HostFacts, describe_host, find_mismatch
from tabnet.tournament.play.referee_interface import RefereeSettings


@frozen
class ClusterTournament:
    """The tournament of a cluster, in plain values."""

    token: str
    """Names the tournament on all workers."""
    settings: RefereeSettings
    """The bots come without their files."""
    contents: Mapping[str, BotContent]
    """The files by digest."""
    digests: Mapping[str, str]
    """The digest of the files of each bot with files."""
    programs: tuple[str, ...]
    """The installed programs of command lines."""

    @classmethod
    def create(cls, token: str, settings: RefereeSettings) -> ClusterTournament:
        files = {bot.name: bot.content for bot in settings.bots if bot.content is not None}
        without = tuple(attrs.evolve(bot, content=None) for bot in settings.bots)
        return cls(
            token=token,
            settings=attrs.evolve(settings, bots=without),
            contents={content.digest: content for content in files.values()},
            digests={name: content.digest for name, content in files.items()},
            programs=tuple(sorted({bot.program for bot in settings.bots if bot.program})),
        )


class Submit(Protocol):
    def __call__(self, key: str, worker: str, function: Callable[..., Any], *args: Any) -> None: ...


@define(eq=False)
class _Candidate:
    slots: int
    facts: HostFacts = field(factory=dict)
    sentence: str = ""
    """The reason why the worker was refused."""


@define(eq=False)
class WorkerAdmission:
    """Admits workers one by one; `on_admitted` is called with the address, slots and facts."""

    tournament: ClusterTournament
    submit: Submit
    on_admitted: Callable[[str, int, HostFacts], None]
    announce: Callable[[str], None]
    missing_programs: set[str] = field(factory=set)
    """The programs that some host did not have before `decide_programs`."""
    _is_decided: bool = False
    _here: HostFacts = field(init=False)
    _candidates: dict[str, _Candidate] = field(factory=dict)
    _tasks: dict[str, str] = field(factory=dict)
    """The address of each task of this module, by key."""
    _announced: set[str] = field(factory=set)
    _numbers: Any = field(factory=count)

    def __attrs_post_init__(self) -> None:
        self._here = describe_host(self.tournament.settings.plan.kind, ())

    def add_worker(self, address: str, slots: int) -> None:
        """Ask a worker for its facts, unless it is known."""
        if address not in self._candidates:
            self._candidates[address] = _Candidate(slots)
            kind = self.tournament.settings.plan.kind
            settings = self.tournament.settings
            terms = settings.processes.sandbox, any(bot.words for bot in settings.bots)
            self._submit(address, describe_host, kind, self.tournament.programs, *terms)

    @property
    def has_all_facts(self) -> bool:
        """True if there are workers, and all of them have told their facts."""
        candidates = self._candidates.values()
        return bool(candidates) and all(each.facts or each.sentence for each in candidates)

    def decide_programs(self) -> frozenset[str]:
        """Return the programs that some host does not have; later hosts must have the others."""
        self._is_decided = True
        if not self.has_all_facts:
            self.missing_programs.update(self.tournament.programs)
        return frozenset(self.missing_programs)

    def forget(self, address: str) -> None:
        """Forget a worker: it is asked again when it is added again."""
        self._candidates.pop(address, None)

    def forget_all(self) -> None:
        self._candidates.clear()
        self._tasks.clear()

    def on_finished(self, key: str, result: Any, error: BaseException | None) -> bool:
        """Take the result of a task of this module; return False for another task."""
        address = self._tasks.pop(key, None)
        if address is None:
            return False
        candidate = self._candidates.get(address)
        if candidate is None:
            return True
        if error is not None:
            self._refuse(address, candidate, f"it has no tabnet like the one here ({error!r})")
        elif isinstance(result, dict):
            candidate.facts = result
            self._examine(address, candidate)
        elif result:
            contents = [self.tournament.contents[digest] for digest in result]
            self._prepare(address, contents)
        else:
            self.on_admitted(address, candidate.slots, candidate.facts)
        return True

    def _examine(self, address: str, candidate: _Candidate) -> None:
        kind = self.tournament.settings.plan.kind
        mismatch = find_mismatch(self._here, candidate.facts, kind)
        mismatch = mismatch or candidate.facts["sandbox"].get("missing")
        if mismatch is None and not self._is_decided:
            self.missing_programs.update(candidate.facts["missing"])
        elif missing := set(candidate.facts["missing"]) - self.missing_programs:
            mismatch = mismatch or f"it has no program {min(missing)}"
        if mismatch is None:
            self._prepare(address, [])
        else:
            self._refuse(address, candidate, mismatch)

    def _prepare(self, address: str, contents: list[BotContent]) -> None:
        tournament = self.tournament
        arguments = (tournament.token, tournament.settings, tournament.digests, contents)
        self._submit(address, worker_tasks.prepare, *arguments)

    def _submit(self, address: str, function: Callable[..., Any], *args: Any) -> None:
        key = f"setup-{self.tournament.token}-{next(self._numbers)}"
        self._tasks[key] = address
        self.submit(key, address, function, *args)

    def _refuse(self, address: str, candidate: _Candidate, reason: str) -> None:
        candidate.sentence = f"Dask worker {address} cannot play: {reason}"
        host = candidate.facts.get("host", address)
        if (note := f"{host} {reason}") not in self._announced:  # once for all its workers
            self._announced.add(note)
            self.announce(candidate.sentence)
