"""`results.json` and the sheets, and their parts that are equal in every run."""

from __future__ import annotations

import csv
import io
import json
import random
import re

import pytest
from attrs import evolve

from tabnet.tournament.report import results_json as figures
from tabnet.tournament.report.csv_files import format_crosstable_csv, format_games_csv
from tabnet.tournament.report.results_json import format_results
from tabnet.tournament.stats.head_to_head import HeadToHead
from tabnet.tournament.stats.intervals import Estimate
from tabnet.tournament.stats.sprt import Hypotheses, Verdict
from tests.tournament.sample import NAMES, standing_of_three, summary_of, tournament

GAMES = tournament()
STANDS = summary_of(GAMES)


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_every_field_is_described_and_nothing_else_is():
    values = json.loads(format_results(STANDS))
    described = re.findall(r"^    ([a-z_]+) +", figures.__doc__, re.MULTILINE)
    assert list(values) == [name for name in described if name in values] == described


def test_the_results_have_every_game():
    values = json.loads(format_results(STANDS))
    assert values["version"] == 1
    assert values["tournament"] == STANDS.settings
    assert [entrant["name"] for entrant in values["entrants"]] == list(NAMES)
    assert [(row["name"], row["rating"], row["low"], row["high"]) for row in values["table"]] == [
        ("greedy", 100, 50, 160),
        ("random", 0, -50, 60),
        ("broken", -100, -150, -40),
    ]
    assert values["table"][2]["causes"] == {"crash": 2, "normal": 3}
    assert values["table"][2]["faults"] == 2
    assert values["crosstable"]["random"]["broken"] == {"wins": 3, "draws": 0, "losses": 1}
    games = {game["id"]: game for game in values["games"]}
    assert list(games) == sorted(games)
    kept, result = GAMES[5]
    assert games[kept.game] == {
        "id": kept.game,
        "pair": 0,
        "seats": ["broken", "greedy"],
        "round": 0,
        "winners": [1],
        "points": [0, 1],
        "places": [2, 1],
        "cause": "crash",
        "culprit": 0,
        "detail": "exit code 3",
        "removed": [],
        "reason": "leave",
        "moves": result.moves,
        "counts": True,
        "decisions": [20, 20],
        "dice_secret": None,
    }


def test_only_timing_differs_from_run_to_run():
    shuffled = random.Random(3).sample(GAMES, len(GAMES))
    slower = [
        (kept, evolve(result, thinking=tuple(evolve(t, total_ms=900) for t in result.thinking)))
        for kept, result in shuffled
    ]
    again = evolve(summary_of(slower), run={"concurrency": 9})
    rows = tuple(evolve(row, pace=evolve(row.pace, total_ms=4400)) for row in again.table.rows)
    again = evolve(again, table=evolve(again.table, rows=rows))
    one, other = format_results(STANDS), format_results(again)
    assert one != other
    assert one.partition('"timing"')[0] == other.partition('"timing"')[0]
    assert list(json.loads(one))[-1] == "timing"


def test_the_mean_cpu_time_of_a_bot_is_rounded():
    rows = tuple(evolve(row, pace=evolve(row.pace, cpu_ms=10 / 3)) for row in STANDS.table.rows)
    thirds = evolve(STANDS, table=evolve(STANDS.table, rows=rows))
    bots = json.loads(format_results(thirds))["timing"]["bots"]
    decisions = {row.name: row.pace.decisions for row in rows}
    assert all(bots[name]["mean_cpu_ms"] == round(10 / 3 / n, 3) for name, n in decisions.items())


def test_timing_has_the_duration():
    timing = json.loads(format_results(STANDS))["timing"]
    assert (timing["began"], timing["ended"]) == (1_800_000_000, 1_800_000_012)
    assert (timing["seconds"], timing["games_per_second"]) == (12, 1)
    assert timing["settings"] == {"concurrency": 2}
    assert timing["bots"]["broken"] == {"mean_ms": 0.25, "longest_ms": 6, "mean_cpu_ms": None}
    assert timing["bots"]["greedy"]["mean_cpu_ms"] == 0.15
    assert timing["games"][GAMES[2][0].game] == {
        "began": 1_800_000_002,
        "ended": 1_800_000_003,
        "thinking": [[7, 5], [47, 6]],
        "cpu_ms": [None, None],
    }


def test_two_bots_have_a_comparison_and_a_test():
    half = Estimate(10.1234567, -1.0, 21.0)
    duel = HeadToHead(("a", "b"), (0, 0, 1, 2, 0), half, half, 0.987654321, ())
    verdict = Verdict(("a", "b"), Hypotheses(0, 20), (0, 0, 1, 2, 0), 1.5)
    values = json.loads(format_results(evolve(STANDS, duel=duel, verdict=verdict)))
    assert values["duel"] == {
        "names": ["a", "b"],
        "pentanomial": [0, 0, 1, 2, 0],
        "elo": {"value": 10.123457, "low": -1, "high": 21},
        "normalised": {"value": 10.123457, "low": -1, "high": 21},
        "superiority": 0.987654,
    }
    assert values["sprt"] == {
        "names": ["a", "b"],
        "pairs": 3,
        "llr": 1.5,
        "lower": -2.944439,
        "upper": 2.944439,
        "accepted": None,
        "left_out": 0,
    }


