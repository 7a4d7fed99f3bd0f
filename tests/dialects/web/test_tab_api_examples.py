"""The tables of examples of the original API, in their order, as one script over HTTP.

The ".../update" of the tables is one stream for each player, open from the `join` on.
"""

from __future__ import annotations

from typing import Any

import trio
from attrs import evolve

from tabnet.games.tab import TAB
from tabnet.server.core.matches.match import Match
from tests.dialects.web.raw import Wire, follow, get, post
from tests.games.tab.naive import view_of
from tests.harness import Server, running
from tests.server.pure import fix_throws

JSON = dict[str, Any]

ZP = {"nick": "zp", "password": "secret"}
JPLEAL = {"nick": "jpleal", "password": "another"}
PLAYERS = {"zp": ZP, "jpleal": JPLEAL}
COLOURS = {"zp": "Blue", "jpleal": "Red"}
ALWAYS = {"pieces", "initial", "turn", "step", "players", "dice", "mustPass"}


def dice(*sides: bool, value: int, again: bool) -> JSON:
    return {"stickValues": list(sides), "value": value, "keepPlaying": again}


SITTEH = dice(False, False, False, False, value=6, again=True)
TAB_ = dice(False, True, False, False, value=1, again=True)
ITNEYN = dice(False, True, False, True, value=2, again=False)


