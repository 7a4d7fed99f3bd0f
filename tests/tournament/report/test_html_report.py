"""The HTML report of a tournament on a cluster."""

from __future__ import annotations

from attrs import evolve

from tabnet.tournament.stats.hosts_table import compare_hosts
from tests.tournament.report.test_throws_in_reports import LOCAL, page_of
from tests.tournament.stats.test_hosts_table import play


def test_the_hosts_of_a_cluster_are_a_table_with_their_warnings():
    rows = compare_hosts(*play(["x", "y"], late=lambda host: host == "y", pairs=10))
    page, single = page_of(evolve(LOCAL, host_rows=rows)), page_of(LOCAL)
    assert 'id="hosts"' in page
    assert 'id="hosts"' not in single
    assert rows[1].warning
    assert page.count(rows[1].warning) == 1
