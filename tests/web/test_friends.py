"""People who invite each other, and who play the same game again."""

from __future__ import annotations

import pytest

from tests.web.people import OVER

pytestmark = pytest.mark.slow

TEXT = "document.getElementById({!r}).textContent"
PLAYERS = (
    "document.querySelectorAll('#players li').length === 2"
    " && !document.getElementById('draw').hidden"
)
"""Two players play."""


def own_color(someone):
    """Return the colour of the player on their own page."""
    return someone.page.ask("""[...document.querySelectorAll('#players li')]
        .find((item) => item.querySelector('.name').textContent === 'You')
        .querySelector('.marker').title""")


def agree_to_a_draw(first, second):
    for someone in (first, second):
        someone.page.wait("!document.getElementById('draw').hidden")
    first.page.click("#draw")
    second.page.wait("document.getElementById('draw').textContent === 'Accept the draw'")
    second.page.click("#draw")
    for someone in (first, second):
        someone.page.wait(OVER)
        assert (someone.message, someone.reason) == ("A draw", "The players agreed.")


def test_a_friend_sees_the_game_joins_by_one_button_and_plays_it_twice(person):
    host, friend, late = person(), person(), person()
    host.sign_in("host")
    host.choose(kind="tab", opponent="friend")
    host.start(size="7", clock="rapid", seat="0")
    link = host.page.wait("document.getElementById('invitation-link').value")
    fragment = link.removeprefix(host.site.address)
    friend.open(fragment)
    assert friend.message == "host invites you to a game"
    assert friend.page.ask("document.getElementById('invited-game').innerText").split("\n") == [
        *("Invited by", "host", "Game", "Tab, 7 columns"),
        *("Clock", "15 minutes and 10 s a move"),
    ]
    assert not friend.page.ask("document.getElementById('game-form').checkVisibility()")
    friend.page.click("#join-friend")
    for someone in (host, friend):
        someone.page.wait(PLAYERS)
    salts = """(async () => {
        const { fetchUpdates } = await import("./server_connection.js");
        const [first] = await fetchUpdates(location.hash.split("=")[1], 1);
        return Object.values(first.dice_salt_hashes).filter(Boolean).length;
    })()"""
    assert host.page.ask(salts) == 2
    late.open(fragment)
    assert (late.message, late.page.ask(TEXT.format("latest-event"))) == (
        "This link is no longer valid",
        "The game has begun, or the invitation has ended.",
    )
    assert own_color(host) == "Blue"
    agree_to_a_draw(host, friend)
    friend.page.click("#play-again")
    friend.page.wait(f"{TEXT.format('message')}.startsWith('Waiting for an answer')")
    offered = host.page.wait(TEXT.format("offer"))
    assert offered.startswith("Guest ")
    assert offered.endswith(" wants to play again")
    host.page.click("#play-again")
    for someone, color in ((host, "Red"), (friend, "Blue")):
        someone.page.wait(PLAYERS)
        assert own_color(someone) == color
    assert host.page.ask(salts) == 2
    agree_to_a_draw(friend, host)


def test_people_who_met_by_chance_play_again(person):
    first, second = person(), person()
    for someone in (first, second):
        someone.start(kind="draughts", opponent="anyone")
    agree_to_a_draw(first, second)
    second.page.click("#play-again")
    second.page.wait("!document.getElementById('resign').hidden")
    assert first.page.wait(TEXT.format("offer")).endswith(" wants to play again")
    second.page.click("#resign")
    first.page.wait("document.getElementById('offer').hidden")
    second.page.wait("document.getElementById('message').textContent === 'No opponent came'")
    first.page.click("#play-again")
    first.page.wait("!document.getElementById('resign').hidden")
    second.page.ask("{ history.back() }")
    assert second.page.wait(TEXT.format("offer")).endswith(" wants to play again")
    first.page.click("#brand")
    second.page.wait("document.getElementById('offer').hidden")


POLLS = """(async () => {
    const { PlayAgainOffers } = await import("./play_again.js");
    const polls = [];
    let [time, tick, interval] = [0, null, null];
    performance.now = () => time;
    window.fetch = async (_, { body }) => {
        polls.push(JSON.parse(body).cmd);
        return { json: async () => ({ again: ["ana", "zp"] }) };
    };
    window.setInterval = (poll, ms) => { [tick, interval] = [poll, ms]; return 7; };
    const offers = [];
    new PlayAgainOffers((nicks) => offers.push(nicks)).watch("g", "zp");
    for (time of [3000, 600000, 600001, 603001]) await tick();
    return [interval, polls, offers];
})()"""


def test_the_page_asks_for_offers_every_three_seconds_for_ten_minutes(person):
    interval, polls, offers = person().page.ask(POLLS)
    assert (interval, polls, offers) == (3000, ["state"] * 3, [["ana"]])


def test_a_game_against_a_bot_is_played_again_at_once_with_rotated_seats(person):
    someone = person()
    someone.start(kind="draughts", opponent="greedy", seat="0")
    for color in ("White", "Black", "White"):
        someone.page.wait(PLAYERS)
        assert own_color(someone) == color
        before = someone.page.ask("location.hash")
        someone.resign()
        someone.page.click("#play-again")
        someone.page.wait(f"location.hash !== {before!r}")
