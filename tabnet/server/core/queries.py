"""The commands that change no game: the games that they may see, and their replies. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tabnet.errors import Refused, TabnetError, quote
from tabnet.games.api import Move, Pass, Roll
from tabnet.protocol import frames
from tabnet.protocol import messages as m
from tabnet.protocol.codec import dump_frame
from tabnet.server.core.effects import Effect, Send, SendHistory
from tabnet.server.core.frames_to_followers import make_next_turn
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import read_leaderboard_key, require_kind
from tabnet.server.core.matches.turn_limits import preview_within_limits
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.sender_and_game_of_command import (
    Request,
    find_addressed_game,
    find_addressed_seat,
    require_match,
)
from tabnet.server.core.turn_feed import list_due_seats
from tabnet.server.core.update_frames import list_seconds_left
from tabnet.server.core.update_frames import make_update as update_of

if TYPE_CHECKING:
    from tabnet.server.core.service import Service

MAX_LISTED = 100
"""The number of games, and of waits, that one reply lists."""

CHECKABLE = (m.RollCommand.cmd, m.PassCommand.cmd, m.Notify.cmd)


def list_online(service: Service, game: Match | Table) -> dict[str, bool]:
    return {nick: service.sessions.is_present(game.id, nick) for nick in game.nicks}


def announce_presence(service: Service, game: Match | Table) -> Send:
    """Tell a game's followers which of its players are connected."""
    frame = frames.Presence(game=game.id, online=list_online(service, game))
    return Send(service.sessions.followers(game.id), frame)


def follow_game(service: Service, request: Request[m.Update]) -> list[Effect]:
    """Follow a game from here on; send the missed updates first."""
    game, nick = find_addressed_game(request, service.accounts, service.games)
    latest = game.seq
    since = max(latest - 1, 0) if request.command.since is None else request.command.since
    if since > latest:
        text = f"since is more than {latest}, the number of the latest update"
        raise Refused("bad_value", text, field="since", hint="the last seq you have seen")
    by_turns = request.command.feed == m.TURNS
    if by_turns and nick not in game.nicks:
        raise Refused("no_seat", "only a player of this game receives turns", field="feed")
    has_arrived = False
    if isinstance(game, Table) or game.result is None:
        service.sessions.follow(request.session, game.id, by_turns=by_turns)
        has_arrived = nick in game.nicks and service.sessions.sit(request.session, game.id, nick)
    effects: list[Effect] = [request.confirm()]
    if isinstance(game, Match):
        if by_turns:
            effects.append(SendHistory(request.session.id, game, latest, latest))
            effects += send_due_turns(service, request, game)
        elif since < latest:
            effects.append(SendHistory(request.session.id, game, since + 1, latest))
        if has_arrived:
            effects.append(announce_presence(service, game))
    return effects


def send_due_turns(service: Service, request: Request[Any], match: Match) -> list[Effect]:
    """Return the turn of a player who has to act, after an update that shows the position."""
    session = request.session.id
    due, left = list_due_seats(match), match.compute_left(request.now)
    return [
        Send((session,), make_next_turn(match, nick, due[seat], [], left, service.games))
        for nick in service.sessions.list_seats_of(session, match.id)
        if (seat := match.nicks.index(nick)) in due
    ]


def show_state(service: Service, request: Request[m.StateCommand]) -> list[Effect]:
    """Describe a game as it stands now."""
    game = _find_shown_game(service, request)
    online = list_online(service, game)
    if isinstance(game, Table):
        fields: dict[str, Any] = {
            "status": "waiting",
            "online": online,
            "wait": _describe_wait(game),
        }
    else:
        fields = {
            "status": "ended" if game.result else "playing",
            "update": dump_frame(update_of(game, game.seq)),
            "clock": list_seconds_left(game, game.compute_left(request.now)),
            "online": None if game.result else online,
            "text": str(game.state) if request.command.text else None,
        }
        if (asked := service.games.lobby.find_again(game.id)) is not None:
            fields["again"] = tuple(asked.nicks)
    return [request.answer(frames.StateReply(cmd=m.StateCommand.cmd, game=game.id, **fields))]


def _find_shown_game(service: Service, request: Request[m.StateCommand]) -> Match | Table:
    command = request.command
    if command.invite is None:
        return find_addressed_game(request, service.accounts, service.games)[0]
    if command.game is not None or command.token is not None:
        raise Refused("bad_value", "send invite alone, or game and token", field="invite")
    return service.games.lobby.find_invited(command.invite)


