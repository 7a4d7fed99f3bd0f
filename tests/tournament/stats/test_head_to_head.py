"""Duels of two bots."""

from __future__ import annotations

import math

import pytest
from attrs import asdict
from scipy.stats import norm

from tabnet.tournament.stats.head_to_head import HeadToHead, compare_bots
from tests.tournament.made_results import counted, paired

MANY = (39, 884, 2667, 924, 44)


def of(counts) -> HeadToHead:
    return compare_bots(counted("a", "b", counts), "a", "b")


def numbers(found: HeadToHead) -> list[float]:
    """All that are estimated."""
    estimates = (found.elo, found.normalised)
    return [found.superiority] + [n for e in estimates for n in asdict(e).values()]


def test_pairs_are_counted() -> None:
    found = compare_bots(paired("a", "b", [(1, 0), (1, 1), (0.5, 1), (0, 0)]), "a", "b")
    assert found.pentanomial == (1, 0, 1, 1, 1)
    assert found.notes == ()


def test_games_of_others_are_left_out() -> None:
    results = counted("a", "b", MANY)
    others = counted("a", "c", (5, 0, 0, 0, 0)) + counted("c", "b", (0, 0, 0, 0, 5))
    assert compare_bots(results + others, "a", "b") == compare_bots(results, "a", "b")


def test_many_pairs_have_the_estimates_of_a_normal_distribution() -> None:
    found = of(MANY)
    share = (39 * 0 + 884 / 4 + 2667 / 2 + 924 * 3 / 4 + 44) / sum(MANY)
    spread = sum(
        n * (s - share) ** 2 for n, s in zip(MANY, (0, 0.25, 0.5, 0.75, 1), strict=True)
    ) / sum(MANY)
    error = math.sqrt(spread / sum(MANY))
    elos = [-400 * math.log10(1 / (share + z * error) - 1) for z in (0, -1.96, 1.96)]
    assert [*asdict(found.elo).values()] == pytest.approx(elos, abs=0.02)
    t = [(share - 0.5) / math.sqrt(spread) + z / math.sqrt(sum(MANY)) for z in (0, -1.96, 1.96)]
    expected = [800 / math.log(10) / math.sqrt(2) * each for each in t]
    assert [*asdict(found.normalised).values()] == pytest.approx(expected, abs=0.05)
    assert found.superiority == pytest.approx(norm.cdf((share - 0.5) / error), abs=1e-4)


def test_the_other_side_has_the_opposite_numbers() -> None:
    results = counted("a", "b", (3, 5, 20, 8, 6))
    one, other = compare_bots(results, "a", "b"), compare_bots(results, "b", "a")
    assert one.elo.value == pytest.approx(-other.elo.value)
    assert one.elo.low == pytest.approx(-other.elo.high, abs=1e-4)
    assert one.normalised.high == pytest.approx(-other.normalised.low, abs=1e-4)
    assert one.superiority == pytest.approx(1 - other.superiority)
    assert one.pentanomial == other.pentanomial[::-1]


def test_the_interval_excludes_equality_when_superiority_is_clear() -> None:
    for better in range(40):
        found = of((3, 5, 20, 8, 6 + better))
        assert (found.elo.low > 0) == (found.normalised.low > 0) == (found.superiority > 0.975)
    assert found.elo.low > 0


@pytest.mark.parametrize(
    "counts",
    [
        (0, 0, 0, 0, 0),
        (0, 0, 1, 0, 0),
        (0, 0, 100, 0, 0),
        (20, 0, 0, 0, 0),
        (0, 0, 0, 0, 1),
        (0, 0, 0, 0, 1000),
        (0, 0, 0, 1, 20),
        (1, 0, 0, 0, 1),
    ],
)
def test_every_estimate_is_finite_and_inside_its_interval(counts) -> None:
    found = of(counts)
    assert all(math.isfinite(number) for number in numbers(found))
    assert -2300 < found.elo.low < found.elo.high < 2300
    assert found.elo.low < found.elo.value < found.elo.high
    assert found.normalised.low < found.normalised.value < found.normalised.high
    assert 0 <= found.superiority <= 1


def test_more_equal_pairs_give_narrower_intervals() -> None:
    once, often = of((0, 0, 0, 0, 2)), of((0, 0, 0, 0, 50))
    assert once.elo.low < 0 < often.elo.low
    assert once.superiority < 0.95 < 0.999 < often.superiority
    few, many = of((0, 0, 5, 0, 0)), of((0, 0, 500, 0, 0))
    assert few.elo.high > 100 > 5 > many.elo.high > 0
    assert few.elo.value == many.elo.value == 0
    assert (few.superiority, many.superiority) == pytest.approx((0.5, 0.5))


def test_equal_pairs_have_a_note() -> None:
    (note,) = of((0, 0, 0, 0, 20)).notes
    assert note == (
        "Each of the 20 pairs gave a 2 of 2 points: the estimates assume one more pair, "
        "spread evenly over all results."
    )
    assert of((0, 1, 0, 0, 0)).notes[0].startswith("The only pair gave a 0.5 of 2 points:")


def test_one_game_does_not_show_the_stronger_bot() -> None:
    found = compare_bots(paired("a", "b", [(1, 1)])[:1], "a", "b")
    assert found.pentanomial == (0,) * 5
    assert found.elo.low < 0 < found.elo.high
    assert 0.5 < found.superiority < 0.7
    assert found.notes == (
        "No pair is finished.",
        "1 game is in no finished pair: counted in the ratings, and in no number of pairs.",
    )


def test_games_in_no_finished_pair_have_a_note() -> None:
    results = paired("a", "b", [(1, 1), (0, 0), (1, 0), (1, 0)])
    assert compare_bots(results[:4] + results[5::2], "a", "b").notes == (
        "2 games are in no finished pair: counted in the ratings, and in no number of pairs.",
    )
