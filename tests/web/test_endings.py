"""The list of moves, and what the page offers after the end of a game."""

from __future__ import annotations

import re
import subprocess

import pytest

from tabnet.games import GAMES
from tests.cli.processes import TABNET
from tests.polling import TIMEOUT_S, until
from tests.web.people import OVER

pytestmark = pytest.mark.slow

MOVES = "[...document.querySelectorAll('#move-list button')].map(({ innerText }) => innerText)"
POSITION = "document.getElementById('board').innerHTML"
NAMES = {
    "tab": r"\d+–\d+",
    "draughts": r"[a-h][1-8](–[a-h][1-8])+",
    "fish": r"[a-e]\d+(–[a-e]\d+)?",
    "plakoto": r"\d+–(\d+|off)",
}
"""The moves as the terminal names their places."""


@pytest.mark.parametrize("kind", list(GAMES))
def test_the_list_of_moves_leads_to_their_positions(person, kind):
    someone = person()
    someone.start(kind=kind, opponent="random", seat="0")
    someone.play("document.querySelectorAll('#move-list button').length > 3")
    someone.page.wait("document.title.startsWith('Your turn')")
    moves = someone.page.ask(MOVES)
    assert all(re.fullmatch(NAMES[kind], move.strip()) for move in moves), moves
    latest = someone.page.ask(POSITION)
    someone.page.click("#move-list button")
    someone.page.wait("!document.getElementById('replay').hidden")
    played = f" played {moves[0].strip()}."
    someone.page.wait(f"document.getElementById('message').textContent.endsWith('{played}')")
    assert someone.page.ask(POSITION) != latest
    assert someone.page.ask("document.querySelectorAll('.legal').length") == 0
    someone.page.click("[data-step=last]")
    someone.page.wait("document.getElementById('replay').hidden")
    assert someone.message.startswith("Your turn. ")
    someone.reload()
    someone.page.wait("document.querySelectorAll('#move-list button').length > 3")
    assert someone.page.ask(MOVES)[: len(moves)] == moves


def test_a_finished_game_is_looked_through_copied_and_saved_as_a_file(person, tmp_path):
    someone = person()
    someone.start(kind="tab", size="7", opponent="random", seat="0")
    someone.play("document.querySelectorAll('#move-list button').length > 3")
    someone.resign()
    assert (someone.message, someone.reason) == ("You lost", "You resigned.")
    steps = someone.steps()
    someone.page.click("#look-through")
    position = "document.getElementById('replay-position').textContent"
    assert someone.page.ask(position) == f"1 of {steps}"
    someone.page.press("Enter")
    assert someone.page.ask(position) == f"2 of {steps}"
    someone.page.ask(
        "{ navigator.clipboard.writeText = async (text) => { window.copied = text; } }"
    )
    someone.page.click("#copy-link")
    game = someone.page.ask("location.hash").removeprefix("#play=")
    assert someone.page.wait("window.copied") == f"{someone.site.address}#watch={game}"
    someone.page.wait("document.getElementById('copy-link').textContent === 'Copied'")
    someone.page.tell("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    someone.page.click("#download")
    path = tmp_path / f"{game}.jsonl"
    until(path.exists)
    verify = [TABNET, "verify", path]
    done = subprocess.run(verify, check=False, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stderr


def test_only_rankings_with_points_have_a_column_for_them(person):
    someone = person()
    for kind, is_shown in (("tab", False), ("plakoto", True)):
        first, second = f"{kind}-ana", f"{kind}-bob"
        players = person(), person()
        for player, nick in zip(players, (first, second), strict=True):
            player.sign_in(nick)
            player.start(kind=kind, opponent="anyone")
        players[0].page.wait("!document.getElementById('draw').hidden")
        players[0].resign()
        players[1].page.wait(OVER)
        someone.choose(kind=kind)
        someone.page.click("[data-panel=scoreboard]")
        someone.page.wait("document.querySelector('#ranking tbody tr')")
        assert someone.page.ask("document.querySelector('.points').checkVisibility()") == is_shown
        cells = "document.querySelector('#ranking tbody tr').cells.length"
        assert someone.page.ask(cells) == (4 if is_shown else 3)
        someone.page.click("#scoreboard [data-close]")
