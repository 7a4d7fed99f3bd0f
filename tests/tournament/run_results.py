"""The results of a tournament, without times, which differ from run to run."""

from __future__ import annotations

import attrs

from tabnet.tournament.records.entrants_and_results import ThinkingTime


def results_without_times(runner):
    """The results by their games, without the time that it took."""
    return {
        id: attrs.evolve(
            result, thinking=tuple(ThinkingTime(each.decisions, 0, 0) for each in result.thinking)
        )
        for id, result in runner.queue.results.items()
    }
