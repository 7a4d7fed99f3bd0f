"""Sizes of screens: a desktop, a tablet, and a phone upright and on its side, by geometry."""

from __future__ import annotations

import pytest

from tabnet.games import GAMES
from tabnet.tournament.report.report_files import write_report
from tests.tournament.sample import tournament_of_three, written
from tests.web.people import LANGUAGES

pytestmark = pytest.mark.slow

SIZES = [(1280, 800), (844, 390), (390, 844), (768, 1024)]
HIDDEN = """((...selectors) => {
    window.scrollTo(0, 0);
    const isInside = (element) => {
        const { left, top, right, bottom, width } = element.getBoundingClientRect();
        return width > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    };
    return selectors.filter((one) => ![...document.querySelectorAll(one)].every(isInside));
})"""
"""Return those of the selectors with an element that is not wholly visible without scrolling."""
IS_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PANELS = "nav button"
HEADER = f"'{PANELS}', '#language'"
OVERFLOWING = """[...document.querySelectorAll("button, a.button")].filter((button) =>
    button.scrollWidth > button.clientWidth).map(({ textContent }) => textContent)"""
"""Return the texts that are longer than their buttons."""
CELL = "document.querySelector('#board .cell').getBoundingClientRect()"
PANEL = "document.querySelector('dialog[open]')"
WIDTHS = "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])"
CLIPPED = """[...document.querySelectorAll("table, th, td")].filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    const scroll = element.closest(".scroll");
    return left < 0 || right > innerWidth || scroll.scrollWidth > scroll.clientWidth;
}).map((element) => element.textContent)"""


def require_visible(someone, parts):
    """Require that the parts are visible in all languages and sizes, and the cells are large."""
    for language in LANGUAGES:
        someone.choose_language(language)
        for width, height in SIZES:
            someone.page.resize(width, height, still=True)
            where = (language, width, height)
            assert someone.page.ask(f"{HIDDEN}({HEADER}, {parts})") == [], where
            assert someone.page.ask(OVERFLOWING) == [], where
            assert not someone.page.ask(IS_WIDE), where
            size = someone.page.ask(f"(({{ width, height }}) => Math.min(width, height))({CELL})")
            assert size >= 20, where


@pytest.mark.parametrize("kind", list(GAMES))
def test_the_form_and_the_game_are_visible_without_scrolling(person, kind):
    someone = person()
    someone.choose(kind=kind, opponent="anyone")
    someone.choose(clock="custom")
    require_visible(someone, "'#start'")
    someone.start(opponent="random", seat="0")
    someone.page.wait("document.querySelectorAll('#players li').length === 2")
    control = ", '#throw-button'" if GAMES[kind].has_dice else ""
    require_visible(someone, f"'#board', '#players', '#message'{control}")
    someone.resign()
    require_visible(someone, "'#board', '#play-again', '#message'")


def test_the_widest_board_of_tab_has_large_cells_on_a_phone_and_scrolls(person):
    someone = person()
    someone.choose(kind="tab", size="15")
    for width, height in SIZES:
        someone.page.resize(width, height, still=True)
        assert someone.page.ask(f"{CELL}.width") >= 28
        assert not someone.page.ask(IS_WIDE)
    someone.page.resize(390, 844, still=True)
    someone.start(opponent="random", seat="0")
    someone.page.wait("document.activeElement.id === 'throw-button'")
    someone.play("document.querySelector('.legal')")
    focused = "document.activeElement.getBoundingClientRect()"
    for key in ("ArrowLeft", "ArrowRight"):
        someone.page.press(*[key] * 14)
        assert someone.page.ask(f"{focused}.left >= 0 && {focused}.right <= 390")


def test_the_panels_fit_a_phone_and_open_at_their_beginning_in_any_language(person):
    someone = person()
    someone.page.resize(390, 844, still=True)
    for language in LANGUAGES:
        someone.choose_language(language)
        for kind in GAMES:
            someone.choose(kind=kind)
            for button in ("[data-panel=instructions]", "[data-panel=scoreboard]", "#account"):
                where = (language, kind, button)
                someone.page.click(button)
                needed, given = someone.page.ask(f"{WIDTHS}({PANEL})")
                assert needed <= given, where
                assert someone.page.ask(f"{PANEL}.scrollTop") == 0, where
                someone.page.ask(f"{PANEL}.close()")


def test_high_instructions_open_at_their_beginning_again(person):
    someone = person()
    someone.page.resize(390, 844, still=True)
    someone.choose(kind="tab")
    for _ in range(2):
        someone.page.click("[data-panel=instructions]")
        assert someone.page.ask(f"{PANEL}.scrollHeight > {PANEL}.clientHeight")
        assert someone.page.ask(f"{PANEL}.scrollTop") == 0
        assert someone.page.ask("document.activeElement.id") == "instructions-title"
        someone.page.click("[open] [data-close]")  # at the end, where it scrolls to
        someone.page.wait("!document.querySelector('dialog[open]')")


def test_an_invitation_fits_a_phone_on_its_side_in_any_language(person):
    someone = person()
    someone.start(kind="tab", opponent="friend")
    someone.page.wait("document.getElementById('invitation-link').value")
    require_visible(someone, "'#copy-invitation', '#message'")


def test_the_tables_of_a_report_are_not_clipped_on_a_phone(browser, tmp_path):
    record, result = tournament_of_three()[1]
    folder = written(tmp_path / "t", [(record, result)], kind=record.kind, options=record.options)
    write_report(folder)
    reader = browser.page()
    for width, height in SIZES[1:3]:
        reader.resize(width, height, still=True)
        reader.open(folder / "report.html")
        assert not reader.ask(IS_WIDE)
    assert reader.ask("document.querySelectorAll('td').length") > 20
    assert reader.ask(CLIPPED) == []
    heads = "[...document.querySelectorAll('#table td')].map((cell) => cell.dataset.head)"
    assert set(reader.ask(heads)) >= {"rating", "games", "score"}