class Script:
    """Requests and what must come of them."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.game = ""
        self.streams: dict[str, Wire] = {}

    async def done(self, path: str, /, **fields: Any) -> JSON:
        """A request that succeeds."""
        response = await post(self.server, path, **fields)
        assert response.status == 200, response.body
        assert response.headers["access-control-allow-origin"] == "*"
        told: JSON = response.json
        return told

    async def refused(self, path: str, error: str, /, status: int = 400, **fields: Any) -> None:
        """A request that is refused in these words."""
        response = await post(self.server, path, **fields)
        assert response.status == status
        assert response.json == {"error": error}

    async def begin(self) -> JSON:
        """Both join a game of size 9 in group 99 and follow it; the first update."""
        for player in (ZP, JPLEAL):
            self.game = (await self.done("/join", group=99, **player, size=9))["game"]
            target = f"/update?nick={player['nick']}&game={self.game}"
            self.streams[player["nick"]] = await follow(self.server, target)
        return await self.update(1)

    async def update(self, number: int) -> JSON:
        """The next update of both players, which is the same."""
        events = [await stream.event() for stream in self.streams.values()]
        assert events[0] == events[-1]
        assert events[0].id == str(number)
        update: JSON = events[0].data
        if update.keys() != {"winner"}:
            assert ALWAYS <= update.keys() <= ALWAYS | {"cell", "selected", "winner"}
        return update

    async def play(self, nick: str, path: str, number: int, **fields: Any) -> JSON:
        """An action that succeeds; the update that comes of it."""
        assert await self.done(path, **PLAYERS[nick], game=self.game, **fields) == {}
        return await self.update(number)

    async def may_not(self, nick: str, path: str, error: str, **fields: Any) -> None:
        """An action that is refused."""
        await self.refused(path, error, **PLAYERS[nick], game=self.game, **fields)

    async def leave(self, number: int) -> JSON:
        """zp leaves, and the streams end."""
        update = await self.play("zp", "/leave", number)
        for stream in self.streams.values():
            assert await stream.closed()
        return update


async def test_every_table_in_order(monkeypatch):
    async with running() as server:
        script = Script(server)
        await register(script)
        await start(script)
        await leave(script)
        for throws, table in (
            ({"blue": (6, 1)}, throw),
            ({"blue": (2, 6, 1), "red": (2,)}, pass_),
            ({"blue": (1,)}, invalid_plays),
            ({"blue": (1, 2)}, move),
            ({"blue": (1, 4, 4, 4, 4, 3)}, choose),
            ({"blue": (1, 4, 4, 4, 4, 3)}, roll_back),
            ({"red": (6,)}, win),
        ):
            fix_throws(monkeypatch, **throws)
            await table(script)
        await scoreboard(script)


async def test_a_new_nick_follows_the_same_rules():
    async with running() as server:
        script = Script(server)
        text = "nick is not in its normal form, NFKC: 'zp' is the right form"
        await script.refused("/register", text, nick="ｚｐ", password="secret")
        text = "nicks that begin with guest- are given by the server"
        cyrillic = "gu\u0435st-1"
        await script.refused("/register", text, nick=cyrillic, password="secret")
        assert await script.done("/register", nick="zp", password="secret") == {}


async def register(script):
    assert await script.done("/register", **ZP) == {}
    other = {**ZP, "password": "just checking"}
    text = "User registered with a different password"
    await script.refused("/register", text, status=401, **other)
    assert await script.done("/register", **ZP) == {}
    assert await script.done("/register", **JPLEAL) == {}


async def start(script):
    await script.refused("/join", "undefined size", group=99, **ZP)
    await script.refused("/join", "invalid size 'large'", group=99, **ZP, size="large")
    game = (await script.done("/join", group=99, **ZP, size=9))["game"]
    response = await get(script.server, "/update?nick=zp&game=averseda")
    assert (response.status, response.json) == (400, {"error": "Invalid game reference"})
    first = await follow(script.server, f"/update?nick=zp&game={game}")
    await nothing_comes(first)
    assert await script.done("/join", group=99, **JPLEAL, size=9) == {"game": game}
    second = await follow(script.server, f"/update?nick=jpleal&game={game}")
    script.game, script.streams = game, {"zp": first, "jpleal": second}
    update = await script.update(1)
    assert update.keys() == ALWAYS
    assert (update["initial"], update["step"], update["turn"]) == ("zp", "from", "zp")
    assert update["players"] == COLOURS
    blue, red = (
        {"color": colour, "inMotion": False, "reachedLastRow": False} for colour in COLOURS.values()
    )
    assert update["pieces"] == [blue] * 9 + [None] * 18 + [red] * 9
    await script.leave(2)


async def nothing_comes(stream):
    """Not even an empty object, as long as nobody has anything to do."""
    with trio.move_on_after(0.1) as silence:
        await stream.event()
    assert silence.cancelled_caught


async def leave(script):
    game = (await script.done("/join", group=99, **ZP, size=9))["game"]
    waiting = await follow(script.server, f"/update?nick=zp&game={game}")
    assert await script.done("/leave", **ZP, game=game) == {}
    assert (await waiting.event()).data == {"winner": None}
    assert await waiting.closed()
    first = await script.begin()
    assert (first["turn"], first["step"]) == ("zp", "from")
    assert script.game != game
    assert (await script.leave(2))["winner"] == "jpleal"


async def throw(script):
    assert (await script.begin())["turn"] == "zp"
    await script.may_not("jpleal", "/roll", "Not your turn to play")
    for number, thrown in ((2, SITTEH), (3, TAB_)):
        update = await script.play("zp", "/roll", number)
        assert update.keys() == ALWAYS
        assert (update["dice"], update["turn"], update["mustPass"]) == (thrown, "zp", None)
    await script.leave(4)


async def pass_(script):
    await script.begin()
    await script.play("zp", "/roll", 2)
    assert (await script.play("zp", "/pass", 3))["turn"] == "jpleal"
    update = await script.play("jpleal", "/roll", 4)
    assert (update["dice"], update["turn"], update["mustPass"]) == (ITNEYN, "jpleal", "jpleal")
    update = await script.play("jpleal", "/pass", 5)
    assert (update["turn"], update["dice"], update["mustPass"]) == ("zp", None, None)
    update = await script.play("zp", "/roll", 6)
    assert (update["dice"], update["turn"], update["mustPass"]) == (SITTEH, "zp", None)
    await script.may_not("zp", "/pass", "You already rolled the dice but can roll it again")
    assert (await script.play("zp", "/roll", 7))["dice"] == TAB_
    await script.may_not("zp", "/pass", "You already rolled the dice and have valid moves")
    await script.leave(8)


async def invalid_plays(script):
    await script.begin()
    await script.play("zp", "/roll", 2)
    await script.may_not("jpleal", "/notify", "not your turn to play", cell=26)
    await script.may_not("zp", "/notify", "cell is not an integer", cell=True)
    await script.may_not("zp", "/notify", "cell is negative", cell=-1)
    await script.may_not("zp", "/notify", "cannot capture to your own piece", cell=0)
    update = await script.play("zp", "/notify", 3, cell=8)
    assert (update["turn"], update["dice"]) == ("zp", None)
    assert (update["step"], update["initial"]) == ("from", "zp")
    await script.leave(4)


async def move(script):
    await script.begin()
    await script.play("zp", "/roll", 2)
    update = await script.play("zp", "/notify", 3, cell=8)
    assert (update["cell"], update["selected"]) == (8, [8, 9])
    assert (update["turn"], update["dice"], update["step"]) == ("zp", None, "from")
    update = await script.play("zp", "/roll", 4)
    assert update.keys() == ALWAYS
    assert (update["dice"], update["turn"], update["mustPass"]) == (ITNEYN, "zp", None)
    update = await script.play("zp", "/notify", 5, cell=9)
    assert (update["cell"], update["selected"]) == (9, [9, 11])
    assert (update["turn"], update["dice"], update["step"]) == ("jpleal", None, "from")
    await script.leave(6)


async def to_the_fork(script):
    """The piece on 25 may go to 10 or 28."""
    await script.begin()
    for number, cell in enumerate((8, 9, 13, 17, 21), 1):
        await script.play("zp", "/roll", 2 * number)
        await script.play("zp", "/notify", 2 * number + 1, cell=cell)
    update = await script.play("zp", "/roll", 12)
    assert (update["dice"]["value"], update["turn"], update["step"]) == (3, "zp", "from")
    assert update["mustPass"] is None


async def choose(script):
    await to_the_fork(script)
    update = await script.play("zp", "/notify", 13, cell=25)
    assert (update["cell"], sorted(update["selected"])) == (25, [10, 28])
    assert (update["turn"], update["step"]) == ("zp", "to")
    text = "Invalid move: must play the dice's value"
    await script.may_not("zp", "/notify", text, cell=26)
    update = await script.play("zp", "/notify", 14, move=28)
    assert (update["cell"], update["selected"]) == (25, [25, 28])
    assert (update["turn"], update["step"]) == ("jpleal", "from")
    await script.leave(15)


async def roll_back(script):
    await to_the_fork(script)
    chosen = await script.play("zp", "/notify", 13, cell=25)
    assert (chosen["cell"], chosen["turn"], chosen["step"]) == (25, "zp", "to")
    update = await script.play("zp", "/notify", 14, cell=25)
    assert update.keys() == ALWAYS
    assert (update["turn"], update["step"]) == ("zp", "from")
    assert update["pieces"] == chosen["pieces"]
    await script.leave(15)


async def win(script):
    await script.begin()
    games = script.server.hub.service.games
    match = games.find(script.game)
    assert isinstance(match, Match)
    state = TAB.load(view_of("R*12 r31 B18", 1))
    games.replace(evolve(match, state=state, turn=state.turn))
    update = await script.play("jpleal", "/roll", 2)
    assert (update["dice"], update["turn"]) == (SITTEH, "jpleal")
    assert "winner" not in update
    update = await script.play("jpleal", "/notify", 3, cell=12)
    assert update["winner"] == "jpleal"
    assert update.keys() == ALWAYS | {"cell", "selected", "winner"}
    for stream in script.streams.values():
        assert await stream.closed()


async def scoreboard(script):
    await script.refused("/ranking", "Undefined group")
    await script.refused("/ranking", "Invalid size 'undefined'", group=99)
    await script.refused("/ranking", "Invalid size '3.1416'", group=99, size=3.1416)
    await script.refused("/ranking", "Invalid group '2 of us'", group="2 of us", size=3)
    assert await script.done("/ranking", group=99, size=5) == {"ranking": []}
    games = 9
    assert await script.done("/ranking", group=99, size=9) == {
        "ranking": [
            {"nick": "jpleal", "victories": games, "games": games},
            {"nick": "zp", "victories": 0, "games": games},
        ]
    }
