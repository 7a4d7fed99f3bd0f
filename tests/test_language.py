"""The rules of CONTRIBUTING.md for names and sentences, as far as a program can check them."""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from tabnet.cli import make_parser
from tests.__main__ import ROOT

HELP = "tabnet --help"
"""The name of the texts of all `--help` options, in reports of problems."""

HEADLESS = re.compile(r"[\W_]*(?:who(?:se|m|ever)?|what|whether|that which)\b", re.IGNORECASE)
"""A sentence without a subject: the words "Who ..." or "What ..." stand for a noun."""


def paragraphs(text: str) -> Iterator[str]:
    """Split a text at blank lines, list items and table cells; leave out headings and examples."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^(\|.*\|)\n(?=\|[-:| ]+\|)", "", text, flags=re.MULTILINE)  # a table's heading
    text = re.sub(r"^#.*|^\*\*.*?\*\*", "", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`]*`|\[[^]]*\]\(#[^)]*\)", "CODE", text)
    for block in re.split(r"\n\s*\n|\n\s*(?=[-*] |\d+\. )|\|", text):
        yield " ".join(block.split())


def headless_sentences(text: str) -> list[str]:
    """Return the sentences that begin with a headless "Who", "What", "Whether" or "That which".

    A part of a sentence after a semicolon or a colon counts as a sentence. Questions are exempt.
    """
    return [
        sentence
        for paragraph in paragraphs(text)
        for sentence in re.split(r"(?<=[.?!;:])[)\"]?\s+", paragraph)
        if HEADLESS.match(sentence) and not sentence.endswith("?")
    ]


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Find every string that stands alone: docstrings of functions, classes and values."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                yield text


def help_texts(command: argparse.ArgumentParser) -> Iterator[str]:
    """Find the texts that `command` and its subcommands show for `--help`."""
    yield from (command.description or "", command.epilog or "")
    for action in command._actions:
        yield action.help or ""
        if isinstance(action, argparse._SubParsersAction):
            yield from (each.help or "" for each in action._choices_actions)
            for subcommand in action.choices.values():
                yield from help_texts(subcommand)


@cache
def trees() -> dict[str, ast.Module]:
    """Parse every module, by its path."""
    paths = [
        path for folder in ("tabnet", "bots", "tests") for path in (ROOT / folder).rglob("*.py")
    ]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in sorted(paths)}


def texts() -> Iterator[tuple[str, str]]:
    """Find every text that the rule for sentences applies to, with the name of its source."""
    for path in (
        ROOT / "README.md",
        ROOT / ".github" / "CONTRIBUTING.md",
        ROOT / "protocol.md",
        *(ROOT / "tabnet").rglob("*.md"),
    ):
        yield str(path.relative_to(ROOT)), path.read_text()
    for name, tree in trees().items():
        for docstring in docstrings(tree):
            yield name, docstring
    for text in help_texts(make_parser()):
        yield HELP, text


def classes_defined_twice() -> Iterator[tuple[str, str]]:
    """Find the classes of tabnet/ whose name another module uses too, with their paths."""
    places = defaultdict(list)
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and path.startswith("tabnet/"):
                places[node.name].append(path)
    for name, paths in places.items():
        if len(paths) > 1:
            for path in paths:
                yield path, f"class {name} is defined in {', '.join(paths)}"


def problems() -> list[tuple[str, str]]:
    """Return every breach of the rules, with the name of its source."""
    sentences = [(path, each) for path, text in texts() for each in headless_sentences(text)]
    return [*sentences, *classes_defined_twice()]


def test_class_names_are_defined_once_and_sentences_have_a_subject():
    found = [f"{path}: {problem}" for path, problem in problems()]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "Who waits is served first.",
        "Games end. What is left is drawn.",
        "Costs: who sends more, waits; at most 5.",
        "A list:\n\n- whether a move is legal\n- a move",
        "| a | b |\n|---|---|\n| `x` | that which is left |",
        "The first line.\n\n(What follows, is checked.)",
        "Whose turn it is, counts.",
    ],
)
def test_a_headless_sentence_is_found(text):
    assert len(headless_sentences(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "What happens if the server stops? It restarts.",
        "# What a bot sees",
        "A player who waits is served first.",
        "The log says what happened.",
        "```\nWhat is shown here is an example.\n```",
        "| What | Meaning |\n|---|---|\n| a | b |",
        "`What` is a name.",
        "**What this proves.** A throw cannot be changed.",
        "- [What a bot sees](#what-a-bot-sees)",
    ],
)
def test_a_sentence_with_a_subject_a_question_a_heading_and_an_example_are_accepted(text):
    assert headless_sentences(text) == []
