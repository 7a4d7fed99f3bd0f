"""Whole games at the page: people against each other, and against every bot's kind of game."""

from __future__ import annotations

import json
import re

import pytest

from tabnet.games import GAMES
from tests.web.people import IS_DUE, OVER

pytestmark = pytest.mark.slow

TWO_TARGETS = "document.querySelectorAll('.target').length === 2"


def test_two_people_play_a_whole_game_of_tab_and_are_ranked(person):
    zp, jp = person(), person()
    zp.sign_in("zp")
    jp.sign_in("jpleal")
    zp.start(kind="tab", size="7", opponent="anyone", group="5")
    assert zp.message == "Waiting for an opponent"
    jp.start(kind="tab", size="7", opponent="anyone", group="5")
    assert zp.page.wait("document.querySelectorAll('#players li').length === 2")
    jp.begin_to_play()
    zp.play()
    jp.page.wait(OVER)
    winner = "zp" if zp.message.startswith("You won") else "jpleal"
    lost, won = (jp, zp) if winner == "zp" else (zp, jp)
    assert (won.message, lost.message) == ("You won", "You lost")
    assert won.reason == lost.reason == "The last piece is captured."
    assert zp.steps() == jp.steps()
    for someone in (zp, jp):
        mark = someone.page.wait("document.getElementById('verification').textContent")
        assert mark.startswith("✓ Verified: ")
    lost.page.click("[data-panel=scoreboard]")
    first = lost.page.wait("document.querySelector('#ranking tbody tr')?.textContent")
    assert first == f"{winner}11"


@pytest.mark.parametrize("kind", list(GAMES))
def test_a_player_plays_a_house_bot(person, kind):
    someone = person()
    someone.start(kind=kind, opponent="greedy", seat="1")
    someone.play()
    assert someone.message.startswith(("You won", "You lost", "A draw"))
    if kind == "fish":
        assert re.fullmatch(r"(You won|You lost|A draw), \d+ to \d+", someone.message)
        assert someone.reason == "Nobody can move."
    assert someone.steps() > 10
    if GAMES[kind].uses_chance:
        mark = someone.page.wait("document.getElementById('verification').textContent")
        assert mark.startswith("✓ Verified: ")
    someone.reload()
    someone.page.click("[data-panel=scoreboard]")
    line = someone.page.wait("document.querySelector('#own-results tbody tr')?.innerText")
    game, bot, *counts = line.split("\t")
    assert (game.split()[0].lower(), bot) == (kind, "greedy")
    assert sorted(counts) == ["0", "0", "1"]


def test_a_player_plays_several_house_bots(person):
    someone = person()
    someone.start(kind="fish", opponent="greedy", seats="3", size="25")
    someone.page.wait("document.querySelectorAll('#players li').length === 3")
    someone.play()
    assert someone.message.startswith(("You won", "You lost", "A draw"))


WATCH_TARGET = """{
    window.drawn = []; // every piece that is drawn there: the opponent may capture it at once
    const note = ({ addedNodes }) => window.drawn.push(...addedNodes);
    const target = document.querySelector(".target");
    new MutationObserver((changes) => changes.forEach(note)).observe(target, { childList: true });
}"""
LOWEST = """[...document.querySelectorAll("#board .row:last-child .piece")]
    .map((piece) => ["Blue", "Red", "White", "Black"].find((one) => piece.matches(`.${one}`)))"""
STATES = """(async () => {
    const { InteractiveBoard } = await import("./interactive_board.js");
    const { KINDS: { tab } } = await import("./kinds.js");
    const update = tab.createStart({ size: 7 });
    Object.assign(update.pieces[1], { inMotion: true });
    Object.assign(update.pieces[2], { inMotion: true, reachedLastRow: true });
    const board = document.getElementById("board");
    new InteractiveBoard(board, () => {}).draw("tab", tab.createRows(update, 0), () => ({}));
    return [0, 1, 2].map((cell) => {
        const shown = board.querySelector(`[data-key="${cell}"]`);
        const { backgroundImage } = getComputedStyle(shown.querySelector(".piece"));
        return [shown.getAttribute("aria-label"), backgroundImage];
    });
})()"""


