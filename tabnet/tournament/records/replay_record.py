"""The record of a game for replays: one line of JSON, with all actions in short form. Pure.

    {"version":1,"game":"fa93b40c7d21e658","kind":KIND,"options":{"size":9},
     "players":["greedy","random"],"actions":"=1 8-9 =6 =2 . =3"}

`=13` is a throw with its outcome (`=3+4` for two dice). `8-9` or `c3-e5-g7` is a move with the
cells that it names (`2,0-2,5` if they have rows and columns). `.` is a pass, and `!1` says that
seat 1 is out while the others play on. A dealt board is `layout` beside the options. `dice_commit`
is the commitment of the first update; records of older versions have none. Positions are not kept:
the rules compute them.
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
    """A game and its actions; its end is part of its result."""

    game: str
    kind: str
    options: dict[str, Any]
    players: tuple[str, ...]
    actions: tuple[str, ...]
    layout: JSON = None
    """The dealt board, in kinds that deal one."""
    dice_commit: str | None = None
    """The commitment to throws and board that the players received, in kinds that have them."""


@frozen
class ReplayStep:
    """An action, its seat, and the position after it."""

    seat: int
    """The seat that acted, or that was removed."""
    action: str
    state: State
    event: dict[str, JSON]
    """The event as the protocol writes it, without the player."""


def record_match(match: Match, players: Sequence[str] | None = None) -> bytes:
    """Return the record of a match, over or not, as a line; `players` replace the nicks."""
    game = match.terms.game
    done = (_encode_event(game, *both) for both in pairwise(match.moments))
    record = GameRecord(
        match.id,
        match.terms.kind,
        match.terms.options_json,
        tuple(players or match.nicks),
        tuple(filter(None, done)),
        match.dice.layout(game, match.terms.options),
        match.dice.commitment() if game.uses_chance else None,
    )
    return encode_record(record)


def _encode_event(game: Game, before: Moment, moment: Moment) -> str:
    """Return the short form of an event; empty if the position is unchanged."""
    if moment.action is not None:
        return encode_action(game, moment.action)
    return "" if moment.state is before.state else f"{REMOVAL}{moment.removes}"


def encode_record(record: GameRecord) -> bytes:
    fields = {
        "version": VERSION,
        "game": record.game,
        "kind": record.kind,
        "options": record.options,
        "players": record.players,
        "actions": " ".join(record.actions),
        **({} if record.layout is None else {"layout": record.layout}),
        **({} if record.dice_commit is None else {"dice_commit": record.dice_commit}),
    }
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def decode_record(line: bytes) -> GameRecord:
    """Return the record of a line; raises `ValueError` for anything else."""
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
            fields.get("dice_commit"),
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"no record of a game: {error!r}") from None


def encode_action(game: Game, action: Action) -> str:
    """Return the short form of an action."""
    if isinstance(action, Move):
        return "-".join(_list_cells(game.dump_move(action).values()))
    if isinstance(action, Pass):
        return PASS
    numbers = action.outcome if isinstance(action.outcome, tuple) else (action.outcome,)
    return THROW + "+".join(map(str, numbers))


def _list_cells(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, dict):
            yield ",".join(map(str, value.values()))
        else:
            yield from map(str, value if isinstance(value, list) else [value])


def make_first_position(record: GameRecord) -> State:
    """Return the first position; raises `TabnetError` for an unknown kind or wrong options."""
    if record.kind not in GAMES:
        raise BrokenHistory(record.game, 0, f"this tabnet has no game called {record.kind}")
    game = GAMES[record.kind]
    return game.start(game.make_options(record.options), len(record.players), record.layout)


def replay_actions(record: GameRecord) -> Iterator[ReplayStep]:
    """Replay the game step by step; raises `TabnetError` at an action that the rules refuse."""
    game, state = GAMES[record.kind], make_first_position(record)
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
                action = _decode_action(game, state, text)
                state = state.apply(action)
                event = _describe_event(game, action)
        except (TabnetError, ValueError) as error:
            raise BrokenHistory(record.game, number, f"{text} is refused: {error}") from None
        yield ReplayStep(seat, text, state, event)


def _describe_event(game: Game, action: Action) -> dict[str, JSON]:
    if isinstance(action, Move):
        return {"type": "move", **game.dump_move(action)}
    return {"type": "pass" if isinstance(action, Pass) else "roll"}


def _decode_action(game: Game, state: State, text: str) -> Action:
    if text == PASS:
        return Pass()
    if text.startswith(THROW):
        numbers = tuple(int(number) for number in text.removeprefix(THROW).split("+"))
        return Roll(numbers if len(numbers) > 1 else numbers[0])
    for action in state.actions():
        if isinstance(action, Move) and encode_action(game, action) == text:
            return action
    raise ValueError("it is not legal there")
