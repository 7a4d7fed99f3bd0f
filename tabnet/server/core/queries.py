"""The commands that ask and change no game: what they may see, and their replies. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from tabnet.errors import Refused, TabnetError, shown
from tabnet.games.api import Move, Pass, Roll
from tabnet.protocol import messages as m
from tabnet.protocol.codec import frame_json
from tabnet.protocol.frames import (
    Checked,
    Choices,
    Listing,
    Presence,
    Running,
    Scores,
    Standing,
    Waiting,
)
from tabnet.protocol.guide import guide
from tabnet.protocol.schema import schemas
from tabnet.server.core.addressing import Request, begun, seat
from tabnet.server.core.addressing import about as asked_about
from tabnet.server.core.effects import Effect, Send, SendHistory
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import board_of, game_named
from tabnet.server.core.matches.turn_limits import preview
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.pairing.matchmaking import Matchmaking
from tabnet.server.core.players.accounts import Accounts
from tabnet.server.core.players.ranking import Rankings
from tabnet.server.core.sessions import Sessions
from tabnet.server.core.updates import clock
from tabnet.server.core.updates import update as update_of

MOST_LISTED = 100
"""How many games, and how many waits, one answer lists."""

CAN_BE_TRIED = (m.Roll.cmd, m.Pass.cmd, m.Notify.cmd)


class Books(Protocol):
    """What is read of the service to answer."""

    accounts: Accounts
    games: GameIndex
    rankings: Rankings
    sessions: Sessions
    matchmaking: Matchmaking


def about(books: Books, ask: Request[m.About]) -> tuple[Match | Table, str | None]:
    """Return the game that a question is about, and the player who asks, if one does."""
    game, nick = asked_about(ask, books.accounts, books.games)
    books.matchmaking.require_visible(game, nick)
    return game, nick


def online(books: Books, game: Match | Table) -> dict[str, bool]:
    """Who of a game's players is there."""
    return {nick: books.sessions.is_present(game.id, nick) for nick in game.nicks}


def presence(books: Books, game: Match | Table) -> Send:
    """Tell a game's followers who is there."""
    told = Presence(game=game.id, online=online(books, game))
    return Send(books.sessions.followers(game.id), told)


def update(books: Books, ask: Request[m.Update]) -> list[Effect]:
    """Follow a game from here on; what was missed comes first."""
    game, nick = about(books, ask)
    latest = game.seq
    since = max(latest - 1, 0) if ask.command.since is None else ask.command.since
    if since > latest:
        text = f"since is more than {latest}, the number of the latest update"
        raise Refused("bad_value", text, field="since", hint="the last seq you have seen")
    if isinstance(game, Table) or game.result is None:
        books.sessions.follow(ask.session, game.id)
        arrived = nick in game.nicks and books.sessions.sit(ask.session, game.id, nick)
    if isinstance(game, Table):
        return [ask.done()]
    effects: list[Effect] = [ask.done()]
    if since < latest:
        effects.append(SendHistory(ask.session.id, game, since + 1, latest))
    if game.result is None and arrived:
        effects.append(presence(books, game))
    return effects


def state(books: Books, ask: Request[m.State]) -> list[Effect]:
    """How a game stands now."""
    game, _ = about(books, ask)
    text = bool(ask.command.text)
    return [ask.answer(standing_of(game, online(books, game), ask.now, text=text))]


def moves(books: Books, ask: Request[m.Moves]) -> list[Effect]:
    """What can be played now."""
    match = begun(about(books, ask)[0])
    return [ask.answer(choices_in(match, ask.command.player, m.move_fields(ask.command)))]


def check(books: Books, ask: Request[m.Check]) -> list[Effect]:
    """Whether a command would be taken."""
    tried = tried_command(ask.command)
    game, nick = seat(ask, books.accounts, books.games)
    return [ask.answer(try_command(game, nick, tried, m.move_fields(ask.command)))]


def ranking(books: Books, ask: Request[m.Ranking]) -> list[Effect]:
    """The best players of one board."""
    best = books.rankings.best(board_of(ask.command))
    return [ask.answer(Scores(cmd=m.Ranking.cmd, ranking=best))]


def games(books: Books, ask: Request[m.Games]) -> list[Effect]:
    """What is played and waited for."""
    kind = game_named(ask.command.kind).kind if ask.command.kind else None
    return [ask.answer(list_games(books.matchmaking.listed_games(), kind))]


def explain(_: Books, ask: Request[m.Help]) -> list[Effect]:
    """How to talk to the server."""
    return [ask.answer(guide(ask.command.about))]


