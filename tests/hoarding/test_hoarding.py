"""One short run of each attack: against a real server, over HTTP from other loopback addresses."""

from __future__ import annotations

from tests.cli.processes import serving
from tests.hoarding.attacks import (
    BOTS,
    HOUSE_CLOCK,
    LONGEST_CLOCK,
    OTHER,
    bots_left,
    guessing,
    hold,
    house_games,
    private_waits,
    wait_for_bot,
)

OPTIONS = ("--memory", "--http-port", "0", "--max-waits", "10")


def test_one_address_cannot_exhaust_the_limits_of_a_server(tmp_path):
    with serving(tmp_path, *OPTIONS) as server:
        waits = hold(server.http, private_waits(15))
        assert (waits.held, waits.codes) == (10, {"too_many_waits": 5})
        assert hold(server.http, private_waits(1), OTHER).held == 1
        long = hold(server.http, house_games(1, LONGEST_CLOCK))
        assert (long.held, long.codes) == (0, {"bad_value": 3})
        games = hold(server.http, house_games(6, HOUSE_CLOCK))
        assert (games.held, games.codes) == (12, {"too_many_house_games": 6})
        assert bots_left(server.http) == list(BOTS)


def test_password_guesses_do_not_lock_out_a_house_bot(tmp_path):
    with serving(tmp_path, *OPTIONS) as server:
        with guessing(server.http, "house-greedy.1", clients=4) as codes:
            assert wait_for_bot(server.tcp) is not None
        assert codes.keys() == {"reserved_nick"}
