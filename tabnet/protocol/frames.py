"""Every frame that the server can send, as frozen classes.

`hello` comes first on a connection, and a `reply` answers each command. The server pushes `update`
and `presence` to the followers of a game, and `notice` to everybody. `bye` is the last frame.
Clients ignore fields that they do not know.
"""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import Factory

from tabnet.protocol.frozen_values import frozen
from tabnet.protocol.messages import FEEDS, VERSION


@frozen(kw_only=True)
class Frame:
    """A line from the server, with its `type`."""

    type: ClassVar[str]


@frozen(kw_only=True)
class Hello(Frame):
    """The first line of every connection."""

    type = "hello"

    server: str = "tabnet"
    protocol: int = VERSION
    games: tuple[str, ...]
    feeds: tuple[str, ...] = FEEDS
    """The feeds that `join` and `update` can ask for."""
    opponents: tuple[str, ...] | None = None
    """The bots that `join` can ask for, if there are any."""


@frozen(kw_only=True)
class Reply(Frame):
    """The response to one command, with its `id`; without other fields it means success."""

    type = "reply"

    cmd: str | None
    id: int | str | None = None


@frozen(kw_only=True)
class Failed(Reply):
    """A refusal. It changed nothing."""

    error: str
    code: str
    field: str | None = None
    hint: str | None = None
    example: dict[str, Any] | None = None
    retry_after: int | None = None
    """The number of seconds after which the command may be repeated."""


@frozen(kw_only=True)
class Joined(Reply):
    """The response to join: the game, your nick in it, and the token of your seat."""

    game: str
    nick: str
    token: str
    invite: str | None = None
    """The invite that lets a player join a private game."""


@frozen(kw_only=True)
class RankedPlayer:
    """One row of a ranking."""

    nick: str
    victories: int
    games: int
    points: int | None = None
    """The points, in kinds in which some wins are worth more than others."""


@frozen(kw_only=True)
class Scores(Reply):
    """The response to ranking."""

    ranking: tuple[RankedPlayer, ...]


@frozen(kw_only=True)
class ListedWait:
    """A wait, as the fields of a join that would be paired with it if it is public."""

    kind: str
    options: dict[str, Any]
    group: int | None = None
    seats: int | None = None
    """The number of players, in kinds that are not only for two."""
    clock: dict[str, float]
    strict: bool
    players: int


@frozen(kw_only=True)
class StateReply(Reply):
    """The response to state: `update` is the latest one, `clock` shows the time left now."""

    game: str
    status: str
    """waiting, playing or ended"""
    update: dict[str, Any] | None = None
    clock: dict[str, float] | None = None
    online: dict[str, bool] | None = None
    text: str | None = None
    wait: ListedWait | None = None
    """The terms of a game that has not begun."""
    again: tuple[str, ...] | None = None
    """The players of a game that has ended who ask for the same game again."""


@frozen(kw_only=True)
class Choices(Reply):
    """The response to moves: the moves that notify accepts, and the commands that are legal."""

    moves: tuple[dict[str, Any], ...]
    actions: tuple[str, ...]


@frozen(kw_only=True)
class Checked(Reply):
    """The response to check."""

    ok: bool
    reason: str | None = None
    reason_code: str | None = None
    reason_hint: str | None = None


@frozen(kw_only=True)
class ListedGame:
    """One game in the response to games."""

    game: str
    kind: str
    options: dict[str, Any]
    group: int | None = None
    players: dict[str, str]
    turn: str | None
    seq: int


@frozen(kw_only=True)
class Listing(Reply):
    """The response to games."""

    games: tuple[ListedGame, ...]
    waiting: tuple[ListedWait, ...]


@frozen(kw_only=True)
class Guide(Reply):
    """The response to help: all commands, or one in full."""

    about: str | None = None
    summary: str
    commands: dict[str, str] | None = None
    fields: dict[str, Any] | None = None
    errors: dict[str, str] | None = None
    example: dict[str, Any]


@frozen(kw_only=True)
class Schemas(Reply):
    """The response to schema."""

    commands: dict[str, Any]
    frames: dict[str, Any]


@frozen(kw_only=True)
class Snapshot(Frame):
    """A whole position after one event of a game, encoded once for all followers.

    On the wire the fields of `position` stand beside the others. A wait that ended without a game
    has a winner, null, and nothing else.
    """

    type = "update"

    game: str
    seq: int
    position: dict[str, Any] = Factory(dict)

    @property
    def turn(self) -> str | None:
        """Return the player to act; None when the game is over."""
        return self.position.get("turn")

    @property
    def expects(self) -> str | None:
        """Return the command that the player must send; None if the server acts by itself."""
        return self.position.get("expects")

    @property
    def over(self) -> bool:
        """Return whether this is the game's last update."""
        return "winner" in self.position

    @property
    def winner(self) -> str | None:
        """Return the winner; None for a draw, for several winners, and before the end."""
        return self.position.get("winner")


@frozen(kw_only=True)
class PlayerTurn(Frame):
    """The events and the legal commands for a player to act who follows a game by turns."""

    type = "turn"

    game: str
    seq: int
    """The number of the latest event."""
    events: tuple[dict[str, Any], ...]
    """The events since the last turn or update on this connection, each with its `seq`."""
    expects: str
    """The command that the player must send: roll, pass, notify or salt."""
    moves: tuple[dict[str, Any], ...]
    """Every legal command, as a whole; empty while salts are due."""
    clock: dict[str, float]
    """The seconds that each nick has left."""


@frozen(kw_only=True)
class Presence(Frame):
    """The connected players of a game; sent at each change, and not numbered."""

    type = "presence"

    game: str
    online: dict[str, bool]


@frozen(kw_only=True)
class Notice(Frame):
    """A message to everybody."""

    type = "notice"

    text: str
    code: str


@frozen(kw_only=True)
class Bye(Frame):
    """The last line before the server closes a connection."""

    type = "bye"

    reason: str
    code: str
    retry_after: int | None = None


REPLIES: dict[str, type[Reply]] = {
    "join": Joined,
    "ranking": Scores,
    "state": StateReply,
    "moves": Choices,
    "check": Checked,
    "games": Listing,
    "help": Guide,
    "schema": Schemas,
}
"""The class of each command's reply; other commands have a bare `Reply`."""
