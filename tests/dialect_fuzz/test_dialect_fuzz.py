"""A short run of `python -m tests.dialect_fuzz` for each dialect."""

from __future__ import annotations

import pytest

from tests.dialect_fuzz.dialects import DIALECTS
from tests.dialect_fuzz.driver import fuzz


@pytest.mark.slow
@pytest.mark.parametrize("name", DIALECTS)
def test_arbitrary_connections_get_responses_and_harm_nobody(name, tmp_path):
    outcome = fuzz(name, connections=200, seed=1, folder=tmp_path, alone_s=0)
    assert outcome.log == ""
    assert set(outcome.codes) >= DIALECTS[name].usual_codes
