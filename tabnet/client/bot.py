"""The loop of a bot: it joins games, asks the bot at its turns, and sends the bot's answers.

    python -m tabnet.client.bot BOT[:OPTIONS]

The environment says where the bot plays. TABNET_HOST and TABNET_PORT are the server, and
TABNET_SOCKET is its local socket, which the loop prefers. TABNET_NICK and TABNET_PASSWORD are the
login. TABNET_JOIN is the line that asks for a game; the loop adds the feed
`turns`. It stops after TABNET_GAMES games, or without that variable when the server hangs up.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, TypeVar, cast

import orjson
from attrs import define, field, frozen

from tabnet.client.blocking_connection import BlockingConnection, reconnect
from tabnet.client.bot_file import Bot, load_bot
from tabnet.client.bot_settings import LOAD_ONLY, BotSettings, read_settings_from_environment
from tabnet.client.bot_view import BotView
from tabnet.client.client_state import require_login, without_none
from tabnet.client.safe_text import clean_line
from tabnet.errors import Refused, StartError, TabnetError, quote
from tabnet.games.api import Move, Pass, Roll, State
from tabnet.protocol.messages import TURNS

ACCEPTED = {b'{"type":"reply","cmd":"%s"}' % cmd for cmd in (b"notify", b"roll", b"pass")}
"""The replies to accepted actions as tabnet writes them, which need no look inside."""

T = TypeVar("T")


@frozen
class BotSeat:
    """The bot's seat in a game."""

    game: str
    nick: str
    token: str | None
    """The token that lets a guest return to the seat; None with a login."""
    action_fields: Mapping[str, str]
    """The fields of a command that name the seat."""


@frozen
class FinishedGame:
    """The result of a game."""

    seat: BotSeat
    winners: tuple[str, ...]
    reason: str
    opponents: tuple[str, ...]


