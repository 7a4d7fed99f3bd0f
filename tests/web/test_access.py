"""The page for everybody: by keyboard, read aloud, on a phone, in the dark."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabnet.games import GAMES
from tests.web.people import LANGUAGES

pytestmark = pytest.mark.slow

AXE = Path(__file__).parents[2] / ".ci" / "axe.min.js"
COMPLAINTS = """axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations
  .filter(({ impact }) => ["serious", "critical"].includes(impact))
  .map(({ id, nodes }) => [id, ...nodes.map((node) => node.html + node.failureSummary)]))"""
PANELS = ("instructions", "scoreboard", "game-lists", "sign-in")
IS_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
FOCUSED = "document.activeElement.dataset.key"


def complaints(someone):
    """Return the serious problems that axe finds on the visible page."""
    if not someone.page.ask("'axe' in window"):
        someone.page.tell("Runtime.evaluate", expression=AXE.read_text())
    return someone.page.ask(COMPLAINTS)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not there: .ci/run fetches it")
@pytest.mark.parametrize("is_dark", [False, True])
def test_axe_finds_nothing_serious(person, is_dark):
    someone = person()
    someone.page.resize(1200, 900, dark=is_dark, still=True)
    for kind in GAMES:
        someone.choose(kind=kind)
        assert complaints(someone) == []
    for language in [] if is_dark else reversed(LANGUAGES):  # the colours are the same
        someone.choose_language(language)
        assert complaints(someone) == [], language
    for panel in PANELS:
        button = "#account" if panel == "sign-in" else f"nav [data-panel={panel}]"
        someone.page.click(button)
        someone.page.wait(f"document.querySelector('#{panel}[open]')")
        assert complaints(someone) == []
        someone.page.press("Escape")  # its button moves when a panel gets what it asked for
        someone.page.wait("!document.querySelector('dialog[open]')")
    someone.start(kind="tab", opponent="random", seat="0")
    someone.play("document.querySelectorAll('.target').length === 2")
    assert complaints(someone) == []
    someone.resign()
    assert complaints(someone) == []


def test_the_first_moves_are_played_with_the_keyboard_alone(person):
    someone = person()
    someone.start(kind="draughts", opponent="random", seat="0")
    someone.page.wait("document.querySelector('.legal')")
    assert someone.page.ask(FOCUSED) == "a3"  # the first piece that can move
    someone.page.press("ArrowUp", "ArrowDown", "ArrowRight", "ArrowRight")
    assert someone.page.ask(FOCUSED) == "c3"
    label = someone.page.ask("document.activeElement.getAttribute('aria-label')")
    assert label == "c3, white man, can be chosen"
    someone.page.press("Enter")
    someone.page.wait("document.querySelector('.chosen')")
    someone.page.press("ArrowUp", "ArrowRight", "Enter")
    someone.page.wait("document.querySelector('[data-key=d4] .White')")
    assert someone.page.ask(FOCUSED) == "d4"


@pytest.mark.parametrize("kind", list(GAMES))
def test_the_page_fits_a_phone(person, kind):
    someone = person()
    someone.page.resize(390, 844, still=True)
    someone.choose(kind=kind)
    assert not someone.page.ask(IS_WIDE)
    someone.start(opponent="random", seat="0")
    someone.page.wait("document.querySelectorAll('#players li').length === 2")
    assert not someone.page.ask(IS_WIDE)
    board = "document.getElementById('board-frame').getBoundingClientRect().width"
    assert 350 < someone.page.ask(board) < 390


@pytest.mark.parametrize("is_still", [True, False])
def test_sticks_are_animated_unless_reduced_motion_is_set(person, is_still):
    someone = person()
    someone.page.resize(1200, 900, still=is_still)
    someone.start(kind="tab", opponent="random", seat="0", pace="calm")
    someone.page.wait("!document.getElementById('throw-button').disabled")
    throw = "document.getElementById('throw-button')"
    beckoning = f"{throw}.getAnimations().some((it) => it.animationName === 'pulse')"
    assert someone.page.ask(beckoning) != is_still
    someone.page.ask("""{
        const draw = window.requestAnimationFrame;
        window.drawn = 0;
        window.requestAnimationFrame = (step) => { window.drawn += 1; return draw(step); };
    }""")
    someone.page.click("#throw-button")
    someone.page.wait("document.getElementById('latest-event').textContent.startsWith('You ')")
    assert (someone.page.ask("window.drawn") == 0) == is_still


def test_the_page_loads_only_from_the_server_and_has_no_inline_scripts(person):
    someone = person()
    someone.page.ask(
        "document.body.append(Object.assign(document.createElement('script'),"
        " { textContent: 'window.ran = true' }))"
    )
    assert someone.page.ask("window.ran") is None
    assert any("Content Security Policy" in said for said in someone.page.said)
    someone.page.said.clear()
    asked = [url for url in someone.page.asked if url != "about:blank"]
    assert asked
    assert all(url.startswith(someone.site.address) for url in asked)
