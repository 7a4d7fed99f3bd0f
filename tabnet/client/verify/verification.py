"""Verification of a finished match from its updates alone. Pure.

    verified = verify(updates)    # raises NotVerified: which update, which field, what is right

Everything that can be recomputed is recomputed: the match is replayed by the rules, with the throws
that follow from the revealed secret and the salts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from attrs import frozen

from tabnet.client.verify.clock_bounds import ClockBounds
from tabnet.client.verify.expected_update import SOMETIMES, compute_expected_fields
from tabnet.client.verify.json_diff import ABSENT, quote_json, refuse_value, require_equal
from tabnet.client.verify.replayed_match import ReplayedMatch
from tabnet.errors import NotVerified, TabnetError
from tabnet.games import GAMES
from tabnet.games.api import Game, State
from tabnet.protocol.codec import build_command
from tabnet.protocol.dice import HASH_BYTES, NO_SALT, SECRET_BYTES, Dice, parse_hex
from tabnet.protocol.fields import Clock
from tabnet.protocol.frames import Snapshot
from tabnet.protocol.messages import Join

STRICT_PLAYERS = "strict_players"
HEADING = ("kind", "options", "players", "initial", "timing", "strict")
"""Fields that are the same in every update of a match."""


@frozen
class Verified:
    """The verified facts of a match."""

    game: str
    kind: str
    options: dict[str, Any]
    players: dict[str, str]
    """Nick -> colour, in seat order."""
    events: int
    throws: int
    salted: tuple[str, ...]
    """The players whose salts are in the throws."""
    result: dict[str, Any]


def verify(updates: Iterable[Snapshot]) -> Verified:
    """Check a whole match; raises `NotVerified` for the first error in it.

    First the numbers of the updates are checked, then the first and the last update, then each
    update in order.
    """
    received = list(updates)
    if not received:
        raise NotVerified(1, "there is none, and nothing to verify")
    for seq, update in enumerate(received, 1):
        require_equal(seq, update.seq, seq, "seq")
        require_equal(seq, update.game, received[0].game, "game")
    match = _open_match(received[0], received[-1], len(received))
    clock_bounds = ClockBounds(_check_timing(match.heading["timing"]), match.nicks)
    for update in received:
        _check_update(update, match, clock_bounds)
    return Verified(
        game=match.game,
        kind=match.rules.kind,
        options=match.heading["options"],
        players=match.heading["players"],
        events=match.seq,
        throws=sum(match.throws),
        salted=tuple(nick for nick in match.nicks if nick in match.salts),
        result=received[-1].position["result"],
    )


def _check_update(update: Snapshot, match: ReplayedMatch, clock_bounds: ClockBounds) -> None:
    """Check one update, given that all previous ones are right; raises `NotVerified`."""
    seq, running = match.seq + 1, match.running
    received = update.position
    event = match.apply_update(received)
    right = compute_expected_fields(match, received)
    known = {name: received[name] for name in (*right, *SOMETIMES) if name in received}
    require_equal(seq, known, right)
    clock_bounds.check_clock(seq, received.get("clock", ABSENT), event, running, right["turn"])


def _open_match(first: Snapshot, last: Snapshot, count: int) -> ReplayedMatch:
    if not last.over:
        text = "the match is not over; it can be verified when its last update has come"
        raise NotVerified(count, text, field="winner")
    heading = {name: first.position.get(name, ABSENT) for name in HEADING}
    if type(first.game) is not str:
        refuse_value(1, "game", first.game, "a string")
    rules = _check_kind(heading["kind"])
    options = _check_options(heading["options"], rules)
    nicks = _check_players(heading["players"], rules)
    require_equal(1, heading["initial"], nicks[0], "initial")
    if type(heading["strict"]) is not bool:
        refuse_value(1, "strict", heading["strict"], "true or false")
    if (strict_players := first.position.get(STRICT_PLAYERS)) is not None:
        right = [nick for nick in nicks if type(strict_players) is list and nick in strict_players]
        require_equal(1, strict_players, right, STRICT_PLAYERS)
        heading[STRICT_PLAYERS] = strict_players
    secret = _check_secret(first, last, count) if rules.uses_chance else None
    return ReplayedMatch(
        game=first.game,
        heading=heading,
        rules=rules,
        nicks=nicks,
        state=_start_match(
            rules, options, Dice(first.game, secret or b"", (NO_SALT,) * len(nicks))
        ),
        secret=secret,
        hashes=_check_salt_hashes(first, nicks, rules) if rules.uses_chance else {},
    )


def _check_kind(kind: Any) -> Game:
    if type(kind) is not str or kind not in GAMES:
        refuse_value(1, "kind", kind, f"one of {', '.join(GAMES)}")
    return GAMES[kind]


def _check_options(options: Any, rules: Game) -> Any:
    if type(options) is not dict:
        refuse_value(1, "options", options, "an object")
    try:
        made = rules.make_options(options)
    except TabnetError as error:
        raise NotVerified(1, f"options: {error.text}", field="options") from None
    require_equal(1, options, rules.dump_options(made), "options")
    return made


def _start_match(rules: Game, options: Any, dice: Dice) -> State:
    """Return the first position, on the dealt board if the kind deals one."""
    try:
        return rules.start(options, len(dice.mixes), dice.layout(rules, options))
    except TabnetError as error:
        raise NotVerified(1, f"options: {error.text}", field="options") from None


def _check_players(players: Any, rules: Game) -> list[str]:
    if type(players) is not dict or len(players) not in rules.seats:
        refuse_value(1, "players", players, "a nick and a colour for each seat")
    require_equal(1, players, dict(zip(players, rules.colours, strict=False)), "players")
    return list(players)


def _check_timing(timing: Any) -> Clock:
    """Return the clock of a match; `timing` has the format of a join's clock."""
    try:
        join = build_command({"cmd": "join", "clock": None if timing is ABSENT else timing})
    except TabnetError as error:
        text = f"timing is {quote_json(timing)}, and should be a clock: {error.text}"
        raise NotVerified(1, text, field="timing") from None
    return cast(Clock, cast(Join, join).clock)


def _check_secret(first: Snapshot, last: Snapshot, count: int) -> bytes:
    """Return the secret in the last update, if it fits the commitment in the first one."""
    received = last.position.get("dice_secret", ABSENT)
    bound = first.position.get("dice_commit", ABSENT)
    secret = parse_hex(received, range(SECRET_BYTES, SECRET_BYTES + 1))
    if secret is None or Dice(first.game, secret, ()).commitment() != bound:
        text = (
            f"dice_secret is {quote_json(received)}, and should be the secret that dice_commit "
            f"of update 1, {quote_json(bound)}, stands for"
        )
        raise NotVerified(count, text, field="dice_secret")
    return secret


def _check_salt_hashes(first: Snapshot, nicks: list[str], rules: Game) -> dict[str, bytes]:
    """Return nick -> hash of the salt, for the seats that bring a salt."""
    received = first.position.get("dice_salt_hashes", ABSENT)
    if type(received) is not dict or set(received) != set(nicks):
        right = f"a hash or null for each of {', '.join(nicks)}"
        refuse_value(1, "dice_salt_hashes", received, right)
    if not rules.has_dice:
        require_equal(1, received, dict.fromkeys(received), "dice_salt_hashes")
    hashes = {}
    for nick, digits in received.items():
        found = parse_hex(digits, range(HASH_BYTES, HASH_BYTES + 1))
        if found is not None:
            hashes[nick] = found
        elif digits is not None:
            path = f"dice_salt_hashes.{nick}"
            refuse_value(1, path, digits, "64 hex digits or null")
    return hashes
