"""`python -m tests.hostile_bots`: does every fault of a bot end its games with the right cause?

Each fault gets a tournament of two seats, and some get one of three. No process may be left.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

import pytest
import trio

from tests.hostile_bots.faults import (
    CAUSES_OF_THREE,
    CAUSES_OF_TWO,
    check_fault_of_three,
    check_fault_of_two,
)
from tests.tournament.run_games import nobody_left


def main() -> int:
    """Play a tournament for each fault; return 1 if one does not end as it should."""
    argparse.ArgumentParser("python -m tests.hostile_bots", description=__doc__).parse_args()
    cases = [(check_fault_of_two, way) for way in CAUSES_OF_TWO]
    cases += [(check_fault_of_three, way) for way in CAUSES_OF_THREE]
    failed = 0
    for check, way in cases:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            try:
                with nobody_left(patch):
                    trio.run(check, Path(folder), way)
            except Exception:  # noqa: BLE001 - any failure is counted, and the next case follows
                traceback.print_exc()
                failed += 1
        print(f"{check.__name__} {way}: {time.monotonic() - start:.1f} s", flush=True)
    print(f"{failed} of {len(cases)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