@define
class BotPlayer:
    """A bot that plays on a server."""

    bot: Bot
    settings: BotSettings
    bye: str | None = field(init=False, default=None)
    """The reason that the server has given for closing the connection."""
    _wire: BlockingConnection = field(init=False)
    _seat: BotSeat | None = field(init=False, default=None)
    _view: BotView | None = field(init=False, default=None)
    """The bot's view of the game, from its first update on; None again on a new connection."""
    _is_new_game: bool = field(init=False, default=True)
    """The bot has not been told of the game yet."""

    def play(self) -> Iterator[FinishedGame]:
        """Play until enough games are finished, or the server hangs up between games."""
        self._wire = BlockingConnection(self.settings.address, self.settings.trust)
        ended = 0
        try:
            self._log_in()
            while ended != self.settings.games:
                end = self._play_game(ended)
                if end is not None:  # else the wait ended without an opponent
                    ended += 1
                    yield end
        except ConnectionError:
            return
        finally:
            self._wire.close()

    def _log_in(self) -> None:
        login = self.settings.login
        if login is not None:
            self._send_command(cmd="register", nick=login.nick, password=login.password)

    def _send_command(self, **command: Any) -> None:
        self._wire.send(orjson.dumps(command) + b"\n")

    def _play_game(self, number: int) -> FinishedGame | None:
        """Play one game, reconnecting if the connection is lost after its first update."""
        self._send_join(number)
        while True:
            try:
                return self._play_until_end()
            except OSError as lost:
                if self._seat is None or self._is_new_game:
                    raise ConnectionError from lost
            self._reconnect(self._seat)

    def _send_join(self, number: int) -> None:
        self._seat = self._view = None
        self._is_new_game = True
        seats = self.settings.seats
        wish = {"seat": seats[number % len(seats)]} if seats else {}
        self._wire.send(orjson.dumps({**self.settings.join, **wish, "feed": TURNS}) + b"\n")

    def _reconnect(self, seat: BotSeat) -> None:
        self._wire.close()
        settings = self.settings
        self._wire = reconnect(settings.address, settings.trust, settings.retry_for)
        self._view = None
        self._log_in()
        names = without_none(game=seat.game, token=seat.token)
        self._send_command(cmd="update", feed=TURNS, **names)

    def _play_until_end(self) -> FinishedGame | None:
        """Process frames until the last update of the game."""
        while True:
            line = self._wire.receive()
            if line in ACCEPTED:
                continue
            frame = orjson.loads(line)
            type = frame["type"]
            if type == "reply":
                self._on_reply(frame)
            elif type == "bye":
                require_login(frame["code"], frame["reason"])
                self.bye = frame["reason"]
            elif type in ("turn", "update") and self._seat and frame["game"] == self._seat.game:
                if "winner" in frame:
                    return _read_finished_game(self._seat, frame)
                if type == "update":
                    self._on_update(self._seat, frame)
                elif self._view is not None:
                    self._on_turn(self._seat, self._view, frame)

    def _on_reply(self, reply: dict[str, Any]) -> None:
        cmd = reply["cmd"]
        if "error" in reply:
            error = Refused(reply["code"], f"{cmd} was refused: {reply['error']}")
            if self._view is not None and self._view.strict:  # then the game is lost by it
                sys.stderr.write(f"{clean_line(error.text)}\n")
            # A move that came too late is refused after the last update of its game.
            elif self._seat is not None or cmd in ("register", "join"):
                raise error
        elif cmd == "join":
            token = None if self.settings.login else reply["token"]
            game = None if self.settings.is_only_player else reply["game"]
            fields = without_none(game=game, token=token)
            self._seat = BotSeat(reply["game"], reply["nick"], token, fields)

    def _on_update(self, seat: BotSeat, update: dict[str, Any]) -> None:
        """Read the position of the first update, and of the first one on a new connection."""
        self._view = BotView.from_update(seat.nick, update)
        if self._is_new_game:
            self._is_new_game = False
            # Seeded so that a game can be played again the same way.
            rng = Random(f"{seat.game} {self._view.seat}")  # noqa: S311
            self._run_bot_code(self.bot.new_game, rng)

    def _on_turn(self, seat: BotSeat, view: BotView, turn: dict[str, Any]) -> None:
        action = self._choose_action(view.apply(turn["events"]), turn["clock"][seat.nick])
        self._send_command(**_make_action_command(view, action), **seat.action_fields)

    def _choose_action(self, state: State, left: float) -> Move | Roll | Pass:
        """Return the bot's action; the bot is not asked for forced throws and passes."""
        moves = state.actions()
        if not isinstance(moves[0], Move):
            return moves[0]
        legal = cast("tuple[Move, ...]", moves)
        move: Any = self._run_bot_code(self.bot.choose, state, legal, left)
        if not isinstance(move, Move):
            problem = f"{self.bot.name}: choose() returned {quote(repr(move))}"
            raise StartError(problem, hint="it must return one of `moves`")
        return move

    def _run_bot_code(self, function: Callable[..., T], *args: Any) -> T:
        """Call a function of the bot; raises `BotFailed` for every exception in it."""
        try:
            return function(*args)
        except Exception as error:  # noqa: BLE001 - it runs what somebody else has written
            failure = self.bot.describe_error(error)
            sys.stderr.writelines(f"{clean_line(call)}\n" for call in failure.calls)
            raise failure from None


def _make_action_command(view: BotView, action: Move | Roll | Pass) -> dict[str, Any]:
    if isinstance(action, Move):
        return {"cmd": "notify", **view.rules.dump_move(action)}
    return {"cmd": "roll" if isinstance(action, Roll) else "pass"}


def _read_finished_game(seat: BotSeat, last: dict[str, Any]) -> FinishedGame | None:
    """Return the result from the last update, or None if a wait ended without a game."""
    result = last.get("result")
    if result is None:
        return None
    opponents = tuple(nick for nick in last["players"] if nick != seat.nick)
    return FinishedGame(seat, tuple(result["winners"]), result["reason"], opponents)


def main(source: str) -> int:
    """Play as the environment says, and return the exit code."""
    try:
        bot = load_bot(source)
        if os.environ.get(LOAD_ONLY):
            return 0
        player = BotPlayer(bot, read_settings_from_environment(os.environ))
        gc.freeze()  # else each collection examines everything that was loaded
        gc.set_threshold(10_000, 20, 100)
        for _ in player.play():
            pass
    except TabnetError as error:
        hint = f" ({error.hint})" if error.hint else ""
        sys.stderr.write(f"tabnet: {clean_line(error.text + hint)}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tabnet.client.bot BOT[:OPTIONS]")
    sys.exit(main(sys.argv[1]))
