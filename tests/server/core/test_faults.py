"""Exceptions in the code of a match: they close this match, and change nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tabnet.games.draughts.state import DraughtsState
from tabnet.games.tab.state import TabState
from tabnet.protocol.dice import hash_salt
from tabnet.server.core import match_changes, queries
from tabnet.server.core.rows import MatchEnded, MatchEvent, SetAsideEnded
from tests.server.faults import Fault
from tests.server.pure import Pair, Referee, fix_throws, pair

TERMS = {"group": 99, "size": 9}
DRAUGHTS = {"kind": "draughts", "group": 1}
BARE = {"type", "game", "seq", "winner"}


@pytest.fixture
def duel(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """A match of Tab in which zp is to move after a throw of 1, beside one of draughts."""
    fix_throws(monkeypatch, blue=(1, 2), red=(2,))
    duel = pair(referee, **TERMS)
    duel.done("zp", "roll")
    return duel


@pytest.fixture
def other(referee: Referee, duel: Pair) -> Pair:
    other = pair(referee, **DRAUGHTS)
    for session in (duel.zp, duel.jpleal):
        referee.received(session)
    return other


def play(duel: Pair) -> dict[str, Any]:
    return duel.say("zp", "notify", cell=8)


def is_closed(duel: Pair, last_good: dict[str, Any]) -> None:
    """Everybody has the closing update, and memory and store agree."""
    referee = duel.referee
    closing = [referee.received(session)[-1] for session in (duel.zp, duel.jpleal)]
    assert closing[0] == closing[1]
    changed = {"seq", "event", "turn", "expects", "winner", "result", "clock"}
    secrets = {"dice_secret", "dice_salts", "dice_commit", "dice_salt_hashes"}
    for name in {*last_good, *closing[0]} - changed - secrets:
        assert closing[0][name] == last_good[name], name
    assert closing[0]["seq"] == last_good["seq"] + 1
    assert closing[0]["event"] == {"type": "end"}
    assert (closing[0]["winner"], closing[0]["turn"]) == (None, None)
    assert closing[0]["result"]["reason"] == "error"
    assert closing[0]["result"]["winners"] == []
    match = referee.match(duel.game)
    assert (match.seq, match.result.reason) == (closing[0]["seq"], "error")
    assert duel.game not in referee.service.games.playing
    ended = referee.store.ended[duel.game]
    assert ended.scores == ()
    assert len(referee.store.histories[duel.game]) == match.seq
    assert referee.say(duel.zp, "ranking", **TERMS) == {"ranking": []}
    back = referee.revived()
    back.recall(duel.game)
    assert back.match(duel.game).moments == match.moments


def test_a_view_that_raises_once_closes_its_match_alone(
    duel: Pair, other: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee = duel.referee
    last_good = duel.say("zp", "state")["update"]
    Fault().put_into(TabState, "view", monkeypatch)
    reply = play(duel)
    assert reply["code"] == "server_error"
    assert "closed" in reply["error"]
    assert duel.zp not in referee.closed
    is_closed(duel, last_good)
    (log,) = [log for log in referee.logs if log.event == "failed"]
    assert log.fields == {"game": duel.game, "session": duel.zp, "cmd": "notify"}
    assert isinstance(log.error, ZeroDivisionError)
    assert duel.refused("jpleal", "roll") == ("game_over", "the game is over")
    assert other.done("zp", "notify", route=["c3", "d4"])["seq"] == 2
    back = referee.revived()
    assert list(back.service.games.playing) == [other.game]
    assert duel.say("zp", "leave")["code"] == "game_over"


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (TabState, "apply"),
        (TabState, "outcome"),
        (TabState, "actions"),
        (match_changes, "make_event_row"),
        (match_changes, "make_update"),
    ],
)
def test_a_failed_move_keeps_the_position_before_it(
    duel: Pair, other: Pair, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str
) -> None:
    last_good = duel.say("zp", "state")["update"]
    before = other.say("zp", "state")
    Fault().put_into(owner, name, monkeypatch)
    assert play(duel)["code"] == "server_error"
    is_closed(duel, last_good)
    assert other.say("zp", "state") == before


def test_a_refusal_of_the_rules_after_the_move_was_accepted_is_a_fault(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a strict match it must not cost the player the match."""
    fix_throws(monkeypatch, blue=(1, 2), red=(2,))
    duel = pair(referee, **TERMS, strict=True, auto=True)
    last_good = duel.say("zp", "state")["update"]
    apply = TabState.apply
    calls = iter([False, True])

    def refuse_second(state: TabState, action: Any) -> TabState:
        return apply(state, "no action" if next(calls, False) else action)

    monkeypatch.setattr(TabState, "apply", refuse_second)
    assert play(duel)["code"] == "server_error"
    is_closed(duel, last_good)


