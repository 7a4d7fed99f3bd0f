"""The pictures of the report: that they show the numbers they were given."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from tabnet.tournament.report.charts import (
    BOTTOM,
    TOP,
    choose_ticks,
    count_bars,
    draw_histogram,
    draw_intervals,
    make_growing_edges,
)
from tabnet.tournament.stats.intervals import Estimate


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (-150, 160, [-200, -100, 0, 100, 200]),
        (0, 6, [0, 1, 2, 3, 4, 5, 6]),
        (5, 5, [5, 6]),
        (-0.2, 0.3, [-1, 0, 1]),
        (0, 1000, [0, 200, 400, 600, 800, 1000]),
    ],
)
def test_marks_are_round_and_lie_around_all_values(low, high, marks):
    assert choose_ticks(low, high) == marks


def test_edges_of_times_grow_and_enclose_every_value():
    assert make_growing_edges([0.03, 4]) == pytest.approx(
        [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
    )
    for values in ([], [0], [0, 0], [1], [7.3], [0.001, 20_000]):
        edges = make_growing_edges(values)
        assert edges == sorted(set(edges))
        assert edges[0] == 0
        assert all(value <= edges[-1] for value in values)


def test_every_value_is_counted_once_and_the_last_edge_belongs_to_the_last_bar():
    assert count_bars([0, 1, 1, 2, 5, 9.9, 10], [0, 1, 2, 10]) == [1, 2, 4]
    assert sum(count_bars(range(300), choose_ticks(0, 299, 24))) == 300


def test_a_histogram_has_bars_as_high_as_their_counts():
    shown = draw_histogram([1, 1, 1, 1, 3], [0, 2, 4, 6], "ms", "for <a> & b")
    assert "<figcaption>for &lt;a&gt; &amp; b</figcaption>" in shown
    bars = ET.fromstring(shown).findall(".//rect")
    heights = [int(bar.get("height")) for bar in bars]
    assert heights == [BOTTOM - TOP, round((BOTTOM - TOP) / 4)]
    assert [bar.find("title").text for bar in bars] == ["0 to 2 ms: 4", "2 to 4 ms: 1"]
    assert [bar.get("x") for bar in bars] == ["0.00%", "33.33%"]


def test_a_small_count_stays_visible():
    shown = draw_histogram([1] * 10_000 + [3], [0, 2, 4], "ms", "x")
    assert 'height="2"' in shown


def test_an_interval_lies_where_its_numbers_are():
    shown = draw_intervals({"a<b": Estimate(0, -50, 50), "c": Estimate(60, 0, 100)}, "Elo")
    first = ET.fromstring(shown).findall("svg")[0]
    line, point = first.findall("line")[-1], first.find("circle")
    assert first.find("title").text == "a<b: 0 Elo, between -50 and 50"
    assert (line.get("x1"), point.get("cx"), line.get("x2")) == ("0.00%", "33.33%", "66.67%")
    assert re.findall(r"<b>(.*?)</b> (\S+) ([^ <]+)</span>", shown) == [
        ("0", "-50", "+50"),
        ("60", "-60", "+40"),
    ]
