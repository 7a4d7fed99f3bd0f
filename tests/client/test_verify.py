"""Whole matches are verified, and whatever is changed in them afterwards is found."""

from __future__ import annotations

import copy
import random
from functools import cache

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.client.verify import verify
from tabnet.errors import NotVerified
from tabnet.games import GAMES
from tabnet.protocol.codec import decode_frame
from tabnet.protocol.dice import hash_salt
from tabnet.server.core.update_frames import make_update
from tests.client.matches import NICKS, OTHER_SALT, SALT, Match
from tests.server.pure import Referee, pair, play_out

TERMS = {
    "tab": {"group": 99, "size": 7},
    "large": {"group": 99, "size": 15},
    "slow": {"group": 99, "size": 7, "clock": {"total": 600, "increment": 5}},
    "draughts": {"kind": "draughts"},
    "plakoto": {"kind": "plakoto"},
    "quick": {"kind": "draughts", "clock": {"total": 9, "increment": 1}},
    "fish": {"kind": "fish"},
    "ice": {"kind": "fish", "rows": 4, "cols": 6, "holes": 5, "fish": 2},
    "given": {"kind": "fish", "board": [[1, 2, 3, 4], [5, 1, 2], [3, 0, 1]]},
}


@cache
def recorded(name, seed=0):
    """A random match as the service told it."""
    duel = pair(Referee(f"{name} {seed}"), **TERMS[name])
    return [decode_frame(line) for line in play_out(duel, random.Random(seed))]


def salted(*salts, strict=False):
    """A match whose salts have come, the last seat's first."""
    match = Match(salts=salts, strict=strict)
    for nick in list(match.owing)[::-1]:
        match.salt(nick)
    return match


@cache
def written(name):
    """A match with what the recorded ones lack."""
    match = {
        "salted": lambda: salted(SALT, OTHER_SALT).play_out(1),
        "half salted": lambda: salted(None, SALT).play_out(2),
        "auto": lambda: Match(auto=("ann",)).play_out(3),
        "total": lambda: Match(timing={"total": 60, "increment": 1}).play_out(4),
        "draughts": lambda: Match("draughts", timing={"total": 60}).play_out(5),
    }.get(name)
    if match is not None:
        return match().frames
    match = salted(SALT, None, strict=name == "illegal").play_out(6, most=30)
    match.draw("ann")
    match.draw("ann", offer=False)
    match.draw("bob")
    match.play_out(7, most=50)
    if name == "agreed":
        match.draw("ann")
    else:
        match.lose(match.turn, "illegal", code="must_move")
    return match.frames


WRITTEN = ("salted", "half salted", "auto", "total", "draughts", "agreed", "illegal")


# -- what is right


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", TERMS)
def test_a_random_match_of_the_service_is_verified(name, seed):
    updates = recorded(name, seed)
    events = [update.position["event"]["type"] for update in updates]
    verified = verify(iter(updates))
    assert (verified.game, verified.events) == (updates[0].game, len(updates))
    assert verified.kind == updates[0].position["kind"]
    assert verified.options == updates[0].position["options"]
    assert verified.players == updates[0].position["players"]
    assert verified.throws == events.count("roll")
    assert verified.salted == ()
    assert verified.result == updates[-1].position["result"]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_match_written_from_the_protocol_is_verified(name):
    updates = written(name)
    verified = verify(updates)
    assert verified.result["reason"] == {"agreed": "agreed", "illegal": "illegal_move"}.get(
        name, verified.result["reason"]
    )
    assert verified.salted == {
        **dict.fromkeys(("auto", "total", "draughts"), ()),
        "salted": ("ann", "bob"),
        "half salted": ("bob",),
    }.get(name, ("ann",))


def test_auto_seats_of_the_service_are_verified():
    referee = Referee("auto")
    one, two = referee.connect(), referee.connect()
    seat = referee.say(one, "join", group=1, size=7, auto=True)
    referee.say(two, "join", group=1, size=7, auto=True)
    game, luck = seat["game"], random.Random(0)
    while (standing := referee.say(one, "state", game=game))["status"] == "playing":
        mover = one if standing["update"]["turn"] == seat["nick"] else two
        choice = luck.choice(referee.say(mover, "moves", game=game)["moves"])
        referee.say(mover, "notify", game=game, **choice)
    updates = [decode_frame(line) for line in referee.lines[one]]
    assert verify(updates).events == len(updates)


