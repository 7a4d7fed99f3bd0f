"""A failed referee costs no bot a game: its games are played again, with the same throws."""

from __future__ import annotations

import itertools
import logging
import os
import re
import signal
import sys
from functools import cache

import attrs
import pytest
import trio
import trio.lowlevel

from tabnet.cli import main
from tabnet.errors import StartError
from tabnet.games import GAMES as KINDS
from tabnet.games.tab import TabState
from tabnet.server.core.matches.match import Match
from tabnet.server.net.certificate import Identity, ensure_own_files
from tabnet.tournament.plan.plan import derive_secret
from tabnet.tournament.play import journal_file as journal
from tabnet.tournament.play.referee.match_server import MatchServer
from tabnet.tournament.play.referee.referee import Referee
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_process import parent
from tabnet.tournament.play.runner import Runner
from tabnet.tournament.play.tournament_folder import create_tournament, resume_tournament
from tabnet.tournament.records.journal_lines import LOGS, encode_failure
from tests.polling import until_async
from tests.tournament.run_games import TEST_S, go_on, nobody_left, play, run_settings_in, settings
from tests.tournament.run_results import results_without_times

pytestmark = pytest.mark.slow

BOTS = ["first", "greedy", "random"]


def apart(folder, games, **more):
    """So many games at once, in two referee processes."""
    here = min(os.sched_getaffinity(0))
    return attrs.evolve(run_settings_in(folder, games), **{"shares": ((here,), (here,)), **more})


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The results of a tournament in which no referee fails."""
    return results_without_times(trio.run(play, tmp_path_factory.mktemp("undisturbed"), BOTS))


async def disturbed(folder, disturb, **more):
    """The same tournament in referee processes; `disturb` gets its runner."""
    with create_tournament(folder, settings(), BOTS) as tournament:
        run_settings = apart(folder, 3, **more)
        runner = Runner(tournament, run_settings)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(disturb, runner)
            with trio.fail_after(TEST_S):
                await runner.run()
    return runner


async def leave_alone(_):
    """Disturb nothing."""


async def playing_referee(runner, number=0):
    """Wait until the referee process of a slot has a game to play; return the process's id.

    Three games at once leave none of two referees without one.
    """

    def pid():
        if len(runner.queue.running) < 3 or len(runner.slots.of_processes) <= number:
            return None
        referee = runner.slots.of_processes[number].referee
        return referee.pid if referee is not None else None

    return await until_async(pid)


def failures(folder):
    """By game, how its referee failed."""
    return dict(journal.read_journal_file(folder).failures)


async def test_a_killed_referee_process_changes_no_result(tmp_path, monkeypatch, undisturbed):
    async def kill_both(runner):
        for number in (0, 1):
            os.kill(await playing_referee(runner, number), signal.SIGKILL)

    with nobody_left(monkeypatch):
        runner = await disturbed(tmp_path, kill_both)
    assert results_without_times(runner) == undisturbed
    texts = {text for of_one in failures(tmp_path).values() for text in of_one}
    assert texts == {"a referee process ended unexpectedly, killed by SIGKILL"}
    for game in failures(tmp_path):
        assert "SIGKILL" in (tmp_path / LOGS / f"{game}.failure-1.log").read_text()


async def test_a_silent_referee_process_is_replaced(tmp_path, monkeypatch, undisturbed):
    async def stop_one(runner):
        os.kill(await playing_referee(runner), signal.SIGSTOP)

    monkeypatch.setattr(parent, "MAX_SILENCE_S", 3)
    with nobody_left(monkeypatch):
        runner = await disturbed(tmp_path, stop_one)
    assert results_without_times(runner) == undisturbed
    assert {text for of_one in failures(tmp_path).values() for text in of_one} == {
        "a referee process did not answer for 3 s"
    }


# Exceptions in the runner's own process


def failing(owner, name, should_fail):
    """Let a method raise whenever `should_fail` says so, given its arguments."""
    method = owner.__dict__[name]
    function = getattr(method, "__func__", method)

    def wrapped(*args, **options):
        if should_fail(*args):
            raise ArithmeticError("the rules are broken")
        return function(*args, **options)

    return classmethod(wrapped) if isinstance(method, classmethod) else wrapped


def at_call(*numbers):
    """Say yes at the calls with these numbers."""
    calls = itertools.count(1)
    return lambda *_: next(calls) in numbers


PLACES = {
    "while a move is made": (Match, "take", at_call(30)),
    "in the rules": (type(KINDS["tab"]), "interpret", at_call(30)),
    "while a match starts": (Match, "start", at_call(2)),
    "while a query is answered": (TabState, "actions", at_call(200)),
    "while a referee plays": (Referee, "_play", at_call(3)),
}


@pytest.mark.parametrize("place", PLACES)
async def test_an_exception_fails_one_game_once(place, tmp_path, monkeypatch, undisturbed):
    owner, name, should_fail = PLACES[place]
    monkeypatch.setattr(owner, name, failing(owner, name, should_fail))
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, BOTS)
    assert results_without_times(runner) == undisturbed
    (texts,) = failures(tmp_path).values()
    assert texts == ("ArithmeticError: the rules are broken",)
    (game,) = failures(tmp_path)
    assert "Traceback" in (tmp_path / LOGS / f"{game}.failure-1.log").read_text()


async def test_an_exception_outside_games_fails_all_that_run(tmp_path, monkeypatch, undisturbed):
    monkeypatch.setattr(MatchServer, "run", raising_later(MatchServer.run))
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, BOTS)
    assert results_without_times(runner) == undisturbed
    assert 1 <= len(failures(tmp_path)) <= 2


def raising_later(run):
    """Let a referee's own task raise once, when games are being played."""
    runs = itertools.count(1)

    async def wrapped(match_server):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run, match_server)
            if next(runs) == 1:
                await until_async(lambda: any(match_server.moves.values()))
                raise ArithmeticError("a task of the referee is broken")

    return wrapped


