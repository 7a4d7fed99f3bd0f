"""House bots: seats, calls of processes, refusals and restarts."""

from __future__ import annotations

import pytest

from tabnet.dialects.json_lines import build_hello
from tabnet.games import GAMES
from tabnet.protocol import codec
from tabnet.server.core import match_changes
from tabnet.server.core.costs.limits import Limits
from tabnet.server.core.effects import Close, SaveRow
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tabnet.server.core.service import Service
from tabnet.server.storage.restore_service import restore
from tests.commands import required_terms
from tests.server.json_sessions import PASSWORD, JsonSessions
from tests.server.memory_store import MemoryStore
from tests.server.pure import entropy

TERMS = {"group": 99, "size": 7}
ONE, TWO = make_nicks("greedy", 2)
WISE = "house-expectimax:2.1"


class House(JsonSessions):
    """A service with two bots, and what was kept of it."""

    def __init__(self, seed=""):
        self.called = []
        self.store = MemoryStore()
        bots = {"greedy": (ONE, TWO), "expectimax:2": (WISE,)}
        super().__init__(Service(entropy(seed), opponents=HouseBots(bots, self.called.append)))
        for nick in (ONE, TWO, WISE):
            proof = self.service.opponents.set_password(nick, PASSWORD)
            self.service.accounts.set_proof(nick, proof)

    def perform(self, effects):
        super().perform(effects)
        self.store.keep([effect.row for effect in effects if isinstance(effect, SaveRow)], 0)

    def calls(self):
        """Return the nicks that were called since the last time."""
        called, self.called[:] = list(self.called), []
        return called


@pytest.fixture
def house():
    """With zp as session 1."""
    house = House()
    house.enter(1, "zp")
    return house


@pytest.fixture
def ready(house):
    """The first of greedy waits for a game, as session 11."""
    house.enter(11, ONE)
    assert house.say(11, cmd="join", id="b") == []
    return house


def test_hello_names_the_house_bots(house):
    assert codec.dump_frame(build_hello(house.service))["opponents"] == ["greedy", "expectimax:2"]


def test_without_house_bots_hello_names_none():
    service = Service(entropy())
    service.connect(1)
    assert "opponents" not in codec.dump_frame(build_hello(service))
    join = codec.decode(b'{"cmd":"join","kind":"draughts","opponent":"greedy"}')
    refused = codec.dump_frame(service.handle(1, join, 0)[0].frame)
    assert (refused["code"], refused["hint"]) == ("unknown_opponent", "this server offers none")


@pytest.mark.parametrize("kind", GAMES)
def test_a_game_begins_at_once_with_a_waiting_bot(ready, kind):
    terms = {"kind": kind, **required_terms(kind)}
    reply, update = ready.say(1, cmd="join", opponent="greedy", id=7, **terms)
    assert (reply["id"], reply["nick"]) == (7, "zp")
    assert (update["seq"], list(update["players"]), update["initial"]) == (1, ["zp", ONE], "zp")
    answer, *news = ready.sent[11]
    assert (answer["id"], answer["game"], answer["nick"]) == ("b", reply["game"], ONE)
    assert news == [update]
    assert ready.calls() == [TWO]  # for the next who asks


def test_a_game_begins_at_once_with_a_bot_that_must_be_started(house):
    reply, update, presence = house.say(1, cmd="join", opponent="greedy", **TERMS)
    assert (update["seq"], list(update["players"])) == (1, ["zp", ONE])
    assert presence["online"] == {"zp": True, ONE: False}
    assert house.calls() == [ONE]
    house.enter(11, ONE)
    answer, there, latest = house.say(11, cmd="join", group=5, size=15, kind="draughts")
    assert (answer["game"], answer["nick"]) == (reply["game"], ONE)
    assert latest == update
    assert there["online"] == {"zp": True, ONE: True}
    assert house.sent[1][-1] == there


def test_a_game_that_cannot_begin_reserves_no_bot(house, monkeypatch):
    for _ in range(3):
        with monkeypatch.context() as patch:
            patch.setattr(match_changes, "make_update", lambda *_: 1 / 0)
            (reply,) = house.say(1, cmd="join", opponent="greedy", **TERMS)
        assert reply["code"] == "server_error"
    assert house.calls() == []
    assert house.say(1, cmd="join", opponent="greedy", **TERMS)[1]["seq"] == 1
    assert house.calls() == [ONE]


