"""The errors, and that the table of their codes is neither too long nor too short."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tabnet
from tabnet import errors
from tabnet.errors import (
    LONGEST_QUOTE,
    IllegalMove,
    InvalidMove,
    InvalidOptions,
    InvalidPosition,
    Refused,
    RulesError,
    StartError,
    TabnetError,
    WireError,
    quote,
    shorten,
)
from tabnet.games.tab.refusals import REFUSALS
from tabnet.protocol.error_codes import CODES

SOURCE = Path(tabnet.__file__).parent
TAKE_A_CODE = {
    *("IllegalMove", "InvalidOptions", "InvalidPosition"),
    *("TabnetError", "RulesError", "WireError", "Refused", "raise_wire_error"),
}


def trees(*left_out: str) -> Iterator[ast.Module]:
    for path in sorted(SOURCE.rglob("*.py")):
        if str(path.relative_to(SOURCE)) not in left_out:
            yield ast.parse(path.read_text(encoding="utf-8"), str(path))


def table_left_out(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes of a module but those of CODES itself."""
    for statement in tree.body:
        if not (isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == "CODES"):
            yield from ast.walk(statement)


def codes_passed() -> set[str]:
    """The codes that stand in calls of error classes."""
    passed: set[str] = set()
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in TAKE_A_CODE:
                given = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "code")]
                passed |= {ast.literal_eval(v) for v in given if isinstance(v, ast.Constant)}
    return passed


def test_every_used_code_is_in_the_table() -> None:
    passed = codes_passed()
    assert {"not_json", "wrong_type", "who_are_you", "no_roll"} <= passed
    assert passed <= set(CODES)


def test_every_refusal_of_tab_has_a_code_in_the_table() -> None:
    assert set(REFUSALS) <= set(CODES)


def test_every_code_in_the_table_is_used() -> None:
    """Commands only list codes; a code counts if other code gives it."""
    literals = {
        node.value
        for tree in trees("protocol/messages.py")
        for node in table_left_out(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(CODES) - literals == set()


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_a_word_with_a_meaning(code: str) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code)
    assert CODES[code].strip() == CODES[code] != ""
    assert not CODES[code].endswith(".")


# -- the tree


@pytest.mark.parametrize("cls", [IllegalMove, InvalidMove, InvalidOptions, InvalidPosition])
def test_the_rules_have_their_own_errors(cls: type[RulesError]) -> None:
    assert issubclass(cls, RulesError)


@pytest.mark.parametrize("cls", [RulesError, WireError, Refused])
def test_every_error_has_fields_that_help(cls: type[TabnetError]) -> None:
    error = cls("bad_value", "cell is negative", field="cell", hint="0 or more", retry_after=1)
    assert isinstance(error, TabnetError)
    assert (error.code, error.text, error.field, error.hint, error.retry_after) == (
        "bad_value",
        "cell is negative",
        "cell",
        "0 or more",
        1,
    )
    assert str(error) == "cell is negative"


def test_absent_error_fields_are_omitted() -> None:
    error = Refused("who_are_you", "who are you?")
    assert (error.field, error.hint, error.retry_after) == (None, None, None)


def test_a_start_error_has_its_own_code() -> None:
    error = StartError("the port is taken", hint="take another one")
    assert isinstance(error, TabnetError)
    assert (error.code, error.text, error.hint) == (
        "start_failed",
        "the port is taken",
        "take another one",
    )


def test_the_docstring_shows_every_class() -> None:
    classes = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, TabnetError)
    }
    drawn = set(re.findall(r"^[ │├└─]*(\w+) {3,}\S", errors.__doc__ or "", re.MULTILINE))
    assert drawn | {"RulesError"} == classes


# -- quoting


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("large", "'large'"),
        ("", "''"),
        (3.1416, "'3.1416'"),
        (3, "'3'"),
        (True, "'true'"),
        (None, "'null'"),
        (["a", 1], "'[\"a\", 1]'"),
        ("é", "'é'"),
    ],
)
def test_a_quoted_value_is_json_and_a_string_stays_unchanged(value: object, text: str) -> None:
    assert quote(value) == text


def test_a_long_value_is_shortened() -> None:
    assert shorten("x" * LONGEST_QUOTE) == "x" * LONGEST_QUOTE
    assert shorten("x" * (LONGEST_QUOTE + 1)) == "x" * LONGEST_QUOTE + "…"
    assert quote("x" * 60_000) == f"'{'x' * LONGEST_QUOTE}…'"
    assert quote([0] * 1000) == f"'{('[' + '0, ' * 1000)[:LONGEST_QUOTE]}…'"