def salted_duel(**terms):
    """A match of the service into which both put the same salt."""
    return pair(Referee("salted"), group=99, size=7, salt_hash=hash_salt(SALT), **terms)


def updates_told(duel):
    watcher = duel.referee.connect()
    duel.referee.say(watcher, "update", game=duel.game, since=0)
    return [decode_frame(line) for line in duel.referee.lines[watcher]]


def test_a_salted_match_of_the_service_is_verified():
    duel = salted_duel()
    for nick in ("jpleal", "zp"):
        duel.done(nick, "salt", salt=SALT.hex())
    updates = [decode_frame(line) for line in play_out(duel, random.Random(1))]
    verified = verify(updates)
    assert verified.salted == ("zp", "jpleal")
    assert verified.throws > 10


@pytest.mark.parametrize(("late", "winners"), [(("zp",), ["jpleal"]), (("zp", "jpleal"), [])])
def test_a_match_of_the_service_with_missing_salts_is_verified(late, winners):
    duel = salted_duel()
    for nick in {"zp", "jpleal"} - set(late):
        duel.done(nick, "salt", salt=SALT.hex())
    duel.referee.wait(120)
    verified = verify(updates_told(duel))
    assert verified.result["reason"] == "timeout"
    assert verified.result["winners"] == list(verified.salted) == winners


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([("zp", "draw", True), ("zp", "draw", False), ("zp", "draw", True)], "timeout"),
        ([("jpleal", "draw", True), ("zp", "roll"), ("zp", "draw", True)], "agreed"),
        ([("jpleal", "draw", True), ("zp", "leave")], "leave"),
    ],
)
def test_endings_of_the_service_are_verified(steps, reason):
    duel = pair(Referee("endings"), group=99, size=7)
    for nick, cmd, *offer in steps:
        duel.say(nick, cmd, **({"offer": offer[0]} if offer else {}))
    duel.referee.wait(130)
    assert verify(updates_told(duel)).result["reason"] == reason


def test_a_strict_match_of_the_service_is_verified():
    duel = pair(Referee("strict"), group=99, size=7, strict=True)
    match = duel.referee.match(duel.game)
    match = match.punish(0, "must_roll", duel.referee.now)
    verified = verify(make_update(match, seq) for seq in (1, 2))
    assert verified.result["winners"] == ["jpleal"]


@pytest.mark.parametrize("nick", NICKS)
@pytest.mark.parametrize("event", ["leave", "timeout"])
def test_a_match_that_ends_before_all_salts_arrive_is_verified(event, nick):
    match = Match(salts=(SALT, OTHER_SALT))
    match.salt("bob" if nick == "ann" else "ann")
    match.lose(nick, event)
    verified = verify(match.frames)
    assert verified.throws == 0
    assert verified.salted == tuple(other for other in NICKS if other != nick)
    assert verified.result["winners"] == list(verified.salted)


@pytest.mark.parametrize("reason", ["ended", "error"])
def test_a_match_ended_by_an_operator_or_an_error_is_verified(reason):
    match = Match()
    match.end(reason)
    assert verify(match.frames).result["reason"] == reason


def test_a_match_that_a_house_bot_lost_by_failing_is_verified():
    match = Match()
    match.out += ["ann"]
    match.tell({"type": "end", "player": "ann"}, end=(["bob"], "crash"))
    result = verify(match.frames).result
    assert (result["winners"], result["reason"]) == (["bob"], "crash")


def test_a_timeout_needs_an_empty_clock():
    match = Match()
    match.roll()
    match.think(120)
    match.lose("ann", "timeout")
    assert verify(match.frames).result["reason"] == "timeout"
    match.frames[-1] = changed(match.frames[-1], ("clock", "ann"), 3.0)
    wrong(match.frames, 3, "clock.ann is '3.0', and should be 0")


