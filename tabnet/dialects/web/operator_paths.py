"""The paths for operators: `/health` for supervisors and proxies, `/metrics` for monitoring."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from http import HTTPStatus

import orjson

from tabnet.dialects.web.metrics_text import (
    CONTENT_TYPE,
    HistogramMetric,
    Metric,
    Samples,
    format_metrics,
)
from tabnet.dialects.web.request_checks import RequestCheck
from tabnet.dialects.web.responses import (
    FRESH,
    Response,
    make_error_response,
    make_json_response,
)
from tabnet.dialects.web.routes import HEALTH, METRICS, ShowHealth, ShowMetrics
from tabnet.games import GAMES
from tabnet.server.core.costs.client_origin import is_loopback
from tabnet.server.net.hub import Hub


class MetricsPort(Enum):
    """The role of a port for `/metrics`."""

    SHARED = "shared"
    """The port also has metrics, for clients on this machine."""
    OTHER = "other"
    """Another port has the metrics."""
    OWN = "own"
    """The port has metrics and health, and nothing else."""


def make_operator_response(
    hub: Hub, port: MetricsPort, shown: ShowHealth | ShowMetrics, check: RequestCheck, address: str
) -> Response:
    """Return the response to a request for health or metrics from a client with that address."""
    if isinstance(shown, ShowHealth):
        return make_health_response(hub)
    refusal = refuse_metrics(port, check, is_local=is_loopback(address))
    return refusal or make_metrics_response(hub)


def refuse_path(port: MetricsPort, path: str) -> Response | None:
    """Return the refusal of a path that this port does not have, or None."""
    if port is MetricsPort.OWN and path not in (HEALTH, METRICS):
        text = f"this port has only {METRICS} and {HEALTH}"
    elif port is MetricsPort.OTHER and path == METRICS:
        text = f"{METRICS} has a port of its own on this server"
    else:
        return None
    return make_error_response(HTTPStatus.NOT_FOUND, text)


def refuse_metrics(port: MetricsPort, check: RequestCheck, *, is_local: bool) -> Response | None:
    """Return the refusal of a request for metrics, or None. A proxy sends for anybody."""
    if check.is_forwarded:
        text = f"{METRICS} is not for proxies: ask the server itself"
    elif port is MetricsPort.SHARED and not is_local:
        text = f"{METRICS} is for the server's own machine; --metrics-port opens a port for others"
    else:
        return None
    return make_error_response(HTTPStatus.FORBIDDEN, text)


def make_health_response(hub: Hub) -> Response:
    """Return 200 if games can begin and be stored, else 503."""
    ready, database = not hub.service.stopping, hub.check_database()
    is_healthy = ready and database is not False
    status = HTTPStatus.OK if is_healthy else HTTPStatus.SERVICE_UNAVAILABLE
    return make_json_response(status, orjson.dumps({"ready": ready, "database": database}))


def make_metrics_response(hub: Hub) -> Response:
    """Return all metrics of the server."""
    body = format_metrics(list_metrics(hub))
    return Response(HTTPStatus.OK, (("Content-Type", CONTENT_TYPE), *FRESH), body)


def list_metrics(hub: Hub) -> Iterator[Metric | HistogramMetric]:
    """Yield the metrics. No label has a nick, a game or an address."""
    counts, service = hub.counts, hub.service
    cpu: Samples = [({}, time.process_time())]
    yield Metric("process_cpu_seconds_total", "counter", "CPU time of the server.", cpu)
    now: Samples = [({}, len(hub.outbox.connections))]
    yield Metric("tabnet_connections", "gauge", "Open connections.", now)
    opened: Samples = [({}, counts.connections)]
    yield Metric("tabnet_connections_total", "counter", "Connections since the start.", opened)
    yield Metric(
        "tabnet_commands_total",
        "counter",
        "Commands with a reply, by name and result: ok, or the code of the refusal.",
        _list_commands(hub),
    )
    playing = Counter(match.terms.kind for match in service.games.playing.values())
    yield Metric("tabnet_matches", "gauge", "Running matches.", _sample_kinds(playing))
    yield Metric(
        "tabnet_matches_begun_total",
        "counter",
        "Matches that have begun since the start.",
        _sample_kinds(counts.begun_matches),
    )
    ended: Samples = [({"reason": reason}, n) for reason, n in counts.ended_matches.items()]
    yield Metric("tabnet_matches_ended_total", "counter", "Matches that have ended.", ended)
    waiting = Counter(table.terms.kind for table in service.games.lobby.tables.values())
    yield Metric("tabnet_waits", "gauge", "Games that wait for players.", _sample_kinds(waiting))
    set_aside: Samples = [({}, len(service.games.set_aside_matches))]
    yield Metric(
        "tabnet_matches_set_aside", "gauge", "Stored matches that cannot be replayed.", set_aside
    )
    yield from _list_house_bots(hub)
    text = "Time from the beginning to the end of a commit."
    yield HistogramMetric("tabnet_commit_seconds", text, hub.commit_times)
    text = "Time by which a timer of the event loop was late."
    yield HistogramMetric("tabnet_loop_lag_seconds", text, counts.loop_lag)


def _list_commands(hub: Hub) -> Samples:
    for cmd, number in hub.counts.accepted.items():
        yield {"command": str(cmd), "result": "ok"}, number
    for (cmd, code), number in hub.counts.refused.items():
        yield {"command": cmd, "result": code}, number


def _sample_kinds(numbers: dict[str, int]) -> Samples:
    """Return a sample for each kind of game, also with 0."""
    return [({"kind": kind}, numbers.get(kind, 0)) for kind in GAMES]


def _list_house_bots(hub: Hub) -> Iterator[Metric]:
    bots, games = hub.service.opponents, hub.service.games
    places: Samples = [({"bot": bot}, len(nicks)) for bot, nicks in bots.bots.items()]
    yield Metric("tabnet_house_bot_places", "gauge", "Games that a bot can play.", places)
    playing: Samples = [
        ({"bot": bot}, sum(bool(games.list_games_of(nick)) for nick in nicks))
        for bot, nicks in bots.bots.items()
    ]
    yield Metric("tabnet_house_bot_games", "gauge", "Games that a bot plays.", playing)
    ready: Samples = [
        ({"bot": bot}, sum(bots.is_waiting(nick) for nick in nicks))
        for bot, nicks in bots.bots.items()
    ]
    lost: Samples = [({"bot": bot}, hub.counts.lost_bot_processes[bot]) for bot in bots.bots]
    text = "Processes of a bot that have ended and were replaced."
    yield Metric("tabnet_house_bot_processes_lost_total", "counter", text, lost)
    yield Metric("tabnet_house_bot_ready", "gauge", "Processes that wait for a game.", ready)
