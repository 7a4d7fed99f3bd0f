"""Every command that a client can send, as frozen classes.

The codec reads the types and limits of the fields from the classes, `help` and `schema` read the
texts. An absent field is None; null in JSON is never a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from tabnet.games import GAMES
from tabnet.games.field_declarations import optional_field, required_field
from tabnet.protocol.fields import (
    MOST_SEATS,
    Clock,
    declare_kinds_field,
    format_clocks,
    format_kind_names,
    format_kinds,
)
from tabnet.protocol.frozen_values import frozen

VERSION = 1
"""The version of the protocol, as `hello` shows it."""


UPDATES, TURNS = FEEDS = ("updates", "turns")
"""A connection receives every update of a game, or a turn whenever its seat is to act."""


def feed_field() -> Any:
    """Declare the field that names a feed."""
    return optional_field(
        "receive every update, or a turn whenever your seat is to act; default updates",
        one_of=FEEDS,
    )


@frozen(kw_only=True)
class Command:
    """The fields of every command."""

    cmd: ClassVar[str]
    example: ClassVar[dict[str, Any]]
    errors: ClassVar[tuple[str, ...]] = ()
    summary: ClassVar[str] = ""
    """The sentence of `help`, if it is not the docstring."""

    id: int | str | None = optional_field(
        "comes back in the reply: a string or a 64-bit integer", longest=128
    )


NICK = {
    "shortest": 1,
    "longest": 32,
    "printable": True,
    "hint": "1 to 32 printable characters, no spaces around them",
}
PASSWORD = {"shortest": 1, "longest": 256, "hint": "1 to 256 characters"}
TOKEN = {"shortest": 1, "longest": 128}
SEAT_HELP = "the token of a seat: identifies its game and its player"
GAME = {"shortest": 1, "longest": 64}
GAME_HELP = "the id of the game; not needed if you have exactly one seat"
SALT = {"shortest": 32, "longest": 128, "hint": "16 to 64 random bytes, written in hex"}
GROUPED = f"{format_kind_names(lambda game: game.leaderboard_option is not None)} requires one"
CREDENTIALS = ("undefined_field", "wrong_password", "not_registered", "reserved_nick", "banned")
GAME_ERRORS = ("unknown_game", "set_aside", "which_game", "bad_token", "no_seat")
SEAT = (*CREDENTIALS, *GAME_ERRORS, "who_are_you")
RULES = (
    "waiting",
    "game_over",
    "not_your_turn",
    "must_roll",
    "must_move",
    "must_roll_again",
    "must_pass",
    "salts_due",
)


@frozen(kw_only=True)
class Identified(Command):
    """A command that may carry credentials; by default the connection's login counts."""

    nick: str | None = optional_field(
        "the player who sends the command, together with password", **NICK
    )
    password: str | None = optional_field("the password of that nick", **PASSWORD)


@frozen(kw_only=True)
class Seated(Identified):
    """A command about one game."""

    game: str | None = optional_field(GAME_HELP, **GAME)
    token: str | None = optional_field(SEAT_HELP, **TOKEN)


@frozen(kw_only=True)
class Register(Command):
    """Log in: register a new nick with its password, or check the password of an existing one."""

    cmd = "register"
    example = {"cmd": "register", "nick": "zp", "password": "secret"}
    errors = (
        *("wrong_password", "reserved_nick", "registration_closed", "banned"),
        "too_many_registrations",
    )

    nick: str = required_field("the player's name", **NICK)
    password: str = required_field(
        "the password of the nick; of a new nick, from now on", **PASSWORD
    )


