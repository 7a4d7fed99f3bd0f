"""`tabnet ranking`: the table of a group."""

from __future__ import annotations

from tabnet.client.blocking import connect
from tests.cli.processes import call_main, serving


def test_the_ranking_of_a_group_is_printed(tmp_path):
    with serving(tmp_path) as server:
        address = f"tcp://{server.tcp}"
        with connect(address) as ann, connect(address) as bob:
            for client, nick in ((ann, "ann"), (bob, "bob the builder")):
                client.register(nick, "x")
                game = client.join(group=7, size=9).game
            ann.leave(game)
            for client in (ann, bob):
                plakoto = client.join(kind="plakoto", group=7).game
            bob.leave(plakoto)
        shown = call_main("ranking", "--group", 7, "--server", address)
        assert shown.stdout.splitlines() == [
            "     player           victories  games",
            "  1  bob the builder          1      1",
            "  2  ann                      0      1",
        ]
        for options in (["--group", 7, "--size", 11], ["--kind", "draughts"]):
            shown = call_main("ranking", *options, "--server", address)
            assert (shown.returncode, shown.stdout) == (
                0,
                "This ranking is empty: nobody has finished a game yet.\n",
            )
        shown = call_main("ranking", "--kind", "plakoto", "--group", 7, "--server", address)
        assert shown.stdout.splitlines() == [
            "     player           victories  games  points",
            "  1  ann                      1      1       1",
            "  2  bob the builder          0      1       0",
        ]
        refused = call_main("ranking", "--group", 0, "--server", address)
        assert refused.returncode == 1
        assert refused.stderr == "tabnet: Invalid group '0' (a positive integer)\n"
