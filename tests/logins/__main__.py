"""`python -m tests.logins`: does a player who returns get in while hundreds of others log in?"""

from __future__ import annotations

import argparse
import sys

import trio

from tests.logins.flood import FLOODS, measure

MAX_S = 2.0
"""The longest time that the login of a returning player may take."""


def main() -> int:
    """Measure logins in four floods; return 1 if a returning player waits too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.logins", description=__doc__)
    parser.add_argument("--clients", type=int, default=400, help="logins that wait (%(default)s)")
    args = parser.parse_args()
    failed = False
    for flood in FLOODS:
        print(f"{args.clients} logins, addresses: {flood.addresses}, nicks: {flood.nicks}")
        for login in trio.run(measure, flood, args.clients):
            print(f"  {login.player}: {login.seconds:.2f} s, {login.code or 'logged in'}")
            is_late = login.code is not None or login.seconds > MAX_S
            failed |= login.player == "returning" and is_late
    return failed


if __name__ == "__main__":
    sys.exit(main())