def test_nobody_wins_if_several_salts_are_missing():
    match = Match(salts=(SALT, OTHER_SALT))
    match.lose(None, "timeout")
    assert verify(match.frames).result == {
        "winners": [],
        "points": {"ann": 0, "bob": 0},
        "reason": "timeout",
    }


def test_unknown_fields_are_ignored():
    updates = [
        attrs.evolve(update, position={"weather": update.seq, **update.position})
        for update in written("salted")
    ]
    assert verify(updates).events == len(updates)


# -- what is wrong


def changed(update, path, value=None, *, remove=False):
    """The update with another value at a path, or without it."""
    if path[0] in ("seq", "game"):
        return attrs.evolve(update, **{path[0]: value})
    position = copy.deepcopy(update.position)
    at = position
    for name in path[:-1]:
        at = at[name]
    if remove:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return attrs.evolve(update, position=position)


def wrong(updates, seq, text):
    """Verification fails at that update, with that text."""
    with pytest.raises(NotVerified) as caught:
        verify(updates)
    assert str(caught.value).startswith(f"update {seq}: ")
    assert text in str(caught.value)
    assert (caught.value.seq, caught.value.code) == (seq, "not_verified")
    return caught.value


def paths(value, path=()):
    """Every place in a JSON value."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in inside:
        if isinstance(part, dict | list):
            yield from paths(part, (*path, name))
        else:
            yield (*path, name)


OTHERS = st.sampled_from(
    [
        *(None, True, False, -1, 0, 1, 2, 3, 27, 10**9, 121.0),
        *("", "ann", "bob", "roll", "notify", "tab", "from", "to", "pass", "ended"),
        *("0" * 64, "a" * 32, [], {}, ["ann"], [0, 1], {"ann": 0.5}),
    ]
)


def is_free(update, path, value):
    """Return whether the protocol allows either of the two values."""
    told = update.position
    for name in path:
        told = told[name] if path[0] not in ("seq", "game") else getattr(update, name)
    same = type(told) is type(value) and told == value
    if path[0] == "clock":  # less time than was left, or the same in another type
        now = isinstance(value, int | float) and not isinstance(value, bool)
        return same or path == ("clock",) or (now and 0 <= value <= 600)
    return same


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_every_single_change_is_found_and_named(data):
    name = data.draw(st.sampled_from(["tab", "slow", "quick", *WRITTEN]))
    updates = written(name) if name in WRITTEN else recorded(name)
    ends = st.sampled_from([0, 1, 2, len(updates) - 2, len(updates) - 1])
    at = data.draw(ends | st.integers(0, len(updates) - 1))
    fields = {"seq": 0, "game": 0, **updates[at].position}
    field = data.draw(st.sampled_from(sorted(fields)))
    places = list(paths({field: fields[field]}))
    path = data.draw(st.sampled_from(places))
    if data.draw(st.booleans()) and path[0] not in ("seq", "game"):
        told = changed(updates[at], path, remove=True)
    else:
        value = data.draw(OTHERS)
        if is_free(updates[at], path, value):
            return
        told = changed(updates[at], path, value)
    with pytest.raises(NotVerified) as caught:
        verify([*updates[:at], told, *updates[at + 1 :]])
    assert caught.value.seq == at + 1 or path[0] in str(caught.value)


@settings(max_examples=50)
@given(st.data())
def test_a_missing_repeated_or_moved_update_is_found(data):
    updates = written(data.draw(st.sampled_from(WRITTEN)))
    at = data.draw(st.integers(0, len(updates) - 1))
    to = data.draw(st.integers(0, len(updates) - 1).filter(lambda to: to != at))
    without = [*updates[:at], *updates[at + 1 :]]
    if at != len(updates) - 1:
        wrong(without, at + 1, "seq is ")
    wrong([*updates[: at + 1], *updates[at:]], at + 2, "seq is ")
    wrong([*without[:to], updates[at], *without[to:]], min(at, to) + 1, "seq is ")


def test_a_match_without_its_end_cannot_be_verified():
    updates = written("salted")
    wrong(updates[:-1], len(updates) - 1, "the match is not over")
    wrong([], 1, "there is none")


def test_changed_dice_are_found():
    """The sticks are changed, and everything that follows from them."""
    updates = list(written("salted"))
    at = next(n for n, update in enumerate(updates) if update.position["event"]["type"] == "roll")
    sticks = updates[at].position["dice"]["stickValues"]
    told = changed(updates[at], ("dice", "stickValues", 2), not sticks[2])
    error = wrong([*updates[:at], told, *updates[at + 1 :]], at + 1, "dice.stickValues[2] is ")
    assert error.field == "dice.stickValues[2]"


def test_a_secret_that_contradicts_its_commitment_is_found():
    updates = list(written("salted"))
    updates[-1] = changed(updates[-1], ("dice_secret",), "00" * 32)
    wrong(updates, len(updates), "dice_secret is '0000")


def test_a_salt_without_its_hash_is_found():
    updates = list(written("salted"))
    updates[1] = changed(updates[1], ("event", "salt"), SALT.hex())
    wrong(updates, 2, "should be the salt that dice_salt_hashes.bob of update 1 stands for")


@pytest.mark.parametrize("salts", [{"ann": None, "bob": None}, {"ann": "00" * 16}, None])
def test_revealed_salts_that_contradict_the_updates_are_found(salts):
    updates = list(written("salted"))
    updates[-1] = changed(updates[-1], ("dice_salts",), salts)
    wrong(updates, len(updates), "dice_salts")


def events_of(*steps, salts=(None, None), kind="tab", strict=False):
    """A match of these steps, which ends by bob's leaving."""
    match = Match(kind, salts=salts, strict=strict)
    for step in steps:
        step(match)
    match.lose("bob")
    return match.frames


