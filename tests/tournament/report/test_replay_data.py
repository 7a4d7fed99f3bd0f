"""Games as the report's page replays them: its numbers lead to the positions of the rules."""

from __future__ import annotations

import copy
import json

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tabnet.games import GAMES
from tabnet.tournament.records.replay_record import (
    GameRecord,
    decode_record,
    encode_record,
    make_first_position,
    replay_actions,
)
from tabnet.tournament.report.replay_data import (
    SharedLists,
    make_replay,
    select_fitting,
    sort_by_interest,
)
from tests.tournament.sample import (
    NAMES,
    changed,
    played,
    result_of,
    tournament,
    tournament_of_three,
)

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(2, 5) | st.text("ab", max_size=3),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.sampled_from("xy"), parts),
    max_leaves=12,
)


def apply(value, path, to):
    """Return the value with another one at the end of a path, as the page's script does."""
    name, *rest = path
    if isinstance(value, str):
        return value[:name] + to + value[name + 1 :]
    if name == "length":
        return value[:to]
    value = copy.copy(value)
    if isinstance(value, list) and name == len(value):
        value.append(None)
    value[name] = apply(value[name], rest, to) if rest else to
    return value


def positions(game, shared):
    """Yield the seat, the event and the position of each step, read from the numbers."""
    paths, values = ([json.loads(text) for text in each] for each in (shared.paths, shared.values))
    position = values[game["start"]]
    yield None, None, position
    for seat, event, *numbers in game["steps"]:
        for path, value in zip(numbers[::2], numbers[1::2], strict=True):
            position = apply(position, paths[path], values[value])
        yield seat, values[event], position


def of_rules(record):
    """Yield the same from the rules."""
    fields = GAMES[record.kind].board_fields
    yield None, None, {name: make_first_position(record).view()[name] for name in fields}
    for step in replay_actions(record):
        yield step.seat, step.event, {name: step.state.view()[name] for name in fields}


@pytest.mark.parametrize("kind", list(GAMES))
def test_every_step_leads_to_the_position_of_the_rules(kind):
    shared = SharedLists()
    if kind == "fish":
        games = tournament_of_three()[:3]
    else:
        records = [played(str(number), kind, ("greedy", "random")) for number in range(3)]
        games = [(record, result_of(record, 0, None)) for record in records]
    replays = [
        make_replay(result, encode_record(record), NAMES, shared) for record, result in games
    ]
    for each, (record, _) in zip(replays, games, strict=True):
        assert (each["kind"], each["options"]) == (kind, record.options)
        assert list(positions(each, shared)) == list(of_rules(decode_record(encode_record(record))))


@given(JSON_VALUES, JSON_VALUES)
def test_changes_lead_from_any_value_to_any_other(one, other):
    before, after = {"a": one, "b": one}, {"a": other, "b": other}
    shared = SharedLists()
    for known in ([], [before, after, one, other]):
        for value in known:
            shared.add_value(value)
        reached = before
        for path, value in shared.compare_positions(before, after):
            assert path[0] in before  # the page keeps more than these fields in a position
            reached = apply(reached, path, value)
        assert reached == after


def test_a_text_beyond_ascii_changes_as_a_whole():
    shared = SharedLists()
    for one in ("🐧ab" * 9, "abc" * 9):
        assert shared.compare_values(one, "🐧ac" * 9, ("a",)) == [(("a",), "🐧ac" * 9)]
    assert shared.compare_values("abab" * 9, "abab" * 8 + "abbb", ("a",)) == [(("a", 34), "b")]


def test_a_step_has_its_changes():
    record = GameRecord("g1", "tab", {"size": 7}, ("greedy", "random"), ("=1", "6-7", "=3"))
    shared = SharedLists()
    game = make_replay(result_of(record, 0, None), encode_record(record), NAMES, shared)
    steps = list(positions(game, shared))
    assert [(seat, event) for seat, event, _ in steps[1:]] == [
        (0, {"type": "roll"}),
        (0, {"type": "move", "cell": 6, "to": 7}),
        (0, {"type": "roll"}),
    ]
    dice = [position["dice"] and position["dice"]["value"] for _, _, position in steps]
    assert dice == [None, 1, None, 2]
    moved = {"color": "Blue", "inMotion": True, "reachedLastRow": False}
    assert steps[2][2]["pieces"][6:8] == [None, moved]
    assert len(game["steps"][1]) == 2 + 2 * 3


def test_games_share_what_they_have_in_common():
    shared = SharedLists()
    records = [played(str(number), "draughts", ("greedy", "random")) for number in range(2)]
    games = [
        make_replay(result_of(each, 0, None), encode_record(each), NAMES, shared)
        for each in records
    ]
    assert games[0]["start"] == games[1]["start"]
    assert shared.size == sum(len(text) + 1 for text in (*shared.paths, *shared.values))
    assert len(json.dumps(games[0]["steps"])) < 25 * len(games[0]["steps"])


def test_the_places_of_two_are_left_out():
    record, result = tournament()[0]
    assert (
        not {"places", "removed"}
        & make_replay(result, encode_record(record), NAMES, SharedLists()).keys()
    )


def test_the_places_of_three_are_there_with_the_players_removed():
    record, result = tournament_of_three()[1]
    shared = SharedLists()
    game = make_replay(result, encode_record(record), NAMES, shared)
    assert game["places"] == list(result.places)
    assert game["removed"] == [{"seat": result.removed[0].seat, "cause": "crash"}]
    left = [seat for seat, event, _ in positions(game, shared) if event == {"type": "leave"}]
    assert left == [result.removed[0].seat]


def test_a_game_without_a_readable_record_has_a_reason_instead_of_a_replay():
    record = played("12", "tab", ("greedy", "random"), 20)
    result = result_of(record, 0, None)
    shared = SharedLists()
    missing = make_replay(result, None, NAMES, shared)["missing"]
    assert missing == "what was played in this game was not kept"
    for line, text in [
        (b"{", "cannot be shown: "),
        (changed(encode_record(record), actions="."), "event 1: . is refused"),
        (changed(encode_record(record), kind="go"), "has no game called go"),
    ]:
        game = make_replay(result, line, NAMES, shared)
        assert text in game["missing"]
        assert "steps" not in game


def test_faults_come_first_and_the_others_in_the_order_of_ids():
    results = [
        evolve(result, cause="draw") if not result.winners else result for _, result in tournament()
    ]
    ordered = sort_by_interest(reversed(results))
    causes = [result.cause for result in ordered]
    assert causes[:2] == ["crash", "crash"]
    assert "crash" not in causes[2:]
    assert [r.game.id for r in ordered[2:]] == sorted(r.game.id for r in ordered[2:])


def test_the_limit_counts_the_games_and_the_lists():
    games = [{"steps": "x" * 100}] * 5
    shared = SharedLists()
    assert len(select_fitting(iter(games), shared, 350)) == 3
    shared.add_value("y" * 100)
    assert len(select_fitting(iter(games), shared, 350)) == 2
