"""The state of a client, without a socket."""

from __future__ import annotations

import json

import pytest

from tabnet import GAMES, state_of
from tabnet.client.client_state import ClientState, raise_if_refused, without_none
from tabnet.errors import InvalidPosition, Refused
from tabnet.protocol import messages as m
from tabnet.protocol.dice import hash_salt
from tabnet.protocol.frames import Failed, Joined, Presence, Reply, Snapshot, StateReply


def sent(line):
    return json.loads(line)


def snapshot(seq, **position):
    return Snapshot(game="g", seq=seq, position=position)


@pytest.fixture
def seated():
    """A dialogue with one seat."""
    client_state = ClientState()
    client_state.on_frame(Joined(cmd="join", game="g", nick="zp", token="t"))
    return client_state


def test_commands_are_numbered():
    client_state = ClientState()
    lines = [client_state.number_command(m.Ping()) for _ in range(3)]
    assert [number for number, _ in lines] == [1, 2, 3]
    assert [sent(line) for _, line in lines] == [{"cmd": "ping", "id": n} for n in (1, 2, 3)]


def test_commands_of_a_seat_carry_its_token(seated):
    for command in (m.RollCommand(), m.RollCommand(game="g")):
        assert (
            sent(seated.number_command(command)[1]).items() >= {"game": "g", "token": "t"}.items()
        )
    assert "token" not in sent(seated.number_command(m.RollCommand(game="other"))[1])
    assert "token" not in sent(
        seated.number_command(m.RollCommand(game="g", nick="zp", password="x"))[1]
    )
    assert sent(seated.number_command(m.RollCommand(game="g", token="own"))[1])["token"] == "own"


def test_a_client_with_two_seats_must_name_the_game(seated):
    seated.on_frame(Joined(cmd="join", game="h", nick="zp", token="u"))
    assert "game" not in sent(seated.number_command(m.RollCommand())[1])
    seated.on_frame(Snapshot(game="g", seq=1, position={"winner": None}))
    assert sent(seated.number_command(m.RollCommand())[1])["game"] == "h"


def test_a_repeated_update_is_stored_once(seated):
    for seq in (1, 2, 2, 1, 3):
        seated.on_frame(snapshot(seq))
    assert [update.seq for update in seated.updates["g"]] == [1, 2, 3]
    assert not seated.is_over("g")
    seated.on_frame(snapshot(4, winner="zp"))
    assert seated.is_over("g")


def test_the_latest_presence_notice_counts(seated):
    seated.on_frame(Presence(game="g", online={"zp": True, "jpleal": False}))
    assert seated.online["g"] == {"zp": True, "jpleal": False}
    seated.on_frame(StateReply(cmd="state", game="g", status="playing", online={"zp": True}))
    assert seated.online["g"] == {"zp": True}
    seated.on_frame(StateReply(cmd="state", game="g", status="ended"))
    assert seated.online["g"] == {}


def test_a_reconnecting_client_logs_in_and_resumes_its_games(seated):
    seated.note_login("zp", "secret")
    seated.on_frame(snapshot(5))
    seated.on_frame(Snapshot(game="old", seq=1, position={"winner": None}))
    seated.keep_updates("watched")
    lines = [json.loads(line) for line in seated.make_resume_lines().splitlines()]
    for line in lines:
        del line["id"]
    assert lines == [
        {"cmd": "register", "nick": "zp", "password": "secret"},
        {"cmd": "update", "game": "g", "since": 5},
        {"cmd": "update", "game": "watched", "since": 0},
    ]


def test_a_reconnecting_guest_does_not_log_in():
    assert ClientState().make_resume_lines() == b""


def test_a_game_that_cannot_be_resumed_is_dropped(seated):
    (line,) = seated.make_resume_lines().splitlines()
    seated.on_frame(Failed(cmd="update", id=sent(line)["id"], error="Invalid", code="unknown_game"))
    assert seated.lost_games["g"].code == "unknown_game"


def test_only_refusals_are_raised():
    reply = Reply(cmd="ping")
    assert raise_if_refused(reply) is reply
    with pytest.raises(Refused, match="no"):
        raise_if_refused(Failed(cmd="ping", error="no", code="idle"))


def test_absent_values_are_omitted():
    assert without_none(a=1, b=None, c=0) == {"a": 1, "c": 0}


@pytest.mark.parametrize("kind", GAMES)
def test_the_position_of_an_update_is_the_state_of_the_rules(kind):
    game = GAMES[kind]
    without_none = {"rows": 9, "cols": 9, "fish": 1} if kind == "fish" else {}
    state = game.start(game.make_options(without_none))
    players = dict(zip(("zp", "jpleal"), game.colours, strict=False))
    for _ in range(30):
        view = {**state.view(), "kind": kind, "players": players, "clock": {}}
        for name in ("turn", "mustPass"):
            if view.get(name) is not None:
                view[name] = list(players)[view[name]]
        assert state_of(snapshot(1, **view)) == state
        rolls = state.chances()
        state = state.apply(rolls[-1][0] if rolls else state.actions()[0])


def test_an_update_with_an_invalid_position_is_refused():
    with pytest.raises(InvalidPosition):
        state_of(
            snapshot(1, kind="tab", players={}, pieces=[], turn=None, dice=None, mustPass=None)
        )


def begun(hashes):
    """The first update of a game, as far as it is about salts."""
    return snapshot(1, event={"type": "start"}, dice_salt_hashes=hashes)


def test_a_promised_salt_is_sent_after_the_start(seated):
    hash_hex = seated.add_salt(bytes(16))
    assert hash_hex == hash_salt(bytes(16))
    assert seated.on_frame(Joined(cmd="join", game="g", nick="zp", token="t")) == b""
    line = sent(seated.on_frame(begun({"zp": hash_hex, "other": "00"})))
    assert line == {"cmd": "salt", "game": "g", "token": "t", "salt": "00" * 16, "id": 1}
    assert seated.on_frame(snapshot(2, event={"type": "salt", "salt": "11" * 16})) == b""


def test_a_salt_is_sent_again_until_an_update_contains_it(seated):
    seated.on_frame(begun({"zp": seated.add_salt(bytes(16))}))
    resumed = [sent(line)["cmd"] for line in seated.make_resume_lines().splitlines()]
    assert resumed == ["update", "salt"]
    seated.on_frame(snapshot(2, event={"type": "salt", "salt": "00" * 16}))
    assert [sent(line)["cmd"] for line in seated.make_resume_lines().splitlines()] == ["update"]


def test_no_salt_is_sent_to_a_finished_game(seated):
    seated.on_frame(begun({"zp": seated.add_salt(bytes(16))}))
    seated.on_frame(snapshot(2, event={"type": "leave"}, winner="zp"))
    assert seated.make_resume_lines() == b""


def test_no_salt_is_sent_to_a_game_without_promised_salts(seated):
    seated.add_salt(bytes(16))
    assert seated.on_frame(begun({"zp": None, "other": "00"})) == b""
