"""Boards: the page and a report draw a position in the same way, each from the file of its kind."""

from __future__ import annotations

import json

import pytest

from tabnet.games import GAMES
from tabnet.tournament.records.replay_record import make_first_position, replay_actions
from tabnet.tournament.report.report_files import write_report
from tests.tournament.sample import played, result_of, tournament_of_three, written
from tests.web.test_access import AXE, COMPLAINTS

pytestmark = pytest.mark.slow

LOOK = """const look = (board) => [...board.querySelectorAll("[data-key]")].map((cell) => {
  const seen = (part) => {
    const { backgroundColor, backgroundImage, color, maskImage } = getComputedStyle(part);
    const ink = part.matches(".piece") ? color : ""; // elsewhere there is no text
    return [part.className, backgroundColor, backgroundImage, ink, maskImage];
  };
  const parts = [...cell.children].filter((part) => !part.matches(".label"));
  return [cell.dataset.key, cell.getAttribute("aria-label"), seen(cell),
    parts.map((part) => [...seen(part), part.textContent, part.children.length])];
})"""
ON_THE_PAGE = """(async (kind, updates) => {
  const { InteractiveBoard } = await import("./interactive_board.js");
  const { KINDS } = await import("./kinds.js");
  const board = document.getElementById("board");
  const grid = new InteractiveBoard(board, () => {});
  %s;
  return updates.map((update) => {
    const lastMove = update.event?.type === "move" ? KINDS[kind].listCells(update.event) : [];
    const rows = KINDS[kind].createRows(update, 0);
    grid.draw(kind, rows, (key) => ({ lastMove: lastMove.includes(key) }));
    return look(board);
  });
})(%s, %s)"""
IN_THE_REPORT = """(() => {
  %s;
  return [...Array(%d).keys()].map((step) => {
    showStep(step);
    return look(document.getElementById("board"));
  });
})()"""
DECLARED = """import("./kinds.js").then(({ KINDS }) => Object.entries(KINDS).map(
  ([kind, { getText, colors, throws, deal, rankedBy = null, maxSeats = 2, clock }]) =>
    [kind, getText("title"), colors, Boolean(throws), Boolean(deal), rankedBy, maxSeats, clock]
))"""
POSITIONS = 60


def game_of(kind):
    """Return a record and its result."""
    if kind == "fish":
        return tournament_of_three()[1]
    record = played("5", kind, ("greedy", "random"))
    return record, result_of(record, 0, None)


def updates_of(record):
    """Return what the protocol's updates say of a game's positions."""
    rest = {"kind": record.kind, "options": record.options}
    views = [{**make_first_position(record).view(), "event": {"type": "start"}, **rest}]
    views += [{**step.state.view(), "event": step.event, **rest} for step in replay_actions(record)]
    return views[:POSITIONS]


@pytest.mark.parametrize("kind", list(GAMES))
def test_the_page_and_a_report_draw_a_position_in_the_same_way(person, browser, tmp_path, kind):
    record, result = game_of(kind)
    updates = updates_of(record)
    someone = person()
    page = someone.page.ask(ON_THE_PAGE % (LOOK, json.dumps(kind), json.dumps(updates)))
    folder = written(tmp_path / "t", [(record, result)], kind=kind, options=record.options)
    write_report(folder)
    reader = browser.page()
    reader.resize(1200, 900, still=True)
    reader.open(folder / "report.html")
    assert reader.ask(IN_THE_REPORT % (LOOK, len(updates))) == page
    assert len({json.dumps(drawn) for drawn in page}) > len(page) / 3
    assert reader.said == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not there: .ci/run fetches it")
@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("kind", list(GAMES))
def test_axe_finds_nothing_serious_in_a_replay(browser, tmp_path, kind, is_dark):
    record, result = game_of(kind)
    folder = written(tmp_path / "t", [(record, result)], kind=kind, options=record.options)
    write_report(folder)
    reader = browser.page()
    reader.resize(1200, 900, dark=is_dark, still=True)
    reader.open(folder / "report.html")
    reader.press("ArrowRight", "ArrowRight", "ArrowRight")
    reader.tell("Runtime.evaluate", expression=AXE.read_text())
    assert reader.ask(COMPLAINTS.replace("axe.run(", "axe.run('#replay', ")) == []


MOVES = """(async (kind, moves) => {
    const { formatMove } = await import("./match.js");
    const { KINDS } = await import("./kinds.js");
    return moves.map((move) => formatMove(KINDS[kind], move));
})(%s, %s)"""


def test_the_page_names_places_as_the_terminal_does(person):
    someone = person()
    for kind, game in GAMES.items():
        moves = [
            update["event"]
            for update in updates_of(game_of(kind)[0])
            if update["event"]["type"] == "move"
        ]
        if kind == "plakoto":
            moves += [{"from": 24, "to": 25}, {"from": 1, "to": 0}]
        names = ["–".join(game.terminal.list_cells(move)) for move in moves]
        assert someone.page.ask(MOVES % (json.dumps(kind), json.dumps(moves))) == names
        assert len(moves) > 3


def test_boards_declare_what_the_rules_declare(person):
    assert person().page.ask(DECLARED) == [
        [
            kind,
            game.title,
            list(game.colours),
            game.has_dice,
            game.uses_chance and not game.has_dice,
            game.leaderboard_option,
            game.seats[-1],
            game.clock,
        ]
        for kind, game in GAMES.items()
    ]
