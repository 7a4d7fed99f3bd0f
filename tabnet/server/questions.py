"""The commands that ask and change no game: what they may see, and their replies. Pure."""

from __future__ import annotations

from typing import Protocol

from tabnet.errors import Refused
from tabnet.protocol import messages as m
from tabnet.protocol.frames import Presence, Scores
from tabnet.protocol.guide import guide
from tabnet.protocol.schema import schemas
from tabnet.server import answers
from tabnet.server.accounts import Accounts
from tabnet.server.effects import Effect, Send
from tabnet.server.hall import Hall
from tabnet.server.host import Host
from tabnet.server.lobby import Table
from tabnet.server.match import Match
from tabnet.server.ranking import Rankings
from tabnet.server.request import Request, begun, seat
from tabnet.server.request import about as asked_about
from tabnet.server.sessions import Sessions
from tabnet.server.terms import board_of, game_named
from tabnet.server.updates import update as update_of


class Books(Protocol):
    """What is read of the service to answer."""

    accounts: Accounts
    hall: Hall
    rankings: Rankings
    sessions: Sessions
    host: Host | None


def about(books: Books, ask: Request[m.About]) -> tuple[Match | Table, str | None]:
    """The game a question is about, and who asks; with a host, only about one's own."""
    game, nick = asked_about(ask, books.accounts, books.hall)
    if books.host is not None and nick not in game.nicks:
        raise Refused("no_seat", "only its players see this game", field="game")
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
    me = (ask.session.id,)
    missed = [Send(me, update_of(game, number)) for number in range(since + 1, latest + 1)]
    news = [presence(books, game)] if game.result is None and arrived else []
    return [ask.done(), *missed, *news]


def state(books: Books, ask: Request[m.State]) -> list[Effect]:
    """How a game stands now."""
    game, _ = about(books, ask)
    text = bool(ask.command.text)
    return [ask.answer(answers.standing(game, online(books, game), ask.now, text=text))]


def moves(books: Books, ask: Request[m.Moves]) -> list[Effect]:
    """What can be played now."""
    match = begun(about(books, ask)[0])
    return [ask.answer(answers.choices(match, ask.command.player, m.move_fields(ask.command)))]


def check(books: Books, ask: Request[m.Check]) -> list[Effect]:
    """Whether a command would be taken."""
    tried = answers.tried(ask.command)
    game, nick = seat(ask, books.accounts, books.hall)
    return [ask.answer(answers.check(game, nick, tried, m.move_fields(ask.command)))]


def ranking(books: Books, ask: Request[m.Ranking]) -> list[Effect]:
    """The best players of one board."""
    best = books.rankings.best(board_of(ask.command))
    return [ask.answer(Scores(cmd=m.Ranking.cmd, ranking=best))]


def games(books: Books, ask: Request[m.Games]) -> list[Effect]:
    """What is played and waited for; with a host, nothing is shown."""
    kind = game_named(ask.command.kind).kind if ask.command.kind else None
    hall = Hall() if books.host is not None else books.hall
    return [ask.answer(answers.listing(hall, kind))]


def explain(_: Books, ask: Request[m.Help]) -> list[Effect]:
    """How to talk to the server."""
    return [ask.answer(guide(ask.command.about))]


def schema(_: Books, ask: Request[m.Schema]) -> list[Effect]:
    """What is on the wire, as JSON Schema."""
    return [ask.answer(schemas())]


def ping(_: Books, ask: Request[m.Ping]) -> list[Effect]:
    """Nothing but the reply."""
    return [ask.done()]