def list_moves(service: Service, request: Request[m.Moves]) -> list[Effect]:
    """List the moves of the player to act, or of one player, that fit the fields of a notify."""
    match = require_match(find_addressed_game(request, service.accounts, service.games)[0])
    player, fields = request.command.player, m.get_move_fields(request.command)
    if player is not None and player not in match.nicks:
        raise Refused("no_seat", f"{player} has no seat in this game", field="player")
    turn = None if match.owing else match.turn
    if turn is None:
        return [request.answer(frames.Choices(cmd=m.Moves.cmd, moves=(), actions=()))]
    rules = match.terms.game
    moves = [
        rules.dump_move(action)
        for seat in _select_seats(match, player, turn, fields)
        for action in rules.could_play(match.state, seat)
        if isinstance(action, Move)
    ]
    if fields:
        moves = [move for move in moves if _has_fields(move, fields)]
    if match.held:
        moves = [move for move in moves if move["cell"] == match.held.cell]
    legal = match.state.actions() if player in (None, match.get_nick(turn)) else ()
    choices = frames.Choices(
        cmd=m.Moves.cmd,
        moves=tuple(moves),
        actions=tuple(map(_name_command, legal[:1])),  # all actions of a position are of one sort
    )
    return [request.answer(choices)]


def _select_seats(
    match: Match, player: str | None, turn: int, fields: Mapping[str, Any]
) -> Iterable[int]:
    """Return the player's seat; else all seats if a place on the board is asked about."""
    if player is not None:
        return (match.nicks.index(player),)
    return range(len(match.seats)) if fields else (turn,)


def _name_command(action: Any) -> str:
    if isinstance(action, Roll):
        return m.RollCommand.cmd
    return m.PassCommand.cmd if isinstance(action, Pass) else m.Notify.cmd


def _has_fields(move: dict[str, Any], fields: Mapping[str, Any]) -> bool:
    """Return True if a move has these fields; a list may continue beyond the given one."""
    return all(
        move.get(name, [])[: len(given)] == given
        if isinstance(given, list)
        else move.get(name) == given
        for name, given in fields.items()
    )


def check_command(service: Service, request: Request[m.Check]) -> list[Effect]:
    """Say if a command would be accepted, and if not, why."""
    _require_checkable(request.command)
    game, nick = find_addressed_seat(request, service.accounts, service.games)
    fields = m.get_move_fields(request.command)
    try:
        match = require_match(game)
        preview_within_limits(match, match.nicks.index(nick), request.command.command, fields)
        checked = frames.Checked(cmd=m.Check.cmd, ok=True)
    except TabnetError as error:
        checked = frames.Checked(
            cmd=m.Check.cmd,
            ok=False,
            reason=error.text,
            reason_code=error.code,
            reason_hint=error.hint,
        )
    return [request.answer(checked)]


def _require_checkable(command: m.Check) -> None:
    if command.command not in CHECKABLE:
        raise Refused(
            "bad_value",
            f"{quote(command.command)} cannot be checked",
            field="command",
            hint=f"one of: {' '.join(CHECKABLE)}",
        )
    if command.command != m.Notify.cmd:
        for name in m.get_move_fields(command):
            raise Refused("unknown_field", f"{command.command} has no field {name}", field=name)


def list_best_players(service: Service, request: Request[m.Ranking]) -> list[Effect]:
    """List the best players of one leaderboard."""
    best = service.rankings.list_best(read_leaderboard_key(request.command))
    return [request.answer(frames.Scores(cmd=m.Ranking.cmd, ranking=best))]


def list_games(service: Service, request: Request[m.Games]) -> list[Effect]:
    """List the running games and the public waits, newest first."""
    kind = require_kind(request.command.kind).kind if request.command.kind else None
    games = service.matchmaking.get_listed_games()
    listing = frames.Listing(
        cmd=m.Games.cmd,
        games=tuple(map(_describe_match, games.list_newest(kind, MAX_LISTED))),
        waiting=tuple(map(_describe_wait, games.lobby.list_newest(kind, MAX_LISTED))),
    )
    return [request.answer(listing)]


def _describe_match(match: Match) -> frames.ListedGame:
    return frames.ListedGame(
        game=match.id,
        kind=match.terms.kind,
        options=match.terms.options_json,
        group=match.terms.group,
        players=match.heading["players"],
        turn=match.get_nick(match.turn),
        seq=match.seq,
    )


def _describe_wait(table: Table) -> frames.ListedWait:
    return frames.ListedWait(
        kind=table.terms.kind,
        options=table.terms.options_json,
        group=table.terms.group,
        seats=table.terms.seats_json,
        clock=table.terms.clock_json,
        strict=table.terms.strict,
        players=len(table.players),
    )