@pytest.mark.parametrize("about", ["no game", "one game"])
async def test_an_error_that_the_server_logs_fails_its_games(
    about, tmp_path, monkeypatch, undisturbed
):
    with nobody_left(monkeypatch), create_tournament(tmp_path, settings(), BOTS) as tournament:
        runner = Runner(tournament, run_settings_in(tmp_path))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(runner.run)
            (game, *_) = await until_async(
                lambda: [id for id in tournament.queue.running if runner.slots.count_moves(id) > 5]
            )
            fields = {} if about == "no game" else {"game": game}
            logging.getLogger("tabnet").error("the server failed", extra={"fields": fields})
    assert results_without_times(runner) == undisturbed
    assert game in failures(tmp_path)
    assert about == "no game" or len(failures(tmp_path)) == 1
    assert set(failures(tmp_path).values()) == {("the server failed",)}


async def test_a_match_that_cannot_even_be_closed_is_forgotten(tmp_path, monkeypatch, undisturbed):
    monkeypatch.setattr(Match, "take", failing(Match, "take", at_call(30)))
    monkeypatch.setattr(Match, "end", failing(Match, "end", lambda *_: True))
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, BOTS)
    assert results_without_times(runner) == undisturbed
    assert len(failures(tmp_path)) == 1


async def test_a_remote_bot_plays_the_failed_game_again(tmp_path, monkeypatch):
    monkeypatch.setattr(Match, "take", failing(Match, "take", at_call(30)))
    announced, secrets = [], []

    def derive(*about):
        secrets.append(derive_secret(*about))
        return secrets[-1]

    monkeypatch.setattr("tabnet.tournament.play.runner.derive_secret", derive)
    identity = cache(lambda: Identity(ensure_own_files(tmp_path / "keys")))
    with (
        nobody_left(monkeypatch),
        create_tournament(tmp_path, settings(), ["first", "remote:zp"]) as tournament,
    ):
        run_settings = attrs.evolve(
            run_settings_in(tmp_path, 1), remote_ports=RemotePorts(identity, announced.append)
        )
        async with trio.open_nursery() as nursery:

            async def be_zp():
                (line,) = await until_async(lambda: announced)
                called = r"waiting for zp at (\S+) with TLS, .*sha256:(\w+), password (\w+)"
                address, fingerprint, password = re.search(called, line).groups()
                options = ["--server", address, "--fingerprint", fingerprint, "--games", "3"]
                who = ["--nick", "zp", "--password", password]
                command = [sys.executable, "-m", "tabnet", "bot", "random", *options, *who]
                await trio.run_process(command, capture_stdout=True)

            nursery.start_soon(be_zp)
            runner = await go_on(tournament, run_settings)
    assert [result.cause for result in results_without_times(runner).values()] == ["normal"] * 2
    assert len(failures(tmp_path)) == 1
    assert len(secrets) == len(set(secrets)) == 3, "it has seen the throws of the failed game"