def tell(**event):
    return lambda match: match.tell(event)


def illegal(player="ann", code="own_piece", *, strict=True):
    return events_of(tell(type="illegal", player=player, code=code), strict=strict)


@pytest.mark.parametrize(
    ("updates", "seq", "text"),
    [
        (events_of(tell(type="somersault")), 2, "event.type is 'somersault', and should be one of"),
        (events_of(tell(type="start")), 2, "event.type is 'start'"),
        (events_of(tell(type="roll")), 2, "event.player is absent, and should be one of ann, bob"),
        (events_of(tell(type="roll", player="bob")), 2, "event.player is 'bob', and should be 'a"),
        (events_of(tell(type="pass", player="ann")), 2, "its event cannot be: You must roll"),
        (events_of(tell(type="release", player="ann")), 2, "no piece is selected"),
        (events_of(tell(type="select", player="ann")), 2, "its event cannot be: undefined cell"),
        (events_of(tell(type="move", player="ann", cell="6")), 2, "cannot be: cell is not an int"),
        (events_of(tell(type="salt", player="ann", salt="00" * 16)), 2, "no salt is due from ann"),
        (events_of(tell(type="timeout", player="bob")), 2, "event.player is 'bob', and should be"),
        (events_of(tell(type="timeout")), 2, "event.player is absent, and should be 'ann'"),
        (illegal(strict=False), 2, "strict is 'false', and should be 'true'"),
        (illegal(code="x"), 2, "event.code is 'x', and should be a code"),
        (illegal(code=[]), 2, "event.code is '[]'"),
        (illegal(player="bob"), 2, "event.player is 'bob', and should be 'ann'"),
        (events_of(tell(type="draw", player="ann", offer=False)), 2, "event.offer is 'false'"),
        (events_of(lambda match: match.end()), 3, "it comes after the end of the match"),
        (events_of(Match.roll, salts=(None, SALT)), 2, "the salt of bob has not come yet"),
        (events_of(tell(type="roll", player="ann"), kind="draughts"), 2, "draughts has no"),
        (
            events_of(tell(type="move", player="ann", route=["c3", "c4"]), kind="draughts"),
            2,
            "its event cannot be: ",
        ),
    ],
)
def test_an_impossible_event_is_found(updates, seq, text):
    wrong(updates, seq, text)


