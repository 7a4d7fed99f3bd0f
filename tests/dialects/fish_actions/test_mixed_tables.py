"""Fish clients beside native bots, house bots, spectators and the page, at one server process."""

from __future__ import annotations

import random
import subprocess

import pytest
import trio

from tabnet.client.blocking import connect
from tabnet.protocol.messages import Games
from tests.browser import find_browser, open_browser
from tests.cli.processes import TABNET, tabnet
from tests.dialects.fish_actions.clients import next_action, play_to_the_end
from tests.dialects.fish_actions.server_process import fish_process
from tests.polling import TIMEOUT_S


def only_game(address):
    """Return the id of the only game that is listed."""
    with connect(address) as client:
        (listed,) = client.ask(Games()).games
        return listed.game


def play_natively(address):
    """Take a seat with the invite, and play random moves to the end; return the last update."""
    luck = random.Random(1)
    with connect(address) as client:
        seat = client.join(invite="fish:cup")
        for update in client.updates(seat.game):
            if update.turn == seat.nick:
                client.notify(seat.game, **luck.choice(client.moves(seat.game).moves))
        return update


def watch(game, address):
    """Start `tabnet watch`."""
    command = [TABNET, "watch", game, "--server", address]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


async def play_turns(client):
    """Play the first action on each turn of the client, to the end; return the last STATE."""
    while not (await client.ask("is_game_over"))["is_game_over"]:
        if (await client.ask("check_turn"))["color"] == client.color:
            _, action, fields = await next_action([client])
            assert "result_state" in await client.ask(action, **fields)
    return await client.state()


def assert_verified(folder, game, address):
    """Export a match, verify the file and replay it; return the text of the replay."""
    file = folder / f"{game}.jsonl"
    assert tabnet("export", game, "--server", address, "--out", file).returncode == 0
    verified = tabnet("verify", file)
    assert (verified.returncode, verified.stderr) == (0, "")
    replayed = tabnet("replay", file, stdin=subprocess.DEVNULL)
    assert replayed.returncode == 0
    assert replayed.stdout.splitlines()[-1] == verified.stdout.splitlines()[-1]
    return replayed.stdout


async def test_fish_clients_play_a_native_bot_and_one_of_them_is_removed(tmp_path):
    options = ("--fish", "--fish-seats", "3", "--fish-rows", "4", "--house", "none")
    with fish_process(tmp_path, *options) as server:
        address, results = server.native_address, []
        (red,) = await server.join(1)

        async def play_bot():
            results.append(await trio.to_thread.run_sync(play_natively, address))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_bot)
            while "2 of 3" not in (await red.ask("check_turn"))["error_message"]:
                pass
            (brown,) = await server.join(1)
            assert (red.color, brown.color) == ("red", "brown")
            game = await trio.to_thread.run_sync(only_game, address)
            watcher = watch(game, address)
            assert watcher.stdout.readline().startswith("Fish: ")
            assert (await brown.place(99, 99))["error_type"] == "Invalid_Action"  # out of turn
            state = await play_turns(red)
        watched, _ = watcher.communicate(timeout=TIMEOUT_S)
        text = assert_verified(tmp_path, game, address)
    scores = [player["score"] for player in state["players"]]
    assert [each["score"] for each in results[0].position["state"]["players"]] == scores
    assert scores[2] == 0
    assert results[0].position["result"]["reason"] == "no_moves"
    assert text.splitlines()[-1] == watched.splitlines()[-1]


async def test_a_fish_client_plays_a_house_bot(tmp_path):
    options = ("--fish", "--fish-rows", "3", "--fish-number", "2", "--house", "greedy")
    with fish_process(tmp_path, *options) as server:
        (red,) = await server.join(1, "bot:greedy")
        game = await trio.to_thread.run_sync(only_game, server.native_address)
        state = await play_turns(red)
        assert [player["color"] for player in state["players"]] == ["red", "white"]
        assert min(player["score"] for player in state["players"]) > 0
        assert "house-greedy" in assert_verified(tmp_path, game, server.native_address)


@pytest.mark.slow
@pytest.mark.skipif(find_browser() is None, reason="there is no chromium on this machine")
async def test_the_page_shows_a_game_of_fish_clients(tmp_path, tmp_path_factory):
    options = ("--fish", "--fish-rows", "3", "--fish-number", "2", "--house", "none")
    with (
        fish_process(tmp_path, *options, "--http-port", "0") as server,
        open_browser(tmp_path_factory.mktemp("browser")) as browser,
    ):
        clients = await server.join(2)
        game = await trio.to_thread.run_sync(only_game, server.native_address)
        page = browser.page()
        page.open(f"http://{server.process.http}/", f"#watch={game}")
        page.wait("document.querySelectorAll('#players li').length === 2")
        state = await play_to_the_end(clients)
        scores = [player["score"] for player in state["players"]]
        message = page.wait("/ won,/.test(message.textContent) && message.textContent")
        assert message.endswith(f" won, {max(scores)} to {min(scores)}")
        reason = page.ask("document.getElementById('latest-event').textContent")
        assert reason == "Nobody can move."