@frozen(kw_only=True)
class Join(Identified):
    """Ask for a game: you join a player who waits for the same, or you wait."""

    cmd = "join"
    example = {"cmd": "join", "group": 99, "size": 9}
    errors = (
        *CREDENTIALS,
        *("unknown_kind", "unknown_option", "invalid_option", "bad_value", "unknown_invite"),
        *("own_invite", "unknown_opponent", "busy", "too_many_house_games", "too_many_games"),
        *("too_many_waits", "stopping", "unknown_game", "set_aside", "bad_token", "no_seat"),
        "who_are_you",
    )

    kind: str | None = optional_field(f"the kind of game: {format_kinds()}", longest=32)
    group: int | None = optional_field(
        f"players are paired and ranked within a group; {GROUPED}",
        minimum=1,
        bad="invalid group {value}",
        hint="a positive integer",
    )
    options: Mapping[str, Any] = declare_kinds_field("join")
    seats: int | None = optional_field(
        "the number of players, in kinds for more than two; default 2",
        minimum=2,
        maximum=MOST_SEATS,
    )
    clock: Clock | None = optional_field(
        f'time to think: {{"move":s}} or {{"total":s,"increment":s}}; default {format_clocks()}'
    )
    seat: int | None = optional_field(
        "the seat that you wish for: 0 plays first, and so on; equal wishes are not paired",
        minimum=0,
        maximum=MOST_SEATS - 1,
    )
    auto: bool | None = optional_field("true: the server makes this seat's forced rolls and passes")
    strict: bool | None = optional_field(
        "true: a player who makes an illegal move is out of the game"
    )
    private: bool | None = optional_field(
        "true: only players with the invite from the reply can join"
    )
    invite: str | None = optional_field(
        "the invite to a private game, instead of the fields that describe a game", **TOKEN
    )
    again: str | None = optional_field(
        "a finished game in which you had a seat: ask its players for the same game", **GAME
    )
    token: str | None = optional_field(
        "with again: the token of your seat in the finished game", **TOKEN
    )
    feed: str | None = feed_field()
    opponent: str | None = optional_field(
        "the house bot to play against at once; hello names them", shortest=1, longest=32
    )
    salt_hash: str | None = optional_field(
        "games with dice: the hash of your salt for the throws, in hex",
        shortest=64,
        longest=64,
        hint='64 hex digits: SHA-256 of "tabnet-salt-1" and the salt',
    )


@frozen(kw_only=True)
class Leave(Seated):
    """Stop waiting, or resign: one opponent wins, several opponents play on."""

    cmd = "leave"
    example = {"cmd": "leave", "game": "fa93b40c7d21e658"}
    errors = (*SEAT, "game_over")


@frozen(kw_only=True)
class RollCommand(Seated):
    """Throw the sticks or dice."""

    cmd = "roll"
    example = {"cmd": "roll"}
    errors = (*SEAT, *RULES, "no_roll")


@frozen(kw_only=True)
class Notify(Seated):
    """Play a move, or select the piece to move."""

    cmd = "notify"
    summary = (
        "Play a move, or "
        f"in {format_kind_names(lambda game: game.selects)} select the piece to move."
    )
    example = {"cmd": "notify", "cell": 8}
    errors: ClassVar[tuple[str, ...]] = (
        *SEAT,
        *RULES,
        "invalid_move",
        *dict.fromkeys(code for game in GAMES.values() for code in game.codes),
        "too_many_releases",
    )

    move: Mapping[str, Any] = declare_kinds_field("notify")


@frozen(kw_only=True)
class PassCommand(Seated):
    """Hand the turn over, when the rules leave nothing else."""

    cmd = "pass"
    example = {"cmd": "pass"}
    errors = (*SEAT, *RULES, "no_pass")


@frozen(kw_only=True)
class Draw(Seated):
    """Offer a draw, or withdraw the offer; when all players offer one, the game is drawn."""

    cmd = "draw"
    example = {"cmd": "draw", "offer": True}
    errors = (*SEAT, "waiting", "game_over", "already_offered", "no_offer", "too_many_offers")

    offer: bool = required_field("true: offer a draw; false: withdraw the offer")


@frozen(kw_only=True)
class Salt(Seated):
    """Reveal the salt whose hash came with join: the throws depend on it."""

    cmd = "salt"
    example = {"cmd": "salt", "salt": "00112233445566778899aabbccddeeff"}
    errors = (*SEAT, "waiting", "game_over", "bad_value", "no_salt", "wrong_salt")

    salt: str = required_field("the salt, in hex", **SALT)


