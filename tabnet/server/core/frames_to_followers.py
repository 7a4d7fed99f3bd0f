"""The frames that the followers of a match receive: every update, or turns. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabnet.protocol.frames import PlayerTurn
from tabnet.server.core.effects import Send
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.match_changes import Change
from tabnet.server.core.matches.match import Match
from tabnet.server.core.sessions import Sessions
from tabnet.server.core.turn_feed import LegalCommands, TurnChange, make_turn


def make_frames(change: Change, sessions: Sessions, games: GameIndex) -> list[Send]:
    """Return the frames of a change: the first and the last update go to every follower."""
    match = change.match
    frames = []
    for update in change.updates:
        is_for_all = update.seq == 1 or update.over
        list_followers = sessions.followers if is_for_all else sessions.list_update_followers
        frames.append(Send(list_followers(match.id), update))
    if change.turns is not None:
        is_start = change.since == 0  # the first update has shown the first event
        _note_events(match, change.turns.events[is_start:], sessions)
        frames += _make_turns(match, change.turns, sessions, games)
    return frames


def _note_events(match: Match, events: Sequence[dict[str, Any]], sessions: Sessions) -> None:
    """Add events to the next turn of each follower who still plays."""
    for session, unsent in sessions.list_turn_feeds(match.id).items():
        if not match.out or any(
            match.nicks.index(nick) not in match.out
            for nick in sessions.list_seats_of(session, match.id)
        ):
            unsent.extend(events)


def _make_turns(
    match: Match, change: TurnChange, sessions: Sessions, games: GameIndex
) -> list[Send]:
    """Return the turns of each seat that has to act, on every connection of its player."""
    feeds, left = sessions.list_turn_feeds(match.id), match.moments[-1].left
    turns = []
    for seat, legal in change.due.items():
        nick = match.nicks[seat]
        for session in sessions.list_players_connections(match.id, nick):
            if (unsent := feeds.get(session)) is not None:
                turn = make_next_turn(match, nick, legal, unsent, left, games)
                turns.append(Send((session,), turn))
    return turns


def make_next_turn(
    match: Match,
    nick: str,
    legal: LegalCommands,
    unsent: list[dict[str, Any]],
    left: tuple[int, ...],
    games: GameIndex,
) -> PlayerTurn:
    """Return the turn of a player with the unsent events of a connection, which are sent by it."""
    events = tuple(unsent)
    unsent.clear()
    return make_turn(match, legal, events, left, names_game=games.number_of_games(nick) > 1)
