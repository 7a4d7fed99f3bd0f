"""Reports say which throws are not mirrored, and reveal only the secrets of games that are over."""

from __future__ import annotations

import json

import pytest

from tabnet.tournament.plan.plan import make_games_of_pair, make_plan_of_journal
from tabnet.tournament.records.entrants_and_results import Entrant
from tabnet.tournament.records.journal_lines import (
    GameTiming,
    encode_entrant,
    encode_result,
    encode_secret,
    encode_settings,
    read_journal,
)
from tabnet.tournament.report.csv_files import format_crosstable_csv, format_games_csv
from tabnet.tournament.report.html_report import render_page
from tabnet.tournament.report.replay_data import SharedLists
from tabnet.tournament.report.report_files import read_page_files
from tabnet.tournament.report.results_json import format_results
from tabnet.tournament.report.text_report import format_report
from tabnet.tournament.report.tournament_summary import summarize
from tests.tournament.made_results import won

KEY = bytes(range(32))
SETTINGS = {"seed": "spring", "kind": "tab", "options": {"size": 7}, "clock": {"move": 5}}
SETTINGS |= {"format": "round-robin", "pairs": 2}
NOT_MIRRORED = (
    "Games with zoe are not mirrored: each has throws of its own, because a remote bot plays all "
    "games on one connection."
)
NOTES = (
    NOT_MIRRORED,
    "The throws come from random bits and not from the seed, because zoe is remote.",
)


def summary_of(*entrants, pairs=2, **settings):
    """The summary of a tournament in which the first seat wins one pair, the other the next."""
    lines = [encode_secret(KEY), *map(encode_entrant, entrants)]
    lines += [encode_settings(SETTINGS | settings)]
    plan = make_plan_of_journal(read_journal(b"".join(lines)))
    for number in range(pairs):
        for game in make_games_of_pair(plan, plan.names, number):
            nonce = "5a" if plan.has_own_throws(plan.names) else ""
            result = won(game, game.seats[number % 2], nonce=nonce)
            lines.append(encode_result(result, GameTiming(1, 2)))
    return summarize(read_journal(b"".join(lines)))


REMOTE = summary_of(Entrant("a", "a.py"), Entrant("zoe", "remote:zoe"))
LOCAL = summary_of(Entrant("a", "a.py"), Entrant("zoe", "zoe.py"))


def page_of(summary):
    return render_page(summary, [], SharedLists(), read_page_files())


def test_every_report_says_that_games_are_not_mirrored():
    text, page = format_report(REMOTE), page_of(REMOTE)
    assert json.loads(format_results(REMOTE))["notes"][:2] == list(NOTES)
    assert all(note in text and note in page for note in NOTES)


def test_the_variance_of_mirrored_games_is_reported_only_of_mirrored_games():
    assert LOCAL.table.variance_ratio == 0
    assert "left 0.00 of the variance of unmirrored games" in format_report(LOCAL)
    assert REMOTE.table.variance_ratio is None
    assert "unmirrored" not in format_report(REMOTE)


def test_pairs_with_throws_of_their_own_count_like_all_pairs():
    assert REMOTE.table.rows == LOCAL.table.rows
    assert REMOTE.duel is not None
    assert REMOTE.duel == LOCAL.duel
    assert REMOTE.duel.pentanomial == (0, 0, 2, 0, 0)


def test_a_test_of_hypotheses_judges_pairs_of_remote_bots():
    entrants = Entrant("a", "a.py"), Entrant("zoe", "remote:zoe")
    sprt = {"elo0": 0, "elo1": 20, "alpha": 0.05, "beta": 0.05}
    summary = summary_of(*entrants, format="sprt", sprt=sprt)
    assert summary.verdict is not None
    assert summary.verdict.pairs == 2
    assert NOT_MIRRORED in format_report(summary)


def test_games_reveal_their_secrets_and_nonces():
    games = json.loads(format_results(REMOTE))["games"]
    assert len({game["dice_secret"] for game in games}) == 4
    assert {game["nonce"] for game in games} == {"5a"}
    games = json.loads(format_results(LOCAL))["games"]
    assert len({game["dice_secret"] for game in games}) == 2
    assert not any("nonce" in game for game in games)


@pytest.mark.parametrize("summary", [REMOTE, LOCAL], ids=["remote", "local"])
@pytest.mark.parametrize(
    "write", [format_results, format_report, format_games_csv, format_crosstable_csv, page_of, repr]
)
def test_no_report_contains_the_secret_of_the_tournament(write, summary):
    text = write(summary)
    assert KEY.hex() not in text.lower()
    assert repr(KEY) not in text
