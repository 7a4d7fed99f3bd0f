"""What a tournament is made of, as plain values: entrants, games to play, games played. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from attrs import Factory, frozen

NORMAL: Final = "normal"
"""The cause of a game that ended by its rules."""
OUT: Final = "out"
"""The cause of a game that was not played, for a bot had crashed too often."""
ERROR: Final = "error"
"""The cause of a game whose referee failed each time. The game counts for nobody."""
MAX_FAILURES: Final = 3
"""How often the referee of one game may fail before the game ends with `ERROR`."""

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
    OUT: "not played: a bot was out after three crashes in a row",
    ERROR: "the referee failed three times; the game counts for nobody",
}
"""Why games end; beyond max_moves, somebody is to blame, except for `ERROR`."""

CRASHES: Final = ("crash", "start_failed", "disconnect", "malformed")
"""The causes that are counted beside the score, as faults of a bot's program."""

TO_BE_TOLD: Final = frozenset(CAUSES) - {NORMAL, "draw", "max_moves", OUT}
"""The causes after which people ask what was said in the game."""


Group = tuple[tuple[str, ...], int]
"""Games with the same throws: the entrants in alphabetical order, and the number of the group."""


@frozen
class Entrant:
    """A bot that takes part."""

    name: str
    source: str
    """What the command line says: a file, `cmd:...` or `remote:NICK`, with options behind it."""
    digest: str = ""
    """Of its file and options: who has changed is not who has played before."""


@frozen
class ScheduledGame:
    """A game to be played."""

    id: str
    """Stable: it follows from the tournament's seed, the entrants and the place in the schedule."""
    pair: int
    """The games of one pair have the same throws, with the seats changed round. With more than two
    seats it is a group of games, one for each order of its bots."""
    seats: tuple[str, ...]
    """The entrants' names, in seat order."""
    round: int = 0
    """In formats where later games depend on earlier ones."""

    @property
    def group(self) -> Group:
        """The pair, or the group in all orders, that the game belongs to."""
        return tuple(sorted(self.seats)), self.pair


@frozen
class ThinkingTime:
    """How long one seat has thought."""

    decisions: int
    total_ms: int
    longest_ms: int


@frozen
class Blame:
    """Why somebody could not play on."""

    seat: int
    cause: str
    """One of `CAUSES`; `normal` for who gave the game up."""
    detail: str


def _places(result: Result) -> tuple[int, ...]:
    """The places where nobody is told apart but by victory."""
    behind = 1 + len(result.winners)
    seats = range(len(result.game.seats))
    return tuple(1 if not result.winners or s in result.winners else behind for s in seats)


@frozen
class Result:
    """A game that has been played."""

    game: ScheduledGame
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
    thinking: tuple[ThinkingTime, ...]
    places: tuple[int, ...] = Factory(_places, takes_self=True)
    """By seat, from 1; who shares a place shares the better one, and the next stays empty."""
    removed: tuple[Blame, ...] = ()
    """Who else was to blame: the others played on without them, the first one first."""

    @property
    def blamed(self) -> tuple[Blame, ...]:
        """All who could not play on, and why; the one for whom the game ended is the last."""
        if self.culprit is None:
            return self.removed
        return (*self.removed, Blame(self.culprit, self.cause, self.detail))

    @property
    def went_wrong(self) -> bool:
        """People will ask what was said in it."""
        causes = {self.cause, *(each.cause for each in self.removed)}
        return not causes.isdisjoint(TO_BE_TOLD)

    def cause_of(self, seat: int) -> str:
        """Why the game was over for a seat."""
        own = (each.cause for each in self.blamed if each.seat == seat)
        return next(own, self.cause)

    def crashed(self, seat: int) -> bool:
        """Whether a fault of the seat's program was to blame."""
        return any(each.seat == seat and each.cause in CRASHES for each in self.blamed)

    @property
    def crashed_bots(self) -> tuple[str, ...]:
        """The entrants whose programs were at fault."""
        seats = enumerate(self.game.seats)
        return tuple(name for seat, name in seats if self.crashed(seat))

    def against(self, seat: int, other: int) -> float | None:
        """What a seat scored against another: 1 for a better place, 1/2 for the same one.

        None where they did not play: of a game that never began only those know who are to blame.
        """
        if self.places[seat] != self.places[other]:
            return float(self.places[seat] < self.places[other])
        guilty = {each.seat for each in self.blamed}
        return 0.5 if self.moves or guilty.intersection((seat, other)) or not guilty else None

    def score(self, seat: int) -> float:
        """How many of the others have a worse place, of all of them; the same one counts half.

        Between two: 1 for a victory, 1/2 for a draw.
        """
        own, others = self.places[seat], len(self.places) - 1
        worse, same = (sum(place > own for place in self.places), self.places.count(own) - 1)
        return (worse + same / 2) / others


def counting(results: Iterable[Result]) -> list[Result]:
    """Return the results that count for scores, ratings and tests.

    A game that ended with `ERROR` does not count, and neither do the other games of its pair or
    group: their throws would favour one side.
    """
    every = list(results)
    left_out = {result.game.group for result in every if result.cause == ERROR}
    return [result for result in every if result.game.group not in left_out]


def points(results: Iterable[Result]) -> defaultdict[str, float]:
    """The sum of each entrant's scores."""
    sums: defaultdict[str, float] = defaultdict(float)
    for result in results:
        for seat, name in enumerate(result.game.seats):
            sums[name] += result.score(seat)
    return sums
