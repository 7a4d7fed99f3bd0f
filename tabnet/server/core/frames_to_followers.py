"""The frames that the followers of a match receive: every update, or turns. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tabnet.protocol.frames import PlayerTurn
from tabnet.server.core.effects import Send
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.match_changes import Change
from tabnet.server.core.matches.match import Match
from tabnet.server.core.sessions import Sessions
from tabnet.server.core.turn_feed import LegalCommands, make_turn


def make_frames(change: Change, sessions: Sessions, games: GameIndex) -> list[Send]:
    """Return the frames of a change: the first and the last update go to every follower."""
    match = change.match
    frames = []
    for update in change.updates:
        is_for_all = update.seq == 1 or update.over
        list_followers = sessions.followers if is_for_all else sessions.list_update_followers
        frames.append(Send(list_followers(match.id), update))
    if change.turns is not None:
        events = change.turns.events if change.since else change.turns.events[1:]
        due, left = change.turns.due, match.moments[-1].left
        for session, unsent in sessions.list_turn_feeds(match.id).items():
            nicks = sessions.list_seats_of(session, match.id)
            if not match.out or any(match.nicks.index(nick) not in match.out for nick in nicks):
                unsent.extend(events)
                turns = make_turns(match, due, nicks, unsent, left, games)
                frames += [Send((session,), turn) for turn in turns]
    return frames


def make_turns(
    match: Match,
    due: Mapping[int, LegalCommands],
    nicks: Iterable[str],
    unsent: list[dict[str, Any]],
    left: tuple[int, ...],
    games: GameIndex,
) -> list[PlayerTurn]:
    """Return the turn of each of these players who has to act; the first has the unsent events."""
    turns = []
    for nick in nicks:
        legal = due.get(match.nicks.index(nick))
        if legal is not None:
            events = tuple(unsent)
            unsent.clear()
            names_game = games.number_of_games(nick) > 1
            turns.append(make_turn(match, legal, events, left, names_game=names_game))
    return turns
