"""Throws of whole tournaments: repeated by a seed, secret in the folder, revealed pair by pair."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import pytest

from tabnet.cli import main
from tabnet.protocol.dice import Dice
from tabnet.tournament.play import journal_file as journal
from tabnet.tournament.play.referee_process.messages import encode_message, make_setup_messages
from tabnet.tournament.play.runner import Runner
from tabnet.tournament.play.tournament_folder import create_tournament, resume_tournament
from tabnet.tournament.records.journal_lines import GAMES, JOURNAL
from tabnet.tournament.records.throw_secrets import TournamentSecret, hash_seed
from tabnet.tournament.report.report_files import write_report
from tests.protocol_page import dice_lines
from tests.tournament.run_games import faulty, go_on, play, run_settings_in, settings

pytestmark = pytest.mark.slow

BOTS = ["first", "random"]
RECORDED = Path(__file__).with_name("recorded_tournament")


async def resume(folder, added=()):
    with resume_tournament(folder, added) as tournament:
        return await go_on(tournament, run_settings_in(folder))


def results(folder):
    write_report(folder)
    values = json.loads((folder / "results.json").read_text())
    del values["timing"]
    return values


def records(folder):
    return {path.name: path.read_bytes() for path in (folder / GAMES).iterdir()}


def secret_line(folder):
    first, *_ = (folder / JOURNAL).read_bytes().splitlines()
    return bytes.fromhex(json.loads(first)["secret"])


async def test_a_seed_repeats_every_byte_and_no_seed_repeats_nothing(tmp_path):
    one, same, unnamed, other = (tmp_path / name for name in ("one", "same", "unnamed", "other"))
    for folder, seed in ((one, "spring"), (same, "spring"), (unnamed, None), (other, None)):
        await play(folder, BOTS, seed=seed)
    assert results(one) == results(same)
    assert records(one) == records(same)
    assert not records(unnamed).keys() & records(other).keys()
    assert secret_line(one) == hash_seed("spring")
    assert len({secret_line(folder) for folder in (one, unnamed, other)}) == 3
    assert results(unnamed)["tournament"]["seed"] is None


@pytest.mark.parametrize("seed", ["spring", None])
async def test_no_other_file_contains_the_secret_and_only_its_owner_reads_the_journal(
    tmp_path, seed
):
    await play(tmp_path, [*BOTS, faulty("dies_of_a_signal")], seed=seed)
    write_report(tmp_path)
    secret = secret_line(tmp_path)
    journal_path = tmp_path / JOURNAL
    assert stat.S_IMODE(journal_path.stat().st_mode) == 0o600
    forms = (secret, secret.hex().encode(), secret.hex().upper().encode())
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path != journal_path]
    assert {"results.json", "report.html", "games.csv"} <= {path.name for path in files}
    assert {".json", ".log"} <= {path.suffix for path in files}
    for path in files:
        assert not any(form in path.read_bytes() for form in forms), path


def test_a_journal_that_others_could_read_becomes_private_with_its_secret(tmp_path):
    (tmp_path / JOURNAL).touch(mode=0o644)
    with create_tournament(tmp_path, settings(seed=None), BOTS):
        assert stat.S_IMODE((tmp_path / JOURNAL).stat().st_mode) == 0o600


async def test_the_lines_of_the_protocol_compute_what_the_results_reveal(tmp_path):
    run = await play(tmp_path, BOTS, seed=None, pairs=2)
    lines, secret = dice_lines(), secret_line(tmp_path)
    games = results(tmp_path)["games"]
    assert len({game["dice_secret"] for game in games}) == 2
    for game in games:
        assert game["dice_secret"] == lines["compute_dice_secret"](secret, game)
        dice = Dice(game["id"], bytes.fromhex(game["dice_secret"]), ())
        assert lines["compute_dice_commit"](game) == dice.commitment()
    assert lines["hash_seed"]("spring") == hash_seed("spring")
    assert run.queue.plan.secrets == (TournamentSecret(secret),)


async def test_a_half_played_pair_reveals_nothing_and_is_finished_with_the_same_throws(tmp_path):
    whole, half = tmp_path / "whole", tmp_path / "half"
    await play(whole, BOTS, seed=None)
    shutil.copytree(whole, half)
    lines = (half / JOURNAL).read_bytes().splitlines(keepends=True)
    (half / JOURNAL).write_bytes(b"".join(lines[:-1]))
    assert [game["dice_secret"] for game in results(half)["games"]] == [None]
    await resume(half)
    assert results(half)["games"] == results(whole)["games"]
    assert records(half) == records(whole)


async def test_bots_that_are_added_play_throws_that_no_file_has_revealed(tmp_path):
    await play(tmp_path, BOTS, seed=None)
    before = {game["dice_secret"] for game in results(tmp_path)["games"]}
    await resume(tmp_path, ["greedy"])
    games = results(tmp_path)["games"]
    added = {game["dice_secret"] for game in games if "greedy" in game["seats"]}
    assert len(before) == 1
    assert len(added) == 2
    assert not before & added
    assert len(journal.read_journal_file(tmp_path).secrets) == 1


async def test_a_journal_of_an_older_version_is_finished_with_its_own_throws(tmp_path, monkeypatch):
    shutil.copytree(RECORDED, tmp_path, dirs_exist_ok=True)
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    assert b'"version":1' in lines[2]
    (tmp_path / JOURNAL).write_bytes(b"".join(lines[:-2]))
    for line in lines[-2:]:
        id = json.loads(line)["result"]["game"]["id"]
        (tmp_path / GAMES / f"{id}.json").unlink()
    monkeypatch.chdir(tmp_path)  # where its bots are
    assert (await resume(tmp_path)).played == 2
    assert {name: actions(line) for name, line in records(tmp_path).items()} == {
        name: actions(line) for name, line in records(RECORDED).items()
    }
    assert {game["dice_secret"] for game in results(tmp_path)["games"]} == {None}


def actions(line):
    return json.loads(line)["actions"]


def test_a_remote_bot_brings_random_throws_whatever_the_seed(tmp_path):
    secrets = []
    for name in ("one", "other"):
        with create_tournament(tmp_path / name, settings(), ["first", "remote:zoe"]) as tournament:
            (secret,) = tournament.queue.plan.secrets
        assert secret.value == secret_line(tmp_path / name)
        secrets.append(secret.value)
    assert len({*secrets, hash_seed(settings()["seed"])}) == 3


def test_a_remote_bot_that_is_added_brings_random_throws_once(tmp_path):
    with create_tournament(tmp_path, settings(), BOTS):
        pass
    (tmp_path / JOURNAL).chmod(0o644)
    for added in (["greedy"], ["remote:zoe"], ["remote:yan", "greedy"], []):
        with resume_tournament(tmp_path, added) as tournament:
            plan = tournament.queue.plan
    assert plan.names == ("first", "random", "greedy", "zoe", "yan", "greedy 2")
    assert [secret.first for secret in plan.secrets] == [0, 3]
    assert plan.secrets[0].value == hash_seed(settings()["seed"]) != plan.secrets[1].value
    assert plan.find_secret(["first", "greedy"]) == plan.secrets[0].value
    assert plan.find_secret(["first", "greedy 2"]) == plan.secrets[1].value
    assert stat.S_IMODE((tmp_path / JOURNAL).stat().st_mode) == 0o600


def verify(capsys, path):
    code = main(["verify", str(path)])
    return code, capsys.readouterr()


async def test_a_game_of_a_tournament_is_verified_when_its_pair_is_over(tmp_path, capsys):
    await play(tmp_path, BOTS, seed=None)
    first, second = sorted((tmp_path / GAMES).iterdir())
    code, shown = verify(capsys, first)
    assert (code, shown.out) == (1, "")
    assert shown.err.startswith(f"tabnet: cannot read {tmp_path / 'results.json'}: ")
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join(lines[:-1]))
    write_report(tmp_path)
    errors = {verify(capsys, path)[1].err.partition("results.json ")[2] for path in (first, second)}
    assert {error.partition(" secret")[0] for error in errors} == {
        "does not reveal the",
        "has no",
    }
    (tmp_path / JOURNAL).write_bytes(b"".join(lines))
    write_report(tmp_path)
    code, shown = verify(capsys, first)
    assert (code, shown.err) == (0, "")
    assert "throws: all follow from the secret in results.json." in shown.out
    first.write_bytes(first.read_bytes().replace(b"=1 ", b"=2 ", 1))
    code, shown = verify(capsys, first)
    assert (code, shown.out) == (1, "")
    assert "the throw is =2, and should be =1" in shown.err


async def test_a_game_of_draughts_and_a_dealt_board_are_verified(tmp_path, capsys):
    for kind, options, text in (
        ("draughts", {}, "actions: every one is legal."),
        ("fish", {}, "The dealt board follows from the secret in results.json."),
    ):
        await play(tmp_path / kind, BOTS, kind=kind, options=options)
        write_report(tmp_path / kind)
        code, shown = verify(capsys, next((tmp_path / kind / GAMES).iterdir()))
        assert (code, shown.err) == (0, "")
        assert text in shown.out


def test_a_file_that_is_no_record_cannot_be_verified(tmp_path, capsys):
    (tmp_path / "x.json").write_text("[]")
    code, shown = verify(capsys, tmp_path / "x.json")
    assert (code, shown.out) == (1, "")
    assert shown.err.startswith(
        f"tabnet: {tmp_path / 'x.json'} cannot be read: no record of a game"
    )


@pytest.mark.parametrize("seed", ["spring", None])
def test_a_referee_receives_neither_the_seed_nor_the_secret_of_the_tournament(tmp_path, seed):
    with create_tournament(tmp_path, settings(seed=seed), BOTS) as tournament:
        runner = Runner(tournament, run_settings_in(tmp_path))
    sent = b"".join(
        encode_message(message)
        for message in make_setup_messages(runner.referee_settings, (0,), tmp_path, 1.0)
    )
    assert b"round-robin" in sent
    assert secret_line(tmp_path) not in sent
    assert b"spring" not in sent
