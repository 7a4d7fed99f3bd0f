"""The service beside playing: greeting, help, schema, ping, quit, scoreboards and memory."""

from __future__ import annotations

import itertools
import json

import pytest

from tabnet.protocol import messages as m
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.frames import Reply
from tabnet.server.core import game_index as games
from tabnet.server.core.effects import Close, Log, Send
from tabnet.server.core.rooms.room_handlers import ROOM_HANDLERS
from tabnet.server.core.service import HANDLERS
from tests.server.pure import Referee, fix_throws, pair

TERMS = {"group": 99, "size": 9}


def test_every_command_is_served() -> None:
    assert set(HANDLERS) == {*m.COMMANDS.values(), *ROOM_HANDLERS}


def test_ping_and_quit(referee: Referee) -> None:
    session = referee.connect()
    assert referee.say(session, "ping") == {}
    assert referee.closed == set()
    effects = referee.service.handle(session, m.Quit(), 0)
    assert effects == [Send((session,), Reply(cmd="quit")), Close(session)]
    assert referee.say(session, "quit") == {}
    assert referee.closed == {session}


@pytest.mark.parametrize("id", [0, -1, 2**63 - 1, "", "x" * 128, "ü"])
def test_the_reply_repeats_the_id(referee: Referee, id: int | str) -> None:
    session = referee.connect()
    line = json.dumps({"cmd": "ping", "id": id}).encode()
    assert referee.send(session, line) == {"cmd": "ping", "id": id}
    line = json.dumps({"cmd": "leave", "id": id}).encode()
    assert referee.send(session, line)["id"] == id


def test_the_reply_to_a_command_without_an_id_has_none(referee: Referee) -> None:
    session = referee.connect()
    assert referee.send(session, b'{"cmd":"ping"}') == {"cmd": "ping"}
    assert "id" not in referee.send(session, b'{"cmd":"leave"}')


def test_a_refusal_is_logged_without_secrets(referee: Referee) -> None:
    session = referee.login("zp")
    referee.say(session, "register", nick="zp", password="guess")
    referee.say(session, "leave", token="guess")
    refusals = [log for log in referee.logs if log.event == "refuse"]
    assert [log.fields for log in refusals] == [
        {"session": session, "cmd": "register", "code": "wrong_password"},
        {"session": session, "cmd": "leave", "code": "bad_token"},
    ]
    assert "guess" not in str(referee.logs)


def test_registering_is_logged(referee: Referee) -> None:
    session = referee.login("zp")
    registered = {"session": session, "nick": "zp", "new": True}
    assert referee.logs == [Log("register", registered)]


def test_a_pair_and_the_end_of_its_game_are_logged(referee: Referee) -> None:
    duel = pair(referee)
    duel.done("zp", "draw", offer=True)
    duel.done("jpleal", "draw", offer=True)
    assert [(log.event, log.fields) for log in referee.logs if log.event in ("pair", "end")] == [
        ("pair", {"game": duel.game, "kind": "tab", "players": ["zp", "jpleal"]}),
        ("end", {"game": duel.game, "winners": [], "reason": "agreed", "seq": 3}),
    ]


def test_tokens_do_not_repeat_and_are_not_shown_to_others(referee: Referee) -> None:
    duel = pair(referee)
    assert len({*duel.tokens, duel.game}) == 3
    assert all(len(token) == 32 for token in duel.tokens)
    referee.say(duel.zp, "roll")
    shown = str([referee.received(duel.zp), referee.received(duel.jpleal), referee.logs])
    asked = str([referee.say(duel.zp, cmd, game=duel.game) for cmd in ("state", "moves", "games")])
    assert not any(token in shown + asked for token in duel.tokens)


def test_seats_of_private_games_are_random() -> None:
    first = set()
    for seed in map(str, range(20)):
        referee = Referee(seed)
        zp, jpleal = referee.login("zp"), referee.login("jpleal")
        invite = referee.say(zp, "join", **TERMS, private=True)["invite"]
        referee.say(jpleal, "join", invite=invite)
        first.add(referee.update(zp)["initial"])
    assert first == {"zp", "jpleal"}


def test_help(referee: Referee) -> None:
    session = referee.connect()
    everything = referee.say(session, "help")
    assert set(everything["commands"]) == set(m.COMMANDS)
    assert "about" not in everything
    for cmd in m.COMMANDS:
        guide = referee.say(session, "help", about=cmd)
        assert guide["about"] == cmd
        assert guide["example"]["cmd"] == cmd
        assert set(guide["errors"]) <= set(CODES)
    refused = referee.refused(session, "help", about="fly")
    assert refused == ("unknown_command", "unknown command 'fly'")


