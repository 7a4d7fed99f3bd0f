"""A match of three or four: players are removed, and the others play on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from tabnet.errors import Refused
from tabnet.games import GAMES
from tabnet.games.api import Outcome
from tabnet.protocol.dice import NO_SALT, Dice, hash_salt, mix_salt
from tabnet.protocol.fields import Clock
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.rows import SavedMatch
from tabnet.server.core.rows_of_matches import make_event_row, make_start_row
from tabnet.server.core.update_frames import make_update
from tabnet.server.storage.replay_match import replay_match
from tests.race import RACE, race_for

SECRET = bytes(range(32))
FULL = (10_000,) * 3


@pytest.fixture(autouse=True)
def _race(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "race", RACE)


def started(seats: int = 3, salts: tuple[int, ...] = (), **terms: Any) -> Match:
    hashes = [hash_salt(bytes(16)) if seat in salts else None for seat in range(seats)]
    players = (Seat(nick, salt_hash=each) for nick, each in zip("abcd", hashes, strict=False))
    return Match.start("g", race_for(seats, **terms), tuple(players), SECRET, 0)


def expired(match: Match, now: int) -> Match:
    after = match.expire(now)
    assert after is not None
    return after


def replayed(match: Match) -> None:
    """Check that the stored rows of a match make the same updates."""
    history = tuple(make_event_row(match, seq) for seq in range(1, match.seq + 1))
    again = replay_match(SavedMatch(make_start_row(match), history, ()), 0)
    for seq in range(1, match.seq + 1):
        assert make_update(again, seq) == make_update(match, seq)


def test_the_layout_follows_from_the_secret_and_is_public() -> None:
    match = started(4)
    layout = Dice("g", SECRET, (NO_SALT,) * 4).layout(RACE, None)
    assert make_update(match, 1).position["prizes"] == layout
    assert len(set(layout)) > 1
    assert make_update(match, 1).position["players"] == dict(zip("abcd", RACE.colours, strict=True))
    # whatever the salts are
    salted = Dice("g", SECRET, (mix_salt(b"x"),) * 4)
    assert salted.layout(RACE, None) == layout


def leave(match: Match) -> Match:
    return match.leave(0, 4000)


def fall(match: Match) -> Match:
    return expired(match, 10_000)


def cheat(match: Match) -> Match:
    assert match.may_punish(0)
    return match.punish(0, "must_roll", 4000)


def crash(match: Match) -> Match:
    return match.end(4000, "crash", loser=0)


@pytest.mark.parametrize(
    ("happen", "event"),
    [(leave, "leave"), (fall, "timeout"), (cheat, "illegal"), (crash, "end")],
)
def test_the_others_play_on_without_a_removed_player(
    happen: Callable[[Match], Match], event: str
) -> None:
    match = started(strict=True)
    match = match.play(0, "roll", {}, 0)
    match = match.offer_draw(0, True, 0)
    match = happen(match)
    told = make_update(match, match.seq).position
    assert told["event"] == {"type": event, "player": "a"} | (
        {"code": "must_roll"} if event == "illegal" else {}
    )
    assert (told["turn"], told["expects"], told["dice"]) == ("b", "roll", None)
    assert (told["out"], told["draw_offers"], told["scores"]) == (["red"], [], [None, 0, 0])
    assert "winner" not in told
    assert (match.playing, match.result) == ((1, 2), None)
    # and his successor has the whole time
    now = match.moments[-1].at
    assert (match.compute_left(now), match.deadline) == (FULL, now + 10_000)
    if event != "end":
        replayed(match)


def test_the_last_player_left_has_won() -> None:
    match = started(4)
    for seat in (2, 0):
        match = match.leave(seat, 1000)
    assert (match.turn, match.out, match.result) == (1, (2, 0), None)
    match = match.leave(1, 2000)
    assert match.result == Outcome((3,), (0, 0, 0, 1), "leave")
    last = make_update(match, match.seq).position
    assert (last["winner"], last["turn"], match.out) == ("d", None, (2, 0, 1))
    replayed(match)


def test_a_removal_out_of_turn_changes_no_clock() -> None:
    match = started()
    match = match.play(0, "roll", {}, 0)
    match = match.leave(2, 4000)
    assert (match.turn, match.compute_left(4000), match.deadline) == (
        0,
        (6000, 10_000, 10_000),
        10_000,
    )
    assert match.state.actions() != ()
    match = started(clock=Clock(total=10, increment=5))
    match = match.leave(1, 4000)
    assert match.compute_left(5000) == (5000, 10_000, 10_000)
    match = match.leave(0, 5000)  # nobody is left who could wait for an increment
    assert match.compute_left(5000) == (5000, 10_000, 10_000)


def test_a_timeout_gives_no_increment() -> None:
    match = started(clock=Clock(total=10, increment=5))
    match = expired(match, 10_000)
    assert (match.compute_left(10_000), match.deadline) == ((0, 10_000, 10_000), 20_000)


def test_several_may_win() -> None:
    match = started()
    state = evolve(match.state, prizes=(0, 0, 0, 5), thrown=4, scores=(0, 5, 4))
    match = evolve(match, state=state, turn=state.turn)
    match = match.play(0, "notify", {"cell": 3}, 0)
    last = make_update(match, match.seq).position
    assert last["winner"] is None
    assert last["result"]["winners"] == ["a", "b"]
    assert last["result"]["points"] == {"a": 5, "b": 5, "c": 4}


def test_a_draw_needs_all_players_who_have_not_been_removed() -> None:
    match = started(4)
    for seat in (2, 0):
        match = match.offer_draw(seat, True, 0)
    match = match.leave(2, 0)
    assert (match.offers, match.result) == ((0,), None)
    match = match.offer_draw(1, True, 0)
    assert match.result is None
    match = match.leave(3, 0)
    assert match.result == Outcome((), (0, 0, 0, 0), "agreed")
    replayed(match)


def test_the_salts_of_three() -> None:
    match = started(salts=(0, 2))
    match = match.reveal(2, bytes(16), 100)
    match = match.reveal(0, bytes(16), 200)
    assert match.dice.mixes == (mix_salt(bytes(16)), NO_SALT, mix_salt(bytes(16)))
    assert match.deadline == 10_200
    replayed(match)


def test_a_player_without_a_salt_is_removed_and_the_dice_omit_the_salt() -> None:
    match = started(salts=(0, 2))
    match = match.reveal(2, bytes(16), 100)
    match = expired(match, 10_000)
    assert (match.out, match.owing, match.turn) == ((0,), (), 1)
    assert match.dice.mixes == (NO_SALT, NO_SALT, mix_salt(bytes(16)))
    assert (match.compute_left(10_000), match.deadline) == (FULL, 20_000)
    assert make_update(match, match.seq).position["expects"] == "roll"
    with pytest.raises(Refused, match="no salt"):
        match = match.reveal(0, bytes(16), 10_001)
    replayed(match)


def test_no_clock_starts_while_salts_are_due() -> None:
    match = started(salts=(1,))
    match = match.leave(0, 3000)
    assert (match.owing, match.compute_left(9000), match.deadline) == ((1,), FULL, 10_000)
    replayed(match)


@pytest.mark.parametrize(
    ("seats", "result"),
    [
        (3, Outcome((1,), (0, 1, 0), "timeout")),
        (4, None),
    ],
)
def test_several_players_without_salts_are_removed(seats: int, result: Outcome | None) -> None:
    match = started(seats, salts=(0, 2))
    match = expired(match, 10_000)
    told = make_update(match, 2).position
    assert told["event"] == {"type": "timeout"}
    assert (told["winner"] if result else told["out"]) == ("b" if result else ["red", "brown"])
    assert (match.out, match.result) == ((0, 2), result)
    replayed(match)


def test_forced_plays_continue_after_a_removal() -> None:
    players = (Seat("a"), Seat("b", auto=True), Seat("c"))
    match = Match.start("g", race_for(3), players, SECRET, 0)
    match = match.leave(0, 500)
    assert [(moment.event, moment.seat) for moment in match.moments] == [
        ("start", None),
        ("leave", 0),
        ("roll", 1),
    ]
    replayed(match)