def test_without_any_view_the_closing_update_is_bare(
    duel: Pair, other: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee = duel.referee
    Fault(1, 2).put_into(TabState, "view", monkeypatch)
    assert play(duel)["code"] == "server_error"
    for session in (duel.zp, duel.jpleal):
        (closing,) = referee.received(session)
        assert closing == {"type": "update", "game": duel.game, "seq": 3, "winner": None}
    assert referee.store.ended[duel.game].history[-1].event == "end"
    assert list(referee.service.games.playing) == [other.game]


def test_a_match_whose_rows_cannot_be_encoded_keeps_its_earlier_rows(
    duel: Pair, other: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee = duel.referee
    Fault(1, 99).put_into(match_changes, "make_event_row", monkeypatch)
    assert play(duel)["code"] == "server_error"
    assert referee.rows[-1] == SetAsideEnded(duel.game)
    assert [row.event for row in referee.store.histories[duel.game]] == ["start", "roll"]
    assert list(referee.revived().service.games.playing) == [other.game]
    assert referee.updates(duel.jpleal)[-1]["result"]["reason"] == "error"


# -- other commands, and time


def leave(duel: Pair) -> dict[str, Any]:
    return duel.say("zp", "leave")


def draw(duel: Pair) -> dict[str, Any]:
    return duel.say("zp", "draw", offer=True)


@pytest.mark.parametrize("act", [leave, draw])
def test_a_failure_in_any_command_closes_the_match(
    duel: Pair, other: Pair, monkeypatch: pytest.MonkeyPatch, act: Callable[[Pair], Any]
) -> None:
    last_good = duel.say("zp", "state")["update"]
    Fault().put_into(match_changes, "make_update", monkeypatch)
    assert act(duel)["code"] == "server_error"
    is_closed(duel, last_good)
    assert list(duel.referee.service.games.playing) == [other.game]


def test_a_failure_in_a_salt_closes_the_match(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    game = referee.say(zp, "join", **TERMS, salt_hash=hash_salt(bytes(16)))["game"]
    referee.say(jpleal, "join", **TERMS)
    Fault().put_into(match_changes, "make_update", monkeypatch)
    reply = referee.say(zp, "salt", game=game, salt="00" * 16)
    assert reply["code"] == "server_error"
    assert referee.updates(jpleal)[-1]["result"]["reason"] == "error"


@pytest.mark.parametrize("do", ["end", "ban"])
def test_a_failure_in_an_operator_request_closes_the_match(
    duel: Pair, other: Pair, monkeypatch: pytest.MonkeyPatch, do: str
) -> None:
    referee = duel.referee
    last_good = duel.say("zp", "state")["update"]
    Fault().put_into(match_changes, "make_update", monkeypatch)
    request = {"game": duel.game} if do == "end" else {"nick": "jpleal", "reason": "cheating"}
    assert "done" in referee.order(do, **request)
    if do == "end":
        is_closed(duel, last_good)
    else:
        assert referee.match(duel.game).result.reason == "error"
        assert referee.match(other.game).result.reason == "leave"


def test_a_failed_timeout_does_not_delay_others(
    duel: Pair, other: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is over in both matches, and in a wait, before the server looks."""
    referee = duel.referee
    guest = referee.connect()
    wait = referee.say(guest, "join", **DRAUGHTS, clock={"move": 7})["game"]
    Fault().put_into(match_changes, "make_update", monkeypatch)
    referee.now += 700_000
    referee.apply_timeouts()
    games = referee.service.games
    reasons = [games.finished[game].result.reason for game in (duel.game, other.game)]
    assert reasons == ["error", "timeout"]
    assert wait not in games.lobby.tables
    assert referee.updates(guest) == [{"type": "update", "game": wait, "seq": 1, "winner": None}]


# -- beginnings, queries, and the rest


@pytest.mark.parametrize("name", ["make_update", "make_start_row", "make_event_row"])
def test_a_match_that_cannot_begin_ends_the_wait(
    referee: Referee, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    first = referee.say(zp, "join", **TERMS)
    with monkeypatch.context() as patch:
        Fault().put_into(match_changes, name, patch)
        reply = referee.say(jpleal, "join", **TERMS)
    assert reply["code"] == "server_error"
    assert set(referee.update(zp)) == BARE
    assert referee.received(jpleal) == []
    assert not referee.store.tables
    assert not referee.store.matches
    assert referee.refused(zp, "update", token=first["token"])[0] == "bad_token"
    game = referee.say(zp, "join", **TERMS)["game"]
    assert referee.say(jpleal, "join", **TERMS)["game"] == game


def test_a_guest_whose_game_cannot_begin_gets_no_nick(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee.say(referee.login("zp"), "join", **TERMS)
    guest = referee.connect()
    Fault().put_into(match_changes, "make_update", monkeypatch)
    assert referee.say(guest, "join", **TERMS)["code"] == "server_error"
    assert referee.service.sessions[guest].nick is None


def test_a_query_that_fails_changes_nothing(duel: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    referee = duel.referee
    with monkeypatch.context() as patch:
        Fault().put_into(queries, "update_of", patch)
        reply = duel.say("zp", "state")
    text = "the server failed at this command; nothing has changed"
    assert reply == {"error": text, "code": "server_error"}
    assert referee.closed == set()
    assert referee.received(duel.jpleal) == []
    assert duel.done("zp", "notify", cell=8)["seq"] == 3


# -- anywhere


PLACES: list[tuple[Any, str]] = [
    (TabState, "apply"),
    (TabState, "view"),
    (TabState, "outcome"),
    (TabState, "actions"),
    (DraughtsState, "apply"),
    (DraughtsState, "view"),
    (match_changes, "make_event_row"),
    (match_changes, "make_end_row"),
    (match_changes, "make_update"),
]


@pytest.mark.parametrize("seed", range(40))
def test_any_fault_closes_one_match_and_changes_nothing_else(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play two games at once at random, until a command fails."""
    luck = random.Random(seed)
    referee = Referee(f"faults {seed}")
    duels = [pair(referee, **TERMS), pair(referee, **DRAUGHTS)]
    owner, name = luck.choice(PLACES)
    first = int(2 ** luck.uniform(0, 7))
    fault = Fault(first, first)
    while True:
        duel = luck.choice(duels)
        match = referee.service.games.playing.get(duel.game)
        if match is None:
            return  # it is over, and the fault was never met
        untouched = duels[1 - duels.index(duel)]
        command = _any_command(duel, luck)
        for session in (duel.zp, duel.jpleal):
            referee.received(session)
        before = untouched.say("zp", "state", text=True)
        with monkeypatch.context() as patch:
            fault.put_into(owner, name, patch)
            reply = duel.say(*command[:2], **command[2])
        if fault.has_raised:
            break
        assert reply == {}
    assert untouched.say("zp", "state", text=True) == before
    closed = referee.match(duel.game)
    assert reply["code"] == "server_error"
    assert closed.result.reason == "error"
    assert list(closed.moments)[:-1] == list(match.moments)
    assert isinstance(referee.rows[-1], MatchEnded)
    assert isinstance(referee.rows[-2], MatchEvent)
    for session in (duel.zp, duel.jpleal):
        (closing,) = referee.updates(session)
        assert closing["result"]["reason"] == "error"
    back = referee.revived()
    assert list(back.service.games.playing) == list(referee.service.games.playing)
    back.recall(duel.game)
    assert back.match(duel.game).moments == closed.moments


def _any_command(duel: Pair, luck: random.Random) -> tuple[str, str, dict[str, Any]]:
    """A command that is accepted: mostly a move."""
    match = duel.referee.match(duel.game)
    nick = match.nicks[match.state.turn]
    if luck.random() < 0.05:
        return nick, "draw", {"offer": match.state.turn not in match.offers}
    if luck.random() < 0.01:
        return nick, "leave", {}
    choices = duel.say(nick, "moves")
    action = luck.choice(choices["actions"])
    return nick, action, luck.choice(choices["moves"]) if action == "notify" else {}