def in_game(game):
    """Say yes whenever it is about this game."""
    return lambda match, *_: match.id == game


def without(results, *games):
    return {game: result for game, result in results.items() if game not in games}


async def test_a_game_that_always_fails_does_not_count(tmp_path, monkeypatch, undisturbed):
    game = min(undisturbed)
    monkeypatch.setattr(Match, "take", failing(Match, "take", in_game(game)))
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, BOTS)
    results = results_without_times(runner)
    assert without(results, game) == without(undisturbed, game)
    assert (results[game].cause, results[game].winners) == ("error", ())
    assert results[game].detail == "ArithmeticError: the rules are broken"
    assert failures(tmp_path) == {game: (results[game].detail,) * 3}
    with resume_tournament(tmp_path) as tournament:
        again = await go_on(tournament, run_settings_in(tmp_path))
    assert again.played == 0
    assert results_without_times(again)[game].cause == "error"


async def test_failures_before_a_resumption_count(tmp_path, monkeypatch, undisturbed):
    game = min(undisturbed)
    monkeypatch.setattr(Match, "take", failing(Match, "take", in_game(game)))
    with create_tournament(tmp_path, settings(), BOTS) as tournament:
        for _ in range(2):
            tournament.journal.add_line(encode_failure(game, "an earlier one"))
    with nobody_left(monkeypatch), resume_tournament(tmp_path) as tournament:
        runner = await go_on(tournament, run_settings_in(tmp_path))
    assert results_without_times(runner)[game].cause == "error"
    assert len(failures(tmp_path)[game]) == 3


# Exceptions in referee processes


@pytest.mark.parametrize(
    ("way", "text"),
    [
        ("raise", "ArithmeticError: the rules are broken"),
        ("exit", "a referee process ended unexpectedly, exit code 7: the last words"),
    ],
)
async def test_one_game_that_always_fails_costs_no_other_game(
    way, text, tmp_path, monkeypatch, undisturbed
):
    game = min(undisturbed)
    monkeypatch.setattr(parent, "CHILD_MODULE", "tests.tournament.failing_child")
    monkeypatch.setenv("TEST_FAILING_WAY", way)
    monkeypatch.setenv("TEST_FAILING_GAME", game)
    with nobody_left(monkeypatch):
        one_process = (tuple(os.sched_getaffinity(0)),)
        runner = await disturbed(tmp_path, leave_alone, shares=one_process)
    results = results_without_times(runner)
    assert without(results, game) == without(undisturbed, game)
    assert (results[game].cause, results[game].detail) == ("error", text)
    assert failures(tmp_path)[game] == (text,) * 3


async def test_a_referee_process_that_cannot_start_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(parent, "CHILD_MODULE", "tests.no_such_module")
    named = pytest.RaisesExc(StartError, match="the referee fails before any game: .*exit code 1")
    with pytest.RaisesGroup(named, flatten_subgroups=True):
        await disturbed(tmp_path, leave_alone)


# The command


@pytest.mark.parametrize(("more", "code"), [([], 1), (["--tolerate"], 0)])
def test_the_exit_code_is_that_of_a_failure(more, code, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "it"
    monkeypatch.setattr(Match, "take", failing(Match, "take", lambda *_: True))
    command = ["tournament", "first", "random", "--pairs", "1", "--size", "7", *more]
    assert main([*command, "--concurrency", "1", "--out", str(folder)]) == code
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
    assert said.out.count("counts for nobody: its referee failed 3 times.") == 2
