"""The loop of a bot: it joins games, is asked at its turns, and what it answers is sent.

    python -m tabnet.client.bot FILE[:OPTIONS]

plays where the environment says: TABNET_HOST and TABNET_PORT, TABNET_NICK and TABNET_PASSWORD,
TABNET_JOIN, the line that asks for a game, and TABNET_GAMES, after how many of them to stop;
without, the end is when the server hangs up.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from random import Random
from typing import Any, cast

import orjson
from attrs import define, field, frozen

from tabnet.client.blocking_wire import Wire, dial_again
from tabnet.client.botfile import Bot, load
from tabnet.client.dialogue import given
from tabnet.client.engagement import Engagement, from_environment
from tabnet.client.plain_text import clean
from tabnet.client.reading import Reading
from tabnet.errors import Refused, StartError, TabnetError, shown
from tabnet.games.api import Move, Pass, Roll, State


@frozen
class Seat:
    """The bot's place in a game."""

    game: str
    nick: str
    token: str | None
    """For a guest, whose way back it is."""


@frozen
class Ended:
    """How a game ended, as this bot sees it."""

    seat: Seat
    winners: tuple[str, ...]
    reason: str


@define
class Player:
    """A bot at a server."""

    bot: Bot
    engagement: Engagement
    _wire: Wire = field(init=False)
    _seat: Seat | None = field(init=False, default=None)
    _reading: Reading | None = field(init=False, default=None)
    """Of the game, once it has begun."""

    def play(self) -> Iterator[Ended]:
        """Play until there were enough games, or the server hangs up while none is played."""
        self._wire = Wire(self.engagement.address, self.engagement.trust)
        ended = 0
        try:
            self._log_in()
            while ended != self.engagement.games:
                end = self._play_one()
                if end is not None:  # else nobody had come, and the wait was over
                    ended += 1
                    yield end
        except ConnectionError:
            return
        finally:
            self._wire.close()

    def _log_in(self) -> None:
        login = self.engagement.login
        if login is not None:
            self._send(cmd="register", nick=login.nick, password=login.password)

    def _send(self, **command: Any) -> None:
        self._wire.send(orjson.dumps(command) + b"\n")

    def _play_one(self) -> Ended | None:
        """One game, whatever happens to the connection once it has begun."""
        self._ask_for_a_game()
        while True:
            try:
                return self._play_on()
            except OSError as lost:
                if self._seat is None or self._reading is None:
                    raise ConnectionError from lost
            self._come_back(self._seat, self._reading)

    def _ask_for_a_game(self) -> None:
        self._seat = self._reading = None
        self._wire.send(self.engagement.join)

    def _come_back(self, seat: Seat, reading: Reading) -> None:
        self._wire.close()
        engagement = self.engagement
        self._wire = dial_again(engagement.address, engagement.trust, engagement.retry_for)
        reading.come_back()
        self._log_in()
        self._send(cmd="update", **_named(seat))

    def _play_on(self) -> Ended | None:
        """Take what comes, until the last update of the game."""
        while True:
            line = self._wire.receive()
            if self._reading is not None and self._reading.skips(line):
                continue
            frame = orjson.loads(line)
            if frame["type"] == "reply":
                self._take_reply(frame)
            elif frame["type"] == "update" and self._seat and frame["game"] == self._seat.game:
                if "winner" in frame:
                    return _end(self._seat, frame)
                self._take_update(self._seat, frame)

    def _take_reply(self, reply: dict[str, Any]) -> None:
        cmd = reply["cmd"]
        if "error" in reply:
            refused = Refused(reply["code"], f"{cmd} was refused: {reply['error']}")
            if self._reading is not None and self._reading.strict:  # then the game is lost by it
                sys.stderr.write(f"{clean(refused.text)}\n")
            # A move that came too late is refused after the last update of its game.
            elif self._seat is not None or cmd in ("register", "join"):
                raise refused
        elif cmd == "join":
            token = None if self.engagement.login else reply["token"]
            self._seat = Seat(reply["game"], reply["nick"], token)

    def _take_update(self, seat: Seat, update: dict[str, Any]) -> None:
        if self._reading is None:
            self._reading = Reading.begin(seat.nick, update)
            # Seeded so that a game can be played again the same way.
            self.bot.new_game(Random(f"{seat.game} {self._reading.seat}"))  # noqa: S311
        state = self._reading.to_act(update)
        if state is not None:
            action = self._choose(state, update["clock"][seat.nick])
            self._send(**_command(self._reading, action), **_named(seat))

    def _choose(self, state: State, left: float) -> Move | Roll | Pass:
        """What the bot plays; where nothing is to be chosen it is not asked."""
        moves = state.actions()
        if not isinstance(moves[0], Move):
            return moves[0]
        try:
            move: Any = self.bot.choose(state, cast("tuple[Move, ...]", moves), left)
        except TabnetError as error:  # which would be taken for a trouble of ours
            raise RuntimeError(f"{self.bot.name} has failed") from error
        if not isinstance(move, Move):
            what = f"{self.bot.name}: choose gave back {shown(repr(move))}"
            raise StartError(what, hint="it gives back one of the moves that it was given")
        return move


def _named(seat: Seat) -> dict[str, Any]:
    """The fields by which a command says which seat it is for."""
    return given(game=seat.game, token=seat.token)


def _command(reading: Reading, action: Move | Roll | Pass) -> dict[str, Any]:
    if isinstance(action, Move):
        return {"cmd": "notify", **reading.rules.dump_move(action)}
    return {"cmd": "roll" if isinstance(action, Roll) else "pass"}


def _end(seat: Seat, last: dict[str, Any]) -> Ended | None:
    """From the last update; that of a wait without a game has no result."""
    result = last.get("result")
    return Ended(seat, tuple(result["winners"]), result["reason"]) if result else None


def main(source: str) -> int:
    """Play as the environment says; the exit code comes back."""
    try:
        player = Player(load(source), from_environment(os.environ))
        gc.freeze()  # or all that was loaded is looked at again and again
        gc.set_threshold(10_000, 20, 100)
        for _ in player.play():
            pass
    except TabnetError as error:
        hint = f" ({error.hint})" if error.hint else ""
        sys.stderr.write(f"tabnet: {clean(error.text + hint)}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tabnet.client.bot FILE[:OPTIONS]")
    sys.exit(main(sys.argv[1]))
