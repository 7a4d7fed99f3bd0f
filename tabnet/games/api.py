"""The contract of every game, which search bots use too.

    game = GAMES[kind]
    state = game.start(game.options())
    while state.turn is not None:
        action = choose(state.actions())
        if isinstance(action, Roll):
            action = draw(state.chances())
        state = state.apply(action)
    print(state.outcome())

States are frozen, hashable, equal by value and compact. Nothing here does I/O, reads a clock or
draws a random number: a throw is applied with its outcome inside.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from attrs import AttrsInstance, asdict, define, fields, frozen

from tabnet.errors import InvalidMove, InvalidOptions

if TYPE_CHECKING:
    from tabnet.games.check_positions import CheckPosition
    from tabnet.games.field_declarations import KindFields
    from tabnet.games.notation import Notation
    from tabnet.games.terminal import TerminalGame

JSON: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, and lists and str-keyed dicts of them."""


@frozen
class Roll:
    """A throw; it has no outcome in `actions()`, and one when it is applied."""

    outcome: int | tuple[int, ...] | None = None


@frozen
class Pass:
    """A pass: the turn ends without a move."""


@define(frozen=True)
class Move:
    """The base of every kind's own moves."""


Action: TypeAlias = Roll | Pass | Move


THROW: tuple[Action, ...] = (Roll(),)
PASS: tuple[Action, ...] = (Pass(),)
"""The legal actions if a throw or a pass is due, in kinds with dice: always these two objects."""


@frozen
class Select:
    """Half a move: the piece on `cell` is selected and may go to one of `choices`.

    With `cell` None, the selected piece is released.
    """

    cell: int | None
    choices: tuple[int, ...] = ()


@frozen
class Outcome:
    """The result by the rules: winning seats (none, one, several), points by seat, reason."""

    winners: tuple[int, ...]
    points: tuple[int, ...]
    reason: str