def schema(_: Books, ask: Request[m.Schema]) -> list[Effect]:
    """What is on the wire, as JSON Schema."""
    return [ask.answer(schemas())]


def ping(_: Books, ask: Request[m.Ping]) -> list[Effect]:
    """Nothing but the reply."""
    return [ask.done()]


# The replies


def standing_of(game: Match | Table, online: dict[str, bool], now: int, *, text: bool) -> Standing:
    """How a game stands at this moment."""
    if isinstance(game, Table):
        return Standing(cmd=m.State.cmd, game=game.id, status="waiting", online=online)
    return Standing(
        cmd=m.State.cmd,
        game=game.id,
        status="ended" if game.result else "playing",
        update=frame_json(update_of(game, game.seq)),
        clock=clock(game, game.left(now)),
        online=None if game.result else online,
        text=str(game.state) if text else None,
    )


def choices_in(match: Match, player: str | None, fields: Mapping[str, Any]) -> Choices:
    """What can be played now, by that player and as far as it fits these fields of a notify."""
    if player is not None and player not in match.nicks:
        raise Refused("no_seat", f"{player} has no seat in this game", field="player")
    turn = None if match.owing else match.turn
    if turn is None:
        return Choices(cmd=m.Moves.cmd, moves=(), actions=())
    legal = match.state.actions() if player in (None, match.nick(turn)) else ()
    moves = [
        match.terms.game.dump_move(action)
        for seat in _seats_asked_about(match, player, turn, fields)
        for action in match.terms.game.could_play(match.state, seat)
        if isinstance(action, Move)
    ]
    if match.held:
        moves = [move for move in moves if move["cell"] == match.held.cell]
    return Choices(
        cmd=m.Moves.cmd,
        moves=tuple(move for move in moves if _fits(move, fields)),
        actions=tuple(dict.fromkeys(map(_command_for, legal))),
    )


def _seats_asked_about(
    match: Match, player: str | None, turn: int, fields: Mapping[str, Any]
) -> Iterable[int]:
    """The seats whose moves are wanted: that player's, whoever's stands there, or who is to act."""
    if player is not None:
        return (match.nicks.index(player),)
    return range(len(match.seats)) if fields else (turn,)


def _command_for(action: Any) -> str:
    if isinstance(action, Roll):
        return m.Roll.cmd
    return m.Pass.cmd if isinstance(action, Pass) else m.Notify.cmd


def _fits(move: dict[str, Any], fields: Mapping[str, Any]) -> bool:
    """A list fits by its beginning, everything else whole."""
    return all(
        move.get(name, [])[: len(given)] == given
        if isinstance(given, list)
        else move.get(name) == given
        for name, given in fields.items()
    )


def tried_command(command: m.Check) -> str:
    """Which command a check tries; refuses those that cannot be tried."""
    if command.command not in CAN_BE_TRIED:
        raise Refused(
            "bad_value",
            f"{shown(command.command)} cannot be checked",
            field="command",
            hint=f"one of: {' '.join(CAN_BE_TRIED)}",
        )
    if command.command != m.Notify.cmd:
        for name in m.move_fields(command):
            raise Refused("unknown_field", f"{command.command} has no field {name}", field=name)
    return command.command


def try_command(game: Match | Table, nick: str, cmd: str, fields: Mapping[str, Any]) -> Checked:
    """Whether that player's command would be accepted, and if not, why."""
    try:
        match = begun(game)
        preview(match, match.nicks.index(nick), cmd, fields)
    except TabnetError as refused:
        return Checked(cmd=m.Check.cmd, ok=False, reason=refused.text, reason_code=refused.code)
    return Checked(cmd=m.Check.cmd, ok=True)


def list_games(games: GameIndex, kind: str | None) -> Listing:
    """What is played and what is waited for, newest first."""
    return Listing(
        cmd=m.Games.cmd,
        games=tuple(map(_running, games.newest(kind, MOST_LISTED))),
        waiting=tuple(map(_waiting, games.lobby.newest(kind, MOST_LISTED))),
    )


def _running(match: Match) -> Running:
    return Running(
        game=match.id,
        kind=match.terms.kind,
        options=match.terms.options_json,
        group=match.terms.group,
        players=match.heading["players"],
        turn=match.nick(match.turn),
        seq=match.seq,
    )


def _waiting(table: Table) -> Waiting:
    return Waiting(
        kind=table.terms.kind,
        options=table.terms.options_json,
        group=table.terms.group,
        seats=table.terms.seats_json,
        clock=table.terms.clock_json,
        strict=table.terms.strict,
        players=len(table.players),
    )
