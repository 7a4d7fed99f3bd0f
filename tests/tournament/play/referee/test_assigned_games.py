"""A tournament seats the players: nobody else plays, and nobody learns what is not to be known."""

from __future__ import annotations

import pytest
from attrs import define, field

from tabnet.protocol import codec
from tabnet.protocol.messages import COMMANDS, Clock
from tabnet.server.core import match_changes
from tabnet.server.core.effects import Close, Log
from tabnet.server.core.matches.terms import Terms, require_kind
from tabnet.server.core.service import Service
from tabnet.tournament.play.referee.assigned_games import AssignedGame, AssignedGames
from tests.server.json_sessions import JsonSessions
from tests.server.pure import entropy

SECRET = bytes(range(32))
GAME = "0123456789abcdef"
TERMS = Terms("tab", require_kind("tab").options(size=7), 2, Clock(move=5), group=1, strict=True)


@define
class Watching:
    """A watcher that keeps all calls."""

    calls: list = field(factory=list)

    def note_join(self, nick):
        self.calls.append(("asked", nick))

    def note_malformed(self, nick, failed):
        self.calls.append(("garbled", nick, failed.code))
        return [Log("garbled", {"nick": nick})]

    def note_removal(self, match, seat):
        self.calls.append(("removed", seat, match.result is None))

    def note_end(self, match):
        self.calls.append(("over", match.id, match.result.reason))


class Room(JsonSessions):
    """A service with a host."""

    def __init__(self):
        super().__init__(Service(entropy()))
        self.watching = Watching()
        self.seating = AssignedGames(self.service, self.watching, {"a.1", "b.1"})
        self.service.matchmaking = self.seating

    def reserve(self, game=GAME, most=None, nicks=("a.1", "b.1"), terms=TERMS):
        assigned = AssignedGame(game, terms, nicks, SECRET, most)
        self.perform(self.seating.reserve(assigned, 0))
        return assigned


@pytest.fixture
def room():
    return Room()


@pytest.fixture
def playing(room):
    """A match between sessions 1 and 2."""
    for session, nick in ((1, "a.1"), (2, "b.1")):
        room.enter(session, nick)
        assert room.say(session, cmd="join", id=session) == []
    room.reserve()
    return room


def test_a_join_is_answered_when_its_game_has_all_its_players(room):
    room.enter(1, "a.1")
    room.enter(2, "b.1")
    assert room.say(1, cmd="join", id=7, kind="draughts") == []
    room.reserve()
    assert room.sent[1] == []
    assert room.seating.is_asking("a.1")
    reply, update, *_ = room.say(2, cmd="join", id=8, group=3, size=15, salt_hash="0" * 64)
    assert (reply["id"], reply["game"], reply["nick"]) == (8, GAME, "b.1")
    assert (update["seq"], update["initial"], update["strict"]) == (1, "a.1", True)
    assert (update["kind"], update["options"], update["timing"]) == (
        "tab",
        {"size": 7},
        {"move": 5},
    )
    assert update["dice_salt_hashes"] == {"a.1": None, "b.1": None}
    assert room.sent[1][0]["id"] == 7
    assert room.sent[1][1:] == room.sent[2][1:]
    assert not room.seating.is_asking("a.1")
    assert room.watching.calls == [("asked", "a.1"), ("asked", "b.1")]


def test_a_match_that_cannot_begin_is_an_error_and_its_players_still_wait(room, monkeypatch):
    for session, nick in ((1, "a.1"), (2, "b.1")):
        room.enter(session, nick)
        room.say(session, cmd="join")
    with monkeypatch.context() as patch:
        patch.setattr(match_changes, "make_update", lambda *_: 1 / 0)
        room.reserve()
    log = room.others[-1]
    assert (log.event, log.fields) == ("failed", {"game": GAME})
    assert isinstance(log.error, ZeroDivisionError)
    assert room.sent[1] == room.sent[2] == []
    assert room.seating.is_asking("a.1")
    room.reserve("another")
    assert room.sent[1][0]["game"] == "another"


