"""`tabnet admin` on a data folder, with a server running on it and without."""

from __future__ import annotations

import sqlite3

import pytest

from tabnet.client.blocking import connect
from tabnet.errors import Disconnected, Refused
from tests.cli.processes import serving, tabnet


@pytest.fixture(params=[True, False], ids=["running", "stopped"])
def admin(request, tmp_path):
    """Run a task of `tabnet admin` on a folder where zp and jpleal have been playing.

    `served` is the address of a server on the folder: for `running` the one that obeys, otherwise
    one that starts afterwards.
    """
    with serving(tmp_path) as server, connect(f"tcp://{server.tcp}") as zp:
        zp.register("zp", "secret")
        with connect(f"tcp://{server.tcp}") as jpleal:
            jpleal.register("jpleal", "another")
            game = zp.join(group=1, size=7).game
            assert jpleal.join(group=1, size=7).game == game
        if request.param:
            yield Office(tmp_path, game, server.tcp)
            return
    yield Office(tmp_path, game, None)


class Office:
    """The folder, the game that is played there, and the server if one runs."""

    def __init__(self, folder, game, address):
        self.folder, self.game, self.address = folder, game, address

    def __call__(self, *task):
        return tabnet("admin", *task, "--data", self.folder)

    def ask(self, question):
        """What a client of the server on the folder is told."""
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


def test_a_ban_gives_up_the_games_and_is_lifted(admin):
    assert admin("ban", "zp", "--reason", "two nicks").stdout == "zp is banned\n"
    assert admin.ask(lambda client: client.state(admin.game)).update["winner"] == "jpleal"
    with pytest.raises(Refused, match="zp is banned: two nicks"):
        admin.ask(lambda client: client.register("zp", "secret"))
    assert admin("ban", "zp", "--lift").stdout == "zp may come in again\n"
    admin.ask(lambda client: client.register("zp", "secret"))


def test_who_is_banned_is_disconnected(tmp_path):
    with serving(tmp_path) as server:
        zp = connect(f"tcp://{server.tcp}", retry_for=0)
        zp.register("zp", "secret")
        assert tabnet("admin", "ban", "zp", "--data", tmp_path).returncode == 0
        with pytest.raises((Disconnected, Refused)):
            zp.join(group=1, size=7)
        zp.close()


def test_a_backup_is_a_database_and_replaces_nothing(admin, tmp_path):
    copy = tmp_path / "copy.db"
    assert admin("backup", copy).returncode == 0
    assert copy.stat().st_mode & 0o777 == 0o600
    with sqlite3.connect(copy) as database:
        assert database.execute("SELECT nick FROM accounts ORDER BY nick").fetchall() == [
            ("jpleal",),
            ("zp",),
        ]
    again = admin("backup", copy)
    assert again.returncode == 1
    assert "is there already" in again.stderr


def test_what_ended_long_ago_is_pruned_and_rankings_stay(admin):
    admin.ask(lambda client: (client.register("zp", "secret"), client.leave(admin.game)))
    assert admin("prune", "--days", "1").stdout == "deleted games: 0\n"
    assert admin("prune", "--days", "0").stdout == "deleted games: 1\n"
    assert "-1 is no number of days" in admin("prune", "--days", "-1").stderr
    ranking = admin.ask(lambda client: client.ranking(group=1, size=7))
    assert [(score.nick, score.victories) for score in ranking] == [("jpleal", 1), ("zp", 0)]


def test_a_folder_without_a_server_s_data_is_refused(tmp_path):
    for task in (["end", "x"], ["backup", tmp_path / "copy"], ["prune", "--days", "1"]):
        refused = tabnet("admin", *task, "--data", tmp_path / "nowhere")
        assert refused.returncode == 1
        assert "there is no database in" in refused.stderr
        assert not (tmp_path / "nowhere").exists()
