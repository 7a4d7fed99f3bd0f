"""Matches as rows and back, and what is found out of rows that were changed."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.errors import BrokenHistory
from tabnet.protocol.dice import hash_salt
from tabnet.protocol.messages import Clock, Join
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import read_terms
from tabnet.server.core.pairing.lobby import PRIVATE_WAIT_MS, PUBLIC_WAIT_MS, Table, WaitingPlayer
from tabnet.server.core.rows import MatchEvent, MatchScore, SavedMatch, SavedTable
from tabnet.server.core.rows_of_matches import (
    make_end_row,
    make_event_row,
    make_start_row,
    make_terms_row,
    make_waiting_row,
)
from tabnet.server.core.update_frames import make_update
from tabnet.server.storage.replay_match import REPLAY, load_table, load_terms, replay_match
from tests.commands import join
from tests.server.memory_store import plain
from tests.server.pure import Referee
from tests.server.random_players import RandomPlayers

SALT = bytes(16)


def rows_of(match: Match) -> tuple[MatchEvent, ...]:
    return tuple(make_event_row(match, seq) for seq in range(1, match.seq + 1))


def saved(match: Match) -> SavedMatch:
    """A match as it is read back."""
    begun = make_start_row(match)
    begun = evolve(begun, terms=plain(begun.terms), seats=tuple(plain(begun.seats)))
    history = tuple(evolve(row, detail=plain(row.detail)) for row in rows_of(match))
    return SavedMatch(begun, history, ())


def draughts(*seats: Seat, **terms: Any) -> Match:
    """A game of draughts with five events."""
    match = Match.start(
        "g",
        read_terms(join(kind="draughts", **terms)),
        seats or (Seat("zp"), Seat("jpleal")),
        bytes(32),
        70,
    )
    match = match.play(0, "notify", {"route": ["c3", "d4"]}, 1070)
    match = match.offer_draw(1, True, 1570)
    return match.play(1, "notify", {"route": ["b6", "a5"]}, 2070)


def left() -> Match:
    match = draughts()
    return match.leave(0, 2570)


def lost_by_the_rules() -> Match:
    match = draughts(strict=True)
    return match.punish(0, "no_piece", 2570)


def lost_by_failing() -> Match:
    return draughts().end(2570, "crash", loser=1)


def tab(*salted: int, **terms: Any) -> Match:
    """A game of Tab in which these seats have promised a salt."""
    seats = tuple(
        Seat(nick, salt_hash=hash_salt(SALT) if number in salted else None)
        for number, nick in enumerate(("zp", "jpleal"))
    )
    return Match.start("g", read_terms(join(group=1, size=7, **terms)), seats, bytes(32), 0)


# -- as they were


def test_a_match_is_stored_as_rows() -> None:
    match = left()
    terms = {
        "kind": "draughts",
        "options": {},
        "seats": 2,
        "clock": {"total": 600},
        "group": None,
        "strict": False,
    }
    begun = make_start_row(match)
    assert (begun.game, begun.terms, begun.secret) == ("g", terms, bytes(32))
    seat = {"nick": "jpleal", "ranked": True, "auto": False, "salt_hash": None}
    in_a_room = {"label": None, "must_be_online": False, "out_on_error": False}
    assert begun.seats[1] == seat | in_a_room
    assert rows_of(match) == (
        MatchEvent("g", 1, 0, "start", None, None),
        MatchEvent("g", 2, 1000, "move", 0, {"route": ["c3", "d4"]}),
        MatchEvent("g", 3, 1500, "draw", 1, True),
        MatchEvent("g", 4, 2000, "move", 1, {"route": ["b6", "a5"]}),
        MatchEvent("g", 5, 2500, "leave", 0, None),
    )
    ended = make_end_row(match)
    assert ended.history == rows_of(match)
    assert plain(ended.result) == {"winners": [1], "points": [0, 1], "reason": "leave"}
    assert ended.scores == (
        MatchScore("draughts", None, None, "zp", False, 0),
        MatchScore("draughts", None, None, "jpleal", True, 1),
    )


def test_a_match_with_a_guest_has_no_totals() -> None:
    match = draughts(Seat("zp"), Seat("guest-1", ranked=False))
    match = match.leave(0, 3000)
    assert make_end_row(match).scores == ()


def test_a_running_match_has_no_end_row() -> None:
    with pytest.raises(ValueError, match="not over"):
        make_end_row(draughts())


@pytest.mark.parametrize(
    "join",
    [
        join(group=99, size=9),
        join(group=1, size=7, strict=True, clock=Clock(total=60.5, increment=0.25)),
        join(kind="draughts", clock=Clock(move=3)),
    ],
)
def test_terms_survive_conversion_to_rows(join: Join) -> None:
    terms = read_terms(join)
    assert load_terms(plain(make_terms_row(terms))) == terms


@pytest.mark.parametrize(
    ("invite", "expires"), [("i", 1000 + PRIVATE_WAIT_MS - 7), (None, 1000 + PUBLIC_WAIT_MS)]
)
def test_a_wait_survives_conversion_to_rows(invite: str | None, expires: int) -> None:
    players = [
        WaitingPlayer("zp", wish=1, auto=True, salt_hash="00"),
        WaitingPlayer("guest-1", ranked=False),
    ]
    table = Table("g", read_terms(join(group=1, size=7)), 5, players, invite)
    row = make_waiting_row(table)
    row = evolve(row, terms=plain(row.terms), players=tuple(plain(row.players)))
    back = load_table(SavedTable(row, 7), 1000)
    assert (back.id, back.terms, back.players, back.invite) == ("g", table.terms, players, invite)
    assert back.expires == expires


@pytest.mark.parametrize("make", [draughts, left, lost_by_the_rules, lost_by_failing, tab])
def test_a_match_survives_conversion_to_rows(make: Any) -> None:
    match = make()
    back = replay_match(saved(match), 9000)
    assert back.moments == match.moments
    assert rows_of(back) == rows_of(match)
    last = match.moments[-1]
    assert back.compute_left(9000) == last.left
    assert back.began == 9000 - last.at


def test_a_rebuilt_match_continues_at_the_time_of_its_pause() -> None:
    back = replay_match(evolve(saved(draughts()), paused_at=2600), 9000)
    assert back.began == 9000 - 2600
    assert back.compute_left(9000) == (600_000 - 1000 - 600, 600_000 - 1000)


# -- changed


def broken(found: SavedMatch) -> tuple[int, str]:
    """The number of the event that cannot be, and why; 0 if all can."""
    try:
        replay_match(found, 0)
    except BrokenHistory as error:
        told = re.fullmatch(r"game \w+, event (\d+): (.*)", error.text)
        return (int(told[1]), told[2]) if told else (-1, error.text)
    return 0, ""


def changed(match: Match, number: int, /, **fields: Any) -> SavedMatch:
    """The rows of a match, with one that was changed."""
    return with_row(saved(match), number, **fields)


def with_row(found: SavedMatch, number: int, /, **fields: Any) -> SavedMatch:
    history = list(found.history)
    history[number - 1] = evolve(history[number - 1], **fields)
    return evolve(found, history=tuple(history))


ROUTES = {"route": ["c3", "d4"]}


@pytest.mark.parametrize(
    ("seq", "fields", "found", "why"),
    [
        (1, {"event": "roll"}, 1, "roll of seat None as number 1 at 0 ms is stored, it must be st"),
        (1, {"at": 1}, 1, "start of seat None as number 1 at 1 ms is stored"),
        (1, {"seat": 0}, 1, "start of seat 0"),
        (1, {"detail": "x"}, 1, "start x of seat None"),
        (1, {"game": "h"}, 1, "is stored"),
        (2, {"game": "h"}, 2, "is stored"),
        (2, {"seq": 1}, 2, "as number 1 at 1000 ms is stored, it must be move"),
        (2, {"seq": 3}, 2, "is stored"),
        (2, {"seq": 99}, 2, "is stored"),
        (2, {"seq": -1}, 2, "is stored"),
        (2, {"event": "pass"}, 2, "pass is refused: draughts has no passing"),
        (2, {"event": "roll"}, 2, "roll is refused"),
        (2, {"event": "select"}, 2, "select is refused"),
        (2, {"event": "release"}, 2, "release is refused"),
        (2, {"event": "salt"}, 2, "salt is refused"),
        (2, {"event": "start"}, 2, "start is refused"),
        (2, {"event": "leave"}, 2, "leave {'route': ['c3', 'd4']} of seat 0"),
        (2, {"event": ""}, 2, " is refused: ''"),
        (2, {"event": ["move"]}, 2, "is refused"),
        (2, {"seat": 1}, 2, "not your turn to play"),
        (2, {"seat": None}, 2, "it belongs to no seat"),
        (2, {"seat": -2}, 2, "it belongs to no seat"),
        (2, {"seat": 2}, 2, "it belongs to no seat"),
        (2, {"at": -1}, 2, "it is earlier than the event before it"),
        (2, {"at": 600_000}, 2, "the time was over"),
        (2, {"at": None}, 2, "is refused"),
        (2, {"at": 1501}, 3, "it is earlier than the event before it"),
        (2, {"detail": None}, 2, "is refused"),
        (2, {"detail": 5}, 2, "is refused"),
        (2, {"detail": "route"}, 2, "is refused"),
        (2, {"detail": ["route"]}, 2, "is refused"),
        (2, {"detail": []}, 2, "is refused"),
        (2, {"detail": {}}, 2, "undefined route"),
        (2, {"detail": {"cell": 3}}, 2, "unknown field 'cell'"),
        (2, {"detail": {"route": "c3"}}, 2, "is refused"),
        (2, {"detail": {"route": [1, 2]}}, 2, "is refused"),
        (2, {"detail": {"route": [["c3"], {}]}}, 2, "is refused"),
        (2, {"detail": {"route": ["c3", "e5"]}}, 2, "is refused"),
        (2, {"detail": {**ROUTES, "to": 1}}, 2, "unknown field 'to'"),
        (3, {"at": 999}, 3, "it is earlier than the event before it"),
        (3, {"at": 2001}, 4, "it is earlier than the event before it"),
        (3, {"detail": False}, 3, "you have offered no draw"),
        (3, {"detail": None}, 3, "it is neither an offer nor a withdrawal"),
        (3, {"detail": 1}, 3, "it is neither an offer nor a withdrawal"),
        (3, {"detail": "true"}, 3, "it is neither an offer nor a withdrawal"),
        (3, {"seat": 2}, 3, "it belongs to no seat"),
        (3, {"event": "leave"}, 3, "leave True of seat 1"),
        (5, {"event": "timeout"}, 5, "no time has run out"),
        (5, {"event": "illegal", "detail": "no_piece"}, 5, "nothing could be punished"),
        (5, {"event": "end"}, 5, "is stored"),
        (5, {"event": "end", "detail": "leave"}, 5, "no match ends for this reason"),
        (5, {"seat": 7}, 5, "it belongs to no seat"),
        (5, {"detail": 0}, 5, "is stored"),
    ],
)
def test_a_changed_row_is_refused(seq: int, fields: dict[str, Any], found: int, why: str) -> None:
    number, text = broken(changed(left(), seq, **fields))
    assert number == found
    assert why in text


@pytest.mark.parametrize(
    ("seq", "fields"),
    [
        (2, {"at": 0}),
        (3, {"at": 1999}),
        (5, {"at": 500_000}),
        (2, {"detail": {"route": ["e3", "d4"]}}),
        (3, {"seat": 0}),
        (5, {"seat": 1}),
        (5, {"event": "end", "seat": None}),
        (5, {"event": "draw", "detail": True}),
        (5, {"at": 602_000 - 1000, "event": "timeout"}),
    ],
)
def test_a_possible_changed_history_is_accepted(seq: int, fields: dict[str, Any]) -> None:
    """Accept another time or seat of a resignation, because no rule contradicts it."""
    found = changed(left(), seq, **fields)
    assert found != saved(left())
    assert rows_of(replay_match(found, 0)) == found.history


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"seat": 1}, "nothing could be punished"),
        ({"seat": None}, "it belongs to no seat"),
        ({"detail": None}, "nothing could be punished"),
        ({"detail": "x"}, "nothing could be punished"),
        ({"detail": ["no_piece"]}, "illegal is refused"),
    ],
)
def test_a_changed_punishment_is_refused(fields: dict[str, Any], why: str) -> None:
    number, text = broken(changed(lost_by_the_rules(), 5, **fields))
    assert number == 5
    assert why in text


def test_nobody_is_punished_while_salts_are_owed() -> None:
    found = saved(tab(0, strict=True))
    illegal = MatchEvent("g", 2, 5, "illegal", 0, "must_roll")
    assert broken(evolve(found, history=(*found.history, illegal)))[0] == 2


@pytest.mark.parametrize("detail", [None, 6, "cell", ["cell"], {"cell": True}, {"cell": 6.0}])
@pytest.mark.parametrize("event", ["move", "select"])
def test_a_changed_cell_is_refused(event: str, detail: Any) -> None:
    found = saved(tab())
    move = MatchEvent("g", 2, 5, event, 0, detail)
    assert broken(evolve(found, history=(*found.history, move)))[0] == 2


@pytest.mark.parametrize(
    ("seat", "detail", "why"),
    [
        (1, SALT.hex(), "no salt is expected"),
        (None, SALT.hex(), "it belongs to no seat"),
        (0, "11" * 16, "does not have the hash"),
        (0, "zz", "salt is refused"),
        (0, None, "salt is refused"),
        (0, SALT.hex() + " ", "is stored"),
    ],
)
def test_a_changed_salt_is_refused(seat: int | None, detail: Any, why: str) -> None:
    match = tab(0)
    match = match.reveal(0, SALT, 10)
    number, text = broken(changed(match, 2, seat=seat, detail=detail))
    assert number == 2
    assert why in text


def test_a_timeout_belongs_to_the_late_seat() -> None:
    match = tab(0, 1)
    match = match.expire(120_000)
    assert match is not None
    assert rows_of(replay_match(saved(match), 0)) == rows_of(match)
    for fields in ({"seat": 0}, {"at": 119_999}, {"detail": 1}):
        assert broken(changed(match, 2, **fields))[0] == 2


@pytest.mark.parametrize("make", [left, lost_by_the_rules])
@pytest.mark.parametrize(
    ("event", "seat", "detail"),
    [
        ("move", 0, {"route": ["a3", "b4"]}),
        ("draw", 0, True),
        ("leave", 1, None),
        ("end", None, None),
        ("timeout", 1, None),
        ("illegal", 0, "no_piece"),
        ("salt", 0, SALT.hex()),
    ],
)
def test_an_event_after_the_end_is_refused(make: Any, event: str, seat: int, detail: Any) -> None:
    found = saved(make())
    for at in (2500, 999_999_999):
        more = MatchEvent("g", 6, at, event, seat, detail)
        assert broken(evolve(found, history=(*found.history, more)))[0] == 6


@cache
def random_matches() -> list[SavedMatch]:
    """Return the stored rows of many matches of all kinds."""
    found = []
    for seed in range(5):
        players = RandomPlayers(Referee(f"history {seed}"), random.Random(seed))
        for _ in range(400):
            players.step()
        kept = players.referee.store
        found += [match for game in kept.matches if (match := kept.find(game))]
    return found


def as_text(history: tuple[MatchEvent, ...]) -> str:
    """As a database holds it: true is not 1."""
    return json.dumps([(row.seq, row.at, row.event, row.seat, row.detail) for row in history])


def test_the_stored_events_of_many_matches_are_replayed() -> None:
    events = set()
    for found in random_matches():
        match = replay_match(found, 0)
        assert as_text(rows_of(match)) == as_text(found.history)
        events |= {row.event for row in found.history}
    assert len(events) == 12


def test_a_missing_repeated_or_misplaced_row_is_detected() -> None:
    for found in random_matches()[::3]:
        rows = found.history
        for k in range(len(rows)):
            doubled = (*rows[: k + 1], *rows[k:])
            assert broken(evolve(found, history=doubled))[0] == k + 2
        for k in range(len(rows) - 1):
            missing = (*rows[:k], *rows[k + 1 :])
            swapped = (*rows[:k], rows[k + 1], rows[k], *rows[k + 2 :])
            assert broken(evolve(found, history=missing))[0] == k + 1
            assert broken(evolve(found, history=swapped))[0] == k + 1


def test_a_history_without_its_last_rows_is_possible() -> None:
    for found in random_matches():
        autos = any(seat["auto"] for seat in found.begun.seats)
        for k in range(1, len(found.history)):
            number, why = broken(evolve(found, history=found.history[:k]))
            # the server makes forced plays at once, or not at all
            assert number == 0 or (autos and (number, why) == (k + 1, "it is missing"))
        assert broken(evolve(found, history=())) == (1, "it is missing")


def test_with_another_secret_the_first_other_throw_is_found() -> None:
    rolled = 0
    for found in random_matches():
        throws = [row.seq for row in found.history if row.event == "roll"]
        if len(throws) >= 8:
            begun = evolve(found.begun, secret=bytes(31) + b"\1")
            assert broken(evolve(found, begun=begun))[0] in throws
            rolled += 1
    assert rolled > 10


VALUES = {
    "seq": st.integers(-3, 200),
    "at": st.integers(-10, 2000) | st.integers(),
    "event": st.sampled_from([*REPLAY, "start", "x"]),
    "seat": st.none() | st.integers(-3, 3),
    "detail": st.none()
    | st.booleans()
    | st.integers(-2, 30)
    | st.sampled_from(["must_roll", SALT.hex(), "x", ""])
    | st.lists(st.sampled_from(["cell", "route", 3]), max_size=3)
    | st.fixed_dictionaries({"cell": st.integers(-1, 28), "to": st.integers(-1, 28)})
    | st.fixed_dictionaries({"route": st.lists(st.sampled_from(["c3", "d4", "e5", 1]))})
    | st.dictionaries(
        st.sampled_from(["cell", "to", "route"]), st.none() | st.text() | st.floats()
    ),
}


@pytest.mark.slow
@settings(max_examples=400)
@given(st.data())
def test_a_changed_row_is_detected_or_describes_a_possible_match(data: st.DataObject) -> None:
    found = data.draw(st.sampled_from(random_matches()))
    number = data.draw(st.integers(1, len(found.history)))
    names = data.draw(st.sets(st.sampled_from(sorted(VALUES)), min_size=1, max_size=2))
    fields = {name: data.draw(VALUES[name]) for name in sorted(names)}
    if "at" in fields and data.draw(st.booleans()):
        fields["at"] += found.history[number - 1].at
    wrong = with_row(found, number, **fields)
    where, _ = broken(wrong)
    if where == 0:
        match = replay_match(wrong, 0)
        assert as_text(rows_of(match)) == as_text(wrong.history)
        for seq in range(1, match.seq + 1):
            make_update(match, seq)
    else:
        assert where >= number
