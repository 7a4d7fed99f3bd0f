"""The contract every game keeps, and what search bots program against.

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

from tabnet.errors import InvalidOptions

if TYPE_CHECKING:
    from tabnet.games.check_positions import CheckPosition
    from tabnet.games.terminal import TerminalGame
    from tabnet.games.wire import KindFields

JSON: TypeAlias = Any
"""What JSON can hold: None, bool, int, float, str, and lists and str-keyed dicts of them."""


@frozen
class Roll:
    """A throw: without an outcome in `actions()`, with one when it is applied."""

    outcome: int | tuple[int, ...] | None = None


@frozen
class Pass:
    """The turn goes over without a move."""


@define(frozen=True)
class Move:
    """The base of every kind's own moves."""


Action: TypeAlias = Roll | Pass | Move


@frozen
class Select:
    """Not a move yet: the piece on `cell` is held and may go to one of `choices`.

    `cell` None: the piece held before is let go.
    """

    cell: int | None
    choices: tuple[int, ...] = ()


@frozen
class Outcome:
    """How a game ended by its rules: winning seats (none, one, several), points by seat, why."""

    winners: tuple[int, ...]
    points: tuple[int, ...]
    reason: str


class State(Protocol):
    """A position. Frozen, hashable, equal by value; `str()` draws it as text."""

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the game is over."""
        ...

    def actions(self) -> tuple[Action, ...]:
        """What the seat to act may do: `(Roll(),)`, `(Pass(),)` or moves; () at the end."""
        ...

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """When a throw is due, every outcome with its weight; else ()."""
        ...

    def branches(self) -> int:
        """How many positions may follow: the legal actions, or the outcomes of the throw due."""
        ...

    def apply(self, action: Action) -> State:
        """The position after `action`; raises `IllegalMove` and never changes this one."""
        ...

    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        ...

    def view(self) -> dict[str, JSON]:
        """The public position as JSON values; `turn` and, with dice, `mustPass` are seats."""
        ...


class Removable(State, Protocol):
    """A position of a kind that more than two can play: one may go, and the others play on."""

    def remove(self, seat: int) -> Removable:
        """The position after this seat is out of a game that goes on.

        What belongs to it vanishes as the rules say; it cannot win, and is never to act again.
        """
        ...


class Game(ABC):
    """One kind of game: what it is called, what it takes, and how its moves are written."""

    kind: ClassVar[str]
    name: ClassVar[str]
    """What it is called within a sentence."""
    seats: ClassVar[range]
    """How many may play: `range(2, 3)` for two, `range(2, 5)` for two to four."""
    colours: ClassVar[tuple[str, ...]]
    """What each seat's pieces are called, in seat order."""
    fields: ClassVar[KindFields]
    """Its fields in the commands of the protocol, with their help."""
    examples: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Command lines for the help of a command, by its name: `{"play": ("tabnet play ...",)}`."""
    codes: ClassVar[Mapping[str, str]] = {}
    """The codes of its refused moves, and what they mean."""
    clock: ClassVar[Mapping[str, float]] = {"move": 120}
    """The usual time to think, as the field of a join."""
    leaderboard_option: ClassVar[str | None] = None
    """The option by which its rankings are separated; `join` and `ranking` then require it, and a
    group."""
    options: ClassVar[type[AttrsInstance]]
    """An attrs class of this kind's options, its defaults and its validators."""

    @property
    def title(self) -> str:
        """Its name at the start of a sentence."""
        return self.name[0].upper() + self.name[1:]

    @abstractmethod
    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> State:
        """The first position. `layout` is what `deal` gave."""

    @abstractmethod
    def load(self, view: JSON) -> State:
        """The inverse of `view()`: any position a user can write down; raises `InvalidPosition`."""

    @abstractmethod
    def parse_move(self, fields: Mapping[str, JSON]) -> Move:
        """The whole move that the fields of a `notify` write down; raises `InvalidMove`."""

    @abstractmethod
    def dump_move(self, move: Move) -> dict[str, JSON]:
        """The inverse of `parse_move`."""

    terminal: ClassVar[TerminalGame]
    """Its drawings, its sentences and the input that a person may type."""
    check_positions: ClassVar[tuple[CheckPosition, ...]] = ()
    """The positions in which `tabnet check` tries a bot, beside those of every kind."""
    view_fields: ClassVar[tuple[str, ...]]
    """The fields of its positions."""
    board: ClassVar[str]
    """The file in tabnet/web/boards with which the web page and the reports draw its positions."""
    board_fields: ClassVar[tuple[str, ...]]
    """The fields of its positions that its board draws."""
    ranks_points: ClassVar[bool] = False
    """A win may be worth more than another: rankings tell points, and go by them."""
    uses_chance: ClassVar[bool] = False
    """It has throws or a dealt layout: a match commits to them before it begins."""
    has_dice: ClassVar[bool] = False
    """It has throws: players may salt them."""
    selects: ClassVar[bool] = False
    """A move can be sent in two steps: select a piece, then its destination. Its fields are then
    `cell` and `to`."""

    def interpret(
        self,
        state: State,  # noqa: ARG002 - for kinds that override this
        held: int | None,  # noqa: ARG002
        fields: Mapping[str, JSON],
    ) -> Move | Select:
        """What a `notify` means in `state` while the piece on `held` is selected.

        Only kinds whose moves can be sent in two steps have anything to add to `parse_move`.
        """
        return self.parse_move(fields)

    def could_play(self, state: State, seat: int) -> tuple[Action, ...]:
        """What a seat may do; in kinds where that can be said, also while it is another's turn."""
        return state.actions() if state.turn == seat else ()

    def read_roll(self, next_byte: Callable[[], int]) -> Roll:  # noqa: ARG002 - as above
        """The throw that a stream of random bytes stands for, in kinds with dice."""
        raise InvalidOptions("no_roll", f"{self.title} has no dice")

    def deal(
        self,
        options: Any,  # noqa: ARG002 - as above
        seats: int,  # noqa: ARG002
        next_byte: Callable[[], int],  # noqa: ARG002
    ) -> JSON:
        """The layout of a board, drawn from a stream of random bytes; None if nothing is dealt."""
        return None

    def require(self, options: Any, seats: int) -> None:  # noqa: ARG002 - as above
        """Refuse with `InvalidOptions` what so many cannot play; `start` does so too."""
        if seats not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            raise InvalidOptions(
                "invalid_option",
                f"{self.title} is not for {seats}",
                field="seats",
                hint=f"{least}" if least == most else f"{least} to {most}",
            )

    def dump_options(self, options: Any) -> dict[str, JSON]:
        """The inverse of `make_options`; what is None is left out."""
        values = asdict(options)
        return {name: _listed(value) for name, value in values.items() if value is not None}

    def make_options(self, given: Mapping[str, JSON]) -> Any:
        """`options(**given)`, refusing unknown names and bad values with `InvalidOptions`."""
        names = [field.name for field in fields(self.options)]
        for name in given:
            if name not in names:
                hint = f"{self.kind} takes {', '.join(names)}" if names else None
                raise InvalidOptions(
                    "unknown_option", f"{self.kind} has no option '{name}'", field=name, hint=hint
                )
        return self.options(**given)


def _listed(value: JSON) -> JSON:
    """What options keep as tuples, as lists."""
    return [_listed(each) for each in value] if isinstance(value, tuple) else value
