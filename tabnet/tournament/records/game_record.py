"""Games as they are kept for replays: one line of JSON each, with every action in short. Pure.

    {"version":1,"game":"fa93b40c7d21e658","kind":KIND,"options":{"size":9},
     "players":["greedy","random"],"actions":"=1 8-9 =6 =2 . =3"}

`=13` is a throw with its outcome (`=3+4` for two dice), `8-9` or `c3-e5-g7` a move with the cells
that it names (`2,0-2,5` where they have rows and columns), `.` a pass, and `!1` that seat 1 is out
while the others play on. A board that was dealt stands as `layout` beside the options. The
positions are not kept: the rules know them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from attrs import frozen

from tabnet.errors import BrokenHistory, TabnetError
from tabnet.games import GAMES
from tabnet.games.api import JSON, Action, Game, Move, Pass, Removable, Roll, State

if TYPE_CHECKING:
    from tabnet.server.core.matches.match import Match
    from tabnet.server.core.matches.match_parts import Moment

VERSION = 1
THROW, PASS, REMOVAL = "=", ".", "!"


@frozen
class GameRecord:
    """A game and what was played in it; how it ended is told by its result."""

    game: str
    kind: str
    options: dict[str, Any]
    players: tuple[str, ...]
    """In seat order."""
    actions: tuple[str, ...]
    layout: JSON = None
    """The board that was dealt, in kinds that deal one."""


@frozen
class ReplayStep:
    """An action, who made it, and the position it led to."""

    seat: int
    """Of a removal, who is out."""
    action: str
    state: State
    event: dict[str, JSON]
    """The event as the protocol writes it, without the player."""


def compact(match: Match, players: Sequence[str] | None = None) -> bytes:
    """A match, over or not, as the line to be kept of it; `players` are named in place of nicks."""
    game = match.terms.game
    done = (_done(game, *both) for both in pairwise(match.moments))
    record = GameRecord(
        match.id,
        match.terms.kind,
        match.terms.options_json,
        tuple(players or match.nicks),
        tuple(filter(None, done)),
        match.dice.layout(game, match.terms.options),
    )
    return dump(record)


def _done(game: Game, before: Moment, moment: Moment) -> str:
    """What has changed the position; who is the last to go does not."""
    if moment.action is not None:
        return short(game, moment.action)
    return "" if moment.state is before.state else f"{REMOVAL}{moment.removes}"


def dump(record: GameRecord) -> bytes:
    """The line of a record."""
    fields = {
        "version": VERSION,
        "game": record.game,
        "kind": record.kind,
        "options": record.options,
        "players": record.players,
        "actions": " ".join(record.actions),
        **({} if record.layout is None else {"layout": record.layout}),
    }
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def load(line: bytes) -> GameRecord:
    """The inverse of `dump`; raises `ValueError` for anything else."""
    try:
        fields = json.loads(line)
        if fields["version"] != VERSION:
            raise ValueError(f"this tabnet reads version {VERSION}, not {fields['version']}")
        return GameRecord(
            fields["game"],
            fields["kind"],
            fields["options"],
            tuple(fields["players"]),
            tuple(fields["actions"].split()),
            fields.get("layout"),
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"no record of a game: {error!r}") from None


def short(game: Game, action: Action) -> str:
    """An action as records and replays write it."""
    if isinstance(action, Move):
        return "-".join(_cells(game.dump_move(action).values()))
    if isinstance(action, Pass):
        return PASS
    numbers = action.outcome if isinstance(action.outcome, tuple) else (action.outcome,)
    return THROW + "+".join(map(str, numbers))


def _cells(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, dict):
            yield ",".join(map(str, value.values()))
        else:
            yield from map(str, value if isinstance(value, list) else [value])


def first_position(record: GameRecord) -> State:
    """Where the game began; raises a `TabnetError` for a kind or options that are not known."""
    if record.kind not in GAMES:
        raise BrokenHistory(record.game, 0, f"this tabnet has no game called {record.kind}")
    game = GAMES[record.kind]
    return game.start(game.make_options(record.options), len(record.players), record.layout)


def replayed(record: GameRecord) -> Iterator[ReplayStep]:
    """The game again, step by step; raises a `TabnetError` where it cannot have gone on so."""
    game, state = GAMES[record.kind], first_position(record)
    for number, text in enumerate(record.actions, 1):
        seat = state.turn
        try:
            if seat is None:
                raise ValueError("the game is over")
            if text.startswith(REMOVAL):
                seat = int(text.removeprefix(REMOVAL))
                state = cast(Removable, state).remove(seat)
                event: dict[str, JSON] = {"type": "leave"}
            else:
                action = _action(game, state, text)
                state = state.apply(action)
                event = _event(game, action)
        except (TabnetError, ValueError) as error:
            raise BrokenHistory(record.game, number, f"{text} is refused: {error}") from None
        yield ReplayStep(seat, text, state, event)


def _event(game: Game, action: Action) -> dict[str, JSON]:
    if isinstance(action, Move):
        return {"type": "move", **game.dump_move(action)}
    return {"type": "pass" if isinstance(action, Pass) else "roll"}


def _action(game: Game, state: State, text: str) -> Action:
    if text == PASS:
        return Pass()
    if text.startswith(THROW):
        numbers = tuple(int(number) for number in text.removeprefix(THROW).split("+"))
        return Roll(numbers if len(numbers) > 1 else numbers[0])
    for action in state.actions():
        if isinstance(action, Move) and short(game, action) == text:
            return action
    raise ValueError("it is not legal there")
