"""Every frame the server can send, as frozen classes.

`hello` comes first on a connection; a `reply` answers each command; `update` and `presence` are
pushed to who follows a game, a `notice` to everybody, and `bye` is the last word. Clients ignore
fields they do not know.
"""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import Factory

from tabnet.protocol.messages import VERSION
from tabnet.protocol.values import frozen


@frozen(kw_only=True)
class Frame:
    """What the server sends; `type` tells the sort."""

    type: ClassVar[str]


@frozen(kw_only=True)
class Hello(Frame):
    """The first line of every connection."""

    type = "hello"

    server: str = "tabnet"
    protocol: int = VERSION
    games: tuple[str, ...]
    opponents: tuple[str, ...] | None = None
    """The bots that `join` can ask for, if there are any."""


@frozen(kw_only=True)
class Reply(Frame):
    """The answer to one command, with its `id`; by itself it says: done."""

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
    """In how many seconds it may be tried again."""


@frozen(kw_only=True)
class Joined(Reply):
    """The answer to join: the game, the name you play under and the token of your seat."""

    game: str
    nick: str
    token: str
    invite: str | None = None
    """What lets somebody into a private game."""


@frozen(kw_only=True)
class RankedPlayer:
    """One line of a ranking."""

    nick: str
    victories: int
    games: int
    points: int | None = None
    """In kinds where a win may be worth several."""


@frozen(kw_only=True)
class Scores(Reply):
    """The answer to ranking."""

    ranking: tuple[RankedPlayer, ...]


@frozen(kw_only=True)
class StateReply(Reply):
    """The answer to state: `update` is the latest one, `clock` what is left at this moment."""

    game: str
    status: str
    """waiting, playing or ended"""
    update: dict[str, Any] | None = None
    clock: dict[str, float] | None = None
    online: dict[str, bool] | None = None
    text: str | None = None


@frozen(kw_only=True)
class Choices(Reply):
    """The answer to moves: what notify would accept, and which commands can be played."""

    moves: tuple[dict[str, Any], ...]
    actions: tuple[str, ...]


@frozen(kw_only=True)
class Checked(Reply):
    """The answer to check."""

    ok: bool
    reason: str | None = None
    reason_code: str | None = None


@frozen(kw_only=True)
class RunningGame:
    """One game in the answer to games."""

    game: str
    kind: str
    options: dict[str, Any]
    group: int | None = None
    players: dict[str, str]
    turn: str | None
    seq: int


@frozen(kw_only=True)
class WaitingGame:
    """What somebody waits for, as the fields of a join that would be paired with it."""

    kind: str
    options: dict[str, Any]
    group: int | None = None
    seats: int | None = None
    """In kinds that are not always for two."""
    clock: dict[str, float]
    strict: bool
    players: int


@frozen(kw_only=True)
class Listing(Reply):
    """The answer to games."""

    games: tuple[RunningGame, ...]
    waiting: tuple[WaitingGame, ...]


@frozen(kw_only=True)
class Guide(Reply):
    """The answer to help: all commands, or one in full."""

    about: str | None = None
    summary: str
    commands: dict[str, str] | None = None
    fields: dict[str, Any] | None = None
    errors: dict[str, str] | None = None
    example: dict[str, Any]


@frozen(kw_only=True)
class Schemas(Reply):
    """The answer to schema."""

    commands: dict[str, Any]
    frames: dict[str, Any]


@frozen(kw_only=True)
class Snapshot(Frame):
    """A whole position after one event of a game, encoded once for all who follow it.

    `position` holds the fields that belong to the kind of game; on the wire they stand beside
    the others. A wait that ended without a game has a winner, null, and nothing else.
    """

    type = "update"

    game: str
    seq: int
    position: dict[str, Any] = Factory(dict)

    @property
    def turn(self) -> str | None:
        """Whose turn it is; None when the game is over."""
        return self.position.get("turn")

    @property
    def expects(self) -> str | None:
        """The command that the player to act has to send; None if the server does it itself."""
        return self.position.get("expects")

    @property
    def over(self) -> bool:
        """Whether it is the game's last update."""
        return "winner" in self.position

    @property
    def winner(self) -> str | None:
        """Who has won; None for nobody, for several, and before the end."""
        return self.position.get("winner")


@frozen(kw_only=True)
class Presence(Frame):
    """Which players of a game are connected; sent when that changes, and not numbered."""

    type = "presence"

    game: str
    online: dict[str, bool]


@frozen(kw_only=True)
class Notice(Frame):
    """Something everybody should know."""

    type = "notice"

    text: str
    code: str


@frozen(kw_only=True)
class Bye(Frame):
    """The last line before the server closes a connection on its own account."""

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
"""The class of each command's reply; those not listed answer with a bare `Reply`."""
