"""The settings of a bot: its server, its login, and its request for a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from attrs import field, frozen

from tabnet.client.address import Address, Trust
from tabnet.errors import StartError, quote

RETRY_S = 60.0
LOAD_ONLY = "TABNET_LOAD_ONLY"
"""The variable with which a bot is loaded and plays nothing: a trial."""
ARRANGED_RETRY_S = 2.0
"""The retry time of a bot that a tournament started: the tournament waits no longer."""


@frozen
class Credentials:
    """A nick and its password."""

    nick: str
    password: str


@frozen
class BotSettings:
    """The settings of a bot."""

    address: Address
    join: Mapping[str, Any]
    """The command that asks for a game; the bot adds the feed."""
    login: Credentials | None = None
    """None for a guest."""
    games: int | None = None
    """The number of games to play; None for as many as the server allows."""
    trust: Trust = field(factory=Trust)
    seats: tuple[int, ...] = ()
    """The seats to ask for, in turn; empty for any."""
    is_only_player: bool = False
    """Nobody else plays under the nick, and it has one game at a time: moves do not name it."""
    retry_for: float = RETRY_S
    """The number of seconds for reconnecting to a game after a lost connection."""


def read_settings_from_environment(environ: Mapping[str, str]) -> BotSettings:
    """Read the settings from environment variables; raises `StartError` if one is missing."""
    nick, password = environ.get("TABNET_NICK"), environ.get("TABNET_PASSWORD")
    games = environ.get("TABNET_GAMES")
    return BotSettings(
        address=Address(
            environ.get("TABNET_HOST", "127.0.0.1"),
            _parse_number("TABNET_PORT", _require_variable(environ, "TABNET_PORT")),
            tls=False,
            local_socket=environ.get("TABNET_SOCKET") or None,
        ),
        join=_parse_command("TABNET_JOIN", _require_variable(environ, "TABNET_JOIN")),
        login=Credentials(nick, password) if nick and password else None,
        games=_parse_number("TABNET_GAMES", games) if games else None,
        is_only_player=bool(nick),
        retry_for=ARRANGED_RETRY_S,
    )


def _require_variable(environ: Mapping[str, str], name: str) -> str:
    if not environ.get(name):
        raise StartError(f"{name} is missing from the environment", hint="or use `tabnet bot`")
    return environ[name]


def _parse_command(name: str, line: str) -> dict[str, Any]:
    try:
        command = orjson.loads(line)
    except orjson.JSONDecodeError:
        command = None
    if not isinstance(command, dict):
        raise StartError(f"{name} is a JSON object, not {quote(line)}")
    return command


def _parse_number(name: str, value: str) -> int:
    if not value.isdecimal():
        raise StartError(f"{name} is a number, not {value}")
    return int(value)
