"""House bots: shares of their games for each origin, short clocks, and nicks that are safe."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from tabnet.protocol import codec
from tabnet.server.core.costs.client_origin import LOCAL, ClientOrigin
from tabnet.server.core.effects import Close, SaveRow
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tabnet.server.core.pairing.quota_checks import needs_proof
from tabnet.server.core.service import Service
from tabnet.server.storage.restore_service import restore
from tests.server.json_sessions import PASSWORD, JsonSessions
from tests.server.memory_store import MemoryStore
from tests.server.pure import entropy

HOME, AWAY = ClientOrigin("192.0.2.1"), ClientOrigin("192.0.2.2")
JOIN = {"cmd": "join", "kind": "draughts", "opponent": "greedy"}
FISH = {**JOIN, "kind": "fish", "seats": 4}
NICK = "house-greedy.1"


class Offering(JsonSessions):
    """A service with the bots greedy and first, and the rows that it stored."""

    def __init__(self, seed="", games=8):
        bots = {name: make_nicks(name, games) for name in ("greedy", "first")}
        super().__init__(Service(entropy(seed), opponents=HouseBots(bots)))
        self.store = MemoryStore()
        accounts, house = self.service.accounts, self.service.opponents
        accounts.set_proof(NICK, house.set_password(NICK, PASSWORD))

    def perform(self, effects):
        super().perform(effects)
        self.store.keep([effect.row for effect in effects if isinstance(effect, SaveRow)], 0)

    def join(self, session, origin, **fields):
        """Let a new guest join; return the reply."""
        self.enter(session, origin=origin)
        return self.say(session, **JOIN | fields)[0]


@pytest.fixture
def offering():
    return Offering()


# Shares


def test_twelve_requests_of_one_origin_leave_half_of_every_bot(offering):
    games = [
        "game" in offering.join(number, HOME, opponent=name)
        for number, name in enumerate(["greedy", "first"] * 12)
    ]
    assert sum(games) == 8
    assert all("game" in offering.join(100 + number, AWAY) for number in range(4))
    assert offering.join(200, ClientOrigin("192.0.2.3"))["code"] == "busy"


def test_a_game_beyond_the_share_is_refused_and_the_connection_stays_open(offering):
    for number in range(4):
        offering.join(number, HOME)
    refused = offering.join(5, HOME)
    assert (refused["code"], refused["field"]) == ("too_many_house_games", "opponent")
    assert refused["error"] == "greedy gives at most 4 of its 8 places to one connection or address"
    assert (refused["hint"], refused["retry_after"]) == ("one of: first", 60)
    for number in range(4):
        offering.join(10 + number, HOME, opponent="first")
    assert offering.join(15, HOME)["hint"] == "end one of these games first"
    assert not any(isinstance(effect, Close) for effect in offering.others)


def test_a_refusal_does_not_suggest_a_bot_of_which_the_origin_has_its_share(offering):
    for number in range(8):
        offering.join(number, HOME if number % 2 else AWAY)
        offering.join(10 + number, HOME, opponent="first")
    assert offering.join(20, AWAY)["hint"] == "one of: first"
    refused = offering.join(21, HOME)
    assert (refused["code"], refused["hint"]) == ("busy", "try again later")
    assert refused["error"] == "greedy is busy. Try again in a few minutes."


@pytest.mark.parametrize("end", ["leave", "timeout"])
def test_a_game_that_ends_makes_room(offering, end):
    for number in range(4):
        offering.join(number, HOME)
    if end == "leave":
        offering.say(0, cmd="leave")
    else:
        offering.perform(offering.service.apply_timeouts(offering.service.deadline))
    assert "game" in offering.join(5, HOME)


def test_a_finished_game_leaves_no_counts(offering):
    before = deepcopy(offering.service.opponents)
    offering.join(1, HOME)
    assert offering.service.opponents != before
    offering.say(1, cmd="leave")
    assert offering.service.opponents == before


def test_half_is_rounded_down_and_one_game_is_always_allowed():
    for games, share in ((1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (9, 4)):
        offering = Offering(games=games)
        joined = ["game" in offering.join(number, HOME) for number in range(games)]
        assert sum(joined) == share, games


def test_a_game_of_four_takes_three_places(offering):
    assert "game" in offering.join(1, HOME, **FISH)
    assert offering.join(2, HOME, **FISH)["code"] == "too_many_house_games"
    assert "game" in offering.join(3, HOME)
    assert offering.join(4, HOME)["code"] == "too_many_house_games"
    small = Offering(games=3)
    assert "game" in small.join(1, HOME, **FISH)


def test_an_exempt_session_has_the_share_of_a_session(offering):
    offering.enter(1)
    codes = [offering.say(1, **JOIN)[0].get("code") for _ in range(5)]
    assert codes == [None] * 4 + ["too_many_house_games"]
    assert "game" in offering.join(2, LOCAL)


def test_after_a_restart_running_games_count_for_everybody(offering):
    tokens = [offering.join(number, HOME)["token"] for number in range(4)]
    after = Offering("after")
    after.store = offering.store.copy()
    restore(after.service, offering.store.saved(0), 0)
    for number, origin in enumerate((HOME, AWAY)):
        assert "game" in after.join(number, origin)  # one game is always allowed
        assert after.join(10 + number, origin)["code"] == "too_many_house_games"
    for token in tokens:
        after.say(10, cmd="leave", token=token)
    assert "game" in after.join(20, HOME)


# Clocks


@pytest.mark.parametrize(
    "clock",
    [{"move": 601}, {"move": 86400}, {"total": 3601}, {"total": 60, "increment": 31}],
)
def test_a_clock_that_is_too_long_is_refused_with_the_limits(offering, clock):
    refused = offering.join(1, HOME, clock=clock)
    assert (refused["code"], refused["field"]) == ("bad_value", "clock")
    assert refused["hint"] == 'at most {"move":600} or {"total":3600,"increment":30}'
    assert offering.service.games.playing == {}


@pytest.mark.parametrize("clock", [{"move": 600}, {"total": 3600, "increment": 30}])
def test_the_longest_clocks_are_accepted(offering, clock):
    assert "game" in offering.join(1, HOME, clock=clock)


def test_two_players_may_have_a_longer_clock(offering):
    offering.enter(1)
    (reply,) = offering.say(1, cmd="join", kind="draughts", clock={"move": 86400})
    assert "game" in reply


def test_a_disconnected_player_loses_by_the_clock_alone(offering):
    game = offering.join(1, HOME, clock={"move": 600})["game"]
    offering.perform(offering.service.disconnect(1))
    offering.perform(offering.service.apply_timeouts(599_999))
    match = offering.service.games.playing[game]
    assert match.result is None
    offering.perform(offering.service.apply_timeouts(600_000))
    assert offering.service.games.finished[game].result.reason == "timeout"


# Nicks

COMMANDS = [
    {"cmd": "register"},
    {"cmd": "join", "kind": "draughts"},
    {"cmd": "roll"},
    {"cmd": "leave", "game": "0"},
]


@pytest.mark.parametrize("fields", COMMANDS)
@pytest.mark.parametrize("nick", [NICK, "house-first.8"])
def test_the_nick_of_a_house_bot_is_refused_without_hashing(offering, fields, nick):
    offering.enter(1)
    credentials = {"nick": nick, "password": "guess"}
    command = codec.decode(json.dumps(fields | credentials).encode())
    assert not needs_proof(offering.service, 1, command, 0)
    refused = offering.say(1, **fields, **credentials)[0]
    assert (refused["code"], refused["field"]) == ("reserved_nick", "nick")


def test_a_process_with_the_password_logs_in_after_any_number_of_guesses(offering):
    offering.enter(1)
    for number in range(1000):
        offering.say(1, cmd="register", nick=NICK, password=str(number))
    offering.enter(2, NICK)
    assert offering.say(2, cmd="join", nick=NICK) == []
    assert offering.service.opponents.is_waiting(NICK)


def test_the_password_alone_is_not_enough_from_another_origin(offering):
    offering.enter(1, origin=HOME)
    (refused,) = offering.say(1, cmd="register", nick=NICK, password=PASSWORD)
    assert refused["code"] == "reserved_nick"


def test_a_process_may_send_its_nick_and_password_with_a_command(offering):
    offering.enter(1)
    (refused,) = offering.say(1, cmd="leave", nick=NICK, password=PASSWORD)
    assert refused["code"] == "which_game"


def test_the_nick_without_a_password_is_refused(offering):
    offering.enter(1)
    assert offering.say(1, cmd="leave", nick=NICK)[0]["code"] == "reserved_nick"


def test_a_follower_cannot_claim_the_nick_of_a_house_bot(offering):
    game = offering.join(1, HOME)["game"]
    offering.sent[2] = []
    offering.service.connect(2, NICK, HOME)
    offering.say(2, cmd="update", game=game)
    assert not offering.service.sessions.is_present(game, NICK)
