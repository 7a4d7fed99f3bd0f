"""The reports in a tournament folder, and the page in a real browser."""

from __future__ import annotations

import csv
import json
import random
import re

import pytest
from attrs import evolve

from tabnet.cli import main
from tabnet.errors import StartError
from tabnet.tournament.records import replay_record as record
from tabnet.tournament.report.html_report import render_page
from tabnet.tournament.report.replay_data import SharedLists, make_replay
from tabnet.tournament.report.report_files import read_page_files, write_report
from tests.browser import browsing
from tests.tournament.sample import (
    NAMES,
    played,
    result_of,
    summary_of,
    tournament,
    tournament_of_three,
    written,
)

GAMES = tournament()
MADE = ["crosstable.csv", "games.csv", "report.html", "results.json"]


def test_the_command_makes_all_reports_from_the_folder(tmp_path, capsys):
    folder = written(tmp_path / "t", GAMES)
    assert main(["report", str(folder)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Tab, size 7: 3 bots, 12 games\n\n#  bot ")
    assert said.endswith(f"\n\nThe report is {folder / 'report.html'}\n")
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [*MADE, "games", "journal.jsonl"]
    )
    values = json.loads((folder / "results.json").read_text())
    assert {row["name"]: row["score"] for row in values["table"]} == {
        "random": 5,
        "greedy": 4,
        "broken": 3,
    }
    with (folder / "games.csv").open(newline="") as sheet:
        assert len(list(csv.DictReader(sheet))) == 12
    before = [(folder / name).read_bytes() for name in MADE]
    assert main(["report", str(folder)]) == 0
    assert [(folder / name).read_bytes() for name in MADE] == before


def test_the_order_in_which_games_end_changes_nothing_but_timing(tmp_path):
    shuffled = random.Random(5).sample(GAMES, len(GAMES))
    results = []
    for name, games, concurrency in (("one", GAMES, 1), ("other", shuffled, 8)):
        folder = written(tmp_path / name, games, concurrency=concurrency)
        write_report(folder)
        results.append((folder / "results.json").read_text())
    one, other = results
    assert one != other
    assert one.partition('"timing"')[0] == other.partition('"timing"')[0]
    assert json.loads(other)["timing"]["settings"] == {"concurrency": 8}


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_tournament_that_has_hardly_begun_has_a_report(tmp_path, count):
    folder = written(tmp_path / "t", GAMES[:count])
    assert len(write_report(folder).results) == count
    text = (folder / "report.html").read_text()
    assert ("No game has been played." in text) == (count == 0)


def test_a_bot_without_decisions_has_no_thinking_time(tmp_path):
    kept, result = GAMES[0]
    idle = evolve(result.thinking[1], decisions=0)
    result = evolve(result, thinking=(result.thinking[0], idle))
    write_report(written(tmp_path / "t", [(kept, result)]))
    text = (tmp_path / "t" / "report.html").read_text()
    assert "greedy: milliseconds a decision" in text
    assert "random: milliseconds a decision" not in text


def test_the_row_of_a_faulty_bot_links_to_the_log_of_its_first_fault(tmp_path):
    kept, result = GAMES[0]
    result = evolve(result, cause="crash", culprit=1, detail="mine.py:3: x<y: IndexError")
    write_report(written(tmp_path / "t", [(kept, result)]))
    text = (tmp_path / "t" / "report.html").read_text()
    log = f"logs/{result.game.id}.log"
    assert f'mine.py:3: x&lt;y: IndexError (<a href="{log}">log</a>)' in text
    assert ">first fault</th>" in text


def test_two_bots_have_a_duel_and_a_test_has_a_verdict(tmp_path):
    only = [game for game in GAMES if "broken" not in game[0].players]
    folder = written(tmp_path / "t", only, sprt={"elo0": 0, "elo1": 50})
    (folder / "journal.jsonl").write_bytes(
        b"".join(
            line
            for line in (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
            if b'"entrant":{"name":"broken"' not in line
        )
    )
    summary = write_report(folder)
    values = json.loads((folder / "results.json").read_text())
    assert values["duel"]["names"] == ["greedy", "random"]
    assert sum(values["duel"]["pentanomial"]) == 2
    assert values["sprt"]["pairs"] == summary.verdict.pairs


def test_replays_are_limited_by_their_size(tmp_path):
    folder = written(tmp_path / "t", GAMES)
    write_report(folder, 0.01)
    text = (folder / "report.html").read_text()
    shown = re.search(
        r'id="replay-note">(\d+) of 12 games can be replayed here, those with faults', text
    )
    assert 2 < int(shown[1]) < 12
    assert '"cause":"crash"' in text
    assert main(["report", str(folder), "--replays", "0"]) == 0
    assert '"games":[]' in (folder / "report.html").read_text()


def test_games_that_were_not_kept_are_listed_without_a_replay(tmp_path):
    folder = written(tmp_path / "t", GAMES)
    (folder / "games" / f"{GAMES[0][0].game}.json").unlink()
    write_report(folder)
    assert "what was played in this game was not kept" in (folder / "report.html").read_text()


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (
            lambda folder: (folder / "journal.jsonl").unlink(),
            "cannot read .*journal.jsonl: No such",
        ),
        (lambda folder: (folder / "journal.jsonl").write_text("{}\n"), "has no settings"),
        (lambda folder: (folder / ".games.csv.new").mkdir(), ".games.csv.new: Is a directory"),
    ],
)
def test_a_folder_that_cannot_be_used_is_an_error_in_one_line(tmp_path, capsys, break_it, said):
    folder = written(tmp_path / "t", GAMES[:1])
    break_it(folder)
    with pytest.raises(StartError, match=said):
        write_report(folder)
    assert main(["report", str(folder)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_replay_limit_is_a_number_of_megabytes(capsys):
    for bad in ("-1", "1000", "many"):
        with pytest.raises(SystemExit):
            main(["report", "x", "--replays", bad])
    assert "from 0 to 1000 megabytes" in capsys.readouterr().err


# The page


def quote(games, **settings):
    """The page of these games."""
    summary = summary_of(games, **settings)
    shared = SharedLists()
    replays = [
        make_replay(result, record.encode_record(kept), summary.names, shared)
        for kept, result in games
    ]
    return render_page(summary, replays, shared, read_page_files())


def test_the_page_loads_no_other_file():
    text = quote(GAMES)
    assert "default-src 'none'" in text
    addresses = set(re.findall(r"https?://[^\"' )]*", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # a name, not a place
    assert not re.search(
        r"<transport|<script src|@import|^\s*import\b|url\((?!\"(?:data:|\$))", text
    )


def test_names_and_output_of_bots_are_plain_text():
    nasty = "</script><script>document.title='owned'</script>"
    games = [(kept, evolve(result, detail=nasty)) for kept, result in GAMES]
    text = quote(games, seed=nasty)
    assert text.count("<script>") == 1
    assert "&lt;/script&gt;" in text


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def opened(browser, tmp_path, request):
    """The page of one kind of game in the browser, with its first game."""
    kind = getattr(request, "param", "tab")
    options = {"size": 7} if kind == "tab" else {}
    path = tmp_path / "report.html"
    path.write_text(quote(tournament(kind), kind=kind, options=options))
    browser.resize(1200, 900)
    browser.open(path)
    return browser


def said(browser):
    return browser.ask("document.getElementById('step-text').textContent")


@pytest.mark.parametrize("opened", ["tab", "draughts"], indirect=True)
def test_a_replay_is_stepped_with_the_arrow_keys(opened, request):
    kind = request.node.callspec.params["opened"]
    kept = tournament(kind)[0][0]
    pieces = "document.querySelectorAll('#board .piece').length"
    assert said(opened) == f"The beginning, before the first of {len(kept.actions)} steps."
    opened.press("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight", "ArrowRight")
    assert said(opened).startswith(f"3 of {len(kept.actions)}: ")
    before = opened.ask(pieces)
    opened.ask("document.getElementById('last').click()")
    assert said(opened).startswith(f"{len(kept.actions)} of {len(kept.actions)}: ")
    assert " won, " in said(opened)
    assert opened.ask(pieces) < before
    opened.press("ArrowRight")
    assert said(opened).startswith(f"{len(kept.actions)} of ")
    assert opened.said == []


def test_sticks_are_drawn_with_their_sides(opened):
    """The first throw of the first game."""
    throw = int(GAMES[0][0].actions[0].removeprefix("="))
    opened.press("ArrowRight")
    opened.ask("throwCanvas.showThrow = (...shown) => { window.shown = shown; }")
    opened.press("ArrowLeft", "ArrowRight")
    sides = [bool(throw >> stick & 1) for stick in range(4)]
    assert opened.ask("shown") == ["sticks", sides]
    value = {0: 6, 1: 1, 2: 2, 3: 3, 4: 4}[throw.bit_count()]
    assert f"threw {value} (" in said(opened)


def test_every_board_in_the_browser_is_the_board_of_the_rules(opened):
    kept = GAMES[0][0]
    views = [step.state.view() for step in record.replay_actions(kept)]
    assert opened.ask("positions.slice(1).map(({ pieces, dice }) => [pieces, dice])") == [
        [view["pieces"], view["dice"]] for view in views
    ]


def test_games_are_found_by_bot_and_cause_and_by_their_address(opened, tmp_path):
    count = "document.querySelectorAll('#games button').length"
    assert opened.ask(count) == 12
    opened.ask("byId('cause-filter').value = 'crash'; byId('cause-filter').onchange()")
    assert opened.ask(count) == 2
    who = "document.getElementById('game-title').textContent"
    assert "crash of broken (exit code 3)" in opened.ask(who)
    first = opened.ask(who)
    opened.ask("document.querySelector('#games button').focus()")
    opened.press("ArrowDown")
    assert opened.ask(who) != first
    other = GAMES[7][0]
    opened.open(tmp_path / "report.html", f"#{other.game}")
    assert opened.ask("currentGame.id") == other.game
    opened.ask(f"location.hash = '#{GAMES[4][0].game}'; 0")
    opened.wait(f"currentGame.id === '{GAMES[4][0].game}'")


def test_the_page_of_three_shows_places_and_captures(browser, tmp_path):
    games = tournament_of_three()
    folder = written(tmp_path / "t", games, kind="fish", options={}, seats=3)
    write_report(folder)
    browser.resize(1200, 900)
    browser.open(folder / "report.html", "#0000000000001ef4")
    who = "document.getElementById('game-title').textContent"
    assert browser.ask(who) == (
        "greedy (red) – broken (white) – random (brown): "
        "random won, 2. greedy, 3. broken (crash), no moves"
    )
    kept = next(kept for kept, result in games if result.game.id == "0000000000001ef4")
    states = [
        record.make_first_position(kept),
        *(step.state for step in record.replay_actions(kept)),
    ]
    penguins = "document.querySelectorAll('#board .penguin').length"
    tiles = "document.querySelectorAll('#board .tile').length"
    for at, state in enumerate(states):
        summary = sum(len(state.penguins_of(seat)) for seat in range(3))
        assert (browser.ask(penguins), browser.ask(tiles)) == (
            summary,
            sum(map(bool, state.board)),
        )
        if at and kept.actions[at - 1] == "!1":
            assert said(browser) == f"{at} of {len(kept.actions)}: white (broken) is out"
        elif at and (fish := sum(state.scores) - sum(states[at - 1].scores)):
            assert f", {fish} fish" in said(browser)
        browser.press("ArrowRight")
    browser.ask("byId('cause-filter').value = 'crash'; byId('cause-filter').onchange()")
    assert browser.ask("document.querySelectorAll('#games button').length") == 3
    table = "document.querySelector('#table').textContent"
    assert "In each seat: how often it came first" in browser.ask(table)
    assert browser.said == []


def test_a_game_of_plakoto_is_drawn_with_its_dice(browser, tmp_path):
    kept = played("5", "plakoto", ("greedy", "random"))
    games = [(kept, result_of(kept, 0, None))]
    write_report(written(tmp_path / "t", games, kind="plakoto", options={}))
    browser.resize(1200, 900)
    browser.open(tmp_path / "t" / "report.html")
    discs = "document.querySelectorAll('#board .point .piece').length"
    thrown = "document.getElementById('throw-text').textContent"
    is_pale = "document.getElementById('throws').className === 'played'"
    for number, step in enumerate(record.replay_actions(kept), 1):
        browser.press("ArrowRight")
        points = filter(None, step.state.view()["points"])
        drawn = sum(min(point["count"], 5) + point["pinned"] for point in points)
        assert browser.ask(discs) == drawn
        assert browser.ask(is_pale) != step.action.startswith("=")
        if step.action.startswith("="):
            high, low = sorted(step.action[1:].split("+"), reverse=True)
            text = f"4 × {high}" if high == low else f"{high} and {low}"
            assert browser.ask(thrown) == text
            assert f"threw {text}" in said(browser)
        if number == 60:
            break
    assert browser.said == []


@pytest.mark.parametrize(
    ("width", "dark"), [(1200, False), (1200, True), (390, False), (390, True)]
)
def test_the_page_fits_phone_and_desktop_in_light_and_dark(opened, width, dark):
    opened.resize(width, 900, dark=dark)
    assert opened.ask("document.documentElement.scrollWidth") == width
    ground = opened.ask("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(22, 24, 27)" if dark else "rgb(251, 250, 248)")
    assert {address.partition(":")[0] for address in opened.asked} <= {"file", "about", "data"}
    assert opened.said == []


def test_names_of_bots_in_the_table_are_in_the_order_of_the_ratings(opened):
    names = "[...document.querySelectorAll('#table tbody th')].map(cell => cell.textContent)"
    assert opened.ask(names) == list(NAMES)
