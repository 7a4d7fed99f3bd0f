"""`tabnet check` finds what is wrong with bots that are wrong on purpose, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabnet.cli import main
from tabnet.cli.check import print_result
from tabnet.errors import StartError
from tabnet.games import GAMES
from tabnet.tournament.check.situations import (
    SituationResult,
    check_bot,
    make_situations,
    run_situation,
)
from tabnet.tournament.play.bots.entrants import find_bot
from tabnet.tournament.play.bots.process_settings import USUAL, ProcessSettings
from tabnet.tournament.play.guard.process_tree import list_children, read_status
from tabnet.tournament.play.sandbox.policy import NONE
from tests.cli.processes import TABNET
from tests.polling import until

BOTS = Path(__file__).parents[3] / "bots"
TIMEOUT_S = 20.0
"""For what comes."""
SHORT_S = 2.0
"""For what does not."""

CLIENT = """
import json, os, socket, sys, time
env = os.environ
connection = socket.create_connection((env["TABNET_HOST"], int(env["TABNET_PORT"])))
lines = connection.makefile("rb")
def send(**command): say(json.dumps(command))
def say(line): connection.sendall(line.encode() + b"\\\\n")
send(cmd="register", nick=env["TABNET_NICK"], password=env["TABNET_PASSWORD"])
say(env["TABNET_JOIN"])
for line in lines:
    frame = json.loads(line)
    if frame["type"] == "reply" and frame["cmd"] == "moves":
        {move}
    elif frame["type"] == "update" and "winner" in frame:
        {end}
    elif frame["type"] == "update" and frame["turn"] == env["TABNET_NICK"] and frame["expects"]:
        {turn}