def first(path, value=None, *, remove=False, name="salted"):
    updates = list(written(name))
    updates[0] = changed(updates[0], path, value, remove=remove)
    return updates


@pytest.mark.parametrize(
    ("updates", "text"),
    [
        (first(("kind",), "chess"), f"kind is 'chess', and should be one of {', '.join(GAMES)}"),
        (first(("kind",), remove=True), "kind is absent"),
        (first(("options",), []), "options is '[]', and should be an object"),
        (first(("options",), {"size": 8}), "options: invalid size '8'"),
        (first(("options",), {}), "options.size is absent, and should be '9'"),
        (first(("players",), {"ann": "Blue"}), "players is "),
        (first(("players", "bob"), "Green"), "players.bob is 'Green', and should be 'Red'"),
        (first(("timing",), {"move": "long"}), "timing is "),
        (first(("timing",), remove=True), "timing is absent, and should be a clock"),
        (first(("timing",), {"move": 60}), "clock.ann is '120.0', and should be 60"),
        (first(("strict",), 1), "strict is '1', and should be true or false"),
        (first(("strict",), remove=True), "strict is absent"),
        (first(("dice_salt_hashes",), remove=True), "dice_salt_hashes is absent"),
        (first(("initial",), "bob"), "initial is 'bob', and should be 'ann'"),
        (first(("dice_salt_hashes",), {"ann": None}), "a hash or null for each of ann, bob"),
        (
            first(("dice_salt_hashes", "ann"), "12"),
            "dice_salt_hashes.ann is '12', and should be 64",
        ),
        (first(("event",), None), "event is 'null', and should be an object"),
        (first(("event", "type"), "roll"), "event.type is 'roll', and should be one of start"),
    ],
)
def test_an_impossible_first_update_is_found(updates, text):
    wrong(updates, 1, text)


def test_a_board_that_contradicts_the_deal_is_found():
    updates = list(recorded("fish"))
    small = changed(updates[0], ("options",), {"rows": 2, "cols": 2, "holes": 0})
    wrong([small, *updates[1:]], 1, "options: 8 penguins need as many tiles; there are 4")
    more = updates[0].position["state"]["board"][0][0] + 1
    other = changed(updates[0], ("state", "board", 0, 0), more)
    wrong([other, *updates[1:]], 1, f"state.board[0][0] is '{more}', and should be '{more - 1}'")


def test_a_game_without_an_id_is_found():
    wrong([attrs.evolve(update, game=7) for update in written("salted")], 1, "game is '7'")


def test_a_piece_with_one_way_to_go_cannot_be_selected():
    match = salted(SALT, OTHER_SALT).play_out(1, most=60)
    while match.held or not any(hasattr(move, "to") for move in match.state.actions()):
        match.go_on(random.Random(1))
    singles = [m.cell for m in match.state.actions() if len(match.state.targets(m.cell)) == 1]
    match.select(singles[0])
    match.lose("ann")
    wrong(match.frames, len(match.frames) - 1, "there is nothing to choose")
    match.frames[-2:] = []
    match.held = None
    match.tell({"type": "move", "player": match.turn, "cell": singles[0]})
    match.lose("ann")
    wrong(match.frames, len(match.frames) - 1, "the move is not whole")


def test_a_seat_that_changes_between_auto_and_manual_is_found():
    updates = list(written("auto"))
    at = [u.seq for u in updates if u.position["expects"] is None][3] - 1
    updates[at] = changed(updates[at], ("expects",), "roll")
    wrong(updates, at + 1, "expects is 'roll', and should be 'null'")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("cell", 3), ("selected", [3, 4]), ("winner", None), ("result", {})),
        *(("dice_commit", "00" * 32), ("dice_salt_hashes", {}), ("dice_secret", "00" * 32)),
        ("dice_salts", {"ann": None, "bob": None}),
    ],
)
def test_a_misplaced_field_is_found(field, value):
    updates = list(written("salted"))
    at = [update.position["event"]["type"] for update in updates].index("roll")
    updates[at] = changed(updates[at], (field,), value)
    wrong(updates, at + 1, f"{field} is ")
