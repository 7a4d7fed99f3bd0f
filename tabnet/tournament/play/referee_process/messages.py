"""What a runner and the referees in other processes write to each other: a JSON object a line.

{"charge":{...},"processors":[0]}                          first, to a referee
{"number":1,"try":"greedy"}  {"number":2,"play":{...}}     what it is to do
{"number":3,"close":true}
{"number":1,"complaint":null}                              what came of it
{"number":2,"played":{...}}  {"number":3,"cpu":1.5}
{"number":2,"failed":"ValueError: ...","log":"..."}        the referee failed in it
{"moves":{"fa93b40c7d21e658":12}}                          how far its games have come, also a
                                                           sign that the referee is alive
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import attrs
from trio.abc import ReceiveStream

from tabnet.protocol.lines import Lines
from tabnet.tournament.plan.plan import Plan
from tabnet.tournament.play.bots.bot_process import Fence
from tabnet.tournament.play.bots.entrants import Contender
from tabnet.tournament.play.referee.player_pool import Patience
from tabnet.tournament.play.referee.referee import Charge, Played
from tabnet.tournament.records.journal_lines import result_from
from tabnet.tournament.records.results import Entrant, Game

JSON = dict[str, Any]
LONGEST = 64 * 1024 * 1024
"""Of a line: what was said in a game may be long."""


def line(row: JSON) -> bytes:
    """One dispatch."""
    return json.dumps(row, default=_text).encode() + b"\n"


async def rows(stream: ReceiveStream) -> AsyncIterator[JSON]:
    """The dispatches that come, until there is nobody to send more."""
    lines = Lines(LONGEST)
    async for data in stream:
        for each in lines.feed(data):
            yield json.loads(each)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    raise TypeError(f"{value!r} is no JSON")


def charge_from(row: JSON) -> Charge:
    """A charge from its fields."""
    return Charge(
        plan=Plan(**{**row["plan"], "names": tuple(row["plan"]["names"])}),
        contenders=tuple(
            Contender(Entrant(**each["entrant"]), tuple(each["command"]))
            for each in row["contenders"]
        ),
        most=row["most"],
        fence=Fence(**row["fence"]),
        patience=Patience(**row["patience"]),
    )


def game_from(row: JSON) -> Game:
    """A game from its fields."""
    return Game(**{**row, "seats": tuple(row["seats"])})


def played_from(row: JSON) -> Played:
    """What has become of a game, from its fields."""
    record = row["record"]
    return Played(
        result=result_from(row["result"]),
        began=row["began"],
        record=None if record is None else record.encode(),
        log=row["log"],
    )


def fields(value: Charge | Game | Played) -> JSON:
    """As a dispatch has it."""
    return attrs.asdict(value)
