"""The beginning of a game: the form, the focus, the clock, and games that are not lost."""

from __future__ import annotations

import pytest

from tests.web.people import IS_READY

pytestmark = pytest.mark.slow

FOCUSED = "document.activeElement.id || document.activeElement.dataset.key || ''"
PLAYERS = "document.querySelectorAll('#players li').length === 2"
CLOCK = """(async () => {
    const { sendCommand } = await import("./server_connection.js");
    return (await sendCommand("state", { game: location.hash.split("=")[1] }))[%r];
})()"""


DUE_CONTROL = "document.activeElement.closest('#throw-button, #pass, #board')?.id"


def test_the_focus_is_on_the_due_control_and_never_lost(person):
    someone = person()
    someone.choose(kind="tab", opponent="random", seat="0")
    someone.page.ask("document.getElementById('start').focus()")
    someone.page.press("Enter", "Enter", "Enter", "Enter")
    someone.page.wait(DUE_CONTROL)
    assert not someone.page.ask("document.getElementById('game-form').checkVisibility()")
    games = someone.page.ask("JSON.parse(localStorage.getItem('tabnet.seats')).length")
    assert games == 1
    controls = set()
    for presses in range(500):  # the player throws, passes and moves with Enter alone
        if presses >= 12 and "throw-button" in controls:  # more if the server is slow
            break
        where = someone.page.wait(
            "document.title.startsWith('Your turn') && (document.querySelector('.legal')"
            " || !document.getElementById('throw-button').disabled"
            " || !document.getElementById('pass').hidden)"
            f" && {DUE_CONTROL}"
        )
        if where == "throw-button" and where not in controls:
            someone.page.press("Tab")
            assert someone.page.ask("document.activeElement.closest('#board') !== null")
            someone.page.ask("document.getElementById('throw-button').focus()")
        controls.add(where)
        someone.page.press("Enter")
        assert someone.page.ask("document.activeElement !== document.body")
    assert "throw-button" in controls


def test_the_back_button_and_links_ask_before_they_leave_a_running_game(person):
    someone = person()
    someone.start(kind="draughts", opponent="random", seat="0")
    someone.page.wait(PLAYERS)
    game = someone.page.ask("location.hash")
    is_asked = "document.getElementById('leave-dialog').open"
    for leave in ("history.back()", "document.getElementById('brand').click()"):
        someone.page.ask(f"{{ {leave} }}")
        someone.page.wait(is_asked)
        assert someone.page.ask("location.hash") == game
        someone.page.click("#leave-dialog [data-close]")
        assert someone.page.ask(PLAYERS)
    someone.page.ask("{ history.back() }")
    someone.page.wait(is_asked)
    someone.page.click("#confirm-leave")
    someone.page.wait("document.getElementById('start').checkVisibility()")
    someone.page.wait("document.activeElement.name === 'kind'")
    assert (
        someone.page.ask("!dispatchEvent(new Event('beforeunload', { cancelable: true }))") is False
    )
    someone.page.wait("document.getElementById('start').textContent === 'Continue'")
    note = someone.page.ask("document.getElementById('unfinished').textContent")
    assert note.startswith("You have an unfinished game of Draughts against random.")
    someone.choose(kind="tab")
    assert someone.page.ask("document.getElementById('start').textContent") == "Start"
    someone.choose(kind="draughts")
    someone.page.click("#start")
    someone.page.wait(PLAYERS)
    assert someone.page.ask("location.hash") == game
    assert someone.page.ask("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")


def test_a_bot_game_that_ended_meanwhile_is_not_continued(person):
    someone = person()
    someone.start(kind="draughts", opponent="random", seat="0")
    someone.page.wait(PLAYERS)
    someone.leave()
    someone.page.wait("!document.getElementById('new-game').hidden")
    someone.page.click("#new-game")
    someone.page.wait("document.getElementById('start').checkVisibility()")
    assert someone.page.ask("document.getElementById('start').textContent") == "Start"


def test_start_waits_for_the_answer_of_the_server(person):
    someone = person()
    someone.page.tell("Network.setBlockedURLs", urls=["*/v1"])
    someone.page.reload()
    someone.page.wait("document.getElementById('error').textContent")
    assert someone.page.ask("document.getElementById('start').disabled")
    assert someone.page.ask("document.querySelector('[name=opponent]').options.length") == 0
    someone.page.tell("Network.setBlockedURLs", urls=[])
    someone.page.wait(IS_READY)
    assert not someone.page.ask("document.getElementById('start').disabled")


def test_a_player_chooses_the_clock_and_bots_have_ten_minutes_a_move(person):
    someone = person()
    someone.start(kind="tab", opponent="anyone", clock="custom", minutes="7", increment="3")
    wait = someone.page.ask(CLOCK % "wait")
    assert wait["clock"] == {"total": 420, "increment": 3}
    someone.page.click("#resign")
    someone.page.wait("!document.getElementById('new-game').hidden")
    someone.page.click("#new-game")
    someone.page.wait("document.getElementById('start').checkVisibility()")
    assert someone.page.ask("document.querySelector('[name=clock]').value") == "custom"
    someone.start(kind="draughts", clock="standard")
    assert someone.page.ask(CLOCK % "wait")["clock"] == {"total": 600}
    bots = person()
    bots.start(kind="draughts", opponent="random", seat="0")
    bots.page.wait(PLAYERS)
    assert max(bots.page.ask(CLOCK % "clock").values()) == 600
    assert bots.page.ask("document.querySelector('#players .clock').textContent") in (
        "10:00",
        "9:59",
    )
