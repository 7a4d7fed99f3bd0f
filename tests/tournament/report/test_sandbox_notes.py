"""The sandbox of bots in the journal, in the report and in results.json."""

from __future__ import annotations

import json

from attrs import evolve

from tabnet.tournament.records.journal_lines import encode_host, read_journal
from tabnet.tournament.report.results_json import format_results
from tabnet.tournament.report.text_report import describe_sandboxes, format_report
from tests.tournament.sample import journal_of, summary_of, tournament

LANDLOCK = {"used": "landlock", "abi": 7, "enforced": ["files", "TCP"], "not": ["UDP"]}
BWRAP = {"used": "bwrap", "abi": 0, "enforced": ["files"], "not": []}
NONE = {"used": "none", "abi": 0, "enforced": [], "not": ["files"]}


def test_the_journal_keeps_the_latest_sandbox_of_each_machine():
    hosts = encode_host("a", NONE) + encode_host("b", BWRAP) + encode_host("a", LANDLOCK)
    journal = read_journal(journal_of(tournament()) + hosts)
    assert journal.hosts == {"a": LANDLOCK, "b": BWRAP}


def test_a_sentence_names_the_sandbox_of_a_machine_and_its_restrictions():
    one, two, three, four = describe_sandboxes(
        {"a": LANDLOCK, "b": BWRAP, "c": NONE, "d": BWRAP | {"abi": 7}}
    )
    assert one == (
        "Bots on a had a sandbox: Landlock 7. Restricted: files, TCP. Not restricted: UDP."
    )
    assert two == "Bots on b had a sandbox: bubblewrap. Restricted: files."
    assert three == "Bots on c had no sandbox. They ran with the rights of the user."
    assert "a sandbox: bubblewrap and Landlock 7." in four


def test_the_report_and_the_results_show_it():
    shown = evolve(summary_of(tournament()), hosts={"a": LANDLOCK})
    assert "Bots on a had a sandbox: Landlock 7." in format_report(shown)
    timing = json.loads(format_results(shown))["timing"]
    assert timing["hosts"] == [{"name": "a", "sandbox": LANDLOCK}]
