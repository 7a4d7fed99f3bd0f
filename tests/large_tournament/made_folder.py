"""The folder of a large tournament, as a runner leaves it. Its results are drawn by strength."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from tabnet.tournament.plan.plan import Plan
from tabnet.tournament.plan.schedule import schedule_games
from tabnet.tournament.play.bots.entrants import find_bots
from tabnet.tournament.records import journal_lines as folder
from tabnet.tournament.records.entrants_and_results import (
    ERROR,
    Entrant,
    Result,
    ScheduledGame,
    ThinkingTime,
)
from tabnet.tournament.records.journal_lines import GameTiming
from tabnet.tournament.records.replay_record import encode_record
from tabnet.tournament.report.replay_data import sort_by_interest
from tests.__main__ import ROOT
from tests.tournament.sample import played

SETTINGS = {"seed": "7", "kind": "tab", "options": {"size": 7}, "clock": {"move": 5.0}}
FAULTS = ("crash", "timeout_move", "illegal_move")
FAULT_CHANCE, DRAW_CHANCE, ERROR_CHANCE, ALIKE = 0.003, 0.03, 0.00005, 0.4
"""How often a game ends in these ways, or like the first one of its pair."""
SPREAD = 200
"""The standard deviation of the strengths, in Elo."""
BEGAN = 1_800_000_000.0


def enter_bots(folder: Path, count: int) -> list[Entrant]:
    """Write bots that play the first legal move into a folder, and return them as entrants."""
    folder.mkdir(parents=True)
    program = (ROOT / "bots" / "first.py").read_bytes()
    paths = [folder / f"bot_{number:03}.py" for number in range(count)]
    for path in paths:
        path.write_bytes(program)
    return [bot.entrant for bot in find_bots([str(path) for path in paths])]


def make_plan(names: Sequence[str], games: int) -> Plan:
    """Return a round-robin with at least so many games."""
    pairs = -(-games // (len(names) * (len(names) - 1)))
    return Plan(names=tuple(names), format="round-robin", pairs=pairs, **SETTINGS)


def draw_results(plan: Plan, games: int) -> Iterator[Result]:
    """Yield the results of the first games of a plan; the same plan has the same results."""
    random = Random(1)
    strengths = {name: random.gauss(0, SPREAD) for name in plan.names}
    first: dict[object, Result] = {}
    for game in islice(schedule_games(plan), games):
        one, other = (strengths[name] for name in game.seats)
        winner: int | None = int(random.random() > 1 / (1 + 10 ** ((other - one) / 400)))
        if random.random() < DRAW_CHANCE:
            winner = None
        before = first.pop(game.group, None)
        if before is not None and before.winners and random.random() < ALIKE:
            winner = 1 - before.winners[0]  # in the other seat
        result = _draw_result(game, winner, random)
        if before is None:
            first[game.group] = result
        yield result


def _draw_result(game: ScheduledGame, winner: int | None, random: Random) -> Result:
    thinking = []
    for _ in game.seats:
        decisions = random.randrange(20, 120)
        thinking.append(ThinkingTime(decisions, random.randrange(5000), random.randrange(5, 200)))
    cause, culprit, detail = ("max_moves" if winner is None else "normal"), None, ""
    if random.random() < ERROR_CHANCE:
        cause, winner, detail = ERROR, None, "its process ended with exit code 1"
    elif winner is not None and random.random() < FAULT_CHANCE:
        cause, culprit, detail = random.choice(FAULTS), 1 - winner, "exit code 3"
    return Result(
        game=game,
        winners=() if winner is None else (winner,),
        points=tuple(int(seat == winner) for seat in range(len(game.seats))),
        cause=cause,
        culprit=culprit,
        detail=detail,
        reason="all_captured" if culprit is None else "leave",
        moves=random.randrange(80, 400),
        thinking=tuple(thinking),
    )


def encode_journal(entrants: Sequence[Entrant], plan: Plan, results: list[Result]) -> bytes:
    """Return the journal of these results, which ended in this order, fifty a second."""
    lines = [folder.encode_entrant(each) for each in entrants]
    lines.append(folder.encode_settings({**plan.export_settings(), "concurrency": 2}))
    for number, result in enumerate(results):
        ended = BEGAN + number / 50
        lines.append(folder.encode_result(result, GameTiming(ended - 0.04, ended)))
    return b"".join(lines)


def make_folder(path: Path, entrants: Sequence[Entrant], games: int, records: int = 0) -> None:
    """Write a tournament's folder, with records of the games that a report shows first."""
    plan = make_plan([each.name for each in entrants], games)
    results = list(draw_results(plan, games))
    (path / folder.GAMES).mkdir(parents=True)
    (path / folder.LOGS).mkdir()
    (path / folder.JOURNAL).write_bytes(encode_journal(entrants, plan, results))
    for result in sort_by_interest(results)[:records]:
        id, seats = result.game.id, result.game.seats
        line = encode_record(played(id, plan.kind, seats))
        (path / folder.GAMES / f"{id}.json").write_bytes(line)