def test_the_next_bot_is_started_when_one_has_its_seat(house):
    house.say(1, cmd="join", opponent="greedy", **TERMS)
    house.calls()
    house.enter(11, ONE)
    house.say(11, cmd="join")
    assert house.calls() == [TWO]
    house.enter(12, TWO)
    house.say(12, cmd="join")
    house.enter(2, "jpleal")
    house.say(2, cmd="join", opponent="greedy", **TERMS)
    assert house.sent[12][1]["players"].keys() == {"jpleal", TWO}
    assert house.calls() == []


def test_waiting_processes_are_seated_first(house):
    house.enter(12, TWO)
    house.say(12, cmd="join")
    update = house.say(1, cmd="join", opponent="greedy", **TERMS)[1]
    assert list(update["players"]) == ["zp", TWO]


def test_a_wished_seat_against_a_bot_is_given(ready):
    update = ready.say(1, cmd="join", opponent="greedy", seat=1, **TERMS)[1]
    assert list(update["players"]) == [ONE, "zp"]
    assert update["event"]["type"] == "start"
    assert ready.sent[1][-1]["event"] == {"type": "roll", "player": ONE}  # its seat is auto


def test_a_join_with_a_bot_accepts_the_other_options(ready):
    terms = {**TERMS, "strict": True, "clock": {"total": 60}, "auto": True, "salt_hash": "0" * 64}
    update = ready.say(1, cmd="join", opponent="greedy", **terms)[1]
    assert (update["strict"], update["timing"]) == (True, {"total": 60})
    assert update["dice_salt_hashes"] == {"zp": "0" * 64, ONE: None}


def test_games_against_bots_do_not_count(ready):
    ready.say(1, cmd="join", opponent="greedy", **TERMS)
    ready.say(11, cmd="leave")
    assert ready.sent[1][-1]["winner"] == "zp"
    assert ready.say(1, cmd="ranking", **TERMS)[0]["ranking"] == []


def test_a_house_bot_without_free_nicks_is_busy(house):
    house.enter(2)
    for session in (1, 2):
        assert "game" in house.say(session, cmd="join", opponent="greedy", **TERMS)[0]
    house.calls()
    (refused,) = house.say(1, cmd="join", opponent="greedy", **TERMS)
    assert (refused["code"], refused["field"]) == ("busy", "opponent")
    assert refused["error"] == "greedy is busy. Try expectimax:2, or try again in a few minutes."
    assert refused["hint"] == "one of: expectimax:2"
    house.say(1, cmd="join", opponent="expectimax:2", **TERMS)
    assert house.say(1, cmd="join", opponent="greedy", **TERMS)[0]["hint"] == "try again later"
    assert not any(isinstance(effect, Close) for effect in house.others)
    game = house.service.games.list_games_of(ONE)[0]
    house.say(1, cmd="leave", game=game)
    assert "game" in house.say(1, cmd="join", opponent="greedy", **TERMS)[0]


def test_a_join_with_a_bot_does_not_fill_a_wait(ready):
    waiting = ready.say(1, cmd="join", **TERMS)[0]["game"]
    game = ready.say(1, cmd="join", opponent="greedy", **TERMS)[0]["game"]
    assert sorted(ready.service.games.list_games_of("zp")) == sorted([waiting, game])


def test_a_game_against_a_bot_counts_towards_the_games_of_a_nick(ready):
    ready.service.quotas.limits = Limits(games_per_nick=1)
    ready.say(1, cmd="join", **TERMS)
    (refused,) = ready.say(1, cmd="join", opponent="greedy", **TERMS)
    assert refused["code"] == "too_many_games"
    assert ready.service.opponents.is_waiting(ONE)


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"opponent": "deep"}, "unknown_opponent", "opponent"),
        ({"opponent": ONE}, "unknown_opponent", "opponent"),
        ({"opponent": "greedy", "private": True}, "bad_value", "private"),
        ({"opponent": "greedy", "size": 8}, "invalid_option", "size"),
    ],
)
def test_a_refused_join_starts_no_process(ready, fields, code, field):
    (refused,) = ready.say(1, cmd="join", **(TERMS | fields))
    assert (refused["code"], refused["field"]) == (code, field)
    assert ready.service.opponents.is_waiting(ONE)
    assert ready.calls() == []


def test_a_refusal_names_the_house_bots_that_are_free(house):
    (refused,) = house.say(1, cmd="join", opponent="deep", **TERMS)
    assert refused["hint"] == "one of: greedy expectimax:2"


