"""The runner: the same results whatever the concurrency, and nothing that bots should not know."""

from __future__ import annotations

import json
from functools import partial

import trio

from tabnet.protocol.dice import Dice
from tabnet.server.core.matches.match import Match
from tabnet.tournament.play import journal_file as journal
from tabnet.tournament.play.bots.bot_process import BotProcess
from tabnet.tournament.play.referee.player import TournamentPlayer
from tabnet.tournament.play.referee.referee import Referee
from tabnet.tournament.play.referee.transcript import RecordedTransport
from tabnet.tournament.records.journal_lines import GAMES, JOURNAL
from tests.polling import until_async
from tests.tournament.run_games import TEST_S, faulty, nobody_left, play
from tests.tournament.run_results import results_without_times

BOTS = ["first", "greedy", "random"]


async def test_results_do_not_depend_on_concurrency(tmp_path, monkeypatch):
    runs = []
    for concurrency in (1, 3):
        folder = tmp_path / str(concurrency)
        folder.mkdir()
        with nobody_left(monkeypatch):
            runs.append(
                results_without_times(await play(folder, BOTS, pairs=2, concurrency=concurrency))
            )
    assert len(runs[0]) == 12
    assert runs[0] == runs[1]


async def test_the_cpu_time_of_a_process_is_measured_beside_its_time(tmp_path, monkeypatch):
    (tmp_path / "slow.py").write_text(
        "import time\ndef choose(state, moves, left):\n    time.sleep(0.01)\n    return moves[0]\n"
    )
    (tmp_path / "busy.py").write_text(
        "import time\ndef choose(state, moves, left):\n    end = time.process_time() + 0.01\n"
        "    while time.process_time() < end:\n        pass\n    return moves[0]\n"
    )
    sources = [str(tmp_path / "slow.py"), str(tmp_path / "busy.py")]
    with nobody_left(monkeypatch):
        runner = await play(tmp_path / "it", sources, most=100)
    for result in runner.queue.results.values():
        times = dict(zip(result.game.seats, result.thinking, strict=True))
        slow, busy = times["slow"], times["busy"]
        assert min(slow.mean_ms, busy.mean_ms) >= 10
        assert 0 < slow.mean_cpu_ms < 5
        assert busy.mean_cpu_ms >= 10


async def test_crashes_remove_a_bot_at_the_same_game_for_every_concurrency(tmp_path, monkeypatch):
    runs = []
    for concurrency in (1, 4):
        folder = tmp_path / str(concurrency)
        folder.mkdir()
        with nobody_left(monkeypatch):
            sources = ["first", faulty("crashes_at_move_20"), "greedy"]
            runs.append(
                results_without_times(await play(folder, sources, pairs=2, concurrency=concurrency))
            )
    assert [result.cause for result in runs[0].values()].count("crash") == 3
    assert runs[0] == runs[1]


async def test_the_games_of_a_pair_have_the_same_throws_and_are_played_by_different_processes(
    tmp_path, monkeypatch
):
    create_tournament = []
    start = Match.start.__func__

    def remember(cls, *args, **options):
        match = start(cls, *args, **options)
        create_tournament.append(match)
        return match

    monkeypatch.setattr(Match, "start", classmethod(remember))
    with nobody_left(monkeypatch):
        await play(tmp_path, ["first", "random"], pairs=3, concurrency=2)
    pairs = {}
    for match in create_tournament:
        pairs.setdefault(match.dice.secret, []).append(match)
    assert [len(pair) for pair in pairs.values()] == [2] * 3
    for one, other in pairs.values():
        assert one.id != other.id
        assert one.dice.commitment() != other.dice.commitment()
        assert [nick.rpartition(".")[0] for nick in one.nicks] == [
            nick.rpartition(".")[0] for nick in reversed(other.nicks)
        ]
        assert not {*one.nicks} & {*other.nicks}
        for seat in (0, 1):
            throws = [Dice.throw(match.dice, match.terms.game, seat, 5) for match in (one, other)]
            assert throws[0] == throws[1]


async def test_a_long_game_is_stopped_as_a_draw(tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", "random"], most=50)
    for result in runner.queue.results.values():
        assert (result.cause, result.winners, result.moves) == ("max_moves", (), 50)
        kept = json.loads((tmp_path / GAMES / f"{result.game.id}.json").read_bytes())
        assert kept["players"] == list(result.game.seats)
        assert len(kept["actions"].split()) == 50


async def test_draughts_are_played_with_a_clock_for_the_whole_game(tmp_path, monkeypatch):
    terms = {"kind": "draughts", "options": {}, "clock": {"total": 30, "increment": 0.1}}
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", "random"], **terms)
    assert {result.cause for result in runner.queue.results.values()} <= {"normal", "draw"}


async def test_a_cancelled_run_leaves_no_process_and_no_partial_line(tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        bots = [*BOTS, faulty("ignores_sigterm")]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(play, tmp_path, bots, pairs=50, concurrency=3))
            await until_async((tmp_path / JOURNAL).exists)
            await until_async(lambda: journal.read_journal_file(tmp_path).results)
            nursery.cancel_scope.cancel()


async def test_processes_are_kept_warm_between_games(tmp_path, monkeypatch):
    started = []
    run = BotProcess.run

    async def count(process):
        started.append(process)
        await run(process)

    monkeypatch.setattr(BotProcess, "run", count)
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", "random"], pairs=5, concurrency=1)
    assert len(runner.queue.results) == 10
    assert len(started) == 4


async def test_a_player_that_hangs_up_before_its_game_begins_is_to_blame(tmp_path, monkeypatch):
    begin_game = TournamentPlayer.begin_game

    def hang_up(player, playing):
        begin_game(player, playing)
        if player.name == "random":
            running[0].match_server._assigned_games._asking.pop(player.nick)

    running = []
    monkeypatch.setattr(TournamentPlayer, "begin_game", hang_up)
    init = Referee.__init__

    def remember(referee, *args):
        init(referee, *args)
        running.append(referee)

    monkeypatch.setattr(Referee, "__init__", remember)
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", "random"])
    for result in runner.queue.results.values():
        assert result.cause == "start_failed"
        assert result.game.seats[result.culprit] == "random"


async def test_a_bot_receives_a_turn_for_each_decision(tmp_path, monkeypatch):
    sent = []
    send = RecordedTransport.send

    def count(transport, data):
        sent.append(bytes(data))
        return send(transport, data)

    monkeypatch.setattr(RecordedTransport, "send", count)
    monkeypatch.setattr("tabnet.tournament.play.referee.batching_outbox.MAX_DELAY_S", TEST_S)
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", "random"], concurrency=1)
    asked = sum(
        seat.decisions for result in runner.queue.results.values() for seat in result.thinking
    )
    frames = b"".join(sent)
    games = len(runner.queue.results)
    assert asked <= frames.count(b'"type":"turn"') <= asked + games
    assert frames.count(b'"type":"update"') == 4 * games  # each bot, the first and the last one
