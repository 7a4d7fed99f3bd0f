"""The output that bots print in a tournament: where it is found, and how much is kept."""

from __future__ import annotations

from attrs import evolve

from tabnet.tournament.play.output_logs import FULL, MAX_BYTES, append_output
from tabnet.tournament.records.entrants_and_results import ScheduledGame
from tabnet.tournament.records.journal_lines import LOGS, name_output_log
from tabnet.tournament.report.report_files import write_report
from tabnet.tournament.report.text_report import format_report
from tests.tournament.run_games import play

CHATTERBOX = """\
class Chatterbox:
    def new_game(self, rng):
        print("a new game")

    def choose(self, state, moves, left):
        print(f"{len(moves)} moves", flush=True)
        return moves[0]
"""
GAME = ScheduledGame("a" * 16, 0, ("one", "other"))


async def test_the_summary_names_the_output_of_each_bot_that_prints(tmp_path):
    bot, folder = tmp_path / "chatterbox.py", tmp_path / "it"
    bot.write_text(CHATTERBOX)
    runner = await play(folder, [str(bot), "random"], pairs=2)
    log = (folder / name_output_log("chatterbox")).read_text()
    entries = log.split("--- game ")[1:]
    assert {entry.split(":")[0] for entry in entries} == set(runner.queue.results)
    for entry in entries:
        result = runner.queue.results[entry.split(":")[0]]
        assert entry.count("a new game") == 1
        decisions = result.thinking[result.game.seats.index("chatterbox")].decisions
        assert entry.count(" moves") == decisions
    assert [path.name for path in (folder / LOGS).iterdir()] == ["chatterbox.output.log"]
    summary = write_report(folder)
    assert f"Output of bots: {folder}/logs/chatterbox.output.log" in format_report(
        summary, str(folder)
    )
    assert "Output of bots: logs/chatterbox.output.log" in (folder / "report.html").read_text()


def test_a_log_has_a_limit(tmp_path):
    (tmp_path / LOGS).mkdir()
    log = tmp_path / name_output_log("one")
    for _ in range(MAX_BYTES // 60_000 + 3):
        append_output(tmp_path, GAME, {"one": "é" * 30_000})
    assert MAX_BYTES <= log.stat().st_size < MAX_BYTES + 100
    assert log.read_text().endswith(FULL)
    assert log.read_text().count(FULL) == 1


def test_no_name_of_a_bot_leaves_the_folder_of_logs(tmp_path):
    (tmp_path / LOGS).mkdir()
    names = ["../up", "..", "/etc/x", "a/b", "mybot -v"]
    for name in names:
        append_output(tmp_path, evolve(GAME, seats=(name, "other")), {name: "text"})
    assert len(list((tmp_path / LOGS).iterdir())) == len(names)
    assert (tmp_path / LOGS / "mybot -v.output.log").exists()
