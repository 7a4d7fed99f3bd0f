"""Bot files: their classes and functions, their options, and the errors in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabnet.client import bot_file
from tabnet.client.bot_file import find_bot_file, list_house_bots, load_bot
from tabnet.errors import StartError

CHOOSER = """
class Chooser:
    name = "picky"

    def __init__(self, depth=2, share=0.5, loud=False, book=""):
        self.options = (depth, share, loud, book)

    def new_game(self, rng):
        self.number = rng.random()

    def choose(self, state, moves, left):
        return self.options
"""


@pytest.fixture
def write(tmp_path):
    """Writes a bot file and gives back where it is."""

    def write(text, name="mine.py"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def refusal(source):
    with pytest.raises(StartError) as refused:
        load_bot(source)
    return refused.value


def test_a_bot_class_receives_its_options(write):
    path = write(CHOOSER)
    assert load_bot(path).name == "picky"
    assert load_bot(path).choose(None, (), 1.0) == (2, 0.5, False, "")
    given = load_bot(f"{path}:depth=3,share=1,loud=true,book=a").choose(None, (), 1.0)
    assert given == (3, 1.0, True, "a")
    assert load_bot(f"{path}:4").choose(None, (), 1.0)[0] == 4


def test_a_choose_function_is_a_bot(write):
    bot = load_bot(write("def choose(state, moves, left):\n    return moves[0]\n", "first_.py"))
    assert bot.name == "first"
    assert bot.choose(None, (7, 8), 1.0) == 7
    assert bot.new_game(None) is None


def test_classes_without_choose_are_not_bots(write):
    assert load_bot(write("class Table: pass\nclass Error(Exception): pass\n" + CHOOSER))


def test_a_bot_imports_modules_beside_its_file(write):
    write("WISDOM = 42\n", "wisdom_of_mine.py")
    text = "import wisdom_of_mine\ndef choose(state, moves, left): return wisdom_of_mine.WISDOM\n"
    assert load_bot(write(text)).choose(None, (), 1.0) == 42


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n\ndef choose(:\n", "mine.py:3: invalid syntax"),
        (
            "x = 1\ny = nothing\n",
            "mine.py:2: y = nothing: NameError: name 'nothing' is not defined",
        ),
        ("import json\njson.loads('')\n", "mine.py:2: json.loads(''): JSONDecodeError: "),
        (
            "import notthere\n",
            "mine.py:1: import notthere: ModuleNotFoundError: No module named 'notthere'",
        ),
        ("x = 1\n", "mine.py: there is no class with a method choose(state, moves, left)"),
        (
            "x = 1\ndef choose(state, moves):\n    return moves[0]\n",
            "mine.py:2: choose must have the parameters (state, moves, left)",
        ),
        (
            "class One:\n    def choose(s, a, b, c): ...\nclass Two(One): ...\n",
            "mine.py:3: One and Two both have a method choose; only one class may",
        ),
        (
            "class One:\n    def __init__(self):\n        1 / 0\n    def choose(s, a, b, c): ...\n",
            "mine.py:3: 1 / 0: ZeroDivisionError: division by zero",
        ),
    ],
)
def test_a_load_error_names_the_line(write, text, told):
    assert told in refusal(write(text)).text


@pytest.mark.parametrize(
    ("options", "told", "hint"),
    [
        ("width=3", "has no option 'width'", "it takes depth, share, loud, book"),
        ("1,2", "has no option '2'", "it takes depth, share, loud, book"),
        ("depth=deep", "depth is an integer, not 'deep'", None),
        ("share=half", "share is a number, not 'half'", None),
        ("loud=1", "loud is true or false, not '1'", None),
    ],
)
def test_an_invalid_option_is_named(write, options, told, hint):
    refused = refusal(f"{write(CHOOSER)}:{options}")
    assert told in refused.text
    assert refused.hint == hint


def test_a_function_takes_no_options(write):
    path = write("def choose(state, moves, left): ...\n")
    assert refusal(f"{path}:depth=2").hint == "it takes no options"


def test_a_missing_file_is_refused(tmp_path):
    assert refusal(f"{tmp_path}/none.py").text == f"there is no file {tmp_path}/none.py"


FOLDER_BOT = """
import helpers_of_mine
class Chooser:
    def __init__(self, depth=2):
        self.depth = depth
    def choose(self, state, moves, left):
        return helpers_of_mine.WISDOM + self.depth
"""


@pytest.fixture
def folder(tmp_path):
    """Returns a folder that is a bot, with a module."""
    folder = tmp_path / "mybot"
    folder.mkdir()
    (folder / "bot.py").write_text(FOLDER_BOT)
    (folder / "helpers_of_mine.py").write_text("WISDOM = 40\n")
    return folder


@pytest.mark.parametrize(("end", "depth"), [("", 2), ("/", 2), ("/:depth=3", 3), (":4", 4)])
def test_a_folder_with_bot_py_is_a_bot(folder, end, depth):
    bot = load_bot(f"{folder}{end}")
    assert bot.name == "mybot"
    assert bot.choose(None, (), 1.0) == 40 + depth


def test_a_folder_without_bot_py_is_refused(folder):
    (folder / "bot.py").rename(folder / "main.py")
    refused = refusal(f"{folder}/")
    assert refused.text == f"there is no bot.py in the folder {folder}/"
    assert refused.hint == "a bot is a Python file, or a folder that contains bot.py"


def test_an_absent_folder_is_refused(tmp_path):
    assert refusal(f"{tmp_path}/none/").text == f"there is no folder {tmp_path}/none/"


def test_a_name_without_a_slash_is_not_a_folder(folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    assert "the folder mybot/, or one of: expectimax" in refusal("mybot").hint


def test_house_bots_are_found_by_name():
    assert {"random", "first", "greedy", "mixed", "expectimax"} == set(list_house_bots())
    found = find_bot_file("expectimax:depth=3")
    assert (found.path.name, found.options) == ("expectimax.py", "depth=3")
    assert find_bot_file("random").path.name == "random_.py"
    assert {load_bot(name).name for name in list_house_bots()} == set(list_house_bots())


def test_an_unknown_house_bot_is_refused_with_the_known_names():
    refused = refusal("greddy")
    assert refused.text == "there is no bot 'greddy'"
    assert refused.hint.endswith("one of: expectimax, first, greedy, mixed, random")


def test_installed_bots_come_before_those_of_a_checkout(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_file, "HOUSE_BOT_FOLDERS", (tmp_path / "none", tmp_path))
    assert list_house_bots() == {}
    (tmp_path / "lambda_.py").touch()
    assert list_house_bots() == {"lambda": tmp_path / "lambda_.py"}


def test_the_wheel_contains_the_bots_at_the_searched_path():
    root = Path(bot_file.__file__).parents[2]
    assert '"bots" = "tabnet/bots"' in (root / "pyproject.toml").read_text()
    assert list(bot_file.HOUSE_BOT_FOLDERS) == [root / "tabnet" / "bots", root / "bots"]
