"""The frames that the followers of a match receive: every update, or turns. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tabnet.protocol.frames import PlayerTurn
from tabnet.server.core.effects import Send
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.match_changes import Change
from tabnet.server.core.matches.match import Match
from tabnet.server.core.sessions import Sessions
from tabnet.server.core.turn_feed import LegalCommands, make_turn


def make_frames(change: Change, sessions: Sessions, games: GameIndex) -> Iterator[Send]:
    """Yield the frames of a change: the first and the last update go to every follower."""
    match = change.match
    everybody = sessions.followers(match.id)
    others = sessions.list_update_followers(match.id)
    for update in change.updates:
        yield Send(everybody if update.seq == 1 or update.over else others, update)
    if change.turns is not None:
        events = change.turns.events if change.since else change.turns.events[1:]
        for session, unsent in sessions.list_turn_feeds(match.id).items():
            nicks = sessions.list_seats_of(session, match.id)
            if any(match.nicks.index(nick) not in match.out for nick in nicks):
                unsent.extend(events)
                left = match.moments[-1].left
                for turn in make_turns(match, change.turns.due, nicks, unsent, left, games):
                    yield Send((session,), turn)


def make_turns(
    match: Match,
    due: Mapping[int, LegalCommands],
    nicks: Iterable[str],
    unsent: list[dict[str, Any]],
    left: tuple[int, ...],
    games: GameIndex,
) -> Iterator[PlayerTurn]:
    """Yield the turn of each of these players who has to act; the first has the unsent events."""
    for nick in nicks:
        legal = due.get(match.nicks.index(nick))
        if legal is not None:
            events = tuple(unsent)
            unsent.clear()
            yield make_turn(match, legal, events, left, names_game=games.number_of_games(nick) > 1)
