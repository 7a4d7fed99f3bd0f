"""The command `tabnet`, which waits for a bot to ask for its game for a short time only."""

from __future__ import annotations

import sys

from tabnet.cli import main
from tabnet.tournament.play.referee_interface import USUAL

START_S = 8

if __name__ == "__main__":
    object.__setattr__(USUAL, "start_s", START_S)  # the value that everything refers to
    sys.exit(main())