""".replace("\\\\", "\\")
"""A client of few lines, with places for faults."""

SOUND = {
    "move": 'send(cmd="notify", **frame["moves"][0])',
    "end": 'say(env["TABNET_JOIN"])',
    "turn": 'send(cmd="moves" if frame["expects"] == "notify" else frame["expects"])',
}


@pytest.fixture
def client(tmp_path):
    """Writes a client with these faults, and gives back what starts it."""

    def write(**faults):
        text = CLIENT
        for place, code in (SOUND | faults).items():
            text = text.replace("{" + place + "}", code)
        (tmp_path / "client.py").write_text(text)
        return f"cmd:{sys.executable} {tmp_path}/client.py"

    return write


def usual_options(kind):
    game = GAMES[kind]
    return game.dump_options(game.options())


def found(source, name, kind="tab", patience=TIMEOUT_S, settings=USUAL):
    """Return what a bot does wrong in the situation of that name."""
    (situation,) = [
        each for each in make_situations(kind, usual_options(kind)) if each.name == name
    ]
    return run_situation(find_bot("bot", source), situation, patience, settings).mistake


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
def test_house_bots_pass_all_checks(kind):
    wrongs = [
        (result.name, result.mistake.text)
        for result in check_bot("greedy", kind, usual_options(kind), TIMEOUT_S)
        if result.mistake
    ]
    assert wrongs == []


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on this machine")
@pytest.mark.parametrize("kind", GAMES)
def test_a_bot_in_javascript_needs_nothing_but_the_protocol(kind):
    source = f"cmd:node {BOTS}/plain.js"
    wrongs = [
        (result.name, result.mistake.text)
        for result in check_bot(source, kind, usual_options(kind), TIMEOUT_S)
        if result.mistake
    ]
    assert wrongs == []


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("tab", "a whole game, and another one"),
        ("tab", "a forced pass"),
        ("tab", "an extra throw"),
        ("tab", "two destinations"),
        ("fish", "others are skipped"),
        ("plakoto", "a forced pass"),
        ("plakoto", "a double"),
    ],
)
def test_a_simple_client_passes_without_special_events(client, kind, name):
    assert found(client(), name, kind) is None


REPLIES = (
    ("def send(**command): say", "def send(**command):\n    global due\n    due += 1\n    say"),
    ("frame = json.loads(line)", 'frame = json.loads(line); due -= frame["type"] == "reply"'),
    ('say(env["TABNET_JOIN"])', 'say(env["TABNET_JOIN"]); due += 1'),
    ("env = os.environ", "env, due = os.environ, 0"),
)
"""Changes of the client: it counts the replies that are due, as protocol.md advises."""


@pytest.mark.parametrize("kind", GAMES)
def test_a_client_that_waits_for_its_replies_acts_once_after_a_draw_offer(client, kind):
    source = client(turn=f"if not due: {SOUND['turn']}")
    path = Path(source.split()[1])
    text = path.read_text()
    for before, after in REPLIES:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text)
    assert found(source, "a draw is offered", kind) is None


@pytest.mark.parametrize("kind", GAMES)
def test_a_client_that_acts_after_each_update_acts_twice_after_a_draw_offer(client, kind):
    wrong = found(client(), "a draw is offered", kind)
    assert wrong.text.startswith("this was refused: ")


@pytest.mark.parametrize(
    ("name", "faults", "expected", "line"),
    [
        (
            "a forced pass",
            {"turn": 'send(cmd="roll")'},
            "this was refused: You already rolled the dice and have no valid moves: pass (must_",
            b'{"cmd": "roll"}',
        ),
        (
            "an extra throw",
            {"turn": 'send(cmd="pass" if frame["dice"] else "roll")'},
            "this was refused: You already rolled the dice but can roll it again (must_roll_again)",
            b'{"cmd": "pass"}',
        ),
        (
            "two destinations",
            {
                "move": "cell = frame['moves'][0]['cell']; send(cmd='notify', cell=cell, to=cell)",
            },
            "this was refused: Invalid move: must play the dice's value (wrong_distance)",
            b'{"cmd": "notify", "cell": 25, "to": 25}',
        ),
        (
            "a whole game, and another one",
            {"turn": 'say("my move")'},
            "this is no command: this is not JSON: unexpected character",
            b"my move",
        ),
        (
            "a draw is offered",
            {},
            "this was refused: You already rolled the dice and have valid moves (must_move)",
            b'{"cmd": "roll"}',
        ),
        ("the connection is lost and resumed", {}, "after its connection was lost, it ended", None),
        (
            "unknown fields and frames",
            {"turn": "assert 'new' not in frame"},
            "it ended with exit code 1, saying: AssertionError",
            None,
        ),
        (
            "little time is left",
            {"move": "time.sleep(2); send(cmd='notify', **frame['moves'][0])"},
            "its time was up before a move",
            None,
        ),
        (
            "a long wait for an opponent",
            {"turn": "raise SystemExit(7)"},
            "it ended with exit code 7",
            None,
        ),
    ],
)
def test_mistakes_of_a_bot_are_reported(client, name, faults, expected, line):
    wrong = found(client(**faults), name)
    assert wrong.text.startswith(expected)
    assert (wrong.line or b"").startswith(line or b"")
    assert (wrong.line is None) == (line is None)


@pytest.mark.parametrize(
    ("kind", "name", "faults", "expected"),
    [
        ("tab", "a whole game, and another one", {"turn": "pass"}, "the end of the game"),
        (
            "tab",
            "the opponent leaves",
            {"end": "pass", "move": f"if 'moves' in frame: {SOUND['move']}"},
            "the line of TABNET_JOIN",
        ),
        (
            "tab",
            "an extra throw",
            {"turn": "if not frame['dice']: send(cmd='roll')"},
            "another roll: nothing can be moved",
        ),
        (
            "fish",
            "others are skipped",
            {"turn": "if frame['seq'] == 1: send(cmd='moves')"},
            "another move: nobody else can",
        ),
        (
            "plakoto",
            "a double",
            {"turn": "if frame['seq'] < 4: send(cmd='roll' if frame['seq'] == 1 else 'moves')"},
            "four moves: a double is played four times",
        ),
    ],
)
def test_a_bot_that_stops_is_reported(client, kind, name, faults, expected):
    wrong = found(client(**faults), name, kind, patience=SHORT_S)
    assert wrong.text == f"nothing came for 2 s; expected was {expected}"
    assert wrong.line is None


def test_a_bot_that_never_connects_is_reported():
    wrong = found("cmd:sh -c 'exit 3'", "two destinations")
    assert wrong.text == "it ended with exit code 3 and did not connect"
    wrong = found("cmd:sleep 100", "two destinations", patience=0.3)
    assert wrong.text == "it did not connect within 0.3 s"
    wrong = found("cmd:sh -c 'kill -9 $$'", "two destinations")
    assert wrong.text == "it was killed by SIGKILL and did not connect"


def test_a_bot_that_hangs_up_is_reported(client):
    turn = "connection.shutdown(socket.SHUT_RDWR); time.sleep(100)"
    assert found(client(turn=turn), "a forced pass").text == "it hung up and did not come back"


def test_a_bot_has_to_end_well_when_the_server_hangs_up(client):
    script = client().removeprefix("cmd:")
    no_sandbox = ProcessSettings(sandbox=NONE)  # the file is inside a word of the command line
    bot, name = f"cmd:sh -c '{script}; exit 3'", "the server hangs up"
    wrong = found(bot, name, settings=no_sandbox)
    assert wrong.text == "it ended with exit code 3 when the server hung up; exit code 0 is right"
    bot = f"cmd:sh -c '{script}; sleep 100'"
    wrong = found(bot, name, patience=SHORT_S, settings=no_sandbox)
    assert wrong.text == "it did not end when the server hung up"


def test_a_bot_on_another_machine_cannot_be_checked(capsys):
    assert main(["check", "remote:zp"]) == 1
    assert "remote:zp cannot be checked" in capsys.readouterr().err


def test_a_bot_that_sends_without_end_is_stopped(client):
    wrong = found(
        client(turn='send(cmd="ping")\n        while True: send(cmd="ping")'), "a forced pass"
    )
    assert wrong.text == "after 5000 lines it has not got there: a roll"


def test_the_command_prints_mistakes_and_their_lines(client, capsys, tmp_path):
    source = client(turn='say("my move")')
    assert main(["check", source, "--kind", "draughts", "--patience", "5"]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "WRONG  a whole game, and another one"
    assert shown[1].startswith("       this is no command: this is not JSON")
    assert shown[2] == "       sent line: my move"
    assert "ok     the server hangs up" in shown


def test_the_command_passes_a_house_bot(capsys):
    assert main(["check", "first", "--kind", "draughts"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert {line[:5] for line in shown} == {"ok   "}
    assert len(shown) == len(make_situations("draughts", {}))


def test_a_bot_that_cannot_be_started_is_reported_once(capsys):
    assert main(["check", "cmd:/no/such/program"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("tabnet: cmd:/no/such/program: there is no program ")
    assert main(["check", "greddy"]) == 1
    assert main(["check", "greedy", "--kind", "chess"]) == 1
    assert f"unknown kind 'chess' (one of: {' '.join(GAMES)})" in capsys.readouterr().err


@pytest.fixture
def mybot(tmp_path):
    """Returns a folder that is a bot."""
    folder = tmp_path / "mybot"
    folder.mkdir()
    text = "import helpers_of_mybot\nchoose = helpers_of_mybot.choose\n"
    (folder / "bot.py").write_text(text)
    (folder / "helpers_of_mybot.py").write_text(
        "def choose(state, moves, left):\n    return moves[0]\n"
    )
    return folder


def test_a_folder_is_checked(mybot):
    result = next(check_bot(f"{mybot}/", "tab", usual_options("tab"), TIMEOUT_S))
    assert (result.name, result.mistake) == ("a whole game, and another one", None)


def test_a_file_that_imports_its_neighbour_is_refused_once(mybot):
    (mybot / "helpers_of_mybot.py").rename(mybot / "neighbour.py")
    (mybot / "bot.py").write_text("import neighbour\nchoose = neighbour.choose\n")
    source = f"{mybot}/bot.py"
    with pytest.raises(StartError) as refused:
        next(check_bot(source, "tab", usual_options("tab"), TIMEOUT_S))
    advice = f"imports neighbour, a file beside it. Name the folder: {mybot}/"
    assert refused.value.text == f"{source}:1: import neighbour: {source} {advice}"


# Failing bot files


def shown_by_check(text, tmp_path, capsys, *options):
    """Return the exit code of a check of this bot file, and the lines that it prints."""
    path = tmp_path / "mine.py"
    path.write_text(text)
    code = main(["check", str(path), *options])
    return code, capsys.readouterr().out.splitlines()


def test_the_check_ends_at_an_exception_and_names_its_line_once(tmp_path, capsys):
    text = "def choose(state, moves, left):\n    print('thinking')\n    return [][9]\n"
    code, shown = shown_by_check(text, tmp_path, capsys)
    assert code == 1
    assert shown == [
        "WRONG  a whole game, and another one",
        "       | thinking",
        f"       {tmp_path / 'mine.py'}:3: return [][9]: IndexError: list index out of range",
        "The check ends here.",
    ]


def test_the_check_ends_at_an_endless_loop(tmp_path, capsys):
    text = "def choose(state, moves, left):\n    while True:\n        pass\n"
    code, shown = shown_by_check(text, tmp_path, capsys, "--patience", "1.5")
    assert code == 1
    assert shown == [
        "WRONG  a whole game, and another one",
        "       choose() did not return within 1.5 s",
        "The check ends here.",
    ]


def test_a_file_that_cannot_be_loaded_is_one_sentence(tmp_path, capsys):
    (tmp_path / "mine.py").write_text("choose = \n")
    assert main(["check", str(tmp_path / "mine.py")]) == 1
    assert capsys.readouterr() == ("", f"tabnet: {tmp_path / 'mine.py'}:1: invalid syntax\n")


def test_much_output_is_shortened_in_its_middle(capsys):
    output = "\n".join(map(str, range(30)))
    print_result(SituationResult("a forced pass", None, output))
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 22
    assert shown[10:13] == ["       | 9", "       | (10 lines are left out)", "       | 20"]


def test_a_situation_is_announced_before_it_begins():
    announced = []
    results = check_bot(
        *("first", "draughts", {}, TIMEOUT_S),
        on_begin=lambda *values: announced.append(values),
    )
    next(results)
    count = len(make_situations("draughts", {}))
    assert announced == [("a whole game, and another one", 1, count)]


def test_a_killed_check_leaves_no_process_of_its_bot(tmp_path):
    place = tmp_path / "loops"
    (tmp_path / "mine.py").write_text(
        "def choose(state, moves, left):\n"
        f"    open({str(place)!r}, 'w').close()\n"
        "    while True:\n"
        "        pass\n"
    )
    command = [TABNET, "check", tmp_path / "mine.py", "--sandbox", "none", "--patience", "100"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        until(place.exists)
        (guard,) = list_children(process.pid)
        (bot,) = list_children(guard)
        process.kill()
    until(lambda: has_ended(guard) and has_ended(bot))
    assert list_children(guard) == []


def has_ended(pid):
    """Return True if a process is gone, or a zombie of this process, its subreaper."""
    status = read_status(pid)
    return status is None or status.pages == 0
