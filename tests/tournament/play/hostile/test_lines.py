"""Bots that send garbage, parts of lines or floods, or use tokens and nicks of other players."""

from __future__ import annotations

import pytest

from tests.tournament.play.hostile.tournaments import Mode, Theme, check

pytestmark = pytest.mark.slow

LINES = Theme(
    {
        "garbage": Mode(
            """
def decide(bot, turn):
    if bot.turns == 3:
        bot.socket.sendall(b"\\xff\\x00 e2-e4\\n")
        time.sleep(1000)
""",
            "malformed",
            "this is not JSON",
        ),
        "half_a_line": Mode(
            """
def decide(bot, turn):
    if bot.turns == 3:
        bot.socket.sendall(b'{"cmd":"notify","ce')
        time.sleep(1000)
""",
            "timeout_move",
        ),
        "half_a_line_and_exit": Mode(
            """
def decide(bot, turn):
    if bot.turns == 3:
        bot.socket.sendall(b'{"cmd":"notify","ce')
        sys.exit(7)
""",
            "crash",
            "exit code 7",
        ),
        "byte_by_byte": Mode(
            """
def decide(bot, turn):
    for byte in json.dumps(turn["moves"][0]).encode() + b"\\n":
        bot.socket.sendall(bytes([byte]))
    return DONE
"""
        ),
        "gigabyte_to_socket": Mode(
            """
def decide(bot, turn):
    if bot.turns == 3:
        for _ in range(1024):
            bot.socket.sendall(bytes(1 << 20))
""",
            "malformed",
            "65536",
        ),
        "gigabyte_of_pings": Mode(
            """
def decide(bot, turn):
    if bot.turns == 3:
        while True:
            bot.socket.sendall(b'{"cmd":"ping"}\\n' * 4096)
""",
            "timeout_move",
            other_cause="crash",  # if it is disconnected earlier, because it reads no reply
        ),
    },
    ("--clock", "3"),
)


def test_garbage_and_floods_end_only_the_games_of_their_sender(tmp_path):
    check(tmp_path, LINES)


PLAYERS = Theme(
    {
        "other_tokens": Mode(
            """
def decide(bot, turn):
    game = turn["game"]
    for token in ("0" * 32, "f" * 32, game):
        answer = bot.ask(cmd="state", game=game, token=token)
        assert "error" in answer, answer
"""
        ),
        "other_nicks": Mode(
            """
def decide(bot, turn):
    if bot.turns == 2:
        other = Bot()
        refusals = 0
        for nick in ("first.1", "first.2", "first.3", "first.4", "someone"):
            answer = other.ask(cmd="register", nick=nick, password="guess")
            refusals += "error" in answer
            if "error" not in answer:  # nobody has this nick here
                answer = other.ask(**json.loads(os.environ["TABNET_JOIN"]))
                assert "error" in answer, answer
        assert 0 < refusals < 5
        other.socket.close()
"""
        ),
        "reconnects": Mode(
            """
def decide(bot, turn):
    if bot.turns % 3 == 0:
        bot.socket.shutdown(socket.SHUT_RDWR)
        bot.connect()
        bot.register()
        bot.send(cmd="update", feed="turns")
        bot.follow()
        return DONE
"""
        ),
        "connects_2000_times": Mode(
            """
def decide(bot, turn):
    if bot.turns == 2:
        import resource
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        address = bot.socket.getpeername()
        bot.many = []
        try:
            for _ in range(2000):
                bot.many.append(socket.create_connection(address, 0.2))
        except OSError:
            pass
        is_open = 0
        for each in bot.many:
            each.settimeout(5)
            try:
                is_open += bool(each.recv(1))
            except ConnectionResetError:
                pass
        assert 0 < is_open < 16, is_open
"""
        ),
        "hangs_up": Mode(
            """
def decide(bot, turn):
    if bot.turns == 3:
        bot.socket.shutdown(socket.SHUT_RDWR)
        time.sleep(1000)
""",
            "disconnect",
            "it hung up and did not come back",
        ),
    },
)


def test_bots_gain_nothing_from_tokens_nicks_and_connections(tmp_path):
    check(tmp_path, PLAYERS)
