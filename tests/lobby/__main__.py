"""`python -m tests.lobby`: the cost of joins and rankings at different sizes.

Each cost is the lower quartile of a command's times, which other programs disturb little, and the
number of calls that it makes.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import quantiles

from tests.lobby.busy_lobby import Cost, measure, measure_ranking

MAX_RATIO = 1.5
"""How much more a command may cost with many waits than with none."""
CACHE_US = 10
"""How much longer a command may take because more memory is in use."""
MAX_RANKING_MS = 1


def main() -> int:
    """Measure and print; return 1 if a cost grows with the size."""
    parser = argparse.ArgumentParser(prog="python -m tests.lobby", description=__doc__)
    parser.add_argument("--waits", type=int, default=10_000, help="tables (%(default)s)")
    parser.add_argument("--nicks", type=int, default=100_000, help="in a ranking (%(default)s)")
    parser.add_argument("--rounds", type=int, default=200, help="of each command (%(default)s)")
    args = parser.parse_args()
    few = measure(0, args.rounds)
    start = time.monotonic()
    many = measure(args.waits, args.rounds)
    print(f"all with {args.waits} waits, with their filling: {time.monotonic() - start:.1f} s")
    print(f"{'':48}{'no waits':>18}{f'{args.waits} waits':>18}{'ratio':>7}")
    grows = False
    for name in few:
        before, after = _microseconds(few[name][1:]), _microseconds(many[name][1:])
        print(f"{name:48}{_cost(few[name])}{_cost(many[name])}{after / before:7.2f}")
        grows |= after > MAX_RATIO * before + CACHE_US
    costs = measure_ranking(args.nicks, args.rounds)
    slowest = max(cost.seconds for cost in costs[1:]) * 1000
    print(f"{f'ranking, {args.nicks} nicks':48}{_cost(costs)}, the slowest {slowest:.3f} ms")
    first = costs[0].seconds * 1000
    print(f"{'ranking, right after a restart':48}{first:8.3f} ms, with the counting of calls")
    return 1 if grows or max(first, slowest) > MAX_RANKING_MS else 0


def _microseconds(costs: list[Cost]) -> float:
    return quantiles([cost.seconds for cost in costs], n=4)[0] * 1e6


def _cost(costs: list[Cost]) -> str:
    return f"{_microseconds(costs[1:]):8.0f} us {costs[0].calls:6}"


if __name__ == "__main__":
    sys.exit(main())
