"""A stage: a server for one bot, which does what a script says.

The referee is the real one, without its sockets. The script chooses the position, the throws and
the clock, plays the opponent, and takes what the bot sends, a line at a time.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import attrs
from attrs import frozen

from tabnet.dialects.json_lines import hello
from tabnet.games.api import Game, Move, Roll, State
from tabnet.protocol import codec
from tabnet.protocol import messages as m
from tabnet.protocol.dice import Dice
from tabnet.protocol.frames import Failed, Frame, Hello, Snapshot
from tabnet.server.core.effects import Effect, Send, SendHistory
from tabnet.server.core.matches.history import History
from tabnet.server.core.matches.match import Match
from tabnet.server.core.players.accounts import Proof
from tabnet.server.core.service import Service
from tabnet.server.core.updates import update
from tabnet.tournament.check.bot_under_test import Actor, CheckFailed

Throw: TypeAlias = int | tuple[int, ...]
"""What a roll comes out as."""
BOT, OPPONENT = "bot", "opponent"
TOO_LATE = ("game_over", "which_game")
"""How a move is refused when the game has just ended."""
MOST_LINES = 5000
"""A bot that has sent so many in one situation does not get anywhere."""


@frozen
class Scene:
    """How a game begins: the bot's seat is the first one."""

    terms: dict[str, Any]
    """The fields of the bot's join."""
    state: State | None = None
    throws: tuple[Throw, ...] = ()
    """The first throws of each seat."""
    left_ms: int | None = None
    """What is on both clocks."""
    odd: bool = False
    """Lines are written unusually, among fields and frames that nobody knows."""


@frozen
class LoadedDice(Dice):
    """Dice whose first throws are known."""

    throws: tuple[Throw, ...] = ()

    def throw(self, rules: Game, seat: int, number: int) -> Roll:
        """The throw that `seat` makes as its `number`th."""
        if number < len(self.throws):
            return Roll(self.throws[number])
        return rules.read_roll(self.stream(seat, number))


