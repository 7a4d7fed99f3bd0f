"""The text format of metrics."""

from __future__ import annotations

from tabnet.dialects.web.metrics_text import HistogramMetric, Metric, format_metrics
from tabnet.server.core.server_counts import Histogram


def test_a_metric_has_a_line_for_each_sample() -> None:
    samples = [({"command": "join", "result": "ok"}, 3), ({}, 0.25)]
    metric = Metric("tabnet_x_total", "counter", "Commands.", samples)
    assert format_metrics([metric]) == (
        b"# HELP tabnet_x_total Commands.\n"
        b"# TYPE tabnet_x_total counter\n"
        b'tabnet_x_total{command="join",result="ok"} 3\n'
        b"tabnet_x_total 0.25\n"
    )


def test_quotes_backslashes_and_newlines_are_escaped() -> None:
    metric = Metric("x", "gauge", 'a "b" \\ c\nd', [({"bot": 'a "b" \\ c\nd'}, 1)])
    assert format_metrics([metric]) == (
        b'# HELP x a "b" \\\\ c\\nd\n# TYPE x gauge\nx{bot="a \\"b\\" \\\\ c\\nd"} 1\n'
    )


def test_each_bucket_of_a_histogram_includes_the_smaller_ones() -> None:
    histogram = Histogram(bounds=(0.5, 1.0))
    for seconds in (0.25, 0.5, 0.75, 8.0):
        histogram.add(seconds)
    assert format_metrics([HistogramMetric("x_seconds", "Times.", histogram)]) == (
        b"# HELP x_seconds Times.\n"
        b"# TYPE x_seconds histogram\n"
        b'x_seconds_bucket{le="0.5"} 2\n'
        b'x_seconds_bucket{le="1"} 3\n'
        b'x_seconds_bucket{le="+Inf"} 4\n'
        b"x_seconds_sum 9.5\n"
        b"x_seconds_count 4\n"
    )
