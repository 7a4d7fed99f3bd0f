"""The queue of a tournament's games, and the entrants that are out of it. Pure.

The order in which games end makes no difference here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from attrs import define, evolve, field

from tabnet.tournament.plan.plan import ELIMINATION, Plan
from tabnet.tournament.plan.schedule import schedule_games
from tabnet.tournament.records.entrants_and_results import MAX_FAILURES, OUT, Result, ScheduledGame
from tabnet.tournament.records.results_of_matches import (
    find_exit,
    make_failed_result,
    make_forfeit_result,
)
from tabnet.tournament.stats.sprt import Verdict

OPEN_ENDED = ("swiss", "knockout", "sprt", "elimination")
"""The formats in which later games depend on results."""


@define
class GameQueue:
    """The games of a plan: ended, running and waiting."""

    plan: Plan
    results: dict[str, Result]
    """The results by game id; at first those of an earlier run."""
    verdict: Verdict | None = None
    one_at_a_time: frozenset[str] = frozenset()
    """The entrants that cannot play two games at once."""
    failures: dict[str, tuple[str, ...]] = field(factory=dict)
    """The failures of each game's referee; at first those of an earlier run."""
    running: dict[str, ScheduledGame] = field(factory=dict)
    out: dict[str, int] = field(factory=dict)
    """The entrants that are out, each with the place of its last game in the order of games."""
    _places: dict[str, int] = field(factory=dict)
    """The place of each game seen so far in the playing order, by its id."""
    _games_of: defaultdict[str, list[ScheduledGame]] = field(factory=lambda: defaultdict(list))
    """The games of each entrant seen so far, in playing order."""
    _crashed: set[str] = field(factory=set)
    _postponed: list[ScheduledGame] = field(factory=list)
    _total: int = field(init=False)
    _upcoming: Iterator[ScheduledGame] = field(init=False)
    _known: int = field(init=False)
    """The number of results when the schedule was last computed."""

    def __attrs_post_init__(self) -> None:
        self._total = sum(1 for _ in schedule_games(self.plan, self._played))
        self._compute_schedule()
        culprits = {name for result in self.results.values() for name in result.crashed_bots}
        if culprits:
            for game in schedule_games(self.plan, self._played):
                self._record_place(game)
        self._crashed |= culprits
        for name in sorted(culprits):
            self._record_exit(name)
        self._continue_sprt()

    @property
    def _played(self) -> tuple[Result, ...]:
        return tuple(self.results.values())

    @property
    def is_decided(self) -> bool:
        """True if an sprt has ended."""
        return self.verdict is not None and self.verdict.accepted is not None

    @property
    def is_over(self) -> bool:
        if self.is_decided:
            return True
        return all(game.id in self.results for game in schedule_games(self.plan, self._played))

    @property
    def total(self) -> int | None:
        """The number of all games; None if it depends on results."""
        if self.plan.format in OPEN_ENDED:
            return None
        return self._total

    @property
    def needs_check_in(self) -> bool:
        """True if it is not known yet which entrants connect before the first round."""
        return self.plan.format == ELIMINATION and self.plan.absent is None

    def record_absent(self, absent: Mapping[str, str]) -> None:
        """Note the entrants that did not connect before the first round: they have no game."""
        self.plan = evolve(self.plan, absent=absent)
        self._compute_schedule()

    def take_next(self) -> ScheduledGame | None:
        """Return a game to be played now; None if there is none before another ends, or at all."""
        if self.is_decided:
            return None
        for game in self._postponed:
            if self._may_begin(game):
                self._postponed.remove(game)
                return self._begin(game)
        for game in self._yield_waiting_games():
            if self._may_begin(game):
                return self._begin(game)
            self._postponed.append(game)
        return None

    def _begin(self, game: ScheduledGame) -> ScheduledGame:
        self.running[game.id] = game
        return game

    def _may_begin(self, game: ScheduledGame) -> bool:
        busy = {name for other in self.running.values() for name in other.seats}
        return not any(name in busy for name in self.one_at_a_time.intersection(game.seats))

    def _yield_waiting_games(self) -> Iterator[ScheduledGame]:
        while True:
            for game in self._upcoming:
                self._record_place(game)
                if game.id not in self.results and game.id not in self.running:
                    yield game
            if self._known == len(self.results) or self._postponed:
                return
            self._compute_schedule()  # games that have ended may have brought about others

    def _compute_schedule(self) -> None:
        self._known = len(self.results)
        self._upcoming = iter(schedule_games(self.plan, self._played))

    def _record_place(self, game: ScheduledGame) -> None:
        if game.id not in self._places:
            self._places[game.id] = len(self._places)
            for name in game.seats:
                self._games_of[name].append(game)

    # Entrants that are out

    def find_forfeit(self, game: ScheduledGame) -> Result | None:
        """Return a result if an entrant is out or the referee has failed too often, else None."""
        place = self._places[game.id]
        out = [name for name in game.seats if self.out.get(name, place) < place]
        if out:
            return make_forfeit_result(game, out)
        failures = self.failures.get(game.id, ())
        return make_failed_result(game, failures[-1]) if len(failures) >= MAX_FAILURES else None

    def record_failure(self, game: ScheduledGame, detail: str) -> Result | None:
        """Note a failure of a game's referee; return the result if it has failed too often."""
        self.failures[game.id] = (*self.failures.get(game.id, ()), detail)
        return self.find_forfeit(game)

    def add_result(self, result: Result) -> list[Result]:
        """Add a result; return it and all results that it changes."""
        game = result.game
        self.running.pop(game.id, None)
        result = self.find_forfeit(game) or result
        self.results[game.id] = result
        self._crashed.update(result.crashed_bots)
        changed = [result]
        for name in game.seats:
            if name in self._crashed and name not in self.out:
                changed += self._record_exit(name)
        self._continue_sprt()
        return changed

    def _continue_sprt(self) -> None:
        """Judge further pairs. Exits are known before later games are judged: no result changes."""
        if self.plan.sprt is not None:
            one, other = self.plan.names
            verdict = self.verdict or Verdict((one, other), self.plan.sprt)
            self.verdict = verdict.add_results(self.results.values())

    def remove_surplus(self) -> list[str]:
        """Remove the games that ran when an sprt ended, and return their ids."""
        if self.verdict is None or self.verdict.accepted is None:
            return []
        needed = self.verdict.next_pair
        surplus = [id for id, result in self.results.items() if result.game.pair >= needed]
        for id in surplus:
            del self.results[id]
        return surplus

    def _record_exit(self, name: str) -> list[Result]:
        """Note if an entrant is out; return the results that this changes."""
        own = self._games_of[name]
        last = find_exit(name, own, self.results)
        if last is None:
            return []
        self.out[name] = self._places[own[last].id]
        changed = []
        for game in own[last + 1 :]:
            old = self.results.get(game.id)
            if old is not None and old.cause != OUT:
                self.results[game.id] = make_forfeit_result(game, [name])
                changed.append(self.results[game.id])
        return changed
