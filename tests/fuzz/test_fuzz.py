"""A short run of everything that `python -m tests.fuzz` does at length."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.fuzz.comparison import Comparison
from tests.fuzz.lines import PROPERTIES
from tests.fuzz.machine import Machine
from tests.fuzz.web import fuzz_web

short = settings(max_examples=80, suppress_health_check=list(HealthCheck))


@pytest.mark.slow
@pytest.mark.parametrize("check", PROPERTIES, ids=lambda check: check.__name__)
def test_arbitrary_lines_get_a_response(check: Callable[..., None]) -> None:
    short(given(*PROPERTIES[check])(check))()


@pytest.mark.slow
def test_the_server_and_the_model_agree_on_random_commands() -> None:
    Comparison.seen.clear()
    run_state_machine_as_test(Machine, settings=settings(short, max_examples=240))
    # and there was something to see
    played = {"join", "roll", "notify", "pass", "leave", "draw", "salt", "update", "check", "state"}
    ended = {
        f"ended by {why}" for why in ("all_captured", "no_pieces", "no_moves", "timeout", "agreed")
    }
    refused = {f"refused {why}" for why in ("bad_token", "no_seat", "waiting", "game_over")}
    assert played | ended | refused <= set(Comparison.seen)


@pytest.mark.slow
async def test_arbitrary_web_requests_get_a_response(caplog: pytest.LogCaptureFixture) -> None:
    seen = await fuzz_web(seed=1, connections=1000)
    assert "failed" not in {record.message for record in caplog.records}
    # and there was something to see
    assert {200, 204, 400, 401, 404, 405} <= set(seen)
    assert 500 not in seen
