"""`python -m tests.fuzz --minutes 10`: the properties of the tests, with other examples every time.

Every round has a seed of its own; a failure tells the seed that repeats it, and shows the
smallest example that was found.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import count

import trio
from hypothesis import HealthCheck, given, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.fuzz.comparison import Comparison
from tests.fuzz.lines import PROPERTIES
from tests.fuzz.machine import Machine
from tests.fuzz.web import fuzz_web

EXAMPLES = 200
"""In each round, of each property."""
CONNECTIONS = 4000
"""In each round, at the web door."""

thorough = settings(
    max_examples=EXAMPLES,
    stateful_step_count=80,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def main() -> int:
    """Run rounds until the time is over; 1 when something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long (%(default)g)")
    parser.add_argument("--seed", type=int, help="repeat the round of this seed alone")
    args = parser.parse_args()
    start, done = time.monotonic(), Counter[str]()
    for number in count(int(time.time())) if args.seed is None else [args.seed]:
        for name, check in checks(number).items():
            if args.seed is None and time.monotonic() - start > 60 * args.minutes:
                report(done, time.monotonic() - start)
                return 0
            try:
                check()
            except BaseException:
                print(f"{name} fails; to repeat it: python -m tests.fuzz --seed {number}")
                raise
            done[name] += CONNECTIONS if "web" in name else EXAMPLES
    report(done, time.monotonic() - start)
    return 0


def checks(number: int) -> dict[str, Callable[[], None]]:
    """Return the checks of a round."""
    found: dict[str, Callable[[], None]] = {
        check.__name__: thorough(seed(number)(given(*examples)(check)))
        for check, examples in PROPERTIES.items()
    }
    machine = seed(number)(type("Machine", (Machine,), {}))
    found["anything in any order"] = partial(run_state_machine_as_test, machine, settings=thorough)
    found["anything at the web door"] = partial(trio.run, fuzz_web, number, CONNECTIONS)
    return found


def report(done: Counter[str], seconds: float) -> None:
    """Print the number of examples."""
    for name, examples in done.items():
        print(f"{examples:9} examples: {name.replace('_', ' ')}")
    print("what was said in any order, and how matches ended:")
    for answer, times in sorted(Comparison.seen.items()):
        print(f"{times:9} {answer}")
    print(f"nothing found in {seconds:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
