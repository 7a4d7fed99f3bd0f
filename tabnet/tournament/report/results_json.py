"""`results.json`: all results of a tournament, for programs. Pure.

Its fields, in version 1:

    version         1
    tournament      the settings: kind, options, clock, format, pairs, seed (null if there was no
                    --seed), ...; seats where a game has more than two
    entrants        name, source and digest of each bot
    table           a row for each bot, the best first: name, rating with low and high (its 95 %
                    interval), games, score, place (the mean one), seats (wins, draws and losses
                    in each), places (numbers of first, second, ... places in each seat), causes
                    (of the games it lost), faults, first_fault (null, or game and detail of
                    the first game with a log because of the bot), decisions, moves (of all seats
                    in a game)
    superiority     the probability that the bot of a row is stronger than that of a column,
                    both in the order of the table
    variance_ratio  variance of mirrored games as a share of that of unmirrored ones, or null
    notes           sentences about the limits of the numbers
    crosstable      for each bot, for each other: wins, draws and losses
    duel            if there are two bots: pentanomial (pairs that gave the first 0 to 2 points),
                    elo and normalised with low and high, superiority; else null. elo is the
                    difference of the ratings of the table, and its interval has the same method
    sprt            if it was a test: names, pairs, llr, lower, upper (the limits of llr at which
                    it ends), accepted (H0, H1 or null), left_out (pairs that do not count); else
                    null
    elimination     if the format is elimination: absent (the entrants that did not connect before
                    the first round, with the reasons), rounds (round, counted from 1; players and
                    winners, who go on), winners (of the tournament), ending (why it is over, or
                    null); else null
    errors          id, seats and detail of each game that does not count because its referee
                    failed three times
    games           in the order of their ids: id, pair, round (from 1 in an elimination, else from
                    0), seats (names), winners, points and places (by seat), cause (why the game
                    ended), culprit (the seat to blame for that) and detail, removed (players
                    removed while the others played on, in that order: seat, cause and detail),
                    reason, moves, counts (false for a game with the cause error and for the other
                    games of its pair or group: they are in no score, rating or test), decisions
                    (of each seat), dice_secret (the secret of its throws, in hex, when all games
                    with these throws are over, else null), nonce (in a game with throws of its own,
                    the random part of their source)
    timing          everything that differs if the tournament is played again: began, ended
                    (seconds since 1970), seconds, games_per_second, settings (of the run alone),
                    bots (mean_ms, longest_ms and mean_cpu_ms of a decision), games (began,
                    ended, thinking with total_ms and longest_ms of each seat, and cpu_ms of each
                    seat: the CPU time of its process in all decisions, or null if it is unknown),
                    hosts (of each machine: name, and the sandbox of bots there: used, abi, which
                    is the version of Landlock or 0, enforced and not, the restrictions; on a
                    cluster also games, decisions, decisions_per_s, time_losses, mean_cpu_ms of a
                    decision, and a warning if its results differ by more than chance). On a
                    cluster, games have a host

Places count from 1; players that share a place have the better one. Winners come first, then the
others by their points. Players that dropped out rank last, the earliest drop-out lowest. A score is
the share of the other seats with a worse place: 1, 1/2 or 0 among two. `place`, `places`,
`removed`, `errors`, `counts`, `left_out`, `elimination`, `dice_secret`, `nonce`, `mean_cpu_ms`,
`cpu_ms` and `first_fault` were added to version 1.

Intervals are 95 %: Bradley-Terry ratings with the variance between pairs (or groups) of games, and
Student's t distribution. `tabnet/tournament/stats/elo_ratings.py` describes the method.

An elimination has no ratings: `rating`, `low` and `high` are null, `superiority` is empty, and each
row of the table has `standing`, like `winner` or `out in round 1`.

Two tournaments with the same settings and seed, of bots that make the same choices, have the same
bytes outside `timing`, which is the last field.
"""

from __future__ import annotations

import json
from typing import Any

import attrs

from tabnet.tournament.plan.elimination import Elimination
from tabnet.tournament.records.entrants_and_results import ERROR, Result
from tabnet.tournament.records.journal_lines import GameTiming
from tabnet.tournament.report.tournament_summary import TournamentSummary
from tabnet.tournament.stats.entrants_table import RatingRow
from tabnet.tournament.stats.head_to_head import HeadToHead
from tabnet.tournament.stats.sprt import Verdict

VERSION = 1
DIGITS = 6
"""The digits of numbers; more would be noise."""
ENCODER = json.JSONEncoder(ensure_ascii=False)


