"""The text format of metrics, version 0.0.4, which Prometheus and others read. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TypeAlias

from attrs import frozen

from tabnet.server.core.server_counts import Histogram

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Labels: TypeAlias = Mapping[str, str]
Samples: TypeAlias = Iterable[tuple[Labels, float]]


@frozen
class Metric:
    """A metric: its name, its type, a sentence about it, and its values by their labels."""

    name: str
    type: str
    """`counter`, which only grows, or `gauge`."""
    help: str
    samples: Samples

    def format(self) -> Iterator[str]:
        """Yield the lines of the metric."""
        yield from _format_head(self.name, self.type, self.help)
        for labels, value in self.samples:
            yield _format_sample(self.name, labels, value)


@frozen
class HistogramMetric:
    """A histogram of durations in seconds."""

    name: str
    help: str
    histogram: Histogram

    def format(self) -> Iterator[str]:
        """Yield the lines of the metric; each bucket includes all smaller ones."""
        yield from _format_head(self.name, "histogram", self.help)
        *counts, number = accumulate(self.histogram.counts)
        for bound, count in zip(self.histogram.bounds, counts, strict=True):
            yield _format_sample(f"{self.name}_bucket", {"le": _format_number(bound)}, count)
        yield _format_sample(f"{self.name}_bucket", {"le": "+Inf"}, number)
        yield _format_sample(f"{self.name}_sum", {}, self.histogram.total_s)
        yield _format_sample(f"{self.name}_count", {}, number)


def format_metrics(metrics: Iterable[Metric | HistogramMetric]) -> bytes:
    """Return the body of a response."""
    return "".join(f"{line}\n" for metric in metrics for line in metric.format()).encode()


def _format_head(name: str, type: str, help: str) -> Iterator[str]:
    yield f"# HELP {name} {_escape(help)}"
    yield f"# TYPE {name} {type}"


def _format_sample(name: str, labels: Labels, value: float) -> str:
    pairs = ",".join(f'{label}="{_escape_value(text)}"' for label, text in labels.items())
    return f"{name}{f'{{{pairs}}}' if pairs else ''} {_format_number(value)}"


def _format_number(value: float) -> str:
    """Return an integer without a decimal point: exact, and easier to read."""
    return str(int(value)) if value == int(value) else repr(value)


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n")


def _escape_value(text: str) -> str:
    return _escape(text).replace('"', r"\"")
