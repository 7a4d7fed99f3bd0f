"""What a tournament is made of, as plain values: entrants, games to play, games played. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from attrs import frozen

NORMAL: Final = "normal"
"""The cause of a game that ended by its rules."""

CAUSES: dict[str, str] = {
    NORMAL: "ended by the rules",
    "draw": "drawn by the rules, or agreed",
    "max_moves": "stopped as a draw after as many moves as may be",
    "timeout_move": "a bot took too long for one move",
    "timeout_total": "a bot's time for the whole game ran out",
    "illegal_move": "a bot played what the rules forbid",
    "malformed": "a bot sent what is no command",
    "crash": "a bot's process ended in the middle of the game",
    "start_failed": "a bot did not start, or did not come to its game",
    "disconnect": "a bot hung up and did not come back",
}
"""Why games end; with the last eight but max_moves, somebody is to blame."""

CRASHES: Final = ("crash", "start_failed", "disconnect", "malformed")
"""The causes that are counted beside the score, as faults of a bot's program."""


@frozen
class Entrant:
    """A bot that takes part."""

    name: str
    source: str
    """What the command line says: a file, `cmd:...` or `remote:NICK`, with options behind it."""
    digest: str = ""
    """Of its file and options: who has changed is not who has played before."""


@frozen
class Game:
    """A game to be played."""

    id: str
    """Stable: it follows from the tournament's seed, the entrants and the place in the schedule."""
    pair: int
    """The games of one pair have the same throws, with the seats changed round."""
    seats: tuple[str, ...]
    """The entrants' names, in seat order."""
    round: int = 0
    """In formats where later games depend on earlier ones."""


@frozen
class Thinking:
    """How long one seat has thought."""

    decisions: int
    total_ms: int
    longest_ms: int


@frozen
class Result:
    """A game that has been played."""

    game: Game
    winners: tuple[int, ...]
    """Seats; none for a draw."""
    points: tuple[int, ...]
    cause: str
    """One of `CAUSES`."""
    culprit: int | None
    """The seat to blame for a cause that is somebody's fault."""
    detail: str
    """What happened, for people: an exit code, a signal, a refused line."""
    reason: str
    """What the referee says, like all_captured or timeout."""
    moves: int
    """Actions of all seats: rolls, moves and passes."""
    thinking: tuple[Thinking, ...]

    def score(self, seat: int) -> float:
        """1 for a victory, 1/2 for a draw, and with several winners their share of it."""
        if not self.winners:
            return 1 / len(self.game.seats)
        return 1 / len(self.winners) if seat in self.winners else 0.0


def points(results: Iterable[Result]) -> defaultdict[str, float]:
    """The sum of each entrant's scores."""
    sums: defaultdict[str, float] = defaultdict(float)
    for result in results:
        for seat, name in enumerate(result.game.seats):
            sums[name] += result.score(seat)
    return sums