@pytest.mark.parametrize(
    ("kind", "colors"),
    [("tab", ("Blue", "Red")), ("draughts", ("White", "Black")), ("plakoto", ("White", "Black"))],
)
def test_the_own_side_is_at_the_bottom_in_either_seat(person, kind, colors):
    for seat, color in enumerate(colors):
        someone = person()
        someone.start(kind=kind, opponent="random", seat=str(seat))
        someone.page.wait("document.querySelectorAll('#players li').length === 2")
        lowest = someone.page.ask(LOWEST)  # a bot that began may have come there with one or two
        assert lowest.count(color) > len(lowest) / 2
        first = someone.page.ask("document.querySelector('#players .name').textContent")
        assert first == ["You", "random"][seat]


def test_the_three_states_of_pieces_differ(person):
    said, seen = zip(*person().page.ask(STATES), strict=True)
    assert said == (
        "cell 0, Blue, not moved yet",
        "cell 1, Blue, moved",
        "cell 2, Blue, has been in the last row",
    )
    assert len(set(seen)) == 3


def test_a_nick_that_is_a_number_keeps_its_seat(person):
    first, second = person(), person()
    second.sign_in("7")
    for someone in (first, second):
        someone.start(kind="tab", opponent="anyone", group="6")
    for someone, (above, below) in ((first, ("You", "7")), (second, ("Guest", "You"))):
        someone.page.wait("document.querySelectorAll('#players li').length === 2")
        names = someone.page.ask(
            "[...document.querySelectorAll('#players .name')]"
            ".map(({ textContent }) => textContent.split(' ')[0])"
        )
        assert names == [above, below]
        lowest = {"You": "Blue", "Guest": "Red"}[above]
        assert set(someone.page.ask(LOWEST)) == {lowest}


def test_odd_rows_of_fish_lie_between_the_even_ones(person):
    someone = person()
    someone.choose(kind="fish")
    widths, shift, drop = someone.page.ask("""(() => {
        const [a, b] = ["a0", "a1"].map((key) =>
            document.querySelector(`[data-key="${key}"]`).getBoundingClientRect());
        return [[a.width, b.width], b.left - a.left, b.top - a.top];
    })()""")
    assert widths[0] == pytest.approx(widths[1])
    assert shift / widths[0] == pytest.approx(0.75, abs=0.05)
    assert drop / widths[0] == pytest.approx(0.433, abs=0.05)


def test_the_last_move_is_marked(person):
    someone = person()
    someone.start(kind="draughts", opponent="random", seat="1")
    someone.page.wait("document.querySelectorAll('.lastMove').length === 2")


def test_a_registered_nick_needs_its_password(person):
    first, second = person(), person()
    first.sign_in("carol", "secret")
    second.page.click("#account")
    second.page.ask("""{
        const { nick, password } = document.querySelector("#sign-in form").elements;
        [nick.value, password.value] = ["carol", "guess"];
    }""")
    second.page.click("#sign-in [type=submit]")
    why = second.page.wait("document.querySelector('#sign-in .error').textContent")
    assert why == "This nick is registered with another password (password)."
    assert second.page.ask("document.getElementById('account').textContent") == "Guest"


def test_a_player_chooses_between_destinations_and_releases_a_piece(person):
    someone = person()
    someone.start(kind="tab", opponent="random", seat="0")
    someone.play(TWO_TARGETS)
    assert someone.message == "Your turn. Choose the destination."
    piece = someone.page.ask("document.querySelector('.chosen').dataset.key")
    someone.page.click(".chosen")
    someone.page.wait("document.querySelectorAll('.chosen').length === 0")
    assert someone.message.startswith("Your turn. Choose a piece to move by ")
    someone.page.click(f".legal[data-key='{piece}']")
    someone.page.wait(TWO_TARGETS)
    someone.page.ask(WATCH_TARGET)
    someone.page.click(".target")
    someone.page.wait("window.drawn.some((piece) => piece.matches('.Blue'))")


