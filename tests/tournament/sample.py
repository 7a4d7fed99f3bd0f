"""A small tournament that was never run: its games are played by the rules alone, at random."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

from tabnet.games import GAMES
from tabnet.games.api import Roll
from tabnet.tournament.plan.plan import Plan
from tabnet.tournament.plan.schedule import schedule_games
from tabnet.tournament.records import journal_lines as folder
from tabnet.tournament.records import replay_record as record
from tabnet.tournament.records.entrants_and_results import (
    Blame,
    Entrant,
    Result,
    ScheduledGame,
    ThinkingTime,
)
from tabnet.tournament.records.journal_lines import GameTiming
from tabnet.tournament.records.replay_record import GameRecord
from tabnet.tournament.records.results_of_matches import rank_seats
from tabnet.tournament.report.tournament_summary import TournamentSummary, summarize
from tabnet.tournament.stats.crosstable import Crosstable, WinDrawLoss, make_crosstable
from tabnet.tournament.stats.entrants_table import RatingRow, RatingTable
from tabnet.tournament.stats.intervals import Estimate

SETTINGS = {"kind": "tab", "options": {"size": 7}, "format": "round-robin", "pairs": 2, "seed": "1"}
NAMES = ("greedy", "random", "broken")
FAULTY = ("crash", "exit code 3")


def played(game: str, kind: str, players: tuple[str, ...], moves: int = 400) -> GameRecord:
    """A game at random, of at most so many actions."""
    rules, luck = GAMES[kind], random.Random(game)
    option = rules.leaderboard_option  # every join has it
    usual = {option: getattr(rules.options(), option)} if option else {}
    options = {"size": 7} if kind == "tab" else usual
    made = rules.make_options(options)
    layout = rules.deal(made, len(players), lambda: luck.randrange(256))
    state, actions = rules.start(made, len(players), layout), []
    while state.turn is not None and len(actions) < moves:
        chances = state.chances()
        if chances:
            (action,) = luck.choices([c[0] for c in chances], [c[1] for c in chances])
        else:
            action = luck.choice(state.actions())
        assert not isinstance(action, Roll) or chances
        actions.append(record.encode_action(rules, action))
        state = state.apply(action)
    return GameRecord(game, kind, options, players, tuple(actions), layout)


def result_of(kept: GameRecord, pair: int, fault: tuple[str, str] | None) -> Result:
    """How it ended: by the rules, as a draw after 400 actions, or by a fault of `broken`."""
    end = list(record.replay_actions(kept))[-1].state.outcome()
    culprit = kept.players.index("broken") if fault else None
    if fault:
        winners, (cause, detail), reason = (1 - culprit,), fault, "leave"
    elif end is None:
        winners, cause, detail, reason = (), "max_moves", "after 400 actions", "ended"
    else:
        winners, cause, detail, reason = end.winners, "normal", "", end.reason
    return Result(
        game=ScheduledGame(kept.game, pair, kept.players),
        winners=winners,
        points=tuple(int(seat in winners) for seat in (0, 1)),
        cause=cause,
        culprit=culprit,
        detail=detail,
        reason=reason,
        moves=len(kept.actions),
        thinking=tuple(
            ThinkingTime(len(kept.actions) // 2, 40 * seat + 7, 5 + seat) for seat in (0, 1)
        ),
    )


def tournament(kind: str = "tab") -> list[tuple[GameRecord, Result]]:
    """Every bot against every other in two mirrored pairs; `broken` crashes twice."""
    games, number = [], 0
    for one, other in (("greedy", "random"), ("greedy", "broken"), ("random", "broken")):
        for pair in (0, 1):
            for players in ((one, other), (other, one)):
                id = f"{(number * 7919 + 5) % 65536:016x}"
                fault = FAULTY if "broken" in players and number % 4 == 1 else None
                kept = played(id, kind, players, 40 if fault else 400)
                games.append((kept, result_of(kept, pair, fault)))
                number += 1
    return games


def played_by_many(game: str, players: tuple[str, ...], faulty: str | None) -> GameRecord:
    """A game of Fish at random on a board that was dealt; a faulty player is out after 20 moves."""
    rules, luck = GAMES["fish"], random.Random(game)
    layout = rules.deal(rules.make_options({}), len(players), lambda: luck.randrange(256))
    state, actions = rules.start(None, len(players), layout), []
    while state.turn is not None:
        if len(actions) == 20 and faulty is not None:
            seat = players.index(faulty)
            actions.append(f"!{seat}")
            state = state.remove(seat)
            continue
        move = luck.choice(state.actions())
        actions.append(record.encode_action(rules, move))
        state = state.apply(move)
    return GameRecord(game, "fish", {}, players, tuple(actions), layout)


def tournament_of_three() -> list[tuple[GameRecord, Result]]:
    """Two groups of games in all orders; `broken` crashes in every fourth game."""
    games = []
    for number in range(12):
        players = list(permutations(NAMES))[number % 6]
        faulty = "broken" if number % 4 == 1 else None
        kept = played_by_many(f"{(number * 7919 + 5) % 65536:016x}", players, faulty)
        game = ScheduledGame(kept.game, number // 6, players)
        games.append((kept, result_of_many(kept, game, faulty)))
    return games


def result_of_many(kept: GameRecord, game: ScheduledGame, faulty: str | None) -> Result:
    """The result of a game of more than two, in which a faulty player has crashed."""
    end = list(record.replay_actions(kept))[-1].state.outcome()
    out = [game.seats.index(faulty)] if faulty else []
    return Result(
        game=game,
        winners=end.winners,
        points=end.points,
        cause="normal",
        culprit=None,
        detail="",
        reason=end.reason,
        moves=len(kept.actions),
        thinking=(ThinkingTime(8, 20, 5),) * len(game.seats),
        places=rank_seats(end, out),
        removed=tuple(Blame(seat, *FAULTY) for seat in out),
    )


PLAYERS = ("anna", "berta", "broken", "carl", "dora", "emil", "frida", "gustav", "hans")
ABSENT = {"gustav": "exit code 1: no module"}


def elimination_journal(count: int | None = None) -> bytes:
    """The journal of an elimination of nine players after `count` games, or after its end.

    One player does not connect, one crashes in its first game, and two share a victory.
    """
    settings = {"kind": "fish", "options": {}, "format": "elimination", "pairs": 1, "seats": 4}
    settings |= {"seed": "2", "clock": {"move": 5}}
    lines = [folder.encode_entrant(Entrant(name, f"{name}.py", "d1")) for name in PLAYERS]
    lines += [folder.encode_settings(settings)]
    lines += [folder.encode_check_in(ABSENT)]
    entered = Plan(names=PLAYERS, absent=ABSENT, **settings)
    results: list[Result] = []
    while count is None or len(results) < count:
        played = {result.game.id for result in results}
        game = next(
            (each for each in schedule_games(entered, results) if each.id not in played), None
        )
        if game is None:
            break
        faulty = "broken" if "broken" in game.seats else None
        results.append(result_of_many(played_by_many(game.id, game.seats, faulty), game, faulty))
    lines += [
        folder.encode_result(each, GameTiming(1_800_000_000.0, 1_800_000_001.0)) for each in results
    ]
    return b"".join(lines)


def standing_of_three() -> TournamentSummary:
    """How that tournament stands."""
    settings = {"kind": "fish", "options": {}, "seats": 3}
    return summarize(folder.read_journal(journal_of(tournament_of_three(), **settings)))


def journal_of(games: list[tuple[GameRecord, Result]], **settings: object) -> bytes:
    """The journal of these games, which ended in this order, a second each."""
    lines = [folder.encode_settings({**SETTINGS, **settings})]
    lines += [folder.encode_entrant(Entrant(name, f"bots/{name}.py", "d1")) for name in NAMES]
    lines += [
        folder.encode_result(result, GameTiming(1_800_000_000.0 + at, 1_800_000_001.0 + at))
        for at, (_, result) in enumerate(games)
    ]
    return b"".join(lines)


def written(path: Path, games: list[tuple[GameRecord, Result]], **settings: object) -> Path:
    """A folder as a runner leaves it."""
    (path / folder.GAMES).mkdir(parents=True)
    (path / folder.JOURNAL).write_bytes(journal_of(games, **settings))
    for kept, _ in games:
        (path / folder.GAMES / f"{kept.game}.json").write_bytes(record.encode_record(kept))
    return path


def changed(line: bytes, **fields: object) -> bytes:
    """A line of JSON with other fields."""
    return json.dumps({**json.loads(line), **fields}).encode() + b"\n"


def summary_of(games: list[tuple[GameRecord, Result]], **settings: object) -> TournamentSummary:
    """How a tournament stands, with a table of which nothing but the counts is true."""
    journal = folder.read_journal(journal_of(games, **settings))
    results = tuple(journal.results.values())
    counts = make_crosstable(results, NAMES)
    rows = [_row(name, results, counts, 100 - 100 * NAMES.index(name)) for name in NAMES]
    half = ((0.5, 0.9, 0.99), (0.1, 0.5, 0.8), (0.01, 0.2, 0.5))
    return TournamentSummary(
        settings=journal.settings,
        entrants=tuple(journal.entrants.values()),
        results=results,
        table=RatingTable(tuple(rows), half, 0.75, ("These ratings are invented.",)),
        crosstable=counts,
        duel=None,
        verdict=None,
        elimination=None,
        run={"concurrency": 2},
        timings=journal.timings,
        secrets={},
    )


def _row(name: str, results: Sequence[Result], counts: Crosstable, rating: int) -> RatingRow:
    met = [counts[name, other] for other in NAMES if other != name]
    mine = [r for r in results if name in r.game.seats]
    lost = [r for r in mine if r.winners and name != r.game.seats[r.winners[0]]]
    faults = sum(r.cause == "crash" and r.game.seats[r.culprit] == name for r in mine)
    by_seat = [
        WinDrawLoss(
            sum(seat in r.winners for r in mine if r.game.seats[seat] == name),
            sum(not r.winners for r in mine if r.game.seats[seat] == name),
            sum(r in lost for r in mine if r.game.seats[seat] == name),
        )
        for seat in (0, 1)
    ]
    return RatingRow(
        name=name,
        rating=Estimate(rating, rating - 50, rating + 60),
        standing="",
        games=len(mine),
        score=sum(meeting.points for meeting in met),
        place=1.5,
        seats=tuple(by_seat),
        places=tuple((seat.wins + seat.draws, seat.losses) for seat in by_seat),
        causes=Counter(r.cause for r in lost),
        faults=faults,
        pace=ThinkingTime(800, 200, 6, None if name == "broken" else 120.0),
        moves=sum(r.moves for r in mine) / len(mine),
    )
