"""`tabnet bench server`: that it measures, not what it measures."""

from __future__ import annotations

import itertools
import random
import re
import socket

import pytest

from tabnet.bench import server as bench_server
from tabnet.bench import tournament as bench_tournament
from tabnet.bench.recorded_game import BLUE, RED, record_random_game
from tabnet.bench.tournament import Cost
from tabnet.cli import main
from tabnet.errors import StartError
from tabnet.protocol.messages import FEEDS, TURNS, UPDATES
from tests.cli.processes import serving


def test_the_load_test_compares_all_servers(capsys, monkeypatch):
    monkeypatch.setattr(bench_server, "ROUNDS", 1)
    options = ["--tls", "--games", "2", "--seconds", "0.2", "--idle", "20"]
    assert main(["bench", "server", *options]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    head, *servers, first, second, idle = lines
    assert head[:3] == ["port", "games", "server"]
    assert {tuple(line[:2]) for line in (*servers, first, second)} == {("tls", "2")}
    speeds = {name: float(speed) for _, _, name, speed, *_ in servers}
    cpu_times = {line[2]: float(line[7]) for line in servers}
    assert list(speeds) == ["bare", "memory", "store"]
    assert min(float(value) for line in servers for value in line[3:]) > 0
    for _, _, ratio, value, _, cpu in (first, second):
        name, yardstick = ratio.split("/")
        assert float(value) == pytest.approx(speeds[name] / speeds[yardstick], abs=0.01)
        assert float(cpu) == pytest.approx(cpu_times[name] / cpu_times[yardstick], rel=0.01)
    assert idle[2] == "KiB"
    assert idle[-3:] == ["20", "idle", "connections"]


def test_the_load_test_measures_http_and_tcp(capsys, monkeypatch):
    monkeypatch.setattr("tabnet.bench.http.ROUNDS", 1)
    assert main(["bench", "http", "--games", "2", "--seconds", "0.2", "--idle", "20"]) == 0
    head, tcp, web, ratios, idle = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in (head, tcp, web)] == [
        ["port", "games", "server"],
        ["tcp", "2", "tabnet"],
        ["http", "2", "tabnet"],
    ]
    speeds = [float(line.split()[3]) for line in (tcp, web)]
    ratio = re.fullmatch(r"http/tcp +2  commands/s ([\d.]+), p99 ([\d.]+)", ratios)[1]
    assert float(ratio) == pytest.approx(speeds[1] / speeds[0], abs=0.01)
    assert re.fullmatch(r"http  -?[\d.]+ KiB for each of 20 idle streams", idle)


@pytest.mark.parametrize("feed", FEEDS)
def test_a_recorded_game_is_complete(feed):
    steps = record_random_game(random.Random(1), feed)
    (both, first), *_, (to, last) = [frame for step in steps for frame in step.frames]
    assert both == to == (0, 1)
    assert first["players"] == {BLUE: "Blue", RED: "Red"}
    assert ["winner" in first, "winner" in last] == [False, True]
    assert last["seq"] == len(steps)
    assert all(step.moves["actions"] for step in steps[:-1])


def test_a_recorded_game_by_turns_has_a_turn_for_each_action():
    updates, turns = (record_random_game(random.Random(1), feed) for feed in (UPDATES, TURNS))
    for update, turn in zip(updates[:-1], turns[:-1], strict=True):
        seat = list(updates[0].frames[0][1]["players"]).index(update.frames[0][1]["turn"])
        to, frame = turn.frames[-1]
        assert (to, frame["type"], frame["seq"]) == ((seat,), "turn", update.frames[0][1]["seq"])
        assert {move["cmd"] for move in frame["moves"]} == set(turn.moves["actions"])


def test_a_server_that_does_not_start_is_reported(tmp_path):
    command = ["true"]
    with (
        pytest.raises(RuntimeError, match="did not start"),
        bench_server.run_server("nothing", str(tmp_path), command),
    ):
        raise AssertionError("it started")


def test_the_load_client_reports_refusals(tmp_path):
    with serving(tmp_path) as process, socket.socket():
        server = bench_server.ServerProcess("tabnet", process.process, {"tcp": process.tcp_port})
        for feed in FEEDS:
            result = bench_server.measure_load(server, "tcp", 1, 0.2, feed)
            assert result["errors"] == []
            assert result["actions_per_s"] > 0
        assert bench_server.measure_idle_memory(server, "tcp", 5) >= 0


def test_the_benchmark_needs_linux(monkeypatch, capsys):
    monkeypatch.setattr("tabnet.cli.bench.Path.exists", lambda _: False)
    assert main(["bench", "server"]) == 1
    assert re.match("tabnet: tabnet bench needs Linux", capsys.readouterr().err)


def test_the_tournament_measurement_excludes_the_start(monkeypatch, capsys):
    costs = {10: Cost(6000, 2.0, 1.5, 0.5), 170: Cost(46000, 6.0, 6.5, 2.5)}
    floors = itertools.cycle([Cost(36000, 1.0, cpu_s, 0.8) for cpu_s in (1.0, 9.0, 0.1)])
    monkeypatch.setattr(bench_tournament, "measure_floor", lambda *_: next(floors))
    monkeypatch.setattr(bench_tournament, "measure_tournament", lambda *given: costs[given[2]])
    assert main(["bench", "tournament"]) == 0
    head, *lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert head[:3] == ["kind", "bots", "decisions/s"]
    assert [line[:2] for line in lines] == [
        [kind, name] for kind in ("draughts", "tab") for name in ("floor", "random", "scripted")
    ]
    floor, measured = lines[:2]
    assert floor[2:] == ["36000", "1.00", "50.0", "1.00", "27.8", "22.2"]
    assert measured[2:] == ["10000", "0.28", "175.0", "3.50", "125.0", "50.0"]
    costs[170] = Cost(46000, 1.9, 6.5, 2.5)
    assert main(["bench", "tournament"]) == 1
    assert "160 pairs take no longer than starting does" in capsys.readouterr().err


@pytest.mark.parametrize("bot", bench_tournament.BOTS.values(), ids=bench_tournament.BOTS)
def test_the_resources_of_a_tournament_are_counted(bot):
    cost = bench_tournament.measure_tournament("draughts", bot, 1, 2)
    assert cost.decisions > 2 * 20
    assert min(cost.elapsed, cost.referee, cost.bots) > 0


def test_the_floor_exchanges_lines_as_long_as_those_of_a_game():
    lines, answer = bench_tournament.lines_of_game("tab")
    assert min(lines) > answer > len('{"cmd":"notify"}')
    floor = bench_tournament.measure_floor(lines, answer, 0.1)
    assert floor.decisions > 0
    assert min(floor.elapsed, floor.referee + floor.bots) > 0


def test_a_bot_that_does_not_play_is_reported():
    with pytest.raises(StartError, match="cmd:false has played no game: exit code 1"):
        bench_tournament.measure_tournament("draughts", "cmd:false", 1, 2)