def test_results_without_games_have_all_fields():
    table = evolve(STANDS.table, variance_ratio=None)
    values = json.loads(format_results(evolve(STANDS, results=(), timings={}, table=table)))
    assert values["games"] == []
    assert values["variance_ratio"] is None
    assert values["timing"]["seconds"] == 0
    assert values["timing"]["games_per_second"] is None


def test_the_sheet_of_games_has_a_line_for_each():
    lines = read(format_games_csv(STANDS))
    assert [line["game"] for line in lines] == sorted(kept.game for kept, _ in GAMES)
    (line,) = [line for line in lines if line["game"] == GAMES[5][0].game]
    assert (line["bot_1"], line["bot_2"], line["winner"]) == ("broken", "greedy", "greedy")
    assert (line["cause"], line["culprit"], line["detail"]) == ("crash", "broken", "exit code 3")
    assert (line["decisions_2"], line["total_ms_2"], line["longest_ms_2"]) == ("20", "47", "6")
    assert float(line["ended"]) - float(line["began"]) == 1
    assert format_games_csv(evolve(STANDS, results=())).startswith(
        "game,round,pair,bot_1,bot_2,winner"
    )


def test_a_sheet_may_contain_any_text():
    result = GAMES[0][1]
    nasty = 'a "quoted", and\nbroken line'
    only = evolve(STANDS, results=(evolve(result, detail=nasty, winners=()),))
    (line,) = read(format_games_csv(only))
    assert (line["detail"], line["winner"], line["culprit"]) == (nasty, "", "")


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d"])
def test_no_text_in_a_sheet_is_a_formula(first):
    nasty = f"{first}cmd|' /C calc'!A0\r=1+1"
    names = {name: f"{first}{name}" for name in NAMES}
    results = [
        evolve(
            result,
            game=evolve(result.game, seats=tuple(names[name] for name in result.game.seats)),
            detail=nasty,
            moves=-1,
        )
        for result in STANDS.results
    ]
    for line in read(format_games_csv(evolve(STANDS, results=tuple(results)))):
        assert line["detail"] == f"'{nasty}".replace("\r", "\n")
        assert line["bot_1"] in [f"'{name}".replace("\r", "\n") for name in names.values()]
        assert line["moves"] == "-1"
    rows = tuple(evolve(row, name=names[row.name]) for row in STANDS.table.rows)
    met = {(names[one], names[other]): met for (one, other), met in STANDS.crosstable.items()}
    renamed = evolve(STANDS, table=evolve(STANDS.table, rows=rows), crosstable=met)
    head, *lines = csv.reader(io.StringIO(format_crosstable_csv(renamed)))
    cells = [f"'{row.name}".replace("\r", "\n") for row in rows]
    assert head[4:] == [line[0] for line in lines] == cells
    assert lines[2][1] == "-100"


def test_the_sheet_of_the_crosstable_has_shares():
    lines = read(format_crosstable_csv(STANDS))
    assert [(line["bot"], line["rating"], line["games"], line["score"]) for line in lines] == [
        ("greedy", "100", "8", "4.0"),
        ("random", "0", "8", "5.0"),
        ("broken", "-100", "8", "3.0"),
    ]
    assert [[line[name] for name in NAMES] for line in lines] == [
        ["", "0.5", "0.5"],
        ["0.5", "", "0.75"],
        ["0.5", "0.25", ""],
    ]
    fewer = summary_of([game for game in GAMES if game[0].players != ("greedy", "random")][3:])
    assert read(format_crosstable_csv(evolve(fewer, table=STANDS.table)))[0]["random"] == ""


def test_results_of_three_have_places_and_removed_players():
    values = json.loads(format_results(standing_of_three()))
    assert values["tournament"]["seats"] == 3
    first = values["table"][0]
    assert (first["name"], first["score"], first["place"]) == ("greedy", 6.75, 1.875)
    assert first["places"] == [[0, 3, 1], [2, 1, 1], [2, 2, 0]]
    assert first["seats"][1] == {"wins": 2, "draws": 0, "losses": 2}
    (game,) = [game for game in values["games"] if game["id"] == "0000000000001ef4"]
    assert (game["seats"], game["places"]) == (["greedy", "broken", "random"], [2, 3, 1])
    assert game["removed"] == [{"seat": 1, "cause": "crash", "detail": "exit code 3"}]
    assert (game["cause"], game["culprit"]) == ("normal", None)


def test_csv_files_of_three_have_places_and_removed_players():
    lines = {line["game"]: line for line in read(format_games_csv(standing_of_three()))}
    line = lines["0000000000001ef4"]
    assert [line[f"place_{seat}"] for seat in (1, 2, 3)] == ["2", "3", "1"]
    assert (line["bot_3"], line["winner"], line["removed"]) == ("random", "random", "broken: crash")
    (first, *_) = read(format_crosstable_csv(standing_of_three()))
    assert (first["bot"], first["place"], first["broken"]) == ("greedy", "1.875", "0.625")
    assert "place" not in read(format_crosstable_csv(STANDS))[0]
    assert "removed" not in format_games_csv(STANDS)