class State(Protocol):
    """A position. Frozen, hashable, equal by value; `str()` draws it as text."""

    @property
    def turn(self) -> int | None:
        """Return the seat to act; None when the game is over."""

    def actions(self) -> tuple[Action, ...]:
        """Return the legal actions: `(Roll(),)`, `(Pass(),)` or moves; () at the end."""

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Return every outcome of a due throw with its weight; () if no throw is due."""

    def branches(self) -> int:
        """Return the number of possible next positions, by action or outcome of the due throw."""

    def apply(self, action: Action) -> State:
        """Return the position after `action`; raises `IllegalMove` and never changes this one."""

    def outcome(self) -> Outcome | None:
        """Return the result, or None while the game goes on."""

    def view(self) -> dict[str, JSON]:
        """Return the public position as JSON values; `turn` and `mustPass` are seats."""


class Removable(State, Protocol):
    """A position of a kind for more than two players: one can be removed, the others play on."""

    def remove(self, seat: int) -> Removable:
        """Return the position after this seat is removed from a running game.

        The rules say which of its things vanish. The seat cannot win, and is never to act again.
        """


class Game(ABC):
    """One kind of game: its names, its options, and the notation of its moves."""

    kind: ClassVar[str]
    name: ClassVar[str]
    """The name within a sentence."""
    seats: ClassVar[range]
    """The numbers of players: `range(2, 3)` for two, `range(2, 5)` for two to four."""
    colours: ClassVar[tuple[str, ...]]
    """The names of the seats' pieces, in seat order."""
    fields: ClassVar[KindFields]
    """The kind's fields in the commands of the protocol, with their help."""
    examples: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Command lines for the help of a command, by its name: `{"play": ("tabnet play ...",)}`."""
    codes: ClassVar[Mapping[str, str]] = {}
    """The codes of refused moves, with their meanings."""
    clock: ClassVar[Mapping[str, float]] = {"move": 120}
    """The default clock, as the field of a join."""
    leaderboard_option: ClassVar[str | None] = None
    """The option that separates its rankings; `join` and `ranking` then require it, and a group."""
    options: ClassVar[type[AttrsInstance]]
    """The attrs class of this kind's options, with defaults and validators."""

    @property
    def title(self) -> str:
        """Return the name at the start of a sentence."""
        return self.name[0].upper() + self.name[1:]

    @abstractmethod
    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> State:
        """Return the first position. `layout` is the result of `deal`."""

    @abstractmethod
    def load(self, view: JSON) -> State:
        """Return any position that a user can write down: the inverse of `view()`.

        Raises `InvalidPosition`.
        """

    @abstractmethod
    def parse_move(self, fields: Mapping[str, JSON]) -> Move:
        """Return the whole move in the fields of a `notify`; raises `InvalidMove`."""

    @abstractmethod
    def dump_move(self, move: Move) -> dict[str, JSON]:
        """Return the fields of a move: the inverse of `parse_move`."""

    def dump_roll(self, roll: Roll) -> JSON:
        """Return the value of the field `dice` of the position after a throw."""
        return roll.outcome

    def parse_roll(self, dice: JSON) -> Roll:
        """Return the throw after which a position has these `dice`: the inverse of `dump_roll`."""
        return Roll(dice)

    terminal: ClassVar[TerminalGame]
    """The drawings, the sentences and the input of this kind."""
    check_positions: ClassVar[tuple[CheckPosition, ...]] = ()
    """The positions in which `tabnet check` tries a bot, besides those of every kind."""
    notation: ClassVar[Notation | None] = None
    """The notation of whole games as text files, if there is one."""
    view_fields: ClassVar[tuple[str, ...]]
    """The fields of a position."""
    board_fields: ClassVar[tuple[str, ...]]
    """The fields of a position that the board draws."""
    ranks_points: ClassVar[bool] = False
    """True if some wins are worth more than others: rankings then go by points."""
    uses_chance: ClassVar[bool] = False
    """True for throws or a dealt layout: a match commits to them before it begins."""
    has_dice: ClassVar[bool] = False
    """True for throws: players may salt them."""
    selects: ClassVar[bool] = False
    """True if a move can be sent in two steps, in the fields `cell` and `to`: select a piece, then
    its destination."""

    def interpret(
        self,
        state: State,  # noqa: ARG002 - for kinds that override this
        held: int | None,  # noqa: ARG002
        fields: Mapping[str, JSON],
    ) -> Move | Select:
        """Return the meaning of a `notify` in `state` while the piece on `held` is selected.

        Only kinds whose moves can be sent in two steps override this.
        """
        return self.parse_move(fields)

    def could_play(self, state: State, seat: int) -> tuple[Action, ...]:
        """Return what a seat may do; in some kinds, also while it is another seat's turn."""
        return state.actions() if state.turn == seat else ()

    def read_roll(self, next_byte: Callable[[], int]) -> Roll:  # noqa: ARG002 - likewise
        """Read a throw from a stream of random bytes, in kinds with dice."""
        raise InvalidOptions("no_roll", f"{self.title} has no dice")

    def deal(
        self,
        options: Any,  # noqa: ARG002 - likewise
        seats: int,  # noqa: ARG002
        next_byte: Callable[[], int],  # noqa: ARG002
    ) -> JSON:
        """Draw a board's layout from a stream of random bytes; None if the kind deals nothing."""
        return None

    def require_known_fields(self, fields: Mapping[str, JSON]) -> None:
        """Raise `InvalidMove` for a field that no move of this kind has."""
        for name in fields:
            if name not in self.fields.notify:
                hint = f"{self.name} takes {' and '.join(self.fields.notify)}"
                raise InvalidMove(f"unknown field '{name}'", field=name, hint=hint)

    def require(self, options: Any, seats: int) -> None:  # noqa: ARG002 - likewise
        """Raise `InvalidOptions` if so many players cannot play; `start` does so too."""
        if seats not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            raise InvalidOptions(
                "invalid_option",
                f"{self.title} is not for {seats}",
                field="seats",
                hint=f"{least}" if least == most else f"{least} to {most}",
            )

    def dump_options(self, options: Any) -> dict[str, JSON]:
        """Return the inverse of `make_options`, without options that are None."""
        values = asdict(options, filter=lambda _, value: value is not None)
        return {name: _convert_tuples_to_lists(value) for name, value in values.items()}

    def make_options(self, given: Mapping[str, JSON]) -> Any:
        """Return `options(**given)`; raises `InvalidOptions` for unknown names and bad values."""
        names = [field.name for field in fields(self.options)]
        for name in given:
            if name not in names:
                hint = f"{self.kind} takes {', '.join(names)}" if names else None
                raise InvalidOptions(
                    "unknown_option", f"{self.kind} has no option '{name}'", field=name, hint=hint
                )
        return self.options(**given)


def _convert_tuples_to_lists(value: JSON) -> JSON:
    return [_convert_tuples_to_lists(each) for each in value] if isinstance(value, tuple) else value
