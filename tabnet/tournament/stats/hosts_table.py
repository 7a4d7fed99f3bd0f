"""The table of the hosts of a cluster: how fast they are, and whether their results differ. Pure.

Pairs of games are distributed without regard to their bots. So the results of a host differ from
those of the others by chance only. Two things are compared:

- games in which a bot took too long: the probability of so many or more on the host, if they were
  distributed at random (hypergeometric distribution)
- the score of one bot in each pair or group, less its mean over all games of the same bots: the
  mean on the host, in standard errors (normal distribution)

A host is named if a probability is below `ALPHA` divided by the number of comparisons.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from tabnet.tournament.records.entrants_and_results import Result, sum_thinking_times
from tabnet.tournament.records.journal_lines import GameTiming
from tabnet.tournament.stats.intervals import compute_normal_cdf

TIME_LOSSES: Final = ("timeout_move", "timeout_total")
ALPHA: Final = 0.01
"""The probability of naming any host although all are the same."""

MIN_GROUPS: Final = 20
"""The pairs or groups that a host needs before its scores are compared."""


@frozen
class HostRow:
    """The games of one host."""

    name: str
    games: int
    decisions: int
    decisions_per_s: float | None
    """Decisions in a second of wall time from its first game to its last."""
    time_losses: int
    """Games in which a bot took too long."""
    mean_cpu_ms: float | None
    """CPU time of a decision; None if it is unknown."""
    warning: str = ""
    """A sentence if its results differ from those of the others by more than chance."""


def compare_hosts(
    results: Sequence[Result], timings: Mapping[str, GameTiming]
) -> tuple[HostRow, ...]:
    """Return a row for each host of a cluster; none if all games were played on one machine."""
    of_hosts: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        if host := timings[result.game.id].host:
            of_hosts[host].append(result)
    threshold = ALPHA / (2 * max(1, len(of_hosts)))
    residuals = _compute_residuals([each for games in of_hosts.values() for each in games])
    late = sum(map(_is_late, results))
    return tuple(
        _make_row(
            name,
            of_hosts[name],
            timings,
            _find_warning(of_hosts[name], residuals, len(results), late, threshold)
            if len(of_hosts) > 1
            else "",
        )
        for name in sorted(of_hosts)
    )


def _make_row(
    name: str, results: Sequence[Result], timings: Mapping[str, GameTiming], warning: str
) -> HostRow:
    times = [timings[result.game.id] for result in results]
    seconds = max(each.ended for each in times) - min(each.began for each in times)
    thinking = sum_thinking_times([seat for result in results for seat in result.thinking])
    return HostRow(
        name=name,
        games=len(results),
        decisions=thinking.decisions,
        decisions_per_s=thinking.decisions / seconds if seconds > 0 else None,
        time_losses=sum(map(_is_late, results)),
        mean_cpu_ms=thinking.mean_cpu_ms,
        warning=warning,
    )


def _is_late(result: Result) -> bool:
    return any(each.cause in TIME_LOSSES for each in result.blamed)


def _compute_residuals(results: Sequence[Result]) -> dict[str, float]:
    """Return for each game the score of its first bot by name, less its mean over these bots."""
    of_bots: dict[tuple[str, ...], list[Result]] = defaultdict(list)
    for result in results:
        of_bots[tuple(sorted(result.game.seats))].append(result)
    residuals: dict[str, float] = {}
    for names, games in of_bots.items():
        scores = [each.compute_score(each.game.seats.index(names[0])) for each in games]
        mean = sum(scores) / len(scores)
        residuals |= {each.game.id: score - mean for each, score in zip(games, scores, strict=True)}
    return residuals


def _find_warning(
    results: Sequence[Result],
    residuals: Mapping[str, float],
    all_games: int,
    all_late: int,
    threshold: float,
) -> str:
    """Return what differs by more than chance on a host; empty if nothing does."""
    late = sum(map(_is_late, results))
    if compute_hypergeometric_tail(all_games, all_late, len(results), late) < threshold:
        return f"{late} of its {len(results)} games ended because a bot took too long"
    if _compute_score_probability(results, residuals) < threshold:
        return "the scores of its games differ from those of the same bots on other hosts"
    return ""


def compute_hypergeometric_tail(games: int, late: int, drawn: int, found: int) -> float:
    """Return the probability of `found` or more of `late` among `drawn` out of `games`."""
    total = _log_of_choices(games, drawn)
    least = max(found, drawn - (games - late))
    return min(
        1.0,
        sum(
            math.exp(
                _log_of_choices(late, count) + _log_of_choices(games - late, drawn - count) - total
            )
            for count in range(least, min(late, drawn) + 1)
        ),
    )


def _log_of_choices(number: int, chosen: int) -> float:
    """Return the logarithm of the binomial coefficient, which itself may be too large."""
    return math.lgamma(number + 1) - math.lgamma(chosen + 1) - math.lgamma(number - chosen + 1)


def _compute_score_probability(results: Sequence[Result], residuals: Mapping[str, float]) -> float:
    """Return the probability of a mean at least so far from 0 on both sides, by chance."""
    of_groups: dict[object, list[float]] = defaultdict(list)
    for result in results:
        of_groups[result.game.group].append(residuals[result.game.id])
    means = [sum(each) / len(each) for each in of_groups.values()]
    if len(means) < MIN_GROUPS:
        return 1.0
    mean = sum(means) / len(means)
    variance = sum((each - mean) ** 2 for each in means) / (len(means) - 1)
    if variance == 0:
        return 1.0
    return 2 * compute_normal_cdf(-abs(mean) / math.sqrt(variance / len(means)))
