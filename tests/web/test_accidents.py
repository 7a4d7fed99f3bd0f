"""Games on the page when the page, the network or the server fails."""

from __future__ import annotations

import pytest

from tests.web.people import IS_DUE, IS_GONE, OVER, Person, site

pytestmark = pytest.mark.slow

WHY = "document.getElementById('error').textContent"
IS_LOST = "document.body.classList.contains('disconnected')"
MIDDLE = "document.querySelectorAll('.moved').length > 2"


def test_a_reloaded_page_continues_the_same_game(person):
    someone = person()
    someone.start(kind="tab", opponent="random", seat="0")
    someone.play(MIDDLE)
    where = someone.page.ask("location.hash")
    someone.reload()
    someone.page.wait("document.querySelectorAll('#players li').length === 2")
    assert someone.page.ask("location.hash") == where
    someone.play()
    assert someone.message.startswith(("You won", "You lost", "A draw"))


def test_a_selection_of_another_page_can_be_completed_or_released(person):
    someone = person()
    someone.start(kind="tab", opponent="random", seat="0")
    someone.play("document.querySelectorAll('.target').length === 2")
    someone.page.ask("""(async () => {
        const { sendCommand } = await import("./server_connection.js");
        const { findSeat } = await import("./browser_storage.js");
        const { game, token } = findSeat(location.hash.split("=")[1]);
        const cell = Number(document.querySelector(".chosen").dataset.key);
        await sendCommand("notify", { game, token, cell });
    })()""")
    someone.reload()
    someone.page.wait("document.querySelectorAll('.target').length === 2")
    someone.page.click(".chosen")
    someone.page.wait("document.querySelectorAll('.chosen').length === 0")
    assert someone.message.startswith("Your turn. Choose a piece to move by ")
    step = """(async () => {
        const { sendCommand } = await import("./server_connection.js");
        return (await sendCommand("state", { game: location.hash.split("=")[1] })).update.step;
    })()"""
    assert someone.page.ask(step) == "from"


def test_a_lost_network_is_shown_and_the_page_reconnects(person):
    someone = person()
    someone.start(kind="tab", opponent="random", seat="0")
    someone.play(MIDDLE)
    someone.page.go_offline()
    someone.page.wait(IS_LOST)
    assert someone.page.ask(WHY).startswith("The connection is lost.")
    someone.page.go_offline(is_so=False)
    someone.page.wait(f"!{IS_LOST}")
    someone.play()
    assert someone.message.startswith(("You won", "You lost", "A draw"))


def test_a_failed_request_is_retried(person):
    white, black = person(), person()
    for someone, seat in ((white, "0"), (black, "1")):
        someone.start(kind="draughts", opponent="anyone", seat=seat)
    white.play("document.querySelector('.lastMove')")
    black.play("document.querySelector('.lastMove .Black')")
    black.page.tell("Network.setBlockedURLs", urls=["*/v1"])
    white.play("document.querySelector('.lastMove .White')")
    assert black.page.wait(WHY) == "The server cannot be reached."
    black.page.tell("Network.setBlockedURLs", urls=[])
    black.page.wait("document.querySelector('.legal')")
    assert black.page.ask(WHY) == ""
    black.play("document.querySelector('.lastMove .Black')")


@pytest.fixture
def mortal(tmp_path):
    with site(tmp_path, "--house", "random") as opened:
        yield opened


def test_a_game_continues_after_a_killed_server(browser, mortal):
    zp, jp = Person(browser.page(), mortal), Person(browser.page(), mortal)
    for someone in (zp, jp):
        someone.start(kind="tab", size="7", opponent="anyone")
    jp.begin_to_play()
    zp.play(MIDDLE)
    mortal.kill()
    for someone in (zp, jp):
        someone.page.wait(IS_LOST)
    mortal.start()
    for someone in (zp, jp):
        someone.page.wait(f"!{IS_LOST}")
    zp.play()
    jp.page.wait(OVER)
    assert zp.steps() == jp.steps()
    mark = zp.page.wait("document.getElementById('verification').textContent")
    assert mark.startswith("✓ Verified: ")
    assert zp.said_nothing()
    assert jp.said_nothing()


def test_an_expired_wait_is_reported(person):
    someone = person()
    someone.start(kind="tab", opponent="anyone", group="77")
    someone.page.wait("!document.getElementById('resign').hidden")
    assert someone.page.ask("document.getElementById('resign').textContent") == "Stop waiting"
    someone.page.click("#resign")
    someone.page.wait(IS_GONE)
    assert someone.page.ask("location.hash").startswith("#play=")
    someone.page.click("#new-game")
    someone.page.wait("document.getElementById('start').checkVisibility()")


def test_a_waiting_guest_who_reloads_the_page_stops_waiting(person):
    someone = person()
    someone.start(kind="tab", opponent="anyone", group="78")
    someone.page.wait("!document.getElementById('resign').hidden")
    someone.reload()
    someone.page.wait(IS_GONE)


def test_a_missing_match_is_reported(person):
    someone = person()
    someone.open("#watch=nothing")
    someone.page.wait("document.getElementById('latest-event').textContent")
    assert someone.message == "This match cannot be shown"
    assert not someone.page.ask(IS_DUE)
