"""`tabnet admin` on a data folder, with a server running on it and without."""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.error
import urllib.request

import pytest

from tabnet.client.blocking import connect
from tabnet.errors import Disconnected, Refused
from tests.cli.processes import TABNET, open_database, serving, tabnet
from tests.polling import TIMEOUT_S, until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A data folder and the id of the game that zp and jpleal play there; no server runs on it."""
    folder = tmp_path_factory.mktemp("played")
    with serving(folder) as server, connect(f"tcp://{server.tcp}") as zp:
        zp.register("zp", "secret")
        with connect(f"tcp://{server.tcp}") as jpleal:
            jpleal.register("jpleal", "another")
            game = zp.join(group=1, size=7).game
            assert jpleal.join(group=1, size=7).game == game
        server.process.terminate()
        assert server.process.wait(TIMEOUT_S) == 0
    return folder, game


@pytest.fixture(params=[True, False], ids=["running", "stopped"])
def admin(request, played, tmp_path):
    """Run a task of `tabnet admin` on a copy of the folder, with a server running on it or not."""
    folder, game = played
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    if request.param:
        with serving(tmp_path) as server:
            yield Office(tmp_path, game, server.tcp)
    else:
        yield Office(tmp_path, game, None)


class Office:
    """The folder, the game that is played there, and the server if one runs."""

    def __init__(self, folder, game, address):
        self.folder, self.game, self.address = folder, game, address

    def __call__(self, *task):
        return tabnet("admin", *task, "--data", self.folder)

    def ask(self, question):
        """Return the result of a function of a client of the server on the folder."""
        if self.address:
            with connect(f"tcp://{self.address}") as client:
                return question(client)
        with serving(self.folder) as server, connect(f"tcp://{server.tcp}") as client:
            return question(client)


def test_a_game_is_ended_without_a_winner(admin):
    done = admin("end", admin.game)
    assert (done.returncode, done.stdout) == (0, "the game of zp and jpleal is over\n")
    standing = admin.ask(lambda client: client.state(admin.game))
    assert standing.status == "ended"
    assert standing.update["event"] == {"type": "end"}
    assert standing.update["winner"] is None
    assert standing.update["result"]["reason"] == "ended"
    again = admin("end", admin.game)
    assert again.returncode == 1
    assert "the game is over" in again.stderr or "Invalid game reference" in again.stderr


def test_a_wait_is_ended(admin):
    waits = admin.ask(lambda client: client.join(kind="draughts", private=True).game)
    assert admin("end", waits).stdout.startswith("the wait of guest-")
    with pytest.raises(Refused, match="Invalid game reference"):
        admin.ask(lambda client: client.state(waits))


def test_a_password_is_replaced(admin):
    done = admin("reset-password", "zp")
    password = done.stdout.rpartition(": ")[2].strip()
    assert done.stdout == f"zp has a new password: {password}\n"
    assert len(password) >= 12
    with pytest.raises(Refused, match="different password"):
        admin.ask(lambda client: client.register("zp", "secret"))
    admin.ask(lambda client: client.register("zp", password))
    assert admin("reset-password", "zp", "--password", "mine").stdout == "zp has a new password\n"
    admin.ask(lambda client: client.register("zp", "mine"))
    nobody = admin("reset-password", "nobody")
    assert (nobody.returncode, nobody.stderr) == (1, "tabnet: nobody is not registered\n")


def test_a_banned_player_loses_the_games_until_the_ban_is_lifted(admin):
    assert admin("ban", "zp", "--reason", "two nicks").stdout == "zp is banned\n"
    assert admin.ask(lambda client: client.state(admin.game)).update["winner"] == "jpleal"
    with pytest.raises(Refused, match="zp is banned: two nicks"):
        admin.ask(lambda client: client.register("zp", "secret"))
    assert admin("unban", "zp").stdout == "zp is not banned any more\n"
    admin.ask(lambda client: client.register("zp", "secret"))


def test_a_printed_list_has_no_terminal_escapes(admin):
    assert admin("ban", "zp", "--reason", "\x1b[31mred\x9b2J\n\u202eplayers: 9").returncode == 0
    listed = admin("list").stdout
    assert "\nplayers: 1\n" in listed
    assert "banned: ?[31mred?2J ?players: 9" in listed
    assert all(line.isprintable() for line in listed.splitlines())
    (zp,) = json.loads(admin("list", "--json").stdout)["players"]
    assert zp["banned"] == "\x1b[31mred\x9b2J\n\u202eplayers: 9"
    assert admin("list", "--json").stdout.strip().isprintable()
    refused = admin("ban", "\x1b[31mred")
    assert refused.stderr == "tabnet: ?[31mred is not registered\n"


def test_games_and_players_are_listed(admin):
    admin.ask(lambda client: client.join(kind="draughts", private=True))
    lines = admin("list").stdout.splitlines()
    assert lines[0] == "matches: 1"
    assert lines[1].startswith(f"  {admin.game}  tab  zp and jpleal  update 1, zp to act")
    assert lines[2] == "waits: 1"
    assert lines[3].endswith("  1 of 2 seats, private")
    assert lines[-1] == "set aside: 0"
    listed = json.loads(admin("list", "--json").stdout)
    fields = ["version", "matches", "waits", "players", "banned_addresses", "set_aside"]
    assert list(listed) == fields
    assert listed["version"] == 1
    assert [match["game"] for match in listed["matches"]] == [admin.game]
    assert {"zp", "jpleal"} <= {player["nick"] for player in listed["players"]}


def test_an_export_has_the_rows_of_a_match_before_and_after_its_end(admin):
    rows = [json.loads(line) for line in admin("export", admin.game).stdout.splitlines()]
    assert [row["table"] for row in rows] == ["matches", "tokens", "tokens", "journal"]
    assert [seat["nick"] for seat in rows[0]["seats"]] == ["zp", "jpleal"]
    assert rows[3]["events"] == [[admin.game, 1, 0, "start", None, None]]
    assert admin("end", admin.game).returncode == 0
    rows = [json.loads(line) for line in admin("export", admin.game).stdout.splitlines()]
    assert [row["table"] for row in rows] == ["matches", "tokens", "tokens"]
    assert [event[2] for event in rows[0]["history"]] == ["start", "end"]
    missing = admin("export", "nothing")
    assert missing.returncode == 1
    assert "no match nothing is stored in" in missing.stderr


@pytest.mark.parametrize("admin", [False], indirect=True, ids=["stopped"])
def test_a_match_that_was_set_aside_is_listed_exported_and_ended(admin):
    change(admin.folder, "UPDATE journal SET events = '[['")

    def listed():
        return json.loads(admin("list", "--json").stdout)["set_aside"]

    (row,) = listed()
    assert (row["game"], row["players"]) == (admin.game, ["zp", "jpleal"])
    assert "wrong checksum" in row["reason"]
    assert f"  {admin.game}  zp and jpleal  {row['reason']}" in admin("list").stdout
    exported = json.loads(admin("export", admin.game).stdout.splitlines()[-1])
    assert exported["events"] == "[["
    with serving(admin.folder):
        assert listed() == [row]
        done = admin("end", admin.game)
        assert (done.returncode, done.stdout) == (0, "the game of zp and jpleal is over\n")
        assert listed() == []
    assert listed() == []
    assert json.loads(admin("export", admin.game).stdout.splitlines()[0])["entries"]


def change(folder, statement):
    """Change the database of a stopped server by hand."""
    with open_database(folder / "tabnet.db") as database:
        assert database.execute(statement).rowcount


def test_a_banned_player_is_disconnected(tmp_path):
    with serving(tmp_path) as server:
        zp = connect(f"tcp://{server.tcp}", retry_for=0)
        zp.register("zp", "secret")
        assert tabnet("admin", "ban", "zp", "--data", tmp_path).returncode == 0
        with pytest.raises((Disconnected, Refused)):
            zp.join(group=1, size=7)
        zp.close()


def test_a_range_of_addresses_is_banned_listed_and_unbanned(admin):
    banned = admin("ban", "192.0.2.0/24", "--reason", "a flood")
    assert (banned.returncode, banned.stdout) == (0, "192.0.2.0/24 is banned\n")
    assert admin("ban", "2001:db8::/32").stdout == "2001:db8::/32 is banned\n"
    listed = admin("list").stdout
    assert "banned addresses: 2\n  192.0.2.0/24  a flood\n  2001:db8::/32  no reason" in listed
    assert admin("unban", "192.0.2.0/24").stdout == "192.0.2.0/24 is not banned any more\n"
    assert json.loads(admin("list", "--json").stdout)["banned_addresses"] == [
        {"range": "2001:db8::/32", "reason": "no reason given"}
    ]
    own = admin("ban", "127.0.0.0/8")
    assert (own.returncode, own.stdout) == (1, "")
    assert "the server's own machine, which cannot be banned" in own.stderr
    nick = admin("ban", "192.0.2.7", "--nick")
    assert "192.0.2.7 is not registered" in nick.stderr


def test_the_password_of_an_added_nick_works_although_registration_is_closed(tmp_path):
    with serving(tmp_path, "--registration", "closed", "--http-port", "0") as server:
        with connect(f"tcp://{server.tcp}") as client:
            with pytest.raises(Refused, match="anna is not registered, and this server registers"):
                client.register("anna", "hers")
            login = json.dumps({"user": "anna", "password": "hers", "nick": "anna"}).encode()
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"http://{server.http}/register", login, TIMEOUT_S)
            with refused.value:
                assert "registers no new nicks" in json.load(refused.value)["error"]
            added = tabnet("admin", "add", "anna", "--data", tmp_path)
            said, password = added.stdout.strip().split(": ")
            assert (added.returncode, said) == (0, "anna is registered")
            client.register("anna", password)
        again = tabnet("admin", "add", "anna", "--data", tmp_path)
        assert (again.returncode, again.stdout) == (1, "")
        assert "anna is registered already" in again.stderr


def test_a_bot_prints_why_its_connection_is_closed(tmp_path):
    with serving(tmp_path) as server:
        login = ("--server", f"tcp://{server.tcp}", "--nick", "zp", "--password", "secret")
        bot = subprocess.Popen([TABNET, "bot", "first", *login], stderr=subprocess.PIPE, text=True)

        def is_waiting():
            waits = json.loads(tabnet("admin", "list", "--json", "--data", tmp_path).stdout)
            return waits["waits"]

        until(is_waiting)
        done = tabnet("admin", "reset-password", "zp", "--data", tmp_path)
        assert done.returncode == 0
        _, printed = bot.communicate(timeout=TIMEOUT_S)
    reason = "the operator has given zp another password: log in with that one"
    line = f"tabnet: the server closed the connection: {reason}\n"
    assert (bot.returncode, printed) == (1, line)


def test_a_client_does_not_reconnect_with_a_password_that_was_replaced(tmp_path):
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as zp:
        zp.register("zp", "secret")
        game = zp.join(group=1, size=7).game
        assert tabnet("admin", "reset-password", "zp", "--data", tmp_path).returncode == 0
        with pytest.raises(Disconnected, match="has given zp another password"):
            next(zp.updates(game))


def test_a_backup_is_a_database_and_overwrites_no_file(admin, tmp_path):
    copy = tmp_path / "copy.db"
    assert admin("backup", copy).returncode == 0
    assert copy.stat().st_mode & 0o777 == 0o600
    with open_database(copy) as database:
        assert database.execute("SELECT nick FROM accounts ORDER BY nick").fetchall() == [
            ("jpleal",),
            ("zp",),
        ]
    again = admin("backup", copy)
    assert again.returncode == 1
    assert "exists already" in again.stderr


def test_old_matches_are_pruned_and_rankings_stay(admin):
    admin.ask(lambda client: (client.register("zp", "secret"), client.leave(admin.game)))
    assert admin("prune", "--days", "1").stdout == "deleted games: 0\n"
    assert admin("prune", "--days", "0").stdout == "deleted games: 1\n"
    assert "-1 is not a number of days" in admin("prune", "--days", "-1").stderr
    ranking = admin.ask(lambda client: client.ranking(group=1, size=7))
    assert [(score.nick, score.victories) for score in ranking] == [("jpleal", 1), ("zp", 0)]


def test_a_folder_without_a_server_s_data_is_refused(tmp_path):
    for task in (["end", "x"], ["backup", tmp_path / "copy"], ["prune", "--days", "1"]):
        refused = tabnet("admin", *task, "--data", tmp_path / "nowhere")
        assert refused.returncode == 1
        assert "there is no database in" in refused.stderr
        assert not (tmp_path / "nowhere").exists()
