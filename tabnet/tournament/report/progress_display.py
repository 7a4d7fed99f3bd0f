"""The progress of a tournament, in a terminal or line by line."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from typing import IO

import trio
from attrs import frozen
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from tabnet.client.safe_text import clean_line
from tabnet.tournament.records.entrants_and_results import ERROR, Result
from tabnet.tournament.stats.entrants_table import (
    RatingRow,
    RatingTable,
    make_rating_table,
    make_standings_table,
)
from tabnet.tournament.stats.rating_notes import format_game

MOST_BOTS, MOST_GAMES = 12, 4
"""The numbers of bots and games that are shown: drawing stops the runner."""
TERMINAL_S, PLAIN_S = 0.25, 5.0
"""The shortest time between two pictures, or two lines."""
SHARE = 20
"""The pause after a picture, in multiples of the time that it took."""


@frozen
class RunningGame:
    seats: tuple[str, ...]
    moves: int


@frozen
class Progress:
    names: tuple[str, ...]
    results: Sequence[Result]
    """The results of all games that have ended, in this run or before."""
    total: int | None
    """The number of all games; None if it depends on results."""
    played: int
    """The number of games of this run."""
    elapsed: float
    """The duration of this run, in seconds."""
    running: tuple[RunningGame, ...] = ()
    standings: Mapping[str, str] | None = None
    """How far each bot has come, the best first, in formats without ratings."""

    @property
    def table(self) -> RatingTable:
        """The table of the results so far, which takes time to compute."""
        if self.standings is None:
            return make_rating_table(self.results, self.names)
        return make_standings_table(self.results, self.standings)

    @property
    def speed(self) -> float:
        return self.played / self.elapsed if self.elapsed else 0.0

    @property
    def left(self) -> float | None:
        """The remaining seconds, if they can be estimated."""
        if self.total is None or not self.speed:
            return None
        return (self.total - len(self.results)) / self.speed


def format_headline(progress: Progress) -> str:
    of = "" if progress.total is None else f" of {progress.total}"
    left = "" if progress.left is None else f", {format_duration(progress.left)} left"
    return f"{len(progress.results)}{of} games, {progress.speed:.1f} a second{left}"


def format_duration(seconds: float) -> str:
    """Return a time for people: 0:07, 12:30, 1:02:03."""
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def format_progress(progress: Progress, ratings: RatingTable) -> str:
    """Return the headline and the first bots in one line."""
    bots = [
        f"{place}. {clean_line(row.name)} {_format_standing(row)}"
        for place, row in enumerate(ratings.rows[:MOST_BOTS], 1)
    ]
    return "; ".join([format_headline(progress), *bots, *list_failed_games(progress)])


def _format_standing(row: RatingRow) -> str:
    if row.rating is None:
        return row.standing
    return f"{row.rating.value:.0f} ({row.rating.low:.0f} to {row.rating.high:.0f})"


def list_failed_games(progress: Progress) -> list[str]:
    """Return a sentence with the last games that do not count because their referee failed."""
    failed = [result for result in progress.results if result.cause == ERROR]
    if not failed:
        return []
    more = f" and {len(failed) - MOST_GAMES} more" if len(failed) > MOST_GAMES else ""
    names = ", ".join(clean_line(format_game(result)) for result in failed[-MOST_GAMES:])
    return [f"not counted, because the referee failed: {names}{more}"]


def draw_progress(progress: Progress, ratings: RatingTable) -> Group:
    """Return the headline, the table, and the running games."""
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column("#", justify="right")
    grid.add_column("bot", overflow="ellipsis", no_wrap=True, max_width=32)
    many = ["place"] if ratings.seats > 2 else []
    rated = ("rating", "95 % from", "to", "games", "score", *many)
    for title in rated if ratings.is_rated else ("result", "games"):
        grid.add_column(title, justify="left" if title == "result" else "right", no_wrap=True)
    for place, row in enumerate(ratings.rows[:MOST_BOTS], 1):
        grid.add_row(str(place), Text(clean_line(row.name)), *_format_cells(row))
    return Group(
        Text(format_headline(progress), "bold"),
        grid,
        *_mention_more(len(ratings.rows) - MOST_BOTS, "bots"),
        *(Text(line, "red") for line in list_failed_games(progress)),
        *(
            Text(clean_line(f"{' - '.join(game.seats)}, move {game.moves}"), "dim", no_wrap=True)
            for game in progress.running[:MOST_GAMES]
        ),
        *_mention_more(len(progress.running) - MOST_GAMES, "games"),
    )


def _format_cells(row: RatingRow) -> list[str]:
    if row.rating is None:
        return [row.standing, str(row.games)]
    values = [f"{value:.0f}" for value in (row.rating.value, row.rating.low, row.rating.high)]
    many = [f"{row.place:.2f}"] if len(row.seats) > 2 else []
    return [*values, str(row.games), f"{round(row.score, 2):g}", *many]


def _mention_more(count: int, what: str) -> list[Text]:
    return [Text(f"and {count} more {what}", "dim")] if count > 0 else []


class Display:
    """A table that changes in place, or lines if the terminal cannot do that; for a `with`."""

    def __init__(self, console: Console | None = None, file: IO[str] | None = None) -> None:
        if console is None:  # notebooks claim to be terminals, and replace no lines
            file = file or sys.stdout
            console = Console(
                file=file,
                highlight=False,
                force_jupyter=False,
                force_terminal=file.isatty(),
            )
        self._console = console
        is_able = self._console.is_terminal and not self._console.is_dumb_terminal
        self._live = (
            Live(console=self._console, auto_refresh=False, transient=True) if is_able else None
        )
        self._next_update = 0.0

    def __enter__(self) -> Display:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    @property
    def is_due(self) -> bool:
        """False if the last update is too recent or took long."""
        return time.monotonic() >= self._next_update

    async def update(self, progress: Progress) -> None:
        """Show the progress. Games go on meanwhile: a thread computes the table."""
        began = time.monotonic()
        describe = format_progress if self._live is None else draw_progress
        picture = await trio.to_thread.run_sync(
            lambda: describe(progress, progress.table), abandon_on_cancel=True
        )
        if isinstance(picture, str):
            self.say(picture)
        elif self._live is not None:
            self._live.update(picture, refresh=True)
        drawn = time.monotonic()
        pause_s = PLAIN_S if self._live is None else TERMINAL_S
        self._next_update = max(began + pause_s, drawn + SHARE * (drawn - began))

    def say(self, text: str) -> None:
        """Print a line that stays."""
        self._console.print(Text(clean_line(text)), soft_wrap=True)