def test_an_invite_cannot_be_combined_with_a_bot(ready):
    invite = ready.say(1, cmd="join", private=True, **TERMS)[0]["invite"]
    ready.enter(2)
    (refused,) = ready.say(2, cmd="join", invite=invite, opponent="greedy")
    assert (refused["code"], refused["field"]) == ("bad_value", "opponent")


def test_a_game_with_a_house_bot_begins_again_only_by_naming_the_bot(ready):
    game = ready.say(1, cmd="join", opponent="greedy", **TERMS)[0]["game"]
    ready.say(1, cmd="leave")
    (refused,) = ready.say(1, cmd="join", again=game)
    assert (refused["code"], refused["field"]) == ("bad_value", "again")
    assert refused["error"] == "a house bot does not answer: join with opponent instead"


def test_private_may_be_false(ready):
    assert "game" in ready.say(1, cmd="join", opponent="greedy", private=False, **TERMS)[0]


def test_no_client_can_use_the_nick_of_a_house_bot(house):
    house.enter(2)
    for nick in ("house-greedy.3", "house-"):
        (refused,) = house.say(2, cmd="register", nick=nick, password="x")
        assert refused["code"] == "reserved_nick"
    (refused,) = house.say(2, cmd="register", nick=ONE, password="y")
    assert refused["code"] == "reserved_nick"
    assert house.store.saved(0).accounts[0].nick == "zp"
    assert len(house.store.saved(0).accounts) == 1


def test_a_bot_is_started_again_after_its_game(ready):
    ready.say(1, cmd="join", opponent="greedy", **TERMS)
    ready.calls()
    ready.say(1, cmd="leave")
    assert ready.calls() == [ONE]
    assert ready.say(11, cmd="join", id="c") == []
    assert ready.service.opponents.is_waiting(ONE)
    assert ready.say(1, cmd="join", opponent="greedy", **TERMS)[1]["seq"] == 1
    assert [frame.get("id") for frame in ready.sent[11] if frame["type"] == "reply"] == ["b", "c"]


def test_a_game_without_house_bots_starts_no_process(house):
    house.enter(2)
    house.say(1, cmd="join", **TERMS)
    house.say(2, cmd="join", **TERMS)
    house.say(1, cmd="leave")
    assert house.calls() == []


def test_a_disconnected_process_stops_waiting(ready):
    ready.enter(12, TWO)
    ready.say(12, cmd="join")
    ready.perform(ready.service.disconnect(11))
    assert not ready.service.opponents.is_waiting(ONE)
    assert ready.service.opponents.is_waiting(TWO)


def test_a_new_process_takes_the_seat_of_a_dead_one(ready):
    game = ready.say(1, cmd="join", opponent="greedy", **TERMS)[0]["game"]
    ready.say(1, cmd="roll")
    ready.perform(ready.service.disconnect(11))
    assert ready.sent[1][-1]["online"] == {"zp": True, ONE: False}
    ready.enter(12, ONE)
    answer, there, latest = ready.say(12, cmd="join")
    assert (answer["game"], answer["nick"]) == (game, ONE)
    assert there["online"] == {"zp": True, ONE: True}
    match = ready.service.games.playing[game]
    assert latest["seq"] == match.seq > 1
    ready.say(12, cmd="leave", token=answer["token"])
    assert ready.sent[1][-1]["winner"] == "zp"


def test_a_stopping_server_refuses_games_and_keeps_bots_waiting(house):
    house.service.stopping = True
    house.enter(11, ONE)
    assert house.say(11, cmd="join") == []
    assert house.say(1, cmd="join", opponent="greedy", **TERMS)[0]["code"] == "stopping"


def test_a_bot_continues_its_game_after_a_restart(ready):
    joined = ready.say(1, cmd="join", opponent="greedy", **TERMS)[0]
    ready.say(1, cmd="roll")
    latest = ready.sent[1][-1]
    after = House("after")
    after.store = ready.store.copy()
    restore(after.service, ready.store.saved(0), 0)
    after.enter(1)
    assert after.say(1, cmd="join", opponent="greedy", **TERMS)[1]["players"].keys() > {TWO}
    after.enter(11, ONE)
    answer, _, update = after.say(11, cmd="join")
    assert (answer["game"], update["seq"]) == (joined["game"], latest["seq"])
    after.enter(2)
    after.say(2, cmd="leave", token=joined["token"])
    assert after.sent[11][-1]["winner"] == ONE
