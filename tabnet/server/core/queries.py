"""The commands that change no game: the games that they may see, and their replies. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tabnet.errors import Refused, TabnetError, shown
from tabnet.games.api import Move, Pass, Roll
from tabnet.protocol import frames
from tabnet.protocol import messages as m
from tabnet.protocol.codec import frame_json
from tabnet.server.core.effects import Effect, Send, SendHistory
from tabnet.server.core.frames_to_followers import turns_of
from tabnet.server.core.incoming_command import (
    Request,
    addressed_game,
    addressed_seat,
    require_match,
)
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import board_of, game_named
from tabnet.server.core.matches.turn_limits import preview
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.turn_feed import due_seats
from tabnet.server.core.updates import clock
from tabnet.server.core.updates import update as update_of

if TYPE_CHECKING:
    from tabnet.server.core.service import Service

MAX_LISTED = 100
"""The number of games, and of waits, that one reply lists."""

CHECKABLE = (m.RollCommand.cmd, m.PassCommand.cmd, m.Notify.cmd)


def visible_game(service: Service, ask: Request[m.About]) -> tuple[Match | Table, str | None]:
    """Return the game that a question is about, and the player who asks, if one does."""
    game, nick = addressed_game(ask, service.accounts, service.games)
    service.matchmaking.require_visible(game, nick)
    return game, nick


def _online(service: Service, game: Match | Table) -> dict[str, bool]:
    return {nick: service.sessions.is_present(game.id, nick) for nick in game.nicks}


def presence(service: Service, game: Match | Table) -> Send:
    """Tell a game's followers which of its players are connected."""
    frame = frames.Presence(game=game.id, online=_online(service, game))
    return Send(service.sessions.followers(game.id), frame)


def update(service: Service, ask: Request[m.Update]) -> list[Effect]:
    """Follow a game from here on; send the missed updates first."""
    game, nick = visible_game(service, ask)
    latest = game.seq
    since = max(latest - 1, 0) if ask.command.since is None else ask.command.since
    if since > latest:
        text = f"since is more than {latest}, the number of the latest update"
        raise Refused("bad_value", text, field="since", hint="the last seq you have seen")
    by_turns = ask.command.feed == m.TURNS
    if by_turns and nick not in game.nicks:
        raise Refused("no_seat", "only a player of this game receives turns", field="feed")
    has_arrived = False
    if isinstance(game, Table) or game.result is None:
        service.sessions.follow(ask.session, game.id, by_turns=by_turns)
        has_arrived = nick in game.nicks and service.sessions.sit(ask.session, game.id, nick)
    effects: list[Effect] = [ask.done()]
    if isinstance(game, Match):
        if by_turns:
            effects.append(SendHistory(ask.session.id, game, latest, latest))
            effects += due_turns(service, ask, game)
        elif since < latest:
            effects.append(SendHistory(ask.session.id, game, since + 1, latest))
        if has_arrived:
            effects.append(presence(service, game))
    return effects


def due_turns(service: Service, ask: Request[Any], match: Match) -> list[Effect]:
    """Return the turn of a player who has to act, after an update that shows the position."""
    session = ask.session.id
    nicks = service.sessions.seats_of(session, match.id)
    turns = turns_of(match, due_seats(match), nicks, [], match.left(ask.now), service.games)
    return [Send((session,), turn) for turn in turns]


def state(service: Service, ask: Request[m.StateCommand]) -> list[Effect]:
    """Describe a game as it stands now."""
    game, _ = visible_game(service, ask)
    online = _online(service, game)
    if isinstance(game, Table):
        fields: dict[str, Any] = {"status": "waiting", "online": online}
    else:
        fields = {
            "status": "ended" if game.result else "playing",
            "update": frame_json(update_of(game, game.seq)),
            "clock": clock(game, game.left(ask.now)),
            "online": None if game.result else online,
            "text": str(game.state) if ask.command.text else None,
        }
    return [ask.answer(frames.StateReply(cmd=m.StateCommand.cmd, game=game.id, **fields))]


