"""The consequences for a game when no connection plays a seat any more. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from tabnet.server.core.effects import Effect
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import ABANDONED
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.players.nick_rules import GUEST
from tabnet.server.core.queries import announce_presence

if TYPE_CHECKING:
    from tabnet.server.core.service import Service


def report_absent(service: Service, seats: Sequence[tuple[str, str]]) -> list[Effect]:
    """Tell the followers of these seats, game and nick, that their players are not connected.

    A guest in a public wait stops waiting, because an opponent would wait for nobody. A match
    that needs players online ends without them, unless the server itself ends.
    """
    games = dict.fromkeys(game for game, _ in seats)
    playing = [service.games.playing[game] for game in games if game in service.games.playing]
    effects: list[Effect] = [announce_presence(service, match) for match in playing]
    for game, nick in seats:
        table = service.games.lobby.tables.get(game)
        if table is not None and nick.startswith(GUEST) and table.invite is None:
            effects += service.stop_waiting(table, nick)
    for game in () if service.stopping else games:
        if _is_deserted(service, service.games.get_unfinished(game)):
            service.games.deserted.set(game, 0)
    return effects


def end_if_deserted(service: Service, id: str, now: int) -> list[Effect]:
    """End a game without a winner that needs players online, if none is."""
    game = service.games.get_unfinished(id)
    if game is None or not _is_deserted(service, game):
        return []
    if isinstance(game, Match):
        return service.change_match(game, now, partial(game.end, now, ABANDONED))
    service.games.lobby.remove(game)
    return service.end_wait(game, game.nicks)


def _is_deserted(service: Service, game: Match | Table | None) -> bool:
    if game is None or not game.needs_players_online:
        return False
    return not any(service.sessions.is_present(game.id, nick) for nick in game.nicks)
