"""Every command of the product plays, shows and checks a kind that the product does not know."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
import trio

from tests.browser import open_browser
from tests.cli.processes import tabnet
from tests.cli.terminals import terminal
from tests.harness import Talker
from tests.polling import TIMEOUT_S
from tests.toy_kind.conftest import running
from tests.toy_kind.product import KIND, add_kind, copy_product
from tests.web.people import Person, Site

pytestmark = pytest.mark.slow

pytestmark = pytest.mark.slow  # most of these tests start processes of the copy

TERMS = {"kind": KIND, "group": 1, "stones": 5}
BOT = """import tabnet

def choose(state, moves, left):
    return moves[-1]

if __name__ == "__main__":
    tabnet.run_bot(__file__)
"""
NAMES = re.compile(rf"(?<![a-z]){KIND}(?![a-z])", re.IGNORECASE)


@pytest.fixture
def bot(tmp_path):
    """A bot file that knows no kind."""
    path = tmp_path / "last.py"
    path.write_text(BOT)
    return path


@pytest.fixture
async def open_stream(server):
    """Connects another client to the server, and reads its greeting."""
    clients = []

    async def connect():
        clients.append(Talker(await trio.open_tcp_stream("127.0.0.1", server.tcp_port)))
        assert KIND in (await clients[-1].receive())["games"]
        return clients[-1]

    yield connect
    for client in clients:
        await trio.aclose_forcefully(client.stream)


async def play_match(open_stream, **opponent):
    """Play a match to its end, alone if there is an opponent; return a spectator's updates."""
    players = {}
    for _ in range(1 if opponent else 2):
        client = await open_stream()
        joined = await client.ask(cmd="join", **TERMS, **opponent)
        players[joined["nick"]] = client
    spectator = await open_stream()
    await spectator.send(cmd="update", game=joined["game"], since=0)
    updates = []
    while not updates or "winner" not in updates[-1]:
        updates.append(await spectator.until(type="update"))
        client, expected = players.get(updates[-1]["turn"]), updates[-1]["expects"]
        if client and expected in ("roll", "notify"):
            fields = {"take": 1} if expected == "notify" else {}
            reply = await client.ask(cmd=expected, game=joined["game"], **fields)
            assert "error" not in reply
    return updates


def test_only_the_files_of_the_kind_and_games_name_the_kind(tmp_path):
    copy_product(tmp_path)
    touched = [path.as_posix() for path in add_kind(tmp_path)]
    assert touched == [
        f"tabnet/games/{KIND}",
        f"tabnet/web/boards/{KIND}",
        f"tests/games/{KIND}",
        "tabnet/games/__init__.py",
    ]
    for path in tmp_path.rglob("*"):
        name = path.relative_to(tmp_path).as_posix()
        if path.suffix in (".py", ".js", ".html", ".css") and not name.startswith(tuple(touched)):
            assert not NAMES.search(path.read_text()), name


def test_the_tests_of_every_kind_and_of_the_protocol_pass_with_the_kind(copy):
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    tests = (f"tests/games/{KIND}", "tests/games/test_contract.py", "tests/test_protocol_md.py")
    chosen = f"{KIND} or every_command or every_code or table_of_errors"
    done = subprocess.run(
        [*command, "-k", chosen, *tests],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S * 2,
    )
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 60


async def test_help_and_schema_show_the_fields_of_the_kind(open_stream):
    client = await open_stream()
    join = await client.ask(cmd="help", about="join")
    assert "Nim: how many stones the heap has; required" in join["fields"]["stones"]["means"]
    notify = await client.ask(cmd="help", about="notify")
    assert notify["fields"]["take"]["means"] == "Nim: how many stones to take"
    assert notify["errors"]["too_many"] == "the move takes more stones than the die allows"
    commands = (await client.ask(cmd="schema"))["commands"]
    assert commands["join"]["properties"]["stones"]["type"] == "integer"
    assert commands["notify"]["properties"]["take"]["minimum"] == 1


def test_the_help_of_the_command_line_shows_the_options_and_examples_of_the_kind():
    text = " ".join(tabnet("play", "--help").stdout.split())
    assert f"or {KIND}" in text
    assert "--stones N Nim: how many stones the heap has (15)" in text
    assert f"tabnet play --kind {KIND} --stones 7" in text
    assert tabnet("help", KIND).stdout.startswith("# Nim: positions, moves and options\n")


async def test_an_unknown_kind_is_refused_with_all_kinds(open_stream):
    client = await open_stream()
    refused = await client.ask(cmd="join", kind="chess", group=1)
    assert (refused["code"], refused["field"]) == ("unknown_kind", "kind")
    assert refused["hint"].endswith(f" {KIND}")
    assert f" {KIND})" in tabnet("perft", "chess", "--depth", "1").stderr


async def test_clients_play_a_match_over_the_wire(open_stream):
    updates = await play_match(open_stream)
    events = [update["event"]["type"] for update in updates]
    assert events == ["start", *["roll", "move"] * 5]
    assert [update["stones"] for update in updates[::2]] == [5, 4, 3, 2, 1, 0]
    nick = updates[-1]["winner"]
    assert updates[-1]["players"][nick] == "Amber"
    assert updates[-1]["result"] == {
        "winners": [nick],
        "points": {player: int(player == nick) for player in updates[-1]["players"]},
        "reason": "last_stone",
    }


