"""The summary of a tournament: everything that follows from its journal. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs
from attrs import Factory, frozen

from tabnet.tournament.plan.elimination import Elimination, compute_rounds, describe_standings
from tabnet.tournament.plan.plan import ELIMINATION, Plan, make_plan_of_journal
from tabnet.tournament.plan.revealed_secrets import describe_throws, reveal_secrets
from tabnet.tournament.records.entrants_and_results import Entrant, Result, select_counted_results
from tabnet.tournament.records.journal_lines import GameTiming, Journal
from tabnet.tournament.stats.crosstable import Crosstable, make_crosstable
from tabnet.tournament.stats.entrants_table import (
    RatingTable,
    make_rating_table,
    make_standings_table,
)
from tabnet.tournament.stats.head_to_head import HeadToHead, compare_bots
from tabnet.tournament.stats.hosts_table import HostRow, compare_hosts
from tabnet.tournament.stats.sprt import Hypotheses, Verdict

OF_THE_RUN = ("concurrency",)
"""The settings that only change the duration of a tournament."""


@frozen
class TournamentSummary:
    """The state of a tournament, over or not."""

    settings: dict[str, Any]
    """The settings, without those of the run."""
    entrants: tuple[Entrant, ...]
    results: tuple[Result, ...]
    """The results, in the order of the game ids."""
    table: RatingTable
    crosstable: Crosstable
    duel: HeadToHead | None
    """The comparison of the two bots, if there are two."""
    verdict: Verdict | None
    """The state of the test, if it is one."""
    elimination: Elimination | None
    """The rounds, if it is an elimination."""
    run: dict[str, Any]
    """The settings of the run."""
    timings: Mapping[str, GameTiming]
    """The times of each game, by id."""
    secrets: Mapping[str, bytes]
    """The secrets of the throws that the results reveal, by game id."""
    host_rows: tuple[HostRow, ...] = ()
    """The hosts of a cluster; none if all games were played on one machine."""
    hosts: Mapping[str, dict[str, Any]] = Factory(dict)
    """The sandbox of bots on each machine, by its name."""
    output_logs: Mapping[str, str] = Factory(dict)
    """The log of each bot that has printed anything, in the folder of the tournament."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The bots, the best first."""
        return tuple(row.name for row in self.table.rows)

    @cached_property
    def counted(self) -> frozenset[str]:
        """The ids of the games that count for scores, ratings and tests."""
        return frozenset(result.game.id for result in select_counted_results(self.results))


def summarize(journal: Journal) -> TournamentSummary:
    """Summarize a journal; the order in which games ended makes no difference."""
    names = journal.names
    results, settings = tuple(journal.results.values()), journal.settings
    is_elimination = settings.get("format") == ELIMINATION
    plan = make_plan_of_journal(journal) if is_elimination or journal.secrets else None
    rounds = compute_rounds(plan, results) if plan is not None and is_elimination else None
    return TournamentSummary(
        settings={name: value for name, value in settings.items() if name not in OF_THE_RUN},
        entrants=tuple(journal.entrants.values()),
        results=results,
        table=_make_table(plan, names, results),
        crosstable=make_crosstable(results, names),
        duel=compare_bots(results, *names) if len(names) == 2 and rounds is None else None,
        verdict=_judge_sprt(journal),
        elimination=rounds,
        run={name: value for name, value in settings.items() if name in OF_THE_RUN},
        timings=journal.timings,
        secrets={} if plan is None else reveal_secrets(plan, results),
        hosts=journal.hosts,
        host_rows=compare_hosts(results, journal.timings),
    )


def _make_table(plan: Plan | None, names: Sequence[str], results: Sequence[Result]) -> RatingTable:
    """Return the table; journals without a secret need no plan unless they are eliminations."""
    if plan is None:
        return make_rating_table(results, names)
    if plan.format == ELIMINATION:
        table = make_standings_table(results, describe_standings(plan, results))
    else:
        table = make_rating_table(results, names, plan.has_own_throws)
    return attrs.evolve(table, notes=(*describe_throws(plan), *table.notes))


def _judge_sprt(journal: Journal) -> Verdict | None:
    """Return the state of the test; its hypotheses are the setting `sprt`."""
    hypotheses = journal.settings.get("sprt")
    if hypotheses is None or len(journal.names) != 2:
        return None
    one, other = journal.names
    return Verdict((one, other), Hypotheses(**hypotheses)).add_results(journal.results.values())