def test_a_match_that_fails_is_over_without_a_winner(playing, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(match_changes, "make_update", lambda *_: 1 / 0)
        playing.say(1, cmd="leave")
    assert playing.watching.calls[-1] == ("over", GAME, "error")
    assert playing.sent[2][-1]["winner"] is None


def test_the_dice_follow_from_the_secret_that_was_given(playing):
    match = playing.service.games.playing[GAME]
    assert match.dice.secret == SECRET
    assert playing.sent[1][1]["dice_commit"] == match.dice.commitment()


def test_the_seats_roll_and_pass_by_themselves(playing):
    assert playing.sent[1][-1]["expects"] == "notify"
    assert playing.sent[1][-1]["event"]["type"] == "roll"


def test_the_secret_stays_secret_at_the_end(playing):
    playing.say(1, cmd="leave")
    last = playing.sent[2][-1]
    assert last["result"]["reason"] == "leave"
    assert "dice_secret" not in last
    assert "dice_salts" not in last
    assert playing.watching.calls[-1] == ("over", GAME, "leave")


def test_games_do_not_count_for_rankings(playing):
    playing.say(1, cmd="leave")
    assert playing.say(2, cmd="ranking", group=1, size=7)[0]["ranking"] == []


@pytest.mark.parametrize("nick", [None, "c"])
def test_other_nicks_get_no_seat(playing, nick):
    playing.enter(3, nick)
    assert playing.say(3, cmd="join", group=1, size=7)[0]["code"] == "no_seat"


ABOUT_A_GAME = {
    "update": {},
    "state": {"text": True},
    "moves": {"player": "a.1"},
    "check": {"command": "roll"},
    "roll": {},
    "notify": {"cell": 1},
    "pass": {},
    "draw": {"offer": True},
    "salt": {"salt": "00" * 16},
    "leave": {},
}
"""Every command that can name a game."""


def test_every_command_about_a_game_is_in_the_list():
    named = {cmd for cmd, cls in COMMANDS.items() if hasattr(cls, "game")}
    assert named == set(ABOUT_A_GAME)


@pytest.mark.parametrize("is_over", [False, True], ids=["running", "over"])
@pytest.mark.parametrize("nick", [None, "c", "c.1"])
@pytest.mark.parametrize("cmd", ABOUT_A_GAME)
def test_a_game_of_others_is_answered_like_one_that_does_not_exist(playing, cmd, nick, is_over):
    playing.seating.nicks.add("c.1")
    if is_over:
        playing.say(1, cmd="leave")
    playing.enter(3, nick)
    fields = {"cmd": cmd, "id": 5, **ABOUT_A_GAME[cmd]}
    of_others = playing.say(3, game=GAME, **fields)
    assert of_others == playing.say(3, game="f" * 16, **fields)
    assert len(of_others) == 1
    if nick is not None:
        assert of_others[0]["code"] == "unknown_game"
    before = len(playing.sent[3])
    playing.say(2, cmd="leave")
    assert len(playing.sent[3]) == before, "it follows no game"


def test_a_player_sees_its_own_game(playing):
    for cmd in ("update", "state", "moves"):
        assert "code" not in playing.say(1, cmd=cmd, game=GAME)[0]


def test_no_games_are_listed(playing):
    assert playing.say(1, cmd="games")[0]["games"] == []


def test_a_second_request_is_refused(room):
    room.enter(1, "a.1")
    room.say(1, cmd="join")
    assert room.say(1, cmd="join")[0]["code"] == "too_many_games"


def test_a_player_that_reconnects_asks_again(room):
    room.enter(1, "a.1")
    room.say(1, cmd="join")
    room.enter(3, "a.1")
    room.say(3, cmd="join")
    room.perform(room.service.disconnect(1))
    assert room.seating.is_asking("a.1")
    room.perform(room.service.disconnect(3))
    assert not room.seating.is_asking("a.1")


def test_a_game_that_was_withdrawn_does_not_begin(room):
    for session, nick in ((1, "a.1"), (2, "b.1")):
        room.enter(session, nick)
    room.say(1, cmd="join")
    room.seating.withdraw(room.reserve())
    assert room.say(2, cmd="join") == []
    assert room.service.games.playing == {}


def test_a_match_is_stopped_with_its_reason(playing):
    playing.perform(playing.seating.stop(GAME, 0, "crash", 0))
    last = playing.sent[2][-1]
    assert last["event"] == {"type": "end", "player": "a.1"}
    assert (last["winner"], last["result"]["reason"]) == ("b.1", "crash")
    assert playing.watching.calls[-2:] == [("removed", 0, False), ("over", GAME, "crash")]


def test_a_match_is_stopped_without_a_winner(playing):
    playing.perform(playing.seating.stop(GAME, 0, "ended", None))
    assert playing.sent[2][-1]["winner"] is None


def test_a_match_is_drawn_after_as_many_actions_as_may_be(room):
    for session, nick in ((1, "a.1"), (2, "b.1")):
        room.enter(session, nick)
        room.say(session, cmd="join")
    room.reserve(most=1)
    last = room.sent[1][-1]
    assert (last["seq"], last["winner"], last["turn"]) == (2, None, None)
    assert last["result"]["reason"] == "max_moves"


def test_a_malformed_line_is_refused_and_reported(playing):
    failed = codec.decode(b"e2-e4")
    playing.perform(playing.service.refuse_malformed(1, failed))
    assert playing.sent[1][-1]["code"] == "not_json"
    assert playing.watching.calls[-1] == ("garbled", "a.1", "not_json")
    assert playing.others[-1] == Log("garbled", {"nick": "a.1"})
    playing.enter(3)
    playing.perform(playing.service.refuse_malformed(3, failed))
    assert playing.watching.calls[-1] == ("garbled", "a.1", "not_json")
    assert not any(isinstance(effect, Close) for effect in playing.others)


def test_three_players_can_ask_in_any_order_and_play_on_after_a_removal(room):
    fish = require_kind("fish")
    terms = Terms("fish", fish.options(), 3, Clock(move=5), group=None, strict=True)
    nicks = ("a.1", "b.1", "c.1")
    room.seating.nicks.add("c.1")
    room.reserve(nicks=nicks, terms=terms)
    for session, nick in ((1, "c.1"), (2, "a.1"), (3, "b.1")):
        assert room.service.games.playing == {}
        room.enter(session, nick)
        room.say(session, cmd="join", kind="fish", seats=3)
    match = room.service.games.playing[GAME]
    assert match.nicks == list(nicks)
    room.perform(room.seating.stop(GAME, 0, "crash", 1))
    last = room.sent[1][-1]
    assert (last["event"], last["out"]) == ({"type": "end", "player": "b.1"}, ["white"])
    assert "winner" not in last
    assert room.watching.calls[-1] == ("removed", 1, True)
    room.say(1, cmd="leave")
    assert room.watching.calls[-2:] == [("removed", 2, False), ("over", GAME, "leave")]
    assert room.service.games.finished[GAME].find_removal(1).event == "end"
