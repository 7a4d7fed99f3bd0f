"""`tabnet serve --fish` and `tabnet admin fish open`, with clients of a server process."""

from __future__ import annotations

import json

import pytest

from tabnet.cli import make_parser
from tabnet.cli.options.dialect_options import (
    find_dialects_beside_tls,
    list_dialect_ports,
    make_fish_dialect,
)
from tabnet.errors import StartError
from tests.cli.processes import openssl, tabnet
from tests.dialects.fish_actions.clients import play_to_the_end
from tests.dialects.fish_actions.server_process import fish_process

FISH = ("--fish", "--house", "none")
CARD = "4111111111111111"
NOT_OPENED = {
    "error_type": "Tournament_Error",
    "error_message": "there is no tournament with this id",
}


@pytest.mark.parametrize(
    "seats", [2, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (3, 4))]
)
async def test_clients_play_a_whole_game_on_the_port_of_tls(tmp_path, seats):
    options = ("--fish-seats", str(seats), "--fish-rows", "4", "--fish-holes", "2")
    with fish_process(tmp_path, *FISH, *options) as server:
        assert server.process.addresses["fish"] == server.process.tls
        clients = await server.join(seats)
        with openssl(server.process.tls, tmp_path / "cert.pem") as native:
            assert json.loads(native.stdout.readline())["type"] == "hello"
            native.stdin.write('{"cmd":"games"}\n')
            (listed,) = json.loads(native.stdout.readline())["games"]
        assert (listed["kind"], len(listed["players"])) == ("fish", seats)
        state = await play_to_the_end(clients)
        ended = tabnet("watch", listed["game"], "--server", server.native_address)
        assert ended.returncode == 0
        assert "nobody can move, and most fish win." in ended.stdout
    tiles = [fish for row in state["board"] for fish in row]
    assert (len(state["board"]), len(tiles)) == (4, 20)


async def test_fish_can_have_a_port_of_its_own(tmp_path):
    options = ("--fish-port", "0", "--fish-number", "3", "--fish-cols", "6")
    with fish_process(tmp_path, *options, "--house", "none") as server:
        assert server.process.addresses["fish"] != server.process.tls
        (red, _) = await server.join(2)
        assert (await red.state())["board"] == [[3] * 6] * 5


async def test_the_server_knows_only_the_ids_that_the_operator_has_opened(tmp_path):
    options = ("--fish-invited", "--fish-rows", "3", "--fish-number", "1")
    with fish_process(tmp_path, *FISH, *options) as server:
        client = await server.connect()
        for id in ("cup", 7, "bot:greedy"):
            assert await client.join(id) == NOT_OPENED
        for id in ("cup", "7"):
            assert tabnet("admin", "fish", "open", id, "--data", tmp_path).returncode == 0
        assert [(await client.join(id))["color"] for id in (7, "7", "cup")] == [
            *("red", "white", "red")
        ]
        assert "has begun" in (await client.join(7))["error_message"]
        assert await client.join("8") == NOT_OPENED
        again = tabnet("admin", "fish", "open", "7", "--data", tmp_path)
        assert again.returncode == 1
        assert again.stderr.startswith("tabnet: fish:7 has a game already")


async def test_a_player_whose_time_runs_out_is_out(tmp_path):
    options = ("--fish-clock", "0.2", "--fish-seats", "3")
    with fish_process(tmp_path, *FISH, *options) as server:
        red, white, brown = await server.join(3)
        while (await white.ask("check_turn"))["color"] == "red":
            pass
        assert (await red.place(0, 0))["error_type"] == "Invalid_Action"
        while not (await white.ask("is_game_over"))["is_game_over"]:
            pass
        assert (await white.place(0, 0))["error_type"] == "Invalid_Action"
        assert await brown.ask("check_turn") == {"color": None}


async def test_no_credit_card_is_stored_or_logged(tmp_path):
    with fish_process(tmp_path, *FISH, log_level="debug") as server:
        client = await server.connect()
        for card in (CARD, int(CARD), {"number": CARD}, [CARD]):
            response = await client.ask("join_tournament", tournament_id="cup", credit_card=card)
            assert CARD not in json.dumps(response)
        assert "error_type" in await client.ask("join_tournament", credit_card=CARD)
        assert "error_type" in await client.ask("pay", credit_card=CARD)
        await client.stream.send_all(b'{"action":"join_tournament","credit_card":%s}' % b"4" * 70)
        assert CARD not in json.dumps(await client.receive())
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 3
    assert not [path for path in files if CARD.encode() in path.read_bytes()]


# Options


def parsed(*options):
    return make_parser().parse_args(["serve", *options])


def test_fish_is_off_until_it_is_asked_for():
    assert find_dialects_beside_tls(parsed()) == {}
    for options in (["--fish"], ["--all-dialects"]):
        assert list(find_dialects_beside_tls(parsed(*options))) == ["fish"]
    own = parsed("--fish", "--fish-port", "45680")
    assert find_dialects_beside_tls(own) == {}
    assert [(each.name, each.host, each.number) for each in list_dialect_ports(own)] == [
        ("fish", "127.0.0.1", 45680)
    ]


@pytest.mark.parametrize("id", ["", "x" * 65, "a\nb", "bot:greedy"])
def test_the_operator_opens_only_ids_that_players_can_send(id, capsys):
    with pytest.raises(SystemExit) as ended:
        make_parser().parse_args(["admin", "fish", "open", id])
    assert ended.value.code == 2
    assert "an id has 1 to 64 printable characters" in capsys.readouterr().err


@pytest.mark.parametrize(("options", "is_local_only"), [([], True), (["--allow-plain"], False)])
def test_an_option_lets_other_machines_in(options, is_local_only):
    dialect = make_fish_dialect(parsed("--fish", *options))(None)
    assert dialect.is_local_only is is_local_only


def test_games_have_two_players_and_two_minutes_for_each_move_by_default():
    terms = make_fish_dialect(parsed("--fish"))(None).settings.terms
    assert (terms.kind, terms.seats, terms.clock_json) == ("fish", 2, {"move": 120})
    assert (terms.options.rows, terms.options.cols) == (5, 5)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--fish-rows", "1"], "--fish-rows: 8 penguins need as many tiles; there are 5"),
        (["--fish-holes", "18"], "--fish-rows: 8 penguins need as many tiles; there are 7"),
        (["--fish-number", "0"], "--fish-number: invalid fish '0'"),
    ],
)
def test_impossible_games_are_refused_at_the_start(options, text):
    with pytest.raises(StartError) as refused:
        make_fish_dialect(parsed("--fish", *options))
    assert refused.value.text.startswith(text)


@pytest.mark.parametrize(
    ("option", "value"), [("--fish-seats", "5"), ("--fish-clock", "0"), ("--fish-port", "65536")]
)
def test_impossible_values_are_refused_by_their_option(option, value, capsys):
    with pytest.raises(SystemExit) as ended:
        parsed("--fish", option, value)
    assert ended.value.code == 2
    assert option in capsys.readouterr().err.splitlines()[-1]