def test_the_page_shows_why_a_move_is_illegal(person):
    someone = person()
    someone.start(kind="tab", opponent="random", seat="0")
    someone.page.wait(IS_DUE)
    someone.page.click("[data-key='8']")
    why = "document.getElementById('error').textContent"
    assert someone.page.wait(why) == "Throw first."
    someone.play("document.querySelector('.legal')")
    someone.page.click(".Blue-home:not(.legal):has(.Blue)")
    assert someone.page.wait(why) in (
        "You cannot move onto your own piece.",
        "The first move of a piece needs a throw of 1, a Tab.",
    )


def test_resigning_asks_for_confirmation_and_loses(person):
    someone = person()
    someone.start(kind="tab", opponent="greedy")
    someone.page.wait("!document.getElementById('resign').hidden")
    someone.page.wait("document.querySelectorAll('#players li').length === 2")
    someone.resign()
    assert (someone.message, someone.reason) == ("You lost", "You resigned.")


def test_a_spectator_watches_a_match_and_replays_it_step_by_step(person):
    player, watcher = person(), person()
    player.start(kind="plakoto" if "plakoto" in GAMES else "tab", opponent="random", seat="0")
    player.play("document.querySelector('.target, .legal')")
    watcher.page.click("[data-panel=game-lists]")
    game = player.page.ask("location.hash").removeprefix("#play=")
    watcher.page.wait(f"document.querySelector('#running-games a[href=\"#watch={game}\"]')")
    watcher.page.click(f"#running-games a[href='#watch={game}']")
    watcher.page.wait("document.querySelectorAll('#players li').length === 2")
    assert "Guest" in watcher.message
    player.play("document.querySelectorAll('#move-list button').length > 6")
    player.resign()
    steps = watcher.steps()
    assert steps > 6
    assert steps == player.steps()
    position = "document.getElementById('board').innerHTML"
    last = watcher.page.ask(position)
    watcher.page.click("[data-step=first]")
    position_text = "document.getElementById('replay-position').textContent"
    assert watcher.page.wait(position_text) == f"1 of {steps}"
    assert watcher.page.ask(position) != last
    watcher.page.click("[data-step=last]")
    assert watcher.page.ask(position) == last


def test_a_throw_that_contradicts_its_commitment_is_found(person):
    someone = person()
    someone.start(kind="tab", opponent="random", size="7")
    someone.play("document.querySelector('.legal')")
    someone.resign()
    steps = someone.steps()
    found = someone.page.ask(f"""(async () => {{
        const {{ fetchUpdates }} = await import("./server_connection.js");
        const {{ verifyDice }} = await import("./dice_verification.js");
        const game = location.hash.split("=")[1];
        const updates = await fetchUpdates(game, {steps});
        const [first] = updates;
        const nicks = Object.keys(first.players).sort((nick) => nick === first.initial ? -1 : 1);
        const honest = await verifyDice(updates, nicks);
        const thrown = updates.find(({{ event }}) => event.type === "roll");
        thrown.dice.stickValues[0] = !thrown.dice.stickValues[0];
        const turned = await verifyDice(updates, nicks);
        thrown.dice.stickValues[0] = !thrown.dice.stickValues[0];
        const commit = updates[0].dice_commit;
        updates[0].dice_commit = (commit[0] === "0" ? "1" : "0") + commit.slice(1);
        const bound = await verifyDice(updates, nicks);
        return [honest, turned, bound];
    }})()""")
    assert [one["isVerified"] for one in found] == [True, False, False], json.dumps(found)