def format_results(summary: TournamentSummary) -> str:
    """Return the whole file, with a line for each row and game."""
    values = _round_floats(_describe_tournament(summary)) | {
        "games": [
            _describe_game(
                result, result.game.id in summary.counted, summary.secrets.get(result.game.id)
            )
            for result in summary.results
        ],
        "timing": _describe_timing(summary),
    }
    fields = (f"{json.dumps(name)}: {_format_lines(value)}" for name, value in values.items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _describe_tournament(summary: TournamentSummary) -> dict[str, Any]:
    """Return the fields that do not grow with the number of games."""
    table = summary.table
    return {
        "version": VERSION,
        "tournament": summary.settings,
        "entrants": [attrs.asdict(entrant) for entrant in summary.entrants],
        "table": [_describe_row(row) for row in table.rows],
        "superiority": table.superiority,
        "variance_ratio": table.variance_ratio,
        "notes": table.notes,
        "crosstable": {
            name: {
                other: attrs.asdict(summary.crosstable[name, other])
                for other in summary.names
                if other != name
            }
            for name in summary.names
        },
        "duel": summary.duel and _describe_duel(summary.duel),
        "sprt": summary.verdict and _describe_verdict(summary.verdict),
        "elimination": summary.elimination and _describe_elimination(summary.elimination),
        "errors": [
            {"id": result.game.id, "seats": result.game.seats, "detail": result.detail}
            for result in summary.results
            if result.cause == ERROR
        ],
    }


def _format_lines(value: Any) -> str:
    """Return JSON with each part of a list or object on its own line."""
    if isinstance(value, dict) and value:
        parts = (f"{json.dumps(name)}: {ENCODER.encode(part)}" for name, part in value.items())
        return "{\n  " + ",\n  ".join(parts) + "\n}"
    if isinstance(value, list | tuple) and value:
        return "[\n  " + ",\n  ".join(map(ENCODER.encode, value)) + "\n]"
    return ENCODER.encode(value)


def _round_floats(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {name: _round_floats(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_round_floats(part) for part in value]
    return value


def _describe_row(row: RatingRow) -> dict[str, Any]:
    return {
        "name": row.name,
        **({"standing": row.standing} if row.standing else {}),
        "rating": row.rating and row.rating.value,
        "low": row.rating and row.rating.low,
        "high": row.rating and row.rating.high,
        "games": row.games,
        "score": row.score,
        "place": row.place,
        "seats": [attrs.asdict(seat) for seat in row.seats],
        "places": row.places,
        "causes": dict(sorted(row.causes.items())),
        "faults": row.faults,
        "first_fault": row.first_fault and attrs.asdict(row.first_fault),
        "decisions": row.pace.decisions,
        "moves": row.moves,
    }


def _describe_duel(duel: HeadToHead) -> dict[str, Any]:
    return {name: value for name, value in attrs.asdict(duel).items() if name != "notes"}


def _describe_verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "names": verdict.names,
        "pairs": verdict.pairs,
        "llr": verdict.llr,
        "lower": verdict.hypotheses.lower,
        "upper": verdict.hypotheses.upper,
        "accepted": verdict.accepted,
        "left_out": verdict.left_out,
    }


def _describe_elimination(elimination: Elimination) -> dict[str, Any]:
    return {
        "absent": dict(elimination.absent),
        "rounds": [
            {"round": each.number, "players": each.players, "winners": each.winners}
            for each in elimination.rounds
        ],
        "winners": elimination.winners,
        "ending": elimination.ending,
    }


def _describe_game(result: Result, counts: bool, secret: bytes | None) -> dict[str, Any]:
    game = result.game
    return {
        "id": game.id,
        "pair": game.pair,
        "seats": game.seats,
        "round": game.round,
        "winners": result.winners,
        "points": result.points,
        "places": result.places,
        "cause": result.cause,
        "culprit": result.culprit,
        "detail": result.detail,
        "removed": [attrs.asdict(each) for each in result.removed],
        "reason": result.reason,
        "moves": result.moves,
        "counts": counts,
        "decisions": [seat.decisions for seat in result.thinking],
        "dice_secret": None if secret is None else secret.hex(),
        **({"nonce": result.nonce} if result.nonce else {}),
    }


def _describe_timing(summary: TournamentSummary) -> dict[str, Any]:
    timings = summary.timings
    began = min((timing.began for timing in timings.values()), default=0.0)
    ended = max((timing.ended for timing in timings.values()), default=0.0)
    return {
        "began": round(began, DIGITS),
        "ended": round(ended, DIGITS),
        "seconds": round(ended - began, 3),
        "games_per_second": round(len(timings) / (ended - began), 3) if ended > began else None,
        "settings": summary.run,
        "hosts": _describe_hosts(summary),
        "bots": {
            row.name: {
                "mean_ms": round(row.pace.mean_ms, 3),
                "longest_ms": row.pace.longest_ms,
                "mean_cpu_ms": _round_time(row.pace.mean_cpu_ms),
            }
            for row in sorted(summary.table.rows, key=lambda row: row.name)
        },
        "games": {
            result.game.id: _describe_game_timing(result, timings[result.game.id])
            for result in summary.results
        },
    }


def _round_time(ms: float | None) -> float | None:
    return None if ms is None else round(ms, 3)


def _describe_hosts(summary: TournamentSummary) -> list[dict[str, Any]]:
    rows = {
        row.name: {**attrs.asdict(row), "mean_cpu_ms": _round_time(row.mean_cpu_ms)}
        for row in summary.host_rows
    }
    return [
        {**rows.get(name, {"name": name}), "sandbox": summary.hosts.get(name)}
        for name in {**summary.hosts, **rows}
    ]


def _describe_game_timing(result: Result, timing: GameTiming) -> dict[str, Any]:
    return {
        "began": round(timing.began, DIGITS),
        "ended": round(timing.ended, DIGITS),
        "thinking": [(seat.total_ms, seat.longest_ms) for seat in result.thinking],
        "cpu_ms": [seat.cpu_ms for seat in result.thinking],
        **({"host": timing.host} if timing.host else {}),
    }
