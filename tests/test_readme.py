"""README and the chapters of the manual are true: commands, programs, facts and links."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tabnet import __version__
from tabnet.cli import main, make_parser
from tabnet.cli.help import TOPICS, find_chapter, list_kinds
from tabnet.client.bot_file import load_bot
from tabnet.games import GAMES
from tabnet.games.api import Move, State
from tabnet.tournament.plan.plan import FORMATS
from tabnet.tournament.records.entrants_and_results import CAUSES
from tabnet.tournament.stats.sprt import MODELS, Hypotheses
from tests.cli.processes import serving
from tests.packaging.readme_bot import readme_bot
from tests.polling import TIMEOUT_S

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CONTRIBUTING = ROOT / ".github" / "CONTRIBUTING.md"
PAGES = [README, CONTRIBUTING, *sorted((ROOT / "tabnet").rglob("*.md"))]

MAX_README_LINES = 300
MAX_PICTURE_BYTES = 60_000
ON_A_SERVER = "<!-- on a server -->\n"
A_TOURNAMENT = "<!-- a tournament -->\n"


def page_name(path):
    return str(path.relative_to(ROOT))


def read(path):
    return path.read_text(encoding="utf-8")


def docs(topic):
    return read(find_chapter(topic))


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def section(text, heading):
    """Return the text below a heading, up to the next heading of any level."""
    (found,) = re.findall(
        rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.DOTALL | re.MULTILINE
    )
    return found


def names_in_tables(text):
    """Return what the first cells of all table rows name in backticks."""
    cells = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]*)`", cell)]


# README


def test_readme_is_short_and_its_pictures_are_small():
    assert len(read(README).splitlines()) <= MAX_README_LINES
    pictures = re.findall(r"!\[[^]]+\]\(([^)]*)\)", read(README))
    assert len(pictures) == 2
    assert all((ROOT / picture).stat().st_size <= MAX_PICTURE_BYTES for picture in pictures)


def test_readme_names_every_chapter():
    assert set(re.findall(r"`tabnet help (\w+)`", read(README))) == set(TOPICS)
    assert list_kinds() == sorted(GAMES)


def test_the_two_commands_match_the_gate():
    lines = "".join(blocks(read(README), "sh")).splitlines()
    play, test = [line for line in lines if line.startswith("python3")]
    assert play.endswith(".venv/bin/tabnet tournament")
    assert test.endswith(".venv/bin/python -m tests")
    assert (ROOT / ".ci" / "constraints.txt").exists()
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_every_dependency_has_its_reason():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name in re.findall(r'^  "([a-z0-9-]+)[>=]', project, re.MULTILINE):
        reason = rf"\b{name}\b"
        assert re.search(reason, read(README) + read(CONTRIBUTING)), f"no reason for {name}"


# The first bot


@pytest.fixture
def first_bot(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(readme_bot())
    return path


@pytest.mark.slow
def test_the_first_bot_plays_against_itself(tmp_path, first_bot):
    with serving(tmp_path) as server:
        command = [sys.executable, first_bot, "--server", f"tcp://{server.tcp}"]
        bots = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        results = [bot.communicate(timeout=TIMEOUT_S)[0].split()[0] for bot in bots]
    assert sorted(results) == ["lost", "won"]


@pytest.mark.slow
def test_the_first_bot_has_no_faults(first_bot, capsys):
    assert main(["check", str(first_bot)]) == 0


# Examples in Python


def programs(page):
    """Return the Python examples of a page that need neither a server nor a tournament."""
    text = re.sub(f"(?:{ON_A_SERVER}|{A_TOURNAMENT})```.*?```", "", read(page), flags=re.DOTALL)
    return [program for program in blocks(text, "python") if "run_bot" not in program]


@pytest.mark.parametrize("page", [page for page in PAGES if programs(page)], ids=page_name)
def test_examples_print_the_documented_output(page, capsys):
    for program in programs(page):
        exec(compile(program, str(page), "exec"), {})
        expected = re.findall(r"^print\(.*\)  # (.*)$", program, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == expected


def test_the_bots_of_the_chapter_can_be_loaded_and_choose_a_move(tmp_path):
    bots = [program for program in blocks(docs("bots"), "python") if "run_bot" in program]
    assert len(bots) == 3
    state = GAMES["draughts"].start()
    for number, program in enumerate(bots):
        path = tmp_path / f"bot{number}.py"
        path.write_text(program)
        bot = load_bot(str(path))
        bot.new_game(Random(0))
        assert bot.choose(state, state.actions(), 1.0) in state.actions()


@pytest.mark.slow
def test_the_clients_of_the_chapter_play_a_game(tmp_path):
    clients = re.findall(ON_A_SERVER + r"```python\n(.*?)```", docs("bots"), re.DOTALL)
    assert len(clients) == 2
    with serving(tmp_path, "--house", "random") as server:
        for client in clients:
            program = client.replace("127.0.0.1:45679", server.tcp)
            ended = subprocess.run(
                [sys.executable, "-c", program], capture_output=True, text=True, check=True
            )
            assert ended.stdout in ("won\n", "lost\n", "not won\n")


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["tournaments", "cluster"])
def test_the_tournament_of_the_chapter_is_played(tmp_path, topic):
    (program,) = re.findall(A_TOURNAMENT + r"```python\n(.*?)```", docs(topic), re.DOTALL)
    file = tmp_path / "program.py"  # the workers of a LocalCluster import it
    file.write_text(program)
    ended = subprocess.run(
        [sys.executable, file], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    expected = re.findall(r"^ *print\(.*\)  # (.*)$", program, re.MULTILINE)
    assert ended.stdout.splitlines() == expected
    assert (tmp_path / "trial" / "report.html").exists()


# Command lines


def command_lines(text):
    """Return the arguments of every `tabnet` command line in an example."""
    indented = re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    lines = [*indented, *"".join(blocks(text, "sh") + blocks(text, "powershell")).splitlines()]
    for line in lines:
        for part in re.split(r" (?:&|\||&&) ", line):
            found = re.match(r"(?:\.venv[/\\](?:bin|Scripts)[/\\])?tabnet(?: (.*))?$", part)
            if found and "options]" not in part and "[TOPIC]" not in part:
                yield found[1] or ""


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_the_command_lines_can_be_typed(page):
    for line in command_lines(read(page)):
        if line != "--version":
            assert callable(parsed(line).run)


def parsed(line):
    """Return the parsed arguments of a command line; an error names the line."""
    try:
        return make_parser().parse_args(shlex.split(line))
    except SystemExit:
        pytest.fail(f"cannot be typed: tabnet {line}")


def test_most_chapters_have_command_lines():
    assert sum(len(list(command_lines(read(page)))) for page in PAGES) > 50


def subcommands():
    """Return the parser of every subcommand; tasks of `admin` count for `admin`."""
    (action,) = [
        each for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction)
    ]
    return action.choices


def options(command):
    """Return the options of a parser and its tasks, with their defaults."""
    found = {}
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for task in action.choices.values():
                found |= options(task)
        elif action.option_strings and action.dest != "help":
            found[action.option_strings[-1]] = action.default
    return found


def described_options(text):
    """Return the options in the tables of a text, with the defaults that it names."""
    rows = re.findall(r"^\| `(--[\w-]+)[^`]*` \| *(.*?) *\| .+ \|$", text, re.MULTILINE)
    return dict(rows)


GROUPS = ("game options", "server options", "login options")
"""The options of several commands."""


def options_of_group(name):
    """Return the described options of a group; those of each kind are in its chapter."""
    shared = section(docs("commands"), "Options of several commands")
    start = shared.index(f"**{name.capitalize()}**")
    described = described_options(re.split(r"\n\n(?=\*\*)", shared[start:])[0])
    if name == "game options":
        for kind in GAMES:
            described |= described_options(docs(kind))
    return described


@pytest.mark.parametrize("name", list(subcommands()))
def test_every_option_of_a_command_is_described(name):
    own = section(docs("commands"), f"tabnet {name}")
    described = described_options(own)
    for group in GROUPS:
        if group in own.lower():
            described = options_of_group(group) | described
    if "except `--kind`" in own:
        del described["--kind"]
    expected = options(subcommands()[name])
    if "--concurrency" in expected:
        expected["--concurrency"] = "the number of cores"
    if name == "ranking":
        for game in GAMES.values():
            expected.pop(f"--{game.leaderboard_option}", None)
    assert set(described) == set(expected)
    for option, default in expected.items():
        if isinstance(default, float):
            assert described[option] == f"{default:g}"
        elif isinstance(default, int | str) and not isinstance(default, bool):
            assert described[option] == str(default)


@pytest.mark.parametrize("kind", GAMES)
def test_the_chapter_of_a_kind_describes_its_options(kind):
    join = GAMES[kind].fields.join
    described = described_options(docs(kind))
    assert set(described) == {f"--{name}" for name, field in join.items() if field.type is int}
    for option, default in described.items():
        assert default == join[option.removeprefix("--")].usual


def test_every_named_option_exists():
    known = {option for command in subcommands().values() for option in options(command)}
    others = {"--help", "--version", "--", "--quick", "--install"}
    others |= set(re.findall(r"--[a-z][a-z-]*", read(ROOT / "tests" / "__main__.py")))
    others |= {"--port", "--nworkers", "--nthreads", "--scheduler-file", "--lifetime"}  # Dask's
    for page in PAGES:
        if page != CONTRIBUTING:
            named = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", read(page)))
            assert named <= known | others, page


def test_every_command_is_in_the_reference_and_every_section_is_a_command():
    sections = re.findall(r"^## tabnet (\w+)$", docs("commands"), re.MULTILINE)
    assert sorted(sections) == sorted(subcommands())


# Facts in the chapters


def test_the_documented_limits_and_ports_are_correct():
    defaults = vars(make_parser().parse_args(["serve"]))
    described = dict(re.findall(r"\| `--(max-[a-z-]+)` \| (\d+) \|", docs("limits")))
    values = {name.replace("-", "_"): int(number) for name, number in described.items()}
    assert values == {name: value for name, value in defaults.items() if name.startswith("max_")}
    for text in (read(README), docs("playing")):
        assert f"-connect 127.0.0.1:{defaults['tls_port']}" in text
        assert f"telnet 127.0.0.1 {defaults['tcp_port']}" in text
        assert f"http://127.0.0.1:{defaults['http_port']}/" in text


def test_every_cause_and_every_format_is_described():
    text = docs("tournaments")
    assert set(CAUSES) == set(names_in_tables(section(text, "How games end")))
    for name in FORMATS:
        assert section(text, name)


def test_the_documented_bounds_of_the_sprt_are_correct():
    text, usual = section(docs("tournaments"), "sprt"), Hypotheses()
    assert f"| {usual.upper:.2f} |" in text
    assert f"| {usual.lower:.2f} |" in text
    assert f"between -{MODELS[usual.model]} and {MODELS[usual.model]}" in " ".join(text.split())
    assert f"`--elo0` ({usual.elo0:g})" in text
    assert f"`--elo1` ({usual.elo1:g})" in text


def test_the_bots_that_come_with_tabnet_are_listed():
    listed = names_in_tables(section(docs("bots"), "Bots that come with tabnet"))
    assert {name.partition(":")[0] for name in listed} == {
        path.stem.rstrip("_") for path in (ROOT / "bots").glob("*.py")
    }


def public(cls):
    """Return the public attributes of a class that not every class has."""
    slots = getattr(cls, "__slots__", ())
    return {name for name in {*dir(cls), *slots} if not name.startswith("_")}


@pytest.mark.parametrize("kind", GAMES)
def test_every_attribute_of_a_state_and_every_move_is_described(kind):
    game = GAMES[kind]
    text = docs(kind)
    state = game.start(game.options(**({"fish": 1} if "fish" in game.fields.join else {})))
    names = [name for name in names_in_tables(text) if not name.startswith("--")]
    described = {re.match(r"\w+", name)[0] for name in names}
    package = sys.modules[f"tabnet.games.{kind}"]
    moves = {
        name
        for name, value in vars(package).items()
        if isinstance(value, type) and issubclass(value, Move)
    }
    of_every_state = public(State) | {"remove", "targets"}
    assert described - moves == public(type(state)) - of_every_state
    assert moves <= described


def test_the_map_of_the_packages_is_complete_and_every_path_exists():
    named = names_in_tables(section(read(CONTRIBUTING), "The packages"))
    assert all((ROOT / path).exists() for path in named)
    grouped = ("tabnet/server", "tabnet/tournament")
    folders = [ROOT / "tabnet", *(ROOT / group for group in grouped)]
    packages = {
        str(path.parent.relative_to(ROOT))
        for each in folders
        for path in each.glob("*/__init__.py")
    }
    assert packages - set(named) <= set(grouped)
    paths = re.findall(r"`((?:tabnet|tests|bots)/[\w/.]*)`", read(CONTRIBUTING))
    assert all(
        (ROOT / path).exists()
        for path in paths
        if not any(word in path for word in ("KIND", "NAME", "CODE"))
    )


def test_the_files_to_copy_for_a_new_kind_exist():
    copied = re.findall(r"^cp (?:-r )?(\S+) \S+$", read(CONTRIBUTING), re.MULTILINE)
    assert len(copied) == 3
    assert all((ROOT / source).exists() for source in copied)


def test_every_driver_is_listed():
    drivers = {path.parent.name for path in (ROOT / "tests").glob("*/__main__.py")}
    assert drivers == set(re.findall(r"`python -m tests\.(\w+)", read(CONTRIBUTING)))


# Links, topics and versions


def anchors(path):
    """Return the anchors of a page's headings, as they are made where READMEs are shown."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", read(path), flags=re.DOTALL), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_link_leads_somewhere(page):
    for link in re.findall(r"\]\(([^)]*)\)", read(page)):
        if not link.startswith("https://"):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def test_the_changelog_begins_with_this_version():
    (newest, *_) = re.findall(r"^## (.*)$", docs("changelog"), re.MULTILINE)
    assert newest == __version__