class Stage:
    """One bot in one scene, for the length of a `with`."""

    def __init__(self, source: str, scene: Scene, patience: float) -> None:
        self.scene = scene
        self.patience = patience
        self._service = Service(secrets.token_bytes)
        self._opponent, self._session = 0, 0
        self._game = ""
        self._lines = 0
        self._rng = Random(0)  # noqa: S311 - a game for trial
        self._service.connect(self._opponent)
        self._register(self._opponent, OPPONENT, OPPONENT)
        self.actor = Actor(source, self._environment(), patience)

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self.actor.close()

    def _environment(self) -> dict[str, str]:
        join = {"cmd": "join", **self.scene.terms, "seat": 0}
        return {
            "TABNET_NICK": BOT,
            "TABNET_PASSWORD": BOT,
            "TABNET_KIND": self.scene.terms["kind"],
            "TABNET_JOIN": json.dumps(join),
        }

    # The bot

    def meet(self) -> None:
        """Wait until the bot is connected, and greet it."""
        self.actor.accept()
        self._session += 1
        self._service.connect(self._session)
        self.tell(hello(self._service))

    def lose(self) -> None:
        """Let the connection break; the bot is to come back."""
        self._service.disconnect(self._session)
        self.actor.hang_up()
        try:
            self.meet()
        except CheckFailed as wrong:
            raise CheckFailed(f"after its connection was lost, {wrong.text}") from None

    def hear(self, expected: str, within: float | None = None) -> m.Command | None:
        """Serve one command of the bot; None if none comes in that time."""
        line = self.actor.read(within)
        if line is None:
            if within is None:
                raise CheckFailed(f"nothing came for {self.patience:g} s; expected was {expected}")
            return None
        self._lines += 1
        if self._lines > MOST_LINES:
            raise CheckFailed(f"after {MOST_LINES} lines it has not got there: {expected}", line)
        command = codec.decode(line)
        if isinstance(command, Failed):
            raise CheckFailed(f"this is no command: {command.error}", line)
        if isinstance(command, m.Register):
            self._register(self._session, command.nick, command.password, command.id)
        else:
            self._serve(self._session, command, line)
        return command

    def seat(self) -> None:
        """Wait until the bot asks for a game; then it begins."""
        self.await_join()
        self.begin()

    def await_join(self) -> None:
        """Wait until the bot asks for a game."""
        while not self._service.games.games_of(BOT):
            self.hear("the line of TABNET_JOIN")

    def begin(self) -> None:
        """Give the opponent the other seat: the game begins, as the scene says."""
        join = {"cmd": "join", **self.scene.terms, "seat": 1, "auto": True}
        effects = self._service.handle(self._opponent, codec.command_from(join), _now())
        (self._game,) = self._service.games.playing
        self._set_the_scene()
        self._perform([self._as_set(effect) for effect in effects])

    def _set_the_scene(self) -> None:
        match, scene = self.match, self.scene
        dice = LoadedDice(match.id, match.dice.secret, match.dice.mixes, scene.throws)
        match = attrs.evolve(match, dice=dice)
        if scene.state is not None:
            start = attrs.evolve(match.moments[0], state=scene.state)
            moments = History([start, *match.moments[1:]])
            match = attrs.evolve(match, state=scene.state, moments=moments)
        if scene.left_ms is not None:
            left = (scene.left_ms,) * len(match.seats)
            moments = History(attrs.evolve(moment, left=left) for moment in match.moments)
            clocks = attrs.evolve(match.clocks, left=left)
            match = attrs.evolve(match, clocks=clocks, moments=moments)
        self._service.games.replace(match)

    def _as_set(self, effect: Effect) -> Effect:
        if isinstance(effect, Send) and isinstance(effect.frame, Snapshot):
            return Send(effect.to, update(self.match, effect.frame.seq))
        return effect

    # The game

    @property
    def match(self) -> Match:
        """The match as it stands; it has to have begun."""
        match = self._service.games.find(self._game)
        assert isinstance(match, Match), "a wait has another name"  # noqa: S101
        return match

    def play(self, until: Callable[[Match], bool], expected: str) -> None:
        """Let both play until it has come to that, or the rules have ended a short game.

        The opponent plays at random.
        """
        while not until(self.match) and self.match.state.outcome() is None:
            if self.match.result is not None:
                raise CheckFailed(f"the game ended ({self.match.result.reason}) before {expected}")
            if self.match.nick(self.match.turn) == OPPONENT:
                self.oppose()
            else:
                self.hear(expected)

    def oppose(self) -> None:
        """Let the opponent play a move."""
        move = self._rng.choice(self.match.state.actions())
        assert isinstance(move, Move), "rolls and passes are made for the opponent"  # noqa: S101
        fields = self.match.terms.game.dump_move(move)
        self.opponent_says(cmd="notify", **fields)

    def opponent_says(self, **fields: Any) -> None:
        """Let the opponent send a command about the game."""
        command = codec.command_from({**fields, "game": self.match.id})
        self._perform(self._service.handle(self._opponent, command, _now()))

    def stay_quiet(self, seconds: float) -> None:
        """For so long nothing is to come but what can be served."""
        give_up_at = time.monotonic() + seconds
        while (left := give_up_at - time.monotonic()) > 0:
            self.hear("nothing", within=left)

    def tell(self, frame: Frame) -> None:
        """Send the bot a frame out of turn."""
        self._perform([Send((self._session,), frame)])

    # The referee

    def _register(self, session: int, nick: str, password: str, id: Any = None) -> None:
        proof = Proof(b"", hashlib.sha256(password.encode()).digest())
        command = m.Register(nick=nick, password=password, id=id)
        self._perform(self._service.handle(session, command, _now(), proof))

    def _serve(self, session: int, command: m.Command, line: bytes) -> None:
        effects = self._service.handle(session, command, _now())
        self._perform(effects)
        for effect in effects:
            if isinstance(effect, Send) and isinstance(effect.frame, Failed):
                self._judge(effect.frame, line)

    def _judge(self, refusal: Failed, line: bytes) -> None:
        """A refusal is the bot's fault, unless the game was over before it could know."""
        result = self._result()
        if result == "timeout":
            raise CheckFailed("it came too late: the time was up", line)
        if result is None or refusal.code not in TOO_LATE:
            raise CheckFailed(f"this was refused: {refusal.error} ({refusal.code})", line)

    def _result(self) -> str | None:
        result = self.match.result if self._game else None
        return result.reason if result else None

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, SendHistory):
                for seq in range(effect.first, effect.last + 1):
                    self.tell(update(effect.match, seq))
            elif isinstance(effect, Send) and self._session in effect.to and self._session:
                self.actor.write(self._written(effect.frame))

    def _written(self, frame: Frame) -> bytes:
        line = codec.encode(frame)
        if not self.scene.odd or isinstance(frame, Hello):
            return line
        fields = {"new": {"type": "update"}, **json.loads(line), "later": [None, 1.5]}
        odd = json.dumps(fields, indent=None, separators=(" , ", " : "))
        return b'{"type":"weather","turn":"bot","winner":"rain"}\n' + odd.encode() + b"\n"


def _now() -> int:
    return int(time.monotonic() * 1000)