def moves(service: Service, ask: Request[m.Moves]) -> list[Effect]:
    """List the moves of the player to act, or of one player, that fit the fields of a notify."""
    match = require_match(visible_game(service, ask)[0])
    player, fields = ask.command.player, m.move_fields(ask.command)
    if player is not None and player not in match.nicks:
        raise Refused("no_seat", f"{player} has no seat in this game", field="player")
    turn = None if match.owing else match.turn
    if turn is None:
        return [ask.answer(frames.Choices(cmd=m.Moves.cmd, moves=(), actions=()))]
    moves = [
        match.terms.game.dump_move(action)
        for seat in _seats_asked_about(match, player, turn, fields)
        for action in match.terms.game.could_play(match.state, seat)
        if isinstance(action, Move)
    ]
    if match.held:
        moves = [move for move in moves if move["cell"] == match.held.cell]
    legal = match.state.actions() if player in (None, match.nick(turn)) else ()
    choices = frames.Choices(
        cmd=m.Moves.cmd,
        moves=tuple(move for move in moves if _fits(move, fields)),
        actions=tuple(dict.fromkeys(map(_command_for, legal))),
    )
    return [ask.answer(choices)]


def _seats_asked_about(
    match: Match, player: str | None, turn: int, fields: Mapping[str, Any]
) -> Iterable[int]:
    """Return the player's seat; else all seats if a place on the board is asked about."""
    if player is not None:
        return (match.nicks.index(player),)
    return range(len(match.seats)) if fields else (turn,)


def _command_for(action: Any) -> str:
    if isinstance(action, Roll):
        return m.RollCommand.cmd
    return m.PassCommand.cmd if isinstance(action, Pass) else m.Notify.cmd


def _fits(move: dict[str, Any], fields: Mapping[str, Any]) -> bool:
    """Return True if a move has these fields; a list may continue beyond the given one."""
    return all(
        move.get(name, [])[: len(given)] == given
        if isinstance(given, list)
        else move.get(name) == given
        for name, given in fields.items()
    )


def check(service: Service, ask: Request[m.Check]) -> list[Effect]:
    """Say if a command would be accepted, and if not, why."""
    _require_checkable(ask.command)
    game, nick = addressed_seat(ask, service.accounts, service.games)
    fields = m.move_fields(ask.command)
    try:
        match = require_match(game)
        preview(match, match.nicks.index(nick), ask.command.command, fields)
        checked = frames.Checked(cmd=m.Check.cmd, ok=True)
    except TabnetError as error:
        checked = frames.Checked(
            cmd=m.Check.cmd, ok=False, reason=error.text, reason_code=error.code
        )
    return [ask.answer(checked)]


def _require_checkable(command: m.Check) -> None:
    if command.command not in CHECKABLE:
        raise Refused(
            "bad_value",
            f"{shown(command.command)} cannot be checked",
            field="command",
            hint=f"one of: {' '.join(CHECKABLE)}",
        )
    if command.command != m.Notify.cmd:
        for name in m.move_fields(command):
            raise Refused("unknown_field", f"{command.command} has no field {name}", field=name)


def ranking(service: Service, ask: Request[m.Ranking]) -> list[Effect]:
    """List the best players of one leaderboard."""
    best = service.rankings.best(board_of(ask.command))
    return [ask.answer(frames.Scores(cmd=m.Ranking.cmd, ranking=best))]


def games(service: Service, ask: Request[m.Games]) -> list[Effect]:
    """List the running games and the public waits, newest first."""
    kind = game_named(ask.command.kind).kind if ask.command.kind else None
    games = service.matchmaking.listed_games()
    listing = frames.Listing(
        cmd=m.Games.cmd,
        games=tuple(map(_running, games.newest(kind, MAX_LISTED))),
        waiting=tuple(map(_waiting, games.lobby.newest(kind, MAX_LISTED))),
    )
    return [ask.answer(listing)]


def _running(match: Match) -> frames.ListedGame:
    return frames.ListedGame(
        game=match.id,
        kind=match.terms.kind,
        options=match.terms.options_json,
        group=match.terms.group,
        players=match.heading["players"],
        turn=match.nick(match.turn),
        seq=match.seq,
    )


def _waiting(table: Table) -> frames.ListedWait:
    return frames.ListedWait(
        kind=table.terms.kind,
        options=table.terms.options_json,
        group=table.terms.group,
        seats=table.terms.seats_json,
        clock=table.terms.clock_json,
        strict=table.terms.strict,
        players=len(table.players),
    )
