"""The situations that a bot has to master before it is let into a tournament.

Each is a short script of a trial. It raises `CheckFailed` at the first thing the bot does that
would cost it a game, or keep others waiting.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import trio
from attrs import evolve, frozen

from tabnet.errors import StartError
from tabnet.games import GAMES
from tabnet.games.check_positions import CheckPosition
from tabnet.protocol.fields import Clock
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import Terms
from tabnet.server.net.server_clock import ServerClock
from tabnet.tournament.check.bot_monitor import CheckFailed
from tabnet.tournament.check.game_setup import GameSetup
from tabnet.tournament.check.trial import BOT, Trial, open_trial
from tabnet.tournament.play.bots.entrants import BotProgram, find_bots
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.bots.process_settings import USUAL, ProcessSettings

QUIET_S = 0.3
"""How long to listen for what should not come."""
WAIT_S = 1.5
"""How long a bot is kept waiting."""
SHORT_S = 1.5
"""The time for the whole game in a situation without much."""


@frozen
class Situation:
    """Something that happens to bots."""

    name: str
    setup: GameSetup
    script: Callable[[Trial], Awaitable[None]]


@frozen
class SituationResult:
    """The behaviour of a bot in a situation."""

    name: str
    mistake: CheckFailed | None
    output: str
    """The output of its process."""


def check_bot(
    source: str,
    kind: str,
    options: dict[str, Any],
    patience: float,
    settings: ProcessSettings = USUAL,
    on_begin: Callable[[str, int, int], object] = lambda _name, _number, _count: None,
) -> Iterator[SituationResult]:
    """Yield what the bot does in each situation, up to a mistake that would only be repeated.

    `on_begin` receives the name of each situation before it begins, its number, and the number of
    all. Raises `StartError` for a bot that cannot be started or loaded.
    """
    (bot,) = find_bots([source])
    if bot.is_remote:
        raise StartError(f"{source} cannot be checked", hint="a bot that runs on this machine")
    situations = make_situations(kind, options)
    for number, situation in enumerate(situations, 1):
        on_begin(situation.name, number, len(situations))
        result = run_situation(bot, situation, patience, settings)
        yield result
        if result.mistake is not None and result.mistake.ends_check:
            return


def run_situation(
    bot: BotProgram, situation: Situation, patience: float, settings: ProcessSettings = USUAL
) -> SituationResult:
    """Put a bot into a situation; raises `StartError` if its file cannot be loaded."""
    local_bots = LocalBots.create()
    try:
        run = partial(_run_situation, bot, local_bots, situation, patience, settings)
        return trio.run(run, clock=ServerClock())
    finally:
        local_bots.remove()


async def _run_situation(
    bot: BotProgram,
    local_bots: LocalBots,
    situation: Situation,
    patience: float,
    settings: ProcessSettings,
) -> SituationResult:
    mistake: CheckFailed | None = None
    start_error: StartError | None = None
    async with open_trial(bot, local_bots, situation.setup, patience, settings) as trial:
        try:
            await trial.wait_for_connection()
            await situation.script(trial)
        except CheckFailed as failure:
            mistake = failure
        except StartError as error:  # outside of the block it would be in a group of exceptions
            start_error = error
    if start_error is not None:
        raise start_error
    return SituationResult(situation.name, mistake, trial.read_output())


def make_situations(kind: str, options: dict[str, Any]) -> list[Situation]:
    game = GAMES[kind]
    made = game.make_options(options)
    terms = Terms(kind, made, seats=2, clock=Clock(**game.clock), group=1)
    setup = GameSetup(terms)
    hurry = GameSetup(evolve(terms, clock=Clock(total=SHORT_S)))
    common = [
        Situation("a whole game, and another one", setup, _play_whole_game),
        Situation("a long wait for an opponent", setup, _wait_long),
        Situation("players come and go", setup, _reconnect_opponent),
        Situation("unknown fields and frames", GameSetup(terms, is_odd=True), _play_some_moves),
        Situation("the opponent leaves", setup, _let_opponent_resign),
        Situation("the connection is lost and resumed", setup, _cut_bot_connection),
        Situation("little time is left", hurry, _play_one_move),
        Situation("the server hangs up", setup, _disconnect_all),
    ]
    if not any(each.draw_offered for each in game.check_positions):
        common.append(Situation("a draw is offered", setup, _offer_draw))
    return common + [_make_position_situation(each, terms) for each in game.check_positions]


def _make_position_situation(check: CheckPosition, terms: Terms) -> Situation:
    position = check.position(terms.options) if check.position else None
    setup = GameSetup(terms, bot_is_auto=False, position=position, throws=check.throws)
    return Situation(check.name, setup, partial(_play_position, check))


# Scripts


def _has_moved(count: int) -> Callable[[Match], bool]:
    return _has_caused("move", count)


def _has_caused(event: str, count: int) -> Callable[[Match], bool]:
    """Return a test: the bot has caused so many events of this type."""

    def is_reached(match: Match) -> bool:
        events = (moment.event == event and moment.seat == BOT for moment in match.moments)
        return sum(events) >= count

    return is_reached


async def _play_whole_game(trial: Trial) -> None:
    await trial.begin_when_asked()
    await trial.play(lambda match: match.result is not None, "the end of the game")
    await trial.wait_for_join()


async def _play_some_moves(trial: Trial) -> None:
    await trial.begin_when_asked()
    await trial.play(_has_moved(3), "three moves")


async def _play_one_move(trial: Trial) -> None:
    await trial.begin_when_asked()
    await trial.play(_has_moved(1), "a move")
    await trial.require_quiet(QUIET_S)


async def _wait_long(trial: Trial) -> None:
    await trial.wait_for_join()
    await trial.require_quiet(WAIT_S)
    await trial.begin()
    await trial.play(_has_moved(1), "a move")


async def _reconnect_opponent(trial: Trial) -> None:
    await trial.wait_for_join()
    with trial.hold_frames():
        await trial.begin()
        await trial.reconnect_opponent()
    await trial.play(_has_moved(1), "a move")
    await trial.reconnect_opponent()
    await trial.play(_has_moved(2), "a move")
    await trial.require_quiet(QUIET_S)


async def _offer_draw(trial: Trial) -> None:
    await _begin_with_draw_offer(trial)
    await trial.play(_has_moved(1), "a move")
    await trial.require_quiet(QUIET_S)


async def _begin_with_draw_offer(trial: Trial) -> None:
    """Let the bot see the offer before it can act."""
    await trial.wait_for_join()
    with trial.hold_frames():
        await trial.begin()
        await trial.offer_draw()


async def _let_opponent_resign(trial: Trial) -> None:
    await trial.begin_when_asked()
    await trial.play(_has_moved(2), "two moves")
    await trial.let_opponent_resign()
    await trial.wait_for_join()


async def _cut_bot_connection(trial: Trial) -> None:
    await trial.begin_when_asked()
    await trial.play(_has_moved(1), "a move")
    if trial.match.result is None:
        await trial.reconnect_bot()
        await trial.play(_has_moved(3), "a move after the connection was lost")
    await trial.require_quiet(QUIET_S)


async def _disconnect_all(trial: Trial) -> None:
    await trial.wait_for_join()
    trial.server.disconnect_all()
    ending = await trial.wait_for_exit()
    if not ending:
        raise CheckFailed("it did not end when the server hung up")
    if ending != "exit code 0":
        raise CheckFailed(f"it ended with {ending} when the server hung up; exit code 0 is right")


async def _play_position(check: CheckPosition, trial: Trial) -> None:
    if check.draw_offered:
        await _begin_with_draw_offer(trial)
    else:
        await trial.begin_when_asked()
    for event, count, expected in check.steps:
        await trial.play(_has_caused(event, count), expected)
    if check.quiet_after:
        await trial.require_quiet(QUIET_S)