async def test_the_rules_of_the_kind_refuse_a_move(open_stream):
    first, second = await open_stream(), await open_stream()
    terms = {**TERMS, "group": 2, "stones": 1}
    await first.ask(cmd="join", **terms, seat=0, auto=True)
    await second.ask(cmd="join", **terms, seat=1)
    await first.until(type="update", expects="notify")
    refused = await first.ask(cmd="notify", take=2)
    assert (refused["code"], refused["hint"]) == ("too_many", "1 to 1")
    assert (await first.ask(cmd="moves"))["moves"] == [{"take": 1}]


@pytest.mark.parametrize("name", ["random", "first"])
async def test_a_house_bot_plays_the_kind(open_stream, name):
    updates = await play_match(open_stream, opponent=name)
    nicks = list(updates[0]["players"])
    assert [nick.startswith(f"house-{name}") for nick in nicks].count(True) == 1
    assert updates[-1]["result"]["reason"] == "last_stone"


async def test_verify_recomputes_the_dice_of_a_match(open_stream, tmp_path):
    updates = await play_match(open_stream)
    path = tmp_path / "match.jsonl"
    path.write_text("".join(f"{json.dumps(update)}\n" for update in updates))
    verified = tabnet("verify", path)
    assert verified.returncode == 0, verified.stderr
    assert "Nim, stones 5: Amber (" in verified.stdout
    assert "5 throws: the server committed to all of them" in verified.stdout
    updates[1]["dice"] = updates[1]["dice"] % 6 + 1
    path.write_text("".join(f"{json.dumps(update)}\n" for update in updates))
    refuted = tabnet("verify", path)
    assert refuted.returncode == 1
    assert "update 2" in refuted.stderr


def order_in(text):
    """Return what the screen asks for, with the stones that are left; `over` at the end."""
    if "the last stone is taken" in text:
        return "over"
    asked = re.search(r"your turn: .*", text)
    return f"{text.count(' o')} {asked[0]}" if asked else ""


def test_a_player_plays_the_kind_in_a_terminal(server):
    address = f"tcp://127.0.0.1:{server.tcp_port}"
    options = ("--kind", KIND, "--stones", 5, "--opponent", "first")
    with terminal("play", "--server", address, *options) as screen:
        order = ""
        while order != "over":
            screen.until(lambda text, order=order: order_in(text) not in ("", order))
            order = order_in(screen.text)
            if order != "over":
                screen.type("\r" if "(Enter)" in order else "1\r")
        assert screen.end() == 0
    assert "the last stone is taken" in screen.text


def test_check_uses_short_games_and_the_positions_of_the_kind(bot):
    done = tabnet("check", bot, "--kind", KIND, "--stones", 3)
    assert done.returncode == 0, done.stdout
    assert re.search("^ok     the last stone$", done.stdout, re.MULTILINE)


@pytest.fixture(scope="module")
def tournament(copy, tmp_path_factory):
    """The folder of a tournament of two house bots and a bot file."""
    folder = tmp_path_factory.mktemp("tournament")
    (folder / "last.py").write_text(BOT)
    bots = ("random", "first", folder / "last.py")
    options = ("--kind", KIND, "--stones", 5, "--pairs", 1, "--seed", "toy")
    with running(copy):
        done = tabnet("tournament", *bots, *options, "--out", folder / "t")
    assert done.returncode == 0, done.stderr
    assert "\nNim, stones 5: 3 bots, 6 games\n" in done.stdout
    return folder / "t"


def test_bots_play_a_tournament_of_the_kind(tournament):
    results = json.loads((tournament / "results.json").read_text())
    games = {row["name"]: row["games"] for row in results["table"]}
    assert games == {"random": 4, "first": 4, "last": 4}
    assert sum(row["score"] for row in results["table"]) == 6


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with open_browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


def test_a_report_replays_a_match_of_the_kind(tournament, browser):
    page = browser.page()
    page.open(tournament / "report.html")
    stones = "document.querySelectorAll('#board .stone').length"
    said = "document.getElementById('step-text').textContent"
    assert page.ask(stones) == 5
    page.press("ArrowRight")
    assert re.fullmatch(r"1 of \d+: Amber \(\w+\) threw [1-6]", page.ask(said))
    assert page.ask("document.getElementById('throw-text').textContent") in "123456"
    page.ask("document.getElementById('last').click()")
    assert page.ask(stones) == 0
    assert " won, last stone" in page.ask(said)
    assert page.said == []


def test_a_player_plays_and_replays_the_kind_on_the_page(server, browser, tmp_path):
    person = Person(browser.page(), Site(tmp_path, (), int(server.http.rpartition(":")[2])))
    person.choose(kind=KIND)
    label = "document.getElementById('throw-label').textContent"
    assert person.page.ask(label) == "The die"
    person.start(size="5", opponent="first")
    person.play()
    assert person.message in ("You won", "You lost")
    assert person.reason == "The last stone is taken."
    mark = person.page.wait("document.getElementById('verification').textContent")
    assert re.fullmatch(r"✓ Verified: \d throws?", mark)
    stones = "document.querySelectorAll('#board .stone').length"
    assert person.page.ask(stones) == 0
    person.page.click("[data-step=first]")
    assert person.page.ask(stones) == 5
    assert person.said_nothing(), person.page.said