@frozen(kw_only=True)
class About(Command):
    """A question about one game: anyone may ask."""

    game: str | None = optional_field(GAME_HELP, **GAME)
    token: str | None = optional_field(SEAT_HELP, **TOKEN)


@frozen(kw_only=True)
class Update(About):
    """Follow a game on this connection; `since` sends the updates that were missed."""

    cmd = "update"
    example = {"cmd": "update", "game": "fa93b40c7d21e658", "since": 17}
    errors = (*GAME_ERRORS, "bad_value", "reserved_nick")

    nick: str | None = optional_field("ignored: anyone may follow a game", **NICK)
    since: int | None = optional_field("first send every update with a greater number", minimum=0)
    feed: str | None = feed_field()


@frozen(kw_only=True)
class Ranking(Command):
    """The best ten of a group."""

    cmd = "ranking"
    summary = (
        "The best ten of a group, by victories, "
        f"in {format_kind_names(lambda game: game.ranks_points)} by points."
    )
    example = {"cmd": "ranking", "group": 99, "size": 9}
    errors = ("undefined_field", "unknown_option", "unknown_kind")

    kind: str | None = optional_field(f"the kind of game: {format_kinds()}", longest=32)
    group: int | None = optional_field(
        f"the group; {GROUPED}", minimum=1, bad="Invalid group {value}", hint="a positive integer"
    )
    options: Mapping[str, Any] = declare_kinds_field("ranking")


@frozen(kw_only=True)
class StateCommand(About):
    """Show how a game stands now, with its running clock."""

    cmd = "state"
    example = {"cmd": "state", "text": True}
    errors = (*GAME_ERRORS, "unknown_invite", "bad_value")

    invite: str | None = optional_field(
        "the invite to a private game, instead of game and token", **TOKEN
    )
    text: bool | None = optional_field("true: also the position drawn as text")


@frozen(kw_only=True)
class Moves(About):
    """List what the player whose turn it is can do now."""

    cmd = "moves"
    example = {"cmd": "moves", "cell": 8}
    errors = (*GAME_ERRORS, "waiting")

    player: str | None = optional_field("only what this player can do", **NICK)
    move: Mapping[str, Any] = declare_kinds_field("moves")


@frozen(kw_only=True)
class Check(Notify):
    """Ask whether roll, pass or notify would be accepted, without playing it."""

    cmd = "check"
    summary = ""
    example = {"cmd": "check", "command": "notify", "cell": 8}
    errors = (*SEAT, "bad_value", "unknown_field")

    command: str = required_field("the command to check: roll, pass or notify", longest=32)


@frozen(kw_only=True)
class Games(Command):
    """List the games being played, newest first, and the games that players wait for."""

    cmd = "games"
    example = {"cmd": "games"}
    errors = ("unknown_kind",)

    kind: str | None = optional_field("only this kind of game", longest=32)


@frozen(kw_only=True)
class Help(Command):
    """List the commands; `about` explains one of them."""

    cmd = "help"
    example = {"cmd": "help", "about": "join"}
    errors = ("unknown_command",)

    about: str | None = optional_field("the name of a command", longest=32)


@frozen(kw_only=True)
class Schema(Command):
    """Describe every command and frame as JSON Schema."""

    cmd = "schema"
    example = {"cmd": "schema"}


@frozen(kw_only=True)
class Ping(Command):
    """Is anybody there?"""

    cmd = "ping"
    example = {"cmd": "ping", "id": 1}


@frozen(kw_only=True)
class Quit(Command):
    """Close this connection; games go on, and the seats stay yours."""

    cmd = "quit"
    example = {"cmd": "quit"}


COMMANDS: dict[str, type[Command]] = {
    command.cmd: command
    for command in (
        *(Register, Join, Leave, RollCommand, Notify, PassCommand, Update, Ranking),
        *(StateCommand, Moves, Check, Draw, Salt, Games, Help, Schema, Ping, Quit),
    )
}


WITH_MOVE = (Notify, Moves)
"""The commands with fields that describe a move."""


def get_move_fields(command: Command) -> Mapping[str, Any]:
    """Return the fields of a command that write down a move, as JSON values."""
    return command.move if isinstance(command, WITH_MOVE) else {}
