"""The matchmaking of a tournament, which assigns players, terms and dice to games. Pure.

A player asks for a game with `join`; its fields are ignored. The reply comes when the tournament
has a game for the player and all its players have asked: then the match begins. Only the
tournament's players can join, and only a game's players see it. No salts are taken. The throws
follow from the secret alone, which stays secret because other matches may have the same.
"""

from __future__ import annotations

from functools import partial
from typing import Protocol

from attrs import define, field, frozen

from tabnet.errors import Refused
from tabnet.games.api import State
from tabnet.protocol.dice import Dice
from tabnet.protocol.frames import Failed, Joined
from tabnet.protocol.messages import Join
from tabnet.server.core.effects import Effect, Log
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.match_changes import Change
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.sender_and_game_of_command import Request, authenticate_sender
from tabnet.server.core.service import Service


@frozen
class AssignedGame:
    """A match that begins when its players have asked for one."""

    id: str
    terms: Terms
    nicks: tuple[str, ...]
    """The players, in seat order."""
    secret: bytes
    """The source of the throws."""
    max_actions: int | None = None
    """The number of actions after which the match is drawn."""
    position: State | None = None
    """The first position; None for the usual one."""
    dice: Dice | None = None
    """The dice; None for those of the secret."""
    by_hand: tuple[int, ...] = ()
    """The seats that make their own rolls and passes."""


class PlayerWatcher(Protocol):
    """An object that learns what happens to the players."""

    def note_join(self, nick: str) -> None:
        """Note that a player waits for a game."""

    def note_malformed(self, nick: str, failed: Failed) -> list[Effect]:
        """Note that a player has sent a line that is no command, and return the effects."""

    def note_removal(self, match: Match, seat: int) -> None:
        """Note that a player is out of a match, which may continue."""

    def note_end(self, match: Match) -> None:
        """Note the end of a match."""


@define(eq=False)
class AssignedGames:
    """Games that begin when their players have asked; `nicks` are the players of the tournament."""

    service: Service
    watcher: PlayerWatcher
    nicks: set[str] = field(factory=set)
    _asking: dict[str, Request[Join]] = field(factory=dict)
    _reserved: dict[str, AssignedGame] = field(factory=dict)
    """The games that have not begun, by nick."""

    def __attrs_post_init__(self) -> None:
        self.service.games.only_players_know = True

    # Requests of the tournament

    def reserve(self, assigned: AssignedGame, now: int) -> list[Effect]:
        """Begin a match as soon as its players have asked for it; each may have one such match."""
        for nick in assigned.nicks:
            self._reserved[nick] = assigned
        return self._begin(assigned, now)

    def withdraw(self, assigned: AssignedGame) -> None:
        """Withdraw a match that has not begun."""
        for nick in assigned.nicks:
            self._reserved.pop(nick, None)

    def stop(self, game: str, now: int, reason: str, loser: int | None) -> list[Effect]:
        """End a match without a winner; with a `loser`, remove only that seat."""
        match = self.service.games.playing[game]
        return self.service.change_match(match, now, partial(match.end, now, reason, loser))

    def is_asking(self, nick: str) -> bool:
        return nick in self._asking

    # `Matchmaking` of the service

    def join(self, request: Request[Join]) -> list[Effect]:
        nick = authenticate_sender(request, self.service.accounts)
        if nick is None or nick not in self.nicks:
            raise Refused("no_seat", "you do not take part in this tournament")
        asked = self._asking.get(nick)
        if asked is not None and asked.session is request.session:
            raise Refused("too_many_games", "you wait for a game already")
        self._asking[nick] = request
        self.watcher.note_join(nick)
        assigned = self._reserved.get(nick)
        return [] if assigned is None else self._begin(assigned, request.now)

    def get_listed_games(self) -> GameIndex:
        """See `Matchmaking`; nothing is listed."""
        return GameIndex()

    def on_malformed(self, session: int, failed: Failed) -> list[Effect]:
        nick = self.service.sessions[session].nick
        return self.watcher.note_malformed(nick, failed) if nick in self.nicks else []

    def on_disconnected(self, session: int) -> None:
        self._asking = {
            nick: request for nick, request in self._asking.items() if request.session.id != session
        }

    def on_changed(self, match: Match, since: int) -> None:
        for moment in match.moments.list_from(since):
            if moment.removes is not None:
                self.watcher.note_removal(match, moment.removes)
        if match.result is not None:
            self.watcher.note_end(match)

    # The start of a match

    def _begin(self, assigned: AssignedGame, now: int) -> list[Effect]:
        if not all(nick in self._asking for nick in assigned.nicks):
            return []
        self.withdraw(assigned)
        try:
            start = self._start(assigned, now)
        except Exception as error:  # noqa: BLE001 - whatever the code of the game raises
            return [Log("failed", {"game": assigned.id}, error)]
        effects: list[Effect] = []
        for nick in assigned.nicks:
            request = self._asking.pop(nick)
            token = self.service.draw_token()
            self.service.take_seat(request, assigned.id, nick, token)
            reply = Joined(cmd=Join.cmd, game=assigned.id, nick=nick, token=token)
            effects.append(request.answer(reply))
        return [*effects, *self.service.begin_match(start)]

    def _start(self, assigned: AssignedGame, now: int) -> Change:
        match = Match.start(
            assigned.id,
            assigned.terms,
            tuple(
                Seat(nick, ranked=False, auto=seat not in assigned.by_hand)
                for seat, nick in enumerate(assigned.nicks)
            ),
            assigned.secret,
            now,
            sealed=True,
            max_actions=assigned.max_actions,
            position=assigned.position,
            dice=assigned.dice,
        )
        return self.service.prepare_start(match)
