"""The journal of a tournament: written and read, torn and damaged."""

from __future__ import annotations

import json
import random

import pytest

from tabnet.errors import StartError
from tabnet.tournament.records.entrants_and_results import Entrant
from tabnet.tournament.records.journal_lines import (
    GameTiming,
    Journal,
    LostWorker,
    encode_conflict,
    encode_entrant,
    encode_lost_worker,
    encode_result,
    encode_secret,
    encode_settings,
    encode_void,
    read_journal,
)
from tabnet.tournament.records.throw_secrets import TournamentSecret, hash_seed
from tests.tournament.sample import (
    NAMES,
    SETTINGS,
    journal_of,
    tournament,
    tournament_of_three,
)

GAMES = tournament()
DATA = journal_of(GAMES)
MISSING = "has not the fields it needs"


def test_a_journal_is_read_in_the_order_of_ids():
    journal = read_journal(DATA)
    assert journal.settings == SETTINGS
    assert journal.names == NAMES
    assert list(journal.results) == sorted(kept.game for kept, _ in GAMES)
    assert journal.results == {kept.game: result for kept, result in GAMES}
    assert journal.timings[GAMES[3][0].game] == GameTiming(1_800_000_003.0, 1_800_000_004.0)
    shuffled = random.Random(1).sample(GAMES, len(GAMES))
    assert read_journal(journal_of(shuffled)).results == journal.results


def test_a_line_that_was_being_written_does_not_count():
    whole = read_journal(journal_of(GAMES[:-1]))
    for cut in (1, 40, 200):
        assert read_journal(DATA[:-cut]) == whole


def test_a_game_counts_once():
    result = GAMES[0][1]
    journal = read_journal(DATA + encode_result(result, GameTiming(5, 6)))
    assert journal.results == read_journal(DATA).results
    assert journal.timings[result.game.id] == GameTiming(5, 6)


def test_withdrawn_games_are_removed():
    void = encode_void([GAMES[3][0].game, "never played"])
    left = journal_of([*GAMES[:3], *GAMES[4:]])
    assert read_journal(DATA + void).results == read_journal(left).results
    assert GAMES[3][0].game not in read_journal(DATA + void).timings


def test_lost_workers_and_conflicts_are_read():
    lost = LostWorker("tcp://127.0.0.1:9", "node7", (GAMES[0][0].game,))
    lines = encode_lost_worker(lost) + encode_conflict(GAMES[1][0].game, "node8")
    journal = read_journal(DATA + lines)
    assert journal.lost_workers == [lost]
    assert journal.conflicts == {GAMES[1][0].game: "node8"}


def test_the_host_of_a_game_is_read_and_absent_on_a_single_machine():
    result = GAMES[0][1]
    here, there = (encode_result(result, GameTiming(5, 6, host)) for host in ("", "node7"))
    assert b"host" not in here
    assert read_journal(DATA + there).timings[result.game.id].host == "node7"


def test_other_lines_are_ignored():
    assert read_journal(DATA + b'{"resumed":{"at":3}}\n') == read_journal(DATA)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "unexpected end of data"),
        (b"7", MISSING),
        (b'{"tournament":{"version":3}}', "its version is 3, this tabnet reads 2"),
        (b'{"secret":"00"}', "a secret has 64 hex digits"),
        (b'{"secret":7}', "a secret has 64 hex digits"),
        (b'{"tournament":{}}', MISSING),
        (b'{"entrant":{"nick":"a"}}', MISSING),
        (b'{"result":{}}', MISSING),
        (
            encode_result(GAMES[0][1], GameTiming(1, 2)).replace(b'"normal"', b'"fun"'),
            "ends with 'fun'",
        ),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line, said):
    with pytest.raises(StartError, match=r"^journal\.jsonl, line 17, ") as error:
        read_journal(DATA + line.strip() + b"\n")
    assert said in error.value.text


def test_a_journal_without_settings_is_empty():
    for data in (b"", b"no end", b'{"resumed":{}}\n'):
        with pytest.raises(StartError, match="has no settings"):
            read_journal(data)
    assert read_journal(encode_settings({"kind": "tab"})) == Journal({"kind": "tab"})


def test_removed_players_are_read_with_known_causes():
    result = tournament_of_three()[1][1]
    assert [each.cause for each in result.removed] == ["crash"]
    line = encode_result(result, GameTiming(1, 2))
    assert result in read_journal(DATA + line).results.values()
    with pytest.raises(StartError, match="no game ends with 'fun'"):
        read_journal(DATA + line.replace(b'"crash"', b'"fun"'))


def test_old_results_without_places_get_them_from_the_winners():
    row = json.loads(encode_result(GAMES[0][1], GameTiming(1, 2)))
    del row["result"]["places"], row["result"]["removed"]
    old = encode_settings({"kind": "tab"}) + json.dumps(row).encode() + b"\n"
    assert [*read_journal(old).results.values()] == [GAMES[0][1]]


def test_a_secret_holds_for_the_entrants_after_it():
    entrants = [encode_entrant(Entrant(name, f"{name}.py")) for name in "ab"]
    settings = encode_settings({"seed": "spring"})
    secrets = [hash_seed("spring"), bytes(32)]
    first, second = map(encode_secret, secrets)
    journal = read_journal(first + entrants[0] + second + entrants[1] + settings)
    assert journal.secrets == [TournamentSecret(secrets[0], 0), TournamentSecret(secrets[1], 1)]
    assert journal.has_random_throws
    assert not read_journal(first + b"".join(entrants) + settings).has_random_throws
    assert not read_journal(b"".join(entrants) + settings).has_random_throws
    assert read_journal(first + encode_settings({"seed": None})).has_random_throws
