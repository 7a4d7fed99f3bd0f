"""The charts of the report, as SVG with the width of its place: intervals and histograms. Pure.

Horizontal lengths are percentages and vertical lengths are pixels, so no text is stretched.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

from tabnet.tournament.stats.intervals import Estimate

TOP, BOTTOM = 18, 128
"""The upper and lower end of the bars of a histogram, in pixels from the top."""


def draw_intervals(estimates: Mapping[str, Estimate], unit: str) -> str:
    """Return a row for each name: the interval with a point, and the numbers."""
    spans = estimates.values()
    marks = choose_ticks(min(span.low for span in spans), max(span.high for span in spans))
    rows = [_draw_interval(name, span, marks, unit) for name, span in estimates.items()]
    axis = "".join(
        f'<text x="{_locate(mark, marks)}" y="14" text-anchor="middle">{mark:g}</text>'
        for mark in marks
    )
    foot = f'<span></span><svg height="20" aria-hidden="true">{axis}</svg><span></span>'
    return f'<div class="plot">{"".join(rows)}{foot}</div>'


def _draw_interval(name: str, span: Estimate, marks: Sequence[float], unit: str) -> str:
    said = f"{span.value:.0f} {unit}, between {span.low:.0f} and {span.high:.0f}"
    grid = "".join(
        f'<line class="grid" x1="{x}" x2="{x}" y1="0" y2="30"/>'
        for x in (_locate(mark, marks) for mark in marks)
    )
    return (
        f'<span class="name">{escape(name)}</span>'
        f'<svg height="30" role="img" aria-label="{escape(name)}: {said}">'
        f"<title>{escape(name)}: {said}</title>{grid}"
        f'<line class="interval" x1="{_locate(span.low, marks)}" x2="{_locate(span.high, marks)}"'
        ' y1="15" y2="15"/>'
        f'<circle class="point" cx="{_locate(span.value, marks)}" cy="15" r="6"/></svg>'
        f'<span class="figure"><b>{span.value:.0f}</b> '
        f"{span.low - span.value:+.0f} {span.high - span.value:+.0f}</span>"
    )


def _locate(value: float, marks: Sequence[float]) -> str:
    return f"{100 * (value - marks[0]) / (marks[-1] - marks[0]):.2f}%"


def draw_histogram(values: Sequence[float], edges: Sequence[float], unit: str, caption: str) -> str:
    """Return a histogram of the values between these edges; the last edge is included."""
    counts = count_bars(values, edges)
    width, most = 100 / len(counts), max(counts)
    bars = "".join(
        f'<rect class="bar" x="{width * place:.2f}%" width="{width * 0.92:.2f}%"'
        f' y="{_compute_top(count, most)}" height="{BOTTOM - _compute_top(count, most)}">'
        f"<title>{low:g} to {high:g} {unit}: {count}</title></rect>"
        for place, (count, (low, high)) in enumerate(zip(counts, pairwise(edges), strict=True))
        if count
    )
    every = ceil(len(counts) / 8)
    labels = "".join(
        f'<text x="{width * place:.2f}%" y="{BOTTOM + 16}" text-anchor="middle">{edge:g}</text>'
        for place, edge in enumerate(edges)
        if place % every == 0
    )
    return (
        f"<figure><figcaption>{escape(caption)}</figcaption>"
        f'<svg height="{BOTTOM + 22}" role="img" aria-label="{escape(caption)}">{bars}'
        f'<line class="grid" x1="0" x2="100%" y1="{BOTTOM}" y2="{BOTTOM}"/>{labels}'
        f'<line class="grid maximum" x1="0" x2="100%" y1="{TOP}" y2="{TOP}"/>'
        f'<text x="0" y="{TOP - 4}">{most}</text>'
        "</svg></figure>"
    )


def _compute_top(count: int, max_count: int) -> int:
    """Return the upper end of a bar; a bar of any count is visible."""
    return BOTTOM - max(2, round((BOTTOM - TOP) * count / max_count))


def count_bars(values: Iterable[float], edges: Sequence[float]) -> list[int]:
    counts = [0] * (len(edges) - 1)
    for value in values:
        counts[bisect_right(edges, value, 1, len(counts)) - 1] += 1
    return counts


def make_growing_edges(values: Sequence[float]) -> list[float]:
    """Return the edges 0, then 1, 2, 5, 10, 20, ... from below the least value, for times."""
    least = min((value for value in values if value > 0), default=1)
    first, last = floor(log10(least)), ceil(log10(max([*values, least * 10])))
    steps = [digit * 10.0**power for power in range(first, last) for digit in (1, 2, 5)]
    return [0, *steps, 10.0**last]


def choose_ticks(low: float, high: float, max_count: int = 6) -> list[float]:
    """Return at least two round integers at equal distances, from below `low` to above `high`."""
    least = max((high - low) / max_count, 1)
    power = 10.0 ** floor(log10(least))
    step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least)
    first, last = floor(low / step), ceil(high / step)
    return [step * number for number in range(first, max(last, first + 1) + 1)]