def test_schema(referee: Referee) -> None:
    reply = referee.say(referee.connect(), "schema")
    assert set(reply["commands"]) == set(m.COMMANDS)
    assert {"hello", "reply", "update", "presence", "bye"} <= set(reply["frames"])


# -- scoreboards


def test_games_with_other_clocks_share_a_scoreboard(referee: Referee) -> None:
    pair(referee, **TERMS, clock={"total": 60}).done("zp", "leave")
    pair(referee, **TERMS).done("zp", "leave")
    assert referee.say(referee.connect(), "ranking", **TERMS)["ranking"][0]["games"] == 2


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"group": 0, "size": 9}, ("bad_value", "Invalid group '0'")),
        ({"group": 99, "size": 0}, ("bad_value", "Invalid size '0'")),
        ({"group": 99, "size": True}, ("wrong_type", "Invalid size 'true'")),
        ({"size": 9}, ("undefined_field", "Undefined group")),
        ({"kind": "chess"}, ("unknown_kind", "unknown kind 'chess'")),
        ({"kind": "draughts", "size": 9}, ("unknown_option", "draughts has no option 'size'")),
    ],
)
def test_an_unknown_scoreboard_is_refused(
    referee: Referee, fields: dict[str, int], refusal: tuple[str, str]
) -> None:
    assert referee.refused(referee.connect(), "ranking", **fields) == refusal


@pytest.mark.parametrize("size", [1, 2, 8, 2**63 - 1])
def test_any_positive_size_has_an_empty_scoreboard(referee: Referee, size: int) -> None:
    assert referee.say(referee.connect(), "ranking", group=1, size=size) == {"ranking": []}


# -- memory


def test_old_finished_games_leave_memory(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MAX_FINISHED", 2)
    duels = []
    for _ in range(4):
        duels.append(pair(referee))
        duels[-1].done("zp", "leave")
        for session in (duels[-1].zp, duels[-1].jpleal):
            referee.disconnect(session)
    asker = referee.connect()
    for old in duels[:2]:
        assert referee.refused(asker, "state", game=old.game)[0] == "unknown_game"
        assert referee.refused(asker, "leave", token=old.tokens[0])[0] == "bad_token"
    for kept in duels[2:]:
        assert referee.say(asker, "state", game=kept.game)["status"] == "ended"
        assert referee.refused(asker, "leave", token=kept.tokens[0])[0] == "game_over"
    assert len(referee.service.games.finished) == 2


def test_ended_games_and_sessions_leave_nothing_in_memory(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "MAX_FINISHED", 0)
    service = referee.service
    pair(referee).done("zp", "leave")
    zp = referee.login("zp")
    asker = referee.connect()
    accounts, sessions = repr(service.accounts), repr(service.sessions)
    for group in itertools.chain.from_iterable([range(1, 6)] * 2):
        duel = pair(referee, group=group, size=9)
        game = referee.say(zp, "join", group=50, size=9)["game"]
        for session in (duel.zp, duel.jpleal):
            referee.say(session, "update", game=game)
        referee.say(zp, "leave", game=game)
        assert referee.update(duel.zp) == referee.update(duel.jpleal)
        duel.done("zp", "leave")
        for session in (duel.zp, duel.jpleal):
            referee.disconnect(session)
    referee.received(zp)
    assert (repr(service.accounts), repr(service.sessions)) == (accounts, sessions)
    assert referee.say(asker, "games") == {"games": [], "waiting": []}
    assert service.games.playing == service.games.finished == service.games.lobby.tables == {}
    referee.wait(500)
    assert service.deadline is None


def test_a_long_game_leaves_few_timeouts_to_check(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    duels = {
        "move": pair(referee, **TERMS),
        "total": pair(referee, **TERMS, clock={"total": 600, "increment": 1}),
    }
    fix_throws(monkeypatch, blue=(2,) * 300, red=(2,) * 300)
    for _ in range(150):
        for duel in duels.values():
            for nick in ("zp", "jpleal"):
                referee.now += 7
                duel.done(nick, "roll")
                duel.done(nick, "pass")
    assert all(referee.match(duel.game).seq == 601 for duel in duels.values())
    checks = 0
    while (deadline := referee.service.deadline) is not None:
        referee.now = deadline
        referee.apply_timeouts()
        checks += 1
    assert checks <= 4
    endings = [referee.update(duel.zp) for duel in duels.values()]
    assert [ending["result"]["reason"] for ending in endings] == ["timeout", "timeout"]
