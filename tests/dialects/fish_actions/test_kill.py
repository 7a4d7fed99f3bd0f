"""A server process is killed again and again while Fish clients play: nothing is lost."""

from __future__ import annotations

from tests.cli.processes import tabnet
from tests.dialects.fish_actions.clients import next_action, play_to_the_end
from tests.dialects.fish_actions.server_process import fish_process

OPTIONS = ("--fish", "--house", "none", "--fish-rows", "4")
KILLS = 2
ACTIONS = 5
"""The actions that are acknowledged before each kill."""


async def test_players_go_on_after_every_kill_of_the_server(tmp_path):
    with fish_process(tmp_path, *OPTIONS) as server:
        clients = await server.join(2)
        tokens = {client.color: client.token for client in clients}
        (waiting,) = await server.join(1, "later")
        acknowledged, pending = await clients[0].state(), None
    for _ in range(KILLS):
        with fish_process(tmp_path, *OPTIONS) as server:
            clients = await server.reconnect(tokens)
            state = await clients[0].state()
            assert state == acknowledged or is_after(state, acknowledged, pending)
            for _ in range(ACTIONS):
                mover, action, fields = await next_action(clients)
                acknowledged = (await mover.ask(action, **fields))["result_state"]
            mover, action, pending = await next_action(clients)
            await mover.send(action, **pending)
    with fish_process(tmp_path, *OPTIONS) as server:
        clients = await server.reconnect(tokens)
        last = await play_to_the_end(clients)
        (again,) = await server.reconnect({"red": waiting.token})
        assert (await server.join(1, "later"))[0].color == "white"
        assert await again.ask("check_turn") == {"color": "red"}
        (playing,) = tabnet("watch", "--server", server.native_address).stdout.splitlines()
        assert playing.split()[1] == "fish"
    with fish_process(tmp_path, *OPTIONS) as server:
        clients = await server.reconnect(tokens)
        assert await clients[1].state() == last
        assert await clients[0].ask("is_game_over") == {"is_game_over": True}


def is_after(state, before, action):
    """Return True if the state follows from the one before by the action with these fields."""
    end = {"row": action.get("end_row", action.get("row"))}
    end["col"] = action.get("end_col", action.get("col"))
    places = [place for player in state["players"] for place in player["places"]]
    return state != before and end in places
