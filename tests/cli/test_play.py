"""`tabnet play` as people have it: in a terminal, in a pipe, against somebody, alone."""

from __future__ import annotations

import os
import random
import re
import select
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tabnet.client.blocking import connect
from tabnet.games import GAMES
from tabnet.protocol.messages import COMMANDS
from tests.cable import Cable
from tests.cli.processes import TABNET, call_main, serving, tabnet
from tests.cli.terminals import terminal
from tests.polling import TIMEOUT_S, until

PLAIN_BOT = Path(__file__).with_name("plain_bot.py")


def answer(line: str, rng: random.Random) -> str:
    """Return the input of a person for a request."""
    if line.endswith("(Enter)"):
        return ""
    held = re.search(r"(\d+) goes to (\d+) or (\d+)", line)
    if held:
        return rng.choice(held.groups()[1:])
    return rng.choice(line.rpartition(": ")[2].removesuffix(", ...").split(", "))


WHOLE_GAMES = {"tab": ["--size", "7"], "draughts": [], "plakoto": []}


@pytest.mark.parametrize(("kind", "seed"), [("tab", 3), ("draughts", 1), ("plakoto", 2)])
def test_a_whole_game_at_one_keyboard_through_pipes(kind, seed):
    options = WHOLE_GAMES[kind]
    rng = random.Random(seed)
    with subprocess.Popen(
        [TABNET, "play", "--kind", kind, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if "your turn: " in line:
                process.stdin.write(answer(lines[-1], rng) + "\n")
        assert process.wait(TIMEOUT_S) == 0
    text = "\n".join(lines)
    assert "\x1b" not in text
    assert re.search(r"^(\w+ won: |The game is a draw: )", lines[-1])
    if kind == "tab":
        assert lines[-1].endswith(" won: the other side has no piece left.")
        assert "goes to" in text
        assert "a capture" in text


def test_three_players_at_one_keyboard_play_on_after_one_leaves():
    options = ["--kind", "fish", "--seats", "3", "--rows", "4", "--cols", "3", "--fish", "2"]
    tiles = [f"{letter}{row}" for row in range(4) for letter in "abc"]
    lines = "\n".join([*tiles[:9], "leave"]) + "\n"
    done = subprocess.run(
        [TABNET, "play", *options],
        input=lines,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    text = done.stdout
    assert "Fish: red (red) against white (white) against brown (brown)" in text
    assert text.count(" placed a penguin on ") == 9
    assert "(out)" in text.split("red left")[1]
    assert "The game ends here." in text


def test_a_game_of_draughts_at_one_keyboard_on_the_screen():
    rng = random.Random(5)
    with terminal("play", "--kind", "draughts") as screen:
        asked = ""
        for _ in range(12):
            text = screen.until(lambda text, asked=asked: order(text) not in ("", asked))
            asked = order(text)
            colour = asked.split(",")[0]
            board = [line for line in text.splitlines() if re.match(r" [1-8] ", line)]
            assert [line[1] for line in board] == sorted("12345678", reverse=colour == "White")
            screen.type(answer(asked, rng) + "\r")
        screen.until(lambda text: order(text) not in ("", asked))
        screen.type("leave\r")
        assert screen.end() == 0
    assert re.search(r"(White|Black) won: the other side left\.$", screen.text.rstrip())
    assert "\x1b[38;5;" in screen.raw


def order(text: str) -> str:
    """Return the request on the screen as one line."""
    found = re.search(r"^ (\w+, your turn: .*?)(?=^$|^ >)", text + "\n\n", re.MULTILINE | re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def test_a_whole_game_against_a_bot_on_a_server(tmp_path):
    rng = random.Random(8)
    with serving(tmp_path) as server:
        address = f"tcp://127.0.0.1:{server.tcp_port}"
        with terminal("play", "--server", address, "--kind", "draughts", "--seat", 1) as screen:
            screen.until("Waiting for an opponent.")
            join = '{"kind":"draughts","group":1}'
            bot = [sys.executable, PLAIN_BOT, "--join", join, "--port", server.tcp_port]
            with subprocess.Popen([*map(str, bot), "--seed", "1"], stdout=subprocess.DEVNULL) as it:
                asked = ""
                while "Black, your turn" in screen.until(
                    lambda text, asked=asked: (
                        order(text) not in ("", asked) or re.search(r"^(You|The game)", text, re.M)
                    )
                ):
                    asked = order(screen.text)
                    screen.type(answer(asked, rng) + "\r")
                assert it.wait(TIMEOUT_S) == 0
            assert screen.end() == 0
    assert re.search(r"^(You (won|lost)|The game is a draw)", screen.text, re.MULTILINE)


def test_a_game_of_tab_on_the_screen_against_a_script(tmp_path):
    """The own side is below, choices are marked, refusals explained, presence and clocks shown."""
    with serving(tmp_path) as server:
        ca = tmp_path / "cert.pem"
        with (
            terminal("play", "--server", server.tls, "--ca", ca, "--size", 7, "--seat", 1) as me,
            connect(f"tcp://127.0.0.1:{server.tcp_port}") as other,
        ):
            me.until("Waiting for an opponent.")
            me.until("tabnet play --server 127.0.0.1:")
            seat = other.join(group=1, size=7, seat=0)
            text = me.until("Blue is to roll.")
            rows = text.splitlines()
            assert rows[0].split()[:2] == [">", "Blue"]
            assert [rows[9].split(), rows[8].split()[0]] == [["r"] * 7, "21"]
            me.type("\r")
            me.until("it is not your turn")
            me.type("roll\r")
            me.until("Not your turn to play")
            me.until("Blue " + seat.nick + "   1:5")  # its clock is running
            me.type("1\x7fh\t\r")
            me.until("a cell, or a word: roll: throw")
            other.leave(seat.game)
            me.until("You won: the other side left.")
            assert me.end() == 0


def test_a_selected_piece_can_be_released(tmp_path):
    """A script plays both seats by the protocol until there is a fork; then a person takes one."""
    with serving(tmp_path) as server:
        address = f"tcp://127.0.0.1:{server.tcp_port}"
        with connect(address) as blue, connect(address) as red:
            game, nick, token, fork = play_to_a_fork(blue, red)
            seat = ["--game", game, "--nick", nick, "--token", token]
            with terminal("play", "--server", address, *seat) as me:
                me.until("your turn: choose a piece: ")
                me.type(f"{fork}\r")
                text = me.until(f"{fork} goes to ")
                assert "{B" in text or "{R" in text
                first, second = re.search(r"goes to (\d+) or (\d+)", text).groups()
                me.type("\t")
                me.until(f"{first}, {second}, {fork}, roll")
                me.type(f"{fork}\r")
                me.until("your turn: choose a piece: ")
                me.type(f"{fork}\r")
                me.until(f"{fork} goes to ")
                me.type(f"{second}\r")
                me.until(f"played {fork} to {second}")
                me.type("\x04")
                assert me.end() == 0
                assert "Your seat is kept" in me.text


def play_to_a_fork(blue, red):
    """Play at random until the player to act has a piece with two destinations."""
    rng = random.Random(4)
    seats = [blue.join(group=1, size=7), red.join(group=1, size=7)]
    clients = {seats[0].nick: blue, seats[1].nick: red}
    tokens = {seat.nick: seat.token for seat in seats}
    for update in blue.updates(seats[0].game):
        if update.turn is None:
            continue
        client = clients[update.turn]
        choices = client.moves(update.game)
        cells = [move["cell"] for move in choices.moves]
        forks = [cell for cell in cells if cells.count(cell) == 2]
        if forks:
            return update.game, update.turn, tokens[update.turn], forks[0]
        if choices.actions == ("notify",):
            client.notify(update.game, **rng.choice(choices.moves))
        else:
            client.ask(COMMANDS[choices.actions[0]](game=update.game))
    raise AssertionError("no fork in the whole game")


def test_ctrl_c_prints_the_command_that_rejoins_the_game(tmp_path):
    with serving(tmp_path) as server, connect(f"tcp://127.0.0.1:{server.tcp_port}") as other:
        with terminal("play", "--server", f"tcp://{server.tcp}", "--size", 7) as me:
            before = me.modes()
            me.until("Waiting")
            assert me.modes() != before
            other.join(group=1, size=7)
            me.until("your turn: roll (Enter)")
            me.type("abc\x03")
            assert me.end() == 130
            assert me.modes() == before
            assert me.raw.rstrip().endswith(me.text.rstrip()[-20:])
            assert "\x1b[?1049l" in me.raw
            assert "Traceback" not in me.raw
        command = shlex.split("".join(me.text.partition("To return: tabnet ")[2].split("\n")))
        with terminal(*command) as me:
            me.until("your turn: roll (Enter)")
            me.type("r\r")
            me.until("Blue threw")


def test_ctrl_c_while_waiting_leaves_the_queue(tmp_path):
    with serving(tmp_path) as server:
        with terminal("play", "--server", f"tcp://{server.tcp}") as me:
            me.until("Waiting")
            me.type("\x03")
            assert me.end() == 130
            assert me.text.strip() == "You left the queue before an opponent came."
        assert (
            "No game is being played" in tabnet("watch", "--server", f"tcp://{server.tcp}").stdout
        )


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_output_without_colour_has_no_escape_codes(env):
    with terminal("play", "--size", 7, **env) as me:
        me.until("Blue, your turn: roll (Enter)")
        me.type("nonsense\n")
        me.until("'nonsense' is not a word or a cell; roll, or type help")
        me.type("board\nroll\n")
        me.until("Blue threw ")
        me.type("\x04")
        assert me.end() == 0
    assert "\x1b" not in me.raw
    assert me.text.count("b r not moved") == 2
    assert me.text.rstrip().endswith("The game ends here.")


def test_a_resized_window_is_redrawn():
    with terminal("play", "--size", 9, columns=60, rows=24) as me:
        text = me.until(" Blue, your turn: roll (Enter)")
        assert max(map(len, text.splitlines())) <= 60
        assert text.splitlines()[2].startswith("   35    34")
        me.type("hel")
        me.until(" > hel")
        me.resize(45, 24)
        text = me.until(lambda text: text.splitlines()[2:3] and "  35  34" in text.splitlines()[2])
        me.until(" > hel")
        assert max(map(len, text.splitlines())) <= 45
        me.resize(100, 8)
        text = me.until(lambda text: len(text.splitlines()) <= 8 and " > hel" in text)
        assert "Blue, your turn" in text
        assert " Blue   " in text


def test_a_killed_server_is_reported_in_one_sentence(tmp_path):
    with serving(tmp_path) as server:
        options = ["--server", f"tcp://{server.tcp}", "--size", 7, "--retry-for", 0.2]
        with terminal("play", *options) as me:
            me.until("Waiting")
            server.process.kill()
            me.until("tabnet: cannot connect to tcp://127.0.0.1:")
            assert me.end() == 1
            assert "\x1b[?1049l" in me.raw
            assert "Connection refused; gave up" in me.text.replace("\n", "")
            assert "Traceback" not in me.raw


def test_a_restarted_server_without_the_game_is_reported(tmp_path):
    with serving(tmp_path, "--memory") as server:
        tcp = server.tcp
        with terminal("play", "--server", f"tcp://{tcp}", "--size", 7) as me:
            me.until("Waiting")
            server.process.kill()
            me.until("the connection is lost; reconnecting")
            me.type("roll\r")
            me.until(lambda text: text.count("the connection is lost") == 1)
            with serving(tmp_path, "--memory", "--tcp-port", tcp.rpartition(":")[2]):
                assert me.end() == 1
            assert "the server no longer has this game" in me.text


def test_a_game_continues_after_the_server_restarts(tmp_path):
    with serving(tmp_path) as server:
        tcp = server.tcp
        with terminal("play", "--server", f"tcp://{tcp}", "--kind", "draughts") as me:
            me.until("Waiting")
            server.process.kill()
            me.until("the connection is lost; reconnecting")
            with serving(tmp_path, "--tcp-port", tcp.rpartition(":")[2]):
                me.until("the connection is back")
                with connect(f"tcp://{tcp}") as other:
                    seat = other.join(kind="draughts", group=1)
                    me.until("your turn")
                    other.leave(seat.game)
                    assert me.end() == 0
                assert "You won" in me.text


def test_a_game_continues_after_an_automatic_reconnect(tmp_path):
    with (
        serving(tmp_path) as server,
        Cable(server.tcp_port) as cable,
        connect(f"tcp://{server.tcp}") as other,
    ):
        address = f"tcp://127.0.0.1:{cable.port}"
        with terminal("play", "--server", address, "--kind", "draughts") as me:
            me.until("Waiting for an opponent.")
            seat = other.join(kind="draughts", group=1)
            me.until("White, your turn")
            me.type("c3d4\r")
            me.until("White played c3 to d4")
            cable.cut()
            me.until("the connection is lost; reconnecting")
            me.type("moves\r")
            me.until("\n b6 a5, ")
            me.type("leave\r")  # is not sent later either: it would end the game
            me.until("the connection is lost; reconnecting")
            other.notify(seat.game, route=["b6", "a5"])
            cable.mend()
            me.until("Black played b6 to a5")
            me.type("d4c5\r")
            me.until("White played d4 to c5")
            other.leave(seat.game)
            assert me.end() == 0


def test_a_player_regains_the_seat_with_the_password(tmp_path):
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as other:
        who = ["--server", f"tcp://{server.tcp}", "--nick", "zp"]
        with terminal("play", *who, "--size", 7) as me:
            me.until("Password of zp:")
            me.type("secret\n")
            me.until("Waiting for an opponent.")
            game = other.join(group=1, size=7).game
            me.until("Blue zp   (you)")
            me.type("\x04")
            assert me.end() == 0
            assert "secret" not in me.raw
        with terminal("play", *who, "--password", "secret", "--game", game) as me:
            me.until("your turn: roll (Enter)")
            me.type("\r")
            me.until("Blue threw")
        with terminal("play", *who, "--password", "wrong", "--game", game) as me:
            assert me.end() == 1
            assert me.text.strip() == "tabnet: User registered with a different password"


def test_a_player_can_leave_the_queue(tmp_path):
    with serving(tmp_path) as server:
        with terminal("play", "--server", f"tcp://{server.tcp}") as me:
            me.until("Waiting for an opponent.")
            me.type("leave\r")
            assert me.end() == 0
        assert "You left the queue" in me.text


def test_ctrl_z_suspends_the_game_and_restores_the_terminal():
    with terminal("play") as me:
        me.until("your turn: roll (Enter)")
        me.type("he")
        me.until(" > he")
        me.type("\x1a")
        me.until(lambda text: "your turn" not in text)
        os.waitid(os.P_PID, me.process.pid, os.WSTOPPED)
        me.process.send_signal(signal.SIGCONT)
        me.until(" > he")
        me.type("l\t\r\x0c")
        me.until("a cell, or a word: ")
        me.process.terminate()
        assert me.end() == 128 + signal.SIGTERM
        assert "The game ends here." in me.text


def test_buffered_lines_are_played_one_per_turn(tmp_path):
    with (
        serving(tmp_path) as server,
        connect(f"tcp://{server.tcp}") as other,
        subprocess.Popen(
            [TABNET, "play", "--server", f"tcp://{server.tcp}", "--size", "7"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as me,
    ):
        me.stdin.write("roll\n")
        me.stdin.close()
        assert "Waiting for an opponent.\n" in iter(me.stdout.readline, "")
        other.join(group=1, size=7)
        lines = me.stdout.read().splitlines()
        assert me.wait(TIMEOUT_S) == 0
    assert sum(line.startswith("Blue threw ") for line in lines) == 1
    assert "Your seat is kept, and your clock runs. To return: tabnet play" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--increment", "5"], "--increment needs a total time (--total)"),
        (["--nick", "zp"], "--nick is for a game on a server (--server)"),
        (["--kind", "chess"], f"unknown kind 'chess' (one of: {' '.join(GAMES)})"),
        (["--size", "8"], "invalid size '8' (an odd integer from 7 to 15)"),
        (["--server", "tcp://127.0.0.1:1"], "cannot connect to tcp://127.0.0.1:1: Connection"),
        (["--server", "tcp://127.0.0.1:1", "--nick", "zp"], "zp needs a password (--password)"),
    ],
)
def test_an_error_is_one_sentence(arguments, message):
    ended = call_main("play", *arguments)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"tabnet: {message}")
    assert ended.stderr.count("\n") == 1
    assert "Traceback" not in ended.stderr


def test_a_refusal_of_a_server_is_one_sentence(tmp_path):
    with serving(tmp_path) as server:
        for options, message in (
            (["--kind", "chess"], f"unknown kind 'chess' (one of: {' '.join(GAMES)})"),
            (["--nick", "guest-1", "--password", "x"], "nicks that begin with"),
            (["--game", "x", "--nick", "zp", "--token", "t"], "Invalid game reference"),
            (["--game", "x"], "--game needs --nick (and --token or --password)"),
        ):
            ended = call_main("play", "--server", f"tcp://{server.tcp}", *options)
            assert ended.returncode == 1
            assert message in ended.stderr
            assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_the_bot_process_ends_when_the_terminal_closes(number):
    with terminal("play", "--opponent", "greedy") as me:
        me.until("your turn")
        threads = Path(f"/proc/{me.process.pid}/task")

        def children():
            return [pid for each in threads.glob("*/children") for pid in each.read_text().split()]

        until(children)
        bot = os.pidfd_open(int(*children()))
        try:
            me.process.send_signal(number)
            assert select.select([bot], [], [], TIMEOUT_S)[0], "the bot goes on"
        finally:
            os.close(bot)


def test_a_private_game_is_joined_with_its_invite_and_drawn(tmp_path):
    with serving(tmp_path) as server:
        where = ["--server", f"tcp://{server.tcp}"]
        with terminal("play", *where, "--size", 7, "--private", "--strict", "--seat", 0) as host:
            host.until("--invite")
            invite = re.search(r"--invite\s+(\w+)", host.text)[1]
            with terminal("play", *where, "--invite", invite) as guest:
                host.until("your turn: roll (Enter)")
                guest.until("Blue is to roll")
                guest.type("draw\r")
                host.until("offers a draw")
                guest.type("nodraw\r")
                guest.until(lambda text: "offers a draw" not in text)
                guest.type("draw\r")
                host.until("offers a draw")
                host.type("draw\r")
                assert host.end() == 0
                assert guest.end() == 0
            assert "The game is a draw" in host.text


def test_an_invalid_invite_is_reported(tmp_path):
    with serving(tmp_path) as server:
        refused = tabnet("play", "--server", f"tcp://{server.tcp}", "--invite", "nothing")
    assert refused.stderr == "tabnet: no private game waits for this invite\n"
